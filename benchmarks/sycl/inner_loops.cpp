// SPDX-License-Identifier: Apache-2.0
/// Work-item kernels with a loop inside, through accessors, over ranges and hierarchical, against loops that the
/// compiler is told to vectorise.
#include "contest.hpp"
#include "programs.hpp"
#include "queues.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace lanefold_benchmarks {

namespace {

using lanefold_peers::array;

constexpr std::size_t group = 256; // work-items of a work-group

/// Does what by_hand::arithmetic does with each number.
template <class T>
LANEFOLD_ALWAYS_INLINE T arithmetic_of(T first) {
  T value = first;
  for (int step = 0; step < by_hand::arithmetic_steps; ++step) {
    value = value * value + value;
    value = value * first - first;
  }
  return value;
}

/// `launch(handler, size, accessor to read, accessor to write)` launches the kernel `what`.
template <class T, class Launch>
void measure_arithmetic(report& to, const options& given, const std::string& name, const char* what, Launch launch) {
  constexpr std::size_t count = 65536;
  array<T> x(count), y(count);
  for (std::size_t i = 0; i < count; ++i)
    x[i] = T(i % 7) / 16;
  sycl::queue q = queue_of(given.threads);
  sycl::buffer<T> in(x.data(), sycl::range(count));
  sycl::buffer<T> out(y.data(), sycl::range(count));
  contest<T>{to, given, y, 4.0 * by_hand::arithmetic_steps * count}.compare(
      name, by_hand::arithmetic(x.data(), y.data(), count, given.threads), what, [&] {
        q.submit([&](sycl::handler& h) {
           launch(h, count, sycl::accessor(in, h, sycl::read_only), sycl::accessor(out, h, sycl::write_only));
         }).wait();
      });
}

template <class T>
void measure_arithmetic_of_range(report& to, const options& given, const std::string& name) {
  measure_arithmetic<T>(to, given, name, "range, accessors",
                        [](sycl::handler& h, std::size_t count, auto from, auto into) {
                          h.parallel_for(sycl::range(count), [=](sycl::id<1> i) { into[i] = arithmetic_of(from[i]); });
                        });
}

/// The items of groups do the same.
template <class T>
void measure_hierarchical_arithmetic(report& to, const options& given, const std::string& name) {
  measure_arithmetic<T>(
      to, given, name, "hierarchical, accessors", [](sycl::handler& h, std::size_t count, auto from, auto into) {
        h.parallel_for_work_group(sycl::range(count / group), sycl::range(group), [=](sycl::group<1> g) {
          g.parallel_for_work_item([&](sycl::h_item<1> it) {
            const int i = static_cast<int>(it.get_global_id(0));
            into[i] = arithmetic_of(from[i]);
          });
        });
      });
}

/// Each of a number of points and all others, tile by tile: phases with local and private memory.
void measure_pairs(report& to, const options& given) {
  constexpr std::size_t count = 8192;
  array<float> x(count), y(count);
  for (std::size_t i = 0; i < count; ++i)
    x[i] = static_cast<float>(i % 127) / 128;
  sycl::queue q = queue_of(given.threads);
  sycl::buffer<float> in(x.data(), sycl::range(count));
  sycl::buffer<float> out(y.data(), sycl::range(count));
  contest<float>{to, given, y, 4.0 * count * count}.compare(
      "hierarchical/pairs", by_hand::pairs(x.data(), y.data(), count, given.threads), "hierarchical, tiles", [&] {
        q.submit([&](sycl::handler& h) {
           sycl::accessor from(in, h, sycl::read_only);
           sycl::accessor into(out, h, sycl::write_only);
           sycl::local_accessor<float> tile(sycl::range<1>(group), h);
           h.parallel_for_work_group(sycl::range(count / group), sycl::range(group), [=](sycl::group<1> g) {
             sycl::private_memory<float> sum(g);
             g.parallel_for_work_item([&](sycl::h_item<1> it) { sum(it) = 0; });
             for (std::size_t first = 0; first < count; first += group) {
               g.parallel_for_work_item(
                   [&](sycl::h_item<1> it) { tile[it.get_local_id(0)] = from[first + it.get_local_id(0)]; });
               g.parallel_for_work_item([&](sycl::h_item<1> it) {
                 const float own = from[it.get_global_id(0)];
                 float part = sum(it);
                 for (std::size_t k = 0; k < group; ++k) {
                   const float apart = tile[k] - own;
                   part += apart * (apart * apart + 0.125F);
                 }
                 sum(it) = part;
               });
             }
             g.parallel_for_work_item([&](sycl::h_item<1> it) { into[it.get_global_id(0)] = sum(it); });
           });
         }).wait();
      });
}

} // namespace

void measure_inner_loops(report& to, const options& given) {
  measure_arithmetic_of_range<float>(to, given, "arithmetic/fp32");
  measure_arithmetic_of_range<double>(to, given, "arithmetic/fp64");
  measure_hierarchical_arithmetic<float>(to, given, "hierarchical/arithmetic/fp32");
  measure_pairs(to, given);

  constexpr std::size_t edge = 2048;
  array<float> a(edge * edge), x(edge), y(edge);
  for (std::size_t i = 0; i < edge * edge; ++i)
    a[i] = static_cast<float>(i % 13) / 16;
  for (std::size_t i = 0; i < edge; ++i)
    x[i] = static_cast<float>(i % 5) / 8;
  sycl::queue q = queue_of(given.threads);
  sycl::buffer<float, 2> matrix(a.data(), sycl::range(edge, edge));
  sycl::buffer<float> vector(x.data(), sycl::range(edge));
  sycl::buffer<float> product(y.data(), sycl::range(edge));
  contest<float>{to, given, y, 2.0 * edge * edge}.compare(
      "column_sums", by_hand::column_sums(a.data(), x.data(), y.data(), edge, given.threads), "range, accessors", [&] {
        q.submit([&](sycl::handler& h) {
           sycl::accessor of(matrix, h, sycl::read_only);
           sycl::accessor by(vector, h, sycl::read_only);
           sycl::accessor into(product, h, sycl::write_only);
           h.parallel_for(sycl::range(edge), [=](sycl::id<1> column) {
             float sum = 0;
             for (std::size_t row = 0; row < edge; ++row)
               sum += of[row][column[0]] * by[row];
             into[column] = sum;
           });
         }).wait();
      });
}

} // namespace lanefold_benchmarks
