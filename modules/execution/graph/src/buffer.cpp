// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/buffer.hpp>

#include "host_queue.hpp"
#include "scheduler.hpp"

#include <lanefold/execution/detail/buffer_state.hpp>
#include <lanefold/execution/detail/kernel_scope.hpp>

#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <limits>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

/// The name of what happens in the end, in messages.
struct buffer_write_back;

/// The end of a buffer whose last handle went inside a kernel.
class closing_launch final : public launch {
public:
  explicit closing_launch(std::function<void()> what)
      : launch(1, 1, launch_settings(), typeid(buffer_write_back*)), m_what(std::move(what)) {}
  void run(std::size_t, std::size_t) override { m_what(); }
  launch_description describe() const override { return {.what = launch_description::action::copy}; }

private:
  std::function<void()> m_what;
};

void close_later(const shared_part<buffer_state>& state) noexcept {
  try {
    const std::shared_ptr<queue_state>& queue = host_queue();
    submission end;
    end.work = std::make_unique<closing_launch>([state] { state->write_back(); });
    for (command_ptr& user : state->users()) {
      end.after.push_back({std::move(user), dependency_kind::order});
    }
    queue->submit(queue, std::move(end));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "lanefold: the contents of a buffer cannot be written back: %s\n", e.what());
  }
}

/// Returns the mutex of use_mutex, null without this property.
std::mutex* guard_of(const property_list* properties) {
  using property::buffer::use_mutex;
  return properties != nullptr && properties->has_property<use_mutex>()
             ? properties->get_property<use_mutex>().get_mutex_ptr()
             : nullptr;
}

/// The buffer reads the host memory when it is used first, and writes it back in the end if it was.
void share_guarded(buffer_state& state, const std::shared_ptr<const void>& host, std::mutex& guard, bool write_back) {
  state.set_first_contents([host, bytes = state.bytes(), &guard](std::byte* memory) {
    const std::lock_guard lock(guard);
    std::memcpy(memory, host.get(), bytes);
  });
  if (write_back) {
    state.set_host_copy(
        [host = std::const_pointer_cast<void>(host), bytes = state.bytes(), &guard](const std::byte* memory) {
          const std::lock_guard lock(guard);
          std::memcpy(host.get(), memory, bytes);
        });
  }
}

std::string bytes_each(std::size_t element_bytes) { return " elements of " + std::to_string(element_bytes) + " bytes"; }

} // namespace

// ---- what the handles share

buffer_owner::buffer_owner(shared_object memory, std::size_t bytes, bool in_place)
    : state(std::make_shared<buffer_state>(std::const_pointer_cast<void>(memory.share_any()), bytes, in_place)) {}

std::size_t buffer_owner::bytes() const noexcept { return state->bytes(); }
std::byte* buffer_owner::fresh_memory() const noexcept { return state->fresh_memory(); }
void buffer_owner::set_write_back(std::function<void(const std::byte*)> to) const {
  state->set_write_back(std::move(to));
}
void buffer_owner::enable_write_back(bool enabled) const { state->enable_write_back(enabled); }

buffer_owner::~buffer_owner() {
  state->close();
  try {
    if (kernel_scope::is_inside()) {
      close_later(state);
      return;
    }
    while (const command_ptr user = state->user()) {
      scheduler::wait(user);
    }
  } catch (const exception&) { // this thread holds a host_accessor that one of them waits for
    close_later(state);
    return;
  }
  state->write_back();
}

shared_part<buffer_owner> make_buffer_owner(shared_object memory, std::size_t bytes, bool in_place) {
  return std::make_shared<buffer_owner>(std::move(memory), bytes, in_place);
}

// ---- sizes

template <int D>
void throw_no_buffer_memory(const range<D>& extents, std::size_t element_bytes) {
  throw exception(errc::memory_allocation,
                  "there is not enough memory for a buffer of " + describe_id(extents) + bytes_each(element_bytes));
}

template <int D>
std::size_t buffer_bytes(const range<D>& extents, std::size_t element_bytes) {
  std::size_t bytes = element_bytes;
  for (int d = 0; d < D; ++d) {
    if (extents[d] != 0 && bytes > std::numeric_limits<std::size_t>::max() / extents[d]) {
      throw exception(errc::memory_allocation, "a buffer of " + describe_id(extents) + bytes_each(element_bytes) +
                                                   " is more than memory can hold");
    }
    bytes *= extents[d];
  }
  return bytes;
}

template <int D>
void check_reinterpretation(const range<D>& extents, std::size_t element_bytes, std::size_t bytes) {
  if (buffer_bytes(extents, element_bytes) != bytes) {
    throw exception(errc::invalid, "reinterpret: " + describe_id(extents) + bytes_each(element_bytes) +
                                       " are not the " + std::to_string(bytes) + " bytes of the buffer");
  }
}

template <int D>
std::size_t offset_of_part(const range<D>& whole, bool whole_is_part, const id<D>& base, const range<D>& part,
                           std::size_t element_bytes) {
  const auto fail = [&](const std::string& why) {
    throw exception(errc::invalid,
                    "a sub-buffer of " + describe_id(part) + " elements from " + describe_id(base) + " on: " + why);
  };
  if (whole_is_part) {
    fail("the buffer is a sub-buffer itself");
  }
  std::size_t offset = 0;
  bool one = true; // of each dimension so far, the part has one index only
  for (int d = 0; d < D; ++d) {
    if (base[d] > whole[d] || part[d] > whole[d] - base[d]) {
      fail("it is not within the buffer's " + describe_id(whole));
    }
    if (!one && part[d] != whole[d]) {
      fail("it is not contiguous in the buffer's " + describe_id(whole));
    }
    one = one && part[d] <= 1;
    offset = offset * whole[d] + base[d];
  }
  return offset * element_bytes;
}

// ---- memory

void check_host_memory(const void* host, std::size_t bytes) {
  if (host == nullptr && bytes != 0) {
    throw exception(errc::invalid, "a buffer over host memory: the pointer is null");
  }
}

shared_part<buffer_owner> make_owner_of_copy(shared_object memory, const void* host, std::size_t bytes,
                                             const property_list* properties) {
  std::unique_lock<std::mutex> lock;
  if (std::mutex* const guard = guard_of(properties)) {
    lock = std::unique_lock(*guard);
  }
  if (bytes != 0) {
    std::memcpy(memory.address(), host, bytes);
  }
  return make_buffer_owner(std::move(memory), bytes, false);
}

template <int D>
shared_object allocate_buffer(const range<D>& extents, std::size_t element_bytes) {
  const std::size_t bytes = buffer_bytes(extents, element_bytes);
  buffer_allocator<std::byte> from;
  try {
    return shared_object(std::shared_ptr<void>(from.allocate(bytes), [from, bytes](void* memory) mutable {
      from.deallocate(static_cast<std::byte*>(memory), bytes);
    }));
  } catch (const std::bad_alloc&) {
    throw_no_buffer_memory(extents, element_bytes);
  }
}

template <int D>
shared_part<buffer_owner> make_owner_over(const std::shared_ptr<const void>& host, const range<D>& extents,
                                          std::size_t element_bytes, const property_list* properties, bool write_back) {
  const std::size_t bytes = buffer_bytes(extents, element_bytes);
  std::mutex* const guard = guard_of(properties);
  if (host != nullptr && guard == nullptr) {
    return make_buffer_owner(shared_object(host), bytes, true);
  }
  shared_part<buffer_owner> made = make_buffer_owner(allocate_buffer(extents, element_bytes), bytes, false);
  if (host != nullptr) {
    share_guarded(*made->state, host, *guard, write_back);
  }
  return made;
}

template <int D>
shared_part<buffer_owner> make_owner_over(const void* host, const range<D>& extents, std::size_t element_bytes,
                                          const property_list* properties, bool write_back) {
  check_host_memory(host, buffer_bytes(extents, element_bytes));
  return make_owner_over(std::shared_ptr<const void>(std::shared_ptr<const void>(), host), extents, element_bytes,
                         properties, write_back);
}

#define LANEFOLD_INSTANTIATE(D)                                                                                        \
  template void throw_no_buffer_memory(const range<D>&, std::size_t);                                                  \
  template shared_object allocate_buffer(const range<D>&, std::size_t);                                                \
  template shared_part<buffer_owner> make_owner_over(const std::shared_ptr<const void>&, const range<D>&, std::size_t, \
                                                     const property_list*, bool);                                      \
  template shared_part<buffer_owner> make_owner_over(const void*, const range<D>&, std::size_t, const property_list*,  \
                                                     bool);                                                            \
  template std::size_t buffer_bytes(const range<D>&, std::size_t);                                                     \
  template void check_reinterpretation(const range<D>&, std::size_t, std::size_t);                                     \
  template std::size_t offset_of_part(const range<D>&, bool, const id<D>&, const range<D>&, std::size_t);
LANEFOLD_INSTANTIATE(1)
LANEFOLD_INSTANTIATE(2)
LANEFOLD_INSTANTIATE(3)
#undef LANEFOLD_INSTANTIATE

} // namespace detail
LANEFOLD_END_NAMESPACE
