// SPDX-License-Identifier: Apache-2.0
/// Joint algorithms over memory that fits a cache, on one thread.
#include "joint_sides.hpp"
#include "programs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lanefold_benchmarks {

namespace {

using lanefold_peers::array;

template <class T>
struct joint_data {
  array<T> in, out;
  T result{};
  joint_work<T> work;

  joint_data(std::size_t count, unsigned rounds)
      : in(count), out(count), work{in.data(), out.data(), &result, count, rounds} {
    for (std::size_t i = 0; i < count; ++i)
      in[i] = static_cast<T>(i * 2654435761u % 5);
  }

  expectation sum() {
    return {[this] { result = T(-1); },
            [this]() -> std::string {
              return result == std::accumulate(in.begin(), in.end(), T(0)) ? "" : "the sum is wrong";
            }};
  }
  expectation scan(bool exclusive) {
    return {[this] { std::fill(out.begin(), out.end(), T(-1)); },
            [this, exclusive]() -> std::string {
              T total = 0;
              for (std::size_t i = 0; i < in.size(); ++i) {
                const T before = total;
                total = static_cast<T>(total + in[i]);
                if (out[i] != (exclusive ? before : total))
                  return "element " + std::to_string(i) + " of the scan is wrong";
              }
              return {};
            }};
  }
  expectation vote() {
    return {[this] { result = T(-1); },
            [this]() -> std::string { return result == T(0) ? "" : "found what is not there"; }};
  }
};

using lf_algorithm = joint_version;

template <class T>
void measure_reduce(report& to, const std::string& type) {
  constexpr std::size_t count = 204800;
  joint_data<T> data(count, 20);
  const auto expected = data.sum();
  const auto ours = expected.of(joint_reduce(data.work, lf_algorithm::simd));
  const std::string name = "joint_reduce/" + type;
  to.compare(name + "/omp_simd", quantity::speed, ours, expected.of(joint_reduce(data.work, lf_algorithm::omp_simd)));
  to.compare(name + "/baseline", quantity::speed, ours, expected.of(joint_reduce(data.work, lf_algorithm::serial)));
  const auto load = load_only(data.work);
  to.compare(name + "/load", quantity::speed, ours,
             side{load, {}, {}, "there is no load loop for this instruction set", false});
}

template <class T>
void measure_scans(report& to, const std::string& type) {
  for (const std::size_t count : {std::size_t{4096}, std::size_t{51200}, std::size_t{204800}}) {
    joint_data<T> data(count, static_cast<unsigned>(4096000 / count));
    for (const bool exclusive : {false, true}) {
      const auto expected = data.scan(exclusive);
      to.compare((exclusive ? "joint_exclusive_scan/" : "joint_inclusive_scan/") + type + "/" + std::to_string(count) +
                     "/baseline",
                 quantity::speed, expected.of(joint_scan(data.work, exclusive, lf_algorithm::simd)),
                 expected.of(joint_scan(data.work, exclusive, lf_algorithm::serial)));
    }
  }
}

template <class T>
void measure_vote(report& to, const std::string& type) {
  joint_data<T> data(204800, 20);
  const auto expected = data.vote();
  to.compare("joint_any_of/" + type + "/std", quantity::speed, expected.of(joint_any_of(data.work)),
             expected.of(std_any_of(data.work)));
}

} // namespace

void measure_joint(report& to, const options& given) {
  if (given.absolute_times)
    return;
  measure_reduce<float>(to, "fp32");
  measure_reduce<double>(to, "fp64");
  measure_reduce<std::int32_t>(to, "int32");
  measure_reduce<std::int64_t>(to, "int64");
  measure_scans<std::int32_t>(to, "int32");
  measure_scans<float>(to, "fp32");
  measure_vote<std::int32_t>(to, "int32");
  measure_vote<float>(to, "fp32");
}

} // namespace lanefold_benchmarks
