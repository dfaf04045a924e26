// SPDX-License-Identifier: Apache-2.0
/// Copies and fills rows of memory with gaps between them, for handler.
#include <lanefold/execution/detail/pitched_actions.hpp>

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/region.hpp>
#include <lanefold/execution/handler.hpp>

#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

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
    throw exception(make_error_code(errc::feature_not_supported), "copies of rows with gaps run on the CPU only");
  }
  return rows;
}

} // namespace

handler& pitched_actions::self() { return static_cast<handler&>(*this); }

void pitched_actions::ext_oneapi_memcpy2d(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                          std::size_t width, std::size_t height) {
  copy_rows(to, to_pitch, from, from_pitch, 1, width, height);
}

void pitched_actions::ext_oneapi_memset2d(void* to, std::size_t pitch, int value, std::size_t width,
                                          std::size_t height) {
  const auto byte = static_cast<unsigned char>(value);
  fill_rows(to, pitch, &byte, 1, width, height);
}

void pitched_actions::copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                std::size_t element, std::size_t width, std::size_t height) {
  const bool on_device = self().m_settings.device != nullptr;
  self().copy_region(rows_of(from, from_pitch, element, width, height, on_device),
                     rows_of(to, to_pitch, element, width, height, on_device), nullptr);
}

void pitched_actions::fill_rows(void* to, std::size_t pitch, const void* pattern, std::size_t element,
                                std::size_t width, std::size_t height) {
  const region rows = rows_of(to, pitch, element, width, height, self().m_settings.device != nullptr);
  if (to == nullptr && rows.size() != 0) {
    throw exception(make_error_code(errc::invalid), "fill: a null pointer");
  }
  self().fill_region(rows, pattern);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
