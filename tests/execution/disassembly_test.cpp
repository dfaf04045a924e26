// SPDX-License-Identifier: Apache-2.0
/// Read from what the compiler made of small kernels: masks cost nothing where control flow is uniform, and the item
/// that a kernel is given costs nothing, in any dimension.
#include "disassembly.hpp"
#include "sanitized.hpp"

#include <lanefold/lanefold.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace lf = lanefold;

#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(LANEFOLD_TEST_SANITIZED) && !defined(LANEFOLD_CHECKED)

/// Not in an unnamed namespace: the symbols of its kernel are found by this name.
void triad_to_disassemble(lf::queue& q, lf::view<float> a, lf::view<const float> b, lf::view<const float> c) {
  q.parallel_for(lf::nd_range<1>(a.size(), 256), lf::properties{lf::property::strategy<lf::simd<64>>{}}, [=](auto it) {
     const auto i = it.get_global_id(0);
     a[i] = b[i] + 3.0F * c[i];
   }).wait();
}

/// The same for some work-items only.
void part_to_disassemble(lf::queue& q, lf::view<float> a, lf::view<const float> b, std::size_t first) {
  q.parallel_for(lf::nd_range<1>(a.size(), 256), lf::properties{lf::property::strategy<lf::simd<64>>{}}, [=](auto it) {
     const auto i = it.get_global_id(0);
     it.if_(i >= first, [&] { a[i] = b[i] + 3.0F * b[i - first]; });
   }).wait();
}

using lf::dim;

void stencil_1d_to_disassemble(lf::queue& q, lf::view<const float> in, lf::view<float> out, std::size_t n) {
  q.parallel_for(lf::nd_range<1>(n, 256), lf::properties{lf::property::strategy<lf::simd<16>>{}}, [=](auto it) {
     const auto x = it.get_global_id(0) + 1;
     out[x] = 0.2F * (in[x] + in[x - 1] + in[x + 1]);
   }).wait();
}
void stencil_2d_to_disassemble(lf::queue& q, lf::view<const float, 2> in, lf::view<float, 2> out, std::size_t n) {
  q.parallel_for(lf::nd_range<2>({n, n}, {4, 64}), lf::properties{lf::property::strategy<lf::simd<16>>{}},
                 [=](auto it) {
                   const auto group = it.get_group();
                   const auto y = group.get_group_id(0) * it.get_local_range(0) + it.get_local_id(dim<0>) + 1;
                   const auto x = it.get_global_id(1) + 1;
                   out[y][x] = 0.2F * (in[y][x] + in[y - 1][x] + in[y + 1][x] + in[y][x - 1] + in[y][x + 1]);
                 })
      .wait();
}
void stencil_3d_to_disassemble(lf::queue& q, lf::view<const float, 2> in, lf::view<float, 2> out, std::size_t n) {
  q.parallel_for(lf::nd_range<3>({n / 16, 16, n}, {1, 4, 64}), lf::properties{lf::property::strategy<lf::simd<16>>{}},
                 [=](auto it) {
                   const auto y = it.get_global_id(0) * 16 + it.get_global_id(1) + 1;
                   const auto x = it.get_global_id(2) + 1;
                   out[y][x] = 0.2F * (in[y][x] + in[y - 1][x] + in[y + 1][x] + in[y][x - 1] + in[y][x + 1]);
                 })
      .wait();
}
void range_3d_to_disassemble(lf::queue& q, lf::view<const float, 2> in, lf::view<float, 2> out, std::size_t n) {
  q.parallel_for(lf::range<3>(n / 16, 16, n), lf::properties{lf::property::strategy<lf::simd<16>>{}}, [=](auto it) {
     const auto y = it.get_id(0) * 16 + it.get_id(1) + 1;
     const auto x = it.get_id(2) + 1;
     out[y][x] = 0.2F * (in[y][x] + in[y - 1][x] + in[y + 1][x] + in[y][x - 1] + in[y][x + 1]);
   }).wait();
}
void work_items_3d_to_disassemble(lf::queue& q, const float* in, float* out, std::size_t n) {
  q.parallel_for(lf::nd_range<3>({n / 16, 16, n}, {1, 4, 64}), [=](lf::nd_item<3> it) {
     const std::size_t y = it.get_global_id(0) * 16 + it.get_global_id(1) + 1;
     const std::size_t i = y * (it.get_global_range(2) + 2) + it.get_global_id(2) + 1;
     out[i] = 0.2F * (in[i] + in[i - 1] + in[i + 1]);
   }).wait();
}
/// A work-item kernel that is too large for compilers to inline it of their own accord.
struct large_kernel {
  const float* x;
  const float* y;
  float* to;
  LANEFOLD_ALWAYS_INLINE void operator()(int row, int column) const {
    const int i = (row + 1) * 66 + column + 1;
    float sum = 0;
    term<1>(sum, i), term<2>(sum, i), term<3>(sum, i), term<4>(sum, i), term<5>(sum, i), term<6>(sum, i);
    term<7>(sum, i), term<8>(sum, i), term<9>(sum, i), term<10>(sum, i), term<11>(sum, i), term<12>(sum, i);
    to[i] = sum;
  }

private:
  template <int N>
  LANEFOLD_ALWAYS_INLINE void term(float& sum, int i) const {
    sum += (x[i + 1] * N - x[i - 1]) * (y[i + 66] - y[i - 66] * N) / (x[i] * N + 2.0F * y[i]);
  }
};
void large_range_to_disassemble(lf::queue& q, const large_kernel& kernel, std::size_t n) {
  q.parallel_for(lf::range<2>(n, n), [kernel](lf::id<2> at) {
     kernel(static_cast<int>(at[0]), static_cast<int>(at[1]));
   }).wait();
}
void large_groups_to_disassemble(lf::queue& q, const large_kernel& kernel, std::size_t n) {
  q.parallel_for(lf::nd_range<2>({n, n}, {4, 64}), [kernel](lf::nd_item<2> it) {
     kernel(static_cast<int>(it.get_global_id(0)), static_cast<int>(it.get_global_id(1)));
   }).wait();
}
/// The tile goes through local memory: its units meet.
void tiles_to_disassemble(lf::queue& q, lf::view<const float, 2> in, lf::view<float, 2> out, std::size_t n) {
  q.submit([&](lf::handler& h) {
     lf::local_accessor<float, 2> tile(lf::range<2>(6, 66), h);
     h.parallel_for(lf::nd_range<2>({n, n}, {4, 64}), lf::properties{lf::property::strategy<lf::simd<16>>{}},
                    [=](auto it) {
                      const auto y = it.get_global_id(0) + 1;
                      const auto x = it.get_global_id(1) + 1;
                      const auto ly = it.get_local_id(dim<0>) + 1;
                      const auto lx = it.get_local_id(1) + 1;
                      tile[ly][lx] = in[y][x];
                      it.if_(ly == 1, [&] { tile[0][lx] = in[y - 1][x]; });
                      it.if_(ly == 4, [&] { tile[5][lx] = in[y + 1][x]; });
                      lf::group_barrier(it.get_group());
                      out[y][x] = 0.2F * (tile[ly][lx] + tile[ly - 1][lx] + tile[ly + 1][lx]);
                    });
   }).wait();
}

/// Varying indices of 32 bits into local memory of two dimensions.
void narrow_indices_to_disassemble(lf::queue& q, lf::view<const unsigned> to, lf::view<float> out, unsigned plane) {
  q.submit([&](lf::handler& h) {
     lf::local_accessor<float, 2> tile(lf::range<2>(2, 256), h);
     h.parallel_for(lf::nd_range<1>(out.size(), 256), lf::properties{lf::property::strategy<lf::simd<64>>{}},
                    [=](auto it) {
                      const auto i = it.get_global_id(0);
                      const auto j = to[i];
                      tile[plane][j] = lf::convert<float>(j);
                      lf::group_barrier(it.get_group());
                      out[i] = tile[plane][(j + 1U) % 256U];
                    });
   }).wait();
}
/// Counters of loops that begin with an id.
void strided_loop_to_disassemble(lf::queue& q, lf::view<const unsigned> first, lf::view<const float> x,
                                 lf::view<float> sums) {
  q.parallel_for(lf::nd_range<1>(sums.size(), 16), lf::properties{lf::property::strategy<lf::simd<16>>{}},
                 [=](auto it) {
                   const std::size_t row = it.get_group(0);
                   auto sum = it.var(0.0F);
                   it.for_(first[row] + it.get_local_id(0), first[row + 1], 16, [&](auto k) { sum += x[k]; });
                   sums[it.get_global_id(0)] = sum;
                 })
      .wait();
}

namespace {

/// Says whether a vector is stored to the stack or read from there: a piece of the item that is copied.
bool is_copy_on_the_stack(const disassembly::instruction& each) {
  return each.on_stack && (each.text.find("%xmm") != std::string::npos || each.text.find("%ymm") != std::string::npos ||
                           each.text.find("%zmm") != std::string::npos);
}
bool is_stencil(const std::string& text) {
  return text.find("mulps") != std::string::npos || text.find("mulss") != std::string::npos;
}

class item_of_a_kernel : public ::testing::Test {
protected:
  static constexpr std::size_t n = 64;

  void expect_no_copies(std::string_view name, std::vector<std::string_view> functions,
                        bool (*is_copy)(const disassembly::instruction&) = is_copy_on_the_stack) const {
    for (std::size_t y = 1; y <= n; ++y) {
      for (std::size_t x = 1; x <= n; ++x) {
        ASSERT_NE(to[y * (n + 2) + x], 0.0F) << name << " has not written (" << y << ", " << x << ")";
      }
    }
    if (!disassembly::available()) {
      GTEST_SKIP() << "no objdump";
    }
    for (const std::string_view function : functions) {
      const auto found = disassembly::functions_with({name, function});
      if (!found.empty()) {
        disassembly::expect_clean_loops(found, is_stencil, is_copy);
        return;
      }
    }
    FAIL() << "the loop of " << name << " is not among the symbols of this program";
  }

  lf::queue q;
  std::vector<float> from = std::vector<float>((n + 2) * (n + 2), 1.0F);
  std::vector<float> to = std::vector<float>((n + 2) * (n + 2), 0.0F);
  lf::view<const float, 2> in{from.data(), {n + 2, n + 2}};
  lf::view<float, 2> out{to.data(), {n + 2, n + 2}};
};

TEST_F(item_of_a_kernel, costs_nothing_in_one_dimension) {
  const std::size_t all = n * (n + 4);
  stencil_1d_to_disassemble(q, {from.data(), from.size()}, {to.data(), to.size()}, all);
  expect_no_copies("stencil_1d_to_disassemble", {"run_groups_flat", "10run_groupsE"});
}
TEST_F(item_of_a_kernel, costs_nothing_in_two_dimensions) {
  stencil_2d_to_disassemble(q, in, out, n);
  expect_no_copies("stencil_2d_to_disassemble", {"run_groups_flat", "10run_groupsE"});
}
TEST_F(item_of_a_kernel, costs_nothing_in_three_dimensions) {
  stencil_3d_to_disassemble(q, in, out, n);
  expect_no_copies("stencil_3d_to_disassemble", {"run_groups_flat", "10run_groupsE"});
}
TEST_F(item_of_a_kernel, costs_nothing_over_a_range) {
  range_3d_to_disassemble(q, in, out, n);
  expect_no_copies("range_3d_to_disassemble", {"run_row_lanes", "3runEmm"});
}
TEST_F(item_of_a_kernel, costs_nothing_in_work_item_kernels) {
  work_items_3d_to_disassemble(q, from.data(), to.data(), n);
  expect_no_copies("work_items_3d_to_disassemble", {"run_groups_flat", "10run_groupsE"});
}

/// Loops over work-items contain the kernel: behind a call it would not be vectorised.
class large_kernels : public item_of_a_kernel {
protected:
  void expect_no_calls(std::string_view name, std::string_view loop) const {
    for (std::size_t i = n + 3; i < to.size() - n - 3; ++i) {
      const bool inner = i % (n + 2) != 0 && i % (n + 2) != n + 1;
      ASSERT_EQ(to[i] != 0.0F, inner) << name << ", element " << i;
    }
    if (!disassembly::available()) {
      GTEST_SKIP() << "no objdump";
    }
    const auto found = disassembly::functions_with({name, loop});
    ASSERT_FALSE(found.empty()) << "the loop of " << name << " is not among the symbols of this program";
    for (const auto& function : found) {
      for (const auto& each : function) {
        EXPECT_FALSE(each.text.starts_with("call") && each.text.find(name) != std::string::npos) << each.text;
      }
    }
  }
  std::vector<float> other = std::vector<float>((n + 2) * (n + 2), 3.0F);
  large_kernel kernel{from.data(), other.data(), to.data()};
};
TEST_F(large_kernels, are_inlined_into_the_loop_over_a_range) {
  large_range_to_disassemble(q, kernel, n);
  expect_no_calls("large_range_to_disassemble", "run_strip_flat");
}
TEST_F(large_kernels, are_inlined_into_the_loop_over_groups) {
  large_groups_to_disassemble(q, kernel, n);
  expect_no_calls("large_groups_to_disassemble", "run_groups_flat");
}
#if defined(__AVX512F__)
/// Says whether a line copies through the stack, but for the constants, as wide as the lanes, that a barrier leaves
/// there.
bool is_narrow_copy_on_the_stack(const disassembly::instruction& each) {
  return is_copy_on_the_stack(each) && each.text.find("%zmm") == std::string::npos;
}

TEST_F(item_of_a_kernel, costs_nothing_where_units_meet) {
  tiles_to_disassemble(q, in, out, n);
  expect_no_copies("tiles_to_disassemble", {"run_unit_flat"}, is_narrow_copy_on_the_stack);
}
#endif

/// Expects no instruction of these names in the kernels of a function.
void expect_none(std::string_view name, std::vector<std::string_view> instructions) {
  if (!disassembly::available()) {
    GTEST_SKIP() << "no objdump";
  }
  const auto functions = disassembly::functions_with({name, "nd_launch"});
  ASSERT_FALSE(functions.empty()) << "the kernel is not among the symbols of this program";
  for (const auto& function : functions) {
    for (const auto& each : function) {
      for (const auto instruction : instructions) {
        EXPECT_EQ(each.text.find(instruction), std::string::npos) << each.text;
      }
    }
  }
}

TEST(indices, of_32_bits_stay_narrow_in_local_memory) {
  std::vector<unsigned> to(1024);
  std::vector<float> out(1024);
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] = static_cast<unsigned>(i * 5 % 256);
  }
  lf::queue q;
  narrow_indices_to_disassemble(q, {to.data(), to.size()}, {out.data(), out.size()}, 1);
  for (std::size_t i = 0; i < to.size(); ++i) {
    ASSERT_EQ(out[i], static_cast<float>((to[i] + 1) % 256)) << i;
  }
  expect_none("narrow_indices_to_disassemble", {"gatherq", "scatterq"});
}

TEST(indices, of_loops_that_begin_with_an_id_stay_affine) {
  const std::vector<unsigned> first = {0, 5, 100, 133};
  std::vector<float> x(133), sums(48);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i);
  }
  lf::queue q;
  strided_loop_to_disassemble(q, {first.data(), first.size()}, {x.data(), x.size()}, {sums.data(), sums.size()});
  for (std::size_t i = 0; i < sums.size(); ++i) {
    float sum = 0;
    for (std::size_t k = first[i / 16] + i % 16; k < first[i / 16 + 1]; k += 16) {
      sum += x[k];
    }
    ASSERT_EQ(sums[i], sum) << i;
  }
  expect_none("strided_loop_to_disassemble", {"gather"});
}

bool is_triad(const std::string& text) {
  return text.find("mulps") != std::string::npos || text.find("vfm") != std::string::npos;
}

bool is_mask_code(const disassembly::instruction& each) {
  const std::string& text = each.text;
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
  if (functions.empty()) { // inlined into nd_launch::run_groups
    functions = disassembly::functions_with({"triad_to_disassemble", "10run_groupsE"});
  }
  disassembly::expect_clean_loops(functions, is_triad, is_mask_code);
}

[[gnu::noinline]] void does_nothing_but_prefetch(const float* p) { lf::global_ptr<const float>(p).prefetch(64); }
[[gnu::noinline]] int calls_what_prefetches(const float* p) {
  does_nothing_but_prefetch(p);
  return 1;
}

/// Compilers take a function that does nothing but prefetch to have no effect.
TEST(disassembly, calls_of_functions_that_prefetch_are_not_left_out) {
  const float x = 0;
  EXPECT_EQ(calls_what_prefetches(&x), 1);
  if (!disassembly::available()) {
    GTEST_SKIP() << "no objdump";
  }
  const auto callers = disassembly::functions_with({"calls_what_prefetches"});
  ASSERT_EQ(callers.size(), 1u);
  EXPECT_TRUE(std::ranges::any_of(callers.front(), [](const disassembly::instruction& each) {
    return each.text.find("does_nothing_but_prefetch") != std::string::npos || each.text.starts_with("prefetch");
  }));
}

/// Of the loop over the groups, wherever it was inlined.
std::size_t prefetches_of(std::string_view name) {
  std::size_t count = 0;
  auto functions = disassembly::functions_with({name, "run_groups_flat"});
  if (functions.empty()) {
    functions = disassembly::functions_with({name, "10run_groupsE"});
  }
  EXPECT_FALSE(functions.empty()) << name;
  for (const auto& f : functions) {
    count += static_cast<std::size_t>(std::ranges::count_if(
        f, [](const disassembly::instruction& each) { return each.text.starts_with("prefetch"); }));
  }
  return count;
}

/// Kernels ask for what lies ahead where hardware does not (docs/decisions/071), and nowhere else.
TEST(divergent_code, asks_ahead) {
  std::vector<float> a(1024, 1.0F);
  const std::vector<float> b(1024, 2.0F);
  lf::queue q;
  part_to_disassemble(q, {a.data(), 1024}, {b.data(), 1024}, 100);
  EXPECT_EQ(a[99], 1.0F);
  EXPECT_EQ(a[100], 8.0F);
  if (!disassembly::available()) {
    GTEST_SKIP() << "no objdump";
  }
  EXPECT_GT(prefetches_of("part_to_disassemble"), 0U);
  EXPECT_EQ(prefetches_of("triad_to_disassemble"), 0U);
}

} // namespace

#else

TEST(disassembly, needs_x86_and_optimisation) { GTEST_SKIP() << "compiled for something else"; }

#endif
