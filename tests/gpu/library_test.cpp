// SPDX-License-Identifier: Apache-2.0
// Tests what the device library prints, needs and refuses; groups of several dimensions; joint algorithms; the
// programs.
#include "testing.hpp"

#include <gpu/program_kernels.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace {

using namespace gpu_testing;
using lanefold::errc;

gpu::library_target target_of(gpu::flavour flavour) {
  gpu::library_target target;
  target.flavour = flavour;
  target.khr = target.intel = target.nv = target.fp64 = true;
  return target;
}

TEST(gpu_library, prints_what_a_program_uses_and_nothing_else) {
  const gpu::library_target target = target_of(gpu::flavour::nv);
  gpu::library_options options;
  options.work_group = {256, 1, 1};
  EXPECT_EQ(gpu::print_library(target, options, "kernel void k() {}"), "");
  const std::string text = gpu::print_library(target, options, "x = lf_reduce_plus_int(x, &s); // lf_any_of");
  EXPECT_NE(text.find("lf_reduce_plus_int("), text.npos);
  EXPECT_NE(text.find("redux.sync.add.s32"), text.npos);
  EXPECT_EQ(text.find("lf_any_of"), text.npos);
  EXPECT_EQ(text.find("scan"), text.npos);
  EXPECT_EQ(text.find("float"), text.npos);
  EXPECT_EQ(text.find("${"), text.npos);
}

TEST(gpu_library, local_memory_is_one_element_for_each_sub_group) {
  gpu::library_options options;
  options.work_group = {1024, 1, 1};
  options.variant = gpu::variant::sub_group;
  const gpu::library_target target = target_of(gpu::flavour::nv);
  // Two halves that alternate.
  EXPECT_EQ(gpu::scratch_bytes(target, options, "lf_reduce_plus_float"), 2 * 32 * 4u);
  EXPECT_EQ(gpu::scratch_bytes(target, options, "lf_inclusive_scan_plus_double"), 2 * 32 * 8u);
  options.variant = gpu::variant::local_tree;
  EXPECT_EQ(gpu::scratch_bytes(target, options, "lf_reduce_plus_float"), 2 * 1024 * 4u);
  EXPECT_EQ(code_thrown_by([&] { (void)gpu::scratch_bytes(target, options, "lf_reduce_plus_flaot"); }), errc::invalid);
}

TEST(gpu_library, sub_groups_in_step_meet_barriers_together) {
  for (const gpu::flavour flavour : {gpu::flavour::khr, gpu::flavour::intel}) {
    gpu::library_target target = target_of(flavour);
    target.sub_groups_in_step = target.cpu = true;
    gpu::library_options options;
    options.work_group = {64, 1, 1};
    const std::string text = gpu::print_library(
        target, options, "lf_inclusive_scan_plus_int; lf_sub_group_reduce_plus_int; lf_shuffle_down_int; lf_any_of");
    for (const char* const function :
         {"sub_group_reduce_add", "sub_group_scan", "intel_sub_group_shuffle_down", "intel_reqd_sub_group_size"})
      EXPECT_EQ(text.find(function), text.npos) << function;
    EXPECT_NE(text.find("sub_group_shuffle(x, lane)"), text.npos);
    options.sub_group_size = 16;
    EXPECT_EQ(code_thrown_by([&] { (void)gpu::print_library(target, options, "lf_lane()"); }),
              errc::kernel_not_supported);
  }
}

TEST(gpu_library, half_where_the_device_has_it) {
  gpu::library_options options;
  options.work_group = {64, 1, 1};
  for (const gpu::flavour flavour : {gpu::flavour::khr, gpu::flavour::intel, gpu::flavour::nv, gpu::flavour::local}) {
    gpu::library_target target = target_of(flavour);
    const char* const use = "lf_inclusive_scan_plus_half4(x, &s); lf_reduce_maximum_half(y, &s);";
    EXPECT_EQ(code_thrown_by([&] { (void)gpu::print_library(target, options, use); }), errc::kernel_not_supported);
    target.fp16 = true;
    const std::string text = gpu::print_library(target, options, use);
    EXPECT_NE(text.find("cl_khr_fp16 : enable"), text.npos);
    EXPECT_NE(text.find("half4 lf_inclusive_scan_plus_half4(half4 x"), text.npos);
    EXPECT_EQ(text.find("${"), text.npos);
    EXPECT_EQ(text.find("cl_khr_fp64"), text.npos);
  }
}

TEST(gpu_library, a_device_without_half_says_so) {
  LANEFOLD_NEED_OPENCL();
  const gpu::kernel k("kernel void k(global half* x) {\n"
                      "  LANEFOLD_SCRATCH(s);\n"
                      "  x[0] = lf_reduce_plus_half(x[0], &s);\n"
                      "}\n",
                      "k");
  for (const gpu::device& device : gpu::devices()) {
    SCOPED_TRACE(device.get_platform_name());
    gpu::queue q(device);
    std::string text;
    EXPECT_EQ(code_thrown_by([&] { q.build(k); }, &text),
              device.has_fp16() ? errc::success : errc::kernel_not_supported);
    EXPECT_EQ(text.empty(), device.has_fp16()) << text;
  }
}

TEST(gpu_library, refuses_what_cannot_be) {
  gpu::library_target target = target_of(gpu::flavour::local);
  target.fp64 = target.nv = false;
  gpu::library_options options;
  const auto print = [&](const char* source) { (void)gpu::print_library(target, options, source); };
  EXPECT_EQ(code_thrown_by([&] { print("lf_reduce_plus_double"); }), errc::kernel_not_supported);
  options.variant = gpu::variant::raking;
  EXPECT_EQ(code_thrown_by([&] { print("lf_reduce_plus_int"); }), errc::invalid);
  options.variant = gpu::variant::automatic;
  options.flavour = gpu::flavour::nv;
  EXPECT_EQ(code_thrown_by([&] { print("lf_reduce_plus_int"); }), errc::kernel_not_supported);
  options.flavour = gpu::flavour::automatic;
  options.operators = {{"f", "int f(int a, int b);", false, ""}};
  EXPECT_EQ(code_thrown_by([&] { print("lf_exclusive_scan_f_int"); }), errc::invalid);
  options.work_group = {4096, 1, 1};
  EXPECT_EQ(code_thrown_by([&] { print("lf_reduce_plus_int"); }), errc::nd_range);
}

/// Items are in SYCL's linear order: the last dimension varies fastest.
TEST(gpu_library, groups_of_several_dimensions) {
  LANEFOLD_NEED_OPENCL();
  constexpr const char* source = "kernel void k(global const int* in, global int* out) {\n"
                                 "  LANEFOLD_SCRATCH(s);\n"
                                 "  const uint i = lf_local_id();\n"
                                 "  out[i] = lf_inclusive_scan_plus_int(in[i], &s) + 100000 * lf_any_of(i == 5, &s);\n"
                                 "}\n";
  for (const side& where : all_sides())
    for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{3, 7}, {4, 16}}) {
      SCOPED_TRACE(where.name + ", " + std::to_string(rows) + " rows");
      const std::size_t items = rows * columns;
      gpu::queue q(where.device, lanefold::property::queue::in_order());
      gpu::build_options options;
      options.flavour = where.flavour;
      options.work_group = {columns, rows, 1};
      std::vector<std::int32_t> values(items), result(items);
      std::iota(values.begin(), values.end(), 1);
      const gpu::buffer<std::int32_t> in(q, items), out(q, items);
      q.copy(values.data(), in, items);
      q.launch(gpu::kernel(source, "k", options), lanefold::nd_range<2>({rows, columns}, {rows, columns}), in, out);
      q.copy(out, result.data(), items).wait();
      std::partial_sum(values.begin(), values.end(), values.begin(), [](int a, int b) { return a + b; });
      for (std::size_t i = 0; i < items; ++i)
        ASSERT_EQ(result[i], values[i] + 100000) << i;
    }
}

/// One work-group of 40: votes on whether values are set, and exclusive scans of them.
void check_votes(const side& where, const std::vector<std::int32_t>& values) {
  constexpr const char* source = "kernel void k(global const int* in, global int* out) {\n"
                                 "  LANEFOLD_SCRATCH(s);\n"
                                 "  const uint i = lf_local_id();\n"
                                 "  const int x = in[i];\n"
                                 "  global int* mine = out + 5 * i;\n"
                                 "  mine[0] = lf_any_of(x, &s) + 2 * lf_all_of(x, &s) + 4 * lf_none_of(x, &s);\n"
                                 "  mine[1] = lf_sub_group_any_of(x, &s) + 2 * lf_sub_group_all_of(x, &s) +\n"
                                 "            4 * lf_sub_group_none_of(x, &s);\n"
                                 "  mine[2] = lf_exclusive_scan_plus_int(x, &s);\n"
                                 "  mine[3] = lf_sub_group_exclusive_scan_plus_int(x, &s);\n"
                                 "  mine[4] = lf_lane();\n"
                                 "}\n";
  const std::size_t n = values.size();
  gpu::queue q(where.device, lanefold::property::queue::in_order());
  gpu::build_options options;
  options.flavour = where.flavour;
  options.work_group = {n, 1, 1};
  const gpu::buffer<std::int32_t> in(q, n), out(q, 5 * n);
  std::vector<std::int32_t> result(5 * n);
  q.copy(values.data(), in, n);
  q.launch(gpu::kernel(source, "k", options), lanefold::nd_range<1>(n, n), in, out);
  q.copy(out, result.data(), 5 * n).wait();
  const auto votes = [](auto begin, auto end) {
    const auto set = std::count_if(begin, end, [](int x) { return x != 0; });
    return (set > 0 ? 1 : 0) + (set == end - begin ? 2 : 0) + (set == 0 ? 4 : 0);
  };
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = [&](std::size_t place) { return values.begin() + static_cast<std::ptrdiff_t>(place); };
    const auto lane_of = [&](std::size_t item) { return static_cast<std::size_t>(result[5 * item + 4]); };
    const std::size_t begin = i - lane_of(i);
    std::size_t end = i + 1;
    while (end < n && lane_of(end) != 0)
      ++end;
    ASSERT_EQ(result[5 * i], votes(at(0), at(n))) << i;
    ASSERT_EQ(result[5 * i + 1], votes(at(begin), at(end))) << i;
    ASSERT_EQ(result[5 * i + 2], std::accumulate(at(0), at(i), 0)) << i;
    ASSERT_EQ(result[5 * i + 3], std::accumulate(at(begin), at(i), 0)) << i;
  }
}

TEST(gpu_library, votes_and_exclusive_scans) {
  LANEFOLD_NEED_OPENCL();
  std::vector<std::int32_t> one_set(40);
  one_set[17] = 3;
  for (const side& where : all_sides())
    for (const auto& values : {std::vector<std::int32_t>(40), one_set, std::vector<std::int32_t>(40, 2)}) {
      SCOPED_TRACE(where.name + ", the first is " + std::to_string(values[0]));
      check_votes(where, values);
    }
}

/// One work-group: chunks of four and runs of three work-items of its sub-groups, and values that change places.
void check_parts(const side& where, std::size_t n) {
  constexpr const char* source = "kernel void k(global const int* in, global int* out) {\n"
                                 "  LANEFOLD_SCRATCH(s);\n"
                                 "  const uint i = lf_local_id();\n"
                                 "  const int x = in[i];\n"
                                 "  global int* mine = out + 6 * i;\n"
                                 "  mine[0] = lf_sub_group_chunk_reduce_plus_int(x, 4, &s);\n"
                                 "  mine[1] = lf_sub_group_chunk_inclusive_scan_maximum_int(x, 4, &s);\n"
                                 "  mine[2] = lf_sub_group_run_inclusive_scan_plus_int(x, lf_lane() % 3, &s);\n"
                                 "  mine[3] = lf_sub_group_scatter_int(x, lf_sub_group_items() - 1 - lf_lane(), &s);\n"
                                 "  mine[4] = lf_work_group_shuffle_xor_int(x, 21, &s);\n"
                                 "  mine[5] = lf_lane();\n"
                                 "}\n";
  gpu::queue q(where.device, lanefold::property::queue::in_order());
  gpu::build_options options;
  options.flavour = where.flavour;
  options.work_group = {n, 1, 1};
  std::vector<std::int32_t> values(n), result(6 * n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = static_cast<std::int32_t>(i * 37 % 101);
  const gpu::buffer<std::int32_t> in(q, n), out(q, 6 * n);
  q.copy(values.data(), in, n);
  q.launch(gpu::kernel(source, "k", options), lanefold::nd_range<1>(n, n), in, out);
  q.copy(out, result.data(), 6 * n).wait();
  const auto at = [&](std::size_t place) { return values.begin() + static_cast<std::ptrdiff_t>(place); };
  const auto lane_of = [&](std::size_t item) { return static_cast<std::size_t>(result[6 * item + 5]); };
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t lane = lane_of(i), begin = i - lane;
    std::size_t end = i + 1;
    while (end < n && lane_of(end) != 0)
      ++end;
    const std::size_t chunk = begin + lane / 4 * 4;
    ASSERT_EQ(result[6 * i], std::accumulate(at(chunk), at(std::min(chunk + 4, end)), 0)) << i;
    ASSERT_EQ(result[6 * i + 1], *std::max_element(at(chunk), at(i + 1))) << i;
    ASSERT_EQ(result[6 * i + 2], std::accumulate(at(i - lane % 3), at(i + 1), 0)) << i;
    ASSERT_EQ(result[6 * i + 3], values[begin + (end - 1 - i)]) << i;
    if ((i ^ 21) < n) {
      ASSERT_EQ(result[6 * i + 4], values[i ^ 21]) << i;
    }
  }
}

TEST(gpu_library, parts_of_sub_groups) {
  LANEFOLD_NEED_OPENCL();
  for (const side& where : all_sides())
    for (const std::size_t n : {40, 64, 7}) {
      SCOPED_TRACE(where.name + ", " + std::to_string(n) + " work-items");
      check_parts(where, n);
    }
}

TEST(gpu_library, sub_groups_have_the_least_size_that_is_asked_for) {
  gpu::library_options options;
  const auto size_on = [&](gpu::flavour flavour, std::size_t least) {
    gpu::library_target target = target_of(flavour);
    target.sub_group_sizes = {8, 16, 32, 64};
    options.least_sub_group_size = least;
    return gpu::sub_group_size(target, options);
  };
  EXPECT_EQ(size_on(gpu::flavour::intel, 0), 16U);
  EXPECT_EQ(size_on(gpu::flavour::intel, 32), 32U);
  EXPECT_EQ(size_on(gpu::flavour::khr, 64), 64U);
  EXPECT_EQ(size_on(gpu::flavour::local, 4), 16U);
  EXPECT_EQ(size_on(gpu::flavour::local, 128), 128U);
  EXPECT_EQ(size_on(gpu::flavour::nv, 32), 32U);
  EXPECT_EQ(code_thrown_by([&] { (void)size_on(gpu::flavour::nv, 64); }), errc::kernel_not_supported);
  EXPECT_EQ(code_thrown_by([&] { (void)size_on(gpu::flavour::intel, 128); }), errc::kernel_not_supported);
  options.sub_group_size = 8;
  EXPECT_EQ(size_on(gpu::flavour::intel, 8), 8U);
  EXPECT_EQ(code_thrown_by([&] { (void)size_on(gpu::flavour::intel, 16); }), errc::kernel_not_supported);
  EXPECT_EQ(code_thrown_by([&] { (void)size_on(gpu::flavour::local, 16); }), errc::kernel_not_supported);
}

TEST(gpu_library, joint_algorithms_of_a_group) {
  LANEFOLD_NEED_OPENCL();
  constexpr const char* source = "kernel void k(global const uint* in, uint count, global uint* out) {\n"
                                 "  LANEFOLD_SCRATCH(s);\n"
                                 "  lf_joint_exclusive_scan_plus_uint(in, count, out, &s);\n"
                                 "  const uint sum = lf_joint_reduce_plus_uint(in, count, &s);\n"
                                 "  const int votes = lf_joint_any_of_is_nine_uint(in, count, &s) + 2 * "
                                 "lf_joint_all_of_is_nine_uint(in, count, &s) + 4 * "
                                 "lf_joint_none_of_is_nine_uint(in, count, &s);\n"
                                 "  if (lf_local_id() == 0) { out[count] = sum; out[count + 1] = votes; }\n"
                                 "  lf_joint_inclusive_scan_maximum_uint(in, count, out + count + 2, &s);\n"
                                 "}\n";
  for (const side& where : all_sides())
    for (const std::size_t count : {0, 5, 100}) {
      SCOPED_TRACE(where.name + ", " + std::to_string(count) + " elements");
      gpu::queue q(where.device, lanefold::property::queue::in_order());
      gpu::build_options options;
      options.flavour = where.flavour;
      options.work_group = {40, 1, 1};
      options.operators = {{"is_nine", "LF_FUNCTION int is_nine(uint x) { return x == 9; }", false, ""}};
      std::vector<std::uint32_t> values(count), result(2 * count + 2);
      std::iota(values.begin(), values.end(), 0u);
      const gpu::buffer<std::uint32_t> in(q, count + 1), out(q, result.size());
      q.copy(values.data(), in, count);
      q.launch(gpu::kernel(source, "k", options), lanefold::nd_range<1>(40, 40), in, static_cast<std::uint32_t>(count),
               out);
      q.copy(out, result.data(), result.size()).wait();
      std::vector<std::uint32_t> wanted(count);
      std::exclusive_scan(values.begin(), values.end(), wanted.begin(), 0u);
      wanted.push_back(std::accumulate(values.begin(), values.end(), 0u));
      wanted.push_back((count > 9 ? 1u : 4u) + (count == 0 ? 2u : 0u));
      wanted.insert(wanted.end(), values.begin(), values.end()); // they rise
      ASSERT_EQ(result, wanted);
    }
}

void check_product(const gpu::device& device, const char* source, const char* name, std::size_t tile) {
  constexpr std::size_t n = 64;
  gpu::queue q(device, lanefold::property::queue::in_order());
  std::mt19937 random(seed());
  std::vector<double> a(n * n), b(n * n), c(n * n);
  for (double& x : a)
    x = static_cast<double>(random() % 10);
  for (double& x : b)
    x = static_cast<double>(random() % 10);
  const gpu::buffer<double> left(q, n * n), right(q, n * n), product(q, n * n);
  q.copy(a.data(), left, n * n);
  q.copy(b.data(), right, n * n);
  const std::size_t items = n / tile * 16;
  q.launch(gpu::kernel(source, name), lanefold::nd_range<2>({items, items}, {16, 16}), left, right, product,
           static_cast<std::uint32_t>(n));
  q.copy(product, c.data(), n * n).wait();
  for (std::size_t i = 0; i < n * n; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k)
      sum += a[i / n * n + k] * b[k * n + i % n];
    ASSERT_EQ(c[i], sum) << name << ", element " << i;
  }
}

TEST(gpu_programs, matrix_products) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices()) {
    if (!device.has_fp64() || is_simulator(device))
      continue;
    SCOPED_TRACE(device.get_platform_name());
    check_product(device, lanefold_programs::dgemm_tiled, "dgemm_tiled", 16);
    check_product(device, lanefold_programs::dgemm_registers, "dgemm_registers", 64);
  }
}

TEST(gpu_programs, nbody) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t n = 512;
  constexpr double softening = 0.01;
  std::mt19937 random(seed());
  std::vector<double> bodies(4 * n), result(4 * n);
  for (double& x : bodies)
    x = static_cast<double>(random() % 1000) / 1000;
  for (const gpu::device& device : gpu::devices()) {
    if (!device.has_fp64() || is_simulator(device))
      continue;
    gpu::queue q(device, lanefold::property::queue::in_order());
    const gpu::buffer<double> in(q, 4 * n), out(q, 4 * n);
    q.copy(bodies.data(), in, 4 * n);
    q.launch(gpu::kernel(lanefold_programs::nbody, "nbody"), lanefold::nd_range<1>(n, 256), in, out,
             static_cast<std::uint32_t>(n), softening);
    q.copy(out, result.data(), 4 * n).wait();
    for (std::size_t i = 0; i < n; i += 37)
      for (std::size_t c = 0; c < 3; ++c) {
        double sum = 0;
        for (std::size_t j = 0; j < n; ++j) {
          double square = softening;
          for (std::size_t d = 0; d < 3; ++d)
            square += std::pow(bodies[4 * j + d] - bodies[4 * i + d], 2);
          sum += bodies[4 * j + 3] * (bodies[4 * j + c] - bodies[4 * i + c]) / (square * std::sqrt(square));
        }
        ASSERT_NEAR(result[4 * i + c], sum, 1e-9 * (1 + std::abs(sum) * static_cast<double>(n)))
            << device.get_platform_name() << ", body " << i;
      }
  }
}

} // namespace
