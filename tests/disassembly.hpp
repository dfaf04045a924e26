// SPDX-License-Identifier: Apache-2.0
/// Reads what the compiler made of a function of the running test program: its instructions, and its loops.
#pragma once

#include <algorithm>
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

/// Returns whether there are the programs to read this one with.
inline bool available() { return std::system("(objdump --version && nm --version) > /dev/null 2>&1") == 0; }

/// Calls f with each line that a command prints.
template <class F>
void for_each_line(const std::string& command, F f) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>/dev/null").c_str(), "r"), pclose);
  std::string line;
  for (int c = 0; (c = std::fgetc(pipe.get())) != EOF;) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    f(line);
    line.clear();
  }
}

/// Where a function lies in the program.
struct extent {
  unsigned long address;
  unsigned long size;
};

/// The functions of `program` whose mangled names contain all of `parts`, each once.
inline std::vector<extent> extents_with(const std::string& program, const std::vector<std::string_view>& parts) {
  std::vector<extent> found;
  for_each_line("nm --defined-only -S -n '" + program + "'", [&](const std::string& line) { // address size type name
    char* rest = nullptr;
    const extent here{std::strtoul(line.c_str(), &rest, 16), std::strtoul(rest, &rest, 16)};
    const auto has = [&](std::string_view part) { return line.find(part) != std::string::npos; };
    if (here.size != 0 && (found.empty() || found.back().address != here.address) &&
        std::string_view("tTwW").find(rest[1]) != std::string_view::npos &&
        std::all_of(parts.begin(), parts.end(), has)) {
      found.push_back(here);
    }
  });
  return found;
}

/// The functions of this program whose mangled names contain all of `parts`. (To disassemble the whole program, of 90
/// MB, takes 4 to 8 s.)
inline std::vector<function> functions_with(const std::vector<std::string_view>& parts) {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) {
    return {};
  }
  const std::string program(path, static_cast<std::size_t>(length));
  std::vector<function> functions;
  for (const auto& [address, size] : extents_with(program, parts)) {
    function& f = functions.emplace_back();
    for_each_line("objdump -d --no-show-raw-insn --start-address=" + std::to_string(address) +
                      " --stop-address=" + std::to_string(address + size) + " '" + program + "'",
                  [&](const std::string& line) {
                    if (line.starts_with("  ") && line.find(":\t") != std::string::npos) {
                      f.push_back({std::strtoul(line.c_str(), nullptr, 16), line.substr(line.find(":\t") + 2)});
                    }
                  });
    note_stack(f);
  }
  return functions;
}

/// Multiplications of several floats, and, in the second one, those with an addition.
inline bool multiplies_floats(const std::string& text) {
  return text.starts_with("mulps") || text.starts_with("vmulps");
}
inline bool multiplies_or_adds_floats(const std::string& text) {
  return multiplies_floats(text) || (text.starts_with("vfmadd") && text.find("ps ") != std::string::npos);
}

/// Expects an instruction that `is_work` finds in a function of this program whose mangled name contains `kernel` and
/// `loop`: the loop of the kernel is vectorised. Skips the test where there are no programs to read this one with.
inline void expect_vectorised(std::string_view kernel, std::string_view loop, bool (*is_work)(const std::string&)) {
  if (!available()) {
    GTEST_SKIP() << "no objdump";
  }
  const auto found = functions_with({kernel, loop});
  ASSERT_FALSE(found.empty()) << "the loop of " << kernel << " is not among the symbols of this program";
  EXPECT_TRUE(std::any_of(found.begin(), found.end(),
                          [&](const function& f) {
                            return std::any_of(f.begin(), f.end(),
                                               [&](const instruction& each) { return is_work(each.text); });
                          }))
      << "the loop of " << kernel << " is not vectorised";
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
