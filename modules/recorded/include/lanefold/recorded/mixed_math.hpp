// SPDX-License-Identifier: Apache-2.0
/// Functions of recorded values that take or give whole numbers beside real ones, or bits, or have two results. As for
/// varyings, the second result goes through a pointer to a variable: lf::fract(x, &whole). See
/// memory/math_functions.hpp. [sycl.4.17.5, sycl.4.17.6, sycl.4.17.9]
#pragma once

#include <lanefold/memory/integer_functions.hpp>
#include <lanefold/memory/math_functions.hpp>
#include <lanefold/memory/relational_functions.hpp>
#include <lanefold/recorded/integer_functions.hpp>
#include <lanefold/recorded/math.hpp>
#include <lanefold/simd/math.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// A function of the device library for the type T of its operands: lf_fract_float(x).
template <class Result, class T, class... X>
recorded_value<Result> recorded_library_call(const char* name, const X&... x) {
  const std::string function = std::string("lf_") + name + "_" + name_of_type(recorded_type_of<T>());
  return detail::recorded_call<Result, T>(function.c_str(), x...);
}

/// A function of a real number and an int.
template <class X, class N>
auto recorded_real_and_int(const char* name, const X& x, const N& n) {
  using T = recorded_common_real_t<X>;
  static_assert(std::is_integral_v<recorded_element_t<N>>, "lanefold: the second argument is a whole number");
  recorder& r = detail::recorder_of(x, n);
  return recorded_value<T>(r, r.add(recorded_op::call, recorded_type_of<T>(), r.text(name), detail::node_as<T>(r, x),
                                    detail::node_as<std::int32_t>(r, n)));
}

/// Such a function of each element of a vec; its results are Result, or what the elements are.
template <class Result = void, RecordedVec X>
auto recorded_library_call_of_elements(const char* name, const X& x) {
  return recorded_by_element(
      [name](const auto& each) {
        using T = recorded_element_t<decltype(each)>;
        return recorded_library_call<std::conditional_t<std::is_void_v<Result>, T, Result>, T>(name, each);
      },
      x);
}

} // namespace detail

#define LANEFOLD_RECORDED_REAL_AND_INT(name)                                                                           \
  template <class X, class N>                                                                                          \
    requires detail::RecordedOperands<X, N>                                                                            \
  auto name(const X& x, const N& n) {                                                                                  \
    return detail::recorded_real_and_int(#name, x, n);                                                                 \
  }                                                                                                                    \
  LANEFOLD_DETAIL_RECORDED_OF_VECS_AS_GIVEN(name)
LANEFOLD_RECORDED_REAL_AND_INT(ldexp)
LANEFOLD_RECORDED_REAL_AND_INT(pown)
LANEFOLD_RECORDED_REAL_AND_INT(rootn)
#undef LANEFOLD_RECORDED_REAL_AND_INT

template <detail::RecordedOperand X>
recorded_value<int> ilogb(const X& x) {
  return detail::recorded_call<int, detail::recorded_common_real_t<X>>("ilogb", x);
}
LANEFOLD_DETAIL_RECORDED_OF_VECS(ilogb)
template <class X, class Y>
  requires detail::RecordedOperands<X, Y>
auto nextafter(const X& x, const Y& y) {
  using T = detail::recorded_common_real_t<X, Y>;
  return detail::recorded_call<T, T>(std::is_same_v<T, half> ? "lf_half_nextafter" : "nextafter", x, y);
}
LANEFOLD_DETAIL_RECORDED_OF_VECS(nextafter)

#define LANEFOLD_RECORDED_FRACTION(name, whole_part)                                                                   \
  template <detail::RecordedOperand X, class P>                                                                        \
  auto name(const X& x, P whole) {                                                                                     \
    using T = detail::recorded_common_real_t<X>;                                                                       \
    const recorded_value<T> given = lanefold::convert<T>(x);                                                           \
    *whole = lanefold::whole_part(given);                                                                              \
    return detail::recorded_library_call<T, T>(#name, given);                                                          \
  }                                                                                                                    \
  template <detail::RecordedVec X, class P>                                                                            \
  auto name(const X& x, P whole) {                                                                                     \
    const auto given = x.recorded_composite();                                                                         \
    *whole = lanefold::whole_part(given);                                                                              \
    return detail::recorded_library_call_of_elements(#name, given);                                                    \
  }
LANEFOLD_RECORDED_FRACTION(fract, floor)
LANEFOLD_RECORDED_FRACTION(modf, trunc)
#undef LANEFOLD_RECORDED_FRACTION

template <detail::RecordedOperand X, class P>
auto frexp(const X& x, P exponent) {
  using T = detail::recorded_common_real_t<X>;
  const recorded_value<T> given = lanefold::convert<T>(x);
  *exponent = detail::recorded_library_call<int, T>("frexp_exponent", given);
  return detail::recorded_library_call<T, T>("frexp", given);
}
template <detail::RecordedVec X, class P>
auto frexp(const X& x, P exponent) {
  const auto given = x.recorded_composite();
  *exponent = detail::recorded_library_call_of_elements<int>("frexp_exponent", given);
  return detail::recorded_library_call_of_elements("frexp", given);
}
template <detail::RecordedOperand X, class P>
auto sincos(const X& x, P cosine) {
  using T = detail::recorded_common_real_t<X>;
  const recorded_value<T> given = lanefold::convert<T>(x);
  *cosine = lanefold::cos(given);
  return lanefold::sin(given);
}
template <detail::RecordedVec X, class P>
auto sincos(const X& x, P cosine) {
  const auto given = x.recorded_composite();
  *cosine = lanefold::cos(given);
  return lanefold::sin(given);
}
template <detail::RecordedOperand X>
auto sincos(const X& x) {
  using V = recorded_value<detail::recorded_common_real_t<X>>;
  return sine_and_cosine<V>{lanefold::sin(x), lanefold::cos(x)};
}
template <detail::RecordedOperand X, class P>
auto lgamma_r(const X& x, P sign) {
  using T = detail::recorded_common_real_t<X>;
  const recorded_value<T> given = lanefold::convert<T>(x);
  *sign = detail::recorded_library_call<int, T>("gamma_sign", given);
  return lanefold::lgamma(given);
}
template <detail::RecordedVec X, class P>
auto lgamma_r(const X& x, P sign) {
  const auto given = x.recorded_composite();
  *sign = detail::recorded_library_call_of_elements<int>("gamma_sign", given);
  return lanefold::lgamma(given);
}
template <class X, class Y, class P>
  requires detail::RecordedOperands<X, Y>
auto remquo(const X& x, const Y& y, P quotient) {
  using T = detail::recorded_common_real_t<X, Y>;
  const auto a = detail::recorded_operand_as<T>(x, y), b = detail::recorded_operand_as<T>(y, x);
  *quotient = detail::recorded_library_call<int, T>("remquo_quotient", a, b);
  return lanefold::remainder(a, b);
}
template <class X, class Y, class P>
  requires detail::RecordedVecOperands<X, Y>
auto remquo(const X& x, const Y& y, P quotient) {
  const auto count = [](const auto& a, const auto& b) {
    using T = detail::recorded_element_t<decltype(a)>;
    return detail::recorded_library_call<int, T>("remquo_quotient", a, b);
  };
  const auto quotients = detail::recorded_by_element(count, x, y);
  const auto rest = lanefold::remainder(x, y);
  *quotient = quotients;
  return rest;
}

/// A quiet NaN with the bits of `code`: a half of 16 bits without sign, a float of 32, a double of 64.
template <detail::RecordedOperand X>
  requires std::is_unsigned_v<detail::recorded_element_t<X>>
auto nan(const X& code) {
  using U = detail::recorded_element_t<X>;
  static_assert(sizeof(U) >= 2, "lanefold: nan takes 16, 32 or 64 bits without sign");
  if constexpr (sizeof(U) == 8) {
    return detail::recorded_call<double, std::uint64_t>("as_double", code | (std::uint64_t{0x7ff8} << 48));
  } else if constexpr (sizeof(U) == 4) {
    return detail::recorded_call<float, std::uint32_t>("as_float", code | 0x7fc00000U);
  } else { // what is a half in memory is a float in the kernel
    const auto bits = lanefold::convert<std::uint32_t>(code);
    const auto moved = ((bits & 0x8000U) << 16) | ((bits & 0x3ffU) << 13);
    return lanefold::convert<half>(detail::recorded_call<float, std::uint32_t>("as_float", moved | 0x7fc00000U));
  }
}
LANEFOLD_DETAIL_RECORDED_OF_VECS(nan)

/// The bits of b where those of c are 1, else those of a.
template <class A, class B, class C>
  requires detail::RecordedOperands<A, B, C>
auto bitselect(const A& a, const B& b, const C& c) {
  using T = detail::recorded_common_t<A, B, C>;
  if constexpr (std::is_integral_v<T>) {
    return detail::recorded_integer_call<T, T>("bitselect", a, b, c);
  } else {
    return detail::recorded_call<T, T>(std::is_same_v<T, half> ? "lf_half_bitselect" : "bitselect", a, b, c);
  }
}
LANEFOLD_DETAIL_RECORDED_OF_VECS(bitselect)
/// high * 2^n + low, n the bits of low, which has no sign.
template <class H, class L>
  requires detail::RecordedOperands<H, L>
auto upsample(const H& high, const L& low) {
  using A = detail::recorded_element_t<H>;
  using B = detail::recorded_element_t<L>;
  static_assert(std::is_integral_v<A> && std::is_same_v<B, std::make_unsigned_t<A>> && sizeof(A) < 8,
                "lanefold: upsample takes integers of 8, 16 or 32 bits, the second like the first but without sign");
  using U = std::conditional_t<sizeof(A) == 1, std::uint16_t,
                               std::conditional_t<sizeof(A) == 2, std::uint32_t, std::uint64_t>>;
  using R = std::conditional_t<std::is_signed_v<A>, std::make_signed_t<U>, U>;
  constexpr unsigned bits = 8 * sizeof(A);
  const auto upper = detail::recorded_operand_as<std::uint64_t>(high, low);
  const auto lower = detail::recorded_operand_as<std::uint64_t>(low, high);
  return lanefold::convert<R>((upper << bits) | lower);
}
LANEFOLD_DETAIL_RECORDED_OF_VECS_AS_GIVEN(upsample)

LANEFOLD_END_NAMESPACE
