// SPDX-License-Identifier: Apache-2.0
#include "opencl_types.hpp"

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {
namespace {

struct scalar {
  std::string_view name;
  std::size_t bytes;
  bool is_floating;
  bool is_signed;
};

constexpr scalar scalars[] = {
    {"char", 1, false, true}, {"uchar", 1, false, false}, {"short", 2, false, true}, {"ushort", 2, false, false},
    {"int", 4, false, true},  {"uint", 4, false, false},  {"long", 8, false, true},  {"ulong", 8, false, false},
    {"half", 2, true, true},  {"float", 4, true, true},   {"double", 8, true, true},
};

/// 1 for no digits, 0 for what is no width of a vector.
std::size_t width_of(std::string_view digits) {
  if (digits.empty())
    return 1;
  for (const std::size_t width : {2, 3, 4, 8, 16})
    if (digits == std::to_string(width))
      return width;
  return 0;
}

} // namespace

std::optional<opencl_type> find_opencl_type(std::string_view name) {
  for (const scalar& s : scalars) {
    if (!name.starts_with(s.name))
      continue;
    if (const std::size_t width = width_of(name.substr(s.name.size())))
      return opencl_type{std::string(name), std::string(s.name), width, s.bytes, s.is_floating, s.is_signed};
  }
  return std::nullopt;
}

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
