// SPDX-License-Identifier: Apache-2.0
// The device library's functions of vectors and of users' types, and its variants.
#include "group_functions.hpp"
#include "user_types.hpp"

#include <array>

namespace {

using namespace gpu_testing;

template <class T, std::size_t N>
algebra<std::array<T, N>> vector_sums(const char* type) {
  using V = std::array<T, N>;
  return {type, "plus",
          [](V a, V b) {
            for (std::size_t i = 0; i < N; ++i)
              a[i] = static_cast<T>(a[i] + b[i]);
            return a;
          },
          [](std::mt19937& random) {
            V v;
            for (T& x : v)
              x = static_cast<T>(random() % 9);
            return v;
          }};
}

algebra<affine> compositions() {
  return {"affine",
          "then",
          then,
          [](std::mt19937& random) {
            return affine{static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random())};
          },
          {affine_type()},
          {affine_then()}};
}

TEST(gpu_types, vectors_of_four_floats) {
  LANEFOLD_NEED_OPENCL();
  check_functions(vector_sums<float, 4>("float4"), {32, 100, 256}, gpu::variant::automatic, false);
}

TEST(gpu_types, vectors_of_two_ints) {
  LANEFOLD_NEED_OPENCL();
  check_functions(vector_sums<std::int32_t, 2>("int2"), {64}, gpu::variant::automatic, false);
}

#ifdef LANEFOLD_TEST_THOROUGH
TEST(gpu_types, vectors_of_eight_doubles) {
  LANEFOLD_NEED_OPENCL();
  check_functions(vector_sums<double, 8>("double8"), {64}, gpu::variant::automatic, false);
}

TEST(gpu_types, vectors_of_sixteen_chars) {
  LANEFOLD_NEED_OPENCL();
  check_functions(vector_sums<std::int8_t, 16>("char16"), {40}, gpu::variant::automatic, false);
}
#endif

TEST(gpu_types, a_users_operator_keeps_its_order) {
  LANEFOLD_NEED_OPENCL();
  check_functions(compositions(), {1, 32, 77, 256});
}

TEST(gpu_types, vectors_of_two_halves) {
  LANEFOLD_NEED_HALF();
  check_functions(vector_sums<lanefold::half, 2>("half2"), {48}, gpu::variant::automatic, false); // of one word
}

#ifdef LANEFOLD_TEST_THOROUGH
TEST(gpu_types, vectors_of_four_halves) {
  LANEFOLD_NEED_HALF();
  check_functions(vector_sums<lanefold::half, 4>("half4"), {64}, gpu::variant::transposed, false);
}

TEST(gpu_types, vectors_of_sixteen_halves) {
  LANEFOLD_NEED_HALF();
  check_functions(vector_sums<lanefold::half, 16>("half16"), {40}, gpu::variant::automatic, false);
}
#endif

/// A true component is 1, as of scalars.
template <class T, std::size_t N>
algebra<std::array<T, N>> vector_conjunctions(const char* type) {
  algebra<std::array<T, N>> what = vector_sums<T, N>(type);
  what.op = "logical_and";
  what.apply = [](auto a, auto b) {
    for (std::size_t i = 0; i < N; ++i)
      a[i] = a[i] != T(0) && b[i] != T(0) ? T(1) : T(0);
    return a;
  };
  what.draw = [](std::mt19937& random) {
    std::array<T, N> v;
    for (T& x : v)
      x = static_cast<T>(random() % 40 == 0 ? 0 : 1);
    return v;
  };
  return what;
}

TEST(gpu_types, logical_operators_of_vectors) {
  LANEFOLD_NEED_OPENCL();
  check_functions(vector_conjunctions<float, 2>("float2"), {33}, gpu::variant::automatic, false);
#ifdef LANEFOLD_TEST_THOROUGH
  check_functions(vector_conjunctions<std::uint16_t, 2>("ushort2"), {32}, gpu::variant::automatic, false);
#endif
}

/// Variants that a flavour does not have are refused.
template <class T>
void check_variant(const algebra<T>& what, gpu::variant variant, std::size_t group) {
  for (const side& where : all_sides()) {
    if (is_simulator(where.device) && group > 64)
      continue;
    SCOPED_TRACE(where.name + ", groups of " + std::to_string(group) + ", seed " + std::to_string(seed()));
    gpu::queue q(where.device, lanefold::property::queue::in_order());
    function_checker<T> checker(where, what, variant, group, true);
    const bool any_flavour = variant == gpu::variant::local_tree || variant == gpu::variant::serial;
    if (!has_free_sub_groups(where) && !any_flavour) {
      EXPECT_EQ(code_thrown_by([&] { checker.run(q); }), lanefold::errc::invalid);
      continue;
    }
    checker.run(q);
    checker.check();
    if (testing::Test::HasFatalFailure())
      return;
  }
}

TEST(gpu_types, variant_local_tree) {
  LANEFOLD_NEED_OPENCL();
  check_variant(vector_sums<float, 1>("float"), gpu::variant::local_tree, 50);
}

TEST(gpu_types, variant_serial) {
  LANEFOLD_NEED_OPENCL();
  check_variant(vector_sums<double, 1>("double"), gpu::variant::serial, 53);
  check_variant(compositions(), gpu::variant::serial, 22);
}

TEST(gpu_types, variant_vendor) {
  LANEFOLD_NEED_OPENCL();
  const algebra<std::array<std::int32_t, 1>> sums = vector_sums<std::int32_t, 1>("int");
  for (const side& where : all_sides()) {
    SCOPED_TRACE(where.name);
    gpu::queue q(where.device, lanefold::property::queue::in_order());
    function_checker<std::array<std::int32_t, 1>> checker(where, sums, gpu::variant::vendor, 40, true);
    if (!where.device.library_target().vendor_functions) {
      EXPECT_EQ(code_thrown_by([&] { checker.run(q); }), lanefold::errc::invalid);
      continue;
    }
    checker.run(q);
    checker.check();
  }
}

TEST(gpu_types, variant_raking) {
  LANEFOLD_NEED_OPENCL();
  check_variant(vector_sums<std::int64_t, 1>("long"), gpu::variant::raking, 256);
  check_variant(vector_sums<std::int64_t, 1>("long"), gpu::variant::raking, 192); // rows of no whole fours
  check_variant(vector_sums<double, 1>("double"), gpu::variant::raking, 256);
}

TEST(gpu_types, variant_transposed) {
  LANEFOLD_NEED_OPENCL();
  check_variant(vector_sums<float, 4>("float4"), gpu::variant::transposed, 128);
  check_variant(vector_sums<std::int32_t, 8>("int8"), gpu::variant::transposed, 32);
  check_variant(vector_sums<double, 2>("double2"), gpu::variant::transposed, 1024);
}

TEST(gpu_types, variant_sub_group) {
  LANEFOLD_NEED_OPENCL();
  check_variant(vector_sums<float, 4>("float4"), gpu::variant::sub_group, 64);
}

// The sub-groups are taken for such that go in step, as PoCL has them, on devices where they are independent: results
// are right there too.
TEST(gpu_types, sub_groups_in_step) {
  LANEFOLD_NEED_OPENCL();
  const algebra<affine> what = compositions();
  const algebra<std::array<std::int64_t, 1>> sums = vector_sums<std::int64_t, 1>("long");
  bool any = false;
  for (const side& where : all_sides()) {
    if (where.flavour != gpu::flavour::khr && where.flavour != gpu::flavour::intel)
      continue;
    any = true;
    SCOPED_TRACE(where.name);
    gpu::library_target& target = where.device.state().target;
    const gpu::library_target usual = target;
    target.sub_groups_in_step = true;
    target.sub_group_sizes.clear();
    gpu::queue q(where.device, lanefold::property::queue::in_order());
    function_checker<affine> checker(where, what, gpu::variant::automatic, 64, true);
    checker.run(q);
    checker.check();
    function_checker<std::array<std::int64_t, 1>> tree(where, sums, gpu::variant::local_tree, 32, false);
    tree.run(q);
    tree.check();
    function_checker<affine> impossible(where, what, gpu::variant::sub_group, 64, true);
    EXPECT_EQ(code_thrown_by([&] { impossible.run(q); }), lanefold::errc::invalid);
    target = usual;
  }
  if (!any)
    GTEST_SKIP() << "no OpenCL device with sub-groups";
}

} // namespace
