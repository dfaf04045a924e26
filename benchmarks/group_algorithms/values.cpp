// SPDX-License-Identifier: Apache-2.0
/// Reductions and scans by value.
#include "repeated_data.hpp"

namespace lanefold_benchmarks {

namespace {

using ours::function;
using ours::version;

/// A type against the baseline: groups of 256.
template <function F, class T, class S>
void against_baseline(report& to, const options& given, const std::string& name, version v) {
  repeated_data<T, S> data(std::size_t{1} << 13, 256, 20);
  const auto expected = data.template expected<F>();
  to.compare(name, quantity::speed, expected.of(ours::repeat<F>(data.work, v, given.threads)),
             expected.of(ours::repeat<F>(data.work, version::baseline, given.threads)));
}

template <function F, class T>
void against_peers(report& to, const options& given, const std::string& name, opencl::group_function theirs) {
  for (const std::size_t group : {std::size_t{256}, std::size_t{1024}}) {
    repeated_data<T, T> data(std::size_t{1} << 15, group, 100);
    const auto expected = data.template expected<F>();
    const auto peer = [&](const opencl::device_ptr& on) {
      return opencl::repeat(on, theirs, data.start.data(), data.values.data(), data.work.items, group, data.work.rounds,
                            data.work.scale);
    };
    const std::string full = name + "/" + std::to_string(group);
    const double nanoseconds = 1e9 / (static_cast<double>(data.work.items) * data.work.rounds);
    if (given.absolute_times) {
      to.absolute(full, expected.on(opencl::intel, peer), nanoseconds, "ns/item");
      to.absolute(full, expected.of(ours::repeat<F>(data.work, version::lanes, given.threads)), nanoseconds, "ns/item");
    } else {
      to.compare(full + "/intel", quantity::time,
                 expected.of(ours::repeat<F>(data.work, version::lanes, given.threads)),
                 expected.on(opencl::intel, peer));
    }
  }
}

} // namespace

void measure_values(report& to, const options& given) {
  against_peers<function::reduce, std::uint32_t>(to, given, "reduce/int32",
                                                 opencl::group_function::work_group_reduce_add);
  against_peers<function::reduce, float>(to, given, "reduce/fp32", opencl::group_function::work_group_reduce_add);
  against_peers<function::inclusive_scan, std::uint32_t>(to, given, "inclusive_scan/int32",
                                                         opencl::group_function::work_group_scan_inclusive_add);
  against_peers<function::inclusive_scan, float>(to, given, "inclusive_scan/fp32",
                                                 opencl::group_function::work_group_scan_inclusive_add);
  if (given.absolute_times)
    return;
  against_baseline<function::reduce, std::uint32_t, std::uint32_t>(to, given, "reduce/work_item/int32/baseline",
                                                                   version::work_item);
  against_baseline<function::reduce, std::uint64_t, std::uint64_t>(to, given, "reduce/work_item/int64/baseline",
                                                                   version::work_item);
  against_baseline<function::reduce, float, float>(to, given, "reduce/work_item/fp32/baseline", version::work_item);
  against_baseline<function::reduce, double, double>(to, given, "reduce/work_item/fp64/baseline", version::work_item);
  against_baseline<function::reduce, numbers<float, 4>, float>(to, given, "reduce/work_item/fp32x4/baseline",
                                                               version::work_item);
  against_baseline<function::reduce, std::uint32_t, std::uint32_t>(to, given, "reduce/lanes/int32/baseline",
                                                                   version::lanes);
  against_baseline<function::reduce, float, float>(to, given, "reduce/lanes/fp32/baseline", version::lanes);
  against_baseline<function::inclusive_scan, std::uint32_t, std::uint32_t>(
      to, given, "inclusive_scan/lanes/int32/baseline", version::lanes);
  against_baseline<function::inclusive_scan, float, float>(to, given, "inclusive_scan/lanes/fp32/baseline",
                                                           version::lanes);
}

} // namespace lanefold_benchmarks
