// SPDX-License-Identifier: Apache-2.0
/// Running ND-range kernels.
#pragma once

#include <lanefold/execution/detail/bound_kernel.hpp>
#include <lanefold/execution/detail/int_ids.hpp>
#include <lanefold/execution/detail/kernel_block.hpp>
#include <lanefold/execution/detail/lane_loop.hpp>
#include <lanefold/execution/detail/nd_space_launch.hpp>
#include <lanefold/execution/detail/watched_group.hpp>
#include <lanefold/execution/nd_item.hpp>
#include <lanefold/execution/strategy.hpp>

#include <type_traits>

// clang warns where a kernel leaves a loop no way to be vectorised.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Runs an ND-range kernel under one strategy: has what nd_space_launch asks for, compiled for the kernel.
///
/// The kernel is compiled into the loop over the units of a group, into that of units with stacks of their own, and
/// into a third one: for lanes a cold function for partial sub-groups, so that full ones carry no masks, and for
/// work-items a loop over parts of groups. Each copy costs g++ 0.13e9 instructions, a fiftieth of a small program.
///
/// `OneUnit` says that a group fills exactly one unit, known at compile time: then there are no other units, and the
/// kernel is compiled once, with barriers that cost nothing.
template <int D, class Strategy, class Kernel, bool OneUnit = false>
class nd_launch final : public nd_space_launch<D> {
  using base = nd_space_launch<D>;
  using frame = typename base::frame;
  using lanes = lanes_of<Strategy>;
  static constexpr bool has_lanes = !std::is_same_v<lanes, scalar>;
  using block_type = std::conditional_t<has_lanes, no_block, kernel_block<Kernel>>;
  static constexpr bool has_blocks = block_type::width != 0;
  static constexpr bool is_omp_simd = std::is_same_v<Strategy, omp_simd> && !has_blocks;
  /// Is true if the handler that notes the unit that fails stands around each unit, where it is gone from kernels that
  /// cannot throw: around the loop over units it keeps the loop's state in memory, which halves a triad in L1.
  static constexpr bool names_each_unit = !has_lanes && !has_blocks && !is_omp_simd;
  /// Groups of work-items can be divided; checked builds look at them as a whole.
  static constexpr bool has_parts = names_each_unit && !OneUnit && !checked_build;
  static constexpr unit_shape shape{lanes::rows, has_lanes ? lanes::columns : 0, std::is_same_v<Strategy, omp_simd>,
                                    OneUnit};

public:
  nd_launch(const nd_settings<D>& how, const launch_settings& common, const Kernel& kernel)
      : base(how, common, detail::kernel_type<Kernel>(), shape), m_kernel(kernel) {
    if constexpr (has_lanes) {
      keep_kernel_whole<Kernel, nd_item<D, lanes>>();
    } else {
      base::note_apart(m_kernel.is_apart);
    }
    if constexpr (has_parts) {
      base::m_found = &s_found;
    }
  }

private:
  using base::m_is_apart_in_int;
  using base::m_layout;
  using base::m_space;
  using base::m_sub_group_size;

  bool run_groups(worker& owner, frame& f) override {
    if constexpr (OneUnit) {
      run_single_units(owner, f);
      return false;
    } else if constexpr (has_lanes) {
      return run_groups_flat<false>(owner, f);
    } else if constexpr (is_omp_simd) {
      return run_loop<false>(owner, f);
    } else if (!m_is_apart_in_int) [[unlikely]] {
      return run_groups_otherwise(owner, f);
    } else if constexpr (has_parts) {
      return base::m_divided == nullptr ? run_groups_flat<true>(owner, f) : run_parts(owner, f);
    } else {
      return run_groups_flat<true>(owner, f);
    }
  }

  void run_unit(worker& owner, frame& f, unsigned unit) override {
    if constexpr (has_lanes && !OneUnit) {
      run_unit_flat(owner, f, unit);
    } else if constexpr (!OneUnit) {
      run_unit_of_groups(owner, f, unit);
    }
  }

  void converge() noexcept override {
    if constexpr (has_lanes) {
      announce_convergence();
    }
  }

  /// `space` is m_space; in loops over units a copy of it, since compilers read m_space anew after each store of a
  /// kernel: 0.43 ns a work-item for 0.19 (clang) and 0.23 for 0.17 (g++) in lanes of three dimensions.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE group_place<D, lanes>
  place_of(const nd_range<D>& space, const id<D>& group, const id<D>& local, unit_state& state,
           lane_context<lanes>* context, bool full, bool int_ids = false, counted_id last = {}) const {
    return {space, group, local, m_sub_group_size, &state, context, full, OneUnit, int_ids, last};
  }

  LANEFOLD_ALWAYS_INLINE void note_unit(Kernel& kernel, const id<D>& group, const id<D>& local) const {
    note_work_item<lanes>(kernel, m_space.get_global_range(), [&] {
      return linear_id(group * id<D>(m_space.get_local_range()) + local, m_space.get_global_range());
    });
  }

  /// Checked builds: says which work-items run next.
  LANEFOLD_ALWAYS_INLINE void begin_unit([[maybe_unused]] const id<D>& local,
                                         [[maybe_unused]] const unit_state& state) const {
    if constexpr (checked_build) {
      begin_watched_unit<lanes>(linear_id(local, m_space.get_local_range()), lanes::columns,
                                has_lanes ? state.unit : state.unit / m_sub_group_size);
    }
  }

  /// Every work-item of the unit exists: no masks.
  template <bool IntIds = false>
  LANEFOLD_ALWAYS_INLINE void run_full(const nd_range<D>& space, Kernel& kernel, const id<D>& group, const id<D>& local,
                                       unit_state& state, [[maybe_unused]] counted_id last = {}) const {
    note_unit(kernel, group, local);
    begin_unit(local, state);
    full_unit<lanes> unit;
    if constexpr (has_lanes) {
      call_inlined(kernel, nd_item<D, lanes>(place_of(space, group, local, state, unit.context(), true)));
    } else {
      call_work_item<IntIds>(kernel, nd_item<D>(place_of(space, group, local, state, nullptr, true, IntIds, last)));
    }
    unit.end();
  }

  /// Only the first `count` lanes are work-items. The kernel is a copy, so that that of the hot loop does not escape,
  /// and of m_kernel: a copy of the hot loop's would wait until the registers that it is kept in are in memory (15 ns).
  LANEFOLD_FLATTEN LANEFOLD_COLD void run_partial(const id<D> group, const id<D> local, std::size_t count,
                                                  unit_state& state) const {
    bound_kernel<Kernel> kernel(m_kernel.kernel, state.owner->local_memory());
    note_unit(kernel.call, group, local);
    begin_unit(local, state);
    partial_unit<lanes> unit(count);
    call_inlined(kernel.call, nd_item<D, lanes>(place_of(m_space, group, local, state, unit.context(), false)));
    unit.end();
  }

  LANEFOLD_ALWAYS_INLINE void run_unit_at(Kernel& kernel, const id<D>& group, const unit_origin<D>& origin,
                                          unit_state& state) const {
    if constexpr (has_lanes) {
      if (origin.lanes != lanes::size) [[unlikely]] {
        run_partial(group, origin.local, origin.lanes, state);
        return;
      }
    }
    run_full(m_space, kernel, group, origin.local, state);
  }

  /// Goes through groups for run_groups. `IntIds`: all ids fit in int, and the memory of the kernel's accessors is
  /// apart.
  template <bool IntIds, bool Parts = false>
  LANEFOLD_ALWAYS_INLINE bool run_loop(worker& owner, frame& f) const {
    bound_kernel<Kernel, IntIds> kernel(m_kernel.kernel, owner.local_memory());
    block_type block(kernel.call);
    unit_state state{&owner, nullptr, 0, m_layout.size(), false};
    do {
      begin_watched_group(owner.position, owner.local_memory(), base::local_bytes());
      if constexpr (has_lanes || names_each_unit) {
        run_group<IntIds, Parts>(kernel.call, block, f,
                                 state); // a handler here costs g++ 12 registers in the kernel
      } else {
        try {
          run_group<IntIds, Parts>(kernel.call, block, f, state);
        } catch (...) {
          owner.failed_unit = state.unit;
          throw;
        }
      }
    } while (!state.fibers && comes_to_next(owner, f));
    block.close();
    return state.fibers;
  }

  /// Does the same as next_group where the loop over groups is on the thread's own stack, and says itself that a group
  /// begins: inlined, since groups may be as short as a call.
  LANEFOLD_ALWAYS_INLINE static bool comes_to_next(worker& owner, frame& f) {
    if (++owner.position == f.last) {
      return false;
    }
    f.cursor.next();
    return true;
  }

  // Lanes need the kernel inlined, with all that it calls: masks fold away only in code that is seen as a whole.
  // g++ wants the attribute on the outermost function. Work-items want it in the loop that they spend their time in.
  template <bool IntIds>
  LANEFOLD_FLATTEN bool run_groups_flat(worker& owner, frame& f) const {
    return run_loop<IntIds>(owner, f);
  }

  /// Runs parts of groups, see walk_part.
  [[gnu::noinline]] bool run_parts(worker& owner, frame& f) const { return run_loop<true, true>(owner, f); }

  /// Ids beyond int, or accessors whose memory is not apart.
  LANEFOLD_COLD bool run_groups_otherwise(worker& owner, frame& f) const { return run_loop<false>(owner, f); }

  /// Runs what a row of a group consists of, until a unit has met a barrier: then the others run in frames of their
  /// own.
  template <bool IntIds>
  struct row_visitor {
    const nd_launch& self;
    const nd_range<D>& space;
    Kernel& kernel;
    block_type& block;
    const id<D>& group;
    unit_state& state;
    const id<D>& first; ///< local id of the first work-item of the row
    unsigned unit;      ///< number of its unit

    [[nodiscard]] LANEFOLD_ALWAYS_INLINE bool goes_on() const { return !state.fibers; }

    [[nodiscard]] LANEFOLD_ALWAYS_INLINE id<D> local_at(std::size_t x) const {
      id<D> local = first;
      local[D - 1] = x;
      return local;
    }

    LANEFOLD_ALWAYS_INLINE void full(std::size_t x, unsigned number) const {
      state.unit = unit + number;
      self.run_full(space, kernel, group, local_at(x), state);
    }
    LANEFOLD_ALWAYS_INLINE void partial(std::size_t x, unsigned number, std::size_t count) const {
      const id<D> local = local_at(x);
      state.unit = unit + number;
      self.run_partial(group, local, count, state);
    }

    [[nodiscard]] LANEFOLD_ALWAYS_INLINE row_ids ids_from(std::size_t x) const
      requires(IntIds && names_each_unit && row_ids::help)
    {
      return {space, group, x};
    }
    LANEFOLD_ALWAYS_INLINE void item(std::size_t x, [[maybe_unused]] std::size_t lane, counted_id last = {}) const {
      const id<D> local = local_at(x);
      const unsigned number = unit + static_cast<unsigned>(x);
      state.unit = number;
      if constexpr (has_blocks) {
        self.note_unit(kernel, group, local);
        self.begin_unit(local, state);
        block.call(kernel, nd_item<D>(self.place_of(space, group, local, state, nullptr, true, IntIds)), lane);
        end_watched_unit();
      } else if constexpr (names_each_unit) {
        try {
          self.template run_full<IntIds>(space, kernel, group, local, state, last);
        } catch (...) {
          state.owner->failed_unit = number;
          throw;
        }
      } else {
        self.template run_full<IntIds>(space, kernel, group, local, state);
      }
    }
  };

  template <bool IntIds, bool Parts>
  LANEFOLD_ALWAYS_INLINE void run_group(Kernel& kernel, block_type& block, const frame& f, unit_state& state) const {
    using policy = typename policy_of<Strategy, int, block_type::width>::type;
    const nd_range<D> space = m_space;
    const id<D> group = f.cursor.get();
    if constexpr (IntIds) {
      assume_int_ids(space.get_offset()[D - 1], group[D - 1], space.get_local_range()[D - 1]);
    }
    const range<D> local = space.get_local_range();
    if constexpr (!has_lanes) {
      assume(local[D - 1] <= most_work_items);
    }
    const auto run_row = [&](const id<D>& first, unsigned unit, const row_part& part) LANEFOLD_INLINE_LAMBDA {
      policy::run(part, row_visitor<IntIds>{*this, space, kernel, block, group, state, first, unit});
      return !state.fibers;
    };
    if constexpr (Parts) {
      walk_part<policy>(local, f.part, run_row);
    } else {
      walk_group<policy>(local, run_row);
    }
  }

  /// Runs groups of one unit.
  LANEFOLD_FLATTEN void run_single_units(worker& owner, frame& f) const {
    bound_kernel<Kernel> kernel(m_kernel.kernel, owner.local_memory());
    unit_state state{&owner, nullptr, 0, 1, false};
    do {
      begin_watched_group(owner.position, owner.local_memory(), base::local_bytes());
      run_full(m_space, kernel.call, f.cursor.get(), id<D>(), state);
    } while (comes_to_next(owner, f));
  }

  LANEFOLD_ALWAYS_INLINE void run_unit_of_groups(worker& owner, frame& f, unsigned unit) const {
    bound_kernel<Kernel> kernel(m_kernel.kernel, owner.local_memory());
    unit_state state{&owner, owner.inline_slot(unit), unit, m_layout.size(), true};
    owner.note_unit(state);
    const unit_origin<D> origin = m_layout.origin(unit);
    do {
      run_unit_at(kernel.call, f.cursor.get(), origin, state);
      if (base::lenient_barriers()) [[unlikely]] {
        owner.end_group_leniently(state);
      } else {
        end_group(state); // inlined, as barriers are: a switch in a function costs its return
      }
    } while (unit == 0 ? base::next_group(owner, f) : !f.done);
  }
  LANEFOLD_FLATTEN void run_unit_flat(worker& owner, frame& f, unsigned unit) const {
    run_unit_of_groups(owner, f, unit);
  }

  captured_kernel<Kernel> m_kernel;
  static inline constinit kernel_findings s_found;
};

} // namespace detail
LANEFOLD_END_NAMESPACE

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
