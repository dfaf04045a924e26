// SPDX-License-Identifier: Apache-2.0
/// A function of SYCL in every form: numbers, vec, swizzles, marray and varyings, against a reference.
#pragma once

#include "simd/math_testing.hpp"

#include <lanefold/memory.hpp>
#include <lanefold/simd/variable.hpp>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace function_testing {

using math_testing::engine;
using math_testing::same;
using math_testing::ulps;
namespace lf = lanefold;

inline constexpr std::size_t count = 24 * 24 + 1024; // a multiple of 64

/// Every pair of awkward values (this is the first or the second of a pair), then values from a range.
template <class T>
[[gnu::noinline]] std::vector<T> operands(T low, T high, bool second = false) {
  constexpr auto awkward = math_testing::awkward_values<T>();
  std::vector<T> x(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i < awkward.size() * awkward.size()) {
      x[i] = awkward[second ? i % awkward.size() : i / awkward.size()];
    } else if constexpr (std::is_integral_v<T>) {
      x[i] = i % 2 == 0 ? math_testing::any_value<T>()
                        : static_cast<T>(low + static_cast<T>(engine()() % static_cast<std::uint64_t>(high - low)));
    } else {
      x[i] = std::uniform_real_distribution<T>(low, high)(engine());
    }
  }
  return x;
}

/// Holds what f gives for numbers, and in the other forms.
template <class R>
struct forms {
  std::vector<R> numbers = std::vector<R>(count), vectors = numbers, arrays = numbers, lanes = numbers;
};

template <class V, class T>
V elements(const std::vector<T>& x, std::size_t first) {
  V v;
  for (std::size_t k = 0; k < V::size(); ++k) {
    v[k] = x[first + k];
  }
  return v;
}

template <class F, class... X>
[[gnu::noinline]] auto in_every_form(F f, const std::vector<X>&... x) {
  using R = std::remove_cvref_t<decltype(f(x[0]...))>;
  forms<R> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.numbers[i] = f(x[i]...);
  }
  for (std::size_t i = 0; i < count; i += 4) {
    const lf::vec<R, 4> v = f(elements<lf::vec<X, 4>>(x, i)...);
    const lf::marray<R, 4> m = f(elements<lf::marray<X, 4>>(x, i)...);
    for (std::size_t k = 0; k < 4; ++k) {
      all.vectors[i + k] = v[static_cast<int>(k)];
      all.arrays[i + k] = m[k];
    }
  }
  constexpr std::size_t n = 16;
  for (std::size_t i = 0; i < count; i += n) {
    const lf::varying<R, n> v(f(lf::varying<X, n>::load(x.data() + i)...));
    v.store(all.lanes.data() + i);
  }
  return all;
}

template <class T, class... X>
[[gnu::noinline]] void complain(const char* name, const char* form, T got, long double exact, double error, X... x) {
  std::ostringstream of;
  ((of << ' ' << +x), ...);
  ADD_FAILURE() << name << of.str() << " of " << form << ": " << +got << ", exactly " << exact << ", " << error
                << " ulp";
}

/// f within `bound` ulp of a reference of long double in every form.
template <class T, class F, class R, class... X>
void expect_within(const char* name, double bound, F f, R reference, const std::vector<X>&... x) {
  const forms<T> got = in_every_form(f, x...);
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const long double exact = reference(static_cast<long double>(x[i])...);
    for (const auto& [of, values] : {std::pair("numbers", &got.numbers), std::pair("a vec", &got.vectors),
                                     std::pair("an marray", &got.arrays), std::pair("lanes", &got.lanes)}) {
      const T value = (*values)[i];
      const double error = ulps(value, exact);
      worst = std::max(worst, error);
      if (!(error <= bound) || (exact == 0 && std::signbit(value) != std::signbit(exact))) {
        return complain(name, of, value, exact, error, x[i]...);
      }
    }
  }
  std::printf("%-10s %3zu bits %.2f ulp\n", name, 8 * sizeof(T), worst);
}

/// f gives what the reference gives, in every form.
template <class R, class F, class G, class... X>
void expect_equal(const char* name, F f, G reference, const std::vector<X>&... x) {
  const forms<R> got = in_every_form(f, x...);
  for (std::size_t i = 0; i < count; ++i) {
    const R right = reference(x[i]...);
    for (const auto* form : {&got.numbers, &got.vectors, &got.arrays, &got.lanes}) {
      if (!same((*form)[i], right)) {
        const char* const of = form == &got.numbers   ? "numbers"
                               : form == &got.vectors ? "vectors"
                               : form == &got.arrays  ? "arrays"
                                                      : "lanes";
        return complain(name, of, (*form)[i], static_cast<long double>(right), 0, x[i]...);
      }
    }
  }
}

} // namespace function_testing
