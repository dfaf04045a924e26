// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/registered_kernel.hpp>

#include <lanefold/execution/launch.hpp>

#include <algorithm>
#include <deque>
#include <mutex>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// The named kernels of the program. Never destroyed.
struct kernel_list {
  std::mutex guard;
  std::deque<kernel_entry> entries; // they do not move
};
kernel_list& all_kernels() {
  static kernel_list& list = *new kernel_list();
  return list;
}

} // namespace

const kernel_entry* register_kernel(const std::type_info& name) {
  kernel_list& list = all_kernels();
  const std::lock_guard lock(list.guard);
  for (const kernel_entry& entry : list.entries) {
    if (*entry.type == name) {
      return &entry;
    }
  }
  return &list.entries.emplace_back(kernel_entry{&name, type_name(name)});
}

bool is_registered(const std::type_info& name) noexcept {
  kernel_list& list = all_kernels();
  const std::lock_guard lock(list.guard);
  return std::any_of(list.entries.begin(), list.entries.end(), [&](const kernel_entry& e) { return *e.type == name; });
}

std::vector<const kernel_entry*> registered_kernels() {
  kernel_list& list = all_kernels();
  const std::lock_guard lock(list.guard);
  std::vector<const kernel_entry*> all;
  for (const kernel_entry& entry : list.entries) {
    all.push_back(&entry);
  }
  return all;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
