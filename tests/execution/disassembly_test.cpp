// SPDX-License-Identifier: Apache-2.0
/// Masks cost nothing where control flow is uniform: read from what the compiler made of a triad.
#include "disassembly.hpp"
#include "sanitized.hpp"

#include <lanefold/lanefold.hpp>

#include <gtest/gtest.h>

namespace lf = lanefold;

#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(LANEFOLD_TEST_SANITIZED)

/// Not in an unnamed namespace: the symbols of its kernel are found by this name.
void triad_to_disassemble(lf::queue& q, lf::view<float> a, lf::view<const float> b, lf::view<const float> c) {
  q.parallel_for(lf::nd_range<1>(a.size(), 256), lf::properties{lf::property::strategy<lf::simd<64>>{}}, [=](auto it) {
     const auto i = it.get_global_id(0);
     a[i] = b[i] + 3.0F * c[i];
   }).wait();
}

namespace {

bool is_triad(const std::string& text) {
  return text.find("mulps") != std::string::npos || text.find("vfm") != std::string::npos;
}

bool is_mask_code(const std::string& text) {
  return text.find("%k") != std::string::npos || text.find("blend") != std::string::npos ||
         text.find("maskmov") != std::string::npos || text.starts_with("call") || text.starts_with("and") ||
         text.starts_with("pand") || text.starts_with("vpand");
}

TEST(disassembly, triad_of_full_sub_groups_has_no_masks) {
  std::vector<float> a(1024), b(1024, 1.0F), c(1024, 2.0F);
  lf::queue q;
  triad_to_disassemble(q, {a.data(), 1024}, {b.data(), 1024}, {c.data(), 1024});
  EXPECT_EQ(a.back(), 7.0F);

  if (!disassembly::available()) {
    GTEST_SKIP() << "no objdump";
  }
  auto functions = disassembly::functions_with({"triad_to_disassemble", "run_groups_flat"});
  if (functions.empty()) { // inlined into nd_launch::run
    functions = disassembly::functions_with({"triad_to_disassemble", "3runEmm"});
  }
  disassembly::expect_clean_loops(functions, is_triad, is_mask_code);
}

} // namespace

#else

TEST(disassembly, needs_x86_and_optimisation) { GTEST_SKIP() << "compiled for something else"; }

#endif
