// SPDX-License-Identifier: Apache-2.0
/// Declares what the copies of a stream share: the statements of the command.
#pragma once

#include <lanefold/execution/detail/stream_statement.hpp>
#include <lanefold/execution/launch.hpp>
#include <lanefold/execution/property.hpp>

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Holds what a device has written for a stream, which is read when the command ends.
class stream_source {
public:
  stream_source() = default;
  stream_source(const stream_source&) = delete;
  stream_source& operator=(const stream_source&) = delete;
  virtual ~stream_source() = default;
  virtual void read_to(stream_state& to) = 0;
};

class stream_state final : public command_attachment {
public:
  stream_state(std::size_t total, std::size_t of_work_item, const property_list& given)
      : total_size(total), statement_size(of_work_item), properties(given) {}

  /// Takes what fits of the statement of a work-item, which then begins the next one.
  void add(std::size_t item, stream_statement& ended);
  /// Some statements of a device were lost.
  void lose_statements() noexcept { m_lost = true; }
  void set_source(std::shared_ptr<stream_source> from) noexcept { m_source = std::move(from); }

  void command_ends() noexcept override;

  const std::size_t total_size;
  const std::size_t statement_size;
  const property_list properties;

private:
  struct statement {
    std::size_t item;
    std::size_t arrival;
    std::string text;
  };

  std::mutex m_guard;
  std::vector<statement> m_statements;
  std::size_t m_used = 0;
  std::size_t m_dropped = 0;
  bool m_lost = false;
  std::shared_ptr<stream_source> m_source;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
