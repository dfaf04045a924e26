// SPDX-License-Identifier: Apache-2.0
/// Memory as a kernel sees it: what `x[i]` gives for lane indices and for varying ones.
#pragma once

#include <lanefold/simd/detail/compound.hpp>
#include <lanefold/simd/detail/indexed_memory.hpp>
#include <lanefold/simd/detail/watched_lanes.hpp>
#include <lanefold/simd/exchanged_index.hpp>
#include <lanefold/simd/lane_index.hpp>
#include <lanefold/simd/wrapped_index.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// The way to the elements that `x[i]` stands for.
struct reference_access {
  template <class R>
  LANEFOLD_ALWAYS_INLINE static auto* pointer(const R& r) {
    return r.m_pointer;
  }
  template <class R>
  LANEFOLD_ALWAYS_INLINE static const auto& index(const R& r) {
    return r.m_index;
  }
};

} // namespace detail

#define LANEFOLD_REFERENCE_ASSIGNMENTS(Value)                                                                          \
  LANEFOLD_ALWAYS_INLINE void operator=(const Value& v) const&& { store(v); }                                          \
  template <class U>                                                                                                   \
    requires(!std::derived_from<U, Value>)                                                                             \
  LANEFOLD_ALWAYS_INLINE void operator=(const U& u) const&& {                                                          \
    store(Value(detail::index_value(u)));                                                                              \
  }                                                                                                                    \
  LANEFOLD_REFERENCE_UPDATE(+, add)                                                                                    \
  LANEFOLD_REFERENCE_UPDATE(-, subtract)                                                                               \
  LANEFOLD_REFERENCE_UPDATE(*, multiply)                                                                               \
  LANEFOLD_REFERENCE_UPDATE(/, divide)                                                                                 \
  LANEFOLD_REFERENCE_UPDATE(%, remainder)                                                                              \
  LANEFOLD_REFERENCE_UPDATE(&, bitwise_and)                                                                            \
  LANEFOLD_REFERENCE_UPDATE(|, bitwise_or)                                                                             \
  LANEFOLD_REFERENCE_UPDATE(^, bitwise_xor)                                                                            \
  LANEFOLD_REFERENCE_UPDATE(<<, shift_left)                                                                            \
  LANEFOLD_REFERENCE_UPDATE(>>, shift_right)                                                                           \
  LANEFOLD_REFERENCE_STEP(++, add)                                                                                     \
  LANEFOLD_REFERENCE_STEP(--, subtract)

#define LANEFOLD_REFERENCE_UPDATE(op, name)                                                                            \
  template <class U>                                                                                                   \
  LANEFOLD_ALWAYS_INLINE void operator op##=(U&& u) const&& {                                                          \
    update(static_cast<U&&>(u), detail::name##_assigned());                                                            \
  }

// They return nothing: what `x[i]++` would give is x[i].
#define LANEFOLD_REFERENCE_STEP(op, name)                                                                              \
  LANEFOLD_ALWAYS_INLINE void operator op() const&& { update(1, detail::name##_assigned()); }                          \
  LANEFOLD_ALWAYS_INLINE void operator op(int) const&& { update(1, detail::name##_assigned()); }

/// Is what `x[i]` gives for a mutable view `x` and a lane index `i`: the value that was there when the expression was
/// evaluated (a varying), and the reference through which to store. Only the unnamed result of `x[i]` can be assigned
/// to: after `auto v = x[i];` `v` is that value, and `v = …` does not compile (use `it.var(x[i])` for a variable).
/// `Owned`: see store_register.
template <class T, class Index, bool Owned = false>
class lane_reference : public detail::indexed_varying<T, Index> {
public:
  using value_type = detail::indexed_varying<T, Index>;

  LANEFOLD_ALWAYS_INLINE lane_reference(T* p, const Index& i) : value_type(load(p, i)), m_pointer(p), m_index(i) {
    detail::watch_lanes(p, i, detail::element_use::load);
  }

  /// Loads `p[i]`; lanes that are not active read nothing and are 0.
  static LANEFOLD_ALWAYS_INLINE value_type load(const T* p, const Index& i) {
    const auto* context = i.context();
    if (context->all) {
      return detail::load_lanes(p, i);
    }
    return detail::load_lanes(p, i, context->active);
  }

  LANEFOLD_REFERENCE_ASSIGNMENTS(value_type)
  LANEFOLD_ALWAYS_INLINE void operator=(const lane_reference& v) const&& { store(v); }
  lane_reference(const lane_reference&) = default;

private:
  friend struct detail::reference_access;
  template <class, class, bool>
  friend class lane_reference;

  static constexpr bool s_contiguous = Index::lanes::rows == 1 && Index::column_kind == stride::one;

  // The element is loaded here, not taken from the value that this object began with: the optimiser drops that one
  // then.
  template <class U, class F>
  LANEFOLD_ALWAYS_INLINE void update(const U& u, F f) const {
    detail::watch_use_of_load();
    store(value_type(f(load(m_pointer, m_index), detail::index_value(u))));
  }
  // `x[i] += y[j]`: under a mask register by register, so that lanes that are not active cost next to nothing.
  template <class Other, bool OtherOwned, class F>
    requires(Element<T> && s_contiguous && lane_reference<T, Other>::s_contiguous)
  LANEFOLD_ALWAYS_INLINE void update(lane_reference<T, Other, OtherOwned>&& u, F f) const {
    const auto* context = m_index.context();
    detail::watch_use_of_load();
    if (context->all) {
      store(value_type(f(load(m_pointer, m_index), lane_reference<T, Other>::load(u.m_pointer, u.m_index))));
    } else {
      detail::watch_lanes(m_pointer, m_index, detail::element_use::write);
      detail::update_lanes<Owned>(m_pointer + m_index.base(), u.m_pointer + u.m_index.base(), context->active, f);
    }
  }

  LANEFOLD_ALWAYS_INLINE void store(const value_type& v) const {
    const auto* context = m_index.context();
    detail::watch_lanes(m_pointer, m_index, detail::element_use::write);
    if (context->all) {
      detail::store_lanes<Owned>(m_pointer, m_index, v);
    } else {
      detail::store_lanes<Owned>(m_pointer, m_index, v, context->active);
    }
  }

  T* m_pointer;
  Index m_index;
};

/// Is the same as lane_reference for a varying index: a gather, and a scatter when assigned to (on conflicts the
/// highest lane stays).
template <class T, class I, std::size_t N, class Isa>
class gather_reference : public varying<T, N, Isa> {
public:
  using value_type = varying<T, N, Isa>;
  using index_type = varying<I, N, Isa>;

  LANEFOLD_ALWAYS_INLINE gather_reference(T* p, const index_type& i)
      : value_type(load(p, i)), m_pointer(p), m_index(i) {
    detail::watch_lanes(p, i, detail::element_use::load);
  }

  /// Gathers `p[i]`; lanes that are not active read nothing and are 0.
  static LANEFOLD_ALWAYS_INLINE value_type load(const T* p, const index_type& i) {
    const auto* active = detail::announced_mask<N, Isa>();
    if constexpr (Element<T>) {
      return active == nullptr ? value_type::gather_runs(p, i) : value_type::gather_runs(p, i, *active);
    } else {
      return active == nullptr ? value_type::gather(p, i) : value_type::gather(p, i, *active);
    }
  }

  LANEFOLD_REFERENCE_ASSIGNMENTS(value_type)
  LANEFOLD_ALWAYS_INLINE void operator=(const gather_reference& v) const&& { store(v); }
  gather_reference(const gather_reference&) = default;

private:
  friend struct detail::reference_access;

  template <class U, class F>
  LANEFOLD_ALWAYS_INLINE void update(const U& u, F f) const {
    detail::watch_use_of_load();
    store(value_type(f(static_cast<const value_type&>(*this), detail::index_value(u))));
  }

  LANEFOLD_ALWAYS_INLINE void store(const value_type& v) const {
    const auto* active = detail::announced_mask<N, Isa>();
    detail::watch_lanes(m_pointer, m_index, detail::element_use::write);
    if constexpr (Element<T>) {
      active == nullptr ? v.scatter_runs(m_pointer, m_index) : v.scatter_runs(m_pointer, m_index, *active);
    } else {
      active == nullptr ? v.scatter(m_pointer, m_index) : v.scatter(m_pointer, m_index, *active);
    }
  }

  T* m_pointer;
  index_type m_index;
};

/// Is the same as lane_reference for an index that knows more than its values: `i ^ m` and `i % m`.
template <class T, class Index, bool Owned = false>
class patterned_reference : public detail::indexed_varying<T, Index> {
public:
  using value_type = detail::indexed_varying<T, Index>;

  LANEFOLD_ALWAYS_INLINE patterned_reference(T* p, const Index& i)
      : value_type(detail::load_patterned(p, i)), m_pointer(p), m_index(i) {
    detail::watch_lanes(p, i.value(), detail::element_use::load);
  }

  LANEFOLD_REFERENCE_ASSIGNMENTS(value_type)
  LANEFOLD_ALWAYS_INLINE void operator=(const patterned_reference& v) const&& { store(v); }
  patterned_reference(const patterned_reference&) = default;

private:
  friend struct detail::reference_access;

  template <class U, class F>
  LANEFOLD_ALWAYS_INLINE void update(const U& u, F f) const {
    detail::watch_use_of_load();
    store(value_type(f(static_cast<const value_type&>(*this), detail::index_value(u))));
  }
  LANEFOLD_ALWAYS_INLINE void store(const value_type& v) const {
    detail::watch_lanes(m_pointer, m_index.value(), detail::element_use::write);
    detail::store_patterned<Owned>(m_pointer, m_index, v);
  }

  T* m_pointer;
  Index m_index;
};

namespace detail {

/// An element of a private array: the registers that hold it for all lanes. Varying indices access single lanes of it
/// as T, and g++ takes registers of integers for others than those: the byte beside them lets them be storage of any
/// type (docs/decisions/021-vec-may-alias.md). Nobody may keep a reference to the registers, which forgets that.
#if defined(__GNUC__) && !defined(__clang__)
template <class Registers>
union private_place {
  LANEFOLD_ALWAYS_INLINE private_place() {}
  Registers registers;
  std::byte storage[1];
};
#else
template <class Registers>
struct private_place {
  Registers registers;
};
#endif

} // namespace detail

/// Is the same as lane_reference for an element of a private array: whole registers, in divergent code with the other
/// lanes blended in. An instruction with a pointer and a mask hides from the optimiser what it knows of the array and
/// of all that is stored beside it (docs/decisions/082).
template <class T, class Lanes>
class private_reference : public varying<T, Lanes::size, typename Lanes::isa> {
public:
  using value_type = varying<T, Lanes::size, typename Lanes::isa>;

  using place_type = detail::private_place<typename value_type::registers_type>;

  LANEFOLD_ALWAYS_INLINE private_reference(place_type& place, const detail::lane_context<Lanes>* context)
      : value_type(held(place)), m_place(&place), m_context(context) {}

  LANEFOLD_REFERENCE_ASSIGNMENTS(value_type)
  LANEFOLD_ALWAYS_INLINE void operator=(const private_reference& v) const&& { store(v); }
  private_reference(const private_reference&) = default;

private:
  template <class U, class F>
  LANEFOLD_ALWAYS_INLINE void update(const U& u, F f) const {
    store(value_type(f(held(*m_place), detail::index_value(u))));
  }
  LANEFOLD_ALWAYS_INLINE void store(const value_type& v) const {
    m_place->registers = detail::varying_access::registers(
        m_context->all ? v : value_type(select(m_context->active, v, held(*m_place))));
  }
  LANEFOLD_ALWAYS_INLINE static value_type held(const place_type& place) {
    const auto registers = place.registers;
    return detail::varying_access::make<value_type>(registers);
  }

  place_type* m_place;
  const detail::lane_context<Lanes>* m_context;
};

#undef LANEFOLD_REFERENCE_ASSIGNMENTS
#undef LANEFOLD_REFERENCE_UPDATE
#undef LANEFOLD_REFERENCE_STEP

namespace detail {

template <class T, class I, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE auto gather_element(T* p, const varying<I, N, Isa>& i) {
  if constexpr (std::is_const_v<T>) {
    watch_lanes(p, i, element_use::read);
    using V = varying<std::remove_const_t<T>, N, Isa>;
    const auto* active = announced_mask<N, Isa>();
    if constexpr (Element<std::remove_const_t<T>>) {
      return active == nullptr ? V::gather_table(p, i) : V::gather(p, i, *active);
    } else {
      return active == nullptr ? V::gather(p, i) : V::gather(p, i, *active);
    }
  } else {
    return gather_reference<T, I, N, Isa>(p, i);
  }
}

template <bool Owned, class T, class Index>
  requires(!std::integral<Index> && !recorded_operand<Index>)
LANEFOLD_ALWAYS_INLINE decltype(auto) element(T* p, const Index& i) {
  if constexpr (is_lane_index_v<Index>) {
    if constexpr (Index::lanes::rows == 1 && !Owned && Index::column_kind != stride::zero) {
      if (i.column_stride() == 1 && i.context()->divergent) {
        ask_ahead<Index::lanes::size>(p + i.base());
      }
    }
    if constexpr (std::is_const_v<T>) {
      constexpr std::size_t bytes = Index::lanes::size * sizeof(T);
      if constexpr (Index::lanes::rows == 1 && Index::column_kind == stride::one && bytes >= least_large_read) {
        if (i.context()->all) {
          note_large_read(*i.context(), p + i.base(), bytes);
        }
      }
      watch_lanes(p, i, element_use::read);
      using value = std::remove_const_t<T>;
      if constexpr (Element<value> && Index::lanes::rows == 1 && Index::column_kind == stride::one) {
        if (i.context()->all) {
          using memory = lane_memory<value, Index::lanes::size, typename Index::lanes::isa>;
          return varying_access::make<indexed_varying<value, Index>>(memory::load_once(p + i.base()));
        }
      }
      return lane_reference<value, Index>::load(p, i);
    } else {
      return lane_reference<T, Index, Owned>(p, i);
    }
  } else if constexpr (is_patterned_index_v<Index> && Element<std::remove_const_t<T>>) {
    if constexpr (std::is_const_v<T>) {
      watch_lanes(p, i.value(), element_use::read);
      return load_patterned(p, i);
    } else {
      return patterned_reference<T, Index, Owned>(p, i);
    }
  } else {
    return gather_element(p, i);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
