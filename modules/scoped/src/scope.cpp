// SPDX-License-Identifier: Apache-2.0
#include <lanefold/scoped/detail/memory_arena.hpp>
#include <lanefold/scoped/detail/scope_frame.hpp>
#include <lanefold/scoped/distribute.hpp>
#include <lanefold/scoped/group_algorithms.hpp>
#include <lanefold/scoped/private_memory.hpp>

#include <lanefold/detail/object_of_thread.hpp>
#include <lanefold/exception.hpp>
#include <lanefold/memory/detail/kernel_binding.hpp>

#include <memory>
#include <new>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

constexpr std::align_val_t page{4096};

struct free_pages {
  void operator()(std::byte* memory) const { ::operator delete(memory, page); }
};

struct private_pages {
  std::unique_ptr<std::byte[], free_pages> memory{static_cast<std::byte*>(::operator new(private_memory_bytes, page))};
};

std::string scope_name(int depth) {
  return depth == 0 ? "the work-group" : "a group of nesting depth " + std::to_string(depth);
}

} // namespace

void throw_wrong_scope(const char* function, int running, int called) {
  const std::string call = std::string(function) + " was called on " + scope_name(called);
  throw exception(make_error_code(errc::kernel),
                  running == in_items
                      ? call + " inside of distribute_items, single_item or parallel_for_work_item, "
                               "where single items run and cannot meet"
                      : call + " while " + scope_name(running) + " runs: only the innermost group can be used");
}

void keep_first_exception(std::exception_ptr& failure) noexcept {
  if (failure == nullptr) {
    failure = std::current_exception();
  }
}

void throw_empty_tile() {
  throw exception(make_error_code(errc::nd_range), "distribute_groups: an extent of the tile is zero");
}

void throw_not_hierarchical() {
  throw exception(make_error_code(errc::invalid), "parallel_for_work_item and private_memory are for the groups of "
                                                  "parallel_for_work_group, and this kernel is another one");
}

void throw_several_units(std::size_t items, std::size_t lanes) {
  throw exception(make_error_code(errc::kernel),
                  "a group algorithm was called by items of a group of " + std::to_string(items) + ", of which " +
                      std::to_string(lanes) +
                      " run together: call it on it.get_sub_group() or on a group of no more "
                      "items, or outside of distribute_items on private memory");
}

void throw_no_work_group_size() {
  throw exception(make_error_code(errc::invalid),
                  "private_memory needs to know how many work-items the group has: give "
                  "parallel_for_work_group a work-group size");
}

void throw_memory_exceeded(const char* kind, std::size_t bytes, std::size_t used, std::size_t limit) {
  throw exception(make_error_code(errc::memory_allocation), "the work-group needs more " + std::string(kind) +
                                                                " memory than the " + std::to_string(limit) +
                                                                " bytes that it can have: " + std::to_string(bytes) +
                                                                " bytes in addition to " + std::to_string(used));
}

memory_arena& running_arena() {
  const kernel_binding* const binding = kernel_binding::current();
  if (binding == nullptr || binding->arena == nullptr) {
    throw exception(make_error_code(errc::invalid),
                    "local_memory and private_memory live in hierarchical and scoped kernels, and none runs here");
  }
  return *binding->arena;
}

std::byte* private_memory_of_thread() { return object_of_thread<private_pages>::get().memory.get(); }

} // namespace detail
LANEFOLD_END_NAMESPACE
