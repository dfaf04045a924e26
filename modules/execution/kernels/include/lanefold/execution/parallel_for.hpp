// SPDX-License-Identifier: Apache-2.0
/// From an index space, properties and a kernel to a launch.
#pragma once

#include <lanefold/execution/nd_launch.hpp>
#include <lanefold/execution/property.hpp>
#include <lanefold/execution/range_launch.hpp>
#include <lanefold/execution/strategy.hpp>

#include <algorithm>
#include <bit>
#include <memory>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Floats in the widest register of the instruction set that this translation unit is compiled for.
inline constexpr std::size_t native_lanes = isa_of_flags::register_bytes / sizeof(float);

/// A generic kernel can be called with lanes; a work-item kernel spells its item type out. `PlainSize`: see
/// plain_sub_group_size.
template <unsigned PlainSize, class Kernel, class Item>
concept lane_generic = PlainSize == 0 && std::is_invocable_v<Kernel&, Item>;

// These check what programs give, in every number of dimensions; they are compiled into the library.

/// Errors: errc::nd_range for more work-items than a std::size_t can count.
template <int D>
void check_range(const range<D>& extents);

/// The ND-range of `groups` work-groups of `local` work-items each. Errors as for check_range.
template <int D>
nd_range<D> nd_range_of_groups(const range<D>& groups, const range<D>& local);

/// Errors: errc::nd_range for a local size that is zero, too large, or does not divide the global size.
template <int D>
void check_nd_range(const nd_range<D>& space);

/// Errors: errc::nd_range unless the local size is the one that was given at compile time.
template <int D>
void check_local_size(const range<D>& local, const range<D>& promised);

/// Errors: errc::nd_range unless the rows of the local size are as long as those of the lane shape.
template <int D>
void check_columns(const range<D>& local, std::size_t columns);

/// Errors: errc::invalid for sub-groups of work-item kernels that are none or too large.
void check_sub_group_size(unsigned size);

/// Is true if groups of `Size`, a property::work_group_size or void, fill one unit of `Lanes` exactly.
template <class Lanes, class Size>
inline constexpr bool fills_one_unit = false;
template <std::size_t R, std::size_t C, class Isa, std::size_t... Extents>
inline constexpr bool fills_one_unit<lane_shape<R, C, Isa>, property::work_group_size<Extents...>> =
    (Extents * ...) == R * C && (Extents, ...) == C;

/// Usable bytes of the stacks that units of `Lanes` get, unless the environment says a size; 0 leaves it to the stacks.
/// Without optimisation every value that a kernel computes has a place of its own in the frame.
#if defined(__OPTIMIZE__)
template <class Lanes>
inline constexpr std::size_t usual_stack_bytes = 0;
#else
template <class Lanes>
inline constexpr std::size_t usual_stack_bytes = std::size_t{1} << 20;
template <std::size_t R, std::size_t C, class Isa>
inline constexpr std::size_t usual_stack_bytes<lane_shape<R, C, Isa>> =
    std::max(std::size_t{1} << 20, R* C*(std::size_t{64} << 10));
#endif

/// Builds the launch of one strategy for groups of `Size`, void where it is not known at compile time.
template <class Strategy, class Size = void, int D, class Kernel>
std::unique_ptr<launch> make_nd_launch(const nd_range<D>& space, const launch_settings& settings, walk_order order,
                                       unsigned sub_group_size, const Kernel& kernel) {
  using lanes = lanes_of<Strategy>;
  if constexpr (lanes::rows > 1) {
    static_assert(D >= 2, "a lane shape with rows needs a work-group of two or three dimensions");
    check_columns(space.get_local_range(), lanes::columns);
  }
  launch_settings own = settings;
  own.stack_bytes = settings.stack_bytes != 0 ? settings.stack_bytes : usual_stack_bytes<lanes>;
  using launch_type = nd_launch<D, Strategy, Kernel, fills_one_unit<lanes, Size>>;
  return new_launch<launch_type>(nd_settings<D>{space, order, sub_group_size}, own, kernel);
}

/// The default of generic kernels. Wide units trade registers for stack switches, so where rows of the group fill three
/// quarters of them they are four registers of float wide (groups of 100 with a barrier 0.56 of the time of units of
/// one register, at worst 1.25 in loops of arithmetic); otherwise one, and scalar where even of that three quarters
/// would be empty. Rows of exactly two registers, as in tiles of 16 × 16 with AVX2, go two to a unit, rows of one, as
/// in the same tiles with AVX-512, four, rows of half a register, as in 8 × 8 there, eight, and rows of a quarter, as
/// in 4 × 4 × 4 there, four (a tenth of the time of work-items that meet at a barrier).
template <int D, class Kernel>
std::unique_ptr<launch> make_default_nd_launch(const nd_range<D>& space, const launch_settings& settings,
                                               walk_order order, unsigned sub_group_size, const Kernel& kernel) {
  const std::size_t width = space.get_local_range()[D - 1];
  constexpr std::size_t wide = 4 * native_lanes;
  if (4 * width >= 3 * ((width + wide - 1) / wide * wide) || width > 2 * wide) {
    return make_nd_launch<simd<wide>>(space, settings, order, sub_group_size, kernel);
  }
  if constexpr (D > 1) {
    if (width == 2 * native_lanes) {
      return make_nd_launch<simd<2, 2 * native_lanes>>(space, settings, order, sub_group_size, kernel);
    }
    if (width == native_lanes) {
      return make_nd_launch<simd<4, native_lanes>>(space, settings, order, sub_group_size, kernel);
    }
    if constexpr (native_lanes >= 8) {
      if (2 * width == native_lanes && space.get_local_range()[D - 2] >= 4) {
        return make_nd_launch<simd<8, native_lanes / 2>>(space, settings, order, sub_group_size, kernel);
      }
    }
    if constexpr (native_lanes >= 16) {
      if (4 * width == native_lanes && space.get_local_range()[D - 2] >= 4) {
        return make_nd_launch<simd<4, native_lanes / 4>>(space, settings, order, sub_group_size, kernel);
      }
    }
  }
  if (4 * width > native_lanes) {
    return make_nd_launch<simd<native_lanes>>(space, settings, order, sub_group_size, kernel);
  }
  return make_nd_launch<scalar>(space, settings, order, sub_group_size, kernel);
}

/// The lane shape for a group of a size known at compile time: as many rows as a value of eight registers of float
/// holds; one row where rows are long.
template <std::size_t Rows, std::size_t Columns>
struct static_shape {
  static constexpr std::size_t most = 4 * native_lanes;
  static constexpr bool fits = Columns < most && (Columns & (Columns - 1)) == 0;
  static constexpr std::size_t rows = fits ? std::min(std::bit_floor(Rows), most / Columns) : 1;
  static constexpr std::size_t columns =
      fits ? Columns : (Columns % most == 0 || Columns > 2 * most ? most : std::bit_ceil(std::min(Columns, most)));
  using type = lane_shape<rows, columns>;
};

template <std::size_t... Extents>
struct shape_of_group;
template <std::size_t X>
struct shape_of_group<X> : static_shape<1, X> {};
template <std::size_t Y, std::size_t X>
struct shape_of_group<Y, X> : static_shape<Y, X> {};
template <std::size_t Outer, std::size_t Y, std::size_t X, std::size_t... Inner>
struct shape_of_group<Outer, Y, X, Inner...> : shape_of_group<Y, X, Inner...> {};

/// Holds what the properties of a launch say about strategies at compile time: the strategy that is asked for (void if
/// none), the one that a group size known at compile time suggests, and that size (void if unknown).
template <class Asked, class Suggested, class Size>
struct strategies_found {
  using strategy = Asked;
  using suggestion = Suggested;
  using size = Size;
};
template <class Found, class Property>
struct find_strategy : Found {};
template <class Found, class Strategy>
struct find_strategy<Found, property::strategy<Strategy>>
    : strategies_found<Strategy, typename Found::suggestion, typename Found::size> {};
template <class Found, std::size_t... Extents>
struct find_strategy<Found, property::work_group_size<Extents...>>
    : strategies_found<typename Found::strategy, typename shape_of_group<Extents...>::type,
                       property::work_group_size<Extents...>> {};

template <class Found, class... Ps>
struct find_strategies : Found {};
template <class Found, class P, class... Ps>
struct find_strategies<Found, P, Ps...> : find_strategies<find_strategy<Found, P>, Ps...> {};

template <class Properties>
struct strategies_of;
template <class... Ps>
struct strategies_of<properties<Ps...>> : find_strategies<strategies_found<void, void, void>, Ps...> {};

template <int D, std::size_t... Extents>
void check_work_group_size(const nd_range<D>& space, const property::work_group_size<Extents...>& promised) {
  static_assert(sizeof...(Extents) == D, "work_group_size has as many extents as the nd_range has dimensions");
  check_local_size(space.get_local_range(), promised.value);
}
template <int D, class Property>
void check_work_group_size(const nd_range<D>&, const Property&) {}

template <class... Ps>
launch_settings with_engine(launch_settings settings, const properties<Ps...>& how) {
  settings.engine = how.get_or(property::fiber_engine(settings.engine)).value;
  return settings;
}

/// The launch of a kernel over an ND-range: by the strategy asked for, as the kernel spells its item, or by default.
/// Errors: errc::nd_range for a local size that is zero, too large, or does not divide the global size.
template <unsigned PlainSize, int D, class... Ps, class Kernel>
std::unique_ptr<launch> make_launch(const nd_range<D>& space, const launch_settings& common,
                                    const properties<Ps...>& how, const Kernel& kernel) {
  using found = strategies_of<properties<Ps...>>;
  check_nd_range(space);
  if constexpr (sizeof...(Ps) != 0) { // most launches have none
    std::apply([&](const auto&... each) { (check_work_group_size(space, each), ...); }, how.values());
  }
  launch_settings settings = with_engine(common, how);
  const walk_order order = how.get_or(property::walk(walk_order::automatic)).order;
  constexpr unsigned usual_size = PlainSize != 0 ? PlainSize : native_lanes;
  const unsigned sub_group_size = how.get_or(property::sub_group_size(usual_size)).value;
  check_sub_group_size(sub_group_size);
  if constexpr (!std::is_void_v<typename found::strategy>) {
    settings.why = strategy_reason::asked;
    return make_nd_launch<typename found::strategy, typename found::size>(space, settings, order, sub_group_size,
                                                                          kernel);
  } else if constexpr (!lane_generic<PlainSize, Kernel, nd_item<D, simd<native_lanes>>>) {
    settings.why = strategy_reason::spelled;
    return make_nd_launch<scalar>(space, settings, order, sub_group_size, kernel);
  } else if constexpr (!std::is_void_v<typename found::suggestion>) {
    settings.why = strategy_reason::size_is_static;
    return make_nd_launch<typename found::suggestion, typename found::size>(space, settings, order, sub_group_size,
                                                                            kernel);
  } else {
    settings.why = strategy_reason::width;
    return make_default_nd_launch(space, settings, order, sub_group_size, kernel);
  }
}

/// The default of generic kernels over ranges: two registers of float, four of double. Units meet at no barrier there,
/// so wider ones save nothing but the overhead of the loop, and kernels with many values at a time do not fit the
/// registers; one register leaves too little to do while results are awaited.
using lanes_of_ranges = simd<2 * native_lanes>;

/// The launch of a kernel over a range.
template <unsigned PlainSize, int D, class... Ps, class Kernel>
std::unique_ptr<launch> make_launch(const range<D>& extents, const launch_settings& common,
                                    const properties<Ps...>& how, const Kernel& kernel) {
  using found = strategies_of<properties<Ps...>>;
  check_range(extents);
  launch_settings settings = with_engine(common, how);
  if constexpr (!std::is_void_v<typename found::strategy>) {
    settings.why = strategy_reason::asked;
    return new_launch<range_launch<D, typename found::strategy, Kernel>>(extents, settings, kernel);
  } else if constexpr (!lane_generic<PlainSize, Kernel, item_of<D, simd<native_lanes>>>) {
    settings.why = strategy_reason::spelled;
    return new_launch<range_launch<D, scalar, Kernel>>(extents, settings, kernel);
  } else {
    settings.why = strategy_reason::range;
    return new_launch<range_launch<D, lanes_of_ranges, Kernel>>(extents, settings, kernel);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
