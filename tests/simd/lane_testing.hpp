// SPDX-License-Identifier: Apache-2.0
/// What the tests of varyings, masks and memory share: the element types, random masks, operands of moderate size,
/// memory with a page behind it that must not be touched.
#pragma once

#include <lanefold/simd/select.hpp>
#include <lanefold/simd/varying.hpp>

#include "simd/math_testing.hpp"

#include <cstring>
#include <new>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

namespace lane_testing {

namespace lf = lanefold;
using namespace math_testing;

using small_integers = ::testing::Types<char, signed char, unsigned char, short, unsigned short, char8_t, char16_t>;
using large_integers =
    ::testing::Types<int, unsigned, long, unsigned long, long long, unsigned long long, wchar_t, char32_t>;
using real_numbers = ::testing::Types<float, double, long double>;

/// A value whose products and sums do not overflow.
template <class T>
T moderate_value() {
  if constexpr (std::is_floating_point_v<T>) {
    return std::uniform_real_distribution<T>(T(-1000), T(1000))(engine());
  } else {
    const int bits = static_cast<int>(sizeof(T)) * 4 - 1;
    const auto magnitude = static_cast<long long>(engine()() >> (65 - bits));
    return static_cast<T>(std::is_signed_v<T> && engine()() % 2 != 0 ? -magnitude : magnitude);
  }
}

/// A random mask and the same as bools: dense, sparse, empty, full, or a prefix.
template <std::size_t N>
std::array<bool, N> random_bools() {
  auto& e = engine();
  std::array<bool, N> on{};
  const auto kind = e() % 5;
  const std::size_t end = e() % (N + 1);
  for (std::size_t i = 0; i < N; ++i)
    on[i] = kind == 0 || (kind == 1 && i < end) || (kind == 2 && e() % 2 != 0) || (kind == 3 && e() % 8 == 0);
  return on;
}
template <std::size_t N, class Isa>
lf::mask<N, Isa> mask_of(const std::array<bool, N>& on) {
  std::uint64_t words[(N + 63) / 64] = {};
  for (std::size_t i = 0; i < N; ++i)
    words[i / 64] |= static_cast<std::uint64_t>(on[i]) << (i % 64);
  return lf::mask<N, Isa>::from_words(words);
}

/// The first lane in which `got` is not `expected(lane)`, or N.
template <class T, std::size_t N, class F>
std::size_t first_difference(const lanes_of<T, N>& got, F expected) {
  for (std::size_t i = 0; i < N; ++i)
    if (!same<T>(got[i], static_cast<T>(expected(i))))
      return i;
  return N;
}

#define EXPECT_LANES(varying_, ...)                                                                                    \
  do {                                                                                                                 \
    const auto got_ = ::math_testing::lanes(varying_);                                                                 \
    const std::size_t lane_ = ::lane_testing::first_difference(got_, __VA_ARGS__);                                     \
    if (lane_ != sizeof(got_.at) / sizeof(got_.at[0]))                                                                 \
      ADD_FAILURE() << #varying_ << " in lane " << lane_ << " of " << sizeof(got_.at) / sizeof(got_.at[0]) << ": "     \
                    << +got_[lane_] << ", expected " << +(__VA_ARGS__)(lane_);                                         \
  } while (false)

/// f(integral_constant<N>, isa) for the N that fill a register of each width once and the widest one twice, and for the
/// generic instruction set: what operators on registers need. All N are for_lanes' matter.
template <class T, class F>
void for_registers(F f) {
  constexpr std::size_t s = lf::detail::has_registers<T> ? sizeof(T) : 16;
  f(std::integral_constant<std::size_t, 16 / s>{}, lf::native_isa{});
  if constexpr (lf::detail::has_registers<T> && !std::is_same_v<lf::native_isa, lf::isa::generic>) {
    f(std::integral_constant<std::size_t, 32 / s>{}, lf::native_isa{});
    f(std::integral_constant<std::size_t, 64 / s>{}, lf::native_isa{});
    f(std::integral_constant<std::size_t, 128 / s>{}, lf::native_isa{});
    f(std::integral_constant<std::size_t, 2>{}, lf::isa::generic{});
  }
}

/// of_lanes(a, b) against of_plain(a[i], b[i]); operands from draw(). The types of the results must be alike, too.
template <class A, class B, class Draw, class OfLanes, class OfPlain>
void expect_lanes_of(const char* name, Draw draw, OfLanes of_lanes, OfPlain of_plain) {
  using result = decltype(of_plain(A{}, B{}));
  const auto compare = [&](const A* a, const B* b, const result* got, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      const result expected = of_plain(a[i], b[i]);
      if (!same<result>(got[i], expected)) {
        ADD_FAILURE() << name << " of " << +a[i] << " and " << +b[i] << " in lane " << i << " of " << n << ": "
                      << +got[i] << ", expected " << +expected;
        return false;
      }
    }
    return true;
  };
  for_registers<A>([&]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    for (int round = 0; round < 64; ++round) {
      lanes_of<A, N> a;
      lanes_of<B, N> b;
      for (std::size_t i = 0; i < N; ++i)
        draw(a.at[i], b.at[i]);
      const lanes_of<result, N> got =
          lanes(of_lanes(lf::varying<A, N, Isa>::load(a.at), lf::varying<B, N, Isa>::load(b.at)));
      if (!compare(a.at, b.at, got.at, N))
        return;
    }
  });
}

/// Elements that end where the memory does: the page behind them (and one before) cannot be accessed.
template <class T>
class guarded {
public:
  explicit guarded(std::size_t count) : m_page(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) {
    m_bytes = (count * sizeof(T) + m_page - 1) / m_page * m_page;
    m_memory = static_cast<char*>(::mmap(nullptr, m_bytes + 2 * m_page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (m_memory == MAP_FAILED || ::mprotect(m_memory + m_page, m_bytes, PROT_READ | PROT_WRITE) != 0)
      throw std::bad_alloc();
  }
  guarded(const guarded&) = delete;
  guarded& operator=(const guarded&) = delete;
  ~guarded() { ::munmap(m_memory, m_bytes + 2 * m_page); }

  /// The first accessible byte, and the first behind the last.
  T* begin() const { return reinterpret_cast<T*>(m_memory + m_page); }
  T* end() const { return reinterpret_cast<T*>(m_memory + m_page + m_bytes); }

private:
  std::size_t m_page;
  std::size_t m_bytes;
  char* m_memory;
};

/// Memory with distinct values in it.
template <class T>
std::vector<T> numbered(std::size_t count) {
  std::vector<T> v(count);
  for (std::size_t i = 0; i < count; ++i)
    v[i] = static_cast<T>(i * 37 % 251 + 1);
  return v;
}

} // namespace lane_testing
