// SPDX-License-Identifier: Apache-2.0
/// Variables in the memory of the work-group (sycl_ext_oneapi_work_group_static), and memory of a size that the launch
/// chooses (sycl_ext_oneapi_work_group_scratch_memory).
#pragma once

#include <lanefold/execution/detail/kernel_scope.hpp>
#include <lanefold/execution/kernel_properties.hpp>
#include <lanefold/version.hpp>

#include <cstddef>
#include <source_location>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Identifies a variable: one that is made within a kernel by the place in the program where it stands, another one by
/// itself. The name of the function has the arguments of templates in it.
struct variable_place {
  const void* object = nullptr;
  const char* file = nullptr;
  const char* function = nullptr;
  unsigned line = 0;
  unsigned column = 0;
};

/// Returns the memory of this variable for the work-groups of the calling thread: a work-group stays on its thread. It
/// has no values the first time, later those of the groups before. Lives as long as the thread.
void* memory_of_variable(const variable_place& place, std::size_t bytes, std::size_t alignment);

/// Throws errc::memory_allocation if a work-group cannot have so many bytes.
void check_scratch_size(std::size_t bytes);

} // namespace detail

namespace ext::oneapi::experimental {

/// A variable that the work-items of a group share, without initial value: in a namespace, static in a class or a
/// function, or in a block of a kernel, where all work-items that come there get the same memory. Work-item and
/// lane-generic kernels over ND-ranges on the CPU (errc::feature_not_supported in a kernel that is recorded); accesses
/// are synchronised by barriers, as those of all local memory. T is an object or an array of objects that need no
/// constructor nor destructor. Each access costs a search among the variables of the thread: take the address once. Two
/// variables of one type and one line that a macro declares are one.
template <class T>
class work_group_static {
  static_assert(std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T> &&
                    std::is_same_v<T, std::remove_cv_t<T>> && !std::is_unbounded_array_v<T>,
                "lanefold: a work_group_static has no const, no unknown bound, and nothing to construct or destroy");

public:
  /// Programs pass no argument.
  constexpr work_group_static(std::source_location where = std::source_location::current()) noexcept {
    if (std::is_constant_evaluated() || !lanefold::detail::kernel_scope::is_inside()) {
      m_place.object = this;
    } else {
      m_place = {nullptr, where.file_name(), where.function_name(), where.line(), where.column()};
    }
  }
  work_group_static(const work_group_static&) = delete;
  work_group_static& operator=(const work_group_static&) = delete;

  operator T&() const { return *memory(); }
  const work_group_static& operator=(const T& value) const
    requires(!std::is_array_v<T>)
  {
    *memory() = value;
    return *this;
  }
  T* operator&() const { return memory(); }

private:
  T* memory() const { return static_cast<T*>(lanefold::detail::memory_of_variable(m_place, sizeof(T), alignof(T))); }

  lanefold::detail::variable_place m_place;
};

/// A launch property: the kernel's work-groups have so many bytes of memory of their own. The constructor throws
/// errc::memory_allocation for more than `info::device::local_mem_size`.
struct work_group_scratch_size : lanefold::detail::launch_property {
  std::size_t value;
  explicit work_group_scratch_size(std::size_t bytes) : value(bytes) { lanefold::detail::check_scratch_size(bytes); }
};

/// Returns that memory, which the work-items of a group share and which has no values at first; it is aligned for any
/// type. In work-item and lane-generic kernels over ND-ranges on the CPU (errc::feature_not_supported in a kernel that
/// is recorded); accesses are synchronised by barriers. Uniform; any work-item may call it.
[[nodiscard]] void* get_work_group_scratch_memory();

} // namespace ext::oneapi::experimental
LANEFOLD_END_NAMESPACE
