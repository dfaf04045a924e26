// SPDX-License-Identifier: Apache-2.0
/// buffer_allocator: where buffers have their memory from.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>
#include <new>

LANEFOLD_BEGIN_NAMESPACE

/// Allocates the memory of buffers, if the program does not say otherwise: aligned to 64 bytes, from 64 KiB on to a
/// page.
template <class T>
class buffer_allocator {
public:
  using value_type = T;

  buffer_allocator() = default;
  template <class U>
  buffer_allocator(const buffer_allocator<U>&) noexcept {}

  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t(alignment(count * sizeof(T)))));
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    ::operator delete(memory, std::align_val_t(alignment(count * sizeof(T))));
  }
  friend bool operator==(const buffer_allocator&, const buffer_allocator&) noexcept { return true; }

private:
  static constexpr std::size_t alignment(std::size_t bytes) noexcept { return bytes < 64 * 1024 ? 64 : 4096; }
};

LANEFOLD_END_NAMESPACE
