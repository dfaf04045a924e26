// SPDX-License-Identifier: Apache-2.0
#include "kernel_signature.hpp"

#include "device_blocks.hpp"

#include "opencl_types.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

} // namespace

bool is_image(std::string_view type) {
  return is_one_of(type, {"image1d_t", "image1d_array_t", "image1d_buffer_t", "image2d_t", "image2d_array_t",
                          "image2d_depth_t", "image2d_array_depth_t", "image2d_msaa_t", "image2d_array_msaa_t",
                          "image2d_msaa_depth_t", "image2d_array_msaa_depth_t", "image3d_t"});
}

namespace {

/// Identifiers and single characters of a program, without comments and strings.
struct program_tokens {
  struct conditional {
    std::size_t place; // so many words stand before the directive
    int depth;         // in so many #if are those behind it
  };

  std::vector<std::string_view> words;
  std::vector<conditional> conditionals;
  std::vector<std::string_view> macros; // those that it defines
  std::vector<std::string_view> types;  // names that it gives to types by typedef, and that say no more than themselves
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

bool contains(const std::vector<std::string_view>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_atomic(std::string_view word) {
  return is_one_of(word, {"atomic_int", "atomic_uint", "atomic_long", "atomic_ulong", "atomic_float", "atomic_double",
                          "atomic_half", "atomic_flag", "atomic_intptr_t", "atomic_uintptr_t", "atomic_size_t",
                          "atomic_ptrdiff_t"});
}

/// Returns whether the word is a type of OpenCL C's own, or one that the program calls so.
bool is_known_type(std::string_view word, const program_tokens& tokens) {
  return is_one_of(word, {"unsigned", "signed", "void", "bool", "size_t", "ptrdiff_t", "intptr_t", "uintptr_t",
                          "sampler_t"}) ||
         is_atomic(word) || is_image(word) || find_opencl_type(word) || contains(tokens.types, word);
}

/// Notes the name that a typedef gives to such a type, or to a struct. Returns where it ends.
iterator note_typedef(program_tokens& to, iterator begin) {
  const iterator end = to.words.cend();
  std::vector<std::string_view> words; // outside of the braces
  iterator i = begin + 1;
  for (int depth = 0; i != end && (*i != ";" || depth != 0); ++i) {
    depth += *i == "{" ? 1 : *i == "}" ? -1 : 0;
    if (depth == 0 && *i != "}")
      words.push_back(*i);
  }
  const auto place = [&](iterator at) { return static_cast<std::size_t>(at - to.words.cbegin()); };
  if (words.size() < 2 || is_conditional(to, place(begin), place(i)) ||
      std::any_of(words.begin(), words.end(), [&](std::string_view word) { return contains(to.macros, word); }))
    return i;
  const std::string_view name = words.back();
  words.pop_back();
  const bool is_struct = is_one_of(words.front(), {"struct", "union", "enum"}) && words.size() <= 2 &&
                         (words.size() == 1 || !is_one_of(words.back(), {"const", "volatile"}));
  if (is_letter(name.front()) && (is_struct || std::all_of(words.begin(), words.end(), [&](std::string_view word) {
                                    return is_known_type(word, to);
                                  })))
    to.types.push_back(name);
  return i;
}

/// Notes the types that the program names outside of functions.
void note_typedefs(program_tokens& to) {
  int depth = 0;
  for (iterator i = to.words.cbegin(); i != to.words.cend(); ++i) {
    depth += *i == "{" ? 1 : *i == "}" ? -1 : 0;
    if (*i == "typedef" && depth == 0 && (i = note_typedef(to, i)) == to.words.cend())
      return;
  }
}

/// Returns whether these words name a type of which the text alone says what it is: a known one, a struct that is
/// called so, or one that a pointer to `const` or local elements points to.
bool is_plain_type(const std::vector<std::string_view>& words, const kernel_parameter& p, bool is_pointer,
                   bool is_tagged, const program_tokens& tokens) {
  if (std::all_of(words.begin(), words.end(), [&](std::string_view word) { return is_known_type(word, tokens); }))
    return true;
  const bool is_read = p.where == kernel_parameter::space::global && p.is_const;
  return words.size() == 1 && (is_tagged || (is_pointer && (is_read || p.where == kernel_parameter::space::local)));
}

/// Clears `is_certain` where the text alone does not tell what the parameter is.
kernel_parameter parameter_of(iterator begin, iterator end, const program_tokens& tokens, bool& is_certain) {
  kernel_parameter p;
  std::vector<std::string_view> words;
  bool pointer = false;
  std::string tag; // "struct "
  for (iterator i = begin; i != end; ++i) {
    is_certain = is_certain && !contains(tokens.macros, *i);
    if (is_one_of(*i, {"struct", "union", "enum"}))
      tag = std::string(*i) + " ";
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
  p.type = tag + short_name(words);
  is_certain = is_certain && is_plain_type(words, p, pointer, !tag.empty(), tokens);
  if (!pointer && (is_image(p.type) || p.type == "sampler_t"))
    p.where = kernel_parameter::space::other;
  return p;
}

bool takes_nothing(iterator begin, iterator end) { return begin == end || (end - begin == 1 && *begin == "void"); }

kernel_signature signature_of(iterator begin, iterator end, const program_tokens& tokens) {
  kernel_signature made{{}, true};
  std::size_t depth = 0;
  for (iterator i = begin; i != end; ++i) {
    if (*i == "(")
      ++depth;
    else if (*i == ")")
      --depth;
    else if (*i == "," && depth == 0) {
      made.parameters.push_back(parameter_of(begin, i, tokens, made.is_certain));
      begin = i + 1;
    }
  }
  if (!takes_nothing(begin, end))
    made.parameters.push_back(parameter_of(begin, end, tokens, made.is_certain));
  return made;
}

/// Says where a kernel of the program stands.
struct kernel_place {
  iterator begin; // "kernel"
  iterator open;  // the bracket of its parameters
  iterator close;

  std::string_view name() const { return *(open - 1); }
};

std::vector<kernel_place> kernels_of(const std::vector<std::string_view>& words) {
  std::vector<kernel_place> kernels;
  for (iterator i = words.begin(); i != words.end(); ++i) {
    if (!is_one_of(*i, {"kernel", "__kernel"}))
      continue;
    const iterator begin = i++;
    while (i != words.end() && *i != "(") {
      if (*i == "__attribute__")
        i = behind_attribute(i, words.end());
      else
        ++i;
    }
    const iterator close = closing_bracket(i, words.end());
    if (close == words.end())
      break;
    kernels.push_back({begin, i, close});
  }
  return kernels;
}

} // namespace

std::optional<kernel_signature> find_kernel(std::string_view source, std::string_view name,
                                            const std::vector<std::string_view>& macros) {
  program_tokens tokens = tokens_of(source);
  for (const std::string_view macro : macros)
    tokens.macros.push_back(macro.substr(0, macro.find('(')));
  note_typedefs(tokens);
  std::optional<kernel_signature> found;
  for (const kernel_place& kernel : kernels_of(tokens.words)) {
    if (kernel.name() != name)
      continue;
    if (found)
      return kernel_signature();
    found = signature_of(kernel.open + 1, kernel.close, tokens);
    const auto begin = static_cast<std::size_t>(kernel.begin - tokens.words.cbegin());
    const auto end = static_cast<std::size_t>(kernel.close - tokens.words.cbegin());
    found->is_certain = found->is_certain && !is_conditional(tokens, begin, end);
  }
  if (!found && (tokens.has_directives || !macros.empty()))
    return kernel_signature();
  return found;
}

bool has_kernel_without_parameters(std::string_view source) {
  const program_tokens tokens = tokens_of(source);
  const std::vector<kernel_place> kernels = kernels_of(tokens.words);
  return std::any_of(kernels.begin(), kernels.end(),
                     [](const kernel_place& kernel) { return takes_nothing(kernel.open + 1, kernel.close); });
}

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
