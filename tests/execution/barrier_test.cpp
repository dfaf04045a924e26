// SPDX-License-Identifier: Apache-2.0
/// Barriers: what was written before is visible behind, for every strategy, engine and group size.
#include "sanitized.hpp"
#include "strategies.hpp"

#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

template <class Strategy>
class barrier : public ::testing::Test {};
TYPED_TEST_SUITE(barrier, strategies_1d, strategy_names);

TYPED_TEST(barrier, neighbours_exchange_through_local_memory) {
  lf::queue q;
  for (const lf::fiber_engine engine : engines) {
    for (const std::size_t local : {1, 7, 32, 65, 256, 1000}) {
#if defined(LANEFOLD_TEST_SANITIZED)
      if (local > 256) { // which have all that there is
        continue;
      }
#endif
      const std::size_t n = local * 6;
      std::vector<int> data(n);
      std::iota(data.begin(), data.end(), 1);
      const std::vector<int> before = data;
      lf::view<int> d(data.data(), n);
      q.submit([&](lf::handler& h) {
         lf::local_accessor<int> a(lf::range<1>(local), h), b(lf::range<1>(local), h);
         h.parallel_for(lf::nd_range<1>(n, local), how<TypeParam>(engine), [=](auto it) {
           const auto l = it.get_local_id(0);
           const auto i = it.get_global_id(0);
           for (int round = 0; round < 3; ++round) {
             a[l] = d[i];
             lf::group_barrier(it.get_group());
             b[l] = a[(l + 1) % local];
             lf::group_barrier(it.get_group());
             d[i] = b[(l + 1) % local] + round;
           }
         });
       }).wait();
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t group = i / local * local;
        ASSERT_EQ(data[i], before[group + (i - group + 6) % local] + 3)
            << "local size " << local << ", engine " << to_string(engine) << ", work-item " << i;
      }
    }
  }
}

TYPED_TEST(barrier, tree_in_local_memory) {
  lf::queue q;
  for (const lf::fiber_engine engine : engines) {
    const std::size_t local = 256, groups = 5;
    std::vector<long> in(local * groups), out(groups);
    std::iota(in.begin(), in.end(), -17);
    lf::view<const long> x(in.data(), in.size());
    lf::view<long> y(out.data(), out.size());
    q.submit([&](lf::handler& h) {
       lf::local_accessor<long> sums(lf::range<1>(local), h);
       h.parallel_for(lf::nd_range<1>(in.size(), local), how<TypeParam>(engine), [=](auto it) {
         const auto l = it.get_local_id(0);
         sums[l] = x[it.get_global_id(0)];
         for (std::size_t half = local / 2; half > 0; half /= 2) {
           it.barrier();
           it.if_(l < half, [&] { sums[l] += sums[l + half]; });
         }
         it.if_(l == 0, [&] { y[it.get_group(0)] = sums[0]; });
       });
     }).wait();
    for (std::size_t g = 0; g < groups; ++g) {
      ASSERT_EQ(out[g], std::accumulate(in.begin() + static_cast<long>(g * local),
                                        in.begin() + static_cast<long>((g + 1) * local), 0L));
    }
  }
}

/// Groups of one launch need not agree: only every second one has barriers, the first does not.
TYPED_TEST(barrier, some_groups_have_barriers) {
  lf::queue q;
  for (const lf::fiber_engine engine : engines) {
    const std::size_t local = 64, groups = 40;
    std::vector<int> out(local * groups, -1);
    lf::view<int> o(out.data(), out.size());
    q.submit([&](lf::handler& h) {
       lf::local_accessor<int> tile(lf::range<1>(local), h);
       h.parallel_for(lf::nd_range<1>(out.size(), local), how<TypeParam>(engine), [=](auto it) {
         const auto l = it.get_local_id(0);
         tile[l] = lf::convert<int>(l);
         if (it.get_group(0) % 3 == 1) {
           it.barrier();
           o[it.get_global_id(0)] = tile[local - 1 - l];
           it.barrier();
         } else {
           o[it.get_global_id(0)] = tile[l];
         }
       });
     }).wait();
    for (std::size_t i = 0; i < out.size(); ++i) {
      const int l = static_cast<int>(i % local);
      ASSERT_EQ(out[i], i / local % 3 == 1 ? static_cast<int>(local) - 1 - l : l) << to_string(engine);
    }
  }
}

/// Groups that are one unit, known at compile time.
template <class Strategy, std::size_t... Extents>
void expect_reversed_rows() {
  constexpr int dimensions = sizeof...(Extents);
  constexpr std::size_t local = (Extents * ...), groups = 6;
  lf::queue q;
  std::vector<int> data(local * groups);
  std::iota(data.begin(), data.end(), 0);
  const std::vector<int> before = data;
  const lf::view<int> d(data.data(), data.size());
  lf::range<dimensions> extents(Extents...), global(Extents...);
  global[0] *= groups;
  const lf::properties how{lf::property::strategy<Strategy>{}, lf::property::work_group_size<Extents...>{}};
  q.submit([&](lf::handler& h) {
     lf::local_accessor<int> slots(lf::range<1>(local), h);
     h.parallel_for(lf::nd_range<dimensions>(global, extents), how, [=](auto it) {
       const auto l = it.get_local_linear_id();
       const auto i = it.get_group_linear_id() * local + l;
       slots[l] = d[i];
       lf::group_barrier(it.get_group());
       d[i] = slots[(local - 1) - l];
     });
   }).wait();
  for (std::size_t i = 0; i < data.size(); ++i) {
    ASSERT_EQ(data[i], before[i / local * local + local - 1 - i % local]) << i;
  }
}

TEST(barrier_of_one_unit, exchanges_through_local_memory) {
  expect_reversed_rows<lf::simd<64>, 64>();
  expect_reversed_rows<lf::simd<4, 16>, 4, 16>();
  // Groups of several units, or of a part of one.
  expect_reversed_rows<lf::simd<32>, 64>();
  expect_reversed_rows<lf::simd<64>, 32>();
#if defined(LANEFOLD_TEST_THOROUGH)
  expect_reversed_rows<lf::simd<256>, 256>();
  expect_reversed_rows<lf::simd<8, 8>, 1, 8, 8>();
  expect_reversed_rows<lf::simd<2, 16>, 4, 16>();
  expect_reversed_rows<lf::simd<8, 8>, 2, 8, 8>();
#endif
}

TEST(barrier_of_one_unit, failures_reach_the_host) {
  lf::queue q;
  const lf::properties how{lf::property::strategy<lf::simd<64>>{}, lf::property::work_group_size<64>{}};
  const auto fails = [&](auto kernel) {
    try {
      q.parallel_for(lf::nd_range<1>(640, 64), how, kernel).wait();
      q.wait_and_throw();
    } catch (const lf::exception& e) {
      return std::string(e.what());
    } catch (const std::exception& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(fails([](auto it) {
              if (it.get_group(0) == 7) {
                throw std::runtime_error("seven");
              }
              it.barrier();
            }),
            "");
  EXPECT_NE(fails([](auto it) { it.if_(it.get_local_id(0) < 3, [&] { it.barrier(); }); }), "");
  EXPECT_EQ(fails([](auto it) { it.barrier(); }), "");
}

/// The first barrier of a group is met by a sub-group that is not its first, by some groups or by all.
TEST(sub_group_barrier, may_be_met_by_later_sub_groups_alone) {
  constexpr std::size_t local = 64, width = 16;
  lf::queue q{lf::property::threads(1)}; // runs groups together; of several threads each may get one
  for (const lf::fiber_engine engine : engines) {
    for (const auto& [from, groups] : {std::pair<std::size_t, std::size_t>(0, 5), {1, 5}, {3, 5}, {0, 1}, {1, 1}}) {
      for (const bool with_group_barrier : {false, true}) {
        std::vector<std::size_t> out(local * groups, 0);
        const lf::view<std::size_t> y(out.data(), out.size());
        const lf::properties how{lf::property::sub_group_size{width}, lf::property::fiber_engine{engine}};
        q.submit([&](lf::handler& h) {
           lf::local_accessor<std::size_t> slots(lf::range<1>(local), h);
           h.parallel_for(lf::nd_range<1>(out.size(), local), how, [=](lf::nd_item<1> it) {
             const std::size_t l = it.get_local_id(0);
             const std::size_t i = it.get_global_id(0);
             slots[l] = l;
             if (it.get_sub_group().get_group_linear_id() >= from && it.get_group(0) != 2) {
               lf::group_barrier(it.get_sub_group());
               y[i] = slots[l ^ 1];
               lf::group_barrier(it.get_sub_group());
             } else {
               y[i] = 1000;
             }
             if (with_group_barrier && it.get_group(0) % 2 == 1) {
               lf::group_barrier(it.get_group());
               y[i] += slots[(l + width) % local];
             }
           });
         }).wait();
        for (std::size_t i = 0; i < out.size(); ++i) {
          const std::size_t l = i % local, group = i / local;
          const std::size_t met = l / width >= from && group != 2 ? l ^ 1 : 1000;
          ASSERT_EQ(out[i], met + (with_group_barrier && group % 2 == 1 ? (l + width) % local : 0))
              << "work-item " << i << ", from sub-group " << from << ", engine " << to_string(engine);
        }
      }
    }
  }
}

TEST(sub_group_barrier, work_items_of_a_sub_group_meet) {
  lf::queue q;
  for (const lf::fiber_engine engine : engines) {
    const std::size_t local = 72, n = 3 * local;
    std::vector<int> out(n, 0);
    lf::view<int> o(out.data(), n);
    q.submit([&](lf::handler& h) {
       lf::local_accessor<int> tile(lf::range<1>(local), h);
       h.parallel_for(lf::nd_range<1>(n, local),
                      lf::properties{lf::property::fiber_engine{engine}, lf::property::sub_group_size{16}},
                      [=](lf::nd_item<1> it) {
                        const auto sg = it.get_sub_group();
                        const std::size_t first = sg.get_group_linear_id() * 16;
                        const std::size_t size = sg.get_local_linear_range();
                        const std::size_t lane = sg.get_local_linear_id();
                        int sum = 0;
                        for (int round = 0; round < 3; ++round) {
                          tile[first + lane] = static_cast<int>(lane) + round;
                          lf::group_barrier(sg);
                          sum += tile[first + (lane + 1) % size];
                          lf::group_barrier(sg);
                        }
                        lf::group_barrier(it.get_group());
                        o[it.get_global_id(0)] = sum + tile[local - 1 - it.get_local_id(0)];
                      });
     }).wait();
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t l = i % local;
      const auto size_at = [&](std::size_t k) { return k / 16 == 4 ? std::size_t(8) : std::size_t(16); };
      const int next = static_cast<int>((l % 16 + 1) % size_at(l));
      const std::size_t mirrored = local - 1 - l;
      ASSERT_EQ(out[i], 3 * next + 3 + static_cast<int>(mirrored % 16) + 2) << to_string(engine) << " " << i;
    }
  }
}

// ---- lenient barriers: work-items that have ended count as having come

/// A queue whose barriers are lenient.
lf::queue lenient_queue() {
  setenv("LANEFOLD_BARRIERS", "lenient", 1);
  const lf::queue q;
  unsetenv("LANEFOLD_BARRIERS");
  return q;
}

/// Runs three groups of 64, of which the work-items for which `leaves(local id, round)` holds end in front of the
/// barrier of a round. Returns for each work-item the rounds that it has seen all others of its group reach that are
/// still there.
template <class Leaves>
std::vector<int> rounds_seen(lf::fiber_engine engine, const Leaves& leaves) {
  constexpr std::size_t local = 64, n = 3 * local;
  std::vector<int> seen(n, 0);
  const lf::view<int> s(seen.data(), n);
  lf::queue q = lenient_queue();
  q.submit([&](lf::handler& h) {
     lf::local_accessor<int> reached(lf::range<1>(local), h);
     h.parallel_for(lf::nd_range<1>(n, local), lf::property::fiber_engine{engine}, [=](lf::nd_item<1> it) {
       const std::size_t me = it.get_local_id(0);
       for (int round = 1; round <= 4; ++round) {
         if (leaves(me, round)) {
           return;
         }
         reached[me] = round;
         lf::group_barrier(it.get_group());
         for (std::size_t other = 0; other < local; ++other) {
           if (!leaves(other, round) && (round == 1 || !leaves(other, round - 1)) && reached[other] != round) {
             return;
           }
         }
         lf::group_barrier(it.get_group());
         s[it.get_global_id(0)] = round;
       }
     });
   }).wait();
  return seen;
}

TEST(lenient_barriers, go_on_without_those_that_have_ended) {
  for (const lf::fiber_engine engine : engines) {
    const auto check = [&](const char* who, const auto& leaves) {
      const std::vector<int> seen = rounds_seen(engine, leaves);
      for (std::size_t i = 0; i < seen.size(); ++i) {
        int expected = 0;
        while (expected < 4 && !leaves(i % 64, expected + 1)) {
          ++expected;
        }
        ASSERT_EQ(seen[i], expected) << who << ", engine " << to_string(engine) << ", work-item " << i;
      }
    };
    check("none", [](std::size_t, int) { return false; });
    check("all", [](std::size_t, int) { return true; });
    check("the first", [](std::size_t i, int) { return i == 0; });
    check("the last", [](std::size_t i, int) { return i == 63; });
    check("all but the last", [](std::size_t i, int) { return i != 63; });
    check("all but the first", [](std::size_t i, int) { return i != 0; });
    check("every second", [](std::size_t i, int) { return i % 2 == 0; });
    check("half of those left", [](std::size_t i, int round) { return (i >> (6 - round)) != 0; });
  }
}

TEST(lenient_barriers, sub_groups_and_group_functions_need_all_their_work_items) {
  lf::queue q = lenient_queue();
  for (const std::size_t gone : {0, 5, 31}) {
    const auto run = [&](const auto& meet) {
      try {
        q.parallel_for(lf::nd_range<1>(128, 64), lf::property::sub_group_size{32}, [=](lf::nd_item<1> it) {
           if (it.get_local_id(0) != gone) {
             lf::group_barrier(it.get_group());
             meet(it);
           }
         }).wait();
        return lf::make_error_code(lf::errc::success);
      } catch (const lf::exception& error) {
        return error.code();
      }
    };
    EXPECT_EQ(run([](lf::nd_item<1> it) { lf::group_barrier(it.get_sub_group()); }), lf::errc::kernel) << gone;
    EXPECT_EQ(run([](lf::nd_item<1> it) {
                if (it.get_local_id(0) >= 32) {
                  lf::group_barrier(it.get_sub_group()); // all of the second sub-group are there
                }
              }),
              lf::errc::success)
        << gone;
  }
}

TEST(lenient_barriers, are_not_the_default) {
  lf::queue q;
  try {
    q.parallel_for(lf::nd_range<1>(64, 64), [](lf::nd_item<1> it) {
       if (it.get_local_id(0) != 7) {
         lf::group_barrier(it.get_group());
       }
     }).wait();
    ADD_FAILURE() << "no error";
  } catch (const lf::exception& error) {
    EXPECT_EQ(error.code(), lf::errc::kernel);
    EXPECT_NE(std::string(error.what()).find("LANEFOLD_BARRIERS=lenient"), std::string::npos) << error.what();
  }
}

TEST(lenient_barriers, an_error_reaches_the_host) {
  lf::queue q = lenient_queue();
  for (const std::size_t thrower : {0, 40, 63}) {
    EXPECT_THROW(q.parallel_for(lf::nd_range<1>(128, 64),
                                [=](lf::nd_item<1> it) {
                                  if (it.get_local_id(0) < 32 && it.get_local_id(0) != thrower) {
                                    return;
                                  }
                                  lf::group_barrier(it.get_group());
                                  if (it.get_local_id(0) == thrower) {
                                    throw std::runtime_error("of a work-item");
                                  }
                                  lf::group_barrier(it.get_group());
                                })
                     .wait(),
                 std::runtime_error);
  }
}

} // namespace
