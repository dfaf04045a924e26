// SPDX-License-Identifier: Apache-2.0
/// a[i] = b[i] + s * c[i] without barriers, from L1, L2 and memory.
#include "programs.hpp"

namespace lanefold_benchmarks {

namespace {

using lanefold_peers::array;
namespace opencl = lanefold_peers::opencl;
namespace plain = lanefold_peers::plain;

constexpr std::size_t group = 256;

struct place {
  const char* name;
  std::size_t footprint; ///< elements of each array
  std::size_t count;     ///< work-items
  bool one_thread;       ///< a cache of one core
};

// Three arrays of floats. A launch is much longer than its submission also where the data is small.
constexpr place places[] = {{"l1", std::size_t{1} << 11, std::size_t{1} << 24, true},       //  24 KiB
                            {"l2", std::size_t{1} << 15, std::size_t{1} << 24, true},       // 384 KiB
                            {"memory", std::size_t{1} << 26, std::size_t{1} << 26, false}}; // 768 MiB
constexpr std::size_t footprint_of_quick = std::size_t{1} << 24;                            // of memory: 192 MiB

void measure(report& to, const options& given, const place& where) {
  const std::size_t size = where.footprint;
  const unsigned threads = where.one_thread ? 1 : given.threads;
  array<float> a(size), b(size), c(size);
  for (std::size_t i = 0; i < size; ++i) {
    b[i] = static_cast<float>(i % 1021);
    c[i] = static_cast<float>(i % 509);
  }
  constexpr float s = 3.0f;
  const expectation expected{[&] { std::fill(a.begin(), a.end(), -1.0f); },
                             [&]() -> std::string {
                               for (std::size_t i = 0; i < size; ++i)
                                 if (a[i] != b[i] + s * c[i])
                                   return "element " + std::to_string(i) + " is wrong";
                               return {};
                             }};
  const side loop = expected.of(plain::triad(a.data(), b.data(), c.data(), s, where.count, group, size, threads));
  const std::string name = std::string("triad/") + where.name;
  const auto side_of = [&](ours::model model) {
    return expected.ours(ours::triad(a.data(), b.data(), c.data(), s, where.count, group, size, model, threads));
  };
  if (given.absolute_times) {
    const cost of_run{2.0 * static_cast<double>(where.count), 12.0 * static_cast<double>(where.count)};
    const double gigabytes = -of_run.bytes * 1e-9;
    to.absolute(name, side_of(ours::model::lanes), gigabytes, "GB/s", of_run);
    to.absolute(name, side_of(ours::model::work_item), gigabytes, "GB/s", of_run);
    to.absolute(name, loop, gigabytes, "GB/s", of_run);
    if (where.one_thread)
      return;
    const auto peer = [&](const opencl::device_ptr& on) {
      return opencl::triad(on, a.data(), b.data(), c.data(), s, size, group);
    };
    to.absolute(name, expected.of(lanefold_peers::by_hand::triad(a.data(), b.data(), c.data(), s, size, threads)),
                gigabytes, "GB/s", of_run);
    to.absolute(name, expected.on(opencl::intel, peer), gigabytes, "GB/s", of_run);
    to.absolute(name, expected.on(opencl::pocl, peer), gigabytes, "GB/s", of_run);
    return;
  }
  to.compare(name + "/lanes", quantity::speed, side_of(ours::model::lanes), loop);
  to.compare(name + "/work_item", quantity::speed, side_of(ours::model::work_item), loop);
}

} // namespace

void measure_triad(report& to, const options& given) {
  for (place where : places) {
    if (given.quick && !where.one_thread)
      where.footprint = where.count = footprint_of_quick;
    measure(to, given, where);
  }
}

} // namespace lanefold_benchmarks
