// SPDX-License-Identifier: Apache-2.0
/// Writes trace events in JSON to a file.
#pragma once

#include <lanefold/version.hpp>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Puts an object in JSON together.
class json_object {
public:
  json_object& add(std::string_view key, std::string_view value);
  json_object& add(std::string_view key, const json_object& value) { return raw(key, value.text()); }
  json_object& add(std::string_view key, std::integral auto value) { return raw(key, std::to_string(value)); }
  /// Nanoseconds, as microseconds.
  json_object& time(std::string_view key, std::uint64_t nanoseconds);
  [[nodiscard]] std::string text() const { return m_text.empty() ? "{}" : m_text + "}"; }

private:
  json_object& raw(std::string_view key, const std::string& value);
  std::string m_text;
};

/// An array of events in a file. Readers of traces do without the bracket at the end, so that the trace of a process
/// that was killed can be read, too.
class trace_file {
public:
  /// `%p` in the path is the number of this process. Errors: errc::invalid if the file cannot be written.
  explicit trace_file(const std::string& path);
  trace_file(const trace_file&) = delete;
  trace_file& operator=(const trace_file&) = delete;

  void add(const std::string& event);
  /// Writes what was added; what cannot be written is said once. A process that was forked writes nothing.
  void write();
  /// Writes if much was added, or a second ago.
  void write_if_old();
  /// Ends the array. What is added from now on is lost.
  void close();

private:
  std::string m_path;
  int m_file;
  long m_process;
  std::string m_waiting;
  std::chrono::steady_clock::time_point m_written = std::chrono::steady_clock::now();
  bool m_is_first = true;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
