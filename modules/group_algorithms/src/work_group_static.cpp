// SPDX-License-Identifier: Apache-2.0
#include <lanefold/group_algorithms/work_group_static.hpp>

#include <lanefold/detail/object_of_thread.hpp>
#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/work_item_note.hpp>
#include <lanefold/execution/device.hpp>
#include <lanefold/memory/detail/kernel_binding.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

struct aligned_delete {
  std::align_val_t alignment;
  void operator()(void* memory) const noexcept { ::operator delete(memory, alignment); }
};

struct variable {
  variable_place place;
  std::size_t bytes;
  std::unique_ptr<void, aligned_delete> memory;
};

bool same_text(const char* a, const char* b) noexcept {
  return a == b || (a != nullptr && b != nullptr && std::strcmp(a, b) == 0);
}

bool same(const variable_place& a, const variable_place& b) noexcept {
  return a.object == b.object && a.line == b.line && a.column == b.column && same_text(a.function, b.function) &&
         same_text(a.file, b.file);
}

} // namespace

void* memory_of_variable(const variable_place& place, std::size_t bytes, std::size_t alignment) {
  const kernel_binding* const binding = kernel_binding::current();
  if (binding != nullptr && binding->note != nullptr && binding->note->recorder != nullptr) {
    throw exception(make_error_code(errc::feature_not_supported),
                    "work_group_static and work_group_scratch_size: a kernel that is recorded for a device has no such "
                    "memory; take a local_accessor");
  }
  std::vector<variable>& variables =
      object_of_thread<std::vector<variable>>::get(); // as many as kernels declare: a few
  const auto found = std::find_if(variables.begin(), variables.end(),
                                  [&](const variable& v) { return v.bytes == bytes && same(v.place, place); });
  if (found != variables.end()) {
    return found->memory.get();
  }
  const auto aligned = static_cast<std::align_val_t>(std::max<std::size_t>(alignment, 64));
  std::unique_ptr<void, aligned_delete> memory(::operator new(bytes, aligned), aligned_delete{aligned});
  return variables.emplace_back(variable{place, bytes, std::move(memory)}).memory.get();
}

void check_scratch_size(std::size_t bytes) {
  if (bytes > device::local_memory_bytes()) {
    throw exception(make_error_code(errc::memory_allocation), "work_group_scratch_size: a work-group cannot have " +
                                                                  std::to_string(bytes) + " bytes, at most " +
                                                                  std::to_string(device::local_memory_bytes()));
  }
}

} // namespace detail

// All that a launch may ask for: a kernel does not know its launch, and pages that nobody uses are not there.
void* ext::oneapi::experimental::get_work_group_scratch_memory() {
  static constexpr char scratch = 0;
  return lanefold::detail::memory_of_variable({.object = &scratch}, device::local_memory_bytes(),
                                              alignof(std::max_align_t));
}

LANEFOLD_END_NAMESPACE
