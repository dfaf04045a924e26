// SPDX-License-Identifier: Apache-2.0
/// Tests what the compiler makes of functions of sub-groups in lane-generic kernels: loops of registers alone.
#include "disassembly.hpp"
#include "sanitized.hpp"
#include "testing.hpp"

#include <cstdio>
#include <string>
#include <vector>

namespace {

#if defined(__x86_64__) && defined(__AVX512F__) && defined(__OPTIMIZE__) && !defined(LANEFOLD_TEST_SANITIZED) &&       \
    !defined(LANEFOLD_CHECKED)

/// The innermost loops around a marker in the functions that run full sub-groups. (Partial ones run masked in a cold
/// function of their own.) The markers of kernels are in the names of these functions: those of all kernels of the
/// program would take 13 s to disassemble.
std::vector<disassembly::function> loops_around(unsigned marker) {
  const std::string number = std::to_string(marker);
  char text[32];
  std::snprintf(text, sizeof text, "0x%x(%%rax)", marker);
  std::vector<disassembly::function> loops;
  for (const char* run : {"run_groups_flat", "run_unit_flat"}) {
    for (const auto& function : disassembly::functions_with({run, number})) {
      for (std::size_t at = 0; at < function.size(); ++at) {
        if (function[at].text.starts_with("nop") && function[at].text.find(text) != std::string::npos) {
          loops.push_back(disassembly::loop_around(function, at));
        }
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
  if (!disassembly::available()) {
    GTEST_SKIP() << "no objdump";
  }
  const auto loops = loops_around(Marker);
  EXPECT_FALSE(loops.empty())
      << "the kernel was not inlined, or the functions that run full sub-groups have other names";
  for (const auto& loop : loops) {
    std::string all;
    bool clean = true;
    for (const auto& each : loop) {
      const std::string& text = each.text;
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
