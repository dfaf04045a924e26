// SPDX-License-Identifier: Apache-2.0
/// Running ND-range kernels.
#pragma once

#include <lanefold/execution/detail/bound_kernel.hpp>
#include <lanefold/execution/detail/int_ids.hpp>
#include <lanefold/execution/detail/kernel_block.hpp>
#include <lanefold/execution/detail/lane_loop.hpp>
#include <lanefold/execution/detail/nd_space_launch.hpp>
#include <lanefold/execution/detail/running_group.hpp>
#include <lanefold/execution/detail/unit_layout.hpp>
#include <lanefold/execution/detail/watched_group.hpp>
#include <lanefold/execution/nd_item.hpp>
#include <lanefold/execution/strategy.hpp>

#include <atomic>
#include <exception>
#include <string>
#include <utility>

// clang warns where a kernel leaves a loop no way to be vectorised.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// An ND-range kernel under one strategy.
///
/// A thread runs the units of a group in one loop on its own stack (run_groups). The first barrier gives every other
/// unit a stack of its own; from then on unit u runs in a frame of run_unit, which loops over the groups, and the end
/// of a group is a point where units meet like a barrier. The kernel is compiled into both loops, and into a third one:
/// for lanes a cold function for partial sub-groups, so that full ones carry no masks, and for work-items a loop over
/// parts of groups.
///
/// `OneUnit` says that a group fills exactly one unit, known at compile time: then there are no other units, and the
/// kernel is compiled once, with barriers that cost nothing.
///
/// Threads may run parts of a group of work-items beside each other, if its first one meets nobody
/// (divided_groups.hpp).
template <int D, class Strategy, class Kernel, bool OneUnit = false>
class nd_launch final : public nd_space_launch<D> {
  using base = nd_space_launch<D>;
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

public:
  nd_launch(const nd_settings<D>& how, const launch_settings& common, const Kernel& kernel)
      : base(how, common, detail::kernel_type<Kernel>()), m_layout(how.space.get_local_range()), m_kernel(kernel) {
    if constexpr (has_lanes) {
      keep_kernel_whole<Kernel, nd_item<D, lanes>>();
    }
  }

  void run(std::size_t first, std::size_t last) override {
    if constexpr (has_parts) {
      if (m_divided != nullptr) [[unlikely]] {
        const auto run_one = [](launch& self, std::size_t group, const group_part& part, unsigned units) {
          return static_cast<nd_launch&>(self).run_stretch(group, group + 1, part, units);
        };
        m_divided->run(*this, first, last, run_one);
        return;
      }
    }
    run_stretch(first, last, {}, m_layout.size());
  }

  LANEFOLD_COLD void divide_groups(std::size_t pieces) override {
    if constexpr (has_parts) {
      if (is_apart_in_int() && !s_found.units_meet.load(std::memory_order_relaxed) && !stacks_from_start()) {
        base::divide(pieces, s_found);
      }
    }
  }

  using base::place;
  std::string place(std::size_t position, unsigned unit) const override {
    return base::describe_unit(position, m_layout.origin(unit));
  }
  LANEFOLD_COLD launch_description describe() const override {
    launch_description told = describe_groups(m_space, lanes::rows, has_lanes ? lanes::columns : 0);
    told.why = base::why();
    told.is_omp_simd = std::is_same_v<Strategy, omp_simd>;
    told.one_unit = OneUnit;
    return told;
  }

private:
  using base::m_divided;
  using base::m_order;
  using base::m_space;
  using base::m_sub_group_size;

  /// Holds what the frames of all units share while a thread runs a number of groups.
  struct frame : running_group_of<D> {
    nd_launch* self;
    std::size_t last;
    bool done;       ///< unit 0 has finished the last group
    group_part part; ///< of a divided group
  };

  /// Runs the groups [first, last), or a part of a divided one, up to unit `units`. Returns whether units met.
  bool run_stretch(std::size_t first, std::size_t last, const group_part& part, unsigned units) {
    worker& owner = this_worker();
    frame f{{{D, m_sub_group_size}, &m_space, {m_space.get_group_range(), m_order, first, base::checks()}},
            this,
            last,
            false,
            part};
    owner.begin(*this, units, other_unit(), &f);
    if constexpr (!has_lanes) {
      owner.group = &f;
    }
    owner.position = first;
    bool met = false;
    std::exception_ptr failure;
    [[maybe_unused]] const watched_launch watched(*this, m_space.get_local_range(), owner.local_memory());
    try {
      if constexpr (OneUnit) {
        run_single_units(owner, f);
      } else if (m_layout.size() > 1 && m_divided == nullptr && stacks_from_start()) {
        run_on_stacks(owner, f);
      } else if constexpr (has_lanes) {
        met = run_groups_flat<false>(owner, f);
      } else if constexpr (is_omp_simd) {
        met = run_groups<false>(owner, f);
      } else if (is_apart_in_int()) [[likely]] {
        if constexpr (has_parts) {
          met = m_divided == nullptr ? run_groups_flat<true>(owner, f) : run_parts(owner, f);
        } else {
          met = run_groups_flat<true>(owner, f);
        }
      } else {
        met = run_groups_otherwise(owner, f);
      }
    } catch (...) {
      announce_convergence();
      failure = std::current_exception();
    }
    owner.leave(std::move(failure));
    return met;
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

  /// Says whether all ids fit in int, and the memory of the kernel's accessors is apart.
  [[nodiscard]] bool is_apart_in_int() const {
    return m_kernel.is_apart && ids_fit_in_int(m_space.get_global_range(), m_space.get_offset());
  }

  /// Says whether units have stacks of their own before one of them meets a barrier.
  [[nodiscard]] bool stacks_from_start() const {
    return base::lenient_barriers() || (!has_lanes && work_items_are_asked_for.load(std::memory_order_relaxed));
  }

  /// Runs groups whose units all have stacks of their own from the start.
  void run_on_stacks(worker& owner, frame& f) const {
    begin_watched_group(owner.position, owner.local_memory(), base::local_bytes());
    unit_state first{&owner, nullptr, 0, m_layout.size(), true};
    owner.start_units(first);
    owner.failed_unit = 0;
    run_other_unit(&f, owner, 0);
  }

  /// Runs groups on the thread's own stack, for as long as no barrier is met. `IntIds`: all ids fit in int, and the
  /// memory of the kernel's accessors is apart. Returns whether one was met.
  template <bool IntIds, bool Parts = false>
  LANEFOLD_ALWAYS_INLINE bool run_groups(worker& owner, frame& f) const {
    bound_kernel<Kernel, IntIds> kernel(m_kernel.kernel, owner.local_memory());
    block_type block(kernel.call);
    unit_state state{&owner, nullptr, 0, m_layout.size(), false};
    for (;;) {
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
      if (state.fibers) {
        break;
      }
      if (++owner.position == f.last) {
        block.close();
        return false;
      }
      f.cursor.next();
    }
    block.close();
    // A state of its own: that of the loop must not escape here, or a kernel without barriers would not vectorise.
    unit_state first{&owner, owner.first_unit == 0 ? owner.inline_slot(0) : nullptr, 0, m_layout.size(), true};
    end_group(first);
    if (next_group(owner, f)) {
      owner.failed_unit = 0; // whatever leaves the kernel on this stack from now on
      run_other_unit(&f, owner, 0);
    }
    return true;
  }

  /// Runs parts of groups, see walk_part.
  [[gnu::noinline]] bool run_parts(worker& owner, frame& f) const { return run_groups<true, true>(owner, f); }

  /// Ids beyond int, or accessors whose memory is not apart.
  LANEFOLD_COLD bool run_groups_otherwise(worker& owner, frame& f) const { return run_groups<false>(owner, f); }

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
    for (;;) {
      begin_watched_group(owner.position, owner.local_memory(), base::local_bytes());
      run_full(m_space, kernel.call, f.cursor.get(), id<D>(), state);
      if (++owner.position == f.last) {
        return;
      }
      f.cursor.next();
    }
  }

  /// Unit 0: goes on to the next group, if there is one.
  bool next_group(worker& owner, frame& f) const {
    if (++owner.position == f.last) {
      f.done = true;
      return false;
    }
    f.cursor.next();
    begin_watched_group(owner.position, owner.local_memory(), base::local_bytes());
    return true;
  }

  /// Runs one unit of group after group, once units have stacks of their own.
  LANEFOLD_ALWAYS_INLINE void run_unit(worker& owner, frame& f, unsigned unit) const {
    bound_kernel<Kernel> kernel(m_kernel.kernel, owner.local_memory());
    unit_state state{&owner, owner.inline_slot(unit), unit, m_layout.size(), true};
    owner.note_unit(state);
    const unit_origin<D> origin = m_layout.origin(unit);
    for (;;) {
      run_unit_at(kernel.call, f.cursor.get(), origin, state);
      if (base::lenient_barriers()) [[unlikely]] {
        owner.end_group_leniently(state);
      } else {
        end_group(state);
      }
      if (unit == 0 ? !next_group(owner, f) : f.done) {
        return;
      }
    }
  }

  // Lanes need the kernel inlined, with all that it calls: masks fold away only in code that is seen as a whole.
  // g++ wants the attribute on the outermost function. Work-items want it in the loop that they spend their time in.
  template <bool IntIds>
  LANEFOLD_FLATTEN bool run_groups_flat(worker& owner, frame& f) const {
    return run_groups<IntIds>(owner, f);
  }
  LANEFOLD_FLATTEN static void run_unit_flat(worker& owner, frame& f, unsigned unit) {
    f.self->run_unit(owner, f, unit);
  }

  static void run_other_unit(void* shared, worker& owner, unsigned unit) {
    frame& f = *static_cast<frame*>(shared);
    if (f.done) {
      return; // the unit had no stack before the last group, and the engine starts it only now
    }
    if constexpr (has_lanes) {
      run_unit_flat(owner, f, unit);
    } else {
      f.self->run_unit(owner, f, unit);
    }
  }

  /// Returns the function that the worker starts for units other than the first; it is not even compiled where there
  /// are none.
  static constexpr worker::unit_function other_unit() {
    if constexpr (OneUnit) {
      return nullptr;
    } else {
      return &run_other_unit;
    }
  }

  unit_layout<D, lanes> m_layout;
  captured_kernel<Kernel> m_kernel;
  static inline constinit kernel_findings s_found;
};

} // namespace detail
LANEFOLD_END_NAMESPACE

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
