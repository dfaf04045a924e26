// SPDX-License-Identifier: Apache-2.0
/// A share in a command.
#pragma once

#include <lanefold/version.hpp>

#include <cstdint>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class command;

/// A share in a command. Null: nothing to wait for.
class command_ptr {
public:
  constexpr command_ptr() noexcept = default;
  /// Takes over a reference that the caller owns.
  static command_ptr adopt(command* owned) noexcept {
    command_ptr result;
    result.m_command = owned;
    return result;
  }
  /// Adds a reference.
  explicit command_ptr(command* shared) noexcept : m_command(shared) { retain(); }
  command_ptr(const command_ptr& other) noexcept : m_command(other.m_command) { retain(); }
  command_ptr(command_ptr&& other) noexcept : m_command(std::exchange(other.m_command, nullptr)) {}
  command_ptr& operator=(command_ptr other) noexcept {
    std::swap(m_command, other.m_command);
    return *this;
  }
  ~command_ptr() {
    if (m_command != nullptr)
      release();
  }

  command* get() const noexcept { return m_command; }
  command* operator->() const noexcept { return m_command; }
  command& operator*() const noexcept { return *m_command; }
  explicit operator bool() const noexcept { return m_command != nullptr; }
  /// Gives the reference to the caller.
  command* detach() noexcept { return std::exchange(m_command, nullptr); }
  /// 0 if it is null.
  std::uint32_t use_count() const noexcept;

  friend bool operator==(const command_ptr&, const command_ptr&) = default;

private:
  void retain() const noexcept;
  void release() const noexcept;

  command* m_command = nullptr;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
