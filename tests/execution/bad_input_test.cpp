// SPDX-License-Identifier: Apache-2.0
/// Bad input gets a clear error that names kernel and group, nothing hangs, and the queue works afterwards.
#include "strategies.hpp"
#include "thrown.hpp"

#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using ::testing::Test;

class named_kernel;

/// The queue still runs kernels, with and without barriers.
void expect_usable(lf::queue& q) {
  const std::size_t n = 512;
  std::vector<int> out(n, 0);
  const lf::view<int> o(out.data(), n);
  q.submit([&](lf::handler& h) {
     lf::local_accessor<int> tile(lf::range<1>(128), h);
     h.parallel_for(lf::nd_range<1>(n, 128), [=](auto it) {
       tile[it.get_local_id(0)] = lf::convert<int>(it.get_global_id(0));
       lf::group_barrier(it.get_group());
       o[it.get_global_id(0)] = tile[it.get_local_id(0)];
     });
   }).wait();
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(out[i], static_cast<int>(i));
  }
}

TEST(bad_nd_range, is_refused_at_submission) {
  lf::queue q;
  const auto submit = [&](lf::nd_range<2> space) {
    return texts_thrown_by([&] { q.parallel_for<named_kernel>(space, [](lf::nd_item<2>) {}).wait(); });
  };
  std::string text = submit({{64, 30}, {8, 8}});
  EXPECT_MENTIONS(text, "does not divide");
  EXPECT_MENTIONS(text, "(64, 30)");
  EXPECT_MENTIONS(submit({{64, 64}, {8, 0}}), "zero");
  EXPECT_MENTIONS(submit({{1UL << 20, 1UL << 20}, {1UL << 20, 1UL << 20}}), "larger than");
  EXPECT_MENTIONS(submit({{1UL << 40, 1UL << 40}, {1UL << 33, 1UL << 33}}), "larger than"); // the product overflows
  expect_usable(q);
}

/// Programs declare one and assign it in a branch.
TEST(bad_nd_range, default_one_has_no_work_items) {
  lf::queue q;
  lf::nd_range<2> space;
  EXPECT_EQ(space, (lf::nd_range<2>{{0, 0}, {0, 0}}));
  EXPECT_MENTIONS(texts_thrown_by([&] { q.parallel_for<named_kernel>(space, [](lf::nd_item<2>) {}).wait(); }), "zero");
  space = {{64, 32}, {8, 8}};
  EXPECT_EQ(space.get_group_range(), (lf::range<2>{8, 4}));
  expect_usable(q);
}

/// Work-items that 64 bits cannot count.
TEST(bad_nd_range, the_product_must_not_overflow) {
  lf::queue q;
  const auto code_of = [&](auto&&... arguments) {
    try {
      q.parallel_for(arguments...).wait();
    } catch (const lf::exception& e) {
      EXPECT_MENTIONS(std::string(e.what()), "4294967296");
      return e.code();
    }
    return std::error_code();
  };
  constexpr std::size_t half = std::size_t{1} << 32;
  int value = 0;
  const auto sum = lf::reduction(&value, lf::plus<>());
  EXPECT_EQ(code_of(lf::nd_range<2>({half, half}, {1, 1}), [](lf::nd_item<2>) {}), lf::errc::nd_range);
  EXPECT_EQ(code_of(lf::nd_range<3>({half, half / 2, 2}, {2, 2, 2}), [](auto) {}), lf::errc::nd_range);
  EXPECT_EQ(code_of(lf::nd_range<2>({half, half}, {1, 1}), sum, [](lf::nd_item<2>, auto&) {}), lf::errc::nd_range);
  EXPECT_EQ(code_of(lf::range<2>(half, half), [](lf::id<2>) {}), lf::errc::nd_range);
  EXPECT_EQ(code_of(lf::range<3>(half, half, half), [](auto) {}), lf::errc::nd_range);
  EXPECT_EQ(code_of(lf::range<2>(half, half), sum, [](lf::id<2>, auto&) {}), lf::errc::nd_range);
  EXPECT_EQ(code_of(lf::nd_range<3>({half, half, 0}, {1, 1, 1}), [](auto) {}), std::error_code()); // nothing to run
  expect_usable(q);
}

TEST(bad_nd_range, lane_shape_must_fit_the_group) {
  lf::queue q;
  const std::string text = texts_thrown_by([&] {
    q.parallel_for(lf::nd_range<2>({64, 64}, {8, 8}), lf::properties{lf::property::strategy<lf::simd<4, 16>>{}},
                   [](auto) {});
  });
  EXPECT_MENTIONS(text, "16 columns");
  expect_usable(q);
}

TEST(bad_nd_range, work_group_size_must_be_kept) {
  lf::queue q;
  EXPECT_MENTIONS(texts_thrown_by([&] {
                    q.parallel_for(lf::nd_range<1>(64, 16), lf::properties{lf::property::work_group_size<32>{}},
                                   [](auto) {});
                  }),
                  "(32)");
  expect_usable(q);
}

TEST(bad_nd_range, sub_group_size_is_limited) {
  lf::queue q;
  for (const unsigned size : {0U, 257U}) {
    EXPECT_MENTIONS(texts_thrown_by([&] {
                      q.parallel_for(lf::nd_range<1>(64, 16), lf::properties{lf::property::sub_group_size{size}},
                                     [](lf::nd_item<1>) {});
                    }),
                    "sub-group size");
  }
  expect_usable(q);
}

TEST(empty_ranges, run_nothing) {
  lf::queue q;
  bool ran = false;
  q.parallel_for(lf::nd_range<1>(0, 16), [&](lf::nd_item<1>) { ran = true; }).wait();
  q.parallel_for(lf::nd_range<2>({16, 0}, {1, 1}), [&](lf::nd_item<2>) { ran = true; }).wait();
  q.parallel_for(lf::range<3>(4, 0, 4), [&](lf::item<3>) { ran = true; }).wait();
  q.parallel_for(lf::range<1>(0), [&](lf::item<1>) { ran = true; }).wait();
  EXPECT_FALSE(ran);
  expect_usable(q);
}

TEST(local_memory, too_much_is_refused_at_submission) {
  lf::queue q;
  const std::string text = texts_thrown_by([&] {
    q.submit([&](lf::handler& h) {
      lf::local_accessor<double, 2> huge({1024, 1024}, h);
      h.parallel_for(lf::nd_range<1>(64, 64), [=](lf::nd_item<1> it) { huge[it.get_local_id(0)][0] = 0; });
    });
  });
  EXPECT_MENTIONS(text, "local memory");
  expect_usable(q);
}

TEST(local_memory, dimensions_that_overflow_are_refused) {
  lf::queue q;
  std::error_code code;
  q.submit([&](lf::handler& h) {
    try {
      const lf::local_accessor<int, 2> huge({std::size_t{1} << 32, std::size_t{1} << 32}, h);
    } catch (const lf::exception& e) {
      code = e.code();
    }
  });
  EXPECT_EQ(code, lf::errc::memory_allocation);
  expect_usable(q);
}

/// A kernel without work-groups has no local memory.
TEST(local_memory, is_for_work_groups) {
  lf::queue q;
  const auto code_of = [&](auto launch) {
    try {
      q.submit([&](lf::handler& h) {
         const lf::local_accessor<int> tile(16, h);
         launch(h, tile);
       }).wait();
    } catch (const lf::exception& e) {
      EXPECT_MENTIONS(std::string(e.what()), "ND-ranges");
      return e.code();
    }
    return std::error_code();
  };
  int value = 0;
  EXPECT_EQ(code_of([](auto& h, auto tile) { h.parallel_for(16, [=](lf::id<1> i) { tile[i] = 1; }); }),
            lf::errc::kernel_argument);
  EXPECT_EQ(
      code_of([](auto& h, auto tile) { h.parallel_for(lf::range(4, 4), [=](auto it) { tile[it.get_id(0)] = 1; }); }),
      lf::errc::kernel_argument);
  EXPECT_EQ(code_of([&](auto& h, auto tile) {
              h.parallel_for(16, lf::reduction(&value, lf::plus<>()), [=](lf::id<1> i, auto&) { tile[i] = 1; });
            }),
            lf::errc::kernel_argument);
  EXPECT_EQ(code_of([](auto& h, auto tile) { h.single_task([=] { tile[0] = 1; }); }), lf::errc::kernel_argument);
  expect_usable(q);
}

class moved_from : public Test {
protected:
  static lf::errc code_of(const std::function<void()>& use) {
    std::string text;
    const lf::errc code = code_thrown_by(use, &text);
    EXPECT_MENTIONS(text, "moved from");
    return code;
  }
};

TEST_F(moved_from, buffer_says_so) {
  lf::queue q;
  lf::buffer<int> b(10);
  const lf::buffer<int> kept = std::move(b);
  EXPECT_EQ(code_of([&] { const lf::host_accessor a(b); }), lf::errc::invalid);
  EXPECT_EQ(code_of([&] { q.submit([&](lf::handler& h) { const lf::accessor a(b, h); }); }), lf::errc::invalid);
  EXPECT_EQ(code_of([&] { const lf::buffer<int> part(b, 0, 5); }), lf::errc::invalid);
  EXPECT_EQ(code_of([&] { static_cast<void>(b.reinterpret<float>()); }), lf::errc::invalid);
  EXPECT_EQ(code_of([&] { b.set_write_back(true); }), lf::errc::invalid);
  EXPECT_EQ(code_of([&] { b.set_final_data(nullptr); }), lf::errc::invalid);
  EXPECT_EQ(std::hash<lf::buffer<int>>()(b), std::hash<const void*>()(nullptr));
  b = kept;
  EXPECT_EQ(lf::host_accessor(b).size(), 10U);
  expect_usable(q);
}

TEST_F(moved_from, context_says_so) {
  lf::queue q;
  lf::context c = q.get_context();
  const lf::context kept = std::move(c);
  EXPECT_EQ(code_of([&] { static_cast<void>(c.get_devices()); }), lf::errc::invalid);
  EXPECT_EQ(code_of([&] { static_cast<void>(c.get_platform()); }), lf::errc::invalid);
  EXPECT_EQ(code_of([&] { const lf::queue other(c, q.get_device()); }), lf::errc::invalid);
}

TEST_F(moved_from, queue_says_so) {
  lf::queue q;
  const lf::queue kept = std::move(q);
  EXPECT_EQ(code_of([&] { q.wait(); }), lf::errc::invalid);
  EXPECT_EQ(code_of([&] { q.wait_and_throw(); }), lf::errc::invalid);
  EXPECT_EQ(code_of([&] { q.throw_asynchronous(); }), lf::errc::invalid);
  EXPECT_EQ(code_of([&] { q.single_task([] {}); }), lf::errc::invalid);
  EXPECT_EQ(code_of([&] { q.memset(nullptr, 0, 0); }), lf::errc::invalid);
  EXPECT_EQ(code_of([&] { static_cast<void>(q.get_device()); }), lf::errc::invalid);
  EXPECT_EQ(code_of([&] { static_cast<void>(q.get_context()); }), lf::errc::invalid);
  EXPECT_EQ(code_of([&] { static_cast<void>(q.is_in_order()); }), lf::errc::invalid);
  EXPECT_EQ(code_of([&] { static_cast<void>(q.threads()); }), lf::errc::invalid);
  q = kept;
  expect_usable(q);
}

template <class Strategy>
class failing_kernel : public Test {};
using failing_strategies = ::testing::Types<lf::scalar, lf::simd<16>, lf::simd<64>>;
TYPED_TEST_SUITE(failing_kernel, failing_strategies, strategy_names);

/// Throws in the work-item with id `at` of every kind: first, middle, last; before and behind a barrier.
TYPED_TEST(failing_kernel, exception_reaches_the_host_with_its_group) {
  lf::queue q;
  constexpr std::size_t local = 128, groups = 7;
  for (const lf::fiber_engine engine : engines) {
    for (const std::size_t at : {std::size_t(0), local * 3 + 70, local * groups - 1}) {
      for (const int when : {0, 1, 2}) { // before the first barrier, between two, behind the last
        const std::string text = texts_thrown_by([&] {
          q.submit([&](lf::handler& h) {
             lf::local_accessor<int> tile(lf::range<1>(local), h);
             h.template parallel_for<named_kernel>(lf::nd_range<1>(local * groups, local), how<TypeParam>(engine),
                                                   [=](auto it) {
                                                     const auto fail = [&](int now) {
                                                       it.if_(it.get_global_id(0) == at, [&] {
                                                         if (now == when) {
                                                           throw std::runtime_error("thrown on purpose");
                                                         }
                                                       });
                                                     };
                                                     fail(0);
                                                     tile[it.get_local_id(0)] = 1;
                                                     lf::group_barrier(it.get_group());
                                                     fail(1);
                                                     lf::group_barrier(it.get_group());
                                                     fail(2);
                                                   });
           }).wait();
        });
        EXPECT_MENTIONS(text, "thrown on purpose");
        EXPECT_MENTIONS(text, "named_kernel");
        EXPECT_MENTIONS(text, "work-group (" + std::to_string(at / local) + ")");
        expect_usable(q);
      }
    }
  }
}

/// Objects that a unit holds when it is unwound are destroyed.
TYPED_TEST(failing_kernel, other_units_are_unwound) {
  lf::queue q;
  for (const lf::fiber_engine engine : engines) {
    std::atomic<int> alive = 0;
    struct counted {
      std::atomic<int>& count;
      explicit counted(std::atomic<int>& c) : count(c) { ++count; }
      ~counted() { --count; }
    };
    texts_thrown_by([&] {
      std::atomic<int>* count = &alive;
      q.parallel_for(lf::nd_range<1>(256, 256), how<TypeParam>(engine), [=](auto it) {
         const counted guard(*count);
         lf::group_barrier(it.get_group());
         it.if_(it.get_local_id(0) == 200, [&] { throw std::runtime_error("thrown on purpose"); });
         lf::group_barrier(it.get_group());
       }).wait();
    });
    EXPECT_EQ(alive, 0) << to_string(engine);
    expect_usable(q);
  }
}

TYPED_TEST(failing_kernel, barrier_that_only_some_units_reach) {
  lf::queue q;
  for (const lf::fiber_engine engine : engines) {
    // The units that finish: all but the first, the first only, one in the middle.
    for (const int kind : {0, 1, 2}) {
      const std::string text = texts_thrown_by([&] {
        q.parallel_for<named_kernel>(lf::nd_range<1>(512, 256), how<TypeParam>(engine), [=](auto it) {
           const std::size_t unit = it.get_sub_group().get_group_linear_id();
           const bool first = unit == 0, middle = unit == 1;
           if (kind == 0 ? first : (kind == 1 ? !first : !middle)) {
             lf::group_barrier(it.get_group());
           }
         }).wait();
      });
      EXPECT_MENTIONS(text, "barrier");
      EXPECT_MENTIONS(text, "arrived");
      EXPECT_MENTIONS(text, "finished");
      EXPECT_MENTIONS(text, "named_kernel");
      EXPECT_MENTIONS(text, "work-group (");
      expect_usable(q);
    }
  }
}

TEST(divergent_barrier, is_an_error_under_a_mask) {
  lf::queue q;
  for (const lf::fiber_engine engine : engines) {
    const std::string text = texts_thrown_by([&] {
      q.parallel_for<named_kernel>(lf::nd_range<1>(256, 64), how<lf::simd<16>>(engine), [=](auto it) {
         it.if_(it.get_local_id(0) < 20, [&] { lf::group_barrier(it.get_group()); });
       }).wait();
    });
    EXPECT_MENTIONS(text, "barrier");
    EXPECT_MENTIONS(text, "divergent");
    EXPECT_MENTIONS(text, "named_kernel");
    expect_usable(q);
  }
}

/// Divergent code is no place for a barrier, whatever the data are.
TEST(divergent_barrier, is_an_error_where_every_work_item_goes_the_same_way) {
  lf::queue q;
  const auto fails = [&](auto kernel) {
    const std::string text = texts_thrown_by(
        [&] { q.parallel_for<named_kernel>(lf::nd_range<1>(256, 64), how<lf::simd<16>>(), kernel).wait(); });
    EXPECT_MENTIONS(text, "barrier");
    EXPECT_MENTIONS(text, "divergent");
    expect_usable(q);
  };
  fails([](auto it) { it.if_(it.get_local_id(0) < 64, [&] { lf::group_barrier(it.get_group()); }); });
  fails([](auto it) { it.if_(it.get_local_id(0) > 64, [] {}, [&] { lf::group_barrier(it.get_group()); }); });
  fails([](auto it) {
    it.if_(it.get_local_id(0) < 64, [&] {
      it.if_(it.get_local_id(0) < 64, [] {});
      it.if_(it.get_local_id(0) < 3, [] {});
      lf::group_barrier(it.get_group());
    });
  });
  fails([](auto it) {
    auto left = it.var(3);
    it.while_([&] { return left > 0; },
              [&] {
                it.for_(0, left, [](auto) {});
                lf::group_barrier(it.get_group());
                --left;
              });
  });
}

TEST(divergent_barrier, sub_group_barrier_that_some_work_items_miss) {
  lf::queue q;
  for (const lf::fiber_engine engine : engines) {
    const std::string text = texts_thrown_by([&] {
      q.parallel_for<named_kernel>(lf::nd_range<1>(64, 32),
                                   lf::properties{lf::property::fiber_engine{engine}, lf::property::sub_group_size{8}},
                                   [=](lf::nd_item<1> it) {
                                     if (it.get_local_id(0) != 5) {
                                       lf::group_barrier(it.get_sub_group());
                                     }
                                   })
          .wait();
    });
    EXPECT_MENTIONS(text, "sub-group");
    EXPECT_MENTIONS(text, "named_kernel");
    expect_usable(q);
  }
}

TEST(nested_launch, is_refused) {
  lf::queue q, other;
  const std::string text = texts_thrown_by([&] {
    q.parallel_for<named_kernel>(lf::nd_range<1>(1, 1), [&](lf::nd_item<1>) {
       other.parallel_for(lf::nd_range<1>(1, 1), [](lf::nd_item<1>) {}).wait();
     }).wait();
  });
  EXPECT_MENTIONS(text, "kernel");
  expect_usable(q);
}

TEST(range_kernel, exception_reaches_the_host) {
  lf::queue q;
  const std::string text = texts_thrown_by([&] {
    q.parallel_for<named_kernel>(lf::range<1>(10000), [=](std::size_t i) {
       if (i == 7777) {
         throw std::runtime_error("thrown on purpose");
       }
     }).wait();
  });
  EXPECT_MENTIONS(text, "thrown on purpose");
  EXPECT_MENTIONS(text, "named_kernel");
  expect_usable(q);
}

} // namespace
