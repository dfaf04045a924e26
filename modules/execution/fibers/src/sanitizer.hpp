// SPDX-License-Identifier: Apache-2.0
/// Finds out at run time, by the functions that its runtime brings, whether the program runs under a sanitizer: sources
/// that switch stacks are compiled without sanitizers, so that macros do not tell.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>

// Declared here, weak, since the runtimes' headers only fit builds with the same sanitizer.
extern "C" {
__attribute__((weak)) void __sanitizer_start_switch_fiber(void** fake_stack_save, const void* bottom, std::size_t size);
__attribute__((weak)) void __sanitizer_finish_switch_fiber(void* fake_stack_save, const void** bottom_old,
                                                           std::size_t* size_old);
__attribute__((weak)) void __asan_unpoison_memory_region(const volatile void* address, std::size_t size);
__attribute__((weak)) void* __tsan_get_current_fiber();
__attribute__((weak)) void* __tsan_create_fiber(unsigned flags);
__attribute__((weak)) void __tsan_destroy_fiber(void* fiber);
__attribute__((weak)) void __tsan_switch_to_fiber(void* fiber, unsigned flags);
}

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

// Both are asked for: the runtimes of other sanitizers may bring the first.
inline bool under_address_sanitizer() {
  return &__sanitizer_start_switch_fiber != nullptr && &__asan_unpoison_memory_region != nullptr;
}
inline bool under_thread_sanitizer() { return &__tsan_switch_to_fiber != nullptr; }

/// The program runs under AddressSanitizer or ThreadSanitizer.
inline bool under_sanitizer() { return under_address_sanitizer() || under_thread_sanitizer(); }

} // namespace detail
LANEFOLD_END_NAMESPACE
