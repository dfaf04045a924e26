// SPDX-License-Identifier: Apache-2.0
/// Vectors and structs of recorded kernels: values of several parts, each of them recorded.
///
/// A vec has its elements as parts. A struct is copied as a whole, in words; `lf::member` names its members.
#pragma once

#include <lanefold/memory/member.hpp>
#include <lanefold/memory/vec.hpp>
#include <lanefold/recorded/variable.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <class X>
inline constexpr bool is_plain_vec = false;
template <class T, int M>
inline constexpr bool is_plain_vec<vec<T, M>> = true;

/// The parts of a composite: their type, how many there are, and how many have room in memory from one to the next.
template <RecordableComposite C>
struct recorded_parts {
  using type = std::conditional_t<alignof(C) % 4 == 0, std::uint32_t, std::uint8_t>;
  static constexpr std::size_t count = sizeof(C) / sizeof(type), stride = count;
};
template <class T, int M>
struct recorded_parts<vec<T, M>> {
  static_assert(RecordableNumber<T>, "lanefold: vectors of recorded kernels have elements that are numbers");
  using type = T;
  static constexpr std::size_t count = static_cast<std::size_t>(M), stride = sizeof(vec<T, M>) / sizeof(T);
};
template <class C>
using recorded_part_t = typename recorded_parts<C>::type;
template <class C>
using part_nodes = std::array<node_number, recorded_parts<C>::count>;

/// Is a recorded composite, or what stands for one.
template <class X>
concept RecordedComposite = requires(const X& x) { x.recorded_composite(); };
template <class X>
struct composite_of_operand {
  using type = X;
};
template <RecordedComposite X>
struct composite_of_operand<X> {
  using type = typename X::recorded_composite_type;
};
/// The plain type of a composite operand.
template <class X>
using composite_of = typename composite_of_operand<X>::type;
template <class X>
concept RecordedVec = RecordedComposite<X> && is_plain_vec<composite_of<X>>;

template <class C, class F>
part_nodes<C> make_parts(F f) {
  part_nodes<C> parts{};
  for (std::size_t k = 0; k < parts.size(); ++k) {
    parts[k] = f(k);
  }
  return parts;
}

/// The parts of a composite, plain or recorded.
template <class C, class X>
part_nodes<C> parts_of(recorder& r, const X& x) {
  if constexpr (RecordedComposite<X>) {
    const auto value = x.recorded_composite();
    for (const node_number part : value.parts()) {
      r.check_own(value.its_recorder(), part, value.block());
    }
    return value.parts();
  } else if constexpr (is_plain_vec<C>) {
    return make_parts<C>([&](std::size_t k) { return r.plain(x[static_cast<int>(k)]); });
  } else {
    const auto* const bytes = reinterpret_cast<const std::byte*>(&x);
    return make_parts<C>(
        [&](std::size_t k) { return r.plain_part<recorded_part_t<C>>(bytes + k * sizeof(recorded_part_t<C>)); });
  }
}

/// Names the elements of vectors; structs have none.
template <class Self, class C>
struct recorded_members {};
template <class Self, class T, int M>
struct recorded_members<Self, vec<T, M>> : vec_elements<Self, M> {
  /// Element i, which is plain and must be below M.
  recorded_value<T> operator[](int i) const {
    const auto value = static_cast<const Self&>(*this).recorded_composite();
    return {value.its_recorder(), value.parts()[static_cast<std::size_t>(i)]};
  }
  template <int... I>
  auto swizzle() const {
    using R = vec<T, static_cast<int>(sizeof...(I))>;
    const auto value = static_cast<const Self&>(*this).recorded_composite();
    return recorded_value<R>(value.its_recorder(), part_nodes<R>{value.parts()[static_cast<std::size_t>(I)]...});
  }
  /// Each element converted to To.
  template <class To>
  auto convert() const {
    using R = vec<To, M>;
    const auto value = static_cast<const Self&>(*this).recorded_composite();
    recorder& r = value.its_recorder();
    return recorded_value<R>(
        r, make_parts<R>([&](std::size_t k) { return node_as<To>(r, recorded_value<T>(r, value.parts()[k])); }));
  }
};

} // namespace detail

/// A vec or a struct of each work-item. It does not change: `it.var(x)` makes a variable.
template <detail::RecordableComposite C>
class recorded_value<C> : public detail::recorded_members<recorded_value<C>, C> {
public:
  using recorded_composite_type = C;

  recorded_value(const recorded_value&) = default;
  recorded_value& operator=(const recorded_value&) = delete; // recorded values do not change: auto v = it.var(x)

  /// Only the library calls these.
  recorded_value(detail::recorder& r, const detail::part_nodes<C>& parts)
      : m_recorder(&r), m_block(r.block()), m_parts(parts) {}
  [[nodiscard]] const recorded_value& recorded_composite() const { return *this; }
  [[nodiscard]] detail::recorder& its_recorder() const { return *m_recorder; }
  [[nodiscard]] const detail::part_nodes<C>& parts() const { return m_parts; }
  [[nodiscard]] std::uint32_t block() const { return m_block; }

private:
  detail::recorder* m_recorder;
  std::uint32_t m_block; ///< it is valid until this ends
  detail::part_nodes<C> m_parts;
};

#define LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, op)                                                              \
  template <class X>                                                                                                   \
    requires detail::is_plain_vec<C>                                                                                   \
  Self operator op##=(const X& x) constness {                                                                          \
    return set(recorded_composite() op x);                                                                             \
  }
#define LANEFOLD_RECORDED_ASSIGNMENTS(Self, constness)                                                                 \
  template <class X>                                                                                                   \
    requires std::is_same_v<detail::composite_of<X>, C>                                                                \
  Self operator=(const X& x) constness {                                                                               \
    return set(x);                                                                                                     \
  }                                                                                                                    \
  LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, +)                                                                     \
  LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, -)                                                                     \
  LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, *)                                                                     \
  LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, /)                                                                     \
  LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, %)                                                                     \
  LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, &)                                                                     \
  LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, |)                                                                     \
  LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, ^)                                                                     \
  LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, <<)                                                                    \
  LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, >>)

/// A variable of each work-item that is a vec or a struct.
template <detail::RecordableComposite C>
class recorded_variable<C> : public detail::recorded_members<recorded_variable<C>, C> {
  using part = detail::recorded_part_t<C>;
  static constexpr detail::recorded_type type = detail::recorded_type_of<part>();

public:
  using recorded_composite_type = C;
  using value_type = recorded_value<C>;

  /// Only the library calls this.
  template <class X>
  recorded_variable(detail::recorder& r, const X& first) : m_recorder(&r), m_block(r.block()) {
    const auto parts = detail::parts_of<C>(r, first);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      m_numbers[k] = r.new_variable(type, parts[k]);
    }
  }
  recorded_variable(const recorded_variable& other) : recorded_variable(other.its_recorder(), other) {}
  recorded_variable& operator=(const recorded_variable& other) { return set(other); }
  LANEFOLD_RECORDED_ASSIGNMENTS(recorded_variable&, )

  recorded_variable& operator++()
    requires detail::is_plain_vec<C>
  {
    return *this += part(1);
  }
  recorded_variable& operator--()
    requires detail::is_plain_vec<C>
  {
    return *this -= part(1);
  }
  value_type operator++(int)
    requires detail::is_plain_vec<C>
  {
    const value_type old = recorded_composite();
    ++*this;
    return old;
  }
  value_type operator--(int)
    requires detail::is_plain_vec<C>
  {
    const value_type old = recorded_composite();
    --*this;
    return old;
  }

  operator value_type() const { return recorded_composite(); }

  /// Only the library calls these.
  [[nodiscard]] value_type recorded_composite() const {
    m_recorder->check_in_scope(m_block);
    return {*m_recorder, detail::make_parts<C>([&](std::size_t k) {
              return m_recorder->add(detail::recorded_op::read, type, m_numbers[k]);
            })};
  }
  [[nodiscard]] detail::recorder& its_recorder() const { return *m_recorder; }

private:
  template <class X>
  recorded_variable& set(const X& x) {
    m_recorder->check_in_scope(m_block);
    const auto parts = detail::parts_of<C>(*m_recorder, x);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      m_recorder->add(detail::recorded_op::assign, type, m_numbers[k], parts[k]);
    }
    return *this;
  }

  detail::recorder* m_recorder;
  std::uint32_t m_block; ///< it is valid until this ends
  std::array<std::uint32_t, detail::recorded_parts<C>::count> m_numbers{};
};

/// An element of an array of vectors or structs: the value that it had when it was named, and what can be assigned to.
template <detail::RecordableComposite C>
class recorded_reference<C> : public detail::recorded_members<recorded_reference<C>, C> {
public:
  using recorded_composite_type = C;

  recorded_reference(const recorded_reference&) = default;
  const recorded_reference& operator=(const recorded_reference& other) const { return set(other); }
  LANEFOLD_RECORDED_ASSIGNMENTS(const recorded_reference&, const)

  operator recorded_value<C>() const { return m_value; }

  /// Only the library calls these. `index` counts composites.
  recorded_reference(detail::recorder& r, std::uint32_t array, detail::node_number index)
      : m_array(array), m_places(places(r, index)),
        m_value(r, detail::make_parts<C>([&](std::size_t k) { return r.load(array, m_places[k]); })) {}
  [[nodiscard]] const recorded_value<C>& recorded_composite() const { return m_value; }
  [[nodiscard]] detail::recorder& its_recorder() const { return m_value.its_recorder(); }

private:
  static detail::part_nodes<C> places(detail::recorder& r, detail::node_number index) {
    const recorded_value<std::size_t> first(r,
                                            r.add(detail::recorded_op::convert, detail::recorded_type::u64, 0, index));
    const auto scaled = first * detail::recorded_parts<C>::stride;
    return detail::make_parts<C>([&](std::size_t k) { return k == 0 ? scaled.node() : (scaled + k).node(); });
  }
  template <class X>
  const recorded_reference& set(const X& x) const {
    detail::recorder& r = its_recorder();
    const auto parts = detail::parts_of<C>(r, x);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      r.store(m_array, m_places[k], parts[k]);
    }
    return *this;
  }

  std::uint32_t m_array;
  detail::part_nodes<C> m_places;
  recorded_value<C> m_value;
};

#undef LANEFOLD_RECORDED_ASSIGNMENTS
#undef LANEFOLD_RECORDED_ASSIGNMENT

/// `condition ? a : b` of vectors or structs; both are evaluated.
template <class Condition, class A, class B>
  requires(detail::RecordedBools<Condition> && (detail::RecordedComposite<A> || detail::RecordedComposite<B>) &&
           std::is_same_v<detail::composite_of<A>, detail::composite_of<B>>)
auto select(const Condition& condition, const A& a, const B& b) {
  using C = detail::composite_of<A>;
  using P = detail::recorded_part_t<C>;
  detail::recorder* r = nullptr;
  if constexpr (detail::RecordedComposite<A>) {
    r = &a.its_recorder();
  } else {
    r = &b.its_recorder();
  }
  const detail::node_number c = detail::node_of(*r, condition);
  const auto yes = detail::parts_of<C>(*r, a), no = detail::parts_of<C>(*r, b);
  return recorded_value<C>(*r, detail::make_parts<C>([&](std::size_t k) {
    return r->add(detail::recorded_op::select, detail::recorded_type_of<P>(), 0, c, yes[k], no[k]);
  }));
}

namespace detail {

/// Is what `p[i]` returns for vectors and structs.
template <RecordableComposite C>
struct composite_access<C> {
  using part = recorded_part_t<C>;

  template <bool IsConst>
  static auto at(recorder& r, const void* p, node_number index) {
    const std::uint32_t array = r.array_at(p, recorded_type_of<part>(), IsConst, 0, true);
    const recorded_reference<C> reference(r, array, index);
    if constexpr (IsConst) {
      return reference.recorded_composite();
    } else {
      return reference;
    }
  }
  template <class X>
  static recorded_variable<C> variable(recorder& r, const X& x) {
    return {r, x};
  }
};

/// A member of M bytes at `offset` of a struct, put together of its words.
template <class M, class C>
recorded_value<M> member_of_words(const recorded_value<C>& x, std::size_t offset) {
  using W = recorded_part_t<C>;
  using Bits = std::conditional_t<sizeof(M) == 1, std::uint8_t,
                                  std::conditional_t<sizeof(M) == 2, std::uint16_t,
                                                     std::conditional_t<sizeof(M) == 4, std::uint32_t, std::uint64_t>>>;
  recorder& r = x.its_recorder();
  const auto word = [&](std::size_t at) { return recorded_value<W>(r, x.parts()[at / sizeof(W)]); };
  const auto bits = [&] {
    if constexpr (sizeof(M) <= sizeof(W)) {
      return lanefold::convert<Bits>(word(offset) >> static_cast<int>(offset % sizeof(W) * 8));
    } else {
      auto all = lanefold::convert<Bits>(word(offset)).node();
      for (std::size_t k = sizeof(W); k < sizeof(M); k += sizeof(W)) {
        const recorded_value<Bits> so_far(r, all);
        all = (so_far | lanefold::convert<Bits>(lanefold::convert<Bits>(word(offset + k)) << static_cast<int>(8 * k)))
                  .node();
      }
      return recorded_value<Bits>(r, all);
    }
  }();
  if constexpr (std::is_floating_point_v<M>) {
    return recorded_call<M, Bits>(sizeof(M) == 4 ? "as_float" : "as_double", bits);
  } else {
    return lanefold::convert<M>(bits);
  }
}

/// `lf::member(x, &S::m)` of a struct of a recorded kernel.
template <class X, class S, class M>
  requires(RecordedComposite<X> && std::is_same_v<composite_of<X>, S>)
recorded_value<M> member_value(const X& x, M S::* member) {
  static_assert(RecordableNumber<M> && !std::is_same_v<M, half>,
                "lanefold: members of structs in recorded kernels are numbers");
  return member_of_words<M, S>(x.recorded_composite(), offset_of(member));
}
/// `lf::member(array, &S::m)[i]`.
template <class M, class S, recorded_operand Index>
auto member_element(S* elements, std::size_t offset, const Index& i) {
  using E = std::remove_const_t<M>;
  static_assert(RecordableNumber<E>, "lanefold: members of structs in recorded kernels are numbers");
  static_assert(sizeof(S) % sizeof(E) == 0 && alignof(S) >= sizeof(E));
  recorder& r = i.its_recorder();
  const auto place = lanefold::convert<std::size_t>(i) * (sizeof(S) / sizeof(E));
  const std::uint32_t array = r.array_at(elements, recorded_type_of<E>(), std::is_const_v<S>, offset, true);
  if constexpr (std::is_const_v<S>) {
    return recorded_value<E>(r, r.load(array, place.node()));
  } else {
    return recorded_reference<E>(r, array, place.node());
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
