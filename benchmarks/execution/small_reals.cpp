// SPDX-License-Identifier: Apache-2.0
/// half and bfloat16 in lanes against float: a sum and product, bound by loads and stores, and a polynomial, bound by
/// the conversions.
#include "programs.hpp"

#include <lanefold/memory/bfloat16.hpp>
#include <lanefold/memory/half.hpp>

namespace lanefold_benchmarks {

namespace {

constexpr std::size_t count = std::size_t{1} << 16;

template <class T>
struct arrays {
  lanefold_peers::array<T> x{count}, y{count};

  arrays() {
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = T(static_cast<float>(i % 13) / 16);
    }
  }
  /// The side that computes y, which must be what plain values give.
  template <class F>
  side of(ours::small_real_kernel kernel, F plain) {
    return expectation{[this] { std::fill(y.begin(), y.end(), T(-1)); },
                       [this, plain]() -> std::string {
                         for (std::size_t i = 0; i < count; ++i) {
                           if (!(y[i] == plain(x[i]))) {
                             return "element " + std::to_string(i) + " is wrong";
                           }
                         }
                         return {};
                       }}
        .ours({ours::small_reals(kernel, x.data(), y.data(), count, 1)});
  }
  side scaled() {
    return of(ours::small_real_kernel::scaled, [](T a) { return T(a * T(0.25F) + T(1.5F)); });
  }
  side polynomial() {
    return of(ours::small_real_kernel::polynomial, [](T a) {
      T sum = a;
      for (int k = 0; k < 8; ++k) {
        sum = T(sum * a + T(0.5F));
      }
      return sum;
    });
  }
};

} // namespace

void measure_small_reals(report& to, const options& given) {
  if (given.absolute_times) {
    return; // the ratios say it
  }
  arrays<float> floats;
  arrays<lanefold::half> halves;
  arrays<lanefold::ext::oneapi::bfloat16> brains;
  to.compare("small_reals/scaled/half/fp32", quantity::speed, halves.scaled(), floats.scaled());
  to.compare("small_reals/scaled/bfloat16/fp32", quantity::speed, brains.scaled(), floats.scaled());
  to.compare("small_reals/polynomial/half/fp32", quantity::speed, halves.polynomial(), floats.polynomial());
  to.compare("small_reals/polynomial/bfloat16/fp32", quantity::speed, brains.polynomial(), floats.polynomial());
}

} // namespace lanefold_benchmarks
