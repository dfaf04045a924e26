// SPDX-License-Identifier: Apache-2.0
/// Running kernels with reductions.
///
/// The index space is cut into chunks. While a thread runs a chunk, its work-items combine their values into cells that
/// lie on the thread's stack, several side by side for numbers, so that neighbouring work-items do not wait for each
/// other and their loop is vectorised. At the end of the chunk the cells are combined into the chunk's own, and the
/// thread that finishes the last chunk combines those, in their order, into the variable.
#pragma once

#include <lanefold/execution/detail/int_ids.hpp>
#include <lanefold/execution/detail/kernel_block.hpp>
#include <lanefold/execution/detail/lane_loop.hpp>
#include <lanefold/execution/detail/reduction_frame.hpp>
#include <lanefold/execution/parallel_for.hpp>
#include <lanefold/execution/reduction.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The settings of a launch that is known by its kernel.
template <class Kernel>
launch_settings named_after(launch_settings settings) {
  if (settings.name == nullptr) {
    settings.name = &detail::kernel_type<Kernel>();
  }
  return settings;
}

// ---- over a range

/// A kernel with reductions over a range. Its "groups" are chunks of the range in row-major order.
template <int D, class Strategy, class Kernel, class... Rs>
class range_reduction_launch final : public launch {
  using lanes = lanes_of<Strategy>;
  static_assert(lanes::rows == 1, "a range has no work-groups: its lanes run along the last dimension");
  static constexpr bool has_lanes = !std::is_same_v<lanes, scalar>;
  static constexpr std::size_t width = has_lanes ? lanes::size : block_width<Rs...>();
  using frame = reduction_frame<width, Rs...>;

public:
  range_reduction_launch(const range<D>& extents, const launch_settings& common, const Kernel& kernel, const Rs&... rs)
      : range_reduction_launch(extents, common, kernel, items_of_chunk(extents, common, rs...), rs...) {}

  void run(std::size_t first, std::size_t last) override {
    id<D> reached;
    try {
      for (std::size_t chunk = first; chunk < last; ++chunk) {
        run_chunk(chunk, reached);
      }
    } catch (...) {
      announce_convergence();
      kernel_error(kernel_name(), describe_work_items<Strategy>(reached, reached[D - 1], id<D>()));
    }
    try {
      m_parts.finish(last - first);
    } catch (...) {
      kernel_error(kernel_name(), "the end of a reduction");
    }
  }

  LANEFOLD_COLD launch_description describe() const override {
    launch_description told = describe_range<Strategy>(m_extents, why());
    told.chunk = m_items;
    return told;
  }
  void rewind() override {
    launch::rewind();
    m_parts.rewind();
  }

private:
  /// Whole units of lanes, and whole blocks unless a block would be the work of several threads.
  static std::size_t items_of_chunk(const range<D>& extents, const launch_settings& common, const Rs&... rs) {
    constexpr std::size_t most = 4096;
    const std::size_t items = units_of_chunk(extents.size(), most, common, rs...);
    return has_lanes || items > width ? (items + width - 1) / width * width : items;
  }

  range_reduction_launch(const range<D>& extents, const launch_settings& common, const Kernel& kernel,
                         std::size_t items, const Rs&... rs)
      // If there are no work-items, one chunk without any makes the results.
      : launch(std::max<std::size_t>((extents.size() + items - 1) / items, 1), 1, common,
               detail::kernel_type<Kernel>()),
        m_extents(extents), m_kernel(kernel), m_items(items), m_parts(size(), rs...) {
    if constexpr (has_lanes) {
      keep_kernel_whole<Kernel, item_of<D, lanes>>();
    }
  }

  /// `reached` is written when the kernel throws: the id of the work-item, or of the first lane.
  void run_chunk(std::size_t chunk, id<D>& reached) {
    if constexpr (has_lanes) {
      run_items_flat<std::size_t>(chunk, reached);
    } else if (m_kernel.is_apart && ids_fit_in_int(m_extents)) [[likely]] {
      run_items_flat<int>(chunk, reached);
    } else {
      run_chunk_otherwise(chunk, reached);
    }
  }
  template <class Index>
  LANEFOLD_FLATTEN void run_items_flat(std::size_t chunk, id<D>& reached) {
    run_items<Index>(chunk, reached);
  }
  /// Ids beyond int, or accessors whose memory is not apart.
  LANEFOLD_COLD void run_chunk_otherwise(std::size_t chunk, id<D>& reached) { run_items<std::size_t>(chunk, reached); }

  template <class Index>
  LANEFOLD_ALWAYS_INLINE void run_items(std::size_t chunk, id<D>& reached) {
    bound_kernel<Kernel, std::is_same_v<Index, int>> kernel(m_kernel.kernel, nullptr);
    frame f(m_parts, chunk);
    const std::size_t begin = chunk * m_items;
    const std::size_t end = std::min(begin + m_items, m_extents.size());
    if (begin < end) {
      using policy = typename policy_of<Strategy, Index, width>::type;
      id<D> row;
      walk_range<1>(m_extents, begin, end, row, [&](const row_part& part) LANEFOLD_INLINE_LAMBDA {
        policy::run(part, row_visitor{*this, kernel.call, f, row, reached});
      });
    }
    f.fold();
  }

  /// Runs what a row consists of.
  struct row_visitor {
    const range_reduction_launch& self;
    Kernel& kernel;
    frame& f;
    const id<D>& row;
    id<D>& reached;

    [[nodiscard]] LANEFOLD_ALWAYS_INLINE static bool goes_on() { return true; }

    [[nodiscard]] LANEFOLD_ALWAYS_INLINE id<D> id_at(std::size_t x) const {
      id<D> at = row;
      at[D - 1] = x;
      return at;
    }

    LANEFOLD_ALWAYS_INLINE void full(std::size_t x, unsigned) const {
      const id<D> at = id_at(x);
      note_work_item<lanes>(kernel, self.m_extents, [&] { return linear_id(at, self.m_extents); });
      full_unit<lanes> running;
      try {
        f.call(kernel, item_of<D, lanes>(self.m_extents, at, running.context()));
      } catch (...) {
        reached = at;
        throw;
      }
    }
    LANEFOLD_ALWAYS_INLINE void partial(std::size_t x, unsigned, std::size_t count) const {
      const id<D> at = id_at(x);
      note_work_item<lanes>(kernel, self.m_extents, [&] { return linear_id(at, self.m_extents); });
      try {
        self.run_partial(kernel, f, at, count);
      } catch (...) {
        reached = at;
        throw;
      }
    }
    LANEFOLD_ALWAYS_INLINE void item(std::size_t x, std::size_t lane) const {
      const id<D> at = id_at(x);
      note_work_item<scalar>(kernel, self.m_extents, [&] { return linear_id(at, self.m_extents); });
      try {
        f.call_alone(kernel, item_of<D, scalar>(self.m_extents, at, nullptr), lane);
      } catch (...) {
        reached = at;
        throw;
      }
    }
  };

  LANEFOLD_FLATTEN LANEFOLD_COLD void run_partial(Kernel kernel, frame& f, const id<D>& at, std::size_t count) const {
    partial_unit<lanes> running(count);
    f.call(kernel, item_of<D, lanes>(m_extents, at, running.context()));
    running.end();
  }

  range<D> m_extents;
  captured_kernel<Kernel> m_kernel;
  std::size_t m_items; ///< of a chunk
  reduction_parts<Rs...> m_parts;
};

// ---- over an ND-range

/// A kernel as the launch of an ND-range takes it: with the reducers of the chunk in which it was copied.
template <class Kernel, std::size_t Width, class... Rs>
class reducing_kernel {
public:
  using frame = reduction_frame<Width, Rs...>;

  explicit reducing_kernel(const Kernel& kernel) : m_kernel(kernel) {}
  reducing_kernel(const reducing_kernel& other) : m_kernel(other.m_kernel), m_frame(frame_of_chunk()) {}
  reducing_kernel(reducing_kernel&& other) : m_kernel(std::move(other.m_kernel)), m_frame(frame_of_chunk()) {}
  reducing_kernel& operator=(const reducing_kernel&) = delete;

  template <class Item>
    requires ReducingKernelOf<Kernel, Width, false, Item, Rs...>
  LANEFOLD_ALWAYS_INLINE void operator()(const Item& it) {
    m_frame->call(m_kernel, it);
  }

private:
  friend struct kernel_block<reducing_kernel>;

  static frame* frame_of_chunk() noexcept {
    const kernel_binding* const bound = kernel_binding::current();
    return bound == nullptr ? nullptr : static_cast<frame*>(bound->reductions);
  }

  Kernel m_kernel;
  frame* m_frame = nullptr;
};

/// Work-items of a group that have not met a barrier run in blocks with cells of their own.
template <class Kernel, std::size_t Width, class... Rs>
struct kernel_block<reducing_kernel<Kernel, Width, Rs...>> {
  static constexpr std::size_t width = block_width<Rs...>();
  using kernel_type = reducing_kernel<Kernel, Width, Rs...>;

  LANEFOLD_ALWAYS_INLINE explicit kernel_block(const kernel_type& kernel)
      : cells(kernel.m_frame->parts(), kernel.m_frame->chunk()) {}
  template <class Item>
  LANEFOLD_ALWAYS_INLINE void call(kernel_type& kernel, const Item& it, std::size_t lane) {
    cells.call_alone(kernel.m_kernel, it, lane);
  }
  LANEFOLD_ALWAYS_INLINE void close() { cells.fold(); }

  reduction_frame<width, Rs...> cells;
};

/// A kernel with reductions over an ND-range. Its "groups" are chunks of the groups of `work`, the launch of the kernel
/// as reducing_kernel.
template <std::size_t Width, class... Rs>
class nd_reduction_launch final : public launch {
public:
  nd_reduction_launch(std::unique_ptr<launch> work, std::size_t groups, const launch_settings& common, const Rs&... rs)
      : launch(std::max<std::size_t>((work->size() + groups - 1) / groups, 1), 1, work->local_bytes(), work->engine(),
               *common.name),
        m_work(std::move(work)), m_groups(groups), m_parts(size(), rs...) {}

  void run(std::size_t first, std::size_t last) override {
    for (std::size_t chunk = first; chunk < last; ++chunk) {
      run_chunk(chunk);
    }
    try {
      m_parts.finish(last - first);
    } catch (...) {
      kernel_error(kernel_name(), "the end of a reduction");
    }
  }

  LANEFOLD_COLD launch_description describe() const override {
    launch_description told = m_work->describe();
    told.chunk = m_groups;
    return told;
  }
  void rewind() override {
    launch::rewind();
    m_work->rewind();
    m_parts.rewind();
  }

private:
  void run_chunk(std::size_t chunk) {
    const std::size_t begin = chunk * m_groups;
    const std::size_t end = std::min(begin + m_groups, m_work->size());
    if (begin == end) {
      return;
    }
    reduction_frame<Width, Rs...> frame(m_parts, chunk);
    kernel_binding binding;
    binding.reductions = &frame;
    m_work->run(begin, end);
    frame.fold();
  }

  std::unique_ptr<launch> m_work;
  std::size_t m_groups; ///< of a chunk
  reduction_parts<Rs...> m_parts;
};

// ---- from properties, reductions and kernel to a launch

/// Lanes that a lane-generic kernel may get.
template <class Strategy>
inline constexpr std::size_t lanes_of_strategy = 4 * native_lanes;
template <class Strategy>
  requires requires { Strategy::size; }
inline constexpr std::size_t lanes_of_strategy<Strategy> = std::max(Strategy::size, native_lanes);

template <unsigned PlainSize, int D, class... Ps, class Kernel, class... Rs>
std::unique_ptr<launch> make_reduction_launch(const range<D>& extents, const launch_settings& common,
                                              const properties<Ps...>& how, const Kernel& kernel, const Rs&... rs) {
  using asked = typename strategies_of<properties<Ps...>>::strategy;
  using wide = simd<4 * native_lanes>;
  check_range(extents);
  launch_settings settings = with_engine(common, how);
  if constexpr (!std::is_void_v<asked>) {
    settings.why = strategy_reason::asked;
    return new_launch<range_reduction_launch<D, asked, Kernel, Rs...>>(extents, settings, kernel, rs...);
  } else if constexpr (lane_generic<PlainSize, reducing_kernel<Kernel, wide::size, Rs...>, item_of<D, wide>>) {
    settings.why = strategy_reason::range;
    return new_launch<range_reduction_launch<D, wide, Kernel, Rs...>>(extents, settings, kernel, rs...);
  } else {
    settings.why = strategy_reason::spelled;
    return new_launch<range_reduction_launch<D, scalar, Kernel, Rs...>>(extents, settings, kernel, rs...);
  }
}

template <unsigned PlainSize, int D, class... Ps, class Kernel, class... Rs>
std::unique_ptr<launch> make_reduction_launch(const nd_range<D>& space, const launch_settings& common,
                                              const properties<Ps...>& how, const Kernel& kernel, const Rs&... rs) {
  using found = strategies_of<properties<Ps...>>;
  using strategy = std::conditional_t<std::is_void_v<typename found::strategy>, typename found::suggestion,
                                      typename found::strategy>;
  constexpr std::size_t width = lanes_of_strategy<strategy>;
  constexpr bool generic =
      lane_generic<PlainSize, reducing_kernel<Kernel, width, Rs...>, nd_item<D, simd<native_lanes>>>;
  using wrapped = reducing_kernel<Kernel, generic ? width : 1, Rs...>;
  const launch_settings settings = named_after<Kernel>(common);
  std::unique_ptr<launch> work = make_launch<PlainSize>(space, settings, how, wrapped(kernel));
  const std::size_t group = std::max<std::size_t>(space.get_local_range().size(), 1);
  const std::size_t groups = units_of_chunk(work->size(), 4096 / group + 1, settings, rs...);
  return new_launch<nd_reduction_launch<generic ? width : 1, Rs...>>(std::move(work), groups, settings, rs...);
}

/// A part of what stands between range and kernel: launch properties, and reductions.
template <class A>
constexpr auto properties_in(const A& argument) {
  if constexpr (LaunchArgument<A>) {
    return as_tuple(argument);
  } else {
    return std::tuple<>();
  }
}
template <class A>
auto reductions_in(const A& argument) {
  if constexpr (Reduction<A>) {
    return std::tuple<A>(argument);
  } else {
    return std::tuple<>();
  }
}

/// The launch of a kernel, with what stands between range and kernel.
template <unsigned PlainSize, class Space, class Kernel, class... Arguments>
std::unique_ptr<launch> make_launch_with(const Space& space, const launch_settings& settings, const Kernel& kernel,
                                         const Arguments&... arguments) {
  const auto how = properties_from(std::tuple_cat(properties_in(arguments)...));
  if constexpr ((Reduction<Arguments> || ...)) {
    return std::apply(
        [&](const auto&... rs) { return make_reduction_launch<PlainSize>(space, settings, how, kernel, rs...); },
        std::tuple_cat(reductions_in(arguments)...));
  } else {
    return make_launch<PlainSize>(space, settings, how, kernel);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
