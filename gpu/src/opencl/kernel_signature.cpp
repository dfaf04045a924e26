// SPDX-License-Identifier: Apache-2.0
#include "kernel_signature.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {
namespace {

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Identifiers and single characters; without comments, strings, preprocessor lines.
std::vector<std::string_view> tokens_of(std::string_view text) {
  std::vector<std::string_view> tokens;
  bool line_begins = true;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text.substr(i, 2) == "//" || (text[i] == '#' && line_begins)) {
      while (i < text.size() && text[i] != '\n') // a line may go on behind a backslash
        i += text[i] == '\\' ? 2 : 1;
      continue;
    }
    if (text.substr(i, 2) == "/*") {
      end = text.find("*/", i + 2);
      i = end == text.npos ? text.size() : end + 2;
      continue;
    }
    if (text[i] == '\n') {
      line_begins = true;
    } else if (std::isspace(static_cast<unsigned char>(text[i])) == 0) {
      line_begins = false;
      if (const char quote = text[i]; quote == '"' || quote == '\'') {
        while (end < text.size() && text[end] != quote)
          end += text[end] == '\\' ? 2 : 1;
        end = std::min(end + 1, text.size());
      } else {
        while (is_letter(text[i]) && end < text.size() && is_letter(text[end]))
          ++end;
        tokens.push_back(text.substr(i, end - i));
      }
    }
    i = end;
  }
  return tokens;
}

using iterator = std::vector<std::string_view>::const_iterator;

/// Returns where the bracket closes that `open` opens; the end if it does not.
iterator closing_bracket(iterator open, iterator end) {
  std::size_t depth = 0;
  for (; open != end; ++open) {
    if (*open == "(")
      ++depth;
    else if (*open == ")" && --depth == 0)
      return open;
  }
  return end;
}

/// Skips `__attribute__((…))`.
iterator behind_attribute(iterator word, iterator end) {
  const iterator close = closing_bracket(word + 1, end);
  return close == end ? end : close + 1;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// "unsigned int" and the like by OpenCL C's short name.
std::string short_name(const std::vector<std::string_view>& words) {
  const bool is_unsigned = std::find(words.begin(), words.end(), "unsigned") != words.end();
  std::string base;
  for (const std::string_view word : words)
    if (!is_one_of(word, {"unsigned", "signed"}))
      base = word;
  if (base.empty())
    base = "int";
  return (is_unsigned ? "u" : "") + base;
}

kernel_parameter parameter_of(iterator begin, iterator end) {
  kernel_parameter p;
  std::vector<std::string_view> words;
  bool pointer = false;
  for (iterator i = begin; i != end; ++i) {
    if (*i == "__attribute__") {
      i = behind_attribute(i, end) - 1;
    } else if (is_one_of(*i, {"global", "__global", "constant", "__constant"})) {
      p.where = kernel_parameter::space::global;
      p.is_const = p.is_const || is_one_of(*i, {"constant", "__constant"});
    } else if (*i == "const" && !pointer) {
      p.is_const = true;
    } else if (is_one_of(*i, {"local", "__local"})) {
      p.where = kernel_parameter::space::local;
    } else if (is_one_of(*i, {"*", "["})) {
      pointer = true;
    } else if (is_letter(i->front()) &&
               !is_one_of(*i, {"const", "volatile", "restrict", "__restrict", "struct", "private", "__private",
                               "read_only", "__read_only", "write_only", "__write_only"})) {
      words.push_back(*i);
    }
  }
  if (words.size() > 1) {
    p.name = words.back();
    words.pop_back();
  }
  p.type = short_name(words);
  if (!pointer && (p.type.starts_with("image") || p.type == "sampler_t"))
    p.where = kernel_parameter::space::other;
  return p;
}

std::vector<kernel_parameter> parameters_of(iterator begin, iterator end) {
  std::vector<kernel_parameter> parameters;
  std::size_t depth = 0;
  for (iterator i = begin; i != end; ++i) {
    if (*i == "(")
      ++depth;
    else if (*i == ")")
      --depth;
    else if (*i == "," && depth == 0) {
      parameters.push_back(parameter_of(begin, i));
      begin = i + 1;
    }
  }
  if (begin != end && !(end - begin == 1 && *begin == "void"))
    parameters.push_back(parameter_of(begin, end));
  return parameters;
}

} // namespace

// The preprocessor decides which one is compiled of several kernels of one name: a parameter is const if it is in all.
std::optional<std::vector<kernel_parameter>> find_kernel(std::string_view source, std::string_view name) {
  const std::vector<std::string_view> tokens = tokens_of(source);
  std::optional<std::vector<kernel_parameter>> found;
  for (iterator i = tokens.begin(); i != tokens.end(); ++i) {
    if (!is_one_of(*i, {"kernel", "__kernel"}))
      continue;
    ++i;
    while (i != tokens.end() && *i != "(") {
      if (*i == "__attribute__")
        i = behind_attribute(i, tokens.end());
      else
        ++i;
    }
    if (i == tokens.end())
      break;
    if (*(i - 1) != name)
      continue;
    const iterator close = closing_bracket(i, tokens.end());
    if (close == tokens.end())
      break;
    std::vector<kernel_parameter> parameters = parameters_of(i + 1, close);
    if (!found)
      found = std::move(parameters);
    else if (found->size() == parameters.size())
      for (std::size_t p = 0; p < parameters.size(); ++p)
        (*found)[p].is_const = (*found)[p].is_const && parameters[p].is_const;
  }
  return found;
}

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
