// SPDX-License-Identifier: Apache-2.0
/// Reads what the compiler made of a function of the running test program: its instructions, and its loops.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <unistd.h>

namespace disassembly {

struct instruction {
  unsigned long address;
  std::string text;
  bool on_stack = false; ///< names an address relative to the stack's pointer or to the frame's, where there is one
};
using function = std::vector<instruction>;

/// Notes which instructions read or write the stack. %rbp holds an address there only in functions that make a frame;
/// in others it may be that of an array.
inline void note_stack(function& f) {
  bool frame = false;
  for (auto& each : f) {
    frame = frame || (each.text.starts_with("mov") && each.text.ends_with("%rsp,%rbp"));
    each.on_stack =
        each.text.find("(%rsp") != std::string::npos || (frame && each.text.find("(%rbp") != std::string::npos);
  }
}

/// Returns whether there is an objdump to read the program with.
inline bool available() { return std::system("objdump --version > /dev/null 2>&1") == 0; }

/// The functions of this program whose mangled names contain all of `parts`.
inline std::vector<function> functions_with(const std::vector<std::string_view>& parts) {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) {
    return {};
  }
  path[length] = 0;
  const std::string command = "objdump -d --no-show-raw-insn '" + std::string(path) + "' 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::vector<function> functions;
  std::string line;
  bool wanted = false;
  for (int c = 0; (c = std::fgetc(pipe.get())) != EOF;) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    if (line.ends_with(">:")) {
      wanted = true;
      for (const auto part : parts) {
        wanted = wanted && line.find(part) != std::string::npos;
      }
      if (wanted) {
        functions.emplace_back();
      }
    } else if (wanted && line.starts_with("  ") && line.find(":\t") != std::string::npos) {
      functions.back().push_back({std::strtoul(line.c_str(), nullptr, 16), line.substr(line.find(":\t") + 2)});
    }
    line.clear();
  }
  for (auto& each : functions) {
    note_stack(each);
  }
  return functions;
}

/// The loop around instruction `at`: from the target of the first jump backwards over it to that jump. Empty if none.
inline function loop_around(const function& f, std::size_t at) {
  for (std::size_t end = at; end < f.size(); ++end) {
    const std::string& jump = f[end].text;
    if (!jump.starts_with("j")) {
      continue;
    }
    const unsigned long target = std::strtoul(jump.c_str() + jump.find_first_of(" \t"), nullptr, 16);
    if (target > f[at].address || target < f.front().address) {
      continue;
    }
    function loop;
    for (const auto& each : f) {
      if (each.address >= target && each.address <= f[end].address) {
        loop.push_back(each);
      }
    }
    return loop;
  }
  return {};
}

/// Expects loops around the instructions that `is_work` finds, and in them no instruction that `is_flaw` finds.
inline void expect_clean_loops(const std::vector<function>& functions, bool (*is_work)(const std::string&),
                               bool (*is_flaw)(const instruction&)) {
  ASSERT_FALSE(functions.empty()) << "the loop over the groups is not among the symbols of this program";
  std::size_t loops = 0;
  for (const auto& f : functions) {
    for (std::size_t at = 0; at < f.size(); ++at) {
      if (!is_work(f[at].text)) {
        continue;
      }
      const auto loop = loop_around(f, at);
      ASSERT_FALSE(loop.empty()) << f[at].text;
      ++loops;
      std::string all;
      bool clean = true;
      for (const auto& each : loop) {
        all += "  " + each.text + "\n";
        clean = clean && !is_flaw(each);
      }
      ASSERT_TRUE(clean) << all;
    }
  }
  EXPECT_GT(loops, 0U) << "the kernel was not inlined";
}

} // namespace disassembly
