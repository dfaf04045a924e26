// SPDX-License-Identifier: Apache-2.0
/// Private memory of static tiles lives in registers: read from what the compiler made of a register-blocked product.
#include "disassembly.hpp"
#include "sanitized.hpp"
#include "testing.hpp"

#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(LANEFOLD_TEST_SANITIZED) && !defined(LANEFOLD_CHECKED)

inline constexpr std::size_t width = lf::detail::native_lanes / 2, rows = 4, columns = 2 * width, depth = 64;

/// Not in an unnamed namespace: the symbols of its kernel are found by this name.
void register_block_to_disassemble(lf::queue& q, lf::view<const double, 2> a, lf::view<const double, 2> b,
                                   lf::view<double, 2> c) {
  q.parallel(lf::range<2>(2, 1), lf::static_range<2 * rows, columns>(), how<lf::simd<width>>(), [=](auto group) {
     lf::distribute_groups(group, lf::static_range<rows, columns>(), [&](auto tile) {
       lf::memory_environment(tile, lf::require_private_mem<double>(0.0), [&](auto& sum) {
         for (std::size_t k = 0; k < depth; ++k) {
           lf::distribute_items(tile, [&](auto it) {
             const auto [row, column] = it.get_global_id();
             sum(it) += a[row][k] * b[k][column];
           });
         }
         lf::distribute_items(tile, [&](auto it) { c[it.get_global_id()] = sum(it); });
       });
     });
   }).wait();
}

namespace {

bool is_product(const std::string& text) {
  return text.find("mulpd") != std::string::npos || text.find("vfmadd") != std::string::npos;
}

bool is_flaw(const disassembly::instruction& each) {
  const std::string& text = each.text;
  return each.on_stack || text.find("%rsp") != std::string::npos || text.find("%k") != std::string::npos ||
         text.starts_with("call") || text.find("blend") != std::string::npos ||
         text.find("maskmov") != std::string::npos;
}

TEST(disassembly, private_memory_of_static_tiles_lives_in_registers) {
  std::vector<double> a(4 * rows * depth, 1.0), b(depth * columns, 2.0), c(4 * rows * columns);
  lf::queue q;
  register_block_to_disassemble(q, {a.data(), {4 * rows, depth}}, {b.data(), {depth, columns}},
                                {c.data(), {4 * rows, columns}});
  EXPECT_EQ(c, std::vector<double>(c.size(), 2.0 * depth));

  if (!disassembly::available()) {
    GTEST_SKIP() << "no objdump";
  }
  const auto functions = disassembly::functions_with({"register_block_to_disassemble", "run_groups"});
  disassembly::expect_clean_loops(functions, is_product, is_flaw);
}

} // namespace

#else

TEST(disassembly, needs_x86_and_optimisation) { GTEST_SKIP() << "compiled for something else"; }

#endif
