// SPDX-License-Identifier: Apache-2.0
/// A way through the graph of commands.
#pragma once

#include "command.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory_resource>
#include <new>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// A way from a command to one that it comes after, and so on. Where memory is used up, it forgets its older half: who
/// has come back to its beginning starts again from the first command.
class command_path {
public:
  command_path() { m_commands.reserve(first_commands); }

  [[nodiscard]] bool empty() const noexcept { return m_commands.empty(); }
  [[nodiscard]] const command_ptr& back() const noexcept { return m_commands.back(); }
  /// The command before the last one, or the last one if there is no other.
  [[nodiscard]] const command* before_last() const noexcept {
    return m_commands[m_commands.size() - std::min<std::size_t>(m_commands.size(), 2)].get();
  }
  void pop() noexcept { m_commands.pop_back(); }
  void push(command_ptr next) noexcept {
    try {
      m_commands.push_back(next);
    } catch (const std::bad_alloc&) {
      m_commands.erase(m_commands.begin(), m_commands.begin() + static_cast<std::ptrdiff_t>(m_commands.size() / 2));
      m_commands.push_back(std::move(next));
    }
  }

private:
  static constexpr std::size_t first_commands = 16;

  std::array<std::byte, (first_commands + 1) * sizeof(command_ptr)> m_room;
  std::pmr::monotonic_buffer_resource m_memory{m_room.data(), m_room.size()};
  std::pmr::vector<command_ptr> m_commands{&m_memory};
};

} // namespace detail
LANEFOLD_END_NAMESPACE
