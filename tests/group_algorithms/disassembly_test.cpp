// SPDX-License-Identifier: Apache-2.0
/// What the compiler makes of functions of sub-groups in lane-generic kernels: loops of registers alone.
// g++ 12 may make a copy of a kernel with other parameters, which `flatten` then forgets to inline. Here the question
// is what the group functions come to.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-ipa-sra")
#endif

#include "testing.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

#if defined(__x86_64__) && defined(__AVX512F__) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) &&          \
    !defined(__SANITIZE_THREAD__)

struct instruction {
  unsigned long address;
  std::string text;
};

/// The instructions of the functions that run full sub-groups, one list for each. (Partial ones run masked in a cold
/// function of their own.)
std::vector<std::vector<instruction>> disassembled() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) {
    return {};
  }
  path[length] = 0;
  const std::string command = "objdump -d --no-show-raw-insn '" + std::string(path) + "' 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::vector<std::vector<instruction>> functions;
  std::string line;
  bool wanted = false;
  for (int c = 0; (c = std::fgetc(pipe.get())) != EOF;) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    if (line.ends_with(">:")) {
      functions.emplace_back();
      wanted = line.find("run_groups_flat") != std::string::npos || line.find("run_unit_flat") != std::string::npos;
    } else if (!functions.empty() && line.starts_with("  ") && line.find(":\t") != std::string::npos) {
      if (wanted) {
        functions.back().push_back({std::strtoul(line.c_str(), nullptr, 16), line.substr(line.find(":\t") + 2)});
      }
    }
    line.clear();
  }
  return functions;
}

const std::vector<std::vector<instruction>>& functions_of_program() {
  static const auto functions = disassembled();
  return functions;
}

/// The innermost loops around a marker: from the target of the first jump backwards over it to that jump.
std::vector<std::vector<std::string>> loops_around(unsigned marker) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%x(%%rax)", marker);
  std::vector<std::vector<std::string>> loops;
  for (const auto& function : functions_of_program()) {
    for (std::size_t at = 0; at < function.size(); ++at) {
      if (!function[at].text.starts_with("nop") || function[at].text.find(text) == std::string::npos) {
        continue;
      }
      for (std::size_t end = at; end < function.size(); ++end) {
        const std::string& jump = function[end].text;
        if (!jump.starts_with("j")) {
          continue;
        }
        const unsigned long target = std::strtoul(jump.c_str() + jump.find_first_of(" \t"), nullptr, 16);
        if (target > function[at].address || target < function.front().address) {
          continue;
        }
        std::vector<std::string> loop;
        for (const auto& each : function) {
          if (each.address >= target && each.address <= function[end].address) {
            loop.push_back(each.text);
          }
        }
        loops.push_back(loop);
        break;
      }
    }
  }
  return loops;
}

/// An instruction that does nothing and is found again. (Not in the kernel itself: g++ does not inline what has one.)
template <unsigned Marker>
LANEFOLD_ALWAYS_INLINE void mark() {
  asm volatile("nopl %c0(%%rax)" : : "i"(Marker));
}

/// Runs a kernel that calls `f` again and again, and looks at the loop.
template <unsigned Marker, class T, class F>
void expect_registers_only(F f) {
  std::vector<T> data(64, T(1));
  const lf::view<T> d(data.data(), data.size());
  unsigned rounds = 3;
  asm("" : "+r"(rounds));
  run_groups<lf::simd<16>>(2, 32, [=](auto it) {
    const lf::view<const T> in(d);
    const auto i = it.get_global_id(0);
    const auto first = in[i];
    auto value = it.var(first);
    for (unsigned round = 0; round < rounds; ++round) {
      mark<Marker>();
      value = first + f(it.get_sub_group(), value);
    }
    d[i] = value;
  });
  if (functions_of_program().empty()) {
    GTEST_SKIP() << "no objdump";
  }
  const auto loops = loops_around(Marker);
  EXPECT_FALSE(loops.empty()) << "the kernel was not inlined";
  for (const auto& loop : loops) {
    std::string all;
    bool clean = true;
    for (const auto& text : loop) {
      all += "  " + text + "\n";
      const bool nothing = text.starts_with("nop") || text.starts_with("data16") || text.starts_with("cs nop");
      const bool constant = text.find("(%rip)") != std::string::npos; // the pattern of a shuffle
      clean = clean && (nothing || constant || (text.find('(') == std::string::npos && !text.starts_with("call")));
    }
    EXPECT_TRUE(clean) << all;
    EXPECT_GT(loop.size(), 3U) << all;
  }
}

TEST(disassembly, reductions) {
  expect_registers_only<0x7e57001, float>(
      [](auto sg, const auto& v) LANEFOLD_INLINE_LAMBDA { return lf::reduce_over_group(sg, v, lf::plus<>{}); });
  expect_registers_only<0x7e57002, int>(
      [](auto sg, const auto& v) LANEFOLD_INLINE_LAMBDA { return lf::reduce_over_group(sg, v, lf::maximum<>{}); });
}

TEST(disassembly, scans) {
  expect_registers_only<0x7e57003, float>(
      [](auto sg, const auto& v) LANEFOLD_INLINE_LAMBDA { return lf::inclusive_scan_over_group(sg, v, lf::plus<>{}); });
  expect_registers_only<0x7e57004, int>(
      [](auto sg, const auto& v) LANEFOLD_INLINE_LAMBDA { return lf::exclusive_scan_over_group(sg, v, lf::plus<>{}); });
}

TEST(disassembly, shuffles) {
  expect_registers_only<0x7e57005, float>([](auto sg, const auto& v)
                                              LANEFOLD_INLINE_LAMBDA { return lf::permute_group_by_xor(sg, v, 4); });
  expect_registers_only<0x7e57006, int>([](auto sg, const auto& v)
                                            LANEFOLD_INLINE_LAMBDA { return lf::shift_group_left(sg, v, 1); });
  expect_registers_only<0x7e57007, int>([](auto sg, const auto& v)
                                            LANEFOLD_INLINE_LAMBDA { return lf::shift_group_right(sg, v, 3); });
  expect_registers_only<0x7e57008, int>([](auto sg, const auto& v)
                                            LANEFOLD_INLINE_LAMBDA { return lf::select_from_group(sg, v, v); });
}

TEST(disassembly, votes_and_broadcasts) {
  expect_registers_only<0x7e57009, int>(
      [](auto sg, const auto& v) LANEFOLD_INLINE_LAMBDA { return static_cast<int>(lf::any_of_group(sg, v == 3)); });
  expect_registers_only<0x7e5700a, int>([](auto sg, const auto& v)
                                            LANEFOLD_INLINE_LAMBDA { return lf::group_broadcast(sg, v, 5); });
}

#else

TEST(disassembly, needs_avx512_and_optimisation) { GTEST_SKIP() << "compiled for another instruction set"; }

#endif

} // namespace
