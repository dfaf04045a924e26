// SPDX-License-Identifier: Apache-2.0
/// Memory as a kernel sees it: loads and stores through lane indices and through varying indices.
#pragma once

#include <lanefold/simd/detail/compound.hpp>
#include <lanefold/simd/detail/watched_lanes.hpp>
#include <lanefold/simd/exchanged_index.hpp>
#include <lanefold/simd/lane_index.hpp>
#include <lanefold/simd/memory.hpp>
#include <lanefold/simd/wrapped_index.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

template <class T, class Index>
using indexed_varying = varying<std::remove_cv_t<T>, Index::lanes::size, typename Index::lanes::isa>;

/// Loads `p[i]` for every active lane; `mask_` is nothing, or the mask of the active lanes.
template <class T, class Index, class... Mask>
LANEFOLD_ALWAYS_INLINE indexed_varying<T, Index> load_lanes(const T* p, const Index& i, const Mask&... mask_) {
  using V = indexed_varying<T, Index>;
  constexpr std::size_t columns = Index::lanes::columns;
  const T* first = p + i.base();
  if constexpr (Index::row_kind == stride::zero && Index::column_kind == stride::zero) {
    return V(*first); // uniform; at least one lane is active
  } else if constexpr (Index::column_kind == stride::one) {
    if constexpr (Index::lanes::rows == 1) {
      return V::load(first, mask_...);
    } else if constexpr (Index::row_kind == stride::zero) {
      return V::template load_row<columns>(first, mask_...);
    } else {
      return V::template load_rows<columns>(first, i.row_stride(), mask_...);
    }
  } else if constexpr (Index::column_kind == stride::zero) {
    return V::template broadcast_rows<columns>(first, i.row_stride(), mask_...);
  } else {
    if (i.column_stride() == 1) {
      return load_lanes(
          p, lane_index<typename Index::lanes, Index::row_kind, stride::one>(i.context(), i.base(), i.row_stride(), 1),
          mask_...);
    }
    if (i.column_stride() == 0) {
      return load_lanes(
          p, lane_index<typename Index::lanes, Index::row_kind, stride::zero>(i.context(), i.base(), i.row_stride(), 0),
          mask_...);
    }
    if constexpr (Index::lanes::rows == 1) {
      return V::load_strided(first, i.column_stride(), mask_...);
    } else if constexpr (Element<std::remove_cv_t<T>> && sizeof...(Mask) == 0) {
      using memory = strided_memory<std::remove_cv_t<T>, Index::lanes::size, typename Index::lanes::isa>;
      return varying_access::make<V>(memory::template load_rows<columns>(first, i.row_stride(), i.column_stride()));
    } else {
      return V::gather(p, i.value(), mask_...);
    }
  }
}

/// Asks for what lies 2 KiB behind p[0] to p[Count - 1], where the next sub-groups read or write. Processors do that by
/// themselves where one instruction reads at regular distances; one in a loop over many arrays, or in a branch that
/// some sub-groups take, does not (docs/decisions/071). It asks for four lines of the cache at most.
template <std::size_t Count, class T>
LANEFOLD_ALWAYS_INLINE void ask_ahead([[maybe_unused]] const T* p) {
  constexpr std::size_t line = 64, ahead = 2048, bytes = Count * sizeof(T);
  if constexpr (bytes <= 4 * line) {
    const auto* first = reinterpret_cast<const unsigned char*>(p);
    const auto ask = [=](std::size_t k) LANEFOLD_INLINE_LAMBDA {
      if (k * line < bytes) {
        __builtin_prefetch(first + ahead + k * line);
      }
    };
    ask(0), ask(1), ask(2), ask(3);
  }
}

/// Stores `v` to `p[i]` for every active lane. `Owned`: see store_register.
template <bool Owned, class T, class Index, class... Mask>
LANEFOLD_ALWAYS_INLINE void store_lanes(T* p, const Index& i, const indexed_varying<T, Index>& v,
                                        const Mask&... mask_) {
  constexpr std::size_t columns = Index::lanes::columns;
  T* first = p + i.base();
  if constexpr (Index::column_kind == stride::one && (Index::lanes::rows == 1 || Index::row_kind != stride::zero)) {
    if constexpr (Owned && sizeof...(Mask) != 0 && Element<T>) {
      using memory = lane_memory<T, Index::lanes::size, typename Index::lanes::isa>;
      if constexpr (Index::lanes::rows == 1) {
        memory::template store<true>(varying_access::registers(v), first, mask_...);
      } else {
        memory::template store_rows<columns, true>(varying_access::registers(v), first, i.row_stride(), mask_...);
      }
    } else if constexpr (!Owned && sizeof...(Mask) == 0 && Index::lanes::rows == 1 && Element<T>) {
      using memory = lane_memory<T, Index::lanes::size, typename Index::lanes::isa>;
      memory::store_ascending(varying_access::registers(v), first);
    } else if constexpr (Index::lanes::rows == 1) {
      v.store(first, mask_...);
    } else {
      v.template store_rows<columns>(first, i.row_stride(), mask_...);
    }
  } else if constexpr (Index::column_kind == stride::dynamic) {
    if (i.column_stride() == 1) {
      store_lanes<Owned>(
          p, lane_index<typename Index::lanes, Index::row_kind, stride::one>(i.context(), i.base(), i.row_stride(), 1),
          v, mask_...);
    } else if constexpr (Index::lanes::rows == 1) {
      v.store_strided(first, i.column_stride(), mask_...);
    } else if constexpr (Element<T> && sizeof...(Mask) == 0) {
      strided_memory<T, Index::lanes::size, typename Index::lanes::isa>::template store_rows<columns>(
          varying_access::registers(v), first, i.row_stride(), i.column_stride());
    } else {
      v.scatter(p, i.value(), mask_...);
    }
  } else {
    v.scatter(p, i.value(), mask_...); // several lanes hit one element: the last one stays
  }
}

/// Loads p[i] for the active lanes; 0 for the others.
template <class T, class Lanes>
LANEFOLD_ALWAYS_INLINE auto load_patterned(const T* p, const wrapped_index<Lanes>& i) {
  using V = varying<std::remove_cv_t<T>, Lanes::size, typename Lanes::isa>;
  const auto* context = i.context();
  if (!i.is_regular()) { // as of i % k with a small k
    return context->all ? V::gather_table(p, i.values_for_access())
                        : V::gather(p, i.values_for_access(), context->active);
  }
  ask_ahead<Lanes::size>(p + i.affine().base());
  if (i.is_affine()) [[likely]] {
    return context->all ? load_lanes(p, i.affine()) : load_lanes(p, i.affine(), context->active);
  }
  if (i.affine().column_stride() != 1) {
    return context->all ? V::gather(p, i.values_for_access()) : V::gather(p, i.values_for_access(), context->active);
  }
  const auto before = V::mask_type::first(i.place());
  const auto active = context->all ? V::mask_type::all_true() : context->active;
  const T* const first = p + i.affine().base();
  return select(before, V::load(first, active & before),
                V::load(first - static_cast<std::ptrdiff_t>(i.drop()), active & !before));
}

/// Stores v to p[i] for the active lanes. `Owned`: see store_register.
template <bool Owned, class T, class Lanes>
LANEFOLD_ALWAYS_INLINE void store_patterned(T* p, const wrapped_index<Lanes>& i,
                                            const varying<T, Lanes::size, typename Lanes::isa>& v) {
  const auto* context = i.context();
  if (!i.is_affine()) {
    context->all ? v.scatter(p, i.values_for_access()) : v.scatter(p, i.values_for_access(), context->active);
  } else if (context->all) {
    store_lanes<Owned>(p, i.affine(), v);
  } else {
    store_lanes<Owned>(p, i.affine(), v, context->active);
  }
}

/// p[i] = f(p[i], q[i]) for every active lane, register by register: what is not active is not touched. Full registers
/// without mask: loads do not get what masked stores have just written before it is in the cache. `Owned`: see
/// store_register.
template <bool Owned, class T, std::size_t N, class Isa, class F>
LANEFOLD_ALWAYS_INLINE void update_lanes(T* p, const T* q, const mask<N, Isa>& active, F f) {
  using memory = lane_memory<T, N, Isa>;
  using part = varying<T, memory::lanes, Isa>;
  const auto update = [=](auto k, const auto&... m) LANEFOLD_INLINE_LAMBDA {
    constexpr std::size_t first = k() * memory::lanes;
    const part result(f(part::load(p + first, m...), part::load(q + first, m...)));
    if constexpr (Owned && sizeof...(m) != 0) {
      lane_memory<T, memory::lanes, Isa>::template store<true>(varying_access::registers(result), p + first, m...);
    } else {
      result.store(p + first, m...);
    }
  };
  memory::for_registers(active, [=](auto k, auto... bits) LANEFOLD_INLINE_LAMBDA {
    update(k, mask<memory::lanes, Isa>::from_bits(bits)...);
  });
}

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
  LANEFOLD_REFERENCE_UPDATE(/, divide)

#define LANEFOLD_REFERENCE_UPDATE(op, name)                                                                            \
  template <class U>                                                                                                   \
  LANEFOLD_ALWAYS_INLINE void operator op##=(U&& u) const&& {                                                          \
    update(static_cast<U&&>(u), detail::name##_assigned());                                                            \
  }

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

/// Is the same as lane_reference for an element of a private array: whole registers, in divergent code with the other
/// lanes blended in. An instruction with a pointer and a mask hides from the optimiser what it knows of the array and
/// of all that is stored beside it (docs/decisions/082).
template <class T, class Lanes>
class private_reference : public varying<T, Lanes::size, typename Lanes::isa> {
public:
  using value_type = varying<T, Lanes::size, typename Lanes::isa>;

  LANEFOLD_ALWAYS_INLINE private_reference(typename value_type::registers_type& place,
                                           const detail::lane_context<Lanes>* context)
      : value_type(detail::varying_access::make<value_type>(place)), m_place(&place), m_context(context) {}

  LANEFOLD_REFERENCE_ASSIGNMENTS(value_type)
  LANEFOLD_ALWAYS_INLINE void operator=(const private_reference& v) const&& { store(v); }
  private_reference(const private_reference&) = default;

private:
  template <class U, class F>
  LANEFOLD_ALWAYS_INLINE void update(const U& u, F f) const {
    store(value_type(f(held(), detail::index_value(u))));
  }
  LANEFOLD_ALWAYS_INLINE void store(const value_type& v) const {
    *m_place = detail::varying_access::registers(m_context->all ? v : value_type(select(m_context->active, v, held())));
  }
  LANEFOLD_ALWAYS_INLINE value_type held() const { return detail::varying_access::make<value_type>(*m_place); }

  typename value_type::registers_type* m_place;
  const detail::lane_context<Lanes>* m_context;
};

#undef LANEFOLD_REFERENCE_ASSIGNMENTS
#undef LANEFOLD_REFERENCE_UPDATE

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
      return lane_reference<std::remove_const_t<T>, Index>::load(p, i);
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
