// SPDX-License-Identifier: Apache-2.0
/// Ten kernels of the field written once in C++, on the CPU and on every OpenCL device; each device's result is
/// compared with the CPU's. (one_source.cpp has five more.) Usage: one_source_programs [work-items, 256 or more;
/// default 4096]
#include "comparison.hpp"

#include <lanefold/recorded.hpp>

#include <cstdint>
#include <cstdlib>
#include <exception>

namespace {

using namespace one_source;
using floats = lf::buffer<float>;

constexpr std::size_t local = 256;

void vector_addition(lf::queue& q, floats& a, floats& b, floats& out) {
  q.submit([&](lf::handler& h) {
    const lf::accessor x(a, h, lf::read_only), y(b, h, lf::read_only);
    const lf::accessor z(out, h, lf::write_only, lf::no_init);
    h.parallel_for(lf::range<1>(out.size()), [=](auto i) { z[i] = x[i] + y[i]; });
  });
}

/// The product of two matrices of n rows and columns, an element a work-item.
void naive_matrix_product(lf::queue& q, std::size_t n, floats& a, floats& b, floats& out) {
  q.submit([&](lf::handler& h) {
    const lf::accessor x(a, h, lf::read_only), y(b, h, lf::read_only);
    const lf::accessor z(out, h, lf::write_only, lf::no_init);
    h.parallel_for(lf::range<2>(n, n), [=](auto it) {
      const auto [row, column] = it.get_id();
      auto sum = it.var(0.F);
      it.for_(std::size_t(0), n, [&](auto k) { sum = lf::fma(x[row * n + k], y[k * n + column], sum); });
      z[row * n + column] = sum;
    });
  });
}

/// Transposes by tiles in local memory, so that rows are read and written.
void transposition(lf::queue& q, std::size_t n, floats& in, floats& out) {
  constexpr std::size_t tile = 16, padded = tile + 1;
  q.submit([&](lf::handler& h) {
    const lf::accessor x(in, h, lf::read_only);
    const lf::accessor y(out, h, lf::write_only, lf::no_init);
    const lf::local_accessor<float> block(tile * padded, h);
    h.parallel_for(lf::nd_range<2>({n, n}, {tile, tile}), [=](auto it) {
      const auto [r, c] = it.get_local_id();
      const auto first_row = it.get_group(0) * tile, first_column = it.get_group(1) * tile;
      block[r * padded + c] = x[(first_row + r) * n + first_column + c];
      lf::group_barrier(it.get_group());
      y[(first_column + r) * n + first_row + c] = block[c * padded + r];
    });
  });
}

/// Accelerations of bodies (place, mass), tiled through local memory.
void n_body(lf::queue& q, lf::buffer<lf::vec<float, 4>>& bodies, floats& out) {
  constexpr std::size_t tile = 64;
  const std::size_t n = bodies.size();
  q.submit([&](lf::handler& h) {
    const lf::accessor x(bodies, h, lf::read_only);
    const lf::accessor y(out, h, lf::write_only, lf::no_init);
    const lf::local_accessor<lf::vec<float, 4>> others(tile, h);
    h.parallel_for(lf::nd_range<1>(n, tile), [=](auto it) {
      const auto i = it.get_global_id(0);
      const auto l = it.get_local_id(0);
      const auto own = x[i];
      auto sum = it.var(own - own);
      it.for_(std::size_t(0), n, tile, [&](auto first) {
        others[l] = x[first + l];
        lf::group_barrier(it.get_group());
        for (std::size_t j = 0; j < tile; ++j) {
          const auto d = others[j] - own;
          const auto r = lf::rsqrt(d.x() * d.x() + d.y() * d.y() + d.z() * d.z() + 0.01F);
          sum += d * (others[j].w() * r * r * r);
        }
        lf::group_barrier(it.get_group());
      });
      y[i * 3U] = sum.x();
      y[i * 3U + 1U] = sum.y();
      y[i * 3U + 2U] = sum.z();
    });
  });
}

void reduction(lf::queue& q, floats& in, floats& out) {
  q.submit([&](lf::handler& h) {
    const lf::accessor x(in, h, lf::read_only);
    h.parallel_for(lf::range<1>(in.size()), lf::reduction(out, h, lf::plus<>()),
                   [=](auto it, auto& sum) { sum += x[it.get_id(0)]; });
  });
}

/// The sum of each segment of `length` elements, by a work-group each.
void segmented_reduction(lf::queue& q, std::size_t length, floats& in, floats& out) {
  q.submit([&](lf::handler& h) {
    const lf::accessor x(in, h, lf::read_only);
    const lf::accessor y(out, h, lf::write_only, lf::no_init);
    h.parallel_for(lf::nd_range<1>(out.size() * 64, 64), [=](auto it) {
      const auto segment = it.get_group(0);
      const auto l = it.get_local_id(0);
      auto sum = it.var(0.F);
      it.for_(l, length, std::size_t(64), [&](auto k) { sum += x[segment * length + k]; });
      const auto total = lf::reduce_over_group(it.get_group(), sum, lf::plus<>());
      it.if_(l == 0U, [&] { y[segment + l] = total; });
    });
  });
}

/// The mean of each inner element of a square of n by n and its four neighbours.
void stencil(lf::queue& q, std::size_t n, floats& in, floats& out) {
  q.submit([&](lf::handler& h) {
    const lf::accessor x(in, h, lf::read_only);
    const lf::accessor y(out, h, lf::read_write);
    h.parallel_for(lf::range<2>(n - 2, n - 2), [=](auto it) {
      const auto [r, c] = it.get_id();
      const auto at = (r + 1U) * n + c + 1U;
      y[at] = (x[at] + x[at - 1U] + x[at + 1U] + x[at - n] + x[at + n]) * 0.2F;
    });
  });
}

/// Each work-group puts those of its elements that are positive side by side.
void compaction(lf::queue& q, floats& in, floats& out) {
  q.submit([&](lf::handler& h) {
    const lf::accessor x(in, h, lf::read_only);
    const lf::accessor y(out, h, lf::read_write);
    h.parallel_for(lf::nd_range<1>(in.size(), local), [=](auto it) {
      const auto v = x[it.get_global_id(0)];
      const auto kept = lf::select(v > 0.F, std::uint32_t(1), std::uint32_t(0));
      const auto place = lf::exclusive_scan_over_group(it.get_group(), kept, lf::plus<>());
      it.if_(v > 0.F, [&] { y[it.get_group(0) * local + lf::convert<std::size_t>(place)] = v; });
    });
  });
}

/// Each work-group sorts its elements.
void bitonic_sort(lf::queue& q, floats& in, floats& out) {
  q.submit([&](lf::handler& h) {
    const lf::accessor x(in, h, lf::read_only);
    const lf::accessor y(out, h, lf::write_only, lf::no_init);
    const lf::local_accessor<float> tile(local, h);
    h.parallel_for(lf::nd_range<1>(in.size(), local), [=](auto it) {
      const auto l = lf::convert<std::uint32_t>(it.get_local_id(0));
      tile[l] = x[it.get_global_id(0)];
      for (std::uint32_t size = 2; size <= local; size *= 2) {
        for (std::uint32_t step = size / 2; step > 0; step /= 2) {
          lf::group_barrier(it.get_group());
          const auto partner = l ^ step;
          it.if_(partner > l, [&] {
            const auto a = it.var(tile[l]), b = it.var(tile[partner]);
            const auto wrong = (a > b) == ((l & size) == 0U);
            tile[l] = lf::select(wrong, b, a);
            tile[partner] = lf::select(wrong, a, b);
          });
        }
      }
      lf::group_barrier(it.get_group());
      y[it.get_global_id(0)] = tile[l];
    });
  });
}

/// A sparse matrix, row by row, times a vector.
void sparse_matrix_vector(lf::queue& q, lf::buffer<std::int32_t>& rows, lf::buffer<std::int32_t>& columns,
                          floats& values, floats& in, floats& out) {
  q.submit([&](lf::handler& h) {
    const lf::accessor first(rows, h, lf::read_only), column(columns, h, lf::read_only);
    const lf::accessor value(values, h, lf::read_only), x(in, h, lf::read_only);
    const lf::accessor y(out, h, lf::write_only, lf::no_init);
    h.parallel_for(lf::range<1>(out.size()), [=](auto it) {
      const auto i = it.get_id(0);
      auto sum = it.var(0.F);
      it.for_(first[i], first[i + 1U], [&](auto k) { sum += value[k] * x[column[k]]; });
      y[i] = sum;
    });
  });
}

std::vector<float> numbers(std::size_t count, std::size_t step) {
  std::vector<float> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i] = static_cast<float>(i * step % 101) / 101 - 0.4F;
  }
  return all;
}

void compare_all(const gpu::device& device, std::size_t n) {
  const std::size_t side = 64;
  std::vector<float> a = numbers(std::max(n, side * side), 37), b = numbers(a.size(), 53);
  const auto of = [](std::vector<float>& v, std::size_t count) { return floats(v.data(), lf::range<1>(count)); };
  floats x = of(a, n), y = of(b, n), square = of(a, side * side), other_square = of(b, side * side);

  compare<float>("vector addition", device, n, 0, [&](lf::queue& q, floats& out) { vector_addition(q, x, y, out); });
  compare<float>("naive product", device, side * side, 1e-4,
                 [&](lf::queue& q, floats& out) { naive_matrix_product(q, side, square, other_square, out); });
  compare<float>("transposition", device, side * side, 0,
                 [&](lf::queue& q, floats& out) { transposition(q, side, square, out); });
  std::vector<lf::vec<float, 4>> places(n / 8);
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i] = {a[i], b[i], a[i] * b[i], 1.F + b[i]};
  }
  lf::buffer<lf::vec<float, 4>> bodies(places.data(), lf::range<1>(places.size() / 64 * 64));
  compare<float>("n-body", device, bodies.size() * 3, 1e-3, [&](lf::queue& q, floats& out) { n_body(q, bodies, out); });
  compare<float>("reduction", device, 1, 1e-4, [&](lf::queue& q, floats& out) { reduction(q, x, out); });
  compare<float>("segmented reduction", device, 16, 1e-4,
                 [&](lf::queue& q, floats& out) { segmented_reduction(q, n / 16, x, out); });
  compare<float>("stencil", device, side * side, 1e-6,
                 [&](lf::queue& q, floats& out) { stencil(q, side, square, out); });
  compare<float>("compaction", device, n, 0, [&](lf::queue& q, floats& out) { compaction(q, x, out); });
  compare<float>("bitonic sort", device, n, 0, [&](lf::queue& q, floats& out) { bitonic_sort(q, x, out); });

  std::vector<std::int32_t> first(n + 1), column;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i % 9; ++k) {
      column.push_back(static_cast<std::int32_t>((i * 7 + k * 131) % n));
    }
    first[i + 1] = static_cast<std::int32_t>(column.size());
  }
  std::vector<float> entries = numbers(column.size(), 29);
  lf::buffer<std::int32_t> rows(first.data(), lf::range<1>(n + 1)), columns(column.data(), lf::range<1>(column.size()));
  floats values = of(entries, entries.size());
  compare<float>("sparse matrix-vector", device, n, 1e-5,
                 [&](lf::queue& q, floats& out) { sparse_matrix_vector(q, rows, columns, values, x, out); });
}

} // namespace

int main(int argc, char** argv) try {
  const std::size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) / local * local : 4096;
  if (n == 0) {
    std::fputs("usage: one_source_programs [work-items, 256 or more]\n", stderr);
    return 2;
  }
  if (gpu::devices().empty()) {
    std::puts("no OpenCL device: the kernels would run on the CPU only");
    return 0;
  }
  for (const gpu::device& device : gpu::devices()) {
    compare_all(device, std::max<std::size_t>(n, 1024));
  }
  return failures == 0 ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
