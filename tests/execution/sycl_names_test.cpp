// SPDX-License-Identifier: Apache-2.0
/// Plain SYCL programs see SYCL's names in namespace sycl, and none of Lanefold's own; what programs of others write
/// that is easily ambiguous.
#include <sycl/sycl.hpp>

#include <lanefold/lanefold.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

using namespace std; // as many programs do, both
using namespace sycl;

// Names of Lanefold, which programs may use for their own.
double scalar = 3;
int simd = 1, mask = 2, view = 3, uniform = 4, stride = 5, member = 6, algorithm = 7, isa = 8, reduce_items = 9;
struct varying {};
struct lane_index {};
struct occupancy {};

namespace {

struct point {
  point() = default;
  point(const point& other) : x(other.x) {}
  int x = 0;
};
struct line {
  line() = default;
  line(const line& other) : length(other.length) {}
  int length = 0;
};
template <class T>
struct segment {
  T from, to;
};
class kernel_of_eight;

} // namespace

template <>
struct sycl::is_device_copyable<point> : std::true_type {};
namespace sycl {
template <>
struct is_device_copyable<line> : std::true_type {};
template <class T>
struct is_device_copyable<segment<T>> : is_device_copyable<T> {};
} // namespace sycl
// Extensions that programs bring with them.
namespace sycl::ext::mine {
constexpr int answer = 42;
} // namespace sycl::ext::mine
template <>
inline constexpr auto sycl::kernel_properties<kernel_of_eight> = sycl::properties(sycl::property::sub_group_size(8));
template class sycl::buffer<long, 3>;

namespace {

TEST(sycl_names, are_no_others) {
  EXPECT_EQ(scalar + simd + mask + view + uniform + stride + member + algorithm + isa, 39);
  EXPECT_TRUE((std::is_same_v<sycl::queue, lanefold::queue>));
  EXPECT_TRUE((std::is_same_v<sycl::property::queue::in_order, lanefold::property::queue::in_order>));
  EXPECT_TRUE((std::is_same_v<sycl::ulong, unsigned long>));
}

TEST(sycl_names, templates_can_be_specialised) {
  EXPECT_TRUE(lanefold::is_device_copyable_v<point>);
  std::vector<point> points(3);
  sycl::buffer from_container(points);
  EXPECT_EQ(from_container.size(), 3U);
  int size = 0;
  sycl::queue()
      .parallel_for<kernel_of_eight>(
          sycl::nd_range<1>(8, 8),
          [&](sycl::nd_item<1> it) { size = static_cast<int>(it.get_sub_group().get_max_local_range()[0]); })
      .wait();
  EXPECT_EQ(size, 8);
}

TEST(sycl_names, namespaces_can_be_added_to) {
  static_assert(sycl::is_device_copyable_v<line> && lanefold::is_device_copyable_v<const line>);
  static_assert(sycl::is_device_copyable<std::pair<int, segment<line>>>::value);
  static_assert(!sycl::is_device_copyable_v<segment<std::string>>);
  std::vector<line> lines(3);
  const sycl::buffer<line> from_container(lines);
  EXPECT_EQ(from_container.size(), 3U);
  EXPECT_EQ(sycl::ext::mine::answer, 42);
  EXPECT_EQ(static_cast<float>(sycl::ext::oneapi::bfloat16(2)), 2.F);
  EXPECT_EQ(static_cast<float>(ext::oneapi::bfloat16(2)), 2.F);
}

TEST(sycl_names, functions_of_numbers_beside_those_of_std) {
  const int k = 3;
  const float f = 2;
  const double d = 4;
  EXPECT_TRUE((std::is_same_v<decltype(pow(2, k)), double>));
  EXPECT_EQ(pow(2, k), 8);
  EXPECT_EQ(pow(f, 2), 4);
  EXPECT_EQ(sqrt(4) + floor(k) + ceil(k) + fabs(-k), 11);
  EXPECT_EQ(fmax(f, d) + fmin(k, f), 6);
  EXPECT_EQ(hypot(k, d), 5);
  EXPECT_EQ(fmod(k, f), 1);
  EXPECT_EQ(sycl::pow(f, 2), 4);
  EXPECT_TRUE((std::is_same_v<decltype(sycl::pow(f, f)), float>));
  const sycl::float4 v(4);
  EXPECT_EQ(sqrt(v)[1] + pow(v, v)[2] + fmax(v, 5.F)[3], 263);
}

TEST(sycl_names, functions_of_intels_namespace) { EXPECT_EQ(sycl::ext::intel::ctz(8U), 3U); }

TEST(sycl_names, properties_of_queues_in_braces) {
  namespace of_queue = sycl::property::queue;
  const sycl::queue one({of_queue::enable_profiling()});
  const sycl::queue two({of_queue::enable_profiling(), of_queue::in_order()});
  const sycl::queue none({}), list{sycl::property_list{of_queue::in_order()}}, copy{two}, other_copy({two});
  EXPECT_TRUE(one.has_property<of_queue::enable_profiling>());
  EXPECT_FALSE(one.is_in_order());
  EXPECT_TRUE(two.has_property<of_queue::enable_profiling>() && two.is_in_order());
  EXPECT_FALSE(none.is_in_order());
  EXPECT_TRUE(list.is_in_order());
  EXPECT_TRUE(copy == two && other_copy == two);
}

TEST(sycl_names, selectors_whose_call_operator_is_not_const) {
  struct choice {
    std::string vendor;
    int operator()(const sycl::device& d) { return d.is_cpu() && vendor.size() == 1 ? 1 : -1; }
  };
  choice mine{"x"};
  EXPECT_TRUE(sycl::queue(mine).get_device().is_cpu());
  EXPECT_TRUE(sycl::device(mine).is_cpu());
  mine.vendor = "two";
  EXPECT_THROW(sycl::queue{mine}, sycl::exception);
}

TEST(sycl_names, small_reals_convert_to_each_other) {
  using sycl::ext::oneapi::bfloat16;
  const bfloat16 b = 3;
  EXPECT_EQ(static_cast<float>(static_cast<sycl::half>(b)), 3);
  EXPECT_EQ(static_cast<float>(bfloat16(sycl::half(1.5F))), 1.5F);
  EXPECT_TRUE(std::isinf(static_cast<float>(sycl::half(bfloat16(1e30F)))));

  sycl::vec<bfloat16, 2> v(b, bfloat16(0.5F));
  v += v;
  const sycl::float2 floats(v.x(), v.y());
  EXPECT_EQ(floats[0], 6);
  EXPECT_EQ(floats[1], 1);
  EXPECT_EQ(static_cast<float>(sycl::float2(1.5F, 2).convert<bfloat16>()[0]), 1.5F);
}

TEST(sycl_names, final_data_may_be_a_container) {
  const auto all = std::make_shared<std::array<int, 5>>();
  const auto less = std::make_shared<std::vector<int>>(2);
  std::vector<int> data(5, 7);
  {
    sycl::buffer<int> b(data);
    b.set_final_data(all);
    sycl::buffer<int> c(data);
    c.set_final_data(std::weak_ptr(less));
  }
  EXPECT_EQ((*all)[0] + (*all)[4], 14);
  EXPECT_EQ(*less, std::vector<int>(2, 7));
}

int first(sycl::local_ptr<float> p, sycl::global_ptr<const int> q) { return static_cast<int>(p[0]) + q[0]; }

TEST(sycl_names, legacy_pointers_are_made_of_plain_ones) {
  float x = 2;
  const int i = 3;
  EXPECT_EQ(first(&x, &i), 5);
  const sycl::local_ptr<float> p = &x;
  EXPECT_TRUE(p == &x && &x == p && p <= &x && p - &x == 0 && p != nullptr && p > nullptr && nullptr < p);
}

} // namespace
