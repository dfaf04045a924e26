// SPDX-License-Identifier: Apache-2.0
/// A five-point stencil over a plate: straight from memory, as the manual advises, and as kernels for GPUs are written,
/// where each group takes a tile of 16 × 16 and its border into local memory.
#include "programs.hpp"

namespace lanefold_benchmarks {

namespace {

constexpr std::size_t edge = 512, row = edge + 2;

/// Runs the steps; `submit_step(queue, from, to)` submits the kernel of one.
template <class SubmitStep>
void run_steps(lf::queue& q, const plate& of, SubmitStep submit_step) {
  lf::view<const float, 2> u(of.a, {row, row});
  lf::view<float, 2> v(of.b, {row, row});
  for (int step = 0; step < of.steps; ++step) {
    submit_step(q, u, v);
    const lf::view<float, 2> next(const_cast<float*>(u.data()), {row, row});
    u = v;
    v = next;
  }
  q.wait();
}

} // namespace

void measure_stencil(contest& to, unsigned threads) {
  array<float> a(row * row), b(row * row);
  const plate of{a.data(), b.data(), edge, 20};
  const array<float> start = random_floats(row * row, 0, 100);
  const auto clear = [&] {
    std::copy(start.begin(), start.end(), a.begin());
    std::copy(start.begin(), start.end(), b.begin());
  };
  clear();
  const work loop = openmp::stencil(of, threads);
  loop.run();
  const std::vector<float> expected(a.begin(), a.end());
  const auto check = [&] { return first_difference(a, expected, 1e-5); };

  to.run("stencil", loop, clear, check, [=](lf::queue& queue, auto properties) {
    run_steps(queue, of, [=](lf::queue& q, lf::view<const float, 2> u, lf::view<float, 2> v) {
      q.parallel_for(lf::range<2>(edge, edge), properties, [=](auto it) {
        const auto y = it.get_id(0) + 1, x = it.get_id(1) + 1;
        v[y][x] = 0.25F * (u[y][x - 1] + u[y][x + 1] + u[y - 1][x] + u[y + 1][x]);
      });
    });
  });

  to.run("stencil_tiles", loop, clear, check, [=](lf::queue& queue, auto properties) {
    constexpr std::size_t tile_edge = 16;
    run_steps(queue, of, [=](lf::queue& q, lf::view<const float, 2> u, lf::view<float, 2> v) {
      q.submit([&](lf::handler& h) {
        const lf::local_accessor<float, 2> tile({tile_edge + 2, tile_edge + 2}, h);
        h.parallel_for(lf::nd_range<2>({edge, edge}, {tile_edge, tile_edge}), properties, [=](auto it) {
          const auto y = it.get_global_id(0) + 1, x = it.get_global_id(1) + 1;
          const auto ly = it.get_local_id(0) + 1, lx = it.get_local_id(1) + 1;
          tile[ly][lx] = u[y][x];
          it.if_(ly == 1, [&] { tile[ly - 1][lx] = u[y - 1][x]; });
          it.if_(ly == tile_edge, [&] { tile[ly + 1][lx] = u[y + 1][x]; });
          it.if_(lx == 1, [&] { tile[ly][lx - 1] = u[y][x - 1]; });
          it.if_(lx == tile_edge, [&] { tile[ly][lx + 1] = u[y][x + 1]; });
          lf::group_barrier(it.get_group());
          v[y][x] = 0.25F * (tile[ly][lx - 1] + tile[ly][lx + 1] + tile[ly - 1][lx] + tile[ly + 1][lx]);
        });
      });
    });
  });
}

} // namespace lanefold_benchmarks
