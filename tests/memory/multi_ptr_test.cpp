// SPDX-License-Identifier: Apache-2.0
/// multi_ptr: conversions between address spaces, pointer arithmetic; vec through one.
#include <lanefold/exception.hpp>
#include <lanefold/memory/multi_ptr.hpp>
#include <lanefold/memory/vec.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <type_traits>

namespace {

namespace lf = lanefold;
using space = lf::access::address_space;
using lf::access::decorated;

template <class From, class To>
constexpr bool converts = std::is_convertible_v<From, To>;

static_assert(sizeof(lf::raw_global_ptr<int>) == sizeof(int*));
static_assert(std::is_same_v<lf::global_ptr<int>, lf::multi_ptr<int, space::global_space, decorated::legacy>>);
static_assert(lf::decorated_local_ptr<int>::is_decorated && !lf::raw_local_ptr<int>::is_decorated);
static_assert(lf::private_ptr<int>::address_space == space::private_space);
static_assert(std::is_same_v<lf::raw_global_ptr<int>::value_type, int>);
// Decoration does not matter, constness and space do.
static_assert(converts<lf::raw_global_ptr<int>, lf::decorated_global_ptr<int>>);
static_assert(converts<lf::raw_global_ptr<int>, lf::raw_global_ptr<const int>>);
static_assert(!converts<lf::raw_global_ptr<const int>, lf::raw_global_ptr<int>>);
static_assert(!converts<lf::raw_global_ptr<int>, lf::raw_local_ptr<int>>);
static_assert(converts<lf::raw_global_ptr<int>, lf::raw_generic_ptr<int>>);
static_assert(!converts<lf::raw_generic_ptr<int>, lf::raw_global_ptr<int>>);
static_assert(std::is_constructible_v<lf::raw_global_ptr<int>, lf::raw_generic_ptr<int>>);
static_assert(!converts<int*, lf::raw_global_ptr<int>> && std::is_constructible_v<lf::raw_global_ptr<int>, int*>);
static_assert(converts<lf::raw_global_ptr<int>, lf::raw_global_ptr<void>>);
static_assert(!converts<lf::raw_global_ptr<const int>, lf::raw_global_ptr<void>>);
static_assert(converts<lf::global_ptr<int>, int*> && converts<lf::raw_global_ptr<int>, int*>);

TEST(multi_ptr, arithmetic) {
  int x[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  lf::raw_global_ptr<int> p(x);
  EXPECT_EQ(*p, 0);
  EXPECT_EQ(p[3], 3);
  EXPECT_EQ(*++p, 1);
  EXPECT_EQ(*p++, 1);
  EXPECT_EQ(*p, 2);
  EXPECT_EQ(*--p, 1);
  EXPECT_EQ(*p--, 1);
  EXPECT_EQ(*(p += 5), 5);
  EXPECT_EQ(*(p -= 2), 3);
  EXPECT_EQ(*(p + 2), 5);
  EXPECT_EQ(*(p - 1U), 2);
  EXPECT_EQ(p - lf::raw_global_ptr<int>(x), 3);
  EXPECT_TRUE(p == lf::raw_global_ptr<int>(x + 3) && p != lf::raw_global_ptr<int>(x));
  EXPECT_TRUE(p > lf::raw_global_ptr<int>(x) && p <= p);
  EXPECT_TRUE(p != nullptr && p);
  *p = 30;
  EXPECT_EQ(x[3], 30);
  EXPECT_EQ(p.get(), x + 3);
  EXPECT_EQ(p.get_raw(), x + 3);
  EXPECT_EQ(p.get_decorated(), x + 3);
  p.prefetch(4);
  p = nullptr;
  EXPECT_TRUE(p == nullptr && !p);
  struct pair {
    int first, second;
  } y{1, 2};
  EXPECT_EQ(lf::private_ptr<pair>(&y)->second, 2);
}

TEST(multi_ptr, legacy_pointers_are_pointers) {
  float x[4] = {1, 2, 3, 4};
  const lf::global_ptr<float> p(x);
  const float* q = p;
  EXPECT_EQ(q, x);
  EXPECT_EQ(p[2], 3.F);
  EXPECT_EQ(*(p + 1), 2.F);
  EXPECT_TRUE(p == lf::global_ptr<float>(x));
  EXPECT_TRUE(p == x + 0 && x + 0 == p && p < x + 1 && x + 1 > p && p != nullptr);
  const lf::global_ptr<const float> constant(x);
  EXPECT_TRUE(constant == x + 0 && constant < x + 1 && constant == p);
  EXPECT_EQ(p + 3 - (x + 1), 2);
  EXPECT_EQ(x + 3 - p, 3);
  const auto second = [](lf::global_ptr<float> from) { return from[1]; };
  EXPECT_EQ(second(x), 2.F);
  static_assert(!std::is_convertible_v<float*, lf::raw_global_ptr<float>>, "explicit");
}

/// Reading accessors of SYCL 1.2.1 gave pointers to elements that are not const.
TEST(multi_ptr, legacy_pointers_to_const_convert_to_others) {
  const float x[2] = {1, 2};
  const lf::global_ptr<const float> p(x);
  float* const plain = p;
  const lf::global_ptr<float> same = p;
  const float* const constant = p;
  EXPECT_TRUE(plain == x && same == x && constant == x && p == plain && p == constant);
  EXPECT_EQ(std::strchr(lf::global_ptr<const char>("ab"), 'b')[0], 'b'); // of two functions by const
  EXPECT_TRUE(p != nullptr && p + 1 == x + 1 && p + 1 - x == 1);
  static_assert(!std::is_convertible_v<lf::raw_global_ptr<const float>, float*>, "not those of SYCL 2020");
  static_assert(!std::is_convertible_v<lf::raw_global_ptr<const float>, lf::raw_global_ptr<float>>);
  static_assert(!std::is_convertible_v<lf::global_ptr<const float>, double*>);
}

TEST(multi_ptr, legacy_pointers_to_void_are_pointers) {
  int x = 7;
  void* const plain = &x;
  const lf::global_ptr<void> p = plain;
  const auto taken_as = [](void* where) { return where; };
  EXPECT_EQ(taken_as(p), plain);
  EXPECT_TRUE(p == lf::global_ptr<void>(plain) && p == plain && p != nullptr);
  EXPECT_EQ(*static_cast<lf::global_ptr<int>>(p), 7);
  static_assert(!converts<void*, lf::raw_global_ptr<void>>);
  const lf::local_ptr<const void> none;
  EXPECT_TRUE(none < lf::local_ptr<const void>(plain) && p > nullptr && !(p < p) && nullptr <= p);
}

/// Names of SYCL 1.2.1 that SYCL 2020 keeps.
TEST(multi_ptr, legacy_pointers_name_their_types) {
  using from = lf::global_ptr<const float>;
  static_assert(std::is_same_v<from::pointer_t, const float*> && std::is_same_v<from::element_type, const float>);
  using to = lf::local_ptr<int>;
  static_assert(std::is_same_v<to::const_pointer_t, const int*> && std::is_same_v<to::reference_t, int&> &&
                std::is_same_v<to::const_reference_t, const int&>);
  static_assert(std::is_same_v<lf::private_ptr<void>::const_pointer_t, const void*>);
}

TEST(multi_ptr, usm_of_the_device_and_of_the_host) {
  int x = 7;
  const lf::ext::intel::device_ptr<int> on_device(&x);
  const lf::ext::intel::host_ptr<int> on_host(&x);
  const lf::global_ptr<int> global = on_device;
  EXPECT_EQ(*global + *on_host, 14);
  static_assert(space::ext_intel_global_device_space == space::global_space);
}

TEST(multi_ptr, casts) {
  int x = 5;
  const auto global = lf::address_space_cast<space::global_space, decorated::no>(&x);
  static_assert(std::is_same_v<decltype(global), const lf::raw_global_ptr<int>>);
  const lf::raw_generic_ptr<int> generic = global;
  const auto back = lf::address_space_cast<space::global_space, decorated::yes>(generic);
  static_assert(std::is_same_v<decltype(back), const lf::decorated_global_ptr<int>>);
  EXPECT_EQ(*back, 5);
  const lf::raw_global_ptr<void> nothing = global;
  EXPECT_EQ(*static_cast<lf::raw_global_ptr<int>>(nothing), 5);
  EXPECT_EQ((lf::make_ptr<int, space::local_space>(&x).get()), &x);
}

struct accessor_like {
  float* memory;
  float* get_pointer() const { return memory; }
};

TEST(multi_ptr, accessor_and_vec) {
  float x[16];
  for (int i = 0; i < 16; ++i) {
    x[i] = static_cast<float>(i);
  }
  const lf::raw_local_ptr<float> p(accessor_like{x});
  lf::float4 v;
  v.load(1, p);
  EXPECT_EQ(v[0], 4.F);
  EXPECT_EQ(lf::local_ptr<void>(accessor_like{x}).get(), x);
  v.load(0, lf::raw_local_ptr<const float>(p + 1));
  EXPECT_EQ(v[3], 4.F);
  v.store(3, p);
  EXPECT_EQ(x[12], 1.F);
  v.swizzle<3, 2>().store(0, p);
  EXPECT_EQ(x[0], 4.F);
  v.lo().load(0, p);
  EXPECT_EQ(v[0], 4.F);
}

/// load and store need the alignment of an element, no more; less than that is an error where it is looked for.
TEST(vec, misaligned_pointers) {
  alignas(16) char bytes[64] = {};
  lf::float4 v;
  v.load(0, reinterpret_cast<float*>(bytes + 4));
  EXPECT_EQ(v[0], 0.F);
  if constexpr (lf::detail::checked_build) {
    const auto* odd = reinterpret_cast<float*>(bytes + 1);
    try {
      v.load(0, odd);
      ADD_FAILURE() << "no exception";
    } catch (const lf::exception& e) {
      EXPECT_EQ(e.code(), lf::errc::invalid);
      EXPECT_NE(std::string(e.what()).find("vec::load"), std::string::npos) << e.what();
    }
    EXPECT_THROW(v.store(0, reinterpret_cast<float*>(bytes + 2)), lf::exception);
  }
}

} // namespace
