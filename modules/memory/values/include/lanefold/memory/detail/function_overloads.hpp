// SPDX-License-Identifier: Apache-2.0
/// The overloads that a function has for everything it takes, each from one line that names it. Internal.
///
/// SYCL says which functions may be called with the types of their arguments named, `sycl::clamp<V, V, V>(x, y, z)`:
/// all with vec and marray, those of integers and the common ones with numbers, too. So numbers have overloads of their
/// own where they must not take names: a program's own f<T>(x) for a half would be found together with ours.
// [sycl.4.17.5] [sycl.4.17.6] [sycl.4.17.7]
#pragma once

#include <lanefold/memory/detail/elementwise.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Is the first template parameter of functions that do not take names of types.
enum class deduced {};

// Which of these takes an object of a class that converts to a number says to what it is converted, as if the functions
// of numbers were these overloads.
#define LANEFOLD_DETAIL_OVERLOAD(...) __VA_ARGS__ overload_for(__VA_ARGS__);
LANEFOLD_DETAIL_OVERLOAD(float)
LANEFOLD_DETAIL_OVERLOAD(double)
LANEFOLD_DETAIL_OVERLOAD(half)
LANEFOLD_DETAIL_OVERLOAD(char)
LANEFOLD_DETAIL_OVERLOAD(signed char)
LANEFOLD_DETAIL_OVERLOAD(unsigned char)
LANEFOLD_DETAIL_OVERLOAD(short)
LANEFOLD_DETAIL_OVERLOAD(unsigned short)
LANEFOLD_DETAIL_OVERLOAD(int)
LANEFOLD_DETAIL_OVERLOAD(unsigned)
LANEFOLD_DETAIL_OVERLOAD(long)
LANEFOLD_DETAIL_OVERLOAD(unsigned long)
LANEFOLD_DETAIL_OVERLOAD(long long)
LANEFOLD_DETAIL_OVERLOAD(unsigned long long)
#undef LANEFOLD_DETAIL_OVERLOAD
/// Takes bfloat16, which converts to half as well.
template <class X>
  requires is_small_real<X>
float overload_for(const X&);

/// Is an object of a program's class that converts to a number.
template <class X>
concept Convertible =
    std::is_class_v<X> && !MathObject<X> && !Operand<X> && requires(const X& x) { detail::overload_for(x); };

/// The number that an object converts to; everything else as it is.
template <class X>
LANEFOLD_ALWAYS_INLINE constexpr decltype(auto) converted(const X& x) {
  if constexpr (Convertible<X>) {
    return static_cast<decltype(detail::overload_for(x))>(x);
  } else {
    return (x);
  }
}

/// Are arguments of which one has elements: a vec, a swizzle, an marray, a varying vector.
template <class... X>
concept WithElements = MathObjects<X...> && (has_elements<X> || ...);
/// Are arguments without elements: numbers, half, objects that convert to numbers, varyings.
template <class... X>
concept WithoutElements = ((!has_elements<X> && (MathObject<X> || Operand<X> || Convertible<X>)) && ...);
/// Are numbers and varyings: the functions that numbers and varyings have already take them.
template <class... X>
concept AreOperands = (Operand<X> && ...);
template <class... X>
concept NotOperands = WithoutElements<X...> && !AreOperands<X...>;

/// Are arguments whose types may be named in functions of numbers, too.
template <class X, class... Rest>
concept Nameable = WithElements<X, Rest...> || (WithoutElements<X> && (std::is_same_v<X, Rest> && ...));

} // namespace detail
LANEFOLD_END_NAMESPACE

// The template parameters, types, parameters and arguments of functions of one, two and three values.
#define LANEFOLD_DETAIL_CLASSES_1 class X
#define LANEFOLD_DETAIL_CLASSES_2 class X, class Y
#define LANEFOLD_DETAIL_CLASSES_3 class X, class Y, class Z
#define LANEFOLD_DETAIL_TYPES_1 X
#define LANEFOLD_DETAIL_TYPES_2 X, Y
#define LANEFOLD_DETAIL_TYPES_3 X, Y, Z
#define LANEFOLD_DETAIL_PARAMETERS_1 const X& x
#define LANEFOLD_DETAIL_PARAMETERS_2 const X &x, const Y &y
#define LANEFOLD_DETAIL_PARAMETERS_3 const X &x, const Y &y, const Z &z
#define LANEFOLD_DETAIL_ARGUMENTS_1 x
#define LANEFOLD_DETAIL_ARGUMENTS_2 x, y
#define LANEFOLD_DETAIL_ARGUMENTS_3 x, y, z
#define LANEFOLD_DETAIL_CONVERTED_1 detail::converted(x)
#define LANEFOLD_DETAIL_CONVERTED_2 detail::converted(x), detail::converted(y)
#define LANEFOLD_DETAIL_CONVERTED_3 detail::converted(x), detail::converted(y), detail::converted(z)

/// The function of `n` arguments that is `Kind` of detail::Kind_NAME, for everything.
#define LANEFOLD_DETAIL_MATH(n, kind, name)                                                                            \
  template <detail::deduced = detail::deduced{}, LANEFOLD_DETAIL_CLASSES_##n>                                          \
    requires detail::WithoutElements<LANEFOLD_DETAIL_TYPES_##n>                                                        \
  LANEFOLD_ALWAYS_INLINE auto name(LANEFOLD_DETAIL_PARAMETERS_##n) {                                                   \
    return detail::kind##_function<detail::kind##_##name>{}(LANEFOLD_DETAIL_CONVERTED_##n);                            \
  }                                                                                                                    \
  template <LANEFOLD_DETAIL_CLASSES_##n>                                                                               \
    requires detail::WithElements<LANEFOLD_DETAIL_TYPES_##n>                                                           \
  LANEFOLD_ALWAYS_INLINE auto name(LANEFOLD_DETAIL_PARAMETERS_##n) {                                                   \
    return detail::kind##_function<detail::kind##_##name>{}(LANEFOLD_DETAIL_ARGUMENTS_##n);                            \
  }
/// Is LANEFOLD_DETAIL_MATH for functions in which numbers of one type may be named, too.
#define LANEFOLD_DETAIL_NAMED_MATH(n, kind, name)                                                                      \
  template <LANEFOLD_DETAIL_CLASSES_##n>                                                                               \
    requires detail::Nameable<LANEFOLD_DETAIL_TYPES_##n>                                                               \
  LANEFOLD_ALWAYS_INLINE auto name(LANEFOLD_DETAIL_PARAMETERS_##n) {                                                   \
    return detail::kind##_function<detail::kind##_##name>{}(LANEFOLD_DETAIL_CONVERTED_##n);                            \
  }                                                                                                                    \
  template <detail::deduced = detail::deduced{}, LANEFOLD_DETAIL_CLASSES_##n>                                          \
    requires(detail::WithoutElements<LANEFOLD_DETAIL_TYPES_##n> && !detail::Nameable<LANEFOLD_DETAIL_TYPES_##n>)       \
  LANEFOLD_ALWAYS_INLINE auto name(LANEFOLD_DETAIL_PARAMETERS_##n) {                                                   \
    return detail::kind##_function<detail::kind##_##name>{}(LANEFOLD_DETAIL_CONVERTED_##n);                            \
  }
/// A function that numbers and varyings have already, for everything: `how` applies it to elements.
#define LANEFOLD_DETAIL_ELEMENTWISE(n, how, name)                                                                      \
  template <detail::deduced = detail::deduced{}, LANEFOLD_DETAIL_CLASSES_##n>                                          \
    requires detail::NotOperands<LANEFOLD_DETAIL_TYPES_##n>                                                            \
  LANEFOLD_ALWAYS_INLINE auto name(LANEFOLD_DETAIL_PARAMETERS_##n) {                                                   \
    LANEFOLD_DETAIL_CALL(n, how, name)                                                                                 \
  }                                                                                                                    \
  template <LANEFOLD_DETAIL_CLASSES_##n>                                                                               \
    requires detail::WithElements<LANEFOLD_DETAIL_TYPES_##n>                                                           \
  LANEFOLD_ALWAYS_INLINE auto name(LANEFOLD_DETAIL_PARAMETERS_##n) {                                                   \
    LANEFOLD_DETAIL_CALL(n, how, name)                                                                                 \
  }
/// Is LANEFOLD_DETAIL_ELEMENTWISE for functions in which numbers of one type may be named, too.
#define LANEFOLD_DETAIL_NAMED_ELEMENTWISE(n, how, name)                                                                \
  template <LANEFOLD_DETAIL_CLASSES_##n>                                                                               \
    requires(detail::Nameable<LANEFOLD_DETAIL_TYPES_##n> && !detail::AreOperands<LANEFOLD_DETAIL_TYPES_##n>)           \
  LANEFOLD_ALWAYS_INLINE auto name(LANEFOLD_DETAIL_PARAMETERS_##n) {                                                   \
    LANEFOLD_DETAIL_CALL(n, how, name)                                                                                 \
  }                                                                                                                    \
  template <detail::deduced = detail::deduced{}, LANEFOLD_DETAIL_CLASSES_##n>                                          \
    requires(detail::NotOperands<LANEFOLD_DETAIL_TYPES_##n> && !detail::Nameable<LANEFOLD_DETAIL_TYPES_##n>)           \
  LANEFOLD_ALWAYS_INLINE auto name(LANEFOLD_DETAIL_PARAMETERS_##n) {                                                   \
    LANEFOLD_DETAIL_CALL(n, how, name)                                                                                 \
  }
#define LANEFOLD_DETAIL_CALL(n, how, name)                                                                             \
  if constexpr (detail::MathObjects<LANEFOLD_DETAIL_TYPES_##n>) {                                                      \
    return detail::how([](const auto&... a) LANEFOLD_INLINE_LAMBDA { return lanefold::name(a...); },                   \
                       LANEFOLD_DETAIL_ARGUMENTS_##n);                                                                 \
  } else {                                                                                                             \
    return lanefold::name(LANEFOLD_DETAIL_CONVERTED_##n);                                                              \
  }
