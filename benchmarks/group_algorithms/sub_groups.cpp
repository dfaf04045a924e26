// SPDX-License-Identifier: Apache-2.0
/// Functions of sub-groups of 16 work-items.
#include "repeated_data.hpp"

namespace lanefold_benchmarks {

namespace {

template <ours::function F, class T>
void against_intel(report& to, const options& given, const std::string& name, opencl::group_function theirs) {
  repeated_data<T, T> data(std::size_t{1} << 15, 256, 100);
  if constexpr (std::is_floating_point_v<T>)
    data.work.scale = T(0.25) / 16;
  const auto expected = data.template expected<F>();
  const auto peer = [&](const opencl::device_ptr& on) {
    return opencl::repeat(on, theirs, data.start.data(), data.values.data(), data.work.items, data.work.group,
                          data.work.rounds, data.work.scale);
  };
  const auto lanes = expected.of(ours::repeat<F>(data.work, ours::version::lanes, given.threads));
  if (given.absolute_times) {
    const double nanoseconds = 1e9 / (static_cast<double>(data.work.items) * data.work.rounds);
    to.absolute(name, expected.on(opencl::intel, peer), nanoseconds, "ns/item");
    to.absolute(name, lanes, nanoseconds, "ns/item");
  } else {
    to.compare(name + "/intel", quantity::time, lanes, expected.on(opencl::intel, peer));
  }
}

/// Nanoseconds for each work-item of a work-item kernel.
template <ours::function F, class T>
void as_work_items(report& to, const options& given, const std::string& name) {
  if (given.absolute_times) {
    return;
  }
  repeated_data<T, T> data(std::size_t{1} << 13, 256, 100);
  const auto side = data.template expected<F>().of(ours::repeat<F>(data.work, ours::version::work_item, given.threads));
  const double seconds = timed(side.candidates.front().run, given.how).median;
  to.value(name, 1e9 * seconds / (static_cast<double>(data.work.items) * data.work.rounds));
}

template <class T>
void measure_type(report& to, const options& given, const std::string& type) {
  using ours::function;
  against_intel<function::sub_group_reduce, T>(to, given, "sub_group/reduce/" + type,
                                               opencl::group_function::sub_group_reduce_add);
  against_intel<function::sub_group_scan, T>(to, given, "sub_group/scan/" + type,
                                             opencl::group_function::sub_group_scan_inclusive_add);
  against_intel<function::sub_group_butterfly, T>(to, given, "sub_group/butterfly/" + type,
                                                  opencl::group_function::sub_group_butterfly);
  against_intel<function::sub_group_exchange, T>(to, given, "sub_group/xor/" + type,
                                                 opencl::group_function::sub_group_exchange);
}

} // namespace

void measure_sub_groups(report& to, const options& given) {
  measure_type<std::uint32_t>(to, given, "int32");
  measure_type<float>(to, given, "fp32");
  as_work_items<ours::function::sub_group_reduce, std::uint32_t>(to, given, "sub_group/reduce/work_item");
  as_work_items<ours::function::sub_group_exchange, std::uint32_t>(to, given, "sub_group/xor/work_item");
}

} // namespace lanefold_benchmarks
