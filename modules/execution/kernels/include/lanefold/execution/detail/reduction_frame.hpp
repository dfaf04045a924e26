// SPDX-License-Identifier: Apache-2.0
/// The reductions of one launch, and the cells into which the work-items of a chunk combine their values (see
/// reduction_launch.hpp).
#pragma once

#include <lanefold/execution/parallel_for.hpp>
#include <lanefold/execution/reduction.hpp>
#include <lanefold/execution/specialization.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// A reduction and its cells: `size` for each chunk.
template <class R>
class reduction_part {
public:
  using cell = typename R::combination_type::cell;
  using value_type = typename R::value_type;

  reduction_part(const R& reduction, std::size_t chunks)
      : m_reduction(reduction), m_cells(chunks * reduction.size, reduction.how.fresh()) {}

  [[nodiscard]] const R& reduction() const { return m_reduction; }
  [[nodiscard]] cell* of_chunk(std::size_t chunk) { return m_cells.data() + chunk * m_reduction.size; }

  /// Combines the cells of all chunks into the target.
  void finish() {
    const std::size_t size = m_reduction.size;
    for (std::size_t i = 0; i < size; ++i) {
      if constexpr (R::combination_type::has_identity) {
        if (m_reduction.initialize) {
          m_reduction.target[i] = m_reduction.how.identity();
        }
      }
      for (std::size_t at = i; at < m_cells.size(); at += size) {
        m_reduction.how.finish(m_reduction.target[i], m_cells[at]);
      }
    }
  }

  /// Cells become as they were before the first chunk.
  void rewind() { std::fill(m_cells.begin(), m_cells.end(), m_reduction.how.fresh()); }

private:
  R m_reduction;
  std::vector<cell> m_cells;
};

/// The reductions of one launch.
template <class... Rs>
class reduction_parts {
public:
  reduction_parts(std::size_t chunks, const Rs&... reductions)
      : m_parts(reduction_part<Rs>(reductions, chunks)...), m_chunks(chunks), m_unfinished(chunks) {}

  template <std::size_t I>
  [[nodiscard]] auto& get() {
    return std::get<I>(m_parts);
  }

  /// Called when so many chunks are finished; the last call makes the results.
  void finish(std::size_t chunks) {
    if (m_unfinished.fetch_sub(chunks, std::memory_order_acq_rel) == chunks) {
      std::apply([](auto&... each) { (each.finish(), ...); }, m_parts);
    }
  }

  /// Makes ready for another run of all chunks.
  void rewind() {
    std::apply([](auto&... each) { (each.rewind(), ...); }, m_parts);
    m_unfinished.store(m_chunks, std::memory_order_relaxed);
  }

private:
  std::tuple<reduction_part<Rs>...> m_parts;
  const std::size_t m_chunks;
  std::atomic<std::size_t> m_unfinished;
};

/// Returns how many units (work-items, groups) are a chunk: not by their cost, which nobody knows yet, but by their
/// number only, so that results are the same in every run: 32 chunks, which threads share evenly even if a unit is
/// heavy, unless chunks were then larger than `most_units` (up to 1,024 of them).
template <class... Rs>
std::size_t units_of_chunk(std::size_t units, std::size_t most_units, const launch_settings& settings,
                           const Rs&... reductions) {
  constexpr std::size_t few = 32;
  constexpr std::size_t most = 1024;
  constexpr std::size_t most_of_thread = 16; // the limit if a chunk has a cell for each element of a span
  constexpr bool spans = ((Rs::dimensions != 0) || ...);
  const auto in = [units](std::size_t chunks) { return (units + chunks - 1) / chunks; };
  if constexpr (spans) {
    const std::size_t cells = std::max({std::size_t{1}, reductions.size...});
    return std::max({in(std::min(most, most_of_thread * settings.threads)), std::min(in(few), most_units),
                     std::min(cells, most_units)});
  } else {
    return std::max({in(most), std::min(in(few), most_units), std::size_t{1}});
  }
}

/// Returns how many cells lie side by side: as many as four registers have room for values of the largest type, a
/// power of two, so that chunk_cells can fold halves.
template <class... Rs>
constexpr std::size_t block_width() {
  std::size_t largest = 0;
  ((largest = has_wide_cells<typename Rs::value_type, Rs::combination_type::has_identity>
                  ? std::max(largest, sizeof(typename Rs::value_type))
                  : largest),
   ...);
  return largest == 0 ? 1 : std::bit_floor(std::clamp<std::size_t>(4 * native_lanes * sizeof(float) / largest, 1, 64));
}

/// The cells of one reduction for one chunk: `Width` where there may be several, otherwise one.
template <class R, std::size_t Width>
class chunk_cells {
  using cell = typename R::combination_type::cell;
  static constexpr bool wide = has_wide_cells<typename R::value_type, R::combination_type::has_identity>;
  static constexpr std::size_t size = wide ? Width : 1;

public:
  LANEFOLD_ALWAYS_INLINE chunk_cells(reduction_part<R>& part, std::size_t chunk)
      : m_part(part), m_chunk(chunk), m_cells{part.reduction().how.fresh()} {
    if constexpr (size > 1) {
      std::fill_n(m_cells, size, part.reduction().how.fresh());
    }
  }

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE const auto& how() const { return m_part.reduction().how; }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE cell* data() { return m_cells; }
  /// Returns the target for the work-item at position `lane` of a block. `Alone`: until the work-item has ended nobody
  /// else comes to that position.
  template <bool Alone>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto target(std::size_t lane) {
    using how_type = typename R::combination_type;
    if constexpr (Alone && wide) {
      return held_cell_target<how_type>(how(), m_cells[lane]);
    } else {
      return cell_target<how_type>(how(), m_cells[wide ? lane : 0]);
    }
  }

  LANEFOLD_ALWAYS_INLINE void fold() {
    static_assert(std::has_single_bit(size));
    for (std::size_t half = size / 2; half > 0; half /= 2) {
      for (std::size_t i = 0; i < half; ++i) {
        how().merge(m_cells[i], m_cells[half + i]);
      }
    }
    how().merge(*m_part.of_chunk(m_chunk), m_cells[0]);
  }

private:
  reduction_part<R>& m_part;
  std::size_t m_chunk;
  alignas(64) cell m_cells[size];
};

/// Those of a span: the chunk's own.
template <class R, std::size_t Width>
  requires(R::dimensions == 1)
class chunk_cells<R, Width> {
public:
  LANEFOLD_ALWAYS_INLINE chunk_cells(reduction_part<R>& part, std::size_t chunk)
      : m_part(part), m_cells(part.of_chunk(chunk)) {}

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE const auto& how() const { return m_part.reduction().how; }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto* data() { return m_cells; }
  template <bool>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto target(std::size_t) {
    return span_target<typename R::combination_type>(how(), m_cells, m_part.reduction().size);
  }
  void fold() {}

private:
  reduction_part<R>& m_part;
  typename R::combination_type::cell* m_cells;
};

/// From cells to the reducer of a work-item, or of the lanes of an item.
template <class R, std::size_t Width, class Item, bool Alone>
struct reducer_source {
  chunk_cells<R, Width>& cells;
  const Item& it;
  std::size_t lane;

  LANEFOLD_ALWAYS_INLINE auto target() const {
    using lanes = typename Item::lanes;
    using T = typename R::value_type;
    using how = typename R::combination_type;
    if constexpr (std::is_same_v<lanes, scalar>) {
      return cells.template target<Alone>(lane);
    } else if constexpr (R::dimensions == 1) {
      return lanes_span_target<T, lanes, how>(cells.how(), cells.data(), it);
    } else if constexpr (!std::is_arithmetic_v<T> || !has_wide_cells<T, how::has_identity> || lanes::size > Width) {
      return shared_cell_target<T, lanes, how>(cells.how(), cells.data(), it);
    } else if constexpr (!combines_varyings<T, typename R::binary_operation, lanes>()) {
      return shared_cell_target<T, lanes, how>(cells.how(), cells.data(), it);
    } else {
      return register_target<T, lanes, how>(cells.how(), cells.data(), it);
    }
  }
};

template <class R, std::size_t Width, class Item, bool Alone = false>
using reducer_for = reducer<typename R::value_type, typename R::binary_operation, R::dimensions,
                            decltype(std::declval<const reducer_source<R, Width, Item, Alone>&>().target())>;

/// Is a kernel that takes these items and a reducer for each reduction. `Alone`: see chunk_cells::target.
template <class Kernel, std::size_t Width, bool Alone, class Item, class... Rs>
concept ReducingKernelOf = std::is_invocable_v<Kernel&, const Item&, reducer_for<Rs, Width, Item, Alone>&...>;

/// Is true if the kernel takes a kernel_handler behind `At` and the reducers that work-items get, and not these alone.
template <class Kernel, class At, class Item, class... Rs>
using takes_handler_behind_reducers =
    std::conjunction<std::is_invocable<Kernel&, At, reducer_for<Rs, 1, Item>&..., kernel_handler>,
                     std::negation<std::is_invocable<Kernel&, At, reducer_for<Rs, 1, Item>&...>>>;

/// The cells of all reductions for one chunk, on the stack of the thread that runs it.
template <std::size_t Width, class... Rs>
class reduction_frame {
  using indices = std::index_sequence_for<Rs...>;

public:
  LANEFOLD_ALWAYS_INLINE reduction_frame(reduction_parts<Rs...>& parts, std::size_t chunk)
      : reduction_frame(parts, chunk, indices()) {}
  reduction_frame(const reduction_frame&) = delete;
  reduction_frame& operator=(const reduction_frame&) = delete;

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto& parts() const { return m_parts; }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE std::size_t chunk() const { return m_chunk; }

  /// Calls the kernel for a work-item at position `lane` of a block, which has that for itself until it ends.
  template <class Kernel, class Item>
  LANEFOLD_ALWAYS_INLINE void call_alone(Kernel& kernel, const Item& it, std::size_t lane) {
    call_with<true>(kernel, it, lane, indices());
  }
  /// Calls it for an item that others may meet before it ends, with the same cells.
  template <class Kernel, class Item>
  LANEFOLD_ALWAYS_INLINE void call(Kernel& kernel, const Item& it) {
    call_with<false>(kernel, it, 0, indices());
  }

  /// To be called at the end of the chunk.
  LANEFOLD_ALWAYS_INLINE void fold() {
    std::apply([](auto&... each) LANEFOLD_INLINE_LAMBDA { (each.fold(), ...); }, m_cells);
  }

private:
  template <std::size_t... I>
  LANEFOLD_ALWAYS_INLINE reduction_frame(reduction_parts<Rs...>& parts, std::size_t chunk, std::index_sequence<I...>)
      : m_parts(parts), m_chunk(chunk), m_cells(cells_source<Rs>{parts.template get<I>(), chunk}...) {}

  /// A tuple makes its elements from one value each.
  template <class R>
  struct cells_source {
    reduction_part<R>& part;
    std::size_t chunk;
  };
  template <class R>
  struct cells_of : chunk_cells<R, Width> {
    LANEFOLD_ALWAYS_INLINE explicit cells_of(const cells_source<R>& from)
        : chunk_cells<R, Width>(from.part, from.chunk) {}
  };

  template <bool Alone, class Kernel, class Item, std::size_t... I>
  LANEFOLD_ALWAYS_INLINE void call_with(Kernel& kernel, const Item& it, std::size_t lane, std::index_sequence<I...>) {
    std::tuple<reducer_for<Rs, Width, Item, Alone>...> reducers(
        reducer_source<Rs, Width, Item, Alone>{std::get<I>(m_cells), it, lane}...);
    if constexpr (ReducingKernelOf<Kernel, Width, Alone, Item, Rs...>) {
      kernel(it, std::get<I>(reducers)...);
    } else {
      kernel(it.get_id(), std::get<I>(reducers)...);
    }
  }

  reduction_parts<Rs...>& m_parts;
  std::size_t m_chunk;
  std::tuple<cells_of<Rs>...> m_cells;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
