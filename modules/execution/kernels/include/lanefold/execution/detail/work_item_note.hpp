// SPDX-License-Identifier: Apache-2.0
/// Which work-item a frame runs, for those that must know: kernels that write to a stream.
#pragma once

#include <lanefold/memory/detail/kernel_binding.hpp>
#include <lanefold/version.hpp>

#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Row-major position in the range, or in the global range of an ND-range, of the work-item (the first lane) that runs.
struct work_item_note {
  std::size_t position = 0;
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

  void write_down(std::size_t work_item) noexcept { work_item_note::position = work_item; }
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

/// Writes down the work-item for which `kernel`, a noted_kernel, is called next. `position` computes it.
template <class Kernel, class Position>
LANEFOLD_ALWAYS_INLINE void note_work_item(Kernel& kernel, const Position& position) {
  if constexpr (notes_work_items<Kernel>) {
    static_cast<kernel_with_note<Kernel>&>(kernel).write_down(position());
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
