// SPDX-License-Identifier: Apache-2.0
// LANEFOLD_EXPLAIN=1: each launch on the CPU says how it was run.
#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace lf = lanefold;

namespace {

/// What the queue that `submit` is given says of its launches, on one thread.
template <class Submit>
std::string said(const Submit& submit) {
  setenv("LANEFOLD_EXPLAIN", "1", 1);
  testing::internal::CaptureStderr();
  lf::queue q{lf::property_list{lf::property::threads{1}}};
  submit(q);
  q.wait();
  unsetenv("LANEFOLD_EXPLAIN");
  return testing::internal::GetCapturedStderr();
}

void expect_says(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "expected \"" << part << "\" in: " << text;
}

const auto nothing = [](auto) {};

TEST(explanation, of_a_default) {
  const std::string text =
      said([](lf::queue& q) { q.parallel_for<class filled>(lf::nd_range<1>(4096, 256), [](auto) {}); });
  expect_says(text, "filled' in 16 groups of (256), simd<" + std::to_string(4 * lf::detail::native_lanes) +
                        ">, the default for rows of 256 work-items; " +
                        std::to_string(256 / (4 * lf::detail::native_lanes)) + " units a group");
  expect_says(text, "; 1 thread ran 16 groups in ");
  EXPECT_EQ(text.find("lanefold: kernel '"), 0U) << text;
  EXPECT_EQ(text.find('\n'), text.size() - 1) << text;
}

TEST(explanation, of_barriers) {
  const auto with_barrier = [](lf::nd_item<1> it) { lf::group_barrier(it.get_group()); };
  const std::string met = said([&](lf::queue& q) { q.parallel_for(lf::nd_range<1>(60, 20), with_barrier); });
  expect_says(met, "in 3 groups of (20), scalar, as the kernel spells its item; 20 units a group; units met at "
                   "barriers, on stacks of their own; 1 thread ran 3 groups in ");
  const std::string not_met =
      said([](lf::queue& q) { q.parallel_for(lf::nd_range<1>(60, 20), [](lf::nd_item<1>) {}); });
  expect_says(not_met, "no barrier was met");
  const std::string alone = said([&](lf::queue& q) { q.parallel_for(lf::nd_range<1>(3, 1), with_barrier); });
  expect_says(alone, "1 unit a group; barriers cost nothing, as a group is one unit");
}

TEST(explanation, of_masked_units) {
  const std::string asked = said([](lf::queue& q) {
    q.parallel_for(lf::nd_range<1>(40, 20), lf::properties(lf::property::strategy<lf::simd<8>>()), nothing);
  });
  expect_says(asked, "simd<8>, as the launch asks; 3 units a group, 1 of them masked");
  const std::string rows = said([](lf::queue& q) {
    q.parallel_for(lf::nd_range<2>({12, 8}, {6, 8}), lf::properties(lf::property::strategy<lf::simd<4, 8>>()), nothing);
  });
  expect_says(rows, "in 2 groups of (6, 8), simd<4, 8>, as the launch asks; 2 units a group, 1 of them masked");
}

#if defined(LANEFOLD_CHECKED)
TEST(explanation, of_gathers_and_scatters) {
  constexpr std::size_t n = 64;
  std::vector<float> x(2 * n, 1), y(2 * n);
  std::vector<unsigned> order(n);
  for (unsigned i = 0; i < n; ++i) {
    order[i] = i ^ 5;
  }
  const auto of = [&](const auto& kernel) {
    return said([&](lf::queue& q) {
      q.parallel_for(lf::nd_range<1>(n, 32), lf::properties(lf::property::strategy<lf::simd<16>>()), kernel);
    });
  };
  const lf::view<const float> in(x.data(), x.size());
  const lf::view<float> out(y.data(), y.size());
  const lf::view<const unsigned> table(order.data(), n);
  // Two units a group, two groups.
  expect_says(of([=](auto it) { out[it.get_global_id(0)] = in[it.get_global_id(0)] + in[0]; }),
              "2 units a group; no barrier was met; 0 gathers and 0 scatters; 1 thread ran");
  expect_says(of([=](auto it) { out[it.get_global_id(0)] = in[table[it.get_global_id(0)]]; }),
              "4 gathers and 0 scatters");
  expect_says(of([=](auto it) { out[table[it.get_global_id(0)]] = in[it.get_global_id(0)]; }),
              "0 gathers and 4 scatters");
  expect_says(of([=](auto it) { out[table[it.get_global_id(0)]] += 1.F; }), "4 gathers and 4 scatters");
  expect_says(of([=](auto it) { out[2 * it.get_global_id(0)] = 1.F; }), "0 gathers and 4 scatters");
  expect_says(of([=](auto it) {
                const auto i = it.get_global_id(0);
                it.if_(i > 3, [&] { out[i] = in[i - 3]; }); // lanes that are off make no gaps
              }),
              "0 gathers and 0 scatters");
}

TEST(explanation, of_gathers_on_several_threads) {
  constexpr std::size_t n = 1 << 16;
  std::vector<float> y(2 * n);
  const lf::view<float> out(y.data(), y.size());
  setenv("LANEFOLD_EXPLAIN", "1", 1);
  testing::internal::CaptureStderr();
  lf::queue q{lf::property_list{lf::property::threads{4}}};
  q.parallel_for(lf::range<1>(n), lf::properties(lf::property::strategy<lf::simd<16>>()),
                 [=](auto it) { out[2 * it.get_id(0)] = 1.F; });
  q.wait();
  unsetenv("LANEFOLD_EXPLAIN");
  expect_says(testing::internal::GetCapturedStderr(), "0 gathers and " + std::to_string(n / 16) + " scatters");
}
#endif

TEST(explanation, of_a_size_known_at_compile_time) {
  const std::string text = said([](lf::queue& q) {
    q.parallel_for(lf::nd_range<1>(32, 4), lf::properties(lf::property::work_group_size<4>()), nothing);
  });
  expect_says(text, "simd<4>, by the group size known at compile time; 1 unit a group; barriers are gone");
}

TEST(explanation, of_ranges_reductions_and_tasks) {
  const std::string range = said([](lf::queue& q) { q.parallel_for(lf::range<2>(3, 100), nothing); });
  expect_says(range, "over the range (3, 100), simd<" + std::to_string(2 * lf::detail::native_lanes) +
                         ">, the default for ranges; ");
  expect_says(range, "; 1 thread ran ");
  int sum = 0;
  lf::buffer<int> result(&sum, lf::range<1>(1));
  const std::string reduction = said([&](lf::queue& q) {
    q.submit([&](lf::handler& h) {
      h.parallel_for(lf::range<1>(10000), lf::reduction(result, h, lf::plus<>()),
                     [](lf::item<1>, auto& total) { total += 1; });
    });
  });
  expect_says(reduction, "over the range (10000), scalar, as the kernel spells its item; reduced in chunks of ");
  const std::string task = said([](lf::queue& q) { q.single_task([] {}); });
  expect_says(task, "as a single task; 1 thread ran 1 task in ");
}

TEST(explanation, of_nothing_else) {
  std::vector<int> data(10);
  EXPECT_EQ(said([&](lf::queue& q) {
              q.fill(data.data(), 1, data.size());
              q.submit([](lf::handler& h) { h.host_task([] {}); });
              q.parallel_for(lf::range<1>(0), nothing);
              q.ext_oneapi_submit_barrier();
            }),
            "");
  testing::internal::CaptureStderr();
  lf::queue().parallel_for(lf::range<1>(10), nothing).wait();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

/// The units of a group are counted as they are laid out.
template <class Lanes, int D>
void expect_counts(const lf::range<D>& local) {
  const lf::detail::launch_description told =
      lf::detail::describe_groups(lf::nd_range<D>(local, local), Lanes::rows, Lanes::columns);
  const lf::detail::unit_layout<D> layout(local, Lanes::rows, Lanes::columns);
  std::size_t masked = 0;
  for (unsigned unit = 0; unit < layout.size(); ++unit) {
    masked += layout.origin(unit).lanes != Lanes::size ? 1 : 0;
  }
  EXPECT_EQ(told.units, layout.size());
  EXPECT_EQ(told.masked_units, masked);
}

TEST(explanation, counts_units) {
  for (const std::size_t width : {1, 7, 8, 9, 16, 100}) {
    expect_counts<lf::simd<8>>(lf::range<1>(width));
    expect_counts<lf::simd<8>>(lf::range<2>(3, width));
    expect_counts<lf::simd<8>>(lf::range<3>(2, 3, width));
  }
  for (const std::size_t height : {1, 3, 4, 5, 8}) {
    expect_counts<lf::simd<4, 8>>(lf::range<2>(height, 8));
    expect_counts<lf::simd<4, 8>>(lf::range<3>(3, height, 8));
  }
}

} // namespace
