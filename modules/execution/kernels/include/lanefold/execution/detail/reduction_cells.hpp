// SPDX-License-Identifier: Apache-2.0
/// Holds what the work-items of a kernel add up to, while it runs: cells, and how they are combined.
#pragma once

#include <lanefold/execution/known_identity.hpp>
#include <lanefold/memory/view.hpp>
#include <lanefold/simd/horizontal.hpp>
#include <lanefold/simd/variable.hpp>

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Is an operator that combines two T.
template <class Op, class T>
concept CombinerOf = std::is_invocable_v<const Op&, const T&, const T&>;

/// The operator of a reduction with its identity: cells begin with that.
template <class T, class Op, bool HasIdentity>
struct combination {
  struct cell {
    T value;
  };
  static constexpr bool has_identity = true;

  [[no_unique_address]] Op op;
  T given_identity;

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE T identity() const {
    if constexpr (has_known_identity_v<Op, T>) {
      return known_identity_v<Op, T>;
    } else {
      return given_identity;
    }
  }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE cell fresh() const { return {identity()}; }
  LANEFOLD_ALWAYS_INLINE void combine(cell& to, const T& x) const {
    if constexpr (std::is_arithmetic_v<T>) {
      // Not through a reference to the cell: g++ then keeps no cells in registers.
      const T before = to.value;
      to.value = static_cast<T>(op(before, x));
    } else {
      to.value = static_cast<T>(op(to.value, x));
    }
  }
  LANEFOLD_ALWAYS_INLINE void merge(cell& to, const cell& from) const { combine(to, from.value); }
  /// target = target op from
  void finish(T& target, const cell& from) const { target = static_cast<T>(op(target, from.value)); }
};

/// The operator of a reduction without identity: cells begin empty.
template <class T, class Op>
struct combination<T, Op, false> {
  using cell = std::optional<T>;
  static constexpr bool has_identity = false;

  [[no_unique_address]] Op op;

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE cell fresh() const { return {}; }
  LANEFOLD_ALWAYS_INLINE void combine(cell& to, const T& x) const {
    if (to.has_value()) {
      *to = static_cast<T>(op(*to, x));
    } else {
      to.emplace(x);
    }
  }
  LANEFOLD_ALWAYS_INLINE void merge(cell& to, const cell& from) const {
    if (from.has_value()) {
      combine(to, *from);
    }
  }
  void finish(T& target, const cell& from) const {
    if (from.has_value()) {
      target = static_cast<T>(op(target, *from));
    }
  }
};

/// Numbers and small structs with an identity may be accumulated in any number of cells: neighbours in registers, and
/// no work-item waits for the one before it. (The least of 2^20 complex numbers by their magnitude, doubles: three
/// times as fast as in one cell, g++ 12 -O3.)
template <class T, bool HasIdentity>
inline constexpr bool has_wide_cells =
    HasIdentity && !std::is_same_v<T, bool> &&
    (std::is_arithmetic_v<T> || (std::is_trivially_copyable_v<T> && sizeof(T) <= 32));

/// Returns whether varyings of such numbers are combined as they are.
template <class T, class Op, class Lanes>
constexpr bool combines_varyings() {
  using typed = std::remove_cvref_t<decltype(typed_operator<T>(std::declval<const Op&>()))>;
  return takes_varyings<typed, varying<T, Lanes::size, typename Lanes::isa>>;
}

/// The lanes of a value, whatever it is, for value_of_lane.
template <class X>
LANEFOLD_ALWAYS_INLINE auto lanes_of_value(const X& x) {
  if constexpr (is_lane_index_v<X>) {
    return x.value().to_array();
  } else if constexpr (requires { x.to_array(); }) {
    return x.to_array();
  } else {
    return x;
  }
}
template <class T, class X>
LANEFOLD_ALWAYS_INLINE T value_of_lane(const X& x, std::size_t lane) {
  if constexpr (std::is_convertible_v<const X&, T>) {
    return static_cast<T>(x); // uniform
  } else if constexpr (requires { x.lane(lane); }) {
    return static_cast<T>(x.lane(lane));
  } else {
    return static_cast<T>(x[lane]);
  }
}

// ---- where a reducer puts what it gets

/// One cell: of a work-item kernel.
template <class Combination>
class cell_target {
public:
  using combination = Combination;

  LANEFOLD_ALWAYS_INLINE cell_target(const Combination& how, typename Combination::cell& to) : m_how(how), m_to(to) {}
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE const Combination& how() const { return m_how; }

  template <class X>
  LANEFOLD_ALWAYS_INLINE void combine(const X& x) {
    m_how.combine(m_to, x);
  }

private:
  const Combination& m_how;
  typename Combination::cell& m_to;
};

/// One cell that nobody else comes to during the call of a work-item: it is read before and written behind it, so that
/// a value that is combined behind a condition is no access of memory behind one, which keeps loops scalar.
template <class Combination>
class held_cell_target {
public:
  using combination = Combination;

  LANEFOLD_ALWAYS_INLINE held_cell_target(const Combination& how, typename Combination::cell& to)
      : m_how(how), m_to(to), m_held{to.value} {}
  held_cell_target(const held_cell_target&) = delete;
  held_cell_target& operator=(const held_cell_target&) = delete;
  LANEFOLD_ALWAYS_INLINE ~held_cell_target() { m_to.value = m_held.value; }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE const Combination& how() const { return m_how; }

  template <class X>
  LANEFOLD_ALWAYS_INLINE void combine(const X& x) {
    m_how.combine(m_held, x);
  }

private:
  const Combination& m_how;
  typename Combination::cell& m_to;
  typename Combination::cell m_held;
};

/// A cell for each lane: the values of one call are combined in registers, and at its end with the cells. (Not kept in
/// the cells from the beginning: at a barrier other sub-groups come to them.)
template <class T, class Lanes, class Combination>
class register_target {
  using values = varying<T, Lanes::size, typename Lanes::isa>;
  static_assert(sizeof(typename Combination::cell) == sizeof(T));

public:
  using combination = Combination;

  template <class Item>
  LANEFOLD_ALWAYS_INLINE register_target(const Combination& how, typename Combination::cell* cells, const Item& it)
      : m_how(how), m_cells(&cells->value), m_values(it.var(values(how.identity()))) {}
  register_target(const register_target&) = delete;
  register_target& operator=(const register_target&) = delete;
  LANEFOLD_ALWAYS_INLINE ~register_target() { combined_with(values::load(m_cells)).store(m_cells); }

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE const Combination& how() const { return m_how; }

  template <class X>
  LANEFOLD_ALWAYS_INLINE void combine(const X& x) {
    m_values = combined_with(values(index_value(x)));
  }

private:
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE values combined_with(const values& x) const {
    return combined<values>(typed_operator<T>(m_how.op), static_cast<const values&>(m_values), x);
  }

  const Combination& m_how;
  T* m_cells;
  variable<T, Lanes> m_values;
};

/// Cells that the active lanes come to one after the other: the one at `index`, uniform or varying.
template <class T, class Lanes, class Combination, class Index>
class lane_by_lane_target {
public:
  using combination = Combination;

  LANEFOLD_ALWAYS_INLINE lane_by_lane_target(const Combination& how, typename Combination::cell* cells,
                                             const Index& index, const variable<bool, Lanes>& no_lane)
      : m_how(how), m_cells(cells), m_index(index), m_no_lane(no_lane) {}
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE const Combination& how() const { return m_how; }

  template <class X>
  LANEFOLD_ALWAYS_INLINE void combine(const X& x) {
    variable<bool, Lanes> active(m_no_lane);
    active = true; // the lanes that are not active stay false
    const auto values = lanes_of_value(x);
    for (std::size_t lane = 0; lane < Lanes::size; ++lane) {
      if (active[lane]) {
        m_how.combine(m_cells[value_of_lane<std::size_t>(m_index, lane)], value_of_lane<T>(values, lane));
      }
    }
  }

private:
  const Combination& m_how;
  typename Combination::cell* m_cells;
  Index m_index;
  const variable<bool, Lanes>& m_no_lane;
};

[[noreturn]] LANEFOLD_COLD void throw_reducer_index(std::size_t index, std::size_t size);

/// The cells of a span: of a work-item kernel.
template <class Combination>
class span_target {
public:
  using combination = Combination;

  LANEFOLD_ALWAYS_INLINE span_target(const Combination& how, typename Combination::cell* cells, std::size_t size)
      : m_how(how), m_cells(cells), m_size(size) {}
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE const Combination& how() const { return m_how; }

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE cell_target<Combination> at(std::size_t index) const {
    if constexpr (checked_build) {
      if (index >= m_size) {
        throw_reducer_index(index, m_size);
      }
    }
    return {m_how, m_cells[index]};
  }

private:
  const Combination& m_how;
  typename Combination::cell* m_cells;
  std::size_t m_size;
};

/// The cells of a span: of a lane-generic kernel.
template <class T, class Lanes, class Combination>
class lanes_span_target {
public:
  using combination = Combination;

  template <class Item>
  LANEFOLD_ALWAYS_INLINE lanes_span_target(const Combination& how, typename Combination::cell* cells, const Item& it)
      : m_how(how), m_cells(cells), m_no_lane(it.var(false)) {}
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE const Combination& how() const { return m_how; }

  template <class Index>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto at(const Index& index) const {
    const auto indices = lanes_of_value(index);
    return lane_by_lane_target<T, Lanes, Combination, std::remove_const_t<decltype(indices)>>(m_how, m_cells, indices,
                                                                                              m_no_lane);
  }

private:
  const Combination& m_how;
  typename Combination::cell* m_cells;
  variable<bool, Lanes> m_no_lane;
};

/// One cell for all lanes.
template <class T, class Lanes, class Combination>
class shared_cell_target : public lanes_span_target<T, Lanes, Combination> {
public:
  using lanes_span_target<T, Lanes, Combination>::lanes_span_target;

  template <class X>
  LANEFOLD_ALWAYS_INLINE void combine(const X& x) {
    this->at(std::size_t{0}).combine(x);
  }
};

} // namespace detail
LANEFOLD_END_NAMESPACE
