// SPDX-License-Identifier: Apache-2.0
/// Names of oneAPI's compiler that programs find with <sycl/sycl.hpp>: those of before SYCL 2020 in ext::oneapi,
/// properties of accessors and variables, operators of reductions as programs write them.
#include <sycl/ext/oneapi/accessor_property_list.hpp>
#include <sycl/ext/oneapi/atomic_ref.hpp>
#include <sycl/ext/oneapi/device_global/device_global.hpp>
#include <sycl/ext/oneapi/experimental/group_helpers_sorters.hpp>
#include <sycl/ext/oneapi/experimental/group_sort.hpp>
#include <sycl/ext/oneapi/experimental/sycl_complex.hpp>
#include <sycl/ext/oneapi/experimental/user_defined_reductions.hpp>
#include <sycl/ext/oneapi/functional.hpp>
#include <sycl/ext/oneapi/group_algorithm.hpp>
#include <sycl/ext/oneapi/reduction.hpp>
#include <sycl/ext/oneapi/sub_group.hpp>
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <vector>

namespace {

namespace oneapi = sycl::ext::oneapi;
namespace experimental = oneapi::experimental;

constexpr std::size_t size = 48;

TEST(oneapi_names, of_group_functions) {
  std::vector<int> in(size), out(6);
  std::iota(in.begin(), in.end(), 1);
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(size, size), [=, x = in.data(), o = out.data()](sycl::nd_item<1> it) {
     using namespace sycl::ext::oneapi;
     const auto g = it.get_group();
     const int mine = x[it.get_local_id(0)];
     const int sum = reduce(g, mine, oneapi::plus<>());
     const int before = exclusive_scan(g, mine, oneapi::plus<int>());
     const int with = inclusive_scan(it.get_sub_group(), mine, oneapi::maximum<int>());
     const int first = broadcast(g, mine, 7);
     const bool any = any_of(g, mine == 5);
     const bool all = all_of(it.get_sub_group(), mine > 0);
     if (it.get_local_id(0) == size - 1) {
       o[0] = sum;
       o[1] = before;
       o[2] = with;
       o[3] = first;
       o[4] = any && all && !none_of(g, true) ? 1 : 0;
       oneapi::atomic_ref<int, oneapi::memory_order::relaxed, oneapi::memory_scope::device>(o[5]).fetch_add(3);
     } else {
       none_of(g, true);
     }
   }).wait();
  EXPECT_EQ(out, (std::vector<int>{1176, 1128, 48, 8, 1, 3}));
}

TEST(oneapi_names, of_properties_of_accessors) {
  std::vector<int> values(size, 1);
  {
    sycl::buffer<int> b(values.data(), size);
    sycl::queue q;
    q.submit([&](sycl::handler& h) {
      const oneapi::accessor_property_list properties{oneapi::no_alias, sycl::ext::intel::buffer_location<1>};
      const sycl::accessor a(b, h, sycl::read_write, properties);
      EXPECT_FALSE(a.has_property<sycl::property::no_init>());
      h.parallel_for(size, [=](sycl::id<1> i) { a[i] += static_cast<int>(i[0]); });
    });
    q.submit([&](sycl::handler& h) {
      const sycl::accessor a(b, h, sycl::write_only, oneapi::accessor_property_list{sycl::no_init, oneapi::no_offset});
      EXPECT_TRUE(a.has_property<sycl::property::no_init>());
      h.single_task([=] { a[0] = 7; });
    });
    q.submit([&](sycl::handler& h) {
      const sycl::accessor a(b, h, oneapi::accessor_property_list<>{});
      h.single_task([=] { a[0] += 1; });
    });
  }
  EXPECT_EQ(values[0], 8);
  EXPECT_EQ(values[47], 48);
}

struct pair_of_numbers {
  int a, b;
};
experimental::device_global<pair_of_numbers, decltype(experimental::properties{experimental::device_image_scope})> pair;
experimental::device_global<pair_of_numbers*> to_pair;

TEST(oneapi_names, of_variables) {
  sycl::queue q;
  pair_of_numbers shared{1, 2};
  to_pair = &shared;
  pair = pair_of_numbers{3, 4};
  int sum = 0;
  q.single_task([out = &sum] { *out = pair->a + pair->b + to_pair->a * 10 + to_pair->b * 100; }).wait();
  EXPECT_EQ(sum, 7 + 10 + 200);
}

/// An operator as programs write it: its call is no const member.
struct sum_of_programs {
  template <class T>
  T operator()(T a, T b) {
    return a + b;
  }
};
class without_default {
public:
  without_default() = delete;
  explicit without_default(int n) : value(n) {}
  int value;
  friend without_default operator+(without_default a, without_default b) { return without_default(a.value + b.value); }
};

TEST(oneapi_names, of_reductions_of_programs) {
  std::vector<int> in(size), out(4);
  std::iota(in.begin(), in.end(), 1);
  const std::vector<without_default> objects(size, without_default(2));
  sycl::queue q;
  q.submit([&](sycl::handler& h) {
     const sycl::local_accessor<std::byte> scratch(size * sizeof(without_default), h);
     h.parallel_for(sycl::nd_range<1>(size, size), [=, x = in.data(), y = objects.data(),
                                                    o = out.data()](sycl::nd_item<1> it) {
       const experimental::group_with_scratchpad helper(it.get_group(),
                                                        sycl::span(scratch.begin(), scratch.get_count()));
       const auto i = it.get_local_id(0);
       const int all = experimental::reduce_over_group(helper, x[i], sum_of_programs());
       const int more = experimental::reduce_over_group(helper, x[i], 1000, sum_of_programs());
       const auto joint = experimental::joint_reduce(helper, y, y + size, sum_of_programs());
       const auto with_init = experimental::joint_reduce(helper, y, y + size, without_default(5), sum_of_programs());
       if (i == 0) {
         o[0] = all;
         o[1] = more;
         o[2] = joint.value;
         o[3] = with_init.value;
       }
     });
   }).wait();
  EXPECT_EQ(out, (std::vector<int>{1176, 2176, 96, 101}));
}

TEST(oneapi_names, of_functions_and_aspects) {
  EXPECT_NEAR(experimental::native::tanh(0.5F), 0.46211716F, 1e-5F);
  EXPECT_EQ(experimental::native::exp2(3.0F), 8.0F);
  const sycl::device d;
  EXPECT_TRUE(d.has(sycl::aspect::ext_oneapi_bfloat16_math_functions));
  EXPECT_FALSE(d.has(sycl::aspect::ext_oneapi_srgb));
}

} // namespace
