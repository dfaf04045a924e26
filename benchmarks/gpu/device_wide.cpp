// SPDX-License-Identifier: Apache-2.0
// Algorithms over 2^28 elements, and copying, by bytes a second.
#include "sides.hpp"

#include <cmath>
#include <cstdint>
#include <random>

namespace lanefold_gpu_benchmarks {
namespace {

constexpr unsigned few = 1, many = 11;

/// Returns as many elements as fit thrice into a quarter of the device.
std::size_t elements_for(const gpu::device& on) {
  std::size_t count = std::size_t{1} << 28;
  while (count * 4 * 3 > on.global_memory_bytes() / 4 || (on.is_cpu() && count > (std::size_t{1} << 22)))
    count /= 2;
  return count;
}

template <class T>
std::vector<T> random_values(std::size_t count) {
  std::vector<T> values(count);
  std::uint32_t state = 12345;
  for (T& x : values) {
    state = state * 1664525u + 1013904223u;
    x = std::is_integral_v<T> ? static_cast<T>(static_cast<int>(state >> 8) % 1000 - 500)
                              : static_cast<T>(state >> 8) / 16777216;
  }
  return values;
}

template <class T>
struct names;
template <>
struct names<std::int32_t> {
  static constexpr type cuda = type::int32;
  static constexpr const char* text = "int32";
};
template <>
struct names<float> {
  static constexpr type cuda = type::fp32;
  static constexpr const char* text = "fp32";
};

/// Sums modulo 2^32, or in double precision.
template <class T>
using sum_t = std::conditional_t<std::is_integral_v<T>, std::uint32_t, double>;

template <class T>
bool is_right(T value, sum_t<T> wanted, double precision) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<std::uint32_t>(value) == wanted;
  else
    return std::abs(value - wanted) <= precision * (1 + std::abs(wanted));
}

template <class T>
std::string check_reduce(lanefold_cuda::work& w, const std::vector<T>& values) {
  T result{};
  w.run(2);
  w.fetch(&result);
  sum_t<T> sum = 0;
  for (const T x : values)
    sum += static_cast<sum_t<T>>(x);
  return is_right(result, sum, 1e-5) ? "" : std::to_string(result) + ", not " + std::to_string(sum);
}

template <class T>
std::string check_scan(lanefold_cuda::work& w, const std::vector<T>& values) {
  std::vector<T> result(values.size());
  w.run(2);
  w.fetch(result.data());
  sum_t<T> sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += static_cast<sum_t<T>>(values[i]);
    if (!is_right(result[i], sum, 1e-4))
      return "element " + std::to_string(i) + ": " + std::to_string(result[i]) + ", not " + std::to_string(sum);
  }
  return "";
}

template <class T>
struct device_data {
  device_data(gpu::queue& q, const std::vector<T>& values) : in(q, values.size()), out(q, values.size()) {
    q.copy(values.data(), in, values.size()).wait();
  }
  gpu::buffer<T> in, out;
};

template <class T>
work_ptr our_reduce(gpu::queue q, const device_data<T>& d, const gpu::algorithm_tuning& tuning = {}) {
  return opencl_launches(
      q, [=]() mutable { gpu::reduce(q, d.in, d.in.size(), d.out, gpu::plus, {}, tuning); },
      [=](void* to) mutable { q.copy(d.out, static_cast<T*>(to), 1).wait(); });
}

template <class T>
work_ptr our_scan(gpu::queue q, const device_data<T>& d, const gpu::algorithm_tuning& tuning = {}) {
  return opencl_launches(
      q, [=]() mutable { gpu::inclusive_scan(q, d.in, d.in.size(), d.out, gpu::plus, {}, tuning); },
      [=](void* to) mutable { q.copy(d.out, static_cast<T*>(to), d.out.size()).wait(); });
}

std::string gigabytes(double bytes, double seconds) {
  return std::to_string(static_cast<int>(std::lround(bytes / seconds / 1e9))) + " GB/s";
}

template <class T>
void measure_type(gpu::queue q) {
  const std::size_t count = elements_for(q.get_device());
  const std::vector<T> values = random_values<T>(count);
  const double bytes = static_cast<double>(count * sizeof(T));
  const std::string name = std::string("device_reduce/") + names<T>::text,
                    scan = std::string("device_scan/") + names<T>::text;
  const device_data<T> data(q, values);
  const work_ptr reduce = our_reduce(q, data), inclusive = our_scan(q, data);
  if (const std::string wrong = check_reduce(*reduce, values); !wrong.empty())
    return say_wrong(name + "/cub", wrong);
  if (const std::string wrong = check_scan(*inclusive, values); !wrong.empty())
    return say_wrong(scan + "/cub", wrong);
  if (const std::string why = lanefold_cuda::absent(); !why.empty()) {
    const std::vector<double> times = seconds_per_round({reduce.get(), inclusive.get()}, few, many);
    note(name + ": " + gigabytes(bytes, times[0]) + ", scan " + gigabytes(2 * bytes, times[1]));
    for (const std::string& target : {name + "/cub", name + "/copy", scan + "/cub"})
      say_skipped(target, why);
    return;
  }
  const work_ptr cub_reduce = lanefold_cuda::device_reduce(names<T>::cuda, values.data(), count);
  const work_ptr cub_scan = lanefold_cuda::device_inclusive_scan(names<T>::cuda, values.data(), count);
  const work_ptr copy = lanefold_cuda::device_copy(count * sizeof(T));
  if (const std::string wrong = check_reduce(*cub_reduce, values); !wrong.empty())
    return say_wrong(name + "/cub", "CUB: " + wrong);
  if (const std::string wrong = check_scan(*cub_scan, values); !wrong.empty())
    return say_wrong(scan + "/cub", "CUB: " + wrong);
  const std::vector<double> t =
      seconds_per_round({reduce.get(), cub_reduce.get(), inclusive.get(), cub_scan.get(), copy.get()}, few, many);
  note(name + ": " + gigabytes(bytes, t[0]) + ", CUB " + gigabytes(bytes, t[1]) + ", scan " +
       gigabytes(2 * bytes, t[2]) + ", CUB " + gigabytes(2 * bytes, t[3]) + ", copy " + gigabytes(2 * bytes, t[4]));
  say(name + "/cub", t[1] / t[0]);
  say(name + "/copy", t[4] / t[0] / 2);
  say(scan + "/cub", t[3] / t[2]);
}

} // namespace

void measure_device_wide(const gpu::queue& q) {
  measure_type<std::int32_t>(q);
  measure_type<float>(q);
}

void explore_device_wide(const gpu::queue& given) {
  gpu::queue q = given;
  const std::size_t count = elements_for(q.get_device());
  const std::vector<std::int32_t> values = random_values<std::int32_t>(count);
  const double bytes = static_cast<double>(count) * 4;
  const device_data<std::int32_t> data(q, values);
  for (const std::size_t work_group : {128, 256, 512, 1024}) {
    const work_ptr w = our_reduce(q, data, {work_group, 0});
    note("device_reduce, groups of " + std::to_string(work_group) + ": " +
         gigabytes(bytes, seconds_per_round({w.get()}, few, many)[0]));
    for (const std::size_t vectors : {4, 6, 8, 10, 11, 12, 13, 14}) {
      if (work_group * vectors < 1024 || work_group * vectors > 7000)
        continue;
      const work_ptr s = our_scan(q, data, {work_group, vectors});
      const std::string wrong = check_scan(*s, values);
      note("device_scan, groups of " + std::to_string(work_group) + ", " + std::to_string(vectors) +
           " vectors: " + gigabytes(2 * bytes, seconds_per_round({s.get()}, few, many, 5)[0]) + " " + wrong);
    }
  }
}

} // namespace lanefold_gpu_benchmarks
