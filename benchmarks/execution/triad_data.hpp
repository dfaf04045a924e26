// SPDX-License-Identifier: Apache-2.0
/// Arrays for a[i] = b[i] + s * c[i] that stay in the cache, and what a must hold afterwards.
#pragma once

#include "programs.hpp"

namespace lanefold_benchmarks {

class triad_data {
public:
  explicit triad_data(std::size_t count) : m_a(count), m_b(count), m_c(count) {
    for (std::size_t i = 0; i < count; ++i) {
      m_b[i] = static_cast<float>(i % 1021);
      m_c[i] = static_cast<float>(i % 509);
    }
  }
  triad_data(const triad_data&) = delete;
  triad_data& operator=(const triad_data&) = delete;

  [[nodiscard]] ours::triad_arrays arrays() { return {m_a.data(), m_b.data(), m_c.data(), factor, m_a.size()}; }
  /// The side of Lanefold's form `only`, whose result is checked.
  [[nodiscard]] side side_of(work only) {
    return expectation{[this] { std::fill(m_a.begin(), m_a.end(), -1.0F); },
                       [this]() -> std::string {
                         for (std::size_t i = 0; i < m_a.size(); ++i) {
                           if (m_a[i] != m_b[i] + factor * m_c[i]) {
                             return "element " + std::to_string(i) + " is wrong";
                           }
                         }
                         return {};
                       }}
        .ours({std::move(only)});
  }

private:
  static constexpr float factor = 3.0F;
  lanefold_peers::array<float> m_a, m_b, m_c;
};

} // namespace lanefold_benchmarks
