// SPDX-License-Identifier: Apache-2.0
/// Names what programs ask DPC++ about Intel's devices. No device here has the aspects (device::has), and get_info of
/// the queries throws errc::feature_not_supported, as DPC++ does on a CPU. (sycl_ext_intel_device_info)
#pragma once

#include <lanefold/execution/aspect.hpp>
#include <lanefold/execution/detail/query.hpp>
#include <lanefold/version.hpp>

#include <array>
#include <cstdint>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::intel::info::device {

template <class Return, aspect Needed>
using unanswered = lanefold::detail::unanswered_query<Return, Needed>;

struct device_id : unanswered<std::uint32_t, aspect::ext_intel_device_id> {};
struct pci_address : unanswered<std::string, aspect::ext_intel_pci_address> {};
struct gpu_eu_count : unanswered<std::uint32_t, aspect::ext_intel_gpu_eu_count> {};
struct gpu_eu_simd_width : unanswered<std::uint32_t, aspect::ext_intel_gpu_eu_simd_width> {};
struct gpu_slices : unanswered<std::uint32_t, aspect::ext_intel_gpu_slices> {};
struct gpu_subslices_per_slice : unanswered<std::uint32_t, aspect::ext_intel_gpu_subslices_per_slice> {};
struct gpu_eu_count_per_subslice : unanswered<std::uint32_t, aspect::ext_intel_gpu_eu_count_per_subslice> {};
struct gpu_hw_threads_per_eu : unanswered<std::uint32_t, aspect::ext_intel_gpu_hw_threads_per_eu> {};
struct max_mem_bandwidth : unanswered<std::uint64_t, aspect::ext_intel_max_mem_bandwidth> {};
struct uuid : unanswered<std::array<unsigned char, 16>, aspect::ext_intel_device_info_uuid> {};
struct free_memory : unanswered<std::uint64_t, aspect::ext_intel_free_memory> {};
struct memory_clock_rate : unanswered<std::uint32_t, aspect::ext_intel_memory_clock_rate> {};
struct memory_bus_width : unanswered<std::uint32_t, aspect::ext_intel_memory_bus_width> {};

} // namespace ext::intel::info::device

/// Gives these queries the names that they had first.
namespace info::device {
using ext_intel_pci_address = ext::intel::info::device::pci_address;
using ext_intel_gpu_eu_count = ext::intel::info::device::gpu_eu_count;
using ext_intel_gpu_eu_simd_width = ext::intel::info::device::gpu_eu_simd_width;
using ext_intel_gpu_slices = ext::intel::info::device::gpu_slices;
using ext_intel_gpu_subslices_per_slice = ext::intel::info::device::gpu_subslices_per_slice;
using ext_intel_gpu_eu_count_per_subslice = ext::intel::info::device::gpu_eu_count_per_subslice;
using ext_intel_gpu_hw_threads_per_eu = ext::intel::info::device::gpu_hw_threads_per_eu;
using ext_intel_max_mem_bandwidth = ext::intel::info::device::max_mem_bandwidth;
using ext_intel_device_info_uuid = ext::intel::info::device::uuid;
} // namespace info::device
LANEFOLD_END_NAMESPACE
