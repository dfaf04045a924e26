// SPDX-License-Identifier: Apache-2.0
// Ranges without work-items, and memory without elements that kernels capture and do not access.
#include "testing.hpp"

namespace {

using namespace recorded_testing;

/// `program(queue)` runs on the CPU and on every OpenCL device.
template <class Program>
void expect_success_everywhere(const Program& program) {
  std::vector<lf::queue> queues{lf::queue()};
  for (const gpu::device& device : gpu::devices()) {
    queues.emplace_back(device);
  }
  for (lf::queue& q : queues) {
    std::string text;
    const auto run = [&] {
      program(q);
      q.wait_and_throw();
    };
    EXPECT_EQ(code_thrown_by(run, &text), lf::errc::success)
        << q.get_device().get_info<lf::info::device::name>() << text;
  }
}

constexpr lf::property::strategy<lf::simd<8>> one_strategy;
const std::size_t none = 0;

TEST(recorded_empty_memory, in_ranges_without_work_items) {
  LANEFOLD_NEED_OPENCL();
  expect_success_everywhere([](lf::queue& q) {
    lf::buffer<int> empty{lf::range<1>(none)}, some{lf::range<1>(10)};
    q.submit([&](lf::handler& h) {
      const lf::accessor a(empty, h, lf::write_only);
      const lf::accessor part(some, h, lf::range<1>(none), lf::id<1>(3));
      const lf::view<int> nothing(nullptr, none);
      h.parallel_for(lf::range<1>(none), one_strategy, [=](auto it) { a[it] = part[it] + nothing[it]; });
    });
    q.submit([&](lf::handler& h) {
      const lf::accessor a(some, h);
      const lf::local_accessor<int> tile(none, h);
      h.parallel_for(lf::nd_range<1>(none, 4), one_strategy, [=](auto it) { a[it.get_global_id(0)] = tile[0]; });
    });
    q.parallel(lf::range<1>(none), lf::range<1>(4), [=](auto) {});
  });
}

TEST(recorded_empty_memory, ranges_without_work_items_have_their_place_in_the_order) {
  LANEFOLD_NEED_OPENCL();
  expect_success_everywhere([](lf::queue& q) {
    lf::buffer<int> x{lf::range<1>(64)};
    q.submit([&](lf::handler& h) {
      const lf::accessor a(x, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::range<1>(64), one_strategy, [=](auto it) { a[it] = 5; });
    });
    const lf::event nothing = q.submit([&](lf::handler& h) {
      const lf::accessor a(x, h);
      h.parallel_for(lf::range<1>(none), one_strategy, [=](auto it) { a[it] = 6; });
    });
    std::vector<int> out(64);
    q.submit([&](lf::handler& h) {
      h.depends_on(nothing);
      h.copy(lf::accessor(x, h, lf::read_only), out.data());
    });
    q.wait();
    EXPECT_EQ(out, std::vector<int>(64, 5));
  });
}

TEST(recorded_empty_memory, a_reduction_over_nothing_is_its_start) {
  LANEFOLD_NEED_OPENCL();
  expect_success_everywhere([](lf::queue& q) {
    const auto run = [&](const lf::property_list& how) {
      int sum = 4;
      {
        lf::buffer<int> result(&sum, lf::range<1>(1)), empty{lf::range<1>(none)};
        q.submit([&](lf::handler& h) {
          const lf::accessor a(empty, h, lf::read_only);
          h.parallel_for(lf::range<1>(none), lf::reduction(result, h, lf::plus<>(), how), one_strategy,
                         [=](auto it, auto& s) { s += a[it]; });
        });
      }
      return sum;
    };
    EXPECT_EQ(run({}), 4);
    EXPECT_EQ(run({lf::property::reduction::initialize_to_identity()}), 0);
  });
}

/// `program(queue, launch property, out, sum)` launches kernels which call `sum(it, x)` for memory without elements.
template <class Program>
void expect_sums_of_nothing(Program program) {
  LANEFOLD_NEED_OPENCL();
  expect_same_everywhere<int>(64, [&](lf::queue& q, auto how, lf::buffer<int>& out) {
    for (int launches = 0; launches < 4; ++launches) { // the third one is known
      program(q, how, out, [count = none](auto& it, const auto& x) {
        auto sum = it.var(3);
        it.for_(std::size_t{0}, count, [&](auto k) { sum += x[k]; });
        return sum;
      });
    }
  });
}

TEST(recorded_empty_memory, of_buffers) {
  expect_sums_of_nothing([](lf::queue& q, auto how, lf::buffer<int>& out, auto sum) {
    lf::buffer<int> empty{lf::range<1>(none)};
    lf::buffer<int, 2> some{lf::range<2>(10, 10)}, no_rows{lf::range<2>(none, 10)};
    q.submit([&](lf::handler& h) {
      const lf::accessor a(empty, h, lf::read_only), written(empty, h);
      const lf::accessor part(some, h, lf::range<2>(none, 4), lf::id<2>(3, 2), lf::read_only);
      const lf::accessor rows(no_rows, h, lf::read_only);
      const lf::accessor y(out, h, lf::write_only);
      h.parallel_for(lf::range<1>(64), how, [=](auto it) {
        it.for_(std::size_t{0}, none, [&](auto k) {
          written[k] = 1;
          y[k] = part[k][2] + rows[k][2] + rows[1][k];
        });
        y[it] = sum(it, a);
      });
    });
  });
}

TEST(recorded_empty_memory, of_views) {
  expect_sums_of_nothing([](lf::queue& q, auto how, lf::buffer<int>& out, auto sum) {
    int* const allocated = lf::malloc_device<int>(none, q);
    int* const some = lf::malloc_device<int>(4, q);
    const lf::view<const int> a(nullptr, none), b(allocated, none), end(some + 4, none);
    q.submit([&](lf::handler& h) {
      const lf::accessor y(out, h, lf::write_only);
      h.parallel_for(lf::range<1>(64), how, [=](auto it) { y[it] = sum(it, a) + sum(it, b) + sum(it, end); });
    });
    q.wait();
    lf::free(allocated, q);
    lf::free(some, q);
  });
}

TEST(recorded_empty_memory, of_work_groups) {
  for (const std::size_t more : {0, 8}) {
    expect_sums_of_nothing([more](lf::queue& q, auto how, lf::buffer<int>& out, auto sum) {
      q.submit([&](lf::handler& h) {
        const lf::local_accessor<int> tile(more, h), empty(none, h);
        const lf::accessor y(out, h, lf::write_only);
        h.parallel_for(lf::nd_range<1>(64, 8), how, [=](auto it) {
          if (more != 0) {
            tile[it.get_local_id(0)] = 1;
          }
          y[it.get_global_id(0)] =
              sum(it, empty) + lf::joint_reduce(it.get_group(), empty.begin(), empty.end(), 2, lf::plus<>());
        });
      });
    });
  }
}

TEST(recorded_empty_memory, elements_behind_a_null_pointer_are_an_error) {
  LANEFOLD_NEED_OPENCL();
  lf::queue q(gpu::devices().front());
  const lf::view<int> x(nullptr, 10);
  std::string text;
  EXPECT_EQ(code_thrown_by([&] { q.parallel_for(lf::range<1>(10), one_strategy, [=](auto it) { x[it] = 1; }); }, &text),
            lf::errc::kernel_argument);
  EXPECT_NE(text.find("null pointer"), text.npos) << text;
}

} // namespace
