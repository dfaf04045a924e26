// SPDX-License-Identifier: Apache-2.0
/// Loads and stores varyings through lane indices, for references. Internal.
#pragma once

#include <lanefold/simd/lane_index.hpp>
#include <lanefold/simd/memory.hpp>
#include <lanefold/simd/wrapped_index.hpp>

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

} // namespace detail
LANEFOLD_END_NAMESPACE
