// SPDX-License-Identifier: Apache-2.0
// The functions of real numbers of SYCL's tables in recorded kernels, each of them against that of lanes and of plain
// numbers: of float, double and half, and of vectors.
#include "testing.hpp"

#include <bit>
#include <cstdint>
#include <utility>

namespace {

using namespace recorded_testing;

constexpr std::size_t n = 24;

/// kernel(item, x, y, put): numbers from -0.9 to 0.9 and from 0.5 to 3.5. `put` takes a number of each work-item.
template <class T, std::size_t Columns, class Kernel>
void check(Kernel kernel, double tolerance) {
  LANEFOLD_NEED_OPENCL();
  std::vector<T> a(n), b(n);
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = static_cast<T>((static_cast<double>(i * 7 % n) - 11.5) / 12.8);
    b[i] = static_cast<T>(0.5 + static_cast<double>(i * 5 % n) / 8);
  }
  expect_same_everywhere<double>(
      n * Columns,
      [&](lf::queue& q, auto how, lf::buffer<double>& out) {
        lf::buffer<T> a_buffer(a.data(), lf::range<1>(n)), b_buffer(b.data(), lf::range<1>(n));
        q.submit([&](lf::handler& h) {
          const lf::accessor x(a_buffer, h, lf::read_only), y(b_buffer, h, lf::read_only);
          const lf::accessor z(out, h, lf::write_only, lf::no_init);
          h.parallel_for(lf::range<1>(n), how, [=](auto it) {
            const auto i = it.get_id(0);
            std::size_t column = 0;
            kernel(it, it.var(x[i]), it.var(y[i]),
                   [&](const auto& v) { z[i + n * column++] = lf::convert<double>(v); });
          });
        });
      },
      tolerance, &has_double);
}

#define PUT_1(name) put(lf::name(x));
#define PUT_POSITIVE(name) put(lf::name(y));
#define PUT_2(name) put(lf::name(x, y));
#define PUT_3(name) put(lf::name(x, y, x));

const auto of_angles = [](const auto&, const auto& x, const auto& y, const auto& put) {
  PUT_1(acos)
  PUT_1(acospi)
  PUT_1(asin)
  PUT_1(asinh)
  PUT_1(asinpi)
  PUT_1(atan)
  PUT_1(atanh)
  PUT_1(atanpi)
  PUT_1(cos)
  PUT_1(cosh)
  PUT_1(cospi)
  PUT_1(sin)
  PUT_1(sinh)
  PUT_1(sinpi)
  PUT_1(tan)
  PUT_1(tanh)
  PUT_1(degrees)
  PUT_1(radians)
  PUT_2(atan2)
  PUT_2(atan2pi)
  put(lf::tanpi(x / 3));
  put(lf::acosh(y + 1));
};

const auto of_powers = [](const auto&, const auto& x, const auto& y, const auto& put) {
  PUT_1(cbrt)
  PUT_1(erf)
  PUT_1(erfc)
  PUT_1(exp)
  PUT_1(exp10)
  PUT_1(exp2)
  PUT_1(expm1)
  PUT_1(log1p)
  PUT_POSITIVE(lgamma)
  PUT_POSITIVE(log)
  PUT_POSITIVE(log10)
  PUT_POSITIVE(log2)
  PUT_POSITIVE(rsqrt)
  PUT_POSITIVE(sqrt)
  PUT_POSITIVE(tgamma)
  PUT_2(hypot)
  put(lf::pow(y, x));
  put(lf::powr(y, x));
  put(lf::pown(x, 3));
  put(lf::rootn(y, 3));
};

const auto exact_ones = [](const auto&, const auto& x, const auto& y, const auto& put) {
  PUT_1(ceil)
  PUT_1(fabs)
  PUT_1(floor)
  PUT_1(logb)
  PUT_1(rint)
  PUT_1(round)
  PUT_1(sign)
  PUT_1(trunc)
  PUT_1(ilogb)
  PUT_1(abs)
  PUT_2(copysign)
  PUT_2(fdim)
  PUT_2(fmax)
  PUT_2(fmin)
  PUT_2(fmod)
  PUT_2(maxmag)
  PUT_2(minmag)
  PUT_2(remainder)
  PUT_2(step)
  PUT_2(min)
  PUT_2(max)
  PUT_3(fma)
  PUT_2(nextafter)
  PUT_3(bitselect)
  put(lf::ldexp(x, 4));
  put(lf::clamp(y, 1, 2));
};

const auto common_ones = [](const auto&, const auto& x, const auto& y, const auto& put) {
  PUT_3(mad)
  PUT_3(mix)
  put(lf::smoothstep(x, x + 2, y));
  PUT_2(distance)
  PUT_2(dot)
  put(lf::length(x));
  put(lf::normalize(x));
  put(lf::fast_length(x));
  put(lf::fast_distance(x, y));
  put(lf::fast_normalize(x));
};

TEST(recorded_all_functions, of_float) {
  check<float, 22>(of_angles, 1e-5);
  check<float, 20>(of_powers, 1e-5);
  check<float, 26>(exact_ones, 0);
  check<float, 10>(common_ones, 1e-5);
}

TEST(recorded_all_functions, of_double) {
  check<double, 22>(of_angles, 1e-12);
  check<double, 20>(of_powers, 1e-12);
  check<double, 26>(exact_ones, 0);
  check<double, 10>(common_ones, 1e-12);
}

TEST(recorded_all_functions, of_half) {
  check<lf::half, 22>(of_angles, 4e-3);
  check<lf::half, 20>(of_powers, 4e-3);
  check<lf::half, 26>(exact_ones, 0);
  check<lf::half, 10>(common_ones, 4e-3);
}

/// Neighbours and bits of half, near 0, at the ends, and of what is no number.
TEST(recorded_all_functions, neighbours_of_half) {
  LANEFOLD_NEED_OPENCL();
  std::vector<lf::half> in;
  for (const std::uint16_t bits : {0, 1, 2, 0x3ff, 0x400, 0x3c00, 0x7bff, 0x7c00, 0x7e00}) {
    in.push_back(std::bit_cast<lf::half>(bits));
    in.push_back(std::bit_cast<lf::half>(static_cast<std::uint16_t>(bits | 0x8000)));
  }
  const std::size_t count = in.size();
  expect_same_everywhere<float>(2 * count * count, [&](lf::queue& q, auto how, lf::buffer<float>& out) {
    lf::buffer<lf::half> in_buffer(in.data(), lf::range<1>(count));
    q.submit([&](lf::handler& h) {
      const lf::accessor x(in_buffer, h, lf::read_only);
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::range<1>(count * count), how, [=](auto it) {
        const auto i = it.get_id(0);
        const auto a = it.var(x[i / count]), b = it.var(x[i % count]);
        y[i] = lf::convert<float>(lf::nextafter(a, b));
        // The bits of what is no number may be others on a device.
        const auto selected = lf::convert<float>(lf::bitselect(a, b, lf::half(1)));
        y[i + count * count] = lf::select(lf::isunordered(a, b), 0.F, selected);
      });
    });
  });
}

TEST(recorded_all_functions, nan) {
  LANEFOLD_NEED_OPENCL();
  const auto run = [](lf::queue q, auto& out16, auto& out32, auto& out64) {
    lf::buffer<lf::half> small(out16);
    lf::buffer<float> middle(out32);
    lf::buffer<double> large(out64);
    q.submit([&](lf::handler& h) {
      const lf::accessor x(small, h, lf::write_only, lf::no_init);
      const lf::accessor y(middle, h, lf::write_only, lf::no_init);
      const lf::accessor z(large, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::range<1>(n), lf::property::strategy<lf::simd<8>>(), [=](auto it) {
        const auto i = it.get_id(0);
        x[i] = lf::nan(lf::convert<std::uint16_t>(i));
        y[i] = lf::nan(lf::convert<std::uint32_t>(i));
        z[i] = lf::nan(lf::convert<std::uint64_t>(i));
      });
    });
    q.wait_and_throw();
  };
  const auto check_on = [&](lf::queue q, const std::string& who) {
    std::vector<lf::half> out16(n);
    std::vector<float> out32(n);
    std::vector<double> out64(n);
    run(q, out16, out32, out64);
    for (std::uint32_t i = 0; i < n; ++i) {
      ASSERT_TRUE(lf::isnan(out16[i])) << who << ", " << i; // a device may change the bits when it stores it
      ASSERT_EQ(std::bit_cast<std::uint32_t>(out32[i]), 0x7fc00000U + i) << who;
      ASSERT_EQ(std::bit_cast<std::uint64_t>(out64[i]), 0x7ff8000000000000U + i) << who;
    }
  };
  check_on(lf::queue(), "CPU");
  for (const gpu::device& device : gpu::devices()) {
    if (device.has_fp64()) {
      check_on(lf::queue(device), device.get_platform_name());
    }
  }
}

/// Functions of vectors whose elements are of several types, or that give two results.
TEST(recorded_all_functions, of_vectors_beside_whole_numbers) {
  check<float, 20>(
      [](const auto& it, const auto& x, const auto& y, const auto& put) {
        const auto v = it.var(lf::make_vec(x, y)), w = it.var(lf::make_vec(y, x));
        const auto whole = it.var(lf::make_vec(lf::convert<std::int32_t>(y), lf::convert<std::int32_t>(x * 4)));
        const auto put_both = [&](const auto& both) { put(both.x() + both.y() * 3); };
        put_both(lf::ldexp(v, whole));
        put_both(lf::ldexp(v, 3));
        put_both(lf::pown(w, whole));
        put_both(lf::rootn(lf::fabs(v), 3));
        put_both(lf::ilogb(v));
        put_both(lf::nextafter(v, w));
        put_both(lf::bitselect(v, w, v));
        put_both(lf::select(v, w, whole - 2));
        auto other = it.var(v);
        auto number = it.var(whole);
        put_both(lf::fract(v, &other) + other);
        put_both(lf::modf(v, &other) - other);
        put_both(lf::frexp(v, &number));
        put_both(number);
        put_both(lf::sincos(v, &other) + other * 2);
        put_both(lf::lgamma_r(w, &number));
        put_both(number);
        put_both(lf::remquo(w, v, &number));
        put_both(number);
        const auto small = lf::make_vec(lf::convert<std::uint32_t>(y), lf::convert<std::uint32_t>(y * 7));
        put_both(lf::upsample(whole, small));
        put_both(lf::select(v, w, small << 31U));
        put_both(lf::isnan(lf::nan(small)));
      },
      1e-5);
}

TEST(recorded_all_functions, less_exact_ones_of_vectors) {
  check<float, 5>(
      [](const auto& it, const auto& x, const auto& y, const auto& put) {
        const auto v = it.var(lf::make_vec(x, y)), w = it.var(lf::make_vec(y, y + 1));
        const auto put_both = [&](const auto& both) { put(both.x() + both.y() * 3); };
        put_both(lf::native::sin(v));
        put_both(lf::native::divide(v, w));
        put_both(lf::native::powr(w, v));
        put_both(lf::half_precision::recip(w));
        put_both(lf::half_precision::exp2(v));
      },
      4e-3);
}

/// Operators of variables that are vectors.
TEST(recorded_all_functions, operators_of_vectors) {
  check<float, 6>(
      [](const auto& it, const auto& x, const auto& y, const auto& put) {
        auto v = it.var(lf::make_vec(lf::convert<std::int32_t>(x * 100), lf::convert<std::int32_t>(y * 100)));
        const auto put_both = [&](const auto& both) { put(both.x() + both.y() * 3); };
        put_both(++v);
        put_both(v++);
        put_both(v--);
        put_both(--v);
        v <<= 3;
        put_both(v);
        v >>= 2;
        put_both(v);
      },
      0);
}

} // namespace
