// SPDX-License-Identifier: Apache-2.0
/// Declares what the tests of varyings, masks and memory share: the element types, random masks, operands of moderate
/// size, memory with a page behind it that must not be touched.
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
[[gnu::noinline]] T moderate_value() {
  if constexpr (std::is_floating_point_v<T>) {
    return std::uniform_real_distribution<T>(T(-1000), T(1000))(engine());
  } else {
    const int bits = static_cast<int>(sizeof(T)) * 4 - 1;
    const auto magnitude = static_cast<long long>(engine()() >> (65 - bits));
    return static_cast<T>(std::is_signed_v<T> && engine()() % 2 != 0 ? -magnitude : magnitude);
  }
}

[[gnu::noinline]] inline void fill_at_random(bool* on, std::size_t n) {
  auto& e = engine();
  const auto kind = e() % 5;
  const std::size_t end = e() % (n + 1);
  for (std::size_t i = 0; i < n; ++i)
    on[i] = kind == 0 || (kind == 1 && i < end) || (kind == 2 && e() % 2 != 0) || (kind == 3 && e() % 8 == 0);
}

/// A random mask and the same as bools: dense, sparse, empty, full, or a prefix.
template <std::size_t N>
std::array<bool, N> random_bools() {
  std::array<bool, N> on{};
  fill_at_random(on.data(), N);
  return on;
}

[[gnu::noinline]] inline void pack(const bool* on, std::size_t n, std::uint64_t* words) {
  for (std::size_t i = 0; i < n; ++i)
    words[i / 64] |= static_cast<std::uint64_t>(on[i]) << (i % 64);
}

template <std::size_t N, class Isa>
lf::mask<N, Isa> mask_of(const std::array<bool, N>& on) {
  std::uint64_t words[(N + 63) / 64] = {};
  pack(on.data(), N, words);
  return lf::mask<N, Isa>::from_words(words);
}

/// Expects got[i] to be expected(f, i); compiled once for T.
template <class T>
[[gnu::noinline]] void expect_lanes(const char* what, const char* file, int line, const T* got, std::size_t n,
                                    const void* f, T (*expected)(const void*, std::size_t)) {
  for (std::size_t i = 0; i < n; ++i)
    if (!same<T>(got[i], expected(f, i))) {
      ADD_FAILURE_AT(file, line) << what << " in lane " << i << " of " << n << ": " << +got[i] << ", expected "
                                 << +expected(f, i);
      return;
    }
}
template <class T, std::size_t N, class F>
void expect_lanes(const char* what, const char* file, int line, const lanes_of<T, N>& got, const F& f) {
  expect_lanes<T>(what, file, line, got.at, N, &f, [](const void* g, std::size_t i) {
    return static_cast<T>((*static_cast<const F*>(g))(i)); //
  });
}

#define EXPECT_LANES(varying_, ...)                                                                                    \
  ::lane_testing::expect_lanes(#varying_, __FILE__, __LINE__, ::math_testing::lanes(varying_), __VA_ARGS__)

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
