// SPDX-License-Identifier: Apache-2.0
// Functions of recorded kernels with whole numbers beside real ones, with two results, of bits, and less exact ones.
#include "testing.hpp"

#include <cstdint>

namespace {

using namespace recorded_testing;

constexpr std::size_t n = 40;

/// kernel(item, x, y, put): numbers of both signs, small and large.
template <class T, std::size_t Columns, class Kernel>
void check(Kernel kernel, double tolerance) {
  std::vector<T> a(n), b(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double x = (static_cast<double>(i * 37 % 41) - 20.25) * (i % 3 == 0 ? 0.0625 : 3.5);
    a[i] = static_cast<T>(x);
    b[i] = static_cast<T>(1.5 + static_cast<double>(i % 7));
  }
  expect_same_everywhere<T>(
      n * Columns,
      [&](lf::queue& q, auto how, lf::buffer<T>& out) {
        lf::buffer<T> a_buffer(a), b_buffer(b);
        q.submit([&](lf::handler& h) {
          const lf::accessor x(a_buffer, h, lf::read_only), y(b_buffer, h, lf::read_only);
          const lf::accessor z(out, h, lf::write_only, lf::no_init);
          h.parallel_for(lf::range<1>(n), how, [=](auto it) {
            const auto i = it.get_id(0);
            kernel(it, it.var(x[i]), it.var(y[i]),
                   [&](std::size_t column, const auto& v) { z[i + column * n] = lf::convert<T>(v); });
          });
        });
      },
      tolerance, sizeof(T) == 8 ? &has_double : [](const gpu::device&) { return true; });
}

template <class T>
void check_functions_with_integers() {
  check<T, 7>(
      [](const auto& it, const auto& x, const auto& y, const auto& put) {
        const auto k = it.var(lf::convert<std::int32_t>(y));
        put(0, lf::ldexp(x, k));
        put(1, lf::ldexp(x, -3));
        put(2, lf::pown(x, k));
        put(3, lf::rootn(lf::fabs(x), k));
        put(4, lf::ilogb(x));
        put(5, lf::nextafter(x, y) - x);
        put(6, lf::rootn(x, 3));
      },
      1e-5);
}

TEST(recorded_math, whole_numbers_beside_real_ones) {
  LANEFOLD_NEED_OPENCL();
  check_functions_with_integers<float>();
  check_functions_with_integers<double>();
}

template <class T>
void check_two_results() {
  check<T, 13>(
      [](const auto& it, const auto& x, const auto& y, const auto& put) {
        auto whole = it.var(T(0));
        auto number = it.var(0);
        put(0, lf::fract(x, &whole));
        put(1, whole);
        put(2, lf::modf(x, &whole));
        put(3, whole);
        put(4, lf::frexp(x, &number));
        put(5, number);
        put(6, lf::sincos(x, &whole));
        put(7, whole);
        const auto both = lf::sincos(x);
        put(8, both.sin + 2 * both.cos);
        put(9, lf::lgamma_r(y, &number));
        static_cast<void>(lf::lgamma_r(x, &number));
        put(10, number);
        put(11, lf::remquo(x, y, &number));
        put(12, number);
      },
      2e-5);
}

TEST(recorded_math, two_results) {
  LANEFOLD_NEED_OPENCL();
  check_two_results<float>();
  check_two_results<double>();
}

TEST(recorded_math, less_exact_ones) {
  LANEFOLD_NEED_OPENCL();
  check<float, 15>(
      [](const auto&, const auto& x, const auto& y, const auto& put) {
        const auto z = lf::fabs(x) + 0.125F;
        put(0, lf::native::cos(y));
        put(1, lf::native::exp(y));
        put(2, lf::native::exp10(-y));
        put(3, lf::native::exp2(y));
        put(4, lf::native::log(z));
        put(5, lf::native::log10(z));
        put(6, lf::native::log2(z));
        put(7, lf::native::rsqrt(z));
        put(8, lf::native::sin(y));
        put(9, lf::native::sqrt(z));
        put(10, lf::native::tan(y));
        put(11, lf::native::recip(z));
        put(12, lf::native::divide(x, z));
        put(13, lf::native::powr(z, y));
        put(14, lf::half_precision::sin(y) + lf::half_precision::divide(x, z));
      },
      4e-3);
  check<double, 3>(
      [](const auto&, const auto& x, const auto& y, const auto& put) {
        put(0, lf::native::sin(x));
        put(1, lf::native::recip(y));
        put(2, lf::native::divide(x, y));
      },
      1e-12);
}

TEST(recorded_math, bits) {
  LANEFOLD_NEED_OPENCL();
  expect_same_everywhere<std::int64_t>(5 * n, [](lf::queue& q, auto how, lf::buffer<std::int64_t>& out) {
    q.submit([&](lf::handler& h) {
      const lf::accessor z(out, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::range<1>(n), how, [=](auto it) {
        const auto i = it.get_id(0);
        const auto a = lf::convert<std::int32_t>(i * 2654435761U), b = lf::convert<std::int32_t>(i * 40503U);
        const auto put = [&](std::size_t column, const auto& v) { z[i + column * n] = lf::convert<std::int64_t>(v); };
        put(0, lf::bitselect(a, b, std::int32_t(0x0f0f3355)));
        put(1, lf::bitselect(lf::convert<std::uint8_t>(a), lf::convert<std::uint8_t>(b), std::uint8_t(0x3c)));
        put(2, lf::upsample(a, lf::convert<std::uint32_t>(b)));
        put(3, lf::upsample(lf::convert<std::int8_t>(a), lf::convert<std::uint8_t>(b)));
        const auto real = lf::bitselect(lf::convert<float>(a), lf::convert<float>(b), 1.F);
        put(4, lf::select(real < lf::convert<float>(b), 1, 0));
      });
    });
  });
}

} // namespace
