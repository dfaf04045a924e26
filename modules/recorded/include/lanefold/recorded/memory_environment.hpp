// SPDX-License-Identifier: Apache-2.0
/// Local and private memory of scoped groups that are recorded: see scoped/memory_environment.hpp.
#pragma once

#include <lanefold/recorded/distribute.hpp>
#include <lanefold/scoped/memory_environment.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// A position in an array in local memory: a part that is recorded, and one that is plain.
struct local_position {
  node_number recorded_part = no_node;
  std::size_t plain_part = 0;

  /// The position of element i below it, in an array of that extent.
  template <class I>
  [[nodiscard]] local_position below(recorder& r, std::size_t extent, const I& i) const {
    local_position result{scaled_id(r, recorded_part, extent), plain_part * extent};
    if constexpr (std::is_integral_v<I>) {
      check_plain_index(static_cast<std::size_t>(i), extent);
      result.plain_part += static_cast<std::size_t>(i);
    } else {
      static_assert(std::is_integral_v<recorded_element_t<I>>, "lanefold: an index is a whole number");
      result.recorded_part = sum_of_ids(r, result.recorded_part, node_as<std::size_t>(r, i));
    }
    return result;
  }
  [[nodiscard]] node_number node(recorder& r) const {
    return recorded_part == no_node ? r.literal(recorded_type::u64, plain_part)
           : plain_part == 0        ? recorded_part
                                    : (id_value(r, recorded_part) + plain_part).node();
  }

private:
  static void check_plain_index(std::size_t i, std::size_t extent) {
    if (i >= extent) {
      throw_out_of_bounds(i, extent);
    }
  }
};

/// A T in local memory, an array or an element, at a position that counts Ts.
template <class T>
auto local_element(recorder& r, std::uint32_t array, const local_position& at);

/// Stands for the rest of an array in local memory after some of its indices.
template <class T>
class recorded_local_array {
  static_assert(std::is_array_v<T>);

public:
  recorded_local_array(recorder& r, std::uint32_t array, const local_position& at)
      : m_recorder(&r), m_array(array), m_at(at) {}

  template <RecordableOperand I>
  auto operator[](const I& i) const {
    return detail::local_element<std::remove_extent_t<T>>(*m_recorder, m_array,
                                                          m_at.below(*m_recorder, std::extent_v<T>, i));
  }

private:
  recorder* m_recorder;
  std::uint32_t m_array;
  local_position m_at;
};

template <class T>
auto local_element(recorder& r, std::uint32_t array, const local_position& at) {
  if constexpr (std::is_array_v<T>) {
    return recorded_local_array<T>(r, array, at);
  } else {
    return recorded_reference<T>(r, array, at.node(r));
  }
}

/// The type that local memory of elements E has when it is recorded.
template <class E>
struct recorded_memory_type {
  static_assert(RecordableNumber<E> || RecordableComposite<E>,
                "lanefold: recorded kernels have numbers, vectors and trivially copyable structs in local memory");
  static constexpr bool aliases = !RecordableNumber<E>;
  static constexpr recorded_type value() {
    if constexpr (aliases) {
      return recorded_type_of<recorded_part_t<E>>();
    } else {
      return recorded_type_of<E>();
    }
  }
};

} // namespace detail

/// Local memory of a recorded group: a tile has its own of each work-group. Elements are values that can be assigned
/// to, by plain and by recorded indices; what is no array is a cell that is read anew wherever it is used.
template <class T, detail::RecordedScope Scope>
class local_memory<T, s_group<Scope>> {
  static_assert(detail::ScopedMemory<T>, "lanefold: what lies in local memory is trivially copyable");
  using memory_type = detail::recorded_memory_type<std::remove_all_extents_t<T>>;

public:
  using value_type = T;
  using scalar_type = std::remove_all_extents_t<T>;

  explicit local_memory(const s_group<Scope>& g)
      : m_group(g), m_offset(take_block(g)),
        m_array(g.record().local_array(memory_type::value(), m_offset, memory_type::aliases)) {
    detail::check_scope(g.frame(), Scope::depth, "local_memory");
  }
  local_memory(const local_memory& other)
      : m_group(other.m_group), m_offset(other.m_offset), m_array(other.m_array), m_owns(false) {}
  local_memory& operator=(const local_memory&) = delete;
  ~local_memory() {
    if (m_owns) {
      m_group.frame().blocks.release(m_offset);
    }
  }

  /// The memory: itself, or the cell of what is no array.
  [[nodiscard]] auto operator()() const {
    if constexpr (std::is_array_v<T>) {
      return *this;
    } else {
      static_assert(detail::RecordableNumber<T>, "lanefold: vectors and structs in recorded local memory are elements "
                                                 "of arrays: require_local_mem<T[1]>");
      return recorded_cell<T>(record(), m_array, whole().node(record()));
    }
  }

  template <detail::RecordableOperand I>
    requires(std::is_array_v<T>)
  auto operator[](const I& i) const {
    return detail::local_element<T>(record(), m_array, whole())[i];
  }
  template <int D>
    requires(std::rank_v<T> == D)
  auto operator[](const lane_id<D, recorded>& i) const {
    return at_all(i);
  }
  template <int D>
    requires(std::rank_v<T> == D)
  auto operator[](const id<D>& i) const {
    return at_all(i);
  }

  [[nodiscard]] static constexpr std::size_t size() { return detail::element_count<T>; }

  /// Only the library calls this: every element gets the value, shared by the items of the group.
  void fill(const scalar_type& value) const {
    const std::size_t own = m_group.get_local_linear_range();
    const auto set = [&](const auto& i) {
      const detail::local_position at = whole().below(record(), size(), i);
      detail::local_element<scalar_type>(record(), m_array, at) = value;
    };
    const detail::entered_items inside(m_group.frame(), record());
    const auto first = m_group.get_physical_local_linear_id();
    if (size() <= own) {
      m_group.if_(first < size(), [&] { set(first); });
    } else {
      m_group.for_(first, size(), own, set);
    }
    if (own != 1) {
      detail::record_work_group_barrier(record(), "require_local_mem");
    }
  }

private:
  static std::size_t take_block(const s_group<Scope>& g) {
    detail::check_even_tiles(g.frame());
    return g.frame().blocks.take(g.record(), memory_type::value(), sizeof(T) * g.place().instances);
  }
  [[nodiscard]] detail::recorder& record() const { return m_group.record(); }
  [[nodiscard]] detail::local_position whole() const { return {m_group.place().instance, 0}; }
  template <class Ids>
  auto at_all(const Ids& i) const {
    if constexpr (std::rank_v<T> == 1) {
      return (*this)[i[0]];
    } else if constexpr (std::rank_v<T> == 2) {
      return (*this)[i[0]][i[1]];
    } else {
      return (*this)[i[0]][i[1]][i[2]];
    }
  }

  s_group<Scope> m_group;
  std::size_t m_offset;
  std::uint32_t m_array;
  bool m_owns = true; ///< copies do not
};

/// Private memory of a recorded group: a variable of each item of the device, which is the same logical item in the
/// group and in its tiles.
template <class T, detail::RecordedScope Scope>
class s_private_memory<T, s_group<Scope>> {
  static_assert(detail::ScopedMemory<T> && !std::is_array_v<T>,
                "lanefold: what lies in private memory is trivially copyable and no array");

public:
  using value_type = T;

  explicit s_private_memory(const s_group<Scope>& g) : s_private_memory(g, T{}) {}
  s_private_memory(const s_group<Scope>& g, const T& init) : m_group(g), m_variable(g.record(), init) {
    detail::check_scope(g.frame(), Scope::depth, "private_memory");
  }
  s_private_memory(const s_private_memory&) = delete;
  s_private_memory& operator=(const s_private_memory&) = delete;

  /// The variable of an item of the group or of a tile of it. An item beyond the group's size has none.
  template <class Item>
  recorded_variable<T>& operator()(const Item& item) {
    check_item(item);
    return m_variable;
  }
  void fill(const T& value) { m_variable = value; }
  [[nodiscard]] std::size_t size() const { return m_group.get_logical_local_linear_range(); }
  [[nodiscard]] const s_group<Scope>& get_group() const { return m_group; }

  /// Only the library calls these: the value of the work-item, for group algorithms.
  [[nodiscard]] const recorded_variable<T>& own() const { return m_variable; }
  [[nodiscard]] recorded_variable<T>& own() { return m_variable; }

private:
  template <class Item>
  void check_item(const Item& item) const {
    for (int d = 0; d < Scope::dimensions; ++d) {
      if (item.get_innermost_local_range(d) > m_group.size()[d]) {
        detail::throw_out_of_bounds(item.get_innermost_local_range(d) - 1, m_group.size()[d]);
      }
    }
  }

  s_group<Scope> m_group;
  recorded_variable<T> m_variable;
};

namespace detail {

template <RecordedScope Scope, class T, class Init, class F>
void with_memory(const s_group<Scope>& g, const local_request<T, Init>& request, F&& f) {
  const local_memory<T, s_group<Scope>> memory(g);
  if constexpr (!std::is_same_v<Init, no_init>) {
    memory.fill(request.init);
  }
  const auto given = memory();
  f(given);
}
template <RecordedScope Scope, class T, class Init, class F>
void with_memory(const s_group<Scope>& g, const private_request<T, Init>& request, F&& f) {
  if constexpr (std::is_same_v<Init, no_init>) {
    s_private_memory<T, s_group<Scope>> memory(g);
    f(memory);
  } else {
    s_private_memory<T, s_group<Scope>> memory(g, request.init);
    f(memory);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
