// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/registered_kernel.hpp>

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/launch_maker.hpp>
#include <lanefold/execution/launch.hpp>
#include <lanefold/execution/nd_range.hpp>

#include <algorithm>
#include <cstddef>
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

const kernel_entry* register_kernel(const std::type_info& name, const group_sizes& asked_for) {
  kernel_list& list = all_kernels();
  const std::lock_guard lock(list.guard);
  for (const kernel_entry& entry : list.entries) {
    if (*entry.type == name) {
      return &entry;
    }
  }
  return &list.entries.emplace_back(kernel_entry{&name, type_name(name), asked_for});
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

bool can_run(const group_sizes& asked_for) noexcept {
  std::size_t left = most_work_items;
  for (int d = 0; d < 3; ++d) {
    left /= std::max<std::size_t>(asked_for.work_group[d], 1);
  }
  return left != 0 && asked_for.sub_group <= largest_sub_group;
}

void check_sizes(const group_sizes& asked_for, const std::type_info& name) {
  if (!can_run(asked_for)) {
    throw exception(make_error_code(errc::kernel_not_supported),
                    "the device does not run the kernel '" + type_name(name) +
                        "': its kernel_properties ask for work-groups or sub-groups that are too large");
  }
}

void refuse_kernel_object(const char* call) {
  throw exception(
      make_error_code(errc::feature_not_supported),
      std::string(call) +
          ": a kernel object tells about a kernel and cannot be launched, because kernels are functions, which "
          "capture their arguments: give the function to parallel_for or single_task; kernels in OpenCL C are "
          "launched by handler::launch");
}

} // namespace detail
LANEFOLD_END_NAMESPACE
