// SPDX-License-Identifier: Apache-2.0
/// Functions of recorded integers: those of OpenCL C of the same names. See memory/integer_functions.hpp. [sycl.4.17.6]
#pragma once

#include <lanefold/recorded/math.hpp>

#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Are integers of which at least one is recorded.
template <class... X>
concept RecordedIntegers = RecordedOperands<X...> && (std::is_integral_v<recorded_element_t<X>> && ...);

/// A function of integers of type Argument. Those below int are converted also if they have that type already: C has
/// promoted them in expressions, and the function is chosen by the type.
template <class T, class Argument, class... X>
recorded_value<T> recorded_integer_call(const char* name, const X&... x) {
  recorder& r = detail::recorder_of(x...);
  const auto exact = [&](const auto& each) {
    const node_number n = detail::node_as<Argument>(r, each);
    return recorded_value<Argument>(
        r, sizeof(Argument) < 4 ? r.add(recorded_op::convert, recorded_type_of<Argument>(), 0, n) : n);
  };
  return detail::recorded_call<T, Argument>(name, exact(x)...);
}

} // namespace detail

#define LANEFOLD_RECORDED_INTEGER(name)                                                                                \
  template <class... X>                                                                                                \
    requires detail::RecordedIntegers<X...>                                                                            \
  auto name(const X&... x) {                                                                                           \
    using T = detail::recorded_common_t<X...>;                                                                         \
    return detail::recorded_integer_call<T, T>(#name, x...);                                                           \
  }                                                                                                                    \
  LANEFOLD_DETAIL_RECORDED_OF_VECS(name)
LANEFOLD_RECORDED_INTEGER(add_sat)
LANEFOLD_RECORDED_INTEGER(clz)
LANEFOLD_RECORDED_INTEGER(hadd)
LANEFOLD_RECORDED_INTEGER(mad_hi)
LANEFOLD_RECORDED_INTEGER(mad_sat)
LANEFOLD_RECORDED_INTEGER(mul_hi)
LANEFOLD_RECORDED_INTEGER(popcount)
LANEFOLD_RECORDED_INTEGER(rhadd)
LANEFOLD_RECORDED_INTEGER(rotate)
LANEFOLD_RECORDED_INTEGER(sub_sat)
#undef LANEFOLD_RECORDED_INTEGER

/// Zeros below the lowest bit; all bits of 0. (OpenCL C has it from 2.0 on.)
template <class X>
  requires detail::RecordedIntegers<X>
auto ctz(const X& x) {
  using T = detail::recorded_element_t<X>;
  return lanefold::popcount(lanefold::convert<T>(~x & (x - T(1))));
}
/// |x - y|
template <class X, class Y>
  requires detail::RecordedIntegers<X, Y>
auto abs_diff(const X& x, const Y& y) {
  using T = detail::recorded_common_t<X, Y>;
  return lanefold::convert<T>(detail::recorded_integer_call<std::make_unsigned_t<T>, T>("abs_diff", x, y));
}
/// x * y for x and y of 24 bits.
template <class X, class Y>
  requires detail::RecordedIntegers<X, Y>
auto mul24(const X& x, const Y& y) {
  using T = detail::recorded_common_t<X, Y>;
  if constexpr (sizeof(T) == 4) {
    return detail::recorded_call<T, T>("mul24", x, y);
  } else {
    return lanefold::convert<T>(x * y);
  }
}
/// x * y + z for x and y of 24 bits.
template <class X, class Y, class Z>
  requires detail::RecordedIntegers<X, Y, Z>
auto mad24(const X& x, const Y& y, const Z& z) {
  using T = detail::recorded_common_t<X, Y, Z>;
  if constexpr (sizeof(T) == 4) {
    return detail::recorded_call<T, T>("mad24", x, y, z);
  } else {
    return lanefold::convert<T>(x * y + z);
  }
}
LANEFOLD_DETAIL_RECORDED_OF_VECS(abs_diff)
LANEFOLD_DETAIL_RECORDED_OF_VECS(ctz)
LANEFOLD_DETAIL_RECORDED_OF_VECS(mad24)
LANEFOLD_DETAIL_RECORDED_OF_VECS(mul24)

LANEFOLD_END_NAMESPACE
