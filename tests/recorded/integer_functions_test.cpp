// SPDX-License-Identifier: Apache-2.0
// Functions of integers of all types, and common functions, in recorded kernels.
#include "testing.hpp"

#include <cstdint>

namespace {

using namespace recorded_testing;

template <class T>
void check() {
  constexpr std::size_t n = 64;
  std::vector<T> a(n), b(n);
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = static_cast<T>(0x9E3779B97F4A7C15U * (i + 1) >> (i % 40));
    b[i] = i == 7 ? T(0) : static_cast<T>(0xD1B54A32D192ED03U * (i + 3) >> (i % 53));
  }
  expect_same_everywhere<T>(13 * n, [&](lf::queue& q, auto how, lf::buffer<T>& out) {
    lf::buffer<T> a_buffer(a), b_buffer(b);
    q.submit([&](lf::handler& h) {
      const lf::accessor as(a_buffer, h, lf::read_only), bs(b_buffer, h, lf::read_only);
      const lf::accessor z(out, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::range<1>(n), how, [=](auto it) {
        const auto i = it.get_id(0);
        const auto x = it.var(as[i]), y = it.var(bs[i]);
        z[i] = lf::add_sat(x, y);
        z[i + n] = lf::sub_sat(x, y);
        z[i + 2 * n] = lf::hadd(x, y);
        z[i + 3 * n] = lf::rhadd(x, y);
        z[i + 4 * n] = lf::mul_hi(x, y);
        z[i + 5 * n] = lf::mad_hi(x, y, T(3));
        z[i + 6 * n] = lf::mad_sat(x, y, T(3));
        z[i + 7 * n] = lf::clz(y);
        z[i + 8 * n] = lf::ctz(y);
        z[i + 9 * n] = lf::popcount(x);
        z[i + 10 * n] = lf::rotate(x, T(3));
        z[i + 11 * n] = lf::abs_diff(x, y);
        z[i + 12 * n] = lf::mul24(lf::convert<T>(x & T(0x3f)), T(5));
      });
    });
  });
}

TEST(recorded_functions, of_integers) {
  LANEFOLD_NEED_OPENCL();
  check<std::int32_t>();
  check<std::uint32_t>();
  check<std::int64_t>();
  check<std::uint64_t>();
  check<std::int16_t>();
  check<std::uint8_t>();
}

TEST(recorded_functions, common_ones) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t n = 64;
  expect_same_everywhere<float>(
      6 * n,
      [&](lf::queue& q, auto how, lf::buffer<float>& out) {
        q.submit([&](lf::handler& h) {
          const lf::accessor y(out, h, lf::write_only, lf::no_init);
          h.parallel_for(lf::range<1>(n), how, [=](auto it) {
            const auto i = it.get_id(0);
            const auto x = it.var(lf::convert<float>(i) / 8.F - 3.F);
            y[i] = lf::degrees(x);
            y[i + n] = lf::radians(x);
            y[i + 2 * n] = lf::mix(x, 2.F, 0.25F) + lf::sign(x);
            y[i + 3 * n] = lf::step(0.5F, x) + lf::smoothstep(-1.F, 2.F, x);
            y[i + 4 * n] = lf::atan2pi(x, 2.F) + lf::maxmag(x, 1.F);
            y[i + 5 * n] = lf::minmag(x, 1.F) + lf::logb(x + 5.F);
          });
        });
      },
      1e-5);
}

} // namespace
