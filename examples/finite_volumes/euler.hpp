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

  /// Holds what flux and eigenvalue of a state have in common: the velocity along each dimension, the pressure, the
  /// speed of sound, which is infinite where pressure or density are not positive.
  template <class V>
  using motion = std::array<V, D + 2>;

  template <class V>
  static motion<V> motion_of(const state<V>& q) {
    const V p = pressure(q);
    const V inverse = V(1.0 / q[0]);
    return for_each(std::make_index_sequence<D + 2>(), [&](auto n) {
      if constexpr (n < D) {
        return V(inverse * q[n + 1]);
      } else if constexpr (n == D) {
        return p;
      } else {
        return V(lf::select(lf::min(p, q[0]) > 0.0, V(lf::sqrt(gamma * p * inverse)),
                            std::numeric_limits<double>::infinity()));
      }
    });
  }

  /// Returns what flows along dimension n, a constant.
  template <class N, class V>
  static state<V> flux(N n, const state<V>& q, const V& velocity, const V& pressure) {
    return for_each(std::make_index_sequence<variables>(), [&](auto v) {
      if constexpr (v == 0) {
        return q[n + 1];
      } else if constexpr (v == n + 1) {
        return V(velocity * q[v] + pressure);
      } else if constexpr (v == D + 1) {
        return V(velocity * (q[v] + pressure));
      } else {
        return V(velocity * q[v]);
      }
    });
  }

  /// Returns the speed of the fastest wave along a dimension.
  template <class V>
  static V eigenvalue(const V& velocity, const V& sound) {
    return V(lf::fabs(velocity) + sound);
  }

  /// Returns the speed of the fastest wave along any dimension.
  template <class V>
  static V fastest(const state<V>& q) {
    const motion<V> m = motion_of(q);
    const auto velocity = V(lf::max(V(lf::fabs(m[0])), V(lf::fabs(m[1]))));
    if constexpr (D == 2) {
      return V(velocity + m[D + 1]);
    } else {
      return V(lf::max(velocity, V(lf::fabs(m[2]))) + m[D + 1]);
    }
  }

private:
  template <std::size_t... I, class F>
  static auto for_each(std::index_sequence<I...>, const F& f) {
    return std::array{f(std::integral_constant<std::size_t, I>())...};
  }
};

} // namespace finite_volumes
