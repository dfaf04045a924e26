// SPDX-License-Identifier: Apache-2.0
/// A kernel on the frame that runs it.
#pragma once

#include <lanefold/execution/detail/work_item_note.hpp>
#include <lanefold/memory/detail/captured_memory.hpp>
#include <lanefold/memory/local_accessor.hpp>
#include <lanefold/memory/view.hpp>

#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The kernel of a launch, and whether the memory of the accessors that it has captured is apart.
template <class Kernel>
struct captured_kernel {
  explicit captured_kernel(const Kernel& of_program) : captured_kernel(of_program, captured_memory()) {}

  Kernel kernel;
  bool is_apart;

private:
  captured_kernel(const Kernel& of_program, const captured_memory& found)
      : kernel(of_program), is_apart(found.is_apart()) {}
};

/// Returns a copy of a kernel for the frame that runs it. `Apart`: compilers may know that its accessors are.
template <bool Apart, class Kernel>
LANEFOLD_ALWAYS_INLINE Kernel copied_kernel(const Kernel& kernel) {
  if constexpr (Apart && !std::is_trivially_copy_constructible_v<Kernel> && std::is_move_constructible_v<Kernel>) {
    Kernel copied(kernel);
    const kernel_move moving;
    return Kernel(std::move(copied));
  } else {
    return kernel;
  }
}

/// A copy of a kernel whose local accessors have taken their addresses in the local memory of this thread. On the frame
/// that runs it, its captures can live in registers, also across barriers. `Apart`: compilers may know that its
/// accessors are.
template <class Kernel, bool Apart = false>
struct bound_kernel {
  LANEFOLD_ALWAYS_INLINE bound_kernel(const Kernel& kernel, std::byte* local_memory)
      : bound_kernel(kernel, kernel_binding(), local_memory) {}

  noted_kernel<Kernel> call;

private:
  LANEFOLD_ALWAYS_INLINE bound_kernel(const Kernel& kernel, kernel_binding&& binding, std::byte* local_memory)
      : call(copy(kernel, binding, local_memory)) {}

  LANEFOLD_ALWAYS_INLINE static noted_kernel<Kernel> copy(const Kernel& kernel, kernel_binding& binding,
                                                          std::byte* local_memory) {
    binding.local_memory = local_memory;
    if constexpr (notes_work_items<Kernel>) {
      return noted_kernel<Kernel>(kernel, binding);
    } else {
      return copied_kernel<Apart>(kernel);
    }
  }
};

/// To be called once by what inlines a kernel. g++ 12 may clone the kernel for the arguments that it gets, and does
/// not inline clones into functions that `flatten`: every access would be masked, behind a call. It makes no clones of
/// functions whose address is taken.
template <class Kernel, class Item>
LANEFOLD_ALWAYS_INLINE void keep_kernel_whole() {
#if defined(__GNUC__) && !defined(__clang__)
  if constexpr (requires { &Kernel::template operator()<Item>; }) {
    const auto address = &Kernel::template operator()<Item>;
    asm volatile("" : : "m"(address));
  } else if constexpr (requires { &Kernel::operator(); }) {
    const auto address = &Kernel::operator();
    asm volatile("" : : "m"(address));
  }
#endif
}

} // namespace detail
LANEFOLD_END_NAMESPACE
