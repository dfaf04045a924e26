// SPDX-License-Identifier: Apache-2.0
#include "../programs/transposition.hpp"

#include "demo.hpp"

#include <numeric>

namespace demo {

void run_transposition(lf::queue& q, const sizes& s, table& t) {
  const std::size_t n = s.matrix;
  const lf::range<2> extents(n, n);
  constexpr std::size_t tile = 16;
  std::vector<float> in(n * n), out(n * n);
  std::iota(in.begin(), in.end(), 0.0F);
  const lf::view<const float, 2> vin(in.data(), extents);
  const lf::view<float, 2> vout(out.data(), extents);
  const auto verify = [&] {
    for (std::size_t y = 0; y < n; ++y) {
      for (std::size_t x = 0; x < n; ++x) {
        if (out[x * n + y] != in[y * n + x]) {
          return false;
        }
      }
    }
    return true;
  };
  const auto run = [&](auto strategy, lf::fiber_engine engine) {
    std::fill(out.begin(), out.end(), -1.0F);
    t.measure(
        "transposition", strategy.name, to_string(engine),
        [&] { programs::transposition(q, vin, vout, tile, how(strategy, engine)).wait(); }, verify);
  };
  for_engines(scalar, run);
  for_engines(simd<16>, run);
  for_engines(shape<4, 16>, run);
}

} // namespace demo
