// SPDX-License-Identifier: Apache-2.0
/// Declares what the handles of a buffer share: its memory, and which commands use which part of it.
#pragma once

#include <lanefold/execution/detail/buffer_requirement.hpp>
#include <lanefold/execution/detail/command_ptr.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class buffer_places;
class command;
class device_backend;
class device_memory;
class device_queue;
struct dependency;

/// The memory of a buffer and the commands that use it. Thread-safe where not said otherwise.
class buffer_state : public std::enable_shared_from_this<buffer_state> {
public:
  /// `memory` is `bytes` long. `in_place`: it is the program's own.
  buffer_state(std::shared_ptr<void> memory, std::size_t bytes, bool in_place);
  buffer_state(const buffer_state&) = delete;
  buffer_state& operator=(const buffer_state&) = delete;
  ~buffer_state();

  /// Never used for another buffer.
  [[nodiscard]] std::uint64_t id() const noexcept { return m_id; }
  [[nodiscard]] std::size_t bytes() const noexcept { return m_bytes; }
  /// The memory, for somebody who keeps the address: it does not change from now on.
  [[nodiscard]] std::byte* memory() {
    if (m_first_contents) {
      fill();
    }
    m_used.store(true, std::memory_order_relaxed);
    return fresh_memory();
  }
  [[nodiscard]] std::byte* fresh_memory() const noexcept { return static_cast<std::byte*>(m_memory.get()); }

  /// A number that grows whenever the host memory may have changed; 0 while a command of the host may be changing it.
  [[nodiscard]] std::uint64_t host_version();

  // The next functions concern devices with memory of their own.

  /// Returns whether one of them uses, or is going to use, the buffer.
  [[nodiscard]] bool has_places() const noexcept { return m_has_places.load(std::memory_order_acquire); }
  /// Returns the places where its contents are, if has_places().
  [[nodiscard]] buffer_places& places() noexcept { return *m_places; }
  /// Its memory on a device, for a command that runs there.
  [[nodiscard]] device_memory& memory_on(const device_backend& device);

  // The next functions concern the end of the buffer. If the memory is the program's own and nobody has asked for its
  // address yet, the contents move to memory of the buffer's own, so that the program's stays as it is.

  /// Says what is done with the contents in the end.
  void set_write_back(std::function<void(const std::byte*)> to);
  /// Says how the memory gets what host memory has, in which the buffer does not work: before its first use.
  void set_first_contents(std::function<void(std::byte*)> from) { m_first_contents = std::move(from); }
  /// Says how that host memory gets the contents, for update_host and in the end, if nothing else is said about that.
  /// Before any command.
  void set_host_copy(std::function<void(const std::byte*)> to) { m_host_copy = std::move(to); }
  /// Brings the contents to the host memory that the buffer was made over, if it works in memory of its own.
  void update_host() const;
  /// Says whether that is done, if there is something to do.
  void enable_write_back(bool enabled);

  /// The buffer with this id, null if it is gone.
  static std::shared_ptr<buffer_state> find(std::uint64_t id);

  /// All handles are gone: nobody finds the buffer any more.
  void close() noexcept;
  [[nodiscard]] bool is_closed() const noexcept { return m_closed; }

  /// The commands that use it and are not complete.
  std::vector<command_ptr> users();
  /// One of them; null if there is none.
  command_ptr user();
  /// Does what is done with the contents in the end.
  void write_back() noexcept;

private:
  friend class requirements_lock;

  /// Says how a command uses the buffer; see buffer_requirement.
  struct use {
    command_ptr by;
    std::size_t begin;
    std::size_t end;
    std::size_t object_begin;
    std::size_t object_end;
    bool by_part;

    use(command_ptr command, const buffer_requirement& r)
        : by(std::move(command)), begin(r.begin), end(r.end), object_begin(r.object_begin), object_end(r.object_end),
          by_part(r.by_part) {}
    /// Returns whether neither waits for the other, whatever they require: they are one command, or two host_accessors
    /// of one thread, which would wait for itself. [sycl.4.7.6.10]
    [[nodiscard]] bool is_beside(const command& entering) const noexcept;
    /// Returns whether a command that requires `r` must come after this.
    [[nodiscard]] bool is_in_the_way(const command& entering, const buffer_requirement& r) const noexcept {
      return !is_beside(entering) && is_ordered_with(r);
    }
    [[nodiscard]] bool overlaps(const buffer_requirement& r) const noexcept { return begin < r.end && r.begin < end; }
    /// Returns whether one of the two commands comes after the other one, if one writes.
    [[nodiscard]] bool is_ordered_with(const buffer_requirement& r) const noexcept {
      return by_part && r.by_part ? overlaps(r) : object_begin < r.object_end && r.object_begin < object_end;
    }
    /// Returns whether all that would have to wait for this have to wait for a command that requires `r`, or for the
    /// use `r`, too.
    template <class R>
    [[nodiscard]] bool is_within(const R& r) const noexcept {
      return r.begin <= begin && end <= r.end && r.object_begin <= object_begin && object_end <= r.object_end &&
             (by_part || !r.by_part);
    }
  };

  /// Does once what m_first_contents says.
  void fill();

  // The next three functions are called under m_guard.

  /// Makes room for so many uses.
  void make_room(std::size_t uses);
  /// Returns how many dependencies a command would get by this requirement.
  [[nodiscard]] std::size_t count_before(const command& entering, const buffer_requirement& r) const noexcept;
  /// The command comes after all that have entered before; adds what it must wait for.
  void enter(const command_ptr& command, const buffer_requirement& r, std::vector<dependency>& found) noexcept;
  void forget_finished_readers();
  /// Under m_guard.
  void make_places();
  void leave_host_memory();

  const std::uint64_t m_id;
  const std::size_t m_bytes;
  std::shared_ptr<void> m_memory;
  bool m_in_place;
  std::atomic<bool> m_used{false}; // somebody has the address
  std::atomic<bool> m_closed{false};
  std::unique_ptr<buffer_places> m_places; // before m_has_places says so
  std::atomic<bool> m_has_places{false};

  std::function<void(std::byte*)> m_first_contents; // is not changed when the buffer is used
  std::once_flag m_filled;
  std::function<void(const std::byte*)> m_host_copy;
  std::shared_ptr<void> m_left; // the program's memory that the contents have left

  std::mutex m_guard; // of what follows
  std::function<void(const std::byte*)> m_write_back;
  bool m_writes_back = true;
  std::vector<use> m_writers;
  std::vector<use> m_readers;
  std::size_t m_readers_to_look_at = 32;
  std::uint64_t m_host_writes = 1; // commands of the host that write
};

} // namespace detail
LANEFOLD_END_NAMESPACE
