// SPDX-License-Identifier: Apache-2.0
#include "data.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace lanefold_benchmarks::scoped {

summands::summands(std::size_t count) : in(count), sums(count / 256), result(1) {
  for (std::size_t i = 0; i < count; ++i) {
    in[i] = static_cast<double>(i * 2654435761u % 17) - 5.0;
    right += in[i];
  }
}

expectation summands::expected() {
  return {[this] { result[0] = -1.0; },
          [this]() -> std::string {
            if (result[0] == right) {
              return {};
            }
            return "the sum is " + std::to_string(result[0]) + " instead of " + std::to_string(right);
          }};
}

matrices::matrices(std::size_t order)
    : n(order), a(order * order), b(order * order), c(order * order), right(order * order) {
  for (std::size_t i = 0; i < n * n; ++i) {
    a[i] = static_cast<double>(i * 2654435761u % 9) - 4.0;
    b[i] = static_cast<double>(i * 2246822519u % 7) - 3.0;
  }
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t column = 0; column < n; ++column) {
        right[row * n + column] += a[row * n + k] * b[k * n + column];
      }
    }
  }
}

expectation matrices::expected() {
  return {[this] { std::fill(c.begin(), c.end(), -1.0); },
          [this]() -> std::string {
            const auto [wrong, _] = std::mismatch(c.begin(), c.end(), right.begin());
            return wrong == c.end() ? std::string() : "element " + std::to_string(wrong - c.begin()) + " is wrong";
          }};
}

template <class T>
cloud<T>::cloud(std::size_t bodies) : count(bodies), in(4 * bodies), out(3 * bodies) {
  std::mt19937 random(42);
  std::uniform_real_distribution<T> position(T(-1), T(1)), mass(T(0.5), T(1.5));
  std::generate_n(in.begin(), 3 * count, [&] { return position(random); });
  std::generate_n(in.begin() + 3 * count, count, [&] { return mass(random); });
}

template <class T>
bodies<T> cloud<T>::set() {
  T *i = in.data(), *o = out.data();
  return {count, i, i + count, i + 2 * count, i + 3 * count, o, o + count, o + 2 * count, T(1e-4)};
}

template <class T>
expectation cloud<T>::expected() {
  return {[this] { std::fill(out.begin(), out.end(), std::nan("")); },
          [this]() -> std::string {
            const auto right = set();
            const long double bound = sizeof(T) == sizeof(float) ? 1e-4L : 1e-12L;
            for (std::size_t i = 0; i < count; i += 61) {
              long double a[3];
              lanefold_peers::nbody_reference(right, i, a);
              const long double size = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
              const long double got[3] = {right.ax[i], right.ay[i], right.az[i]};
              for (int k = 0; k < 3; ++k) {
                if (!(std::abs(got[k] - a[k]) <= bound * size)) {
                  return "body " + std::to_string(i) + " is wrong";
                }
              }
            }
            const bool whole =
                std::all_of(out.begin(), out.end(), [](T component) { return std::isfinite(component); });
            return whole ? "" : "a body is missing";
          }};
}

template struct cloud<float>;
template struct cloud<double>;

} // namespace lanefold_benchmarks::scoped
