// SPDX-License-Identifier: Apache-2.0
// The shapes of control flow in which barriers and group algorithms stand.
#include "testing.hpp"

namespace {

using namespace recorded_testing;

constexpr std::size_t n = 128, local = 32;

/// `shape(item, tile, index, local index, v)` computes with the variable v and the tile of its group, the same
/// everywhere.
template <class Shape>
void check(Shape shape, bool (*takes)(const gpu::device&) = [](const gpu::device&) { return true; }) {
  LANEFOLD_NEED_OPENCL();
  expect_same_everywhere<int>(
      n,
      [&](lf::queue& q, auto how, lf::buffer<int>& out) {
        q.submit([&](lf::handler& h) {
          const lf::accessor y(out, h, lf::write_only, lf::no_init);
          const lf::local_accessor<int> tile(local, h);
          h.parallel_for(lf::nd_range<1>(n, local), how, [=](auto it) {
            const auto i = it.get_global_id(0);
            auto v = it.var(lf::convert<int>(i));
            shape(it, tile, i, it.get_local_id(0), v);
            y[i] = v;
          });
        });
      },
      0, takes);
}

/// Each work-item gives v to the tile and takes that of its mirror image.
const auto mirror = [](auto it, const auto& tile, auto l, auto& v) {
  tile[l] = v;
  lf::group_barrier(it.get_group());
  v = v * 3 + tile[(local - 1) - l];
  lf::group_barrier(it.get_group());
};

TEST(recorded_barriers, in_a_loop_of_the_device) {
  check([](auto it, const auto& tile, auto, auto l, auto& v) {
    it.for_(0, 5, [&](auto k) {
      mirror(it, tile, l, v);
      v += k;
    });
  });
}

TEST(recorded_barriers, in_an_unrolled_loop) {
  check([](auto it, const auto& tile, auto, auto l, auto& v) {
    for (int k = 0; k < 3; ++k) {
      mirror(it, tile, l, v);
      v += k;
    }
  });
}

TEST(recorded_barriers, in_nested_loops) {
  check([](auto it, const auto& tile, auto, auto l, auto& v) {
    it.for_(0, 3, [&](auto a) {
      it.for_(0, 2, [&](auto b) {
        mirror(it, tile, l, v);
        v += a * 10 + b;
      });
      mirror(it, tile, l, v);
    });
  });
}

TEST(recorded_barriers, in_a_loop_that_the_group_decides) {
  check([](auto it, const auto& tile, auto, auto l, auto& v) {
    it.while_([&] { return lf::any_of_group(it.get_group(), v < 1000); }, [&] { mirror(it, tile, l, v); });
  });
}

TEST(recorded_barriers, in_a_loop_with_bounds_of_the_group) {
  check([](auto it, const auto& tile, auto, auto l, auto& v) {
    it.for_(std::size_t(0), it.get_group(0) + 1U, [&](auto) { mirror(it, tile, l, v); });
  });
}

/// PoCL 5.0 ends the process for them: an assertion of its compiler (WorkitemLoops.cc, addContextSaveRestore). 3.1 and
/// the others take them.
bool takes_barriers_in_branches(const gpu::device& device) {
  return device.get_platform_name() != "Portable Computing Language" || !device.get_driver_version().starts_with("5.");
}

TEST(recorded_barriers, in_a_branch_that_the_group_decides) {
  check(
      [](auto it, const auto& tile, auto, auto l, auto& v) {
        it.if_(it.get_group(0) % 2U == 0U, [&] { mirror(it, tile, l, v); }, [&] { v = -v; });
        const auto total = lf::reduce_over_group(it.get_group(), v, lf::plus<>());
        it.if_(total > 0, [&] { mirror(it, tile, l, v); });
      },
      takes_barriers_in_branches);
}

TEST(recorded_barriers, between_branches) {
  check([](auto it, const auto& tile, auto, auto l, auto& v) {
    it.if_(l < 7U, [&] { v += 100; });
    mirror(it, tile, l, v);
    it.if_(v % 2 == 0, [&] { v = v / 2; }, [&] { it.if_(l > 20U, [&] { v -= 5; }); });
    mirror(it, tile, l, v);
  });
}

TEST(recorded_barriers, behind_an_early_end_of_a_part_of_the_body) {
  check([](auto it, const auto& tile, auto, auto l, auto& v) {
    it.for_(0, 4, [&](auto k) {
      auto goes_on = it.var(v % 3 != 0);
      it.if_(goes_on, [&] {
        v += k;
        goes_on = v % 5 != 0;
      });
      it.if_(goes_on, [&] { v = v ^ 3; });
      mirror(it, tile, l, v);
    });
  });
}

TEST(recorded_barriers, group_algorithms_in_loops) {
  check([](auto it, const auto&, auto, auto, auto& v) {
    const auto g = it.get_group();
    it.for_(0, 3, [&](auto k) {
      v = v % 100 + lf::inclusive_scan_over_group(g, v, lf::plus<>()) % 1000;
      v += lf::group_broadcast(g, v, 5) + k;
      it.if_(lf::all_of_group(g, v > 10), [&] { v -= lf::reduce_over_group(g, v, lf::minimum<>()); });
    });
  });
}

} // namespace
