// SPDX-License-Identifier: Apache-2.0
#include "kernel_signature.hpp"

#include "opencl_types.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

bool is_image(std::string_view type) {
  return type.starts_with("image1d_") || type.starts_with("image2d_") || type.starts_with("image3d_");
}

namespace {

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Identifiers and single characters of a program, without comments and strings.
struct program_tokens {
  struct conditional {
    std::size_t place; // so many words stand before the directive
    int depth;         // in so many #if are those behind it
  };

  std::vector<std::string_view> words;
  std::vector<conditional> conditionals;
  std::vector<std::string_view> macros; // those that it defines
  bool has_directives = false;
};

std::string_view word_at(std::string_view text, std::size_t& i) {
  while (i < text.size() && (text[i] == ' ' || text[i] == '\t'))
    ++i;
  const std::size_t begin = i;
  while (i < text.size() && is_letter(text[i]))
    ++i;
  return text.substr(begin, i - begin);
}

void note_directive(program_tokens& to, std::string_view behind_hash) {
  to.has_directives = true;
  std::size_t i = 0;
  const std::string_view directive = word_at(behind_hash, i);
  if (directive == "define")
    to.macros.push_back(word_at(behind_hash, i));
  else if (const bool opens = directive.starts_with("if"); opens || directive.starts_with("e")) {
    const int depth = to.conditionals.empty() ? 0 : to.conditionals.back().depth;
    to.conditionals.push_back({to.words.size(), depth + (opens ? 1 : directive == "endif" ? -1 : 0)});
  }
}

program_tokens tokens_of(std::string_view text) {
  program_tokens tokens;
  bool line_begins = true;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    const bool is_directive = text[i] == '#' && line_begins;
    if (is_directive)
      note_directive(tokens, text.substr(end));
    if (text.substr(i, 2) == "//" || is_directive) {
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
        tokens.words.push_back(text.substr(i, end - i));
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
    if (!is_one_of(word, {"unsigned", "signed"}) && (word != "int" || base.empty()))
      base = word;
  if (base.empty())
    base = "int";
  return (is_unsigned ? "u" : "") + base;
}

/// Returns whether these words name a type of which the text alone says what it is: one of OpenCL C's own, a struct
/// that is called so, or, behind `global` or `local`, what a pointer points to.
bool is_plain_type(const std::vector<std::string_view>& words, const kernel_parameter& p, bool is_pointer,
                   bool is_tagged) {
  const auto is_known = [](std::string_view word) {
    return is_one_of(word, {"unsigned", "signed", "void", "bool", "size_t", "ptrdiff_t", "sampler_t"}) ||
           is_image(word) || find_opencl_type(word);
  };
  if (std::all_of(words.begin(), words.end(), is_known))
    return true;
  return words.size() == 1 && (is_tagged || (is_pointer && p.where != kernel_parameter::space::value));
}

/// Clears `is_certain` where the text alone does not tell what the parameter is.
kernel_parameter parameter_of(iterator begin, iterator end, const std::vector<std::string_view>& macros,
                              bool& is_certain) {
  kernel_parameter p;
  std::vector<std::string_view> words;
  bool pointer = false, tagged = false;
  for (iterator i = begin; i != end; ++i) {
    is_certain = is_certain && std::find(macros.begin(), macros.end(), *i) == macros.end();
    tagged = tagged || is_one_of(*i, {"struct", "union", "enum"});
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
               !is_one_of(*i, {"const", "volatile", "restrict", "__restrict", "struct", "union", "enum", "private",
                               "__private", "read_only", "__read_only", "write_only", "__write_only"})) {
      words.push_back(*i);
    }
  }
  if (words.size() > 1) {
    p.name = words.back();
    words.pop_back();
  }
  p.type = short_name(words);
  is_certain = is_certain && is_plain_type(words, p, pointer, tagged);
  if (!pointer && (is_image(p.type) || p.type == "sampler_t"))
    p.where = kernel_parameter::space::other;
  return p;
}

kernel_signature signature_of(iterator begin, iterator end, const std::vector<std::string_view>& macros) {
  kernel_signature made{{}, true};
  std::size_t depth = 0;
  for (iterator i = begin; i != end; ++i) {
    if (*i == "(")
      ++depth;
    else if (*i == ")")
      --depth;
    else if (*i == "," && depth == 0) {
      made.parameters.push_back(parameter_of(begin, i, macros, made.is_certain));
      begin = i + 1;
    }
  }
  if (begin != end && !(end - begin == 1 && *begin == "void"))
    made.parameters.push_back(parameter_of(begin, end, macros, made.is_certain));
  return made;
}

/// Returns whether the preprocessor decides that the program has these words, or some of them.
bool is_conditional(const program_tokens& tokens, std::size_t begin, std::size_t end) {
  int depth = 0;
  for (const program_tokens::conditional& c : tokens.conditionals) {
    if (c.place <= begin)
      depth = c.depth;
    else if (c.place <= end)
      return true;
  }
  return depth != 0;
}

} // namespace

std::optional<kernel_signature> find_kernel(std::string_view source, std::string_view name,
                                            const std::vector<std::string_view>& macros) {
  program_tokens tokens = tokens_of(source);
  for (const std::string_view macro : macros)
    tokens.macros.push_back(macro.substr(0, macro.find('(')));
  const auto& words = tokens.words;
  std::optional<kernel_signature> found;
  for (iterator i = words.begin(); i != words.end(); ++i) {
    if (!is_one_of(*i, {"kernel", "__kernel"}))
      continue;
    const auto begin = static_cast<std::size_t>(i - words.begin());
    ++i;
    while (i != words.end() && *i != "(") {
      if (*i == "__attribute__")
        i = behind_attribute(i, words.end());
      else
        ++i;
    }
    if (i == words.end())
      break;
    if (*(i - 1) != name)
      continue;
    const iterator close = closing_bracket(i, words.end());
    if (close == words.end())
      break;
    if (found)
      return kernel_signature();
    found = signature_of(i + 1, close, tokens.macros);
    const auto end = static_cast<std::size_t>(close - words.begin());
    found->is_certain = found->is_certain && !is_conditional(tokens, begin, end);
  }
  if (!found && (tokens.has_directives || !macros.empty()))
    return kernel_signature();
  return found;
}

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
