// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/handler.hpp>

#include <lanefold/exception.hpp>
#include <lanefold/execution/device.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Memory operations are cut into pieces of this size, which threads share.
constexpr std::size_t piece_bytes = 256 * 1024;

constexpr std::size_t pieces(std::size_t bytes) noexcept {
  return bytes / piece_bytes + (bytes % piece_bytes != 0 ? 1 : 0);
}

// The names of memory operations in messages.
struct memory_copy;
struct memory_fill;

class copy_launch final : public launch {
public:
  copy_launch(const launch_settings& settings, void* to, const void* from, std::size_t bytes) noexcept
      : launch(pieces(bytes), 1, settings, typeid(memory_copy*)), m_to(static_cast<std::byte*>(to)),
        m_from(static_cast<const std::byte*>(from)), m_bytes(bytes) {}

  void run(std::size_t first, std::size_t last) override {
    const std::size_t begin = first * piece_bytes;
    std::memcpy(m_to + begin, m_from + begin, std::min(last * piece_bytes, m_bytes) - begin);
  }

private:
  std::byte* m_to;
  const std::byte* m_from;
  std::size_t m_bytes;
};

class fill_launch final : public launch {
public:
  fill_launch(const launch_settings& settings, void* to, const void* pattern, std::size_t width, std::size_t count)
      : launch(pieces(width * count), 1, settings, typeid(memory_fill*)), m_to(static_cast<std::byte*>(to)),
        m_bytes(width * count), m_width(width) {
    // The pattern repeated until it is worth a copy; a byte is left to memset.
    const std::size_t repeat = width == 1 ? 1 : std::max<std::size_t>(4096 / width, 1);
    m_pattern.resize(width * repeat);
    for (std::size_t i = 0; i < repeat; ++i) {
      std::memcpy(m_pattern.data() + i * width, pattern, width);
    }
  }

  void run(std::size_t first, std::size_t last) override {
    std::size_t at = first * piece_bytes;
    const std::size_t end = std::min(last * piece_bytes, m_bytes);
    if (m_width == 1) {
      std::memset(m_to + at, std::to_integer<int>(m_pattern.front()), end - at);
      return;
    }
    std::size_t phase = at % m_width;
    while (at < end) {
      const std::size_t part = std::min(m_pattern.size() - phase, end - at);
      std::memcpy(m_to + at, m_pattern.data() + phase, part);
      at += part;
      phase = 0;
    }
  }

private:
  std::byte* m_to;
  std::size_t m_bytes;
  std::size_t m_width;
  std::vector<std::byte> m_pattern;
};

[[noreturn]] void refuse_null(const char* what) {
  throw exception(make_error_code(errc::invalid), std::string(what) + ": a pointer is null");
}

} // namespace

std::unique_ptr<launch> make_copy_launch(const launch_settings& settings, void* to, const void* from,
                                         std::size_t bytes) {
  if (bytes != 0 && (to == nullptr || from == nullptr)) {
    refuse_null("memcpy");
  }
  return std::make_unique<copy_launch>(settings, to, from, bytes);
}

std::unique_ptr<launch> make_fill_launch(const launch_settings& settings, void* to, const void* pattern,
                                         std::size_t width, std::size_t count) {
  const std::size_t bytes = checked_bytes(count, width, "fill");
  if (bytes != 0 && to == nullptr) {
    refuse_null("fill");
  }
  return std::make_unique<fill_launch>(settings, to, pattern, width, bytes / width);
}

std::size_t checked_bytes(std::size_t count, std::size_t width, const char* what) {
  if (width != 0 && count > std::numeric_limits<std::size_t>::max() / width) {
    throw exception(make_error_code(errc::invalid), std::string(what) + ": " + std::to_string(count) + " elements of " +
                                                        std::to_string(width) + " bytes are more than memory can hold");
  }
  return count * width;
}

} // namespace detail

void handler::refuse_second_action() const {
  if (m_work) {
    throw exception(make_error_code(errc::invalid),
                    "a command group has one action, and this one has '" + m_work->kernel_name() + "' already");
  }
}

void handler::set(std::unique_ptr<detail::launch> work) {
  refuse_second_action();
  work->attach(std::move(m_attachments));
  m_work = std::move(work);
}

void handler::memcpy(void* to, const void* from, std::size_t bytes) {
  set(detail::make_copy_launch(m_settings, to, from, bytes));
}

void handler::memset(void* to, int value, std::size_t bytes) {
  const auto byte = static_cast<unsigned char>(value);
  fill_bytes(to, &byte, 1, bytes);
}

void handler::fill_bytes(void* to, const void* pattern, std::size_t width, std::size_t count) {
  set(detail::make_fill_launch(m_settings, to, pattern, width, count));
}

detail::local_allocation handler::allocate_local(std::size_t bytes, std::size_t alignment) {
  constexpr std::size_t limit = device::local_memory_bytes();
  if (!std::has_single_bit(alignment)) {
    throw exception(make_error_code(errc::invalid),
                    "an alignment of " + std::to_string(alignment) + " is not a power of two");
  }
  const std::size_t offset = (m_settings.local_bytes + alignment - 1) & ~(alignment - 1);
  if (offset > limit || bytes > limit - offset) {
    throw exception(make_error_code(errc::memory_allocation),
                    "the command needs more local memory than the " + std::to_string(limit) +
                        " bytes that a work-group can have: " + std::to_string(bytes) + " bytes in addition to " +
                        std::to_string(offset));
  }
  m_settings.local_bytes = offset + bytes;
  m_settings.local_alignment = std::max(m_settings.local_alignment, alignment);
  return {offset, bytes};
}

std::size_t handler::allocate_local(std::size_t count, std::size_t element, std::size_t alignment) {
  if (element != 0 && count > std::numeric_limits<std::size_t>::max() / element) {
    count = std::numeric_limits<std::size_t>::max() / element;
  }
  return allocate_local(count * element, alignment).offset;
}

LANEFOLD_END_NAMESPACE
