// SPDX-License-Identifier: Apache-2.0
/// Lets commands wait for each other while they run: kernels that read from a pipe, and those that write to it.
#pragma once

#include <lanefold/version.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <typeinfo>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Is true in programs that have pipes. Their out-of-order queues of one thread are not serial: the kernels at both
/// ends of a pipe run at the same time.
inline std::atomic<bool> pipes_are_used{false};
/// Is initialised in programs that use it before main, or later than queues of namespaces, which ask again when the
/// first command is submitted.
template <class Pipe>
inline const bool uses_pipes = (pipes_are_used.store(true, std::memory_order_relaxed), true);

/// The lock of a pipe, at which those wait who find it empty or full. A thread that waits here sleeps, and another one
/// runs the commands that are ready in its place: a kernel that reads runs before, beside or after the one that writes,
/// on however few threads. See docs/decisions/070-pipes-have-threads-in-reserve.md.
class pipe_gate {
public:
  using lock = std::unique_lock<std::mutex>;
  enum class waits_to : unsigned char { read, write };

  /// `id` is the type of the pointer to what names the pipe, for messages.
  explicit pipe_gate(const std::type_info& id) noexcept : m_id(id) {}
  pipe_gate(const pipe_gate&) = delete;
  pipe_gate& operator=(const pipe_gate&) = delete;

  /// All that there is in the pipe is looked at and changed under its lock.
  [[nodiscard]] lock enter() { return lock(m_guard); }
  /// Under the lock: returns when `ready()` holds, which is asked under the lock. Who has waited for two seconds says
  /// so on stderr, once for each pipe, because a program in which nobody will ever come waits forever. Errors:
  /// errc::runtime where no thread can be had that runs other commands meanwhile.
  template <class Ready>
  void wait(lock& held, waits_to what, Ready ready) {
    if (!ready()) {
      const reserve elsewhere;
      ++m_sleepers;
      while (!ready()) {
        sleep(held, what);
      }
      --m_sleepers;
    }
  }
  /// Under the lock: something was put into the pipe or taken out.
  void changed() noexcept {
    ++m_changes;
    m_failures = 0;
    if (m_sleepers != 0) {
      m_changed.notify_all();
    }
  }
  /// Under the lock, which is released: an operation that does not wait has found the pipe empty or full. Kernels that
  /// try again and again let others run.
  void failed(lock& held);

private:
  /// While it lives, the calling thread has one in reserve that runs commands in its place.
  struct reserve {
    reserve();
    ~reserve();
    reserve(const reserve&) = delete;
    reserve& operator=(const reserve&) = delete;
  };
  void sleep(lock& held, waits_to what);

  const std::type_info& m_id;
  std::mutex m_guard;
  std::condition_variable m_changed;
  unsigned m_sleepers = 0;
  std::uint64_t m_changes = 0;
  std::uint32_t m_failures = 0; ///< since something has changed
  bool m_told = false;          ///< that somebody waits
};

} // namespace detail
LANEFOLD_END_NAMESPACE
