// SPDX-License-Identifier: Apache-2.0
// The races that programs with local memory have, each beside the program without it. Checked builds find the first and
// say nothing of the second.
#include <lanefold/execution.hpp>
#include <lanefold/memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace lf = lanefold;

namespace {

constexpr std::size_t size = 64;
constexpr std::size_t groups = 4;

/// What a kernel over groups of `size` work-items fails with, empty if it does not. It gets its item, local memory of
/// 2 * size, and global memory of which its group has 2 * size elements.
template <class Strategy, class Kernel>
std::string failure_of(Kernel kernel) {
  std::vector<unsigned> memory(2 * size * groups); // sums of what fresh local memory holds do not overflow
  std::iota(memory.begin(), memory.end(), 1U);
  const lf::view<unsigned> global(memory.data(), memory.size());
  lf::queue q;
  try {
    q.submit([&](lf::handler& h) {
       const lf::local_accessor<unsigned> local(2 * size, h);
       h.parallel_for(lf::nd_range<1>(size * groups, size), lf::properties{lf::property::strategy<Strategy>{}},
                      [=](auto it) { kernel(it, local, global); });
     }).wait_and_throw();
  } catch (const lf::exception& e) {
    EXPECT_EQ(e.code(), lf::errc::kernel);
    return e.what();
  }
  return {};
}

bool is_race(const std::string& message) { return message.find("a race") != std::string::npos; }
bool is_uninitialised(const std::string& message) {
  return message.find("local memory that nobody has written") != std::string::npos;
}

template <class Strategy>
class races : public ::testing::Test {
protected:
  /// `kernel(barrier)` gives the kernel that has the barriers, or lacks them.
  template <class Make>
  static void expect_only_without_barrier(Make make) {
    EXPECT_EQ(failure_of<Strategy>(make([](const auto& it) { lf::group_barrier(it.get_group()); })), "");
    const std::string failure = failure_of<Strategy>(make([](const auto&) {}));
    EXPECT_TRUE(is_race(failure) || is_uninitialised(failure)) << failure;
  }
};

using race_strategies = ::testing::Types<lf::scalar, lf::simd<16>>;
TYPED_TEST_SUITE(races, race_strategies, );

TYPED_TEST(races, tree_reduction) {
  this->expect_only_without_barrier([](auto barrier) {
    return [=](auto it, auto local, auto global) {
      const auto l = it.get_local_id(0);
      local[l] = global[it.get_global_id(0)];
      for (std::size_t half = size / 2; half > 0; half /= 2) {
        barrier(it);
        it.if_(l < half, [&] { local[l] += local[l + half]; });
      }
    };
  });
}

TYPED_TEST(races, tree_reduction_in_memory_that_was_written) {
  this->expect_only_without_barrier([](auto barrier) {
    return [=](auto it, auto local, auto global) {
      const auto l = it.get_local_id(0);
      local[l] = global[it.get_global_id(0)];
      lf::group_barrier(it.get_group());
      for (std::size_t half = size / 2; half > 0; half /= 2) {
        it.if_(l < half, [&] { local[l] += local[l + half]; });
        barrier(it);
      }
    };
  });
}

TYPED_TEST(races, reversal) {
  this->expect_only_without_barrier([](auto barrier) {
    return [=](auto it, auto local, auto global) {
      const auto l = it.get_local_id(0);
      local[l] = global[it.get_global_id(0)];
      barrier(it);
      global[it.get_global_id(0)] = local[size - 1 - l];
    };
  });
}

// More references than the detector has room for, of elements that all work-items read.
TYPED_TEST(races, one_writes_what_all_read_in_a_loop) {
  this->expect_only_without_barrier([](auto barrier) {
    return [=](auto it, auto local, auto global) {
      const auto l = it.get_local_id(0);
      local[l] = global[it.get_global_id(0)];
      lf::group_barrier(it.get_group());
      auto sum = it.var(0U);
      for (std::size_t k = 0; k < 2000; ++k) {
        sum += local[k % 4];
      }
      global[it.get_global_id(0)] = sum;
      barrier(it);
      it.if_(l == size - 1, [&] { local[1] = 77U; });
    };
  });
}

TYPED_TEST(races, atomic_operations_on_what_all_read) {
  this->expect_only_without_barrier([](auto barrier) {
    return [=](auto it, auto local, auto global) {
      const auto l = it.get_local_id(0);
      local[l] = global[it.get_global_id(0)];
      lf::group_barrier(it.get_group());
      global[it.get_global_id(0)] = local[1] + local[l];
      barrier(it);
      it.if_(l == size - 1, [&] { lf::atomic_ref(local[1]).fetch_add(1U); });
    };
  });
}

TYPED_TEST(races, scan_in_one_buffer) {
  this->expect_only_without_barrier([](auto barrier) {
    return [=](auto it, auto local, auto global) {
      const auto l = it.get_local_id(0);
      auto sum = it.var(global[it.get_global_id(0)]);
      local[l] = sum;
      lf::group_barrier(it.get_group());
      for (std::size_t step = 1; step < size; step *= 2) {
        it.if_(l >= step, [&] { sum += local[l - step]; });
        barrier(it);
        local[l] = sum;
        lf::group_barrier(it.get_group());
      }
    };
  });
}

TYPED_TEST(races, double_buffering) {
  this->expect_only_without_barrier([](auto barrier) {
    return [=](auto it, auto local, auto global) {
      const auto l = it.get_local_id(0);
      local[l] = global[it.get_global_id(0)];
      std::size_t from = 0;
      for (std::size_t step = 1; step < size; step *= 2) {
        barrier(it);
        const std::size_t to = size - from;
        it.if_(
            l >= step, [&] { local[l + to] = local[l + from] + local[l + from - step]; },
            [&] { local[l + to] = local[l + from]; });
        from = to;
      }
    };
  });
}

TYPED_TEST(races, broadcast_through_local_memory) {
  this->expect_only_without_barrier([](auto barrier) {
    return [=](auto it, auto local, auto global) {
      it.if_(it.get_local_id(0) == 0, [&] { local[0] = 7U; });
      barrier(it);
      global[it.get_global_id(0)] = local[it.get_local_id(0) * 0];
    };
  });
}

TYPED_TEST(races, memory_that_is_used_again) {
  this->expect_only_without_barrier([](auto barrier) {
    return [=](auto it, auto local, auto global) {
      const auto l = it.get_local_id(0);
      for (unsigned i = 1; i < 4; ++i) {
        local[l] = global[it.get_global_id(0)] + i;
        lf::group_barrier(it.get_group());
        global[it.get_global_id(0)] = local[size - 1 - l];
        barrier(it);
      }
    };
  });
}

TYPED_TEST(races, neighbours_in_global_memory) {
  this->expect_only_without_barrier([](auto barrier) {
    return [=](auto it, auto, auto global) {
      const auto mine = it.get_local_id(0) + it.get_group(0) * 2 * size;
      const auto value = it.var(global[mine + 1]);
      barrier(it);
      global[mine] = value + 1000U;
    };
  });
}

TYPED_TEST(races, off_by_one) {
  EXPECT_TRUE(is_race(failure_of<TypeParam>([](auto it, auto local, auto) {
    const auto l = it.get_local_id(0);
    local[l] = 1U;
    local[l + 1] = 2U; // meant: l + size
  })));
}

TYPED_TEST(races, all_count_in_one_element) {
  const auto counting = [](auto count) {
    return [=](auto it, auto local, auto) {
      it.if_(it.get_local_id(0) == 0, [&] { local[0] = 0U; });
      lf::group_barrier(it.get_group());
      count(local[it.get_local_id(0) * 0]);
      lf::group_barrier(it.get_group());
      local[it.get_local_id(0) + size] = local[0];
    };
  };
  EXPECT_TRUE(
      is_race(failure_of<TypeParam>(counting([](auto&& element) { std::forward<decltype(element)>(element) += 1U; }))));
  EXPECT_EQ(failure_of<TypeParam>(counting([](auto&& element) {
              lf::make_atomic_ref<lf::memory_order::relaxed, lf::memory_scope::work_group>(element).fetch_add(1U);
            })),
            "");
}

TYPED_TEST(races, atomic_and_plain) {
  EXPECT_TRUE(is_race(failure_of<TypeParam>([](auto it, auto local, auto global) {
    it.if_(it.get_local_id(0) == 0, [&] { local[0] = 0U; });
    lf::group_barrier(it.get_group());
    lf::make_atomic_ref<lf::memory_order::relaxed, lf::memory_scope::work_group>(local[it.get_local_id(0) * 0])
        .fetch_add(1);
    global[it.get_global_id(0)] = local[0];
  })));
}

TYPED_TEST(races, uninitialised) {
  const std::string failure = failure_of<TypeParam>(
      [](auto it, auto local, auto global) { global[it.get_global_id(0)] = local[it.get_local_id(0)]; });
  EXPECT_TRUE(is_uninitialised(failure)) << failure;
}

TYPED_TEST(races, local_memory_of_two_dimensions) {
  const auto transposed = [](auto barrier) {
    lf::queue q;
    std::vector<float> memory(16 * 16, 1.f);
    const lf::view<float, 2> global(memory.data(), {16, 16});
    try {
      q.submit([&](lf::handler& h) {
         const lf::local_accessor<float, 2> tile({16, 17}, h);
         h.parallel_for(lf::nd_range<2>({16, 16}, {16, 16}), lf::properties{lf::property::strategy<TypeParam>{}},
                        [=](auto it) {
                          const auto y = it.get_local_id(0);
                          const auto x = it.get_local_id(1);
                          tile[y][x] = global[y][x] + 1.f;
                          barrier(it);
                          global[y][x] = tile[x][y];
                        });
       }).wait_and_throw();
    } catch (const lf::exception& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(transposed([](const auto& it) { lf::group_barrier(it.get_group()); }), "");
  EXPECT_NE(transposed([](const auto&) {}), "");
}

TYPED_TEST(races, between_groups_if_asked_for) {
  const auto neighbours = [](auto it, auto, auto global) {
    const auto next = global[it.get_global_id(0) + 1];
    global[it.get_global_id(0) + size * groups] = next; // what belongs to the work-item, and what the next group writes
    it.if_(it.get_local_id(0) == 0, [&] { global[it.get_global_id(0)] = 5000U; });
  };
  EXPECT_EQ(failure_of<TypeParam>(neighbours).find("work-groups"), std::string::npos);
  ::setenv("LANEFOLD_RACE_CHECK", "launch", 1);
  const std::string failure = failure_of<TypeParam>(neighbours);
  ::unsetenv("LANEFOLD_RACE_CHECK");
  EXPECT_NE(failure.find("a race between work-groups"), std::string::npos) << failure;
}

TYPED_TEST(races, nothing_is_watched_if_asked_for) {
  ::setenv("LANEFOLD_RACE_CHECK", "off", 1);
  const std::string failure =
      failure_of<TypeParam>([](auto it, auto local, auto) { local[it.get_local_id(0) / 2] = 1U; });
  ::unsetenv("LANEFOLD_RACE_CHECK");
  EXPECT_EQ(failure, "");
}

class race : public races<lf::scalar> {};

TEST_F(race, names_kernel_work_items_and_element) {
  const std::string failure = failure_of<lf::scalar>([](auto it, auto local, auto) {
    const std::size_t l = it.get_local_id(0);
    local[l] = static_cast<unsigned>(l);
    lf::group_barrier(it.get_group());
    if (l == 3 || l == 40) {
      local[17] = static_cast<unsigned>(l);
    }
  });
  EXPECT_NE(failure.find("kernel '"), std::string::npos) << failure;
  EXPECT_NE(failure.find("work-group ("), std::string::npos) << failure;
  EXPECT_NE(failure.find("the work-item with local id (3) wrote it and the work-item with local id (40) wrote it"),
            std::string::npos)
      << failure;
  EXPECT_NE(failure.find("element 17 (4 bytes at 68 of local memory)"), std::string::npos) << failure;
}

/// What addr2line says of the two places that a message names; empty if it is not there, or knows no lines.
std::string lines_of(const std::string& failure) {
  const std::string before = "(code, for addr2line: ";
  const std::size_t begin = failure.find(before);
  if (begin == std::string::npos) {
    return "no places: " + failure;
  }
  std::string lines;
  for (std::size_t at = failure.find('+', begin); at != std::string::npos; at = failure.find('+', at + 1)) {
    const std::string address = failure.substr(at + 1, failure.find_first_of(",)", at) - at - 1);
    FILE* const found =
        ::popen(("addr2line -ie /proc/" + std::to_string(::getpid()) + "/exe " + address + " 2>&1").c_str(), "r");
    for (char text[512]; found != nullptr && std::fgets(text, sizeof(text), found) != nullptr;) {
      lines += text;
    }
    ::pclose(found);
  }
  return lines;
}

TYPED_TEST(races, names_the_lines_of_both_accesses) {
  const std::string failure = failure_of<TypeParam>([](auto it, auto local, auto global) {
    global[it.get_global_id(0)] = 1000U;
    local[it.get_local_id(0)] = global[it.get_global_id(0) ^ std::size_t(size - 1)];
  });
  constexpr int first = __LINE__ - 3;
  ASSERT_TRUE(is_race(failure)) << failure;
  const std::string lines = lines_of(failure);
  if (lines.find("not found") != std::string::npos || lines.find("race_test.cpp") == std::string::npos) {
    GTEST_SKIP() << "no addr2line, or no line numbers: " << lines;
  }
  for (const int line : {first, first + 1}) {
    EXPECT_NE(lines.find("race_test.cpp:" + std::to_string(line)), std::string::npos) << lines;
  }
}

TEST_F(race, sub_group_barriers_order_sub_groups_only) {
  const auto shifted = [](std::size_t distance) {
    return [=](auto it, auto local, auto global) {
      const std::size_t l = it.get_local_id(0);
      local[l] = 1U;
      lf::group_barrier(it.get_sub_group());
      global[it.get_global_id(0)] = local[l ^ distance];
    };
  };
  EXPECT_EQ(failure_of<lf::scalar>(shifted(1)), "");
  EXPECT_NE(failure_of<lf::scalar>(shifted(size / 2)), "");
}

TEST_F(race, members_of_a_struct_may_belong_to_several) {
  struct pair {
    int first, second;
  };
  const auto written = [](std::size_t distance) {
    lf::queue q;
    q.submit([&](lf::handler& h) {
       const lf::local_accessor<pair> pairs(size + 1, h);
       h.parallel_for(lf::nd_range<1>(size, size), [=](lf::nd_item<1> it) {
         const std::size_t l = it.get_local_id(0);
         pairs[l].first = 1;
         if (distance == 0) {
           pairs[size - 1 - l].second = 2;
         } else {
           pairs[l + distance].first = static_cast<int>(l);
         }
       });
     }).wait_and_throw();
  };
  EXPECT_NO_THROW(written(0));
  EXPECT_THROW(written(1), lf::exception);
}

TEST_F(race, arrays_of_a_work_item_are_its_own) {
  EXPECT_EQ(failure_of<lf::scalar>([](auto it, auto, auto global) {
              int sum = 0;
              {
                int own[4] = {1, 2, 3, 4};
                const lf::view<int> mine(own, 4);
                for (std::size_t i = 0; i < 4; ++i) {
                  mine[i] += static_cast<int>(it.get_local_id(0));
                  sum += mine[3 - i];
                }
              }
              lf::group_barrier(it.get_group());
              global[it.get_global_id(0)] = static_cast<unsigned>(sum);
            }),
            "");
}

/// Blocks of this size go back to the system when they are freed, smaller ones to the next work-item.
TYPED_TEST(races, heap_memory_of_a_work_item_is_its_own) {
  for (const std::size_t many : {std::size_t{64}, std::size_t{65'536}}) {
    EXPECT_EQ(failure_of<TypeParam>([=](auto it, auto, auto global) {
                const auto i = it.get_global_id(0);
                const auto l = it.get_local_id(0);
                {
                  std::vector<unsigned> own(many);
                  const lf::view<unsigned> mine(own.data(), own.size());
                  mine[0] = 1U;
                  mine[l] = 2U;
                  global[i] = mine[l] + mine[0];
                }
                lf::group_barrier(it.get_group());
                std::vector<unsigned> other(many);
                const lf::view<unsigned> mine(other.data(), other.size());
                mine[1] = 3U;
                mine[l] = global[i];
                global[i] = mine[l];
              }),
              "");
  }
}

/// The same in a kernel over a range, whose work-items are compared if that is asked for.
TEST_F(race, heap_memory_of_a_work_item_of_a_range_is_its_own) {
  ::setenv("LANEFOLD_RACE_CHECK", "launch", 1);
  std::vector<float> out(100);
  const lf::view<float> o(out.data(), out.size());
  lf::queue q;
  q.parallel_for(lf::range<1>(out.size()), [=](lf::id<1> i) {
    std::vector<float> tmp(65'536);
    const lf::view<float> v(tmp.data(), tmp.size());
    v[0] = 1;
    o[i] = v[0];
  });
  EXPECT_NO_THROW(q.wait_and_throw());
  ::unsetenv("LANEFOLD_RACE_CHECK");
  EXPECT_EQ(out, std::vector<float>(100, 1.f));
}

/// What is known to outlive the work-item is watched where a kernel makes the view, too.
TEST_F(race, views_that_a_kernel_makes_of_usm_are_watched) {
  lf::queue q;
  int* const x = lf::malloc_shared<int>(2 * size, q);
  const auto shifted = [&](bool barrier) {
    q.parallel_for(lf::nd_range<1>(size, size), [=](lf::nd_item<1> it) {
       const lf::view<int> mine(x, 2 * size);
       const std::size_t l = it.get_local_id(0);
       mine[l] = 1 + static_cast<int>(l);
       if (barrier) {
         lf::group_barrier(it.get_group());
       }
       mine[size + l] = mine[(l + 1) % size];
     }).wait_and_throw();
  };
  EXPECT_NO_THROW(shifted(true));
  std::fill(x, x + 2 * size, 0);
  EXPECT_THROW(shifted(false), lf::exception);
  lf::free(x, q);
}

TEST_F(race, more_elements_than_the_table_begins_with) {
  const auto sums = [](bool barrier) {
    constexpr std::size_t many = 40'000;
    std::vector<int> memory(many + size);
    const lf::view<int> x(memory.data(), memory.size());
    lf::queue q;
    q.parallel_for(lf::nd_range<1>(size, size), [=](lf::nd_item<1> it) {
       const std::size_t l = it.get_local_id(0);
       int& first = x[l];
       for (std::size_t i = l; i < many; i += size) {
         x[size + i] = 1 + static_cast<int>(i);
       }
       first = 7; // by the reference that it got before the table has grown
       if (barrier) {
         lf::group_barrier(it.get_group());
       }
       x[size + l] = x[(l + 1) % size];
     }).wait_and_throw();
  };
  EXPECT_THROW(sums(false), lf::exception);
  EXPECT_NO_THROW(sums(true));
}

TEST_F(race, of_work_items_of_a_range) {
  const auto neighbours = [] {
    std::vector<int> memory(1000, 1);
    const lf::view<int> x(memory.data(), memory.size());
    lf::queue q;
    q.parallel_for(lf::range<1>(999), [=](lf::id<1> i) { x[i[0]] = x[i[0] + 1] + 1; });
    q.wait_and_throw();
  };
  EXPECT_NO_THROW(neighbours());
  ::setenv("LANEFOLD_RACE_CHECK", "launch", 1);
  EXPECT_THROW(neighbours(), lf::exception);
  ::unsetenv("LANEFOLD_RACE_CHECK");
}

/// Whether every schedule gives the same sum of what each group takes from its predecessor in time.
TEST_F(race, results_that_depend_on_the_order_of_groups_show_under_a_seed) {
  const auto order = [](const char* seed) {
    ::setenv("LANEFOLD_SCHEDULE", seed, 1);
    std::vector<int> came(64);
    int count = 0;
    lf::queue q{lf::property_list{lf::property::threads(1)}};
    int* const next = &count;
    const lf::view<int> x(came.data(), came.size());
    q.parallel_for(lf::nd_range<1>(came.size(), 1),
                   [=](lf::nd_item<1> it) { x[it.get_global_id(0)] = lf::atomic_ref<int>(*next).fetch_add(1); });
    q.wait_and_throw();
    ::unsetenv("LANEFOLD_SCHEDULE");
    return came;
  };
  std::vector<int> usual(64);
  std::iota(usual.begin(), usual.end(), 0);
  EXPECT_EQ(order("0"), usual);
  std::vector<int> shuffled = order("1");
  EXPECT_NE(shuffled, usual);
  EXPECT_NE(shuffled, order("2"));
  EXPECT_EQ(shuffled, order("1")); // a seed says the order
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, usual); // each of them once
}

} // namespace
