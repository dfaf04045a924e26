// SPDX-License-Identifier: Apache-2.0
#include "horizontal_testing.hpp"

namespace lf = lanefold;
using namespace math_testing;

namespace {

/// Scans against a loop, n lanes at a time.
template <class T>
struct scan_check {
  const char* name;
  T (*make)();
  T (*plain)(T, T);
  bool exclusive;

  [[gnu::noinline]] void operator()(std::size_t n, void (*scan)(const T*, T first, T*)) const {
    alignas(64) T a[256];
    alignas(64) T got[256];
    for (int round = 0; round < 8; ++round) {
      const auto f = make;
      fill(a, n, f);
      const T first = make();
      scan(a, first, got);
      T expected = exclusive ? first : a[0];
      for (std::size_t i = 0; i < n; ++i) {
        if (i != 0)
          expected = plain(expected, a[exclusive ? i - 1 : i]);
        ASSERT_EQ(got[i], expected) << name << ", lane " << i << " of " << n;
      }
    }
  }
};

template <class T, bool AllPacks = true>
constexpr auto check_inclusive = []<class Op>(Op, const char* name, auto make) {
  const scan_check<T> check{name, make, as_plain<T, Op>, false};
  for_packs<T, AllPacks>([&]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    check(N, [](const T* a, T, T* got) { lf::inclusive_scan(lf::varying<T, N, Isa>::load(a), Op{}).store(got); });
  });
};

template <class T>
constexpr auto check_exclusive = []<class Op>(Op, const char* name, auto make) {
  const scan_check<T> check{name, make, as_plain<T, Op>, true};
  for_packs<T>([&]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    check(N, [](const T* a, T first, T* got) {
      lf::exclusive_scan(lf::varying<T, N, Isa>::load(a), Op{}, first).store(got);
    });
  });
};

template <class T>
class horizontal_scan : public testing::Test {};
using elements =
    testing::Types<std::uint8_t, std::int16_t, std::uint32_t, std::uint64_t, long long, float, double, long double>;
TYPED_TEST_SUITE(horizontal_scan, elements);
TYPED_TEST(horizontal_scan, inclusive) { for_some_operators<TypeParam>(check_inclusive<TypeParam>); }

template <class T>
class horizontal_exclusive_scan : public testing::Test {};
using some_elements = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, float>;
TYPED_TEST_SUITE(horizontal_exclusive_scan, some_elements);
TYPED_TEST(horizontal_exclusive_scan, some_operators) { for_some_operators<TypeParam>(check_exclusive<TypeParam>); }

TEST(horizontal_inclusive_scan, every_operator) {
  for_operators<std::int32_t>(check_inclusive<std::int32_t, false>);
#if defined(LANEFOLD_TEST_THOROUGH)
  for_operators<std::uint8_t>(check_inclusive<std::uint8_t, false>);
  for_operators<float>(check_inclusive<float, false>);
#endif
}

} // namespace
