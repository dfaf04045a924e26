// SPDX-License-Identifier: Apache-2.0
/// <CL/sycl.hpp>: what oneAPI's compiler had before SYCL 2020, and class program of SYCL 1.2.1.
#include <CL/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace {

namespace ONEAPI = cl::sycl::ONEAPI;
using namespace cl::sycl;

static_assert(std::is_same_v<ONEAPI::sub_group, sub_group> && std::is_same_v<cl::sycl::intel::plus<int>, plus<int>>);
static_assert(std::is_same_v<cl::sycl::ext::oneapi::minimum<int>, minimum<int>>);

constexpr std::size_t local = 48; // one and a half sub-groups
constexpr std::size_t global = 2 * local;

/// Runs `kernel(item, i)` for each work-item, whose results become the elements of the vector.
template <class T, class Kernel>
std::vector<T> of_work_items(const Kernel& kernel) {
  std::vector<T> results(global);
  queue q;
  T* const out = results.data();
  q.parallel_for(nd_range<1>(global, local), [=](nd_item<1> it) {
     out[it.get_global_linear_id()] = kernel(it, static_cast<int>(it.get_global_linear_id()));
   }).wait();
  return results;
}

/// What `first + … + last` is.
int sum(int first, int last) { return (first + last) * (last - first + 1) / 2; }

TEST(before_2020, values_of_work_groups) {
  const auto r = of_work_items<int>([](nd_item<1> it, int i) {
    const group<1> g = it.get_group();
    const int begin = static_cast<int>(g.get_group_linear_id() * local);
    const int all = ONEAPI::reduce(g, i, ONEAPI::plus<>());
    const int more = ONEAPI::reduce(g, i, 1000, ONEAPI::maximum<int>());
    const int before = ONEAPI::exclusive_scan(g, i, ONEAPI::plus<int>());
    const int before10 = ONEAPI::exclusive_scan(g, i, 10, ONEAPI::plus<int>());
    const int with = ONEAPI::inclusive_scan(g, i, ONEAPI::plus<int>());
    const int with10 = ONEAPI::inclusive_scan(g, i, ONEAPI::plus<int>(), 10);
    const int last = begin + static_cast<int>(local) - 1;
    int wrong = all == (begin + last) * static_cast<int>(local) / 2 ? 0 : 1;
    wrong += more == 1000 ? 0 : 2;
    wrong += before10 == before + 10 && with10 == with + 10 && with == before + i ? 0 : 4;
    wrong += 2 * with == (begin + i) * (i - begin + 1) ? 0 : 8;
    wrong += ONEAPI::broadcast(g, i) == begin && ONEAPI::broadcast(g, i, 5) == begin + 5 &&
                     ONEAPI::broadcast(g, i, id<1>(7)) == begin + 7
                 ? 0
                 : 16;
    wrong += ONEAPI::leader(g) == (i == begin) ? 0 : 32;
    wrong += ONEAPI::any_of(g, i == last) && !ONEAPI::all_of(g, i == last) && !ONEAPI::none_of(g, i == last) ? 0 : 64;
    const auto is_even = [](int x) { return x % 2 == 0; };
    wrong +=
        ONEAPI::any_of(g, i, is_even) && !ONEAPI::all_of(g, i, is_even) && ONEAPI::none_of(g, 1, is_even) ? 0 : 128;
    return wrong;
  });
  EXPECT_EQ(r, std::vector<int>(global, 0));
}

TEST(before_2020, values_of_sub_groups) {
  const auto r = of_work_items<int>([](nd_item<1> it, int i) {
    const ONEAPI::sub_group g = it.get_sub_group();
    return cl::sycl::intel::reduce(g, i, cl::sycl::intel::minimum<int>()) +
           1000 * ONEAPI::inclusive_scan(g, 1, std::plus<>()) - ONEAPI::broadcast(g, i, g.get_local_range()[0] - 1);
  });
  for (std::size_t i = 0; i < global; ++i) {
    const std::size_t l = i % local % 32;
    const int size = i % local < 32 ? 32 : 16;
    EXPECT_EQ(r[i], 1000 * static_cast<int>(l + 1) - size + 1) << i;
  }
}

TEST(before_2020, ranges_of_a_group) {
  std::vector<int> input(1000);
  std::iota(input.begin(), input.end(), 1);
  std::vector<int> scans(4 * input.size());
  buffer<int> from(input.data(), input.size());
  queue q;
  int results[3] = {};
  int* const r = results;
  int* const s = scans.data();
  q.submit([&](handler& h) {
     const auto in = from.get_access<access::mode::read>(h);
     h.parallel_for(nd_range<1>(local, local), [=](nd_item<1> it) {
       const group<1> g = it.get_group();
       const auto first = in.get_pointer();
       const auto last = first + 1000;
       const int all = ONEAPI::reduce(g, first, last, ONEAPI::plus<int>());
       const int more = cl::sycl::ext::oneapi::reduce(g, first, last, 7, ONEAPI::plus<int>());
       ONEAPI::exclusive_scan(g, first, last, global_ptr<int>(s), ONEAPI::plus<int>());
       ONEAPI::exclusive_scan(g, first, last, global_ptr<int>(s + 1000), 5, ONEAPI::plus<int>());
       ONEAPI::inclusive_scan(g, first, last, s + 2000, ONEAPI::plus<int>());
       ONEAPI::inclusive_scan(g, first, last, s + 3000, ONEAPI::plus<int>(), 5);
       const auto is_large = [](int x) { return x > 999; };
       const bool votes = ONEAPI::any_of(g, first, last, is_large) && !ONEAPI::all_of(g, first, last, is_large) &&
                          !ONEAPI::none_of(g, first, last, is_large);
       if (cl::sycl::ext::oneapi::leader(g)) {
         r[0] = all;
         r[1] = more;
         r[2] = votes ? 1 : 0;
       }
     });
   }).wait();
  EXPECT_EQ(results[0], sum(1, 1000));
  EXPECT_EQ(results[1], sum(1, 1000) + 7);
  EXPECT_EQ(results[2], 1);
  EXPECT_EQ(cl::sycl::ext::intel::ctz(8U), 3U);
  for (int i = 0; i < 1000; ++i) {
    const auto at = static_cast<std::size_t>(i);
    ASSERT_EQ(scans[at], sum(0, i));
    ASSERT_EQ(scans[at + 1000], sum(0, i) + 5);
    ASSERT_EQ(scans[at + 2000], sum(0, i + 1));
    ASSERT_EQ(scans[at + 3000], sum(0, i + 1) + 5);
  }
}

template <access::mode Mode, int D>
int reduce_into_accessor(int before) {
  buffer<int> variable(range<1>(1));
  variable.get_access<access::mode::write>()[0] = before;
  queue q;
  q.submit([&](handler& h) {
    const accessor<int, D, Mode, access::target::global_buffer> out(variable, h);
    h.parallel_for(nd_range<1>(global, local), ONEAPI::reduction(out, 0, ONEAPI::plus<int>()),
                   [=](nd_item<1> it, auto& total) { total += static_cast<int>(it.get_global_linear_id()); });
  });
  return variable.get_access<access::mode::read>()[0];
}

TEST(before_2020, reductions_into_accessors) {
  const int all = sum(0, static_cast<int>(global) - 1);
  EXPECT_EQ((reduce_into_accessor<access::mode::read_write, 1>(100)), all + 100);
  EXPECT_EQ((reduce_into_accessor<access::mode::read_write, 0>(100)), all + 100);
  EXPECT_EQ((reduce_into_accessor<access::mode::discard_write, 1>(100)), all);
  EXPECT_EQ((reduce_into_accessor<access::mode::discard_write, 0>(100)), all);

  buffer<int> variable(range<1>(1));
  const accessor<int, 1, access::mode::discard_write, access::target::global_buffer, access::placeholder::true_t> out(
      variable);
  queue().submit([&](handler& h) {
    h.require(out);
    h.parallel_for(nd_range<1>(global, local), ONEAPI::reduction(out, ONEAPI::maximum<int>()),
                   [=](nd_item<1> it, auto& largest) { largest.combine(static_cast<int>(it.get_global_linear_id())); });
  });
  EXPECT_EQ(variable.get_access<access::mode::read>()[0], static_cast<int>(global) - 1);
}

TEST(before_2020, loads_and_stores_of_sub_groups) {
  std::vector<float> x(global);
  std::iota(x.begin(), x.end(), 0.5F);
  std::vector<float> y(global);
  const float* const in = x.data();
  float* const out = y.data();
  queue()
      .parallel_for(nd_range<1>(64, 64),
                    [=](nd_item<1> it) {
                      const sub_group g = it.get_sub_group();
                      if (g.get_group_linear_id() == 0) {
                        const multi_ptr<const volatile float, access::address_space::global_space> from(in);
                        const multi_ptr<float, access::address_space::global_space> to(out);
                        g.store<float>(to, 2 * g.load<const volatile float>(from));
                        g.store<2, float>(to + 32, g.load<2, const float>(in + 32) * 3.F);
                      }
                    })
      .wait();
  for (std::size_t i = 0; i < global; ++i) {
    EXPECT_EQ(y[i], x[i] * (i < 32 ? 2.F : 3.F));
  }
}

TEST(before_2020, accessors_of_atomic_elements) {
  buffer<int, 2> counts(range<2>(2, 3));
  std::vector<int> last(2, 0);
  int* const l = last.data();
  queue q;
  q.submit([&](handler& h) {
     const accessor out(counts, h, write_only, no_init);
     h.parallel_for(range<2>(2, 3), [=](id<2> i) { out[i] = 0; });
   }).wait();
  q.submit([&](handler& h) {
     const ONEAPI::atomic_accessor all(counts, h, ONEAPI::relaxed_order, ONEAPI::device_scope);
     static_assert(std::is_same_v<decltype(all[id<2>()]), atomic_ref<int, memory_order::relaxed, memory_scope::device,
                                                                     access::address_space::global_space>>);
     const ONEAPI::atomic_accessor<int, 1, memory_order::relaxed, memory_scope::work_group, access::target::local> own(
         range<1>(1), h);
     h.parallel_for(nd_range<1>(global, local), [=](nd_item<1> it) {
       all[id<2>(1, it.get_global_id(0) % 3)].fetch_add(1);
       if (it.get_local_id(0) == 0) {
         own[0].store(0);
       }
       it.barrier();
       const int before = own[0].fetch_add(2);
       if (before == 2 * static_cast<int>(local) - 2) {
         l[it.get_group(0)] = before;
       }
     });
   }).wait();
  const auto found = counts.get_access<access::mode::read>();
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ((found[id<2>(0, i)]), 0);
    EXPECT_EQ((found[id<2>(1, i)]), static_cast<int>(global / 3));
  }
  EXPECT_EQ(last, std::vector<int>(2, 2 * static_cast<int>(local) - 2));
}

TEST(before_2020, work_items_that_are_asked_for) {
  // A program that asks has this from the start; sycl_extensions_test.cpp takes it back for the other tests of this
  // one.
  std::atomic<bool>& asked = lanefold::detail::work_items_are_asked_for;
  const bool before = asked.exchange(true);
  const auto r = of_work_items<int>([](nd_item<1>, int) {
    return static_cast<int>(this_nd_item<1>().get_global_linear_id() + this_group<1>().get_group_linear_id() +
                            ONEAPI::this_sub_group().get_group_linear_id());
  });
  asked = before;
  for (std::size_t i = 0; i < global; ++i) {
    EXPECT_EQ(r[i], static_cast<int>(i + i / local + i % local / 32));
  }
}

TEST(before_2020, properties_of_accessors_and_buffers) {
  using pinned = ext::oneapi::property::buffer::use_pinned_host_memory;
  buffer<int> b(range<1>(1), {pinned()});
  EXPECT_TRUE(b.has_property<pinned>());
  queue q;
  q.submit([&](handler& h) {
    const ONEAPI::accessor_property_list properties{INTEL::buffer_location<1>, no_init};
    const accessor out(b, h, write_only, properties);
    EXPECT_TRUE(out.has_property<property::no_init>());
    h.single_task([=] { out[0] = 4; });
  });
  q.submit([&](handler& h) {
    const accessor out(b, h, read_write, ONEAPI::accessor_property_list{INTEL::buffer_location<2>});
    EXPECT_FALSE(out.has_property<property::no_init>());
    h.single_task([=] { ++out[0]; });
  });
  EXPECT_EQ(b.get_access<access::mode::read>()[0], 5);
}

TEST(before_2020, names_of_host_tasks_and_barriers) {
  buffer<int> b = range<1>(1); // the constructor is not explicit
  queue q;
  const event written = q.submit([&](handler& h) {
    const auto out = b.get_access<access::mode::discard_write, access::target::host_buffer>(h);
    h.codeplay_host_task([=] { out[0] = 5; });
  });
  q.submit([&](handler& h) { h.barrier({written}); });
  q.submit([&](handler& h) {
    const accessor<int, 1, access::mode::read_write, access::target::host_buffer> a(b, h);
    h.run_on_host_intel([=] { a[0] *= 7; });
  });
  int later = 0;
  int* const l = &later;
  q.single_task([=] { *l = 1; });
  const event all = q.submit_barrier();
  q.submit([&](handler& h) { h.barrier(); });
  q.submit_barrier({all}).wait();
  EXPECT_EQ(later, 1);
  EXPECT_EQ(b.get_access<access::mode::read>()[0], 35);
}

class adds_one;
class never_run;

TEST(program, tells_about_kernels_and_lets_them_run) {
  queue q;
  program p(q.get_context());
  EXPECT_EQ(p.get_state(), info::program_state::none);
  EXPECT_FALSE(p.has_kernel<adds_one>());
  EXPECT_THROW(static_cast<void>(p.get_kernel<adds_one>()), exception);
  EXPECT_THROW(p.link(), exception);
  p.build_with_kernel_type<adds_one>("-cl-fast-relaxed-math");
  EXPECT_EQ(p.get_state(), info::program_state::linked);
  EXPECT_EQ(p.get_build_options(), "-cl-fast-relaxed-math");
  EXPECT_TRUE(p.has_kernel<adds_one>());
  EXPECT_FALSE(p.has_kernel<never_run>());
  EXPECT_THROW(static_cast<void>(p.get_kernel<never_run>()), exception);
  const program same = p;
  EXPECT_EQ(same, p);
  EXPECT_FALSE(program(q.get_context()) == p);
  EXPECT_EQ(p.get_devices(), q.get_context().get_devices());

  const kernel k = p.get_kernel<adds_one>();
  const std::size_t most = k.get_work_group_info<info::kernel_work_group::work_group_size>(q.get_device());
  EXPECT_EQ(most, k.get_info<info::kernel_device_specific::work_group_size>(q.get_device()));

  program separately(q.get_context(), q.get_context().get_devices());
  separately.compile_with_kernel_type<never_run>();
  EXPECT_EQ(separately.get_state(), info::program_state::compiled);
  EXPECT_THROW(static_cast<void>(separately.get_kernel<never_run>()), exception);
  separately.link();
  const kernel other = separately.get_kernel<never_run>();
  separately.build_with_kernel_type<adds_one>(); // one more
  EXPECT_TRUE(separately.has_kernel<adds_one>() && separately.has_kernel<never_run>());
  namespace asked = info::kernel_sub_group;
  EXPECT_EQ(k.get_sub_group_info<asked::max_sub_group_size>(q.get_device()), 32U);
  EXPECT_EQ(k.get_sub_group_info<asked::max_sub_group_size_for_ndrange>(q.get_device(), range<3>(1, 4, 8)), 32U);
  EXPECT_EQ(k.get_sub_group_info<asked::compile_sub_group_size>(q.get_device()), 0U);

  std::vector<int> x(global, 1);
  int* const out = x.data();
  q.submit([&](handler& h) { h.parallel_for<adds_one>(k, range<1>(global), [=](id<1> i) { out[i] += 1; }); }).wait();
  q.submit([&](handler& h) {
     h.parallel_for(k, nd_range<1>(global, local), [=](nd_item<1> it) { out[it.get_global_linear_id()] *= 3; });
   }).wait();
  EXPECT_EQ(x, std::vector<int>(global, 6));
  q.submit([&](handler& h) { h.single_task<never_run>(other, [=] { out[0] = 9; }); }).wait();
  EXPECT_EQ(x[0], 9);
}

} // namespace
