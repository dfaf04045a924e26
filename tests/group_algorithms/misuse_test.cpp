// SPDX-License-Identifier: Apache-2.0
/// Calls that not all work-items make, or not the same: errors that say so, and the queue works afterwards.
#include "testing.hpp"

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>

namespace {

/// Blocks aligned to 128 bytes, which nothing else here is, that were allocated and not freed.
std::atomic<int> aligned_blocks{0};

} // namespace

// These count aligned blocks for operators.leave_nothing_behind.
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto a = static_cast<std::size_t>(alignment);
  void* const p = std::aligned_alloc(a, (bytes + a - 1) / a * a);
  if (p == nullptr) {
    throw std::bad_alloc();
  }
  aligned_blocks += a == 128 ? 1 : 0;
  return p;
}
void operator delete(void* p, std::align_val_t alignment) noexcept {
  aligned_blocks -= p != nullptr && static_cast<std::size_t>(alignment) == 128 ? 1 : 0;
  std::free(p);
}
void operator delete(void* p, std::size_t /*bytes*/, std::align_val_t alignment) noexcept {
  operator delete(p, alignment);
}

namespace {

/// Launches still work, with the same algorithms.
void expect_usable() {
  int total = 0;
  const lf::view<int> t(&total, 1);
  run_groups<lf::scalar>(1, 50, [=](lf::nd_item<1> it) {
    const int sum = lf::reduce_over_group(it.get_group(), 1, lf::plus<>{});
    if (it.get_local_id(0) == 49) {
      t[0] = sum;
    }
  });
  EXPECT_EQ(total, 50);
}

template <class Strategy>
class divergent_calls : public ::testing::Test {};
using lane_strategies = ::testing::Types<lf::simd<4>, lf::simd<64>>;
TYPED_TEST_SUITE(divergent_calls, lane_strategies, strategy_names);

TYPED_TEST(divergent_calls, are_errors) {
  for (const std::size_t local : {3, 64}) {
    EXPECT_NE(texts_thrown_by([&] {
                run_groups<TypeParam>(2, local, [](auto it) {
                  it.if_(it.get_local_id(0) < 2, [&] { lf::reduce_over_group(it.get_group(), 1, lf::plus<>{}); });
                });
              }).find("divergent"),
              std::string::npos);
    EXPECT_NE(texts_thrown_by([&] {
                run_groups<TypeParam>(2, local, [](auto it) {
                  it.if_(it.get_local_id(0) < 2, [&] { lf::any_of_group(it.get_sub_group(), true); });
                });
              }).find("divergent"),
              std::string::npos);
    expect_usable();
  }
}

TEST(different_calls, are_errors) {
  for (const auto engine : engines) {
    EXPECT_NE(texts_thrown_by([&] {
                run_groups<lf::scalar>(
                    2, 12,
                    [](lf::nd_item<1> it) {
                      if (it.get_local_id(0) < 6) {
                        lf::reduce_over_group(it.get_group(), 1, lf::plus<>{});
                      } else {
                        lf::any_of_group(it.get_group(), true);
                      }
                    },
                    engine);
              }).find("different group algorithms: of 12 units 6"),
              std::string::npos);
    expect_usable();
    for (const std::size_t lonely : {0, 3, 11}) {
      EXPECT_NE(texts_thrown_by([&] {
                  run_groups<lf::scalar>(
                      2, 12,
                      [=](lf::nd_item<1> it) {
                        if (it.get_local_id(0) == lonely) {
                          it.barrier();
                        } else {
                          lf::reduce_over_group(it.get_group(), 1, lf::plus<>{});
                        }
                      },
                      engine);
                }).find("different group algorithms"),
                std::string::npos)
          << lonely;
      expect_usable();
    }
  }
}

TEST(missing_calls, are_errors) {
  for (const auto engine : engines) {
    for (const std::size_t lonely : {0, 3, 11}) {
      EXPECT_FALSE(texts_thrown_by([&] {
                     run_groups<lf::scalar>(
                         2, 12,
                         [=](lf::nd_item<1> it) {
                           if (it.get_local_id(0) != lonely) {
                             lf::reduce_over_group(it.get_group(), 1, lf::plus<>{});
                           }
                         },
                         engine);
                   }).empty())
          << lonely;
      expect_usable();
    }
  }
}

/// One that ends before it begins would be most of the memory there is.
TEST(reversed_ranges, are_errors) {
  std::vector<int> numbers(100, 1), results(100);
  const int* const first = numbers.data() + 60;
  const int* const last = numbers.data() + 20;
  int* const to = results.data();
  const auto fails = [](auto call) {
    const auto says = [&](auto kernel) {
      EXPECT_NE(texts_thrown_by(kernel).find("ends 40 elements before it begins"), std::string::npos);
      expect_usable();
    };
    says([&] { run_groups<lf::scalar>(1, 20, [=](lf::nd_item<1> it) { call(it.get_group()); }); });
    says([&] { run_groups<lf::scalar>(1, 20, [=](lf::nd_item<1> it) { call(it.get_sub_group()); }); });
    says([&] { run_groups<lf::simd<16>>(1, 20, [=](auto it) { call(it.get_group()); }); });
  };
  const lf::plus<> sum;
  fails([=](const auto& g) { lf::joint_reduce(g, first, last, sum); });
  fails([=](const auto& g) { lf::joint_reduce<lf::algorithm::serial>(g, first, last, 7, sum); });
  fails([=](const auto& g) { lf::joint_inclusive_scan(g, first, last, to, sum); });
  fails([=](const auto& g) { lf::joint_exclusive_scan(g, first, last, to, 7, sum); });
  fails([=](const auto& g) { lf::joint_any_of(g, first, last, [](auto x) { return x == 3; }); });
  fails([=](const auto& g) { lf::joint_none_of(g, first, last, [](auto x) { return x == 3; }); });
  fails([=](const auto& g) { lf::joint_sort(g, to + 60, to + 20); });
}

/// In other builds the sort is undefined, as that of std::sort.
TEST(comparators, that_say_less_or_equal) {
#if defined(LANEFOLD_CHECKED)
  std::vector<int> numbers(1000);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<int>(i * 7919 % 1000);
  }
  int* const x = numbers.data();
  const auto says = [](auto kernel) {
    EXPECT_NE(texts_thrown_by(kernel).find("a value comes before itself"), std::string::npos);
    expect_usable();
  };
  const auto fails = [&](auto call) {
    says([&] { run_groups<lf::scalar>(1, 20, [=](lf::nd_item<1> it) { call(it.get_group()); }); });
    says([&] { run_groups<lf::scalar>(1, 20, [=](lf::nd_item<1> it) { call(it.get_sub_group()); }); });
    says([&] { run_groups<lf::simd<16>>(1, 20, [=](auto it) { call(it.get_group()); }); });
  };
  fails([=](const auto& g) { lf::joint_sort(g, x, x + 1000, std::less_equal<>{}); });
  fails([=](const auto& g) { lf::joint_sort(g, x, x + 1000, [](int, int) { return true; }); });
  fails([](const auto& g) { lf::sort_over_group(g, 3, [](int a, int b) { return a >= b; }); });
#else
  GTEST_SKIP() << "not a checked build";
#endif
}

/// Of an alignment that nothing else in this program has.
struct alignas(128) aligned_number {
  int value;
};

/// The baseline's values on the heap are freed, whichever work-item fails and wherever the others wait.
TEST(operators, leave_nothing_behind) {
  const auto sum = [](const aligned_number& a, const aligned_number& b) { return aligned_number{a.value + b.value}; };
  const auto throwing = [](const aligned_number& a, const aligned_number& b) {
    return a.value + b.value > 7 ? throw std::runtime_error("too many") : aligned_number{a.value + b.value};
  };
  for (const auto engine : engines) {
    const int before = aligned_blocks;
    run_groups<lf::scalar>(
        2, 12,
        [=](lf::nd_item<1> it) {
          lf::reduce_over_group<lf::algorithm::serial_heap>(it.get_group(), aligned_number{1}, sum);
        },
        engine);
    EXPECT_EQ(aligned_blocks, before);
    EXPECT_NE(texts_thrown_by([&] {
                run_groups<lf::scalar>(
                    2, 12,
                    [=](lf::nd_item<1> it) {
                      lf::inclusive_scan_over_group<lf::algorithm::serial_heap>(it.get_group(), aligned_number{1},
                                                                                throwing);
                    },
                    engine);
              }).find("too many"),
              std::string::npos);
    EXPECT_EQ(aligned_blocks, before);
    for (const std::size_t lonely : {3, 11}) {
      EXPECT_NE(texts_thrown_by([&] {
                  run_groups<lf::scalar>(
                      2, 12,
                      [=](lf::nd_item<1> it) {
                        if (it.get_local_id(0) != lonely) {
                          lf::reduce_over_group<lf::algorithm::serial_heap>(it.get_group(), aligned_number{1}, sum);
                        }
                      },
                      engine);
                }),
                "");
      EXPECT_EQ(aligned_blocks, before) << lonely;
    }
    expect_usable();
  }
}

TEST(operators, may_throw) {
  for (const auto engine : engines) {
    EXPECT_NE(texts_thrown_by([&] {
                run_groups<lf::scalar>(
                    2, 12,
                    [](lf::nd_item<1> it) {
                      lf::reduce_over_group(it.get_group(), 1, [](int a, int b) {
                        return a + b > 7 ? throw std::runtime_error("too many") : a + b;
                      });
                    },
                    engine);
              }).find("too many"),
              std::string::npos);
    expect_usable();
  }
}

} // namespace
