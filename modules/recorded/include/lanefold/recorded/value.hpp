// SPDX-License-Identifier: Apache-2.0
/// Values of recorded kernels: what they are computed from is recorded, and becomes an expression of OpenCL C.
#pragma once

#include <lanefold/recorded/detail/recorder.hpp>
#include <lanefold/simd/detail/forward.hpp>
#include <lanefold/simd/registers.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE

/// Stands for the work-items of a kernel that is recorded: `nd_item<1, recorded>`. See recorded_value.
struct recorded {
  using is_recorded = void; ///< see HostGroup
};

template <class T>
class recorded_value;
template <class T>
class recorded_reference;

namespace detail {

/// Is a recorded value, or what stands for one: a variable, an element. `recorded()` gives the value.
template <class X>
concept RecordedOperand = recorded_operand<X> && requires(const X& x) { x.recorded(); };
/// Is an operand of recorded operations.
template <class X>
concept RecordableOperand = RecordedOperand<X> || RecordableNumber<X>;
/// Are operands of which at least one is recorded.
template <class... X>
concept RecordedOperands = (RecordableOperand<X> && ...) && (RecordedOperand<X> || ...);

/// Is a plain type whose recorded values have several parts: a vec, or a trivially copyable struct. See composite.hpp.
template <class C>
concept RecordableComposite =
    std::is_class_v<C> && std::is_trivially_copyable_v<C> && !RecordableNumber<C> &&
    !requires { typename C::recorded_element_type; } && !requires { typename C::recorded_composite_type; };

template <class X>
struct recorded_element {
  using type = X;
};
template <RecordedOperand X>
struct recorded_element<X> {
  using type = typename X::recorded_element_type;
};
/// The C++ type of an operand: that of a recorded value is the type that it has in a work-item.
template <class X>
using recorded_element_t = typename recorded_element<std::remove_cvref_t<X>>::type;

/// The recorder of the first operand that has one.
template <class X, class... Rest>
recorder& recorder_of(const X& x, const Rest&... rest) {
  if constexpr (RecordedOperand<X>) {
    return x.its_recorder();
  } else {
    return detail::recorder_of(rest...);
  }
}

/// The node of an operand, converted to T as C++ converts.
template <class T, class X>
node_number node_as(recorder& r, const X& x);
/// The node of an operand as it is.
template <class X>
node_number node_of(recorder& r, const X& x) {
  if constexpr (RecordedOperand<X>) {
    const auto value = x.recorded();
    r.check_own(value.its_recorder(), value.node(), value.block());
    return value.node();
  } else {
    return r.plain(x);
  }
}
template <class T, class X>
node_number node_as(recorder& r, const X& x) {
  using E = recorded_element_t<X>;
  const node_number n = detail::node_of(r, x);
  if constexpr (std::is_same_v<E, T>) {
    return n;
  } else if constexpr (recorded_type_of<E>() == recorded_type_of<T>()) {
    return n;
  } else {
    if (r.node(n).op == recorded_op::literal) {
      E number{};
      std::memcpy(static_cast<void*>(&number), &r.node(n).detail, sizeof(E));
      return r.literal(recorded_type_of<T>(), recorder::bits_of(static_cast<T>(number)));
    }
    return r.add(recorded_op::convert, recorded_type_of<T>(), 0, n);
  }
}

} // namespace detail

/// A value of each work-item of a recorded kernel, as a `float` is one of a plain kernel and a varying of lanes. It
/// does not change: `it.var(x)` makes a variable. Operators and functions convert as C++ does for the types of the
/// values. A recorded bool is a condition for `it.if_`, `it.while_`, `select`; `&&` and `||` evaluate both sides. Valid
/// as long as its item.
template <class T>
class recorded_value {
public:
  using recorded_element_type = T;

  recorded_value(const recorded_value&) = default;
  recorded_value& operator=(const recorded_value&) = delete; // recorded values do not change: auto v = it.var(x)
  explicit operator bool() const = delete; // no plain if on recorded values: it.if_, it.while_, select
  template <Element U>
  operator U() const = delete; // recorded values are no plain numbers: auto v = x, lf::view for a pointer, lf::sqrt

  /// Only the library calls these.
  recorded_value(detail::recorder& r, detail::node_number n) : m_recorder(&r), m_node(n), m_block(r.block_of(n)) {}
  [[nodiscard]] const recorded_value& recorded() const { return *this; }
  [[nodiscard]] detail::recorder& its_recorder() const { return *m_recorder; }
  [[nodiscard]] detail::node_number node() const { return m_node; }
  [[nodiscard]] std::uint32_t block() const { return m_block; }

private:
  detail::recorder* m_recorder;
  detail::node_number m_node;
  std::uint32_t m_block; ///< it is valid until this ends
};

/// A value that is an id or a range of one dimension, too, as plain ones are.
template <class T>
class recorded_coordinate : public recorded_value<T> {
public:
  /// Only the library calls this.
  recorded_coordinate(const recorded_value<T>& x) : recorded_value<T>(x) {}
  [[nodiscard]] recorded_value<T> get(int /*dimension*/) const { return *this; }
  [[nodiscard]] recorded_value<T> operator[](int dimension) const { return get(dimension); }
};

namespace detail {

/// A value of type T: a function of OpenCL C of the operands, each converted to `Argument`.
template <class T, class Argument, class... X>
recorded_value<T> recorded_call(const char* name, const X&... x) {
  recorder& r = detail::recorder_of(x...);
  const node_number operands[] = {detail::node_as<Argument>(r, x)...};
  const auto at = [&](std::size_t i) { return i < sizeof...(X) ? operands[i] : no_node; };
  return {r, r.add(recorded_op::call, recorded_type_of<T>(), r.text(name), at(0), at(1), at(2))};
}

template <class T, class A, class B>
recorded_value<T> recorded_binary(const char* op, const A& a, const B& b) {
  recorder& r = detail::recorder_of(a, b);
  const node_number left = detail::node_of(r, a), right = detail::node_of(r, b);
  return {r, r.add(recorded_op::binary, recorded_type_of<T>(), r.text(op), left, right)};
}

/// Are conditions.
template <class... X>
concept RecordedBools = (std::is_same_v<recorded_element_t<X>, bool> && ...);

} // namespace detail

#define LANEFOLD_RECORDED_OPERATOR(op)                                                                                 \
  template <class A, class B>                                                                                          \
    requires detail::RecordedOperands<A, B>                                                                            \
  auto operator op(const A& a, const B& b) {                                                                           \
    using T =                                                                                                          \
        decltype(std::declval<detail::recorded_element_t<A>>() op std::declval<detail::recorded_element_t<B>>());      \
    return detail::recorded_binary<T>(#op, a, b);                                                                      \
  }
LANEFOLD_RECORDED_OPERATOR(+)
LANEFOLD_RECORDED_OPERATOR(-)
LANEFOLD_RECORDED_OPERATOR(*)
LANEFOLD_RECORDED_OPERATOR(/)
LANEFOLD_RECORDED_OPERATOR(%)
LANEFOLD_RECORDED_OPERATOR(<<)
LANEFOLD_RECORDED_OPERATOR(>>)
LANEFOLD_RECORDED_OPERATOR(<)
LANEFOLD_RECORDED_OPERATOR(<=)
LANEFOLD_RECORDED_OPERATOR(>)
LANEFOLD_RECORDED_OPERATOR(>=)
LANEFOLD_RECORDED_OPERATOR(==)
LANEFOLD_RECORDED_OPERATOR(!=)
#undef LANEFOLD_RECORDED_OPERATOR

// Two conditions give a condition, as masks do.
#define LANEFOLD_RECORDED_OPERATOR(op)                                                                                 \
  template <class A, class B>                                                                                          \
    requires detail::RecordedOperands<A, B>                                                                            \
  auto operator op(const A& a, const B& b) {                                                                           \
    using T = std::conditional_t<detail::RecordedBools<A, B>, bool,                                                    \
                                 decltype(std::declval<detail::recorded_element_t<A>>()                                \
                                              op std::declval<detail::recorded_element_t<B>>())>;                      \
    return detail::recorded_binary<T>(#op, a, b);                                                                      \
  }
LANEFOLD_RECORDED_OPERATOR(&)
LANEFOLD_RECORDED_OPERATOR(|)
LANEFOLD_RECORDED_OPERATOR(^)
#undef LANEFOLD_RECORDED_OPERATOR

/// Both sides are evaluated.
#define LANEFOLD_RECORDED_OPERATOR(op)                                                                                 \
  template <class A, class B>                                                                                          \
    requires(detail::RecordedOperands<A, B> && detail::RecordedBools<A, B>)                                            \
  recorded_value<bool> operator op(const A & a, const B & b) {                                                         \
    return detail::recorded_binary<bool>(#op, a, b);                                                                   \
  }
LANEFOLD_RECORDED_OPERATOR(&&)
LANEFOLD_RECORDED_OPERATOR(||)
#undef LANEFOLD_RECORDED_OPERATOR

#define LANEFOLD_RECORDED_OPERATOR(op)                                                                                 \
  template <detail::RecordedOperand A>                                                                                 \
  auto operator op(const A& a) {                                                                                       \
    using T = decltype(op std::declval<detail::recorded_element_t<A>>());                                              \
    detail::recorder& r = detail::recorder_of(a);                                                                      \
    return recorded_value<T>(                                                                                          \
        r, r.add(detail::recorded_op::unary, detail::recorded_type_of<T>(), r.text(#op), detail::node_of(r, a)));      \
  }
LANEFOLD_RECORDED_OPERATOR(-)
LANEFOLD_RECORDED_OPERATOR(+)
#undef LANEFOLD_RECORDED_OPERATOR

/// Returns the opposite of a condition, as of a mask.
template <detail::RecordedOperand A>
auto operator~(const A& a) {
  using E = detail::recorded_element_t<A>;
  using T = std::conditional_t<std::is_same_v<E, bool>, bool, decltype(~std::declval<E>())>;
  detail::recorder& r = detail::recorder_of(a);
  return recorded_value<T>(r, r.add(detail::recorded_op::unary, detail::recorded_type_of<T>(),
                                    r.text(std::is_same_v<E, bool> ? "!" : "~"), detail::node_of(r, a)));
}
template <detail::RecordedOperand A>
recorded_value<bool> operator!(const A& a) {
  detail::recorder& r = detail::recorder_of(a);
  return {r, r.add(detail::recorded_op::unary, detail::recorded_type::boolean, r.text("!"), detail::node_of(r, a))};
}

template <class T, class U>
void operator+=(const recorded_value<T>&, const U&) = delete; // recorded values do not change: auto v = it.var(x)
template <class T, class U>
void operator-=(const recorded_value<T>&, const U&) = delete; // recorded values do not change: auto v = it.var(x)
template <class T, class U>
void operator*=(const recorded_value<T>&, const U&) = delete; // recorded values do not change: auto v = it.var(x)
template <class T, class U>
void operator/=(const recorded_value<T>&, const U&) = delete; // recorded values do not change: auto v = it.var(x)
template <class T, class U>
void operator%=(const recorded_value<T>&, const U&) = delete; // recorded values do not change: auto v = it.var(x)
template <class T, class U>
void operator&=(const recorded_value<T>&, const U&) = delete; // recorded values do not change: auto v = it.var(x)
template <class T, class U>
void operator|=(const recorded_value<T>&, const U&) = delete; // recorded values do not change: auto v = it.var(x)
template <class T, class U>
void operator^=(const recorded_value<T>&, const U&) = delete; // recorded values do not change: auto v = it.var(x)

/// The value converted to `U`, as C++ converts.
template <class U, detail::RecordedOperand X>
recorded_value<U> convert(const X& x) {
  detail::recorder& r = detail::recorder_of(x);
  return {r, detail::node_as<U>(r, x)};
}

/// `condition ? a : b`; both are evaluated. The type is that which a and b have in common, as for varyings.
template <class C, class A, class B>
  requires(detail::RecordedOperands<C, A, B> && detail::RecordedBools<C>)
auto select(const C& condition, const A& a, const B& b) {
  using EA = detail::recorded_element_t<A>;
  using EB = detail::recorded_element_t<B>;
  using T = typename std::conditional_t<std::is_same_v<EA, EB>, std::type_identity<EA>,
                                        std::type_identity<decltype(std::declval<EA>() + std::declval<EB>())>>::type;
  detail::recorder& r = detail::recorder_of(condition, a, b);
  const detail::node_number c = detail::node_of(r, condition);
  const detail::node_number yes = detail::node_as<T>(r, a), no = detail::node_as<T>(r, b);
  return recorded_value<T>(r, r.add(detail::recorded_op::select, detail::recorded_type_of<T>(), 0, c, yes, no));
}

LANEFOLD_END_NAMESPACE
