// SPDX-License-Identifier: Apache-2.0
// Operators between all pairs of fundamental types in recorded kernels, with the conversions of C++.
#include "testing.hpp"

#include <array>
#include <cstdint>

#pragma GCC diagnostic ignored "-Wsign-compare" // what is tested

namespace {

using namespace recorded_testing;

/// Small numbers and what is at the ends of the types of integers, which they get of these by conversion.
constexpr std::array<std::int64_t, 12> numbers = {
    0, 1, -1, 100, 0x7f, 0x80, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0x7fffffffffffffff, -0x7ffffffffffffffd};
constexpr std::size_t n = numbers.size() * numbers.size();

/// The type of a number, plain or recorded.
template <class X>
struct type_of {
  using type = X;
};
template <class X>
  requires requires { typename X::recorded_element_type; }
struct type_of<X> {
  using type = typename X::recorded_element_type;
};

/// An integer as it is, a real number in 64ths: devices may divide floats less exactly.
template <class X>
auto whole_result(const X& x) {
  if constexpr (std::is_integral_v<typename type_of<X>::type>) {
    return lf::convert<std::int64_t>(x);
  } else {
    return lf::convert<std::int64_t>(lf::rint(x * 64));
  }
}

/// Signed integers overflow in C++, unsigned ones and real numbers do not: those compute with what cannot.
template <class A, class B>
constexpr bool wraps = std::is_floating_point_v<decltype(A() + B())> || std::is_unsigned_v<decltype(A() + B())>;

template <class A, class B, class X, class Y, class Put>
void all_operators(const X& x, const Y& y, Put put) {
  const auto a = lf::convert<A>(x % 8); // small ones
  const auto b = lf::convert<B>(y % 4 + 1);
  put(a + b);
  put(a - b);
  put(a * b);
  put(a / b);
  put(lf::select(a < b, a, b));
  put(lf::select(a >= b, 1, 0) + lf::select(a == b, 2, 0) + lf::select(a != b, 4, 0));
  if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) {
    put(a % b);
    put(((a & b) | (a ^ 3)) + ~b);
    put((a << (b & 3)) - (a >> (b & 1)));
    put(-a + +b);
  } else {
    put(-a);
    put(lf::fmax(a, b));
    put(lf::pow(a, b));
    put(lf::convert<A>(b));
  }
}

/// Comparisons of numbers at the ends, which convert signs.
template <class A, class B, class X, class Y, class Put>
void at_the_ends(const X& a, const Y& b, Put put) {
  put(lf::select(a < b, 1, 0) + lf::select(a <= b, 2, 0) + lf::select(a > b, 4, 0) + lf::select(a == b, 8, 0));
  put(lf::convert<std::int8_t>(a));
  put(lf::convert<std::uint16_t>(b));
  if constexpr (wraps<A, B>) {
    put(a + b);
    put(a * b);
  } else {
    put(a & b);
    put(a ^ b);
  }
}

constexpr std::size_t most_columns = 15;

template <class A, class... B>
void check_pairs() {
  LANEFOLD_NEED_OPENCL();
  const auto run = [&](lf::queue q) {
    std::vector<std::int64_t> out(sizeof...(B) * most_columns * n);
    {
      lf::buffer<std::int64_t> in_buffer(numbers.data(), lf::range<1>(numbers.size()));
      lf::buffer<std::int64_t> out_buffer(out.data(), lf::range<1>(out.size()));
      q.submit([&](lf::handler& h) {
        const lf::accessor x(in_buffer, h, lf::read_only);
        const lf::accessor y(out_buffer, h, lf::write_only);
        h.parallel_for(lf::range<1>(n), lf::property::strategy<lf::scalar>(), [=](auto it) {
          const auto i = it.get_id(0);
          std::size_t column = 0;
          const auto put = [&](const auto& v) { y[i + n * column++] = whole_result(v); };
          const auto left = it.var(x[i / numbers.size()]), right = it.var(x[i % numbers.size()]);
          const auto small = it.var(lf::convert<std::int32_t>(i));
          const auto pair = [&]<class Other>(Other) {
            all_operators<A, Other>(small, small / 3, put);
            if constexpr (std::is_integral_v<A> && std::is_integral_v<Other>) {
              at_the_ends<A, Other>(lf::convert<A>(left), lf::convert<Other>(right), put);
            }
          };
          (pair(B()), ...);
        });
      });
    }
    return out;
  };
  const std::vector<std::int64_t> expected = run(lf::queue());
  for (const gpu::device& device : gpu::devices()) {
    if (device.has_fp64()) {
      expect_near(run(lf::queue(device)), expected, 0, device.get_platform_name());
    }
  }
}

template <class A>
void check_beside_all() {
  check_pairs<A, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t>();
  check_pairs<A, std::uint32_t, std::int64_t, std::uint64_t, float, double>();
}

TEST(recorded_mixed_types, int8) { check_beside_all<std::int8_t>(); }
TEST(recorded_mixed_types, uint8) { check_beside_all<std::uint8_t>(); }
TEST(recorded_mixed_types, int16) { check_beside_all<std::int16_t>(); }
TEST(recorded_mixed_types, uint16) { check_beside_all<std::uint16_t>(); }
TEST(recorded_mixed_types, int32) { check_beside_all<std::int32_t>(); }
TEST(recorded_mixed_types, uint32) { check_beside_all<std::uint32_t>(); }
TEST(recorded_mixed_types, int64) { check_beside_all<std::int64_t>(); }
TEST(recorded_mixed_types, uint64) { check_beside_all<std::uint64_t>(); }
TEST(recorded_mixed_types, float32) { check_beside_all<float>(); }
TEST(recorded_mixed_types, float64) { check_beside_all<double>(); }

} // namespace
