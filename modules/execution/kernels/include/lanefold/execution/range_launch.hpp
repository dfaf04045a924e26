// SPDX-License-Identifier: Apache-2.0
/// Running kernels over a plain range.
#pragma once

#include <lanefold/execution/control_flow.hpp>
#include <lanefold/execution/detail/bound_kernel.hpp>
#include <lanefold/execution/detail/int_ids.hpp>
#include <lanefold/execution/detail/item_index.hpp>
#include <lanefold/execution/detail/lane_ids.hpp>
#include <lanefold/execution/detail/lane_loop.hpp>
#include <lanefold/execution/detail/shuffled_order.hpp>
#include <lanefold/execution/detail/watched_group.hpp>
#include <lanefold/execution/launch.hpp>
#include <lanefold/execution/strategy.hpp>

#include <algorithm>
#include <string>
#include <type_traits>

// clang warns where a kernel leaves a loop no way to be vectorised.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Says in messages which work-items' call of the kernel has thrown, in the row that begins with `row`.
template <class Strategy, int D>
std::string describe_work_items(id<D> row, std::size_t reached, const id<D>& offset) {
  using lanes = lanes_of<Strategy>;
  row[D - 1] = reached;
  row += offset;
  if constexpr (std::is_same_v<lanes, scalar>) {
    return (std::is_same_v<Strategy, omp_simd> ? "near work-item " : "work-item ") + describe_id(row);
  } else {
    return "one of the " + std::to_string(lanes::size) + " work-items from " + describe_id(row);
  }
}

/// Describes a range whose work-items run so many lanes at a time; no lanes: one by one.
template <int D>
launch_description describe_extents(const range<D>& extents, std::size_t lanes);

/// Describes the launch of a kernel over a range.
template <class Strategy, int D>
LANEFOLD_ALWAYS_INLINE launch_description describe_range(const range<D>& extents, strategy_reason why) {
  using lanes = lanes_of<Strategy>;
  launch_description told = describe_extents(extents, std::is_same_v<lanes, scalar> ? 0 : lanes::columns);
  told.why = why;
  told.is_omp_simd = std::is_same_v<Strategy, omp_simd>;
  return told;
}

/// A kernel over ids that begin elsewhere than at 0.
template <int D, class Kernel>
struct offset_kernel {
  Kernel kernel;
  id<D> offset;

  template <class Item>
    requires(std::is_invocable_v<Kernel&, Item> ||
             (std::is_same_v<Item, item<D>> && std::is_invocable_v<Kernel&, id<D>>))
  LANEFOLD_ALWAYS_INLINE void operator()(Item at) {
    if constexpr (std::is_invocable_v<Kernel&, Item>) {
      kernel(at.moved_by(offset));
    } else {
      kernel(at.moved_by(offset).get_id());
    }
  }
};

template <int D, class Kernel>
id<D> offset_of(const Kernel&) {
  return {};
}
template <int D, class Kernel>
id<D> offset_of(const offset_kernel<D, Kernel>& kernel) {
  return kernel.offset;
}

template <int D, class Kernel>
struct unwrapped_kernel<offset_kernel<D, Kernel>> : unwrapped_kernel<Kernel> {};

/// A kernel over a range under one strategy. Its "groups" are work-items, or units of lanes, in row-major order; those
/// of a row that a thread gets together run as one loop.
template <int D, class Strategy, class Kernel>
class range_launch final : public launch {
  using lanes = lanes_of<Strategy>;
  static_assert(lanes::rows == 1, "a range has no work-groups: its lanes run along the last dimension");

public:
  range_launch(const range<D>& extents, const launch_settings& common, const Kernel& kernel)
      : launch(rows_of(extents) * units_of_row(extents), grain_of(extents), common, detail::kernel_type<Kernel>()),
        m_extents(extents), m_kernel(kernel), m_order(*this) {
    if constexpr (!std::is_same_v<lanes, scalar>) {
      keep_kernel_whole<Kernel, item_of<D, lanes>>();
    }
  }

  void run(std::size_t first, std::size_t last) override {
#if defined(LANEFOLD_CHECKED)
    const watched_range watched(*this, m_extents);
    const std::size_t seed = checks().schedule;
    if (seed == 0) {
      run_in_order(first, last);
      return;
    }
    for (std::size_t position = first; position < last; ++position) {
      const std::size_t instead = shuffled(position, size(), seed);
      run_in_order(instead, instead + 1);
    }
  }

  void run_in_order(std::size_t first, std::size_t last) {
#endif
    if constexpr (!counts_in_int) {
      run_rows<std::size_t>(first, last);
    } else if (!is_apart_in_int()) [[unlikely]] {
      run_other(first, last);
    } else if constexpr (finds_order) {
      range_walk walk(m_order.chosen, first, last);
      while (walk.next()) {
        run_strip_flat(walk.strip());
      }
    } else {
      run_rows_flat(first, last);
    }
  }

  void rewind() override {
    launch::rewind();
    if constexpr (finds_order) {
      m_order.chosen.choose();
    }
  }

  LANEFOLD_COLD launch_description describe() const override {
    launch_description told = describe_range<Strategy>(m_extents, why());
    if constexpr (finds_order) {
      told.in_tiles = m_order.chosen.chosen() == range_order::kind::tiles;
    }
    return told;
  }

private:
  /// Work-items one by one, see int_ids.hpp.
  static constexpr bool counts_in_int = std::is_same_v<lanes, scalar> && !std::is_same_v<Strategy, omp_simd>;

  /// Work-items of several dimensions are walked in the order that is faster; checked builds keep to that of rows.
  static constexpr bool finds_order = counts_in_int && D > 1 && !checked_build;

  /// The loop that programs spend their time in. A large kernel that it called could neither be vectorised nor lose
  /// what is the same for all work-items: a stencil with 13 accessors took 250 ms in place of 47.
  LANEFOLD_FLATTEN void run_rows_flat(std::size_t first, std::size_t last) { run_rows<int>(first, last); }
  /// Does the same for a strip, and is called for each: a loop that called what finds the next one had its constants in
  /// memory.
  LANEFOLD_FLATTEN void run_strip_flat(const range_strip& strip) {
    run_walk<int>([&](id<D>& row, const auto& run_part)
                      LANEFOLD_INLINE_LAMBDA { walk_strip<unit>(m_extents, strip, row, run_part); });
  }
  /// Ids beyond int, or accessors whose memory is not apart.
  LANEFOLD_COLD void run_other(std::size_t first, std::size_t last) { run_rows<std::size_t>(first, last); }

  template <class Index>
  LANEFOLD_ALWAYS_INLINE void run_rows(std::size_t first, std::size_t last) {
    run_walk<Index>([&](id<D>& row, const auto& run_part)
                        LANEFOLD_INLINE_LAMBDA { walk_range<unit>(m_extents, first, last, row, run_part); });
  }

  template <class Index, class Walk>
  LANEFOLD_ALWAYS_INLINE void run_walk(const Walk& walk) {
    id<D> row;
    std::size_t reached = 0;
    bound_kernel<Kernel, std::is_same_v<Index, int>> kernel(m_kernel.kernel, nullptr);
    try {
      walk(row, [&](const row_part& part) LANEFOLD_INLINE_LAMBDA {
        if constexpr (std::is_same_v<lanes, scalar>) {
          run_row_items<Index>(kernel.call, row, part, reached);
        } else {
          run_row(kernel.call, row, part, reached);
        }
      });
    } catch (...) {
      announce_convergence();
      kernel_error(kernel_name(), describe_work_items<Strategy>(row, reached, offset_of<D>(m_kernel.kernel)));
    }
  }

  /// Work-items that are handed to a thread at least.
  static constexpr std::size_t unit = [] {
    if constexpr (std::is_same_v<lanes, scalar>) {
      return std::size_t{1};
    } else {
      return lanes::size;
    }
  }();

  static std::size_t rows_of(const range<D>& extents) {
    std::size_t rows = 1;
    for (int d = 0; d < D - 1; ++d) {
      rows *= extents[d];
    }
    return rows;
  }
  static std::size_t units_of_row(const range<D>& extents) { return (extents[D - 1] + unit - 1) / unit; }

  /// Whole rows, or lines of the cache where rows are long.
  static std::size_t grain_of(const range<D>& extents) {
    constexpr std::size_t line = std::max<std::size_t>(64 / unit, 1);
    constexpr std::size_t longest = 4096;
    return D > 1 && extents[D - 1] <= longest ? units_of_row(extents) : line;
  }

  template <bool Hot>
  LANEFOLD_ALWAYS_INLINE void call(Kernel& kernel, const range<D>& extents, const id<D>& at) const {
    note_work_item<scalar>(kernel, m_extents, [&] { return linear_id(at, m_extents); });
    begin_unit(at);
    if constexpr (std::is_invocable_v<Kernel&, item<D>>) {
      call_work_item<Hot>(kernel, item<D>(extents, at, nullptr));
    } else {
      call_work_item<Hot>(kernel, at);
    }
    end_watched_unit();
  }

  /// Checked builds: says which work-items run next.
  LANEFOLD_ALWAYS_INLINE void begin_unit([[maybe_unused]] const id<D>& at) const {
    if constexpr (checked_build) {
      const std::size_t first = linear_id(at, m_extents);
      begin_watched_unit<lanes>(first, lanes::columns, first);
    }
  }

  /// Runs what a row consists of. `reached` is written when the kernel throws: the last index of the work-item that has
  /// thrown, or of the first lane.
  template <bool Hot>
  struct row_visitor {
    const range_launch& self;
    const range<D>& extents;
    Kernel& kernel;
    const id<D>& row;
    std::size_t& reached;

    [[nodiscard]] LANEFOLD_ALWAYS_INLINE static bool goes_on() { return true; }

    [[nodiscard]] LANEFOLD_ALWAYS_INLINE id<D> id_at(std::size_t x) const {
      id<D> at = copy_coordinates<D>(row);
      at[D - 1] = x;
      return at;
    }

    LANEFOLD_ALWAYS_INLINE void full(std::size_t x, unsigned) const {
      const id<D> at = id_at(x);
      note_work_item<lanes>(kernel, extents, [&] { return linear_id(at, extents); });
      self.begin_unit(at);
      full_unit<lanes> running;
      try {
        call_inlined(kernel, item_of<D, lanes>(extents, at, running.context()));
        running.end();
      } catch (...) {
        reached = x;
        throw;
      }
    }
    LANEFOLD_ALWAYS_INLINE void partial(std::size_t x, unsigned, std::size_t count) const {
      try {
        self.run_partial(kernel, row, x, count);
      } catch (...) {
        reached = x;
        throw;
      }
    }
    LANEFOLD_ALWAYS_INLINE void item(std::size_t x, std::size_t) const {
      if constexpr (std::is_same_v<Strategy, omp_simd>) {
        self.template call<Hot>(kernel, extents, id_at(x));
      } else {
        try {
          self.template call<Hot>(kernel, extents, id_at(x));
        } catch (...) {
          reached = x;
          throw;
        }
      }
    }
  };

  template <class Index>
  LANEFOLD_ALWAYS_INLINE void run_row_items(Kernel& kernel, const id<D>& row, const row_part& part,
                                            std::size_t& reached) const {
    using policy = typename policy_of<Strategy, Index>::type;
    if constexpr (std::is_same_v<Strategy, omp_simd>) {
      reached = part.begin;
    }
    const range<D> extents = m_extents; // which no store of a kernel may change
    policy::run(part, row_visitor<std::is_same_v<Index, int>>{*this, extents, kernel, row, reached});
  }

  /// A call in between: without it g++ 12 takes 1.2 times as long for short rows of four dimensions.
  void run_row(Kernel& kernel, const id<D>& row, const row_part& part, std::size_t& reached) const {
    run_row_lanes(kernel, row, part.begin, part.end, reached);
  }
  LANEFOLD_FLATTEN void run_row_lanes(Kernel& kernel, const id<D>& row, std::size_t begin, std::size_t end,
                                      std::size_t& reached) const {
    units_of_lanes<lanes>::run(row_part{begin, end}, row_visitor<true>{*this, m_extents, kernel, row, reached});
  }

  /// The end of a row, which in many ranges is all of it: no rare path. The id is made here, not passed: behind the
  /// store that moved the row on, a copy of it in memory waits 13 ns.
  LANEFOLD_FLATTEN void run_partial(Kernel& kernel, const id<D>& row, std::size_t x, std::size_t count) const {
    id<D> at = copy_coordinates<D>(row);
    at[D - 1] = x;
    note_work_item<lanes>(kernel, m_extents, [&] { return linear_id(at, m_extents); });
    begin_unit(at);
    partial_unit<lanes> running(count);
    call_inlined(kernel, item_of<D, lanes>(m_extents, at, running.context()));
    running.end();
  }

  /// Ids fit in int, and the memory of the kernel's accessors is apart.
  [[nodiscard]] bool is_apart_in_int() const { return m_kernel.is_apart && ids_fit_in_int(m_extents); }

  struct order_of_rows {
    explicit order_of_rows(const range_launch&) noexcept {}
  };
  struct found_order {
    explicit found_order(const range_launch& of) noexcept
        : chosen(rows_of(of.m_extents), units_of_row(of.m_extents), of.is_apart_in_int() ? s_found : nullptr) {}
    range_order chosen;
  };

  range<D> m_extents;
  captured_kernel<Kernel> m_kernel;
  [[no_unique_address]] std::conditional_t<finds_order, found_order, order_of_rows> m_order;
  static inline constinit order_findings s_found[2];
};

} // namespace detail
LANEFOLD_END_NAMESPACE

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
