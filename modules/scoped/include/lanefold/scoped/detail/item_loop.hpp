// SPDX-License-Identifier: Apache-2.0
/// The loop over the items of a group.
#pragma once

#include <lanefold/exception.hpp>
#include <lanefold/execution/control_flow.hpp>
#include <lanefold/execution/detail/lane_loop.hpp>
#include <lanefold/execution/detail/watched_group.hpp>
#include <lanefold/execution/parallel_for.hpp>
#include <lanefold/execution/strategy.hpp>
#include <lanefold/memory/view.hpp>
#include <lanefold/scoped/static_range.hpp>

#include <algorithm>
#include <bit>
#include <exception>
#include <type_traits>
#include <utility>

// clang warns where a kernel leaves a loop no way to be vectorised.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The strategy of kernels that ask for none: lanes for generic callables, as many as suit the group; `omp_simd` for
/// callables that spell out their item. In plain SYCL source files (plain_sub_group_size) `omp_simd` for all.
template <bool IsPlain>
struct automatic_strategy {};

/// The largest power of two that divides `n`.
constexpr std::size_t power_of_two_in(std::size_t n) { return n & (~n + 1); }

/// The lanes that suit a group of `Size` (range<D> where it is known at run time only).
template <class Size>
struct suitable_lanes {
  using type = simd<native_lanes>;
};
/// Takes as many columns as divide the rows of the group, and as many rows as four registers of float hold.
template <std::size_t... Extents>
struct suitable_lanes<static_range<Extents...>> {
  static constexpr int dimensions = sizeof...(Extents);
  static constexpr range<dimensions> size{Extents...};
  static constexpr std::size_t width = size[dimensions - 1];
  static constexpr std::size_t height = dimensions > 1 ? size[std::max(dimensions - 2, 0)] : 1;
  static constexpr std::size_t whole = std::min(power_of_two_in(width), 2 * native_lanes);
  static constexpr std::size_t columns =
      2 * whole >= native_lanes || whole == width ? whole : std::min(native_lanes, std::bit_ceil(width));
  static constexpr std::size_t rows =
      columns == width ? std::min(power_of_two_in(height), std::max<std::size_t>(4 * native_lanes / columns, 1)) : 1;
  using type = lane_shape<rows, columns>;
};

/// The lanes of generic callables under a strategy.
template <class Strategy, class Size>
struct lanes_for {
  using type = lanes_of<Strategy>;
};
template <bool IsPlain, int D>
struct lanes_for<automatic_strategy<IsPlain>, range<D>> : suitable_lanes<range<D>> {};
template <bool IsPlain, std::size_t... Extents>
  requires((Extents * ...) > 1)
struct lanes_for<automatic_strategy<IsPlain>, static_range<Extents...>> : suitable_lanes<static_range<Extents...>> {};
/// A lane shape with rows in one dimension: the rows lie behind each other.
template <std::size_t R, std::size_t C, class Isa>
  requires(R > 1)
struct lanes_for<lane_shape<R, C, Isa>, range<1>> {
  using type = lane_shape<1, R * C, Isa>;
};
template <std::size_t R, std::size_t C, class Isa, std::size_t Extent>
  requires(R > 1 && Extent > 1)
struct lanes_for<lane_shape<R, C, Isa>, static_range<Extent>> {
  using type = lane_shape<1, R * C, Isa>;
};
/// A single item is one.
template <class Strategy, std::size_t... Extents>
  requires((Extents * ...) == 1)
struct lanes_for<Strategy, static_range<Extents...>> {
  using type = scalar;
};

/// The units of a group whose size is known at compile time.
template <class Size, class Lanes>
struct static_units {
  static constexpr int D = Size::dimensions;
  static constexpr std::size_t width = Size::value[D - 1];
  static constexpr std::size_t height = D > 1 ? Size::value[std::max(D - 2, 0)] : 1;
  static constexpr std::size_t across = (width + Lanes::columns - 1) / Lanes::columns;
  static constexpr std::size_t down = (height + Lanes::rows - 1) / Lanes::rows;
  static constexpr std::size_t count = across * down * planes_of(Size::value);

  static constexpr id<D> first(std::size_t unit) {
    id<D> result;
    result[D - 1] = unit % across * Lanes::columns;
    if constexpr (D >= 2) {
      result[D - 2] = unit / across % down * Lanes::rows;
    }
    if constexpr (D >= 3) {
      set_plane(result, unit / (across * down), Size::value);
    }
    return result;
  }
  /// Work-items among the lanes of a unit.
  static constexpr std::size_t lanes(std::size_t unit) {
    if constexpr (Lanes::rows > 1) {
      return std::min(Lanes::rows, height - first(unit)[D - 2]) * Lanes::columns;
    } else {
      return std::min(Lanes::columns, width - first(unit)[D - 1]);
    }
  }
};

/// Units of a static group are unrolled up to this number. Not in checked builds, where what is unrolled takes minutes
/// to compile with sanitizers.
inline constexpr std::size_t most_unrolled_units = checked_build ? 1 : 64;

/// Calls a part of a kernel, inlining it: g++ does so in a function that it flattens, clang where the call says so.
template <class F, class... Arguments>
LANEFOLD_ALWAYS_INLINE void call_whole(F& f, Arguments&&... arguments) {
#if defined(__clang__) && __has_cpp_attribute(clang::always_inline)
  [[clang::always_inline]] f(static_cast<Arguments&&>(arguments)...);
#else
  call_inlined(f, static_cast<Arguments&&>(arguments)...);
#endif
}

/// In a handler: keeps what is handled, if there is nothing yet.
LANEFOLD_COLD void keep_first_exception(std::exception_ptr& failure) noexcept;

/// Checked builds: says which items run next. `make` knows their numbers.
template <class Lanes, class Make, int D>
LANEFOLD_ALWAYS_INLINE void begin_items([[maybe_unused]] const Make& make, [[maybe_unused]] const id<D>& first) {
  if constexpr (checked_build) {
    begin_watched_unit<Lanes>(make.number(first), make.pitch(), make.number(first));
  }
}

/// Calls `f` with the item that `make` makes of a full unit, or of a single item (`scalar`).
template <class Lanes, class Make, class F, int D>
LANEFOLD_ALWAYS_INLINE void run_full_unit(const Make& make, F& f, const id<D>& first) {
  begin_items<Lanes>(make, first);
  full_unit<Lanes> unit;
  call_whole(f, make(first, unit.context()));
  unit.end();
}
/// Does the same as `run_full_unit` for a unit of which the first `count` lanes are items. Inlined, so that what `f`
/// refers to does not escape.
template <class Lanes, class Make, class F, int D>
LANEFOLD_ALWAYS_INLINE void run_partial_unit(const Make& make, F& f, const id<D>& first, std::size_t count) {
  begin_items<Lanes>(make, first);
  partial_unit<Lanes> unit(count);
  call_whole(f, make(first, unit.context()));
  unit.end();
}

template <class Lanes, class Size, class Make, class F, std::size_t... Unit>
LANEFOLD_ALWAYS_INLINE void run_units_unrolled(const Make& make, F& f, std::index_sequence<Unit...>) {
  using units = static_units<Size, Lanes>;
  const auto run = [&]<std::size_t U>(std::integral_constant<std::size_t, U>) LANEFOLD_INLINE_LAMBDA {
    if constexpr (units::lanes(U) == Lanes::size) {
      run_full_unit<Lanes>(make, f, units::first(U));
    } else {
      run_partial_unit<Lanes>(make, f, units::first(U), units::lanes(U));
    }
  };
  (run(std::integral_constant<std::size_t, Unit>()), ...);
}

/// Runs what a row of a group consists of.
template <class Lanes, int D, class Make, class F>
struct item_visitor {
  const Make& make;
  F& f;
  const id<D>& first; ///< of the row

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE static bool goes_on() { return true; }

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE id<D> id_at(std::size_t x) const {
    id<D> at = first;
    at[D - 1] = x;
    return at;
  }
  LANEFOLD_ALWAYS_INLINE void full(std::size_t x, unsigned) const { run_full_unit<Lanes>(make, f, id_at(x)); }
  LANEFOLD_ALWAYS_INLINE void partial(std::size_t x, unsigned, std::size_t count) const {
    run_partial_unit<Lanes>(make, f, id_at(x), count);
  }
  LANEFOLD_ALWAYS_INLINE void item(std::size_t x, std::size_t) const { run_full_unit<Lanes>(make, f, id_at(x)); }
};

/// Runs items one by one in a loop that counts their global id, see row_ids.
template <int D, class Make, class F>
struct counting_visitor : item_visitor<scalar, D, Make, F> {
  using base = item_visitor<scalar, D, Make, F>;

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE row_ids ids_from(std::size_t x) const { return base::make.ids_from(x); }
  LANEFOLD_ALWAYS_INLINE void item(std::size_t x, std::size_t, counted_id last) const {
    begin_items<scalar>(base::make, base::id_at(x));
    call_whole(base::f, base::make(base::id_at(x), last));
    end_watched_unit();
  }
};

/// In a loop that the compiler is told to vectorise: no exception may leave it. The first one is kept; if nothing can
/// throw, nothing of that remains.
template <int D, class Make, class F>
struct guarded_visitor : item_visitor<scalar, D, Make, F> {
  std::exception_ptr& failure;

  LANEFOLD_ALWAYS_INLINE void item(std::size_t x, std::size_t lane) const {
    try {
      item_visitor<scalar, D, Make, F>::item(x, lane);
    } catch (...) {
      keep_first_exception(failure);
    }
  }
};

template <class Lanes, int D, class Make, class F>
LANEFOLD_ALWAYS_INLINE void run_units(const range<D>& size, const Make& make, F& f) {
  using policy = units_of_lanes<Lanes>;
  walk_group<policy>(size, [&](const id<D>& first, unsigned, const row_part& part) LANEFOLD_INLINE_LAMBDA {
    policy::run(part, item_visitor<Lanes, D, Make, F>{make, f, first});
    return true;
  });
}

/// A group of `size` by lanes, unrolled where it is small and of known size.
template <class Lanes, class Size, class Make, class F>
LANEFOLD_ALWAYS_INLINE void run_lanes(const Size& size, const Make& make, F& f) {
  constexpr int D = Size::dimensions;
  if constexpr (is_static_range_v<Size>) {
    constexpr std::size_t width = Size::value[D - 1];
    constexpr bool shape_fits = Lanes::rows > 1 ? width == Lanes::columns : width >= Lanes::columns;
    // There are no lanes that no row of the group has; rows that are not rows of the shape get as many lanes as it has.
    using narrow = lane_shape<1, std::min(std::bit_ceil(width), Lanes::size), typename Lanes::isa>;
    using fitting = std::conditional_t<shape_fits, Lanes, narrow>;
    constexpr std::size_t count = static_units<Size, fitting>::count;
    if constexpr (count <= most_unrolled_units) {
      run_units_unrolled<fitting, Size>(make, f, std::make_index_sequence<count>());
    } else {
      run_units<fitting, D>(size, make, f);
    }
  } else if constexpr (Lanes::rows == 1) {
    run_units<Lanes>(size, make, f);
  } else if (size[D - 1] == Lanes::columns) {
    run_units<Lanes>(size, make, f);
  } else {
    run_units<lane_shape<1, Lanes::columns, typename Lanes::isa>>(size, make, f);
  }
}

/// One item after the other, the innermost loop vectorised if the compiler can. It counts in `Index`.
template <bool Vectorise, class Index, int D, class Make, class F>
LANEFOLD_ALWAYS_INLINE void run_one_by_one(const range<D>& size, const Make& make, F& f) {
  using policy = std::conditional_t<Vectorise, items_told_independent, items_one_by_one<Index>>;
  walk_group<policy>(size, [&](const id<D>& first, unsigned, const row_part& part) LANEFOLD_INLINE_LAMBDA {
    if constexpr (Vectorise) {
      std::exception_ptr failure;
      policy::run(part, guarded_visitor<D, Make, F>{{make, f, first}, failure});
      if (failure != nullptr) [[unlikely]] {
        std::rethrow_exception(failure);
      }
    } else if constexpr (std::is_same_v<Index, int> && row_ids::help) {
      policy::run(part, counting_visitor<D, Make, F>{{make, f, first}});
    } else {
      policy::run(part, item_visitor<scalar, D, Make, F>{make, f, first});
    }
    return true;
  });
}

/// Runs the items of a group of `Size` that a callable F takes; `Item` is the template of its items.
template <class Strategy, class Size, template <int, class> class Item, class F>
struct item_runner {
  static constexpr int D = Size::dimensions;
  using lanes = typename lanes_for<Strategy, Size>::type;
  static constexpr bool told_scalar = std::is_same_v<lanes, scalar>;

  static constexpr bool takes_lanes() {
    if constexpr (told_scalar || std::is_same_v<Strategy, automatic_strategy<true>>) {
      return false; // without asking: a callable for one item may not compile with lanes
    } else {
      return std::is_invocable_v<F&, Item<D, lanes>>;
    }
  }
  static constexpr bool with_lanes = takes_lanes();
  static constexpr bool told_to_vectorise = !with_lanes && std::is_same_v<Strategy, omp_simd>;
  using item = Item<D, std::conditional_t<with_lanes, lanes, scalar>>;

  static_assert(std::is_invocable_v<F&, item>, "lanefold: the callable takes one item, by value: [&](auto it) or, one "
                                               "item at a time, [&](s_item<D> it) or [&](h_item<D> it)");

  /// Items that run one by one are counted in `Index`: int where all ids fit (int_ids.hpp).
  template <class Index = std::size_t, class Make>
  LANEFOLD_ALWAYS_INLINE static void run(const Size& size, const Make& make, F& f) {
    if constexpr (!std::is_void_v<std::invoke_result_t<F&, item>>) {
      static_assert(is_range_v<F>, "lanefold: a callable for items returns nothing");
    } else if constexpr (with_lanes) {
      run_lanes<lanes>(size, make, f);
    } else {
      run_one_by_one<told_to_vectorise, Index, D>(size, make, f);
    }
  }

  /// Says for LANEFOLD_EXPLAIN where items run.
  template <class Note>
  LANEFOLD_ALWAYS_INLINE static void explain(Note& to) {
    to.rows = lanes::rows;
    to.columns = with_lanes ? lanes::columns : 0;
    to.told_to_vectorise = told_to_vectorise;
  }
};

} // namespace detail
LANEFOLD_END_NAMESPACE

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
