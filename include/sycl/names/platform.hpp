// SPDX-License-Identifier: Apache-2.0
/// SYCL's names for platforms, devices, queues, commands and kernels. [sycl.4.6] [sycl.4.9]
#pragma once

#if __has_include(<lanefold/execution.hpp>)
#include <lanefold/execution.hpp>

namespace sycl {

// A namespace of its own, to which programs may add extensions.
namespace ext {
namespace intel = lanefold::ext::intel;
namespace oneapi = lanefold::ext::oneapi;
} // namespace ext
namespace info = lanefold::info;
namespace khr = lanefold::khr;
namespace opencl = lanefold::opencl;
namespace property = lanefold::property;

using lanefold::accelerator_selector;
using lanefold::accelerator_selector_v;
using lanefold::all_devices_have;
using lanefold::all_devices_have_v;
using lanefold::any_device_has;
using lanefold::any_device_has_v;
using lanefold::aspect;
using lanefold::aspect_selector;
using lanefold::async_handler;
using lanefold::backend;
using lanefold::bit_and;
using lanefold::bit_or;
using lanefold::bit_xor;
using lanefold::build;
using lanefold::bundle_state;
using lanefold::compile;
using lanefold::context;
using lanefold::cpu_selector;
using lanefold::cpu_selector_v;
using lanefold::default_selector;
using lanefold::default_selector_v;
using lanefold::device;
using lanefold::device_event;
using lanefold::device_image;
using lanefold::device_selector;
using lanefold::errc;
using lanefold::event;
using lanefold::exception;
using lanefold::exception_list;
using lanefold::get_kernel_bundle;
using lanefold::get_kernel_id;
using lanefold::get_kernel_ids;
using lanefold::gpu_selector;
using lanefold::gpu_selector_v;
using lanefold::group;
using lanefold::group_barrier;
using lanefold::handler;
using lanefold::has_kernel_bundle;
using lanefold::has_known_identity;
using lanefold::has_known_identity_v;
using lanefold::id;
using lanefold::interop_handle;
using lanefold::is_compatible;
using lanefold::is_device_copyable_v;
using lanefold::is_property;
using lanefold::is_property_of;
using lanefold::is_property_of_v;
using lanefold::is_property_v;
using lanefold::item;
using lanefold::join;
using lanefold::kernel;
using lanefold::kernel_bundle;
using lanefold::kernel_handler;
using lanefold::kernel_id;
using lanefold::kernel_properties;
using lanefold::known_identity;
using lanefold::known_identity_v;
using lanefold::link;
using lanefold::logical_and;
using lanefold::logical_or;
using lanefold::make_error_code;
using lanefold::maximum;
using lanefold::minimum;
using lanefold::multiplies;
using lanefold::nd_item;
using lanefold::nd_range;
using lanefold::platform;
using lanefold::plus;
using lanefold::properties;
using lanefold::property_list;
using lanefold::queue;
using lanefold::range;
using lanefold::reducer;
using lanefold::reduction;
using lanefold::specialization_id;
using lanefold::sub_group;
using lanefold::sycl_category;

} // namespace sycl

#endif
