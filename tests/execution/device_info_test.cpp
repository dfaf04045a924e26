// SPDX-License-Identifier: Apache-2.0
/// The device says about itself what the machine and the library really are.

#include "thrown.hpp"

#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace lf = lanefold;
namespace query = lanefold::info::device;

namespace {

const lf::device cpu;

constexpr std::size_t larger = 2048;
class large_groups;
class small_groups;

} // namespace

template <>
inline constexpr auto lanefold::kernel_properties<large_groups> =
    lanefold::properties(lanefold::property::work_group_size<larger>());

namespace {

/// Lanes of a T in the widest registers that this CPU can run.
template <class T>
std::uint32_t lanes() {
  switch (lf::cpu_isa()) {
  case lf::isa_id::avx512: return 64 / sizeof(T);
  case lf::isa_id::avx2: return 32 / sizeof(T);
  case lf::isa_id::sse2:
  case lf::isa_id::neon: return 16 / sizeof(T);
  case lf::isa_id::generic: break;
  }
  return 1;
}

TEST(device_info, names) {
  EXPECT_EQ(cpu.get_info<query::name>(), cpu.get_name());
  EXPECT_FALSE(cpu.get_info<query::vendor>().empty());
  EXPECT_EQ(cpu.get_info<query::driver_version>(), LANEFOLD_VERSION_STRING);
  EXPECT_EQ(cpu.get_info<query::opencl_c_version>(), "");
  const std::string version = cpu.get_info<query::version>();
  EXPECT_NE(version.find(LANEFOLD_VERSION_STRING), std::string::npos) << version;
  EXPECT_NE(version.find(lf::isa_name(lf::cpu_isa())), std::string::npos) << version;
  EXPECT_EQ(cpu.get_info<query::profile>(), "FULL_PROFILE");
  EXPECT_EQ(cpu.get_info<query::device_type>(), lf::info::device_type::cpu);
  EXPECT_EQ(cpu.get_info<query::platform>(), lf::platform());
  EXPECT_TRUE(cpu.get_info<query::is_available>());
  EXPECT_EQ(cpu.get_info<query::address_bits>(), 8 * sizeof(void*));
  EXPECT_EQ(cpu.get_info<query::is_endian_little>(), std::endian::native == std::endian::little);
}

TEST(device_info, extensions_are_the_instruction_sets_that_run) {
  for (const lf::isa_id id : {lf::isa_id::sse2, lf::isa_id::avx2, lf::isa_id::avx512, lf::isa_id::neon}) {
    EXPECT_EQ(cpu.has_extension(std::string("lanefold_isa_") + lf::isa_name(id)), lf::supports(id));
  }
}

TEST(device_info, aspects_agree_with_has) {
  const std::vector<lf::aspect> all = cpu.get_info<query::aspects>();
  for (int a = 0; a <= static_cast<int>(lf::aspect::usm_system_allocations); ++a) {
    const auto asked = static_cast<lf::aspect>(a);
    EXPECT_EQ(std::find(all.begin(), all.end(), asked) != all.end(), cpu.has(asked)) << a;
  }
}

TEST(device_info, lanes_of_each_type) {
  EXPECT_EQ(cpu.get_info<query::native_vector_width_char>(), lanes<char>());
  EXPECT_EQ(cpu.get_info<query::native_vector_width_short>(), lanes<short>());
  EXPECT_EQ(cpu.get_info<query::native_vector_width_int>(), lanes<int>());
  EXPECT_EQ(cpu.get_info<query::native_vector_width_long>(), lanes<std::int64_t>());
  EXPECT_EQ(cpu.get_info<query::native_vector_width_long_long>(), lanes<long long>());
  EXPECT_EQ(cpu.get_info<query::native_vector_width_float>(), lanes<float>());
  EXPECT_EQ(cpu.get_info<query::native_vector_width_double>(), lanes<double>());
  EXPECT_EQ(cpu.get_info<query::native_vector_width_half>(), lanes<float>()); // it computes in float
  EXPECT_EQ(cpu.get_info<query::preferred_vector_width_long_long>(), lanes<long long>());
  EXPECT_EQ(cpu.get_info<query::preferred_vector_width_float>(), lanes<float>());
  EXPECT_EQ(cpu.get_info<query::preferred_vector_width_double>(), lanes<double>());
}

TEST(device_info, cores_and_memory_are_those_of_the_system) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  EXPECT_GE(cpu.get_info<query::max_compute_units>(), 1U);
  EXPECT_LE(cpu.get_info<query::max_compute_units>(), static_cast<std::uint32_t>(CPU_COUNT(&allowed)));
  const std::uint64_t installed =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
  EXPECT_GT(cpu.get_info<query::global_mem_size>(), std::uint64_t{64} << 20);
  EXPECT_LE(cpu.get_info<query::global_mem_size>(), installed);
  EXPECT_EQ(cpu.get_info<query::max_mem_alloc_size>(), cpu.get_info<query::global_mem_size>());
  if (std::ifstream("/sys/devices/system/cpu/cpu0/cache/index0/size")) {
    EXPECT_TRUE(std::has_single_bit(cpu.get_info<query::global_mem_cache_line_size>()));
    EXPECT_GE(cpu.get_info<query::global_mem_cache_line_size>(), 16U);
    EXPECT_GE(cpu.get_info<query::global_mem_cache_size>(), std::uint64_t{16} << 10);
  }
  EXPECT_EQ(cpu.get_info<query::global_mem_cache_type>(), lf::info::global_mem_cache_type::read_write);
  EXPECT_TRUE(cpu.get_info<query::host_unified_memory>());
  EXPECT_EQ(cpu.get_info<query::local_mem_size>(), lf::device::local_memory_bytes());
  EXPECT_EQ(cpu.get_info<query::local_mem_type>(), lf::info::local_mem_type::global);
  EXPECT_GE(cpu.get_info<query::profiling_timer_resolution>(), 1U);
  EXPECT_LE(cpu.get_info<query::profiling_timer_resolution>(), 1000000000U);
}

/// Returns how many work-items of one group of `larger` come behind a barrier.
template <class Name, class... Properties>
std::size_t ran(Properties... how) {
  std::vector<unsigned char> come(larger), seen(larger);
  lf::queue()
      .parallel_for<Name>(lf::nd_range<1>(larger, larger), how...,
                          [come = come.data(), seen = seen.data()](lf::nd_item<1> it) {
                            come[it.get_local_id(0)] = 1;
                            lf::group_barrier(it.get_group());
                            seen[it.get_local_id(0)] = come[larger - 1 - it.get_local_id(0)];
                          })
      .wait();
  return static_cast<std::size_t>(std::count(seen.begin(), seen.end(), 1));
}

/// The device tells of 1024 work-items, as many as programs from GPUs count on, or of what the environment says.
/// Programs that have larger groups all the same get them.
TEST(device_info, larger_groups_run_though_the_device_does_not_tell_of_them) {
  unsetenv("LANEFOLD_MAX_WORK_GROUP_SIZE");
  EXPECT_EQ(cpu.get_info<query::max_work_group_size>(), 1024U);
  EXPECT_EQ(ran<small_groups>(), larger);
  EXPECT_EQ(ran<small_groups>(lf::property::work_group_size<larger>()), larger);
  EXPECT_EQ(ran<large_groups>(), larger);
  setenv("LANEFOLD_MAX_WORK_GROUP_SIZE", "2048", 1);
  EXPECT_EQ(cpu.get_info<query::max_work_group_size>(), larger);
  EXPECT_EQ(cpu.get_info<query::max_work_item_sizes<3>>()[1], larger);
  EXPECT_EQ(ran<small_groups>(), larger);
  for (const char* const wrong : {"0", "8193", "1K", "many"}) {
    setenv("LANEFOLD_MAX_WORK_GROUP_SIZE", wrong, 1);
    EXPECT_EQ(code_thrown_by([] { (void)cpu.get_info<query::max_work_group_size>(); }), lf::errc::invalid) << wrong;
    EXPECT_EQ(code_thrown_by([] { lf::queue q; }), lf::errc::invalid) << wrong;
  }
  unsetenv("LANEFOLD_MAX_WORK_GROUP_SIZE");
}

/// Groups of as many work-items as the device promises can be launched, and those of more than 8192 cannot.
TEST(device_info, group_limits_are_kept) {
  const std::size_t most = cpu.get_info<query::max_work_group_size>();
  EXPECT_EQ(most, lf::device::max_work_group_size());
  EXPECT_EQ(cpu.get_info<query::max_work_item_sizes<1>>(), lf::range<1>(most));
  EXPECT_EQ(cpu.get_info<query::max_work_item_sizes<2>>(), lf::range<2>(most, most));
  EXPECT_EQ(cpu.get_info<query::max_work_item_sizes<3>>(), lf::range<3>(most, most, most));
  EXPECT_EQ(cpu.get_info<query::max_work_item_dimensions>(), 3U);
  lf::queue q;
  std::vector<unsigned> sizes(most, 0);
  unsigned* const seen = sizes.data();
  q.parallel_for(lf::nd_range<1>(most, most), [=](lf::nd_item<1> it) { seen[it.get_local_id(0)] = 1; }).wait();
  EXPECT_EQ(std::count(sizes.begin(), sizes.end(), 1U), static_cast<std::ptrdiff_t>(most));
  EXPECT_EQ(code_thrown_by([&] { q.parallel_for(lf::nd_range<1>(8193, 8193), [](lf::nd_item<1>) {}); }),
            lf::errc::nd_range);
  for (const std::size_t size : cpu.get_info<query::sub_group_sizes>()) {
    std::size_t got = 0;
    q.parallel_for(lf::nd_range<1>(512, 512), lf::property::sub_group_size(static_cast<unsigned>(size)),
                   [&got](lf::nd_item<1> it) {
                     if (it.get_local_id(0) == 0) {
                       got = it.get_sub_group().get_max_local_range()[0];
                     }
                   })
        .wait();
    EXPECT_EQ(got, size);
  }
  unsigned groups = 0;
  q.parallel_for(lf::nd_range<1>(most, most), lf::property::sub_group_size(1), [&groups](lf::nd_item<1> it) {
     if (it.get_local_id(0) == 0) {
       groups = static_cast<unsigned>(it.get_sub_group().get_group_linear_range());
     }
   }).wait();
  EXPECT_EQ(groups, cpu.get_info<query::max_num_sub_groups>());
}

TEST(device_info, floating_point_is_as_promised) {
  const std::vector<lf::info::fp_config> single = cpu.get_info<query::single_fp_config>();
  const auto has = [&](lf::info::fp_config c) { return std::find(single.begin(), single.end(), c) != single.end(); };
  EXPECT_EQ(cpu.get_info<query::double_fp_config>(), single);
  const std::vector<lf::info::fp_config> half = cpu.get_info<query::half_fp_config>();
  EXPECT_EQ(std::count(half.begin(), half.end(), lf::info::fp_config::denorm), 1);
  EXPECT_EQ(std::count(half.begin(), half.end(), lf::info::fp_config::fma), 0);
  ASSERT_TRUE(has(lf::info::fp_config::denorm) && has(lf::info::fp_config::fma));
  ASSERT_TRUE(has(lf::info::fp_config::correctly_rounded_divide_sqrt));
  lf::queue q;
  float denormal = 0, fused = 0, quotient = 0;
  volatile float least = 1.17549435e-38F, one = 1, three = 3, eps = 1.1920929e-7F;
  q.single_task([&] {
     denormal = least / 2;
     fused = std::fma(one + eps, one - eps, -one); // -eps^2, which two roundings lose
     quotient = one / three;
   }).wait();
  EXPECT_GT(denormal, 0.0F);
  EXPECT_EQ(fused, -eps * eps);
  EXPECT_EQ(quotient, 0x1.555556p-2F);
}

TEST(device_info, atomics_of_every_order_and_scope) {
  const std::vector<lf::memory_order> orders = cpu.get_info<query::atomic_memory_order_capabilities>();
  const std::vector<lf::memory_scope> scopes = cpu.get_info<query::atomic_memory_scope_capabilities>();
  EXPECT_EQ(orders.size(), 5U);
  EXPECT_NE(std::find(orders.begin(), orders.end(), lf::memory_order::acq_rel), orders.end());
  EXPECT_EQ(scopes.size(), 5U);
  EXPECT_NE(std::find(scopes.begin(), scopes.end(), lf::memory_scope::system), scopes.end());
  const lf::context c;
  EXPECT_EQ(c.get_info<lf::info::context::atomic_memory_order_capabilities>(), orders);
  EXPECT_EQ(c.get_info<lf::info::context::atomic_fence_order_capabilities>(), orders);
  EXPECT_EQ(c.get_info<lf::info::context::atomic_memory_scope_capabilities>(), scopes);
  EXPECT_EQ(c.get_info<lf::info::context::atomic_fence_scope_capabilities>(), scopes);
}

TEST(device_info, what_there_is_not) {
  EXPECT_TRUE(cpu.get_info<query::image_support>());
  EXPECT_GE(cpu.get_info<query::image2d_max_width>(), 8192U); // what SYCL 2020 asks for
  EXPECT_GE(cpu.get_info<query::image3d_max_depth>(), 2048U);
  EXPECT_GE(cpu.get_info<query::max_samplers>(), 16U);
  EXPECT_EQ(cpu.get_info<query::partition_max_sub_devices>(), 0U);
  EXPECT_TRUE(cpu.get_info<query::partition_properties>().empty());
  EXPECT_EQ(cpu.get_info<query::partition_type_property>(), lf::info::partition_property::no_partition);
  EXPECT_THROW(std::ignore = cpu.get_info<query::parent_device>(), lf::exception);
  EXPECT_TRUE(cpu.get_info<query::built_in_kernels>().empty());
  EXPECT_FALSE(cpu.get_info<query::error_correction_support>());
}

// ---- what DPC++ tells of devices

TEST(device_info, architecture) {
  namespace experimental = lf::ext::oneapi::experimental;
  using experimental::architecture;
  const bool is_x86 = lf::isa_of_translation_unit() != lf::isa_id::neon;
  const architecture expected = is_x86 ? architecture::x86_64 : architecture::unknown;
  EXPECT_EQ(cpu.get_info<experimental::info::device::architecture>(), expected);
  EXPECT_TRUE(cpu.ext_oneapi_architecture_is(expected));
  EXPECT_FALSE(cpu.ext_oneapi_architecture_is(architecture::intel_gpu_pvc));
  EXPECT_FALSE(cpu.ext_oneapi_architecture_is(experimental::arch_category::intel_gpu));
  std::string calls;
  lf::queue()
      .single_task([to = &calls] {
        experimental::if_architecture_is<architecture::amd_gpu_gfx90a, architecture::nvidia_gpu_sm_90>(
            [=] { *to += "a GPU"; })
            .else_if_architecture_is<architecture::intel_gpu_pvc, architecture::x86_64>(
                [=](int i) { *to += "x86_64 " + std::to_string(i); }, 7)
            .otherwise([=] { *to += "another"; });
        experimental::if_architecture_is<architecture::unknown, architecture::x86_64>([=] {
          *to += ", taken";
        }).else_if_architecture_is<architecture::x86_64>([=] {
            *to += ", twice";
          }).otherwise([=] { *to += ", not"; });
      })
      .wait();
  EXPECT_EQ(calls, is_x86 ? "x86_64 7, taken" : "another, taken");
}

TEST(device_info, graphs_are_there) {
  EXPECT_TRUE(cpu.has(lf::aspect::ext_oneapi_graph));
  EXPECT_TRUE(cpu.has(lf::aspect::ext_oneapi_limited_graph));
}

// ---- what DPC++ tells of Intel's devices

TEST(device_info, what_only_intels_devices_tell) {
  namespace intel = lf::ext::intel::info::device;
  for (const lf::aspect a : {lf::aspect::ext_intel_free_memory, lf::aspect::ext_intel_device_info_uuid,
                             lf::aspect::ext_intel_gpu_eu_count, lf::aspect::ext_intel_matrix}) {
    EXPECT_FALSE(cpu.has(a));
  }
  static_assert(std::is_same_v<intel::free_memory::return_type, std::uint64_t>);
  static_assert(std::is_same_v<intel::pci_address::return_type, std::string>);
  try {
    std::ignore = cpu.get_info<intel::free_memory>();
    FAIL() << "free_memory has a value";
  } catch (const lf::exception& e) {
    EXPECT_EQ(e.code(), lf::errc::feature_not_supported);
  }
  EXPECT_THROW(std::ignore = cpu.get_info<intel::uuid>(), lf::exception);
}

} // namespace
