// SPDX-License-Identifier: Apache-2.0
#include "failing_allocations.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

constinit std::atomic<bool> counts{false};
constinit std::atomic<std::size_t> left{0};
constinit std::atomic<std::size_t> failed{0};
constinit std::atomic<bool> fails_on{false};
constinit std::atomic<std::ptrdiff_t> allocated{0};

/// Returns whether the function that asks for memory is oneTBB's: it throws with its locks held, and other threads wait
/// for ever.
bool is_of_onetbb(const void* caller) noexcept {
  Dl_info where;
  return dladdr(caller, &where) != 0 && std::strstr(where.dli_fname, "libtbb") != nullptr;
}

bool fails(const void* caller) noexcept {
  if (!counts.load(std::memory_order_relaxed) || is_of_onetbb(caller)) {
    return false;
  }
  if (failed.load() != 0) {
    return fails_on.load();
  }
  if (left.fetch_sub(1) != 0) {
    return false;
  }
  failed.fetch_add(1);
  return true;
}

void* get(std::size_t bytes, std::size_t alignment, const void* caller) noexcept {
  if (fails(caller)) {
    return nullptr;
  }
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* const memory = alignment <= alignof(std::max_align_t) ? std::malloc(bytes != 0 ? bytes : 1)
                                                              : std::aligned_alloc(alignment, rounded);
  if (memory != nullptr) {
    allocated.fetch_add(1, std::memory_order_relaxed);
  }
  return memory;
}

void* get_or_throw(std::size_t bytes, std::size_t alignment, const void* caller) {
  void* const memory = get(bytes, alignment, caller);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}

void put_back(void* memory) noexcept {
  if (memory != nullptr) {
    allocated.fetch_sub(1, std::memory_order_relaxed);
    std::free(memory);
  }
}

} // namespace

namespace failing_allocations {

void begin(std::size_t n, how which) noexcept {
  left.store(n);
  failed.store(0);
  fails_on.store(which == how::from_there);
  counts.store(true);
}

bool end() noexcept {
  counts.store(false);
  return failed.load() != 0;
}

std::ptrdiff_t live() noexcept { return allocated.load(); }

} // namespace failing_allocations

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): the caller is that of the function in which this stands
#define CALLER __builtin_return_address(0)
void* operator new(std::size_t bytes) { return get_or_throw(bytes, 1, CALLER); }
void* operator new[](std::size_t bytes) { return get_or_throw(bytes, 1, CALLER); }
void* operator new(std::size_t bytes, std::align_val_t a) {
  return get_or_throw(bytes, static_cast<std::size_t>(a), CALLER);
}
void* operator new[](std::size_t bytes, std::align_val_t a) {
  return get_or_throw(bytes, static_cast<std::size_t>(a), CALLER);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return get(bytes, 1, CALLER); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return get(bytes, 1, CALLER); }
void* operator new(std::size_t bytes, std::align_val_t a, const std::nothrow_t&) noexcept {
  return get(bytes, static_cast<std::size_t>(a), CALLER);
}
void* operator new[](std::size_t bytes, std::align_val_t a, const std::nothrow_t&) noexcept {
  return get(bytes, static_cast<std::size_t>(a), CALLER);
}
#undef CALLER
void operator delete(void* memory) noexcept { put_back(memory); }
void operator delete[](void* memory) noexcept { put_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { put_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { put_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { put_back(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { put_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { put_back(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { put_back(memory); }
