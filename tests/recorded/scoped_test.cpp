// SPDX-License-Identifier: Apache-2.0
// Scoped kernels on the CPU and, recorded, on OpenCL devices.
#include "testing.hpp"

#include <lanefold/scoped.hpp>

#include <cstdint>

namespace {

using namespace recorded_testing;
using number = std::uint32_t;

/// `kernel(group, y)` fills `count` elements, the same on the CPU and on every device.
template <int D, class Size, class Kernel>
void check(std::size_t count, lf::range<D> groups, Size size, Kernel kernel) {
  LANEFOLD_NEED_OPENCL();
  expect_same_everywhere<number>(count, [&](lf::queue& q, auto how, lf::buffer<number>& out) {
    q.submit([&](lf::handler& h) {
      const lf::accessor y(out, h, lf::read_write);
      h.parallel(groups, size, how, [=](auto group) { kernel(group, y); });
    });
  });
}

const auto as_number = [](const auto& x) { return lf::convert<number>(x); };

TEST(recorded_scoped, ids_in_one_to_six_dimensions) {
  const auto kernel = [](auto group, const auto& y) {
    constexpr int D = decltype(group)::dimensions;
    lf::distribute_items(group, [&](auto it) {
      auto ids = it.var(as_number(group.get_group_linear_id()));
      for (int d = 0; d < D; ++d) {
        ids = ids * 37U + as_number(it.get_global_id(d));
        ids = ids * 11U + as_number(it.get_local_id(group, d)) + as_number(group.get_group_id(d)) * 5U;
        ids += as_number(it.get_innermost_local_id(d)) + number(it.get_global_range(d) * it.get_local_range(group, d));
      }
      ids = ids * 7U + as_number(it.get_local_linear_id(group)) + as_number(it.get_innermost_local_linear_id());
      y[it.get_global_linear_id()] = ids;
    });
  };
  check(96, lf::range<1>(3), lf::range<1>(32), kernel);
  check(96, lf::range<1>(3), lf::static_range<32>(), kernel);
  check(6 * 32, lf::range<2>(2, 4), lf::range<2>(3, 8), kernel);
  check(4 * 6 * 16, lf::range<3>(2, 3, 2), lf::static_range<2, 2, 8>(), kernel);
  check(4 * 6 * 16, lf::range<4>(2, 1, 3, 2), lf::range<4>(1, 2, 2, 8), kernel);
  check(4 * 6 * 16, lf::range<6>(2, 1, 1, 2, 3, 1), lf::static_range<1, 2, 2, 1, 2, 4>(), kernel);
}

TEST(recorded_scoped, tiles_of_tiles) {
  check(2 * 8 * 32, lf::range<2>(1, 2), lf::static_range<8, 32>(), [](auto group, const auto& y) {
    lf::distribute_groups_and_wait(group, lf::static_range<4, 16>(), [&](auto tile) {
      lf::distribute_groups(tile, lf::range<2>(2, 16), [&](auto part) {
        lf::distribute_items(part, [&](auto it) {
          const auto [row, column] = it.get_local_id(tile);
          y[it.get_global_linear_id()] =
              as_number(row * 100U + column) + as_number(part.get_group_linear_id() * 10000U) +
              as_number(tile.get_group_linear_id() * 100000U) + as_number(it.get_innermost_local_linear_id()) +
              as_number(tile.get_logical_local_id(it, 1)) * 3U;
        });
      });
    });
    lf::distribute_groups(group, [&](auto unit) {
      lf::distribute_groups(unit, [&](auto single) {
        lf::distribute_items(single,
                             [&](auto it) { y[it.get_global_linear_id()] += as_number(it.get_local_id(group, 1)); });
      });
    });
  });
}

/// Tiles at the ends are smaller, in one and in two dimensions.
TEST(recorded_scoped, tiles_that_do_not_divide_their_group) {
  const auto kernel = [](const auto& tile_size) {
    return [tile_size](auto group, const auto& y) {
      lf::distribute_groups(group, tile_size, [&](auto tile) {
        lf::distribute_groups(
            tile, lf::range<decltype(tile)::dimensions>(tile.get_logical_local_range()), [&](auto same) {
              lf::distribute_items(same, [&](auto it) {
                y[it.get_global_linear_id()] =
                    as_number(it.get_local_linear_id(group)) + as_number(it.get_local_linear_id(tile)) * 64U +
                    as_number(tile.get_group_linear_id()) * 10000U + number(tile.get_group_linear_range()) * 1000000U +
                    number(tile.get_logical_local_linear_range()) * 100U;
              });
            });
      });
    };
  };
  check(64, lf::range<1>(2), lf::range<1>(32), kernel(lf::range<1>(5)));
  check(64, lf::range<1>(2), lf::static_range<32>(), kernel(lf::static_range<12>()));
  check(2 * 6 * 16, lf::range<2>(1, 2), lf::range<2>(6, 16), kernel(lf::range<2>(4, 5)));
  check(2 * 6 * 16, lf::range<2>(1, 2), lf::range<2>(6, 16), kernel(lf::range<2>(3, 7)));
}

TEST(recorded_scoped, memory_of_groups_and_tiles) {
  constexpr std::size_t size = 64;
  check(4 * size, lf::range<1>(4), lf::static_range<size>(), [](auto group, const auto& y) {
    lf::memory_environment(
        group, lf::require_local_mem<number[size]>(), lf::require_local_mem<number>(3U),
        lf::require_private_mem<number>(7U), lf::require_private_mem<number>(),
        [&](const auto& all, auto& cell, auto& mine, auto& kept) {
          lf::distribute_items_and_wait(group, [&](auto it) {
            const auto l = it.get_local_id(group, 0);
            all[l] = as_number(it.get_global_id(0)) * cell;
            kept(it) = as_number(l);
          });
          for (std::size_t half = size / 2; half > 0; half /= 2) {
            lf::distribute_items_and_wait(group, lf::range<1>(half), [&](auto it) {
              const auto l = it.get_local_id(group, 0);
              all[l] += all[l + half];
              mine(it) += 1U;
            });
          }
          lf::single_item_and_wait(group, [&] { cell = all[0] + all[1] * cell; });
          lf::distribute_groups_and_wait(group, lf::static_range<16>(), [&](auto tile) {
            lf::local_memory<number[4][4], decltype(tile)> square(tile);
            lf::memory_environment(tile, lf::require_local_mem<number[5]>(11U), [&](const auto& others) {
              lf::distribute_items_and_wait(tile, [&](auto it) {
                const auto l = it.get_innermost_local_id(0);
                square[l / 4][l % 4] = kept(it) * 5U + mine(it);
              });
              lf::single_item_and_wait(tile, [&] { others[4] = as_number(tile.get_group_id(0)) + square[1][2]; });
              lf::distribute_items(tile, [&](auto it) {
                const auto l = it.get_innermost_local_id(0);
                mine(it) += square[l % 4][l / 4] + others[4] * 100U + others[l % 4U];
              });
            });
          });
          lf::distribute_items(group, [&](auto it) { y[it.get_global_id(0)] = mine(it) + cell; });
        });
  });
}

TEST(recorded_scoped, ids_of_one_dimension) {
  check(2 * 64, lf::range<1>(2), lf::range<1>(32), [](auto group, const auto& y) {
    lf::distribute_items_and_wait(group, [&](auto it) {
      y[it.get_global_id()[0]] = as_number(it.get_local_id(group)[0] * 100U + it.get_innermost_local_id()[0]);
    });
    lf::single_item(group, [&] { y[group.get_group_id()[0] + 64U] = 5U; });
  });
}

TEST(recorded_scoped, as_many_items_as_are_asked_for) {
  constexpr std::size_t first_items = 3 * 40 * 6; // groups run side by side: each element is one group's
  check(first_items + 3 * 2 * 5, lf::range<2>(3, 1), lf::range<2>(4, 8), [=](auto group, const auto& y) {
    lf::distribute_items_and_wait(group, lf::range<2>(6, 40), [&](auto it) {
      y[it.get_global_linear_id()] += as_number(it.get_innermost_local_linear_id());
    });
    lf::distribute_items_and_wait(group, lf::static_range<2, 5>(), [&](auto it) {
      y[it.get_global_linear_id() + first_items] +=
          as_number(it.get_global_id(0)) * 1000U + number(it.get_global_linear_range());
    });
  });
}

TEST(recorded_scoped, loops_and_conditions_of_the_group) {
  check(4 * 32, lf::range<1>(4), lf::range<1>(32), [](auto group, const auto& y) {
    lf::memory_environment(group, lf::require_private_mem<number>(1U), [&](auto& sum) {
      group.for_(std::size_t(0), std::size_t(3) + group.get_group_id(0), [&](auto round) {
        lf::memory_environment(group, lf::require_local_mem<number[32]>(), [&](const auto& tile) {
          lf::distribute_items_and_wait(group, [&](auto it) {
            tile[it.get_local_id(group, 0)] = sum(it) + as_number(it.get_local_id(group, 0) * round);
          });
          lf::distribute_items(group, [&](auto it) { sum(it) += tile[31U - as_number(it.get_local_id(group, 0))]; });
        });
      });
      group.if_(
          group.get_group_id(0) == 2U, [&] { lf::distribute_items(group, [&](auto it) { sum(it) *= 3U; }); },
          [&] { lf::distribute_items(group, [&](auto it) { sum(it) += 100U; }); });
      lf::distribute_items(group, [&](auto it) { y[it.get_global_id(0)] = sum(it); });
    });
  });
}

TEST(recorded_scoped, group_algorithms_over_private_memory) {
  check(3 * 96, lf::range<1>(3), lf::range<1>(96), [](auto group, const auto& y) {
    lf::memory_environment(group, lf::require_private_mem<number>(), [&](auto& x) {
      lf::distribute_items(group, [&](auto it) { x(it) = as_number(it.get_global_id(0) * 37U) % 101U; });
      const auto sum = lf::reduce_over_group(group, x, lf::plus<>());
      const auto most = lf::reduce_over_group(group, x, 77U, lf::maximum<>());
      const auto fifth = lf::group_broadcast(group, x, 5);
      const auto any = lf::any_of_group(group, x, [](auto v) { return v == 17U; });
      lf::inclusive_scan_over_group(group, x, lf::plus<>());
      lf::exclusive_scan_over_group(group, x, 5U, lf::bit_xor<>());
      lf::distribute_items(group, [&](auto it) {
        y[it.get_global_id(0)] = x(it) + (sum + most) * 3U + fifth * 7U + lf::convert<number>(any);
      });
    });
  });
}

TEST(recorded_scoped, memory_of_accessors_and_atomics) {
  LANEFOLD_NEED_OPENCL();
  expect_same_everywhere<number>(64, [&](lf::queue& q, auto how, lf::buffer<number>& out) {
    q.submit([&](lf::handler& h) {
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      const lf::local_accessor<number> tile(32, h);
      h.parallel(lf::range<1>(2), lf::range<1>(32), how, [=](auto group) {
        lf::memory_environment(group, lf::require_local_mem<number[3]>(0U), [&](const auto& counts) {
          lf::distribute_items_and_wait(group, [&](auto it) {
            const auto l = it.get_local_id(group, 0);
            tile[l] = as_number(l * l);
            lf::atomic_ref(counts[as_number(l) % 3U]) += 2U;
          });
          lf::distribute_items(group, [&](auto it) {
            const auto l = as_number(it.get_local_id(group, 0));
            y[it.get_global_id(0)] = tile[31U - l] * 100U + counts[l % 3U];
          });
        });
      });
    });
  });
}

/// Launches a kernel of groups of 32 and returns the error of the launch.
template <class Kernel>
lf::errc error_of(Kernel kernel, std::string* text = nullptr) {
  std::vector<number> out(64);
  lf::buffer<number> buffer(out);
  lf::queue q(gpu::devices().front());
  return code_thrown_by(
      [&] {
        q.submit([&](lf::handler& h) {
          const lf::accessor y(buffer, h, lf::read_write);
          h.parallel(lf::range<1>(2), lf::range<1>(32), [=](auto group) { kernel(group, y); });
        });
      },
      text);
}

TEST(recorded_scoped, what_cannot_be_recorded_is_an_error) {
  LANEFOLD_NEED_OPENCL();
  const auto store = [](auto group, const auto& y) { y[group.get_group_id(0)] = 1U; };
  std::string text;
  EXPECT_EQ(error_of(store, &text), lf::errc::kernel);
  EXPECT_NE(text.find("single_item"), text.npos) << text;
  const auto spelled = [](auto group, const auto& y) {
    lf::distribute_items(group, [&](lf::s_item<1> it) { y[it.get_global_id(0)] = 1U; });
  };
  EXPECT_EQ(error_of(spelled, &text), lf::errc::kernel_not_supported);
  EXPECT_NE(text.find("auto it"), text.npos) << text;
  const auto uneven = [](auto group, const auto&) {
    lf::distribute_groups(group, lf::range<1>(5), [](auto tile) { lf::group_barrier(tile); });
  };
  EXPECT_EQ(error_of(uneven, &text), lf::errc::kernel_not_supported);
  EXPECT_NE(text.find("without a rest"), text.npos) << text;
  const auto memory_of_uneven = [](auto group, const auto&) {
    lf::distribute_groups(group, lf::range<1>(5), [](auto tile) {
      lf::memory_environment(tile, lf::require_local_mem<number[4]>(), [](auto&) {});
    });
  };
  EXPECT_EQ(error_of(memory_of_uneven), lf::errc::kernel_not_supported);
  const auto within_items = [](auto group, const auto&) {
    lf::distribute_items(group, [&](auto) { lf::group_barrier(group); });
  };
  EXPECT_EQ(error_of(within_items), lf::errc::kernel);
  const auto of_items = [](auto group, const auto& y) {
    lf::distribute_items(group, [&](auto it) {
      const auto i = it.get_global_id(0);
      y[i] = lf::reduce_over_group(it.get_sub_group(), as_number(i), lf::plus<>());
      lf::memory_environment(group, [] {});
    });
  };
  EXPECT_EQ(error_of(of_items), lf::errc::kernel);
  const auto divergent = [](auto group, const auto&) {
    lf::distribute_groups(group, lf::range<1>(8),
                          [&](auto tile) { tile.if_(tile.get_group_id(0) == 1U, [&] { lf::group_barrier(tile); }); });
  };
  EXPECT_EQ(error_of(divergent), lf::errc::kernel);
  const auto beyond = [](auto group, const auto&) {
    lf::memory_environment(group, lf::require_private_mem<number>(), [&](auto& x) {
      lf::distribute_items(group, lf::range<1>(64), [&](auto it) { x(it) = 1U; });
    });
  };
  EXPECT_EQ(error_of(beyond), lf::errc::accessor);
}

TEST(recorded_scoped, groups_have_a_work_item_at_least) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices()) {
    lf::queue q(device);
    std::string text;
    EXPECT_EQ(code_thrown_by([&] { q.parallel(lf::range<1>(2), lf::range<1>(0), [](auto) {}); }, &text),
              lf::errc::nd_range);
    EXPECT_NE(text.find("the local range is 0"), text.npos) << text;
    EXPECT_EQ(code_thrown_by([&] { q.parallel(lf::range<2>(2, 0), lf::range<2>(4, 0), [](auto) {}); }),
              lf::errc::nd_range);
  }
}

TEST(recorded_scoped, the_source_is_readable) {
  const auto kernel = [](auto group) {
    lf::memory_environment(group, lf::require_local_mem<float[64]>(), [&](const auto& tile) {
      lf::distribute_items_and_wait(
          group, [&](auto it) { tile[it.get_local_id(group, 0)] = lf::convert<float>(it.get_global_id(0)); });
      lf::distribute_items_and_wait(group, lf::range<1>(32), [&](auto it) {
        const auto l = it.get_local_id(group, 0);
        tile[l] += tile[l + 32U];
      });
    });
  };
  const std::string text = gpu::source(kernel, lf::range<1>(4), lf::range<1>(64));
  EXPECT_EQ(text, gpu::source(kernel, lf::range<1>(4), lf::range<1>(64)));
  EXPECT_NE(text.find("l0[t0] = (float)get_global_id(0);"), text.npos) << text;
  EXPECT_NE(text.find("if (t0 < 32ul) {"), text.npos) << text;
}

} // namespace
