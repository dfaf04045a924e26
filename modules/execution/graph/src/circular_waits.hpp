// SPDX-License-Identifier: Apache-2.0
/// Host threads that would wait for each other, or for themselves, by what they hold.
#pragma once

#include <lanefold/version.hpp>

#include <thread>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class command;

/// While it lives, the calling thread sleeps until a command is complete that another thread holds.
class sleep_until_released {
public:
  /// `waited_for` comes after `held`, or is it. Throws errc::invalid if the thread that holds it waits, over others or
  /// not, for what this thread holds: the message says who waits for what.
  sleep_until_released(const command& waited_for, const command& held);
  sleep_until_released(const sleep_until_released&) = delete;
  sleep_until_released& operator=(const sleep_until_released&) = delete;
  ~sleep_until_released();

private:
  [[nodiscard]] static const sleep_until_released* of(std::thread::id thread) noexcept;
  void refuse() const;

  const std::thread::id m_thread = std::this_thread::get_id();
  const command& m_waited_for;
  const command& m_held;
  sleep_until_released* m_next = nullptr;
};

/// Throws errc::invalid: the calling thread would wait for what it holds itself.
[[noreturn]] void refuse_to_wait_for_itself(const command& waited_for, const command& held);

} // namespace detail
LANEFOLD_END_NAMESPACE
