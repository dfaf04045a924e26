// SPDX-License-Identifier: Apache-2.0
/// Copies and fills of memory, for handler.
#include <lanefold/execution/detail/memory_actions.hpp>

#include "whole_handler.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/buffer_state.hpp>
#include <lanefold/execution/detail/device_backend.hpp>
#include <lanefold/execution/detail/region.hpp>
#include <lanefold/execution/handler.hpp>
#include <lanefold/memory/detail/unreachable_memory.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Is the action of update_host: it brings the contents of the buffer to the host memory that it was made over.
struct host_update {
  shared_part<buffer_state> buffer;
  void operator()() const { buffer->update_host(); }
};

/// Memory operations are cut into pieces of this size, which threads share.
constexpr std::size_t piece_bytes = 256 * 1024;

/// Copies and fills of no more take less than a microsecond.
constexpr std::size_t brief_bytes = 16 * 1024;

/// A pattern is repeated up to this size, which stays in the first cache, before its copies are copied.
constexpr std::size_t block_bytes = 4096;

constexpr std::size_t pieces(std::size_t bytes) noexcept {
  return bytes / piece_bytes + (bytes % piece_bytes != 0 ? 1 : 0);
}

/// Fills `bytes` bytes from `to` with copies of `pattern`, of `width` bytes: the first one, then copies of what is
/// there, twice as many each time, up to a block.
void repeat(std::byte* to, std::size_t bytes, const std::byte* pattern, std::size_t width) {
  if (bytes == 0) {
    return; // `to` may be null
  }
  std::size_t done = std::min(width, bytes);
  std::memcpy(to, pattern, done);
  for (std::size_t block = done; done < bytes;) {
    const std::size_t part = std::min(block, bytes - done);
    std::memcpy(to + done, to, part);
    done += part;
    block = block < block_bytes ? done : block;
  }
}

/// Returns whether all `width` bytes of `pattern` are equal, such as those of a zero.
bool of_one_byte(const std::byte* pattern, std::size_t width) {
  return std::all_of(pattern, pattern + width, [&](std::byte b) { return b == *pattern; });
}

class copy_launch final : public launch {
public:
  copy_launch(const launch_settings& settings, void* to, const void* from, std::size_t bytes) noexcept
      : launch(pieces(bytes), 1, settings, typeid(memory_copy*)), m_to(static_cast<std::byte*>(to)),
        m_from(static_cast<const std::byte*>(from)), m_bytes(bytes) {
    if (bytes <= brief_bytes) {
      be_brief();
    }
  }

  void run(std::size_t first, std::size_t last) override {
    const std::size_t begin = first * piece_bytes;
    std::memcpy(m_to + begin, m_from + begin, std::min(last * piece_bytes, m_bytes) - begin);
  }
  launch_description describe() const override { return {.what = launch_description::action::copy}; }

private:
  std::byte* m_to;
  const std::byte* m_from;
  std::size_t m_bytes;
};

class fill_launch final : public launch {
public:
  fill_launch(const launch_settings& settings, void* to, const void* pattern, std::size_t width, std::size_t count)
      : launch(pieces(width * count), 1, settings, typeid(memory_fill*)), m_to(static_cast<std::byte*>(to)),
        m_bytes(width * count) {
    if (m_bytes <= brief_bytes) {
      be_brief();
    }
    const auto* bytes = static_cast<const std::byte*>(pattern);
    m_width = of_one_byte(bytes, width) ? 1 : width;
    // Bytes are left to memset; other patterns are repeated until they are worth a copy.
    m_pattern.resize(m_width == 1 ? 1 : std::min(std::max(block_bytes / width, std::size_t{1}) * width, m_bytes));
    repeat(m_pattern.data(), m_pattern.size(), bytes, m_width);
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
  launch_description describe() const override { return {.what = launch_description::action::fill}; }

private:
  std::byte* m_to;
  std::size_t m_bytes;
  std::size_t m_width;
  std::vector<std::byte> m_pattern;
};

/// Copies the elements of one region to another that has at least as many, or sets them to one element.
class region_launch final : public launch {
public:
  /// `kept` lives until the command is complete.
  region_launch(const launch_settings& settings, const region& from, const region& to, std::shared_ptr<const void> kept)
      : launch(to.rows(), 1, settings, typeid(memory_copy*)), m_from(from), m_to(to), m_kept(std::move(kept)) {}
  region_launch(const launch_settings& settings, const region& to, const void* pattern)
      : launch(to.rows(), 1, settings, typeid(memory_fill*)), m_to(to),
        m_pattern(static_cast<const std::byte*>(pattern), static_cast<const std::byte*>(pattern) + to.width) {}

  void run(std::size_t first, std::size_t last) override {
    for (std::size_t r = first; r < last; ++r) {
      if (m_pattern.empty()) {
        copy_row(r);
      } else {
        repeat(m_to.row(r), m_to.row_bytes(), m_pattern.data(), m_to.width);
      }
    }
  }
  launch_description describe() const override {
    using action = launch_description::action;
    return {.what = m_pattern.empty() ? action::copy : action::fill};
  }

private:
  /// The elements that belong to a row of the target lie in one row of the source or in several.
  void copy_row(std::size_t r) {
    const std::size_t begin = r * m_to.extents[2];
    std::size_t done = 0;
    while (done < m_to.extents[2] && begin + done < m_from.size()) {
      const std::size_t in_row = (begin + done) % m_from.extents[2];
      const std::size_t count = std::min(m_to.extents[2] - done, m_from.extents[2] - in_row);
      std::memcpy(m_to.row(r) + done * m_to.width,
                  m_from.row((begin + done) / m_from.extents[2]) + in_row * m_from.width, count * m_to.width);
      done += count;
    }
  }

  region m_from{};
  region m_to;
  std::vector<std::byte> m_pattern;
  std::shared_ptr<const void> m_kept;
};

[[noreturn]] void refuse_null(const char* what) {
  throw exception(make_error_code(errc::invalid), std::string(what) + ": a pointer is null");
}

std::unique_ptr<launch> make_copy_launch(const launch_settings& settings, void* to, const void* from,
                                         std::size_t bytes) {
  if (bytes != 0 && (to == nullptr || from == nullptr)) {
    refuse_null("memcpy");
  }
  if (settings.device != nullptr) {
    return settings.device->make_copy(settings, to, from, bytes);
  }
  if (bytes != 0) {
    check_reached_by_host(to, "memcpy");
    check_reached_by_host(from, "memcpy");
  }
  return std::make_unique<copy_launch>(settings, to, from, bytes);
}

/// Writes `pattern` (of `width` bytes) `count` times; `what` names the function in errors.
std::unique_ptr<launch> make_fill_launch(const launch_settings& settings, void* to, const void* pattern,
                                         std::size_t width, std::size_t count, const char* what = "fill") {
  const std::size_t bytes = checked_bytes(count, width, what);
  if (bytes != 0 && to == nullptr) {
    refuse_null(what);
  }
  if (settings.device != nullptr) {
    return settings.device->make_fill(settings, to, pattern, width, count);
  }
  if (bytes != 0) {
    check_reached_by_host(to, what);
  }
  return std::make_unique<fill_launch>(settings, to, pattern, width, bytes / width);
}

region rows_of(const void* first, std::size_t pitch, std::size_t element, std::size_t width, std::size_t height,
               bool on_device) {
  if (width > pitch && height > 1) {
    throw exception(make_error_code(errc::invalid),
                    "rows of " + std::to_string(width) + " do not fit into a pitch of " + std::to_string(pitch));
  }
  region rows = host_region(static_cast<const std::byte*>(first), element, width);
  rows.extents = {1, height, width};
  rows.strides = {0, pitch * element};
  if (on_device && !rows.is_contiguous()) {
    throw exception(make_error_code(errc::feature_not_supported),
                    "copies of rows with gaps run on the CPU only: copy row by row");
  }
  return rows;
}

/// Says who moves elements: the copies and fills of pointers, which know the device of the queue; its device, between
/// buffers, which may leave it to the host; or the host.
enum class mover { of_pointers, device_of_buffers, host };

/// Returns the one for `bytes` bytes of these regions, which `what` copies or fills. `of_buffers`: one of them is a
/// part of a buffer; `is_kept`: memory lives until that is done. Throws errc::invalid where the host would have to
/// access memory that it does not reach.
mover mover_of(const launch_settings& settings, const char* what, std::size_t bytes,
               std::initializer_list<const region*> regions, bool of_buffers, bool is_kept) {
  const bool on_device = settings.device != nullptr;
  const bool contiguous = std::all_of(regions.begin(), regions.end(), [](auto* r) { return r->is_contiguous(); });
  const bool reached = bytes == 0 || std::none_of(regions.begin(), regions.end(),
                                                  [](auto* r) { return is_unreachable_memory(r->first); });
  if (contiguous && !is_kept && (!on_device || (!reached && !of_buffers))) {
    return mover::of_pointers;
  }
  for (const region* const r : regions) {
    if (!reached) {
      check_reached_by_host(r->first, what);
    }
  }
  return on_device && contiguous ? mover::device_of_buffers : mover::host;
}

} // namespace

std::size_t checked_bytes(std::size_t count, std::size_t width, const char* what) {
  if (width != 0 && count > std::numeric_limits<std::size_t>::max() / width) {
    throw exception(make_error_code(errc::invalid), std::string(what) + ": " + std::to_string(count) + " elements of " +
                                                        std::to_string(width) + " bytes are more than memory can hold");
  }
  return count * width;
}

handler& memory_actions::self() { return static_cast<handler&>(*this); }

void memory_actions::update_host(shared_part<buffer_state> buffer) {
  self().refuse_second_action();
  self().set(std::make_unique<single_task_launch<host_update>>(self().settings_of(&typeid(host_update*)),
                                                               host_update{std::move(buffer)}));
}

void memory_actions::memcpy(void* to, const void* from, std::size_t bytes) {
  self().set(make_copy_launch(self().m_settings, to, from, bytes));
}

void memory_actions::memset(void* to, int value, std::size_t bytes) {
  const auto byte = static_cast<unsigned char>(value);
  self().set(make_fill_launch(self().m_settings, to, &byte, 1, bytes, "memset"));
  self().be_of_type(ext::oneapi::experimental::node_type::memset);
}

void memory_actions::fill_bytes(void* to, const void* pattern, std::size_t width, std::size_t count) {
  self().set(make_fill_launch(self().m_settings, to, pattern, width, count));
}

/// The buffer, one of the command's accessors gives access to it, into which the region points; else host memory.
copy_side memory_actions::side_of(const region& r) {
  for (const buffer_requirement& required : self().m_contents.requirements) {
    std::byte* const memory = required.buffer->memory();
    if (memory + required.begin <= r.first && r.first < memory + required.end) {
      return {required.buffer, static_cast<std::size_t>(r.first - memory), nullptr};
    }
  }
  return {{}, 0, r.first};
}

void memory_actions::copy_region(const region& from, const region& to, std::shared_ptr<const void> kept) {
  self().refuse_second_action();
  if (from.size() > to.size()) {
    throw exception(make_error_code(errc::invalid), "copy: the source has " + std::to_string(from.size()) +
                                                        " elements and the target room for " +
                                                        std::to_string(to.size()));
  }
  if (from.size() != 0 && (from.first == nullptr || to.first == nullptr)) {
    refuse_null("copy");
  }
  const launch_settings& settings = self().m_settings;
  const std::size_t bytes = from.size() * from.width;
  const copy_side target = side_of(to), source = side_of(from);
  const bool of_buffers = target.buffer || source.buffer;
  std::unique_ptr<launch> work;
  switch (mover_of(settings, "copy", bytes, {&to, &from}, of_buffers, kept != nullptr)) {
  case mover::of_pointers: work = make_copy_launch(settings, to.first, from.first, bytes); break;
  case mover::device_of_buffers: work = settings.device->make_copy(settings, target, source, bytes, kept); break;
  case mover::host: break;
  }
  if (!work) {
    work = std::make_unique<region_launch>(settings, from, to, std::move(kept));
  }
  self().set(std::move(work));
}

void memory_actions::fill_region(const region& to, const void* pattern) {
  self().refuse_second_action();
  const launch_settings& settings = self().m_settings;
  const copy_side target = side_of(to);
  const std::size_t count = to.size();
  std::unique_ptr<launch> work;
  switch (mover_of(settings, "fill", count * to.width, {&to}, target.buffer != nullptr, false)) {
  case mover::of_pointers: work = make_fill_launch(settings, to.first, pattern, to.width, count); break;
  case mover::device_of_buffers: work = settings.device->make_fill(settings, target, pattern, to.width, count); break;
  case mover::host: break;
  }
  if (!work) {
    work = std::make_unique<region_launch>(settings, to, pattern);
  }
  self().set(std::move(work));
}

void memory_actions::ext_oneapi_memcpy2d(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                         std::size_t width, std::size_t height) {
  copy_rows(to, to_pitch, from, from_pitch, 1, width, height);
}

void memory_actions::ext_oneapi_memset2d(void* to, std::size_t pitch, int value, std::size_t width,
                                         std::size_t height) {
  const auto byte = static_cast<unsigned char>(value);
  fill_rows("memset", to, pitch, &byte, 1, width, height);
  self().be_of_type(ext::oneapi::experimental::node_type::memset);
}

void memory_actions::copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                               std::size_t element, std::size_t width, std::size_t height) {
  const bool on_device = self().m_settings.device != nullptr;
  copy_region(rows_of(from, from_pitch, element, width, height, on_device),
              rows_of(to, to_pitch, element, width, height, on_device), nullptr);
}

void memory_actions::fill_rows(const char* name, void* to, std::size_t pitch, const void* pattern, std::size_t element,
                               std::size_t width, std::size_t height) {
  const region rows = rows_of(to, pitch, element, width, height, self().m_settings.device != nullptr);
  if (to == nullptr && rows.size() != 0) {
    refuse_null(name);
  }
  fill_region(rows, pattern);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
