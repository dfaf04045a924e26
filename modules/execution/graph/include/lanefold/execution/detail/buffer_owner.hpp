// SPDX-License-Identifier: Apache-2.0
/// Declares what the handles of a buffer share, and what buffers of all element types do alike: the library has one
/// compiled copy of it. Internal.
#pragma once

#include <lanefold/execution/detail/forward.hpp>
#include <lanefold/execution/detail/shared_part.hpp>
#include <lanefold/id.hpp>
#include <lanefold/range.hpp>

#include <cstddef>
#include <functional>
#include <memory>

LANEFOLD_BEGIN_NAMESPACE

class property_list;

namespace detail {

class buffer_state;

/// The handles of a buffer share one. When it goes, it waits for the commands that use the buffer, then the contents
/// are written back. Inside a kernel, which might be one of them, a command is submitted that does this.
class buffer_owner {
public:
  /// `memory` is `bytes` long. `in_place`: it is the program's own.
  buffer_owner(shared_object memory, std::size_t bytes, bool in_place);
  buffer_owner(const buffer_owner&) = delete;
  buffer_owner& operator=(const buffer_owner&) = delete;
  ~buffer_owner();

  [[nodiscard]] std::size_t bytes() const noexcept;
  /// Returns where the contents are that no command has used yet.
  [[nodiscard]] std::byte* fresh_memory() const noexcept;
  /// Says what is done with the contents in the end; see buffer_state.
  void set_write_back(std::function<void(const std::byte*)> to) const;
  void enable_write_back(bool enabled) const;

  const shared_part<buffer_state> state;
};

/// Says that there is no memory for a buffer.
template <int D>
[[noreturn]] void throw_no_buffer_memory(const range<D>& extents, std::size_t element_bytes);

/// Returns the size of a buffer. Errors: errc::memory_allocation if memory cannot be that large.
template <int D>
std::size_t buffer_bytes(const range<D>& extents, std::size_t element_bytes);

/// Returns where a sub-buffer begins, in bytes. Errors: errc::invalid if it is not within `whole` or not contiguous, or
/// if that is a sub-buffer itself.
template <int D>
std::size_t offset_of_part(const range<D>& whole, bool whole_is_part, const id<D>& base, const range<D>& part,
                           std::size_t element_bytes);

/// Errors: errc::invalid unless `bytes` are those of a buffer of such extents.
template <int D>
void check_reinterpretation(const range<D>& extents, std::size_t element_bytes, std::size_t bytes);

/// Returns memory for the elements, as buffer_allocator gives it. Errors: errc::memory_allocation.
template <int D>
shared_object allocate_buffer(const range<D>& extents, std::size_t element_bytes);

// `properties` are null where there are none.

/// Errors: errc::invalid for no memory, unless that is all there is.
void check_host_memory(const void* host, std::size_t bytes);

shared_part<buffer_owner> make_buffer_owner(shared_object memory, std::size_t bytes, bool in_place);
/// Copies to the memory what the program has, with a lock if the properties have use_mutex.
shared_part<buffer_owner> make_owner_of_copy(shared_object memory, const void* host, std::size_t bytes,
                                             const property_list* properties);

/// Makes what the handles of a buffer over host memory share. The buffer has memory of its own if there is none. With
/// use_mutex it copies what is in the host's when it is used first, and in the end, if it was and `write_back` says so,
/// back.
template <int D>
shared_part<buffer_owner> make_owner_over(const std::shared_ptr<const void>& host, const range<D>& extents,
                                          std::size_t element_bytes, const property_list* properties, bool write_back);
/// Does so over memory to which nothing refers but a pointer. Errors: those of check_host_memory.
template <int D>
shared_part<buffer_owner> make_owner_over(const void* host, const range<D>& extents, std::size_t element_bytes,
                                          const property_list* properties, bool write_back);

} // namespace detail
LANEFOLD_END_NAMESPACE
