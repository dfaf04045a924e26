// SPDX-License-Identifier: Apache-2.0
#include "trace_file.hpp"

#include <lanefold/exception.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

/// As text in JSON. What is not ASCII becomes `?`: it may be no UTF-8, and a reader would refuse all of the file.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else {
      result += c >= ' ' && c <= '~' ? c : '?';
    }
  }
  return result + "\"";
}

std::string with_process(std::string path) {
  const std::size_t at = path.find("%p");
  return at == std::string::npos ? path : path.replace(at, 2, std::to_string(getpid()));
}

} // namespace

json_object& json_object::add(std::string_view key, std::string_view value) { return raw(key, quoted(value)); }

json_object& json_object::time(std::string_view key, std::uint64_t nanoseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%llu.%03u", static_cast<unsigned long long>(nanoseconds / 1000),
                static_cast<unsigned>(nanoseconds % 1000));
  return raw(key, text);
}

json_object& json_object::raw(std::string_view key, const std::string& value) {
  m_text += (m_text.empty() ? "{" : ",") + quoted(key) + ":" + value;
  return *this;
}

trace_file::trace_file(const std::string& path)
    : m_path(with_process(path)), m_file(::open(m_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)),
      m_process(getpid()), m_waiting("[\n") {
  if (m_file < 0) {
    throw exception(make_error_code(errc::invalid), "the environment variable LANEFOLD_TRACE is \"" + path +
                                                        "\", a file that cannot be written: " + std::strerror(errno));
  }
}

void trace_file::add(const std::string& event) {
  if (m_file >= 0) {
    m_waiting += (std::exchange(m_is_first, false) ? "" : ",\n") + event;
  }
}

void trace_file::write() {
  std::string_view left = m_waiting;
  while (m_file >= 0 && !left.empty() && getpid() == m_process) {
    const ssize_t written = ::write(m_file, left.data(), left.size());
    if (written > 0) {
      left.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      std::fprintf(stderr, "lanefold: the trace ends early: %s: %s\n", m_path.c_str(), std::strerror(errno));
      ::close(std::exchange(m_file, -1));
    }
  }
  m_waiting.clear();
  m_written = std::chrono::steady_clock::now();
}

void trace_file::write_if_old() {
  constexpr std::size_t much = 1 << 16;
  if (m_waiting.size() >= much || std::chrono::steady_clock::now() - m_written > std::chrono::seconds(1)) {
    write();
  }
}

void trace_file::close() {
  if (m_file >= 0) {
    m_waiting += "\n]\n";
    write();
  }
  if (m_file >= 0) {
    ::close(std::exchange(m_file, -1));
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
