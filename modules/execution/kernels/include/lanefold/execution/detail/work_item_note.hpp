// SPDX-License-Identifier: Apache-2.0
/// Which work-item a frame runs, for those that must know: kernels that write to a stream.
#pragma once

#include <lanefold/memory/detail/kernel_binding.hpp>
#include <lanefold/range.hpp>
#include <lanefold/simd/lane_context.hpp>
#include <lanefold/version.hpp>

#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class stream_recorder;

/// Says how the work-items of a unit of lanes lie, and which of them run.
struct unit_of_lanes {
  std::size_t lanes, columns;
  bool (*runs)(const void* mask, std::size_t lane); ///< asks a mask of these lanes
};
template <class Lanes>
inline constexpr unit_of_lanes unit_with{
    Lanes::size, Lanes::columns, [](const void* active, std::size_t lane) {
      return (*static_cast<const mask<Lanes::size, typename Lanes::isa>*>(active))[lane];
    }};

/// The work-item or the lanes that run.
struct work_item_note {
  std::size_t position = 0;            ///< row-major, of the first one, in the (global) range
  const unit_of_lanes* unit = nullptr; ///< null: one work-item
  std::size_t pitch = 0;               ///< the positions from one row of lanes to the next
  stream_recorder* recorder = nullptr; ///< of a kernel that is recorded, which notes no work-items
};

/// The alignment of a stream. It passes to the kernels that capture one, and tells them from others at compile time:
/// only in their frames is the running work-item written down, which would keep other loops from being vectorised.
inline constexpr std::size_t stream_alignment = 512;

template <class Kernel>
inline constexpr bool notes_work_items =
    std::is_class_v<Kernel> && !std::is_final_v<Kernel> && alignof(Kernel) >= stream_alignment;

template <class Kernel>
struct kernel_with_note : private work_item_note, Kernel {
  kernel_with_note(const Kernel& kernel, kernel_binding& binding) : Kernel((binding.note = this, kernel)) {}

  void write_down(std::size_t work_item, const unit_of_lanes* its_unit, std::size_t its_pitch) noexcept {
    work_item_note::position = work_item;
    work_item_note::unit = its_unit;
    work_item_note::pitch = its_pitch;
  }
};

/// A kernel on the frame that runs it, with the note if it needs one.
template <class Kernel, bool Noted = notes_work_items<Kernel>>
struct noted_kernel_of {
  using type = Kernel;
};
template <class Kernel>
struct noted_kernel_of<Kernel, true> {
  using type = kernel_with_note<Kernel>;
};
template <class Kernel>
using noted_kernel = typename noted_kernel_of<Kernel>::type;

/// Writes down the work-items of `Lanes`, or the one of scalar, for which `kernel`, a noted_kernel, is called next.
/// `position` computes where the first one is in a range of `extents`.
template <class Lanes, class Kernel, int D, class Position>
LANEFOLD_ALWAYS_INLINE void note_work_item(Kernel& kernel, const range<D>& extents, const Position& position) {
  if constexpr (notes_work_items<Kernel>) {
    auto& noted = static_cast<kernel_with_note<Kernel>&>(kernel);
    if constexpr (std::is_same_v<Lanes, scalar>) {
      noted.write_down(position(), nullptr, 0);
    } else {
      noted.write_down(position(), &unit_with<Lanes>, extents[D - 1]);
    }
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
