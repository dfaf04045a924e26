// SPDX-License-Identifier: Apache-2.0
/// Euler's equations of a gas: the microkernels, which know nothing of patches, memory or threads.
#pragma once

#include <lanefold/simd.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

namespace finite_volumes {

namespace lf = lanefold;

/// A gas in D dimensions. A state is a density, D momenta and an energy per volume; V is a double, or a varying of
/// doubles: one cell a lane.
template <int D>
struct euler {
  static constexpr std::size_t variables = D + 2;
  static constexpr double gamma = 1.4;

  template <class V>
  using state = std::array<V, variables>;

  template <class V>
  static V pressure(const state<V>& q) {
    const V inverse = V(1.0 / q[0]);
    if constexpr (D == 2) {
      return V((gamma - 1) * (q[D + 1] - 0.5 * inverse * (q[1] * q[1] + q[2] * q[2])));
    } else {
      return V((gamma - 1) * (q[D + 1] - 0.5 * inverse * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3])));
    }
  }

  /// Returns what flows along each dimension.
  template <class V>
  static std::array<state<V>, D> flux(const state<V>& q) {
    const V p = pressure(q);
    const V inverse = V(1.0 / q[0]);
    return for_each(std::make_index_sequence<D>(), [&](auto n) {
      const V velocity = V(inverse * q[n + 1]);
      return for_each(std::make_index_sequence<variables>(), [&](auto v) {
        if constexpr (v == n + 1) {
          return V(velocity * q[v] + p);
        } else if constexpr (v == D + 1) {
          return V(velocity * (q[v] + p));
        } else {
          return V(velocity * q[v]);
        }
      });
    });
  }

  /// The speed of the fastest wave along each dimension; infinite where pressure or density are not positive.
  template <class V>
  static std::array<V, D> eigenvalue(const state<V>& q) {
    const V p = pressure(q);
    const V inverse = V(1.0 / q[0]);
    const V sound =
        V(lf::select(p > 0.0 && q[0] > 0.0, V(lf::sqrt(gamma * p * inverse)), std::numeric_limits<double>::infinity()));
    return for_each(std::make_index_sequence<D>(), [&](auto n) { return V(lf::fabs(inverse * q[n + 1]) + sound); });
  }

private:
  template <std::size_t... I, class F>
  static auto for_each(std::index_sequence<I...>, const F& f) {
    return std::array{f(std::integral_constant<std::size_t, I>())...};
  }
};

} // namespace finite_volumes
