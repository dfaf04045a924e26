// SPDX-License-Identifier: Apache-2.0
/// Holds what the groups of a scoped kernel share while it is recorded.
#pragma once

#include <lanefold/recorded/items.hpp>
#include <lanefold/scoped/detail/scope_frame.hpp>
#include <lanefold/scoped/s_group.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Gives scoped groups blocks of the local memory of a recorded work-group. A block that is free again serves requests
/// of its type and size.
class local_blocks {
public:
  /// The blocks lie behind `used` bytes.
  explicit local_blocks(std::size_t used) : m_used(used) {}

  /// Returns the offset of the block. Where items may still use what was there before, it records a barrier.
  std::size_t take(recorder& r, recorded_type type, std::size_t bytes);
  void release(std::size_t offset) noexcept;
  /// All bytes of local memory so far.
  [[nodiscard]] std::size_t used() const noexcept { return m_used; }

private:
  struct block {
    recorded_type type;
    std::size_t offset, bytes;
    bool taken;
  };
  std::vector<block> m_blocks;
  std::size_t m_used;
};

/// Stands for the arena of a scoped kernel on the CPU.
struct no_arena {
  /// Throws errc::kernel_not_supported: memory whose type does not say its group cannot be recorded.
  [[noreturn]] memory_arena& operator*() const;
};

/// The state of the work-group of a scoped kernel that is recorded.
template <int D>
struct recorded_scope_frame : scope_frame {
  recorded_scope_frame(recorder& r, const nd_range<D>& its_space, std::size_t used_local_bytes)
      : scope_frame{0, nullptr, nullptr, nullptr}, record(&r), space(its_space), blocks(used_local_bytes) {}

  recorder* record;
  nd_range<D> space;
  local_blocks blocks;
  no_arena arena;
  bool has_uneven_tiles = false; ///< the kernel is in tiles that do not divide their group
};

/// Is the scope of a group that is recorded.
template <class Scope>
concept RecordedScope = std::is_same_v<typename Scope::strategy, recorded>;

/// While it lives, the kernel is in the code of items, which may store.
class entered_items {
public:
  entered_items(scope_frame& frame, recorder& r)
      : m_inside(frame, in_items), m_recorder(r), m_before(r.allow_stores(true)) {}
  entered_items(const entered_items&) = delete;
  entered_items& operator=(const entered_items&) = delete;
  ~entered_items() { m_recorder.allow_stores(m_before); }

private:
  entered_scope m_inside;
  recorder& m_recorder;
  bool m_before;
};

/// While it lives, the kernel is in tiles that divide their group or, `uneven`, do not.
template <int D>
class uneven_tiles {
public:
  uneven_tiles(recorded_scope_frame<D>& frame, bool uneven)
      : m_frame(frame), m_before(std::exchange(frame.has_uneven_tiles, frame.has_uneven_tiles || uneven)) {}
  uneven_tiles(const uneven_tiles&) = delete;
  uneven_tiles& operator=(const uneven_tiles&) = delete;
  ~uneven_tiles() { m_frame.has_uneven_tiles = m_before; }

private:
  recorded_scope_frame<D>& m_frame;
  bool m_before;
};

/// Throw errc::kernel_not_supported for what cannot be recorded.
[[noreturn]] void refuse_item_callable();
[[noreturn]] void refuse_uneven_tiles();
[[noreturn]] void refuse_scoped_group_algorithm();

/// Throws where barriers would be in tiles that do not come to them together.
template <int D>
void check_even_tiles(const recorded_scope_frame<D>& frame) {
  if (frame.has_uneven_tiles) {
    refuse_uneven_tiles();
  }
}

// Ids as nodes, where `no_node` is 0.

inline recorded_value<std::size_t> id_value(recorder& r, node_number n) {
  return {r, n == no_node ? r.literal(recorded_type::u64, 0) : n};
}
inline node_number sum_of_ids(recorder& r, node_number a, node_number b) {
  return a == no_node ? b : b == no_node ? a : (id_value(r, a) + id_value(r, b)).node();
}
inline node_number scaled_id(recorder& r, node_number a, std::size_t factor) {
  return a == no_node || factor == 1 ? a : (id_value(r, a) * factor).node();
}
/// Row-major position.
template <int D>
node_number linear_node(recorder& r, const id_nodes<D>& ids, const range<D>& extents) {
  node_number result = ids[0];
  for (int d = 1; d < D; ++d) {
    result = detail::sum_of_ids(r, detail::scaled_id(r, result, extents[d]), ids[static_cast<std::size_t>(d)]);
  }
  return result;
}
/// All dimensions, as the ids of items are given: a value in one dimension.
template <int D>
auto all_ids(recorder& r, const id_nodes<D>& ids) {
  if constexpr (D == 1) {
    return recorded_coordinate<std::size_t>(detail::id_value(r, ids[0]));
  } else {
    id_nodes<D> values;
    for (std::size_t d = 0; d < values.size(); ++d) {
      values[d] = detail::id_value(r, ids[d]).node();
    }
    return lane_id<D, recorded>(r, values);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
