// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/stream.hpp>

#include <lanefold/exception.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <mutex>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Holds what the copies of a stream share: the statements of the command.
class stream_state final : public command_attachment {
public:
  stream_state(std::size_t total, std::size_t of_work_item, const property_list& given)
      : total_size(total), statement_size(of_work_item), properties(given) {}

  /// Takes what fits of a statement.
  void add(std::size_t item, std::string_view text, std::size_t dropped) {
    const std::lock_guard lock(m_guard);
    const std::size_t fits = std::min(text.size(), total_size - m_used);
    m_dropped += dropped + text.size() - fits;
    if (fits != 0) {
      m_statements.push_back({item, m_statements.size(), std::string(text.substr(0, fits))});
      m_used += fits;
    }
  }

  void command_ends() noexcept override {
    const std::lock_guard lock(m_guard);
    // Those of one work-item have come in order: they have one writer.
    std::sort(m_statements.begin(), m_statements.end(), [](const statement& a, const statement& b) {
      return a.item != b.item ? a.item < b.item : a.arrival < b.arrival;
    });
    flockfile(stdout); // the output of one command in one piece
    for (const statement& s : m_statements) {
      std::fwrite(s.text.data(), 1, s.text.size(), stdout);
    }
    std::fflush(stdout);
    funlockfile(stdout);
    if (m_dropped != 0) {
      std::fprintf(
          stderr,
          "lanefold: a stream of %zu characters, %zu a work-item, was too small: %zu characters of its kernel's "
          "output are lost\n",
          total_size, statement_size, m_dropped);
    }
    m_statements.clear();
    m_dropped = 0;
  }

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
};

} // namespace detail

stream::stream(std::size_t total_buffer_size, std::size_t work_item_buffer_size, const property_list& properties)
    : m_state(std::make_shared<detail::stream_state>(total_buffer_size, work_item_buffer_size, properties)) {}

std::shared_ptr<detail::command_attachment> stream::attachment() const { return m_state; }

stream::stream(const stream& other) : m_state(other.m_state), m_note(other.m_note) {
  const detail::kernel_binding* const binding = detail::kernel_binding::current();
  if (binding != nullptr && binding->note != nullptr) {
    m_note = binding->note;
  }
  // A function of the kernel that gets the stream by value goes on where its caller has stopped.
  if (!other.m_statement.empty()) {
    other.commit();
  }
  m_item = other.m_item;
  m_format = other.m_format;
}

stream& stream::operator=(const stream& other) {
  if (this != &other) {
    commit();
    if (!other.m_statement.empty()) {
      other.commit();
    }
    m_state = other.m_state;
    m_note = other.m_note;
    m_item = other.m_item;
    m_format = other.m_format;
  }
  return *this;
}

stream::~stream() { commit(); }

std::size_t stream::size() const noexcept { return m_state->total_size; }
std::size_t stream::get_work_item_buffer_size() const noexcept { return m_state->statement_size; }
const property_list& stream::properties() const noexcept { return m_state->properties; }

/// Another work-item begins with an empty statement and the default format.
void stream::begin() const {
  if (m_note != nullptr && m_note->position != m_item) {
    commit();
    m_item = m_note->position;
    m_format = {};
  }
}

void stream::commit() const noexcept {
  if (m_statement.empty() && m_dropped == 0) {
    return;
  }
  try {
    m_state->add(m_item, m_statement, m_dropped);
  } catch (const std::bad_alloc&) {
    std::fputs("lanefold: there is no memory for the output of a stream\n", stderr);
  }
  m_statement.clear();
  m_dropped = 0;
}

void stream::put_text(std::string_view text) const {
  begin();
  const auto width = static_cast<std::size_t>(std::max(std::exchange(m_format.width, 0), 0));
  const std::size_t room = m_state->statement_size - std::min(m_statement.size(), m_state->statement_size);
  const std::size_t blanks = width > text.size() ? width - text.size() : 0;
  const std::size_t blanks_taken = std::min(blanks, room);
  const std::size_t taken = std::min(text.size(), room - blanks_taken);
  m_statement.append(blanks_taken, ' ');
  m_statement.append(text.substr(0, taken));
  m_dropped += blanks - blanks_taken + text.size() - taken;
}

void stream::put_number(std::string_view sign, std::string_view digits) const {
  std::array<char, 96> text{};
  char* const behind_sign = std::copy(sign.begin(), sign.end(), text.begin());
  char* const end = std::copy(digits.begin(), digits.end(), behind_sign);
  put_text(std::string_view(text.data(), static_cast<std::size_t>(end - text.data())));
}

void stream::put(std::uint64_t value) const {
  begin();
  std::array<char, 24> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value, m_format.base);
  const char* const prefix = !m_format.show_base || value == 0 || m_format.base == 10 ? ""
                             : m_format.base == 16                                    ? "0x"
                                                                                      : "0";
  put_number(prefix, std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
}

/// Like std::ostream, this prints octal and hexadecimal digits of the unsigned type of the same size.
void stream::put(std::int64_t value, std::size_t bytes) const {
  begin();
  auto bits = static_cast<std::uint64_t>(value);
  if (m_format.base != 10) {
    put(bytes == sizeof(bits) ? bits : bits & ((std::uint64_t{1} << 8 * bytes) - 1));
    return;
  }
  std::array<char, 24> digits{};
  const std::uint64_t magnitude = value < 0 ? 0 - bits : bits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), magnitude);
  put_number(value < 0 ? "-" : (m_format.show_sign ? "+" : ""),
             std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
}

void stream::put(double value) const {
  begin();
  // `-` does nothing without a width. A negative precision counts as none: hexadecimal numbers have all their digits.
  const char format[] = {'%', m_format.show_sign ? '+' : '-', '.', '*', m_format.notation, '\0'};
  const int precision = m_format.notation == 'a' ? -1 : m_format.precision;
  const auto print = [&](char* to, std::size_t size) { return std::snprintf(to, size, format, precision, value); };
  std::string text(static_cast<std::size_t>(std::max(print(nullptr, 0), 0)), '\0');
  print(text.data(), text.size() + 1);
  put_text(std::string_view(text));
}

void stream::put_pointer(const void* pointer) const {
  begin();
  std::array<char, 24> digits{};
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), reinterpret_cast<std::uintptr_t>(pointer), 16);
  put_number("0x", std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
}

void stream::put(detail::stream_precision precision) const {
  begin();
  m_format.precision = std::max(precision.digits, 0);
}

void stream::put(detail::stream_width width) const {
  begin();
  m_format.width = width.characters;
}

void stream::put(stream_manipulator manipulator) const {
  begin();
  switch (manipulator) {
  case stream_manipulator::endl: put_text("\n"); [[fallthrough]];
  case stream_manipulator::flush: commit(); break;
  case stream_manipulator::dec: m_format.base = 10; break;
  case stream_manipulator::hex: m_format.base = 16; break;
  case stream_manipulator::oct: m_format.base = 8; break;
  case stream_manipulator::noshowbase: m_format.show_base = false; break;
  case stream_manipulator::showbase: m_format.show_base = true; break;
  case stream_manipulator::noshowpos: m_format.show_sign = false; break;
  case stream_manipulator::showpos: m_format.show_sign = true; break;
  case stream_manipulator::fixed: m_format.notation = 'f'; break;
  case stream_manipulator::scientific: m_format.notation = 'e'; break;
  case stream_manipulator::hexfloat: m_format.notation = 'a'; break;
  case stream_manipulator::defaultfloat: m_format.notation = 'g'; break;
  }
}

LANEFOLD_END_NAMESPACE
