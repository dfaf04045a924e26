// SPDX-License-Identifier: Apache-2.0
/// Fourier transforms of 1,024 points (Stockham, radix 2) in local memory, a group of 512 work-items for each signal.
#include "programs.hpp"

#include <cmath>
#include <numbers>

namespace lanefold_benchmarks {

void measure_fft(contest& to, unsigned threads) {
  constexpr unsigned n = signals::length, half = n / 2;
  constexpr std::size_t count = 256;
  const array<float> re = random_floats(count * n, -1, 1), im = random_floats(count * n, -1, 1, 2);
  array<float> out_re(count * n), out_im(count * n), cosines(half), sines(half);
  for (unsigned k = 0; k < half; ++k) {
    cosines[k] = static_cast<float>(std::cos(2 * std::numbers::pi * k / n));
    sines[k] = static_cast<float>(-std::sin(2 * std::numbers::pi * k / n));
  }
  const signals of{re.data(), im.data(), out_re.data(), out_im.data(), cosines.data(), sines.data(), count};

  const auto check = [&]() -> std::string {
    for (const std::size_t which : {std::size_t{0}, count - 1}) {
      for (unsigned f = 0; f < n; f += 37) {
        double x = 0, y = 0;
        for (unsigned t = 0; t < n; ++t) {
          const double angle = -2 * std::numbers::pi * f * t / n;
          const double a = static_cast<double>(re[which * n + t]), b = static_cast<double>(im[which * n + t]);
          x += a * std::cos(angle) - b * std::sin(angle);
          y += a * std::sin(angle) + b * std::cos(angle);
        }
        if (std::hypot(static_cast<double>(out_re[which * n + f]) - x, static_cast<double>(out_im[which * n + f]) - y) >
            1e-3)
          return "frequency " + std::to_string(f) + " is wrong";
      }
    }
    return {};
  };
  const auto clear = [&] {
    std::fill(out_re.begin(), out_re.end(), 0.F);
    std::fill(out_im.begin(), out_im.end(), 0.F);
  };
  to.run("fft", openmp::fft(of, threads), clear, check, [=](lf::queue& q, auto properties) {
    q.submit([&](lf::handler& h) {
      const lf::view<const float, 2> in_re(of.re, {count, n}), in_im(of.im, {count, n});
      const lf::view<float, 2> re_of(of.out_re, {count, n}), im_of(of.out_im, {count, n});
      const lf::view<const float> cosine(of.cosines, half), sine(of.sines, half);
      const lf::local_accessor<float, 2> x({2, n}, h), y({2, n}, h);
      h.parallel_for(lf::nd_range<1>(count * half, half), properties, [=](auto it) {
        const std::size_t which = it.get_group(0);
        const auto t = it.get_local_id(0);
        x[0][t] = in_re[which][t];
        y[0][t] = in_im[which][t];
        x[0][t + half] = in_re[which][t + half];
        y[0][t + half] = in_im[which][t + half];
        unsigned from = 0;
        for (unsigned span = 1; span < n; span *= 2) {
          lf::group_barrier(it.get_group());
          const auto k = lf::convert<unsigned>(t) & (span - 1);
          const auto at = 2U * lf::convert<unsigned>(t) - k;
          const auto c = cosine[k * (half / span)], s = sine[k * (half / span)];
          const auto a = x[from][t + half], b = y[from][t + half];
          const auto u = a * c - b * s, v = a * s + b * c;
          const auto p = x[from][t], r = y[from][t];
          x[1 - from][at] = p + u;
          y[1 - from][at] = r + v;
          x[1 - from][at + span] = p - u;
          y[1 - from][at + span] = r - v;
          from = 1 - from;
        }
        lf::group_barrier(it.get_group());
        re_of[which][t] = x[from][t];
        im_of[which][t] = y[from][t];
        re_of[which][t + half] = x[from][t + half];
        im_of[which][t + half] = y[from][t + half];
      });
    });
    q.wait();
  });
}

} // namespace lanefold_benchmarks
