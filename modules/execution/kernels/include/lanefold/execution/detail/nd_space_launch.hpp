// SPDX-License-Identifier: Apache-2.0
/// Declares what launches over ND-ranges have in common, whatever their kernels are. Internal.
#pragma once

#include <lanefold/execution/detail/divided_groups.hpp>
#include <lanefold/execution/detail/running_group.hpp>
#include <lanefold/execution/detail/unit_layout.hpp>
#include <lanefold/execution/fiber/worker.hpp>
#include <lanefold/execution/launch.hpp>
#include <lanefold/execution/nd_range.hpp>
#include <lanefold/execution/walk.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <typeinfo>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Holds what a launch is told beside its kernel.
template <int D>
struct nd_settings {
  nd_range<D> space;
  walk_order order;
  unsigned sub_group_size;
};

/// Says into what a launch folds the work-items of a group.
struct unit_shape {
  std::size_t rows = 1;
  std::size_t columns = 0; ///< lanes of a row; 0: each work-item is a unit
  bool is_omp_simd = false;
  bool one_unit = false; ///< a group fills exactly one unit, known at compile time
};

/// Describes groups that consist of units of so many rows and columns of lanes; no columns: of work-items.
template <int D>
launch_description describe_groups(const nd_range<D>& space, std::size_t rows, std::size_t columns);

/// Holds the groups of an ND-range, whole or divided, and goes through them on a thread, whatever their kernel is. It
/// is compiled in the library: of each kernel there are only the loops over its work-items (nd_launch).
///
/// A thread runs the units of a group in one loop on its own stack (run_groups). The first barrier gives every other
/// unit a stack of its own; from then on unit u runs in a frame of run_unit, which loops over the groups, and the end
/// of a group is a point where units meet like a barrier.
///
/// Threads may run parts of a group of work-items beside each other, if its first one meets nobody
/// (divided_groups.hpp).
template <int D>
class nd_space_launch : public launch {
public:
  void run(std::size_t first, std::size_t last) override;
  void divide_groups(std::size_t pieces, bool few) override;
  /// Says in messages where the group at a position of the walking order lies: "work-group (3)".
  std::string place(std::size_t position) const override;
  /// Says which work-items fail: "work-group (3), work-item (97) with local id (1)".
  std::string place(std::size_t position, unsigned unit) const override;
  launch_description describe() const override;

protected:
  /// Holds what the frames of all units share while a thread runs a number of groups.
  struct frame : running_group_of<D> {
    nd_space_launch* self;
    std::size_t last;
    bool done;       ///< unit 0 has finished the last group
    group_part part; ///< of a divided group
  };

  nd_space_launch(const nd_settings<D>& how, const launch_settings& common, const std::type_info& kernel,
                  const unit_shape& units);
  ~nd_space_launch() override;

  /// Work-items: says whether the memory of the kernel's accessors is apart.
  void note_apart(bool is_apart);

  /// Runs groups on the thread's own stack, for as long as no barrier is met. Returns whether one was met: then unit 0
  /// has run the group at the thread's position, and other units may not have finished it.
  virtual bool run_groups(worker& owner, frame& f) = 0;
  /// Runs one unit of group after group, once units have stacks of their own.
  virtual void run_unit(worker& owner, frame& f, unsigned unit) = 0;

  /// An exception has left the kernel: says that no lanes are divergent. (In the program's code: what its lanes
  /// announce is a variable of each thread, of which plugins may have their own.)
  virtual void converge() noexcept = 0;

  /// Unit 0: goes on to the next group, if there is one.
  bool next_group(worker& owner, frame& f) const;

  nd_range<D> m_space;
  walk_order m_order;
  unsigned m_sub_group_size;
  unit_shape m_shape;
  unit_layout<D> m_layout;
  bool m_is_apart_in_int = false;     ///< of work-items: all ids fit in int, and the memory of accessors is apart
  kernel_findings* m_found = nullptr; ///< null: groups are never divided
  std::shared_ptr<divided_groups> m_divided; ///< not shared; null: groups are whole

private:
  bool run_stretch(std::size_t first, std::size_t last, const group_part& part, unsigned units);
  bool stacks_from_start() const;
  void run_on_stacks(worker& owner, frame& f);
  void go_on_on_stacks(worker& owner, frame& f);
  static void run_other_unit(void* shared, worker& owner, unsigned unit);
};

// The library has all of their members, of up to six dimensions. Those that programs seldom use are not declared here:
// each such declaration makes compilers instantiate the class.
extern template class nd_space_launch<1>;
extern template class nd_space_launch<2>;
extern template class nd_space_launch<3>;

} // namespace detail
LANEFOLD_END_NAMESPACE
