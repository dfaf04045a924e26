// SPDX-License-Identifier: Apache-2.0
/// Quotients of integers by one number in lanes against a plain loop: by a constant, and by a number that neither the
/// compiler of the loop nor that of the kernel knows.
#include "programs.hpp"

#include <random>

namespace lanefold_benchmarks {

namespace {

constexpr std::size_t count = std::size_t{1} << 16;

template <class T>
class dividends {
public:
  dividends() {
    std::mt19937_64 any(1);
    for (T& each : m_x) {
      each = static_cast<T>(any());
    }
  }
  side lanes(ours::divisor kind) { return results().ours({ours::quotients(kind, m_x.data(), m_y.data(), count)}); }
  side loop(ours::divisor kind) {
    if (kind == ours::divisor::constant) {
      return results().of({"loop", [this] { divide([] { return T(ours::known_divisor); }); }, {}});
    }
    return results().of({"loop", [this] { divide([d = T(m_divisor)] { return d; }); }, {}});
  }

private:
  template <class Divisor>
  void divide(Divisor by) {
    const T* x = m_x.data();
    T* y = m_y.data();
    for (std::size_t i = 0; i < count; ++i) {
      y[i] = static_cast<T>(x[i] / by());
    }
  }
  expectation results() {
    return {[this] { std::fill(m_y.begin(), m_y.end(), T(77)); },
            [this]() -> std::string {
              for (std::size_t i = 0; i < count; ++i) {
                if (m_y[i] != static_cast<T>(m_x[i] / ours::known_divisor)) {
                  return "element " + std::to_string(i) + " is wrong";
                }
              }
              return {};
            }};
  }

  lanefold_peers::array<T> m_x{count}, m_y{count};
  volatile T m_divisor = ours::known_divisor;
};

template <class T>
void measure(report& to, const std::string& name) {
  dividends<T> all;
  for (const auto& [kind, text] :
       {std::pair(ours::divisor::constant, "constant"), {ours::divisor::uniform, "uniform"}}) {
    to.compare("division/" + name + "/" + text + "/plain", quantity::speed, all.lanes(kind), all.loop(kind));
  }
}

} // namespace

void measure_division(report& to, const options& given) {
  if (given.absolute_times) {
    return; // the ratios say it
  }
  measure<std::int32_t>(to, "int32");
  measure<std::uint8_t>(to, "uint8");
}

} // namespace lanefold_benchmarks
