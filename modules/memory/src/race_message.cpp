// SPDX-License-Identifier: Apache-2.0
#include "race_message.hpp"

#if defined(LANEFOLD_CHECKED)

#include <lanefold/exception.hpp>

#include <cstdio>
#include <dlfcn.h>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// An address as addr2line wants it, with the file that it belongs to: "./program+0x1234".
std::string describe_code(const void* code) {
  if (code == nullptr) {
    return {};
  }
  // The address behind a call may belong to the next line.
  const void* const call = static_cast<const char*>(code) - 1;
  Dl_info file{};
  char text[32];
  if (dladdr(call, &file) == 0 || file.dli_fname == nullptr) {
    return {};
  }
  const auto address = reinterpret_cast<std::uintptr_t>(call);
  std::snprintf(text, sizeof(text), "+0x%zx", address - reinterpret_cast<std::uintptr_t>(file.dli_fbase));
  return file.dli_fname + std::string(text);
}

std::string describe_codes(const void* first, const void* second) {
  const std::string one = describe_code(first);
  const std::string two = describe_code(second);
  if (one.empty() && two.empty()) {
    return {};
  }
  return " (code, for addr2line: " + one + (one.empty() || two.empty() ? "" : ", ") + two + ")";
}

std::string describe_item(const watched_groups& groups, const accessing_party& who) {
  std::string ids;
  std::size_t rest = who.item;
  for (int d = groups.dimensions - 1; d >= 0; --d) {
    const std::size_t extent = groups.extents[static_cast<std::size_t>(d)];
    ids = std::to_string(d == 0 ? rest : rest % extent) + (ids.empty() ? "" : ", ") + ids;
    rest /= extent;
  }
  return std::string(who.for_lanes != 0 ? "the sub-group of the " : "the ") + groups.item + "(" + ids + ")";
}

const char* describe_access(accessed_as how) {
  return how.atomic ? (how.writes ? " changed it by an atomic operation" : " read it by an atomic operation")
                    : (how.writes ? " wrote it" : " read it");
}

std::string describe_element(const watched_groups& groups, const element_place& where) {
  const auto offset = static_cast<std::size_t>(where.element - static_cast<const std::byte*>(where.base));
  std::string text = "element " + std::to_string(offset / where.bytes) + " (" + std::to_string(where.bytes) +
                     (where.bytes == 1 ? " byte" : " bytes");
  const std::size_t local =
      reinterpret_cast<std::uintptr_t>(where.element) - reinterpret_cast<std::uintptr_t>(groups.local_memory);
  if (local < groups.local_bytes) {
    return text + " at " + std::to_string(local) + " of local memory)";
  }
  char address[32];
  std::snprintf(address, sizeof(address), "%p", static_cast<const void*>(where.element));
  return text + " at " + address + ")";
}

} // namespace

void throw_race(const watched_groups& groups, const element_place& where, const accessing_party& first,
                accessed_as first_access, const accessing_party& second, accessed_as second_access) {
  throw exception(make_error_code(errc::kernel),
                  "a race: " + describe_item(groups, first) + describe_access(first_access) + " and " +
                      describe_item(groups, second) + describe_access(second_access) +
                      ", with no barrier between them: " + describe_element(groups, where) +
                      describe_codes(first.code, second.code));
}

void throw_race_of_groups(const watched_groups& groups, const element_place& where, const launch_accesses::found& first,
                          const accessing_party& second, accessed_as second_access) {
  throw exception(make_error_code(errc::kernel),
                  (groups.items_are_groups ? "a race: the work-item with linear id "
                                           : "a race between work-groups: group number ") +
                      std::to_string(first.group) + describe_access({first.writes, first.atomic}) + " and " +
                      describe_item(groups, second) + (groups.items_are_groups ? "" : " of this group") +
                      describe_access(second_access) + ": " + describe_element(groups, where) +
                      describe_codes(first.code, second.code));
}

void throw_uninitialised(const watched_groups& groups, const element_place& where, const accessing_party& reader) {
  throw exception(make_error_code(errc::kernel),
                  describe_item(groups, reader) + " read local memory that nobody has written: " +
                      describe_element(groups, where) + describe_codes(reader.code, nullptr));
}

} // namespace detail
LANEFOLD_END_NAMESPACE

#endif
