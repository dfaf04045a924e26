// SPDX-License-Identifier: Apache-2.0
/// Points thrown at a square, by Philox: how many are in the circle?
#include "programs.hpp"

namespace lanefold_benchmarks {

namespace {

/// Ten rounds of Philox 4x32 on four words.
template <class Words>
void philox(Words& a, Words& b, Words& c, Words& d) {
  std::uint32_t key0 = 42, key1 = 7;
  for (int round = 0; round < 10; ++round) {
    const auto high0 = lf::mul_hi(a, 0xD2511F53U), low0 = a * 0xD2511F53U;
    const auto high1 = lf::mul_hi(c, 0xCD9E8D57U), low1 = c * 0xCD9E8D57U;
    a = high1 ^ b ^ key0;
    b = low1;
    c = high0 ^ d ^ key1;
    d = low0;
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
}

} // namespace

void measure_monte_carlo(contest& to, unsigned threads) {
  constexpr std::size_t count = 8192;
  constexpr std::uint32_t draws = 64;
  array<std::uint32_t> inside(count);
  const darts of{inside.data(), count, draws};
  const work loop = openmp::monte_carlo(of, threads);
  loop.run();
  const std::vector<std::uint32_t> expected(inside.begin(), inside.end());

  to.run(
      "monte_carlo", loop, [&] { std::fill(inside.begin(), inside.end(), 0U); },
      [&] { return first_difference(inside, expected, 0); },
      [=](lf::queue& q, auto properties) {
        const lf::view<std::uint32_t> result(of.inside, count);
        q.parallel_for(lf::range<1>(count), properties, [=](auto it) {
           const auto in_circle = [](auto x, auto y) {
             const auto a = lf::convert<float>(x >> 8) * 0x1p-24F, b = lf::convert<float>(y >> 8) * 0x1p-24F;
             return lf::select(a * a + b * b < 1.F, 1U, 0U);
           };
           const auto i = it.get_id(0);
           auto hits = it.var(0U);
           for (std::uint32_t k = 0; k < draws; ++k) {
             auto a = it.var(lf::convert<std::uint32_t>(i)), b = it.var(k), c = it.var(0U), d = it.var(0U);
             philox(a, b, c, d);
             hits += in_circle(a, b) + in_circle(c, d);
           }
           result[i] = hits;
         }).wait();
      });
}

} // namespace lanefold_benchmarks
