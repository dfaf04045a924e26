// SPDX-License-Identifier: Apache-2.0
// What a launch of a recorded kernel that is in memory costs the submitting thread beyond that of the same text by
// hand.
#include "sides.hpp"

#include <lanefold/recorded.hpp>

#include <cstdint>
#include <ctime>

namespace lanefold_gpu_benchmarks {
namespace {

namespace lf = lanefold;

/// Seconds that the calling thread has used; those that others use meanwhile do not count.
double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Each gives a kernel to `use`: its arguments in the order in which its text has them, and the index space.

struct one_line {
  template <class Use>
  void operator()(lf::handler& h, lf::buffer<double>& from, lf::buffer<double>& to, Use use) const {
    const lf::accessor in(from, h, lf::read_only);
    const lf::accessor out(to, h, lf::write_only, lf::no_init);
    use(in, out, lf::nd_range<1>(256, 256), [=](auto it) {
      const auto i = it.get_global_id(0);
      out[i] = 2.0 * in[i];
    });
  }
};
struct one_loop {
  template <class Use>
  void operator()(lf::handler& h, lf::buffer<double>& from, lf::buffer<double>& to, Use use) const {
    constexpr std::uint32_t tile = 16;
    const lf::accessor in(from, h, lf::read_only);
    const lf::accessor out(to, h, lf::write_only, lf::no_init);
    const lf::local_accessor<double, 2> tile_a({tile, tile}, h), tile_b({tile, tile}, h);
    const std::uint32_t extent = 16;
    use(in, out, lf::nd_range<2>({extent, extent}, {tile, tile}), [=](auto it) {
      const auto y = lf::convert<std::uint32_t>(it.get_local_id(0)), x = lf::convert<std::uint32_t>(it.get_local_id(1));
      const auto row = lf::convert<std::uint32_t>(it.get_global_id(0));
      const auto column = lf::convert<std::uint32_t>(it.get_global_id(1));
      auto sum = it.var(0.0);
      it.for_(0U, extent, tile, [&](auto first) {
        tile_a[y][x] = in[row * extent + first + x];
        tile_b[y][x] = in[(first + y) * extent + column];
        lf::group_barrier(it.get_group());
        for (std::uint32_t k = 0; k < tile; ++k)
          sum = lf::fma(tile_a[y][k], tile_b[k][x], sum);
        lf::group_barrier(it.get_group());
      });
      out[row * extent + column] = sum;
    });
  }
};
struct nested_loops {
  template <class Use>
  void operator()(lf::handler& h, lf::buffer<double>& from, lf::buffer<double>& to, Use use) const {
    constexpr std::uint32_t group = 64, unrolled = 8;
    const lf::accessor in(from, h, lf::read_only);
    const lf::accessor out(to, h, lf::write_only, lf::no_init);
    const lf::local_accessor<double> tile(group, h);
    const std::uint32_t n = group;
    use(in, out, lf::nd_range<1>(n, group), [=](auto it) {
      const auto l = lf::convert<std::uint32_t>(it.get_local_id(0));
      const auto i = it.get_global_id(0);
      const auto x = it.var(in[i]);
      auto force = it.var(0.0);
      it.for_(0U, n, group, [&](auto first) {
        tile[l] = in[first + l];
        lf::group_barrier(it.get_group());
        it.for_(0U, group, unrolled, [&](auto j) {
          for (std::uint32_t k = 0; k < unrolled; ++k) {
            const auto d = tile[j + k] - x;
            force = lf::fma(d, lf::rsqrt(lf::fma(d, d, 1e-3)), force);
          }
        });
        lf::group_barrier(it.get_group());
      });
      out[i] = force;
    });
  }
};

/// Compares a recorded kernel with its own text, launched as one by hand is.
template <class Program>
void compare_launches(const gpu::queue& given, const std::string& name, const Program& program) {
  lf::queue q(given.get_device(), lf::property::queue::in_order());
  lf::buffer<double> from{lf::range<1>(256)}, to{lf::range<1>(256)};
  {
    const lf::host_accessor fill(from, lf::write_only, lf::no_init);
    std::fill(fill.begin(), fill.end(), 1.0);
  }
  const auto submit = [&](const auto& action) {
    q.submit([&](lf::handler& h) {
      program(h, from, to, [&](const auto& in, const auto& out, const auto& space, const auto& kernel) {
        action(h, in, out, space, kernel);
      });
    });
  };
  std::string text;
  submit([&](lf::handler& h, const auto&, const auto&, const auto& space, const auto& kernel) {
    text = gpu::source(h, kernel, space);
  });
  const gpu::kernel same(text, "recorded_kernel");
  const auto recorded = [&] {
    submit([](lf::handler& h, const auto&, const auto&, const auto& space, const auto& kernel) {
      h.parallel_for(space, kernel);
    });
  };
  const auto by_hand = [&] {
    submit([&](lf::handler& h, const auto& in, const auto& out, const auto& space, const auto&) {
      h.launch(same, space, in, out);
    });
  };
  const auto microseconds = [&](const auto& launch) {
    constexpr int launches = 20;
    const double begin = thread_seconds();
    for (int i = 0; i < launches; ++i)
      launch();
    const double end = thread_seconds();
    q.wait();
    return (end - begin) / launches * 1e6;
  };
  std::vector<double> mine, theirs;
  for (int turn = 0; turn < 210; ++turn) {
    const double with = microseconds(recorded), without = microseconds(by_hand);
    if (turn >= 10) {
      mine.push_back(with);
      theirs.push_back(without);
    }
  }
  note("launch of a recorded kernel, " + name + ": " + std::to_string(median(mine)) + " us of the submitting thread, " +
       "launch(gpu::kernel) " + std::to_string(median(theirs)) + " us");
  say("recorded/launch/" + name, median(mine) - median(theirs));
}

} // namespace

void measure_recorded_launch(const gpu::queue& q) {
  if (!q.get_device().has_fp64())
    return note("recorded launches: the device has no double");
  compare_launches(q, "one_line", one_line());
  compare_launches(q, "one_loop", one_loop());
  compare_launches(q, "nested_loops", nested_loops());
}

} // namespace lanefold_gpu_benchmarks
