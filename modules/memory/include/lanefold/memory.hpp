// SPDX-License-Identifier: Apache-2.0
/// All of the module memory. Written by scripts/update-umbrellas.
#pragma once

#include <lanefold/memory/address_space.hpp>
#include <lanefold/memory/atomic.hpp>
#include <lanefold/memory/atomic_ref.hpp>
#include <lanefold/memory/bfloat16.hpp>
#include <lanefold/memory/bfloat16_functions.hpp>
#include <lanefold/memory/common_functions.hpp>
#include <lanefold/memory/complex.hpp>
#include <lanefold/memory/device_global.hpp>
#include <lanefold/memory/dot_product.hpp>
#include <lanefold/memory/geometric_functions.hpp>
#include <lanefold/memory/half.hpp>
#include <lanefold/memory/integer_functions.hpp>
#include <lanefold/memory/is_device_copyable.hpp>
#include <lanefold/memory/local_accessor.hpp>
#include <lanefold/memory/make_vec.hpp>
#include <lanefold/memory/marray.hpp>
#include <lanefold/memory/math_functions.hpp>
#include <lanefold/memory/member.hpp>
#include <lanefold/memory/memory_order.hpp>
#include <lanefold/memory/multi_ptr.hpp>
#include <lanefold/memory/private_array.hpp>
#include <lanefold/memory/relational_functions.hpp>
#include <lanefold/memory/scalar_types.hpp>
#include <lanefold/memory/uniform.hpp>
#include <lanefold/memory/usm.hpp>
#include <lanefold/memory/varying_record.hpp>
#include <lanefold/memory/varying_small_real.hpp>
#include <lanefold/memory/varying_vec.hpp>
#include <lanefold/memory/vec.hpp>
#include <lanefold/memory/view.hpp>
#include <lanefold/memory/work_group_memory.hpp>
