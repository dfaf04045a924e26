// SPDX-License-Identifier: Apache-2.0
/// The tree reduction of doubles in local memory.
#include "programs.hpp"

namespace lanefold_benchmarks {

namespace {

using lanefold_peers::array;
namespace opencl = lanefold_peers::opencl;

struct summed {
  explicit summed(std::size_t count) : in(count), result(1) {
    // Small whole numbers: the sum is exact in every order.
    for (std::size_t i = 0; i < count; ++i) {
      in[i] = static_cast<double>(i * 2654435761u % 17) - 5.0;
      right += in[i];
    }
  }

  array<double> in, result;
  double right = 0;

  expectation expected() {
    return {[this] { result[0] = -1.0; },
            [this]() -> std::string {
              if (result[0] == right)
                return {};
              return "the sum is " + std::to_string(result[0]) + " instead of " + std::to_string(right);
            }};
  }
};

constexpr std::size_t group = 256;

void measure_times(report& to, const options& given, std::size_t count, bool slow_ones) {
  summed data(count);
  const auto expected = data.expected();
  const auto peer = [&](const opencl::device_ptr& on) {
    return opencl::tree_reduction(on, data.in.data(), count, data.result.data(), group);
  };
  const std::string name = "reduction/" + std::to_string(count);
  const double gigabytes = -static_cast<double>(count) * sizeof(double) * 1e-9;
  const cost of_run{static_cast<double>(count), static_cast<double>(count) * sizeof(double)};
  const auto forms_of = [&](ours::model model, ours::engine which) {
    return ours::tree_reduction(data.in.data(), count, data.result.data(), group, model, which, given.threads);
  };
  to.absolute(name, expected.ours(forms_of(ours::model::lanes, ours::engine::native)), gigabytes, "GB/s", of_run);
  to.absolute(name, expected.ours(forms_of(ours::model::work_item, ours::engine::native), ", native"), gigabytes,
              "GB/s", of_run);
  if (slow_ones)
    to.absolute(name, expected.ours(forms_of(ours::model::work_item, ours::engine::boost_fiber), ", boost_fiber"),
                gigabytes, "GB/s", of_run);
  to.absolute(name, expected.on(opencl::intel, peer), gigabytes, "GB/s", of_run);
  to.absolute(name, expected.on(opencl::pocl, peer), gigabytes, "GB/s", of_run);
  const auto read = lanefold_peers::by_hand::sum(data.in.data(), count, data.result.data(), given.threads);
  to.absolute(name, expected.of(read), gigabytes, "GB/s", of_run);
}

} // namespace

void measure_reduction(report& to, const options& given) {
  constexpr std::size_t count = std::size_t{1} << 25;
  if (given.absolute_times) {
    measure_times(to, given, std::size_t{1} << 18, true);
    measure_times(to, given, given.quick ? std::size_t{1} << 22 : count, false);
    return;
  }
  summed data(count);
  const auto expected = data.expected();
  const auto side_of = [&](ours::model model, ours::engine engine) {
    return expected.of(
        ours::tree_reduction(data.in.data(), count, data.result.data(), group, model, engine, given.threads));
  };
  const side lanes = side_of(ours::model::lanes, ours::engine::native);
  to.compare("reduction/lanes/intel", quantity::time, lanes, expected.on(opencl::intel, [&](const auto& on) {
    return opencl::tree_reduction(on, data.in.data(), count, data.result.data(), group);
  }));

  const side fibers = side_of(ours::model::work_item, ours::engine::boost_fiber);
  to.compare("reduction/lanes/boost_fiber", quantity::speed, lanes, fibers);
  to.compare("reduction/native/boost_fiber", quantity::speed, side_of(ours::model::work_item, ours::engine::native),
             fibers);
}

} // namespace lanefold_benchmarks
