// SPDX-License-Identifier: Apache-2.0
/// SYCL's names for memory, accessors, data types, atomics and streams. [sycl.4.7] [sycl.4.8] [sycl.4.14] [sycl.4.15]
#pragma once

#if __has_include(<lanefold/execution.hpp>)
#include <lanefold/execution.hpp>

namespace sycl {

namespace access = lanefold::access;
namespace usm = lanefold::usm;

using lanefold::access_mode;
using lanefold::accessor;
using lanefold::address_space_cast;
using lanefold::addressing_mode;
using lanefold::aligned_alloc;
using lanefold::aligned_alloc_device;
using lanefold::aligned_alloc_host;
using lanefold::aligned_alloc_shared;
using lanefold::atomic;
using lanefold::atomic_compare_exchange_strong;
using lanefold::atomic_exchange;
using lanefold::atomic_fence;
using lanefold::atomic_fetch_add;
using lanefold::atomic_fetch_and;
using lanefold::atomic_fetch_max;
using lanefold::atomic_fetch_min;
using lanefold::atomic_fetch_or;
using lanefold::atomic_fetch_sub;
using lanefold::atomic_fetch_xor;
using lanefold::atomic_load;
using lanefold::atomic_ref;
using lanefold::atomic_store;
using lanefold::bit_cast;
using lanefold::buffer;
using lanefold::buffer_allocator;
using lanefold::byte;
using lanefold::constant_ptr;
using lanefold::coordinate_normalization_mode;
using lanefold::dec;
using lanefold::decorated_generic_ptr;
using lanefold::decorated_global_ptr;
using lanefold::decorated_local_ptr;
using lanefold::decorated_private_ptr;
using lanefold::defaultfloat;
using lanefold::dynamic_extent;
using lanefold::elem;
using lanefold::endl;
using lanefold::filtering_mode;
using lanefold::fixed;
using lanefold::flush;
using lanefold::free;
using lanefold::generic_ptr;
using lanefold::get_pointer_device;
using lanefold::get_pointer_type;
using lanefold::global_ptr;
using lanefold::half;
using lanefold::hex;
using lanefold::hexfloat;
using lanefold::host_accessor;
using lanefold::host_sampled_image_accessor;
using lanefold::host_selector;
using lanefold::host_unsampled_image_accessor;
using lanefold::image;
using lanefold::image_allocator;
using lanefold::image_channel_order;
using lanefold::image_channel_type;
using lanefold::image_format;
using lanefold::image_sampler;
using lanefold::image_target;
using lanefold::local_accessor;
using lanefold::local_ptr;
using lanefold::make_ptr;
using lanefold::malloc;
using lanefold::malloc_device;
using lanefold::malloc_host;
using lanefold::malloc_shared;
using lanefold::marray;
using lanefold::memory_order;
using lanefold::memory_order_acq_rel;
using lanefold::memory_order_acquire;
using lanefold::memory_order_relaxed;
using lanefold::memory_order_release;
using lanefold::memory_order_seq_cst;
using lanefold::memory_scope;
using lanefold::memory_scope_device;
using lanefold::memory_scope_sub_group;
using lanefold::memory_scope_system;
using lanefold::memory_scope_work_group;
using lanefold::memory_scope_work_item;
using lanefold::multi_ptr;
using lanefold::no_init;
using lanefold::noshowbase;
using lanefold::noshowpos;
using lanefold::oct;
using lanefold::private_ptr;
using lanefold::raw_generic_ptr;
using lanefold::raw_global_ptr;
using lanefold::raw_local_ptr;
using lanefold::raw_private_ptr;
using lanefold::read_only;
using lanefold::read_only_host_task;
using lanefold::read_write;
using lanefold::read_write_host_task;
using lanefold::rounding_mode;
using lanefold::sampled_image;
using lanefold::sampled_image_accessor;
using lanefold::sampler;
using lanefold::scientific;
using lanefold::setprecision;
using lanefold::setw;
using lanefold::showbase;
using lanefold::showpos;
using lanefold::span;
using lanefold::stream;
using lanefold::stream_manipulator;
using lanefold::target;
using lanefold::unsampled_image;
using lanefold::unsampled_image_accessor;
using lanefold::usm_allocator;
using lanefold::vec;
using lanefold::write_only;
using lanefold::write_only_host_task;

// Scalar types, as most implementations have them.
using schar = signed char;
using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;
using longlong = long long;
using ulonglong = unsigned long long;
using lanefold::cl_char;
using lanefold::cl_double;
using lanefold::cl_float;
using lanefold::cl_int;
using lanefold::cl_long;
using lanefold::cl_short;
using lanefold::cl_uchar;
using lanefold::cl_uint;
using lanefold::cl_ulong;
using lanefold::cl_ushort;

#define LANEFOLD_DETAIL_USING_VECTORS(type)                                                                            \
  using lanefold::type##2;                                                                                             \
  using lanefold::type##3;                                                                                             \
  using lanefold::type##4;                                                                                             \
  using lanefold::type##8;                                                                                             \
  using lanefold::type##16
LANEFOLD_DETAIL_USING_VECTORS(bool);
LANEFOLD_DETAIL_USING_VECTORS(byte);
LANEFOLD_DETAIL_USING_VECTORS(char);
LANEFOLD_DETAIL_USING_VECTORS(cl_char);
LANEFOLD_DETAIL_USING_VECTORS(cl_double);
LANEFOLD_DETAIL_USING_VECTORS(cl_float);
LANEFOLD_DETAIL_USING_VECTORS(cl_half);
LANEFOLD_DETAIL_USING_VECTORS(cl_int);
LANEFOLD_DETAIL_USING_VECTORS(cl_long);
LANEFOLD_DETAIL_USING_VECTORS(cl_short);
LANEFOLD_DETAIL_USING_VECTORS(cl_uchar);
LANEFOLD_DETAIL_USING_VECTORS(cl_uint);
LANEFOLD_DETAIL_USING_VECTORS(cl_ulong);
LANEFOLD_DETAIL_USING_VECTORS(cl_ushort);
LANEFOLD_DETAIL_USING_VECTORS(double);
LANEFOLD_DETAIL_USING_VECTORS(float);
LANEFOLD_DETAIL_USING_VECTORS(half);
LANEFOLD_DETAIL_USING_VECTORS(int);
LANEFOLD_DETAIL_USING_VECTORS(long);
LANEFOLD_DETAIL_USING_VECTORS(longlong);
LANEFOLD_DETAIL_USING_VECTORS(mbool);
LANEFOLD_DETAIL_USING_VECTORS(mchar);
LANEFOLD_DETAIL_USING_VECTORS(mdouble);
LANEFOLD_DETAIL_USING_VECTORS(mfloat);
LANEFOLD_DETAIL_USING_VECTORS(mhalf);
LANEFOLD_DETAIL_USING_VECTORS(mint);
LANEFOLD_DETAIL_USING_VECTORS(mlong);
LANEFOLD_DETAIL_USING_VECTORS(mshort);
LANEFOLD_DETAIL_USING_VECTORS(muchar);
LANEFOLD_DETAIL_USING_VECTORS(muint);
LANEFOLD_DETAIL_USING_VECTORS(mulong);
LANEFOLD_DETAIL_USING_VECTORS(mushort);
LANEFOLD_DETAIL_USING_VECTORS(schar);
LANEFOLD_DETAIL_USING_VECTORS(short);
LANEFOLD_DETAIL_USING_VECTORS(uchar);
LANEFOLD_DETAIL_USING_VECTORS(uint);
LANEFOLD_DETAIL_USING_VECTORS(ulong);
LANEFOLD_DETAIL_USING_VECTORS(ulonglong);
LANEFOLD_DETAIL_USING_VECTORS(ushort);
#undef LANEFOLD_DETAIL_USING_VECTORS

} // namespace sycl

#endif
