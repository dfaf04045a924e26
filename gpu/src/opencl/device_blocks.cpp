// SPDX-License-Identifier: Apache-2.0
#include "device_blocks.hpp"

#include "device_files.hpp"

#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    if (end != 0)
      parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return parts;
}

/// From the line behind "//@ ".
device_block parse_head(std::string_view line) {
  device_block block;
  std::vector<std::string> words = split(line, ' ');
  std::string_view name = words.front();
  if (const std::size_t bracket = name.find('('); bracket != name.npos) {
    block.has_operator = name.find("op", bracket) != name.npos;
    block.has_type = name.find('T', bracket) != name.npos;
    name = name.substr(0, bracket);
  }
  block.names = split(name, '|');
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    block.conditions.emplace_back(words[i].substr(0, equals),
                                  split(std::string_view(words[i]).substr(equals + 1), '|'));
  }
  return block;
}

std::vector<device_block> parse_files() {
  constexpr std::string_view mark = "//@ ";
  std::vector<device_block> blocks;
  for (const device_file& file : device_files()) {
    std::size_t begin = file.text.find(mark);
    while (begin != file.text.npos) {
      const std::size_t line_end = file.text.find('\n', begin);
      const std::size_t end = file.text.find(mark, line_end);
      blocks.push_back(parse_head(file.text.substr(begin + mark.size(), line_end - begin - mark.size())));
      blocks.back().text = file.text.substr(line_end + 1, end == file.text.npos ? end : end - line_end - 1);
      begin = end;
    }
  }
  return blocks;
}

} // namespace

const std::vector<device_block>& device_blocks() {
  static const std::vector<device_block> blocks = parse_files();
  return blocks;
}

std::string substitute(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string result;
  result.reserve(text.size());
  while (true) {
    const std::size_t begin = text.find("${");
    result += text.substr(0, begin);
    if (begin == text.npos)
      return result;
    const std::size_t end = text.find('}', begin);
    result += values.at(std::string(text.substr(begin + 2, end - begin - 2)));
    text.remove_prefix(end + 1);
  }
}

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
