// SPDX-License-Identifier: Apache-2.0
/// Specialization constants through handler and kernel_handler, alone and in kernel bundles; what bundles say about
/// kernels.
#include "specialization_copies.hpp"
#include "thrown.hpp"

#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

namespace lf = lanefold;

namespace {

struct point {
  int x = 1;
  double y = 2;
  constexpr point(int px, double py) : x(px), y(py) {}
};

constexpr lf::specialization_id<int> factor{3};
constexpr lf::specialization_id<float> without_arguments;
constexpr lf::specialization_id<point> origin(10, 0.5);

class named_kernel;
class other_kernel;
class never_submitted;

TEST(specialization_constants, have_defaults) {
  lf::queue q;
  std::vector<int> out(100, 0);
  int* const o = out.data();
  q.submit([&](lf::handler& h) {
     EXPECT_EQ(h.get_specialization_constant<factor>(), 3);
     h.parallel_for(lf::range<1>(100), [=](lf::id<1> i, lf::kernel_handler kh) {
       o[i] = static_cast<int>(i) * kh.get_specialization_constant<factor>() +
              static_cast<int>(kh.get_specialization_constant<without_arguments>()) +
              kh.get_specialization_constant<origin>().x;
     });
   }).wait();
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(out[static_cast<std::size_t>(i)], 3 * i + 10);
  }
}

/// Every kind of kernel gets them, each command its own.
TEST(specialization_constants, belong_to_the_command) {
  lf::queue q;
  std::array<std::vector<int>, 6> out;
  for (int value = 0; value < 20; ++value) {
    for (auto& o : out) {
      o.assign(64, -1);
    }
    const auto with = [&](auto launch) {
      q.submit([&](lf::handler& h) {
        h.set_specialization_constant<factor>(-5);
        h.set_specialization_constant<factor>(value);
        h.set_specialization_constant<origin>(point(value, 1.5 * value));
        EXPECT_EQ(h.get_specialization_constant<factor>(), value);
        EXPECT_EQ(h.get_specialization_constant<origin>().y, 1.5 * value);
        launch(h);
      });
    };
    const auto write = [](int* to, lf::kernel_handler kh) {
      *to = kh.get_specialization_constant<factor>() + kh.get_specialization_constant<origin>().x;
    };
    with([&, o = out[0].data()](lf::handler& h) {
      h.parallel_for(lf::range<1>(64), [=](lf::item<1> it, lf::kernel_handler kh) { write(o + it[0], kh); });
    });
    with([&, o = out[1].data()](lf::handler& h) {
      h.parallel_for<named_kernel>(lf::range<2>(8, 8),
                                   [=](lf::id<2> i, lf::kernel_handler kh) { write(o + 8 * i[0] + i[1], kh); });
    });
    with([&, o = out[2].data()](lf::handler& h) {
      h.parallel_for(lf::nd_range<1>(64, 16), [=](lf::nd_item<1> it, lf::kernel_handler kh) {
        lf::group_barrier(it.get_group());
        write(o + it.get_global_id(0), kh);
      });
    });
    with([&, o = out[3].data()](lf::handler& h) {
      h.single_task([=](lf::kernel_handler kh) {
        for (int i = 0; i < 64; ++i) {
          write(o + i, kh);
        }
      });
    });
    with([&, o = lf::view<int>(out[4].data(), 64)](lf::handler& h) {
      h.parallel_for(lf::nd_range<1>(64, 32), [=](auto it, lf::kernel_handler kh) { // lane-generic
        o[it.get_global_id(0)] = kh.get_specialization_constant<factor>() + kh.get_specialization_constant<origin>().x;
      });
    });
    with([&, o = out[5].data()](lf::handler& h) {
      h.parallel_for(lf::range<1>(64), lf::id<1>(100),
                     [=](lf::item<1> it, lf::kernel_handler kh) { write(o + it[0] - 100, kh); });
    });
    q.wait();
    for (std::size_t k = 0; k < out.size(); ++k) {
      EXPECT_EQ(std::count(out[k].begin(), out[k].end(), 2 * value), 64) << "kernel " << k;
    }
  }
}

template <class Space, class Kernel>
void expect_sum(const Space& space, const Kernel& kernel, int expected) {
  lf::queue q;
  int sum = 0;
  q.submit([&](lf::handler& h) {
     h.set_specialization_constant<factor>(5);
     h.parallel_for(space, lf::reduction(&sum, lf::plus<>()), kernel);
   }).wait_and_throw();
  EXPECT_EQ(sum, expected);
}

TEST(specialization_constants, stand_behind_reducers) {
  const auto value = [](lf::kernel_handler kh) { return static_cast<int>(kh.get_specialization_constant<factor>()); };
  expect_sum(lf::range<1>(300), [=](lf::id<1>, auto& sum, lf::kernel_handler kh) { sum += value(kh); }, 1500);
  expect_sum(lf::range<2>(3, 100), [=](lf::item<2>, auto& sum, lf::kernel_handler kh) { sum += value(kh); }, 1500);
  expect_sum(
      lf::nd_range<1>(300, 30), [=](lf::nd_item<1>, auto& sum, lf::kernel_handler kh) { sum += value(kh); }, 1500);
  // Lanes, and a kernel that takes anything, which gets the reducers alone.
  expect_sum(lf::range<1>(300), [=](auto it, auto& sum, lf::kernel_handler kh) { sum += it.var(value(kh)); }, 1500);
  expect_sum(
      lf::nd_range<1>(320, 32), [=](auto it, auto& sum, lf::kernel_handler kh) { sum += it.var(value(kh)); }, 1600);
  expect_sum(lf::range<1>(300), [](lf::id<1>, auto&... sums) { ((sums += 1), ...); }, 300);
}

TEST(specialization_constants, of_many_threads_do_not_mix) {
  std::vector<std::thread> threads;
  std::array<int, 4> wrong{};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t, &wrong] {
      lf::queue q;
      for (int i = 0; i < 200; ++i) {
        int got = 0;
        q.submit([&](lf::handler& h) {
           h.set_specialization_constant<factor>(1000 * t + i);
           h.single_task([&got](lf::kernel_handler kh) { got = kh.get_specialization_constant<factor>(); });
         }).wait();
        wrong[static_cast<std::size_t>(t)] += got == 1000 * t + i ? 0 : 1;
      }
    });
  }
  for (std::thread& t : threads) {
    t.join();
  }
  EXPECT_EQ(wrong, (std::array<int, 4>{}));
}

/// Messages name the program's kernel, not what the library makes of it.
TEST(specialization_constants, leave_the_name_of_the_kernel) {
  struct unnamed_kernel {
    void operator()(lf::item<1>, lf::kernel_handler) const { throw std::runtime_error("thrown on purpose"); }
  };
  lf::queue q;
  q.parallel_for(lf::range<1>(1), lf::id<1>(5), unnamed_kernel());
  try {
    q.wait();
    FAIL() << "nothing was thrown";
  } catch (const lf::exception& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("unnamed_kernel', work-item (5)"), std::string::npos) << text;
    EXPECT_EQ(text.find("handled"), std::string::npos) << text;
  }
}

TEST(kernel_ids, are_known_before_a_kernel_runs) {
  const std::vector<lf::kernel_id> all = lf::get_kernel_ids();
  const auto known = [&](const lf::kernel_id& id) { return std::count(all.begin(), all.end(), id) == 1; };
  EXPECT_TRUE(known(lf::get_kernel_id<named_kernel>()));
  EXPECT_TRUE(known(lf::get_kernel_id<never_submitted>()));
  EXPECT_EQ(lf::get_kernel_id<named_kernel>(), lf::get_kernel_id<named_kernel>());
  EXPECT_NE(lf::get_kernel_id<named_kernel>(), lf::get_kernel_id<other_kernel>());
  EXPECT_STREQ(lf::get_kernel_id<named_kernel>().get_name(), "named_kernel");
  EXPECT_EQ((std::unordered_set<lf::kernel_id>(all.begin(), all.end()).size()), all.size());
}

TEST(kernel_bundles, hold_the_kernels_that_were_asked_for) {
  using lf::bundle_state;
  const lf::context c;
  const auto all = lf::get_kernel_bundle<bundle_state::executable>(c);
  EXPECT_TRUE(all.has_kernel<named_kernel>());
  EXPECT_TRUE(all.has_kernel<other_kernel>(lf::device()));
  EXPECT_GE(all.get_kernel_ids().size(), 2U);
  EXPECT_EQ(all.get_context(), c);
  EXPECT_EQ(all.get_devices(), c.get_devices());
  EXPECT_FALSE(all.empty());
  const auto one = lf::get_kernel_bundle<named_kernel, bundle_state::executable>(c);
  EXPECT_TRUE(one.has_kernel(lf::get_kernel_id<named_kernel>()));
  EXPECT_FALSE(one.has_kernel<other_kernel>());
  EXPECT_TRUE(lf::get_kernel_bundle<bundle_state::input>(c, std::vector<lf::kernel_id>()).empty());
  EXPECT_TRUE((lf::has_kernel_bundle<bundle_state::executable>(c)));
  EXPECT_TRUE((lf::has_kernel_bundle<named_kernel, bundle_state::object>(c, c.get_devices())));
  EXPECT_TRUE(lf::is_compatible<named_kernel>(lf::device()));
  EXPECT_TRUE(lf::is_compatible({lf::get_kernel_id<named_kernel>(), lf::get_kernel_id<other_kernel>()}, lf::device()));
  EXPECT_EQ(code_thrown_by(
                [&] { std::ignore = lf::get_kernel_bundle<bundle_state::executable>(c, std::vector<lf::device>()); }),
            lf::errc::invalid);
  const auto joined = lf::join(std::vector{one, lf::get_kernel_bundle<other_kernel, bundle_state::executable>(c)});
  EXPECT_TRUE(joined.has_kernel<named_kernel>() && joined.has_kernel<other_kernel>());
  EXPECT_EQ(joined.get_kernel_ids().size(), 2U);
  EXPECT_EQ(code_thrown_by([&] {
              std::ignore = lf::join(std::vector{one, lf::get_kernel_bundle<bundle_state::executable>(lf::context())});
            }),
            lf::errc::invalid);
}

TEST(kernel_bundles, kernels_can_be_asked) {
  namespace query = lf::info::kernel_device_specific;
  const lf::queue q;
  const auto bundle = lf::get_kernel_bundle<lf::bundle_state::executable>(q.get_context());
  const lf::kernel k = bundle.get_kernel<named_kernel>();
  const lf::device d = q.get_device();
  EXPECT_EQ(k, bundle.get_kernel(lf::get_kernel_id<named_kernel>()));
  EXPECT_EQ(k.get_context(), q.get_context());
  EXPECT_EQ(k.get_kernel_bundle(), bundle);
  EXPECT_EQ(k.get_info<lf::info::kernel::function_name>(), "named_kernel");
  EXPECT_EQ(k.get_info<lf::info::kernel::context>(), q.get_context());
  EXPECT_EQ(k.get_info<query::work_group_size>(d), lf::device::max_work_group_size());
  EXPECT_EQ(k.get_info<query::preferred_work_group_size_multiple>(d),
            d.get_info<lf::info::device::native_vector_width_float>());
  EXPECT_EQ(k.get_info<query::max_num_sub_groups>(d), d.get_info<lf::info::device::max_num_sub_groups>());
  EXPECT_EQ(k.get_info<query::max_sub_group_size>(d), d.get_info<lf::info::device::sub_group_sizes>().back());
  EXPECT_EQ(k.get_info<query::compile_sub_group_size>(d), 0U);
  EXPECT_EQ(k.get_info<query::compile_work_group_size>(d), lf::range<3>(0, 0, 0));
  EXPECT_EQ(code_thrown_by([&] { std::ignore = k.get_info<query::global_work_size>(d); }), lf::errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { std::ignore = k.get_info<lf::info::kernel::num_args>(); }), lf::errc::invalid);
  const auto one = lf::get_kernel_bundle<named_kernel, lf::bundle_state::executable>(q.get_context());
  EXPECT_EQ(code_thrown_by([&] { std::ignore = one.get_kernel<other_kernel>(); }), lf::errc::invalid);
}

/// A bundle keeps the values that it was built with; commands that use it see them.
TEST(kernel_bundles, carry_specialization_constants) {
  lf::queue q;
  auto input = lf::get_kernel_bundle<lf::bundle_state::input>(q.get_context());
  EXPECT_EQ(input.get_specialization_constant<factor>(), 3);
  input.set_specialization_constant<factor>(42);
  const auto built = lf::build(input);
  const auto linked = lf::link(lf::compile(input));
  input.set_specialization_constant<factor>(43);
  EXPECT_EQ(built.get_specialization_constant<factor>(), 42);
  EXPECT_EQ(linked.get_specialization_constant<factor>(), 42);
  int got = 0;
  const auto run = [&](const auto& bundle) {
    q.submit([&](lf::handler& h) {
       h.use_kernel_bundle(bundle);
       EXPECT_THROW(static_cast<void>(h.get_specialization_constant<factor>()), lf::exception);
       h.single_task<other_kernel>([&got](lf::kernel_handler kh) { got = kh.get_specialization_constant<factor>(); });
     }).wait();
    return got;
  };
  EXPECT_EQ(run(built), 42);
  EXPECT_EQ(run(linked), 42);
  EXPECT_EQ(run(lf::build(input)), 43);
}

TEST(kernel_bundles, wrong_use_is_refused) {
  lf::queue q;
  const auto bundle = lf::get_kernel_bundle<named_kernel, lf::bundle_state::executable>(q.get_context());
  const auto foreign = lf::get_kernel_bundle<lf::bundle_state::executable>(lf::context());
  const auto submit = [&](auto group) { return code_thrown_by([&] { q.submit(group); }); };
  EXPECT_EQ(submit([&](lf::handler& h) {
              h.use_kernel_bundle(bundle);
              h.set_specialization_constant<factor>(1);
            }),
            lf::errc::invalid);
  EXPECT_EQ(submit([&](lf::handler& h) {
              h.set_specialization_constant<factor>(1);
              h.use_kernel_bundle(bundle);
            }),
            lf::errc::invalid);
  EXPECT_EQ(submit([&](lf::handler& h) {
              h.use_kernel_bundle(foreign);
              h.single_task<named_kernel>([] {});
            }),
            lf::errc::invalid);
  bool ran = false;
  EXPECT_EQ(submit([&](lf::handler& h) {
              h.use_kernel_bundle(bundle);
              h.single_task<other_kernel>([&ran] { ran = true; });
            }),
            lf::errc::kernel_not_supported);
  q.wait();
  EXPECT_FALSE(ran);
  EXPECT_EQ(submit([&](lf::handler& h) {
              h.use_kernel_bundle(bundle);
              h.single_task<named_kernel>([&ran] { ran = true; });
            }),
            lf::errc::success);
  q.wait();
  EXPECT_TRUE(ran);
}

class kernel_of_this_file;

/// The other half is in specialization_copies_test.cpp.
TEST(specialization_constants, are_one_in_the_other_file) {
  using specialization_copies::read_after_set;
  EXPECT_EQ((read_after_set<kernel_of_this_file, int>(false)), (std::array{10, 20, 3}));
  EXPECT_EQ((read_after_set<kernel_of_this_file, int>(true)), (std::array{10, 20, 3}));
}

} // namespace
