// SPDX-License-Identifier: Apache-2.0
/// Kernels over ranges of two dimensions that go through memory across the rows of their range, against one that goes
/// along them. Rows of 1,000 and of 1,024 floats: the lines of a column of these are few places of a cache.
#include "programs.hpp"

namespace lanefold_benchmarks {

namespace {

class square {
public:
  square(std::size_t n, unsigned threads) : m_n(n), m_threads(threads), m_from(n * n), m_to(n * n) {
    for (std::size_t i = 0; i < n * n; ++i) {
      m_from[i] = static_cast<float>(i % 65521);
    }
  }
  side walked(ours::direction where) {
    const expectation expected{[this] { std::fill(m_to.begin(), m_to.end(), -1.0F); },
                               [this, where] { return what_is_wrong(where); }};
    return expected.ours({ours::columns(where, m_from.data(), m_to.data(), m_n, m_threads)});
  }

private:
  [[nodiscard]] std::string what_is_wrong(ours::direction where) const {
    const bool transposed = where == ours::direction::transposed;
    for (std::size_t i = 0; i < m_n * m_n; ++i) {
      const float right = transposed ? m_from[i % m_n * m_n + i / m_n] : 2 * m_from[i] + 1;
      if (m_to[i] != right) {
        return "element " + std::to_string(i) + " is wrong";
      }
    }
    return {};
  }

  std::size_t m_n;
  unsigned m_threads;
  lanefold_peers::array<float> m_from, m_to;
};

} // namespace

void measure_columns(report& to, const options& given) {
  if (given.absolute_times) {
    return; // the ratios say it
  }
  for (const std::size_t n : {1000, 1024}) {
    square all(n, given.threads);
    const std::string name = "columns/" + std::to_string(n);
    to.compare(name + "/rows", quantity::time, all.walked(ours::direction::along_columns),
               all.walked(ours::direction::along_rows));
    to.compare(name + "/transposition/rows", quantity::time, all.walked(ours::direction::transposed),
               all.walked(ours::direction::along_rows));
  }
}

} // namespace lanefold_benchmarks
