// SPDX-License-Identifier: Apache-2.0
/// The blocks of the files in gpu/device (base.cl says what a block is).
#pragma once

#include <lanefold/version.hpp>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

struct device_block {
  std::vector<std::string> names;
  bool has_operator = false;
  bool has_type = false;
  /// Holds what must be true for the block to be the right one: each key and the values of which it must have one.
  std::vector<std::pair<std::string, std::vector<std::string>>> conditions;
  std::string_view text;
};

/// All blocks, in the order in which they are considered.
const std::vector<device_block>& device_blocks();

/// The text with each ${key} replaced. Throws std::out_of_range for a key without a value.
std::string substitute(std::string_view text, const std::map<std::string, std::string>& values);

/// Returns whether identifiers of OpenCL C may have the character.
inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Calls `visit(std::string_view)` for each identifier of OpenCL C in the text, outside of comments.
template <class Visit>
void for_each_identifier(std::string_view text, Visit visit) {
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i, 2) == "//") {
      i = text.find('\n', i);
    } else if (text.substr(i, 2) == "/*") {
      const std::size_t end = text.find("*/", i + 2);
      i = end == text.npos ? end : end + 2;
    } else if (is_letter(text[i])) {
      std::size_t end = i;
      while (end < text.size() && is_letter(text[end]))
        ++end;
      visit(text.substr(i, end - i));
      i = end;
    } else {
      ++i;
    }
  }
}

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
