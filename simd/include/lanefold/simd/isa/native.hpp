// SPDX-License-Identifier: Apache-2.0
/// The instructions of all instruction sets that this translation unit may use. Internal.
#pragma once

#include <lanefold/simd/isa/avx2.hpp>
#include <lanefold/simd/isa/avx512.hpp>
#include <lanefold/simd/isa/generic.hpp>
#include <lanefold/simd/isa/libmvec.hpp>
#include <lanefold/simd/isa/neon.hpp>
#include <lanefold/simd/isa/sse2.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// The instructions of the translation unit, for what does not say whose registers it works on.
using native_instructions = instructions<native_isa>;

/// The functions of one register: xsimd's, where no others are better.
#if defined(LANEFOLD_DETAIL_NEON)
namespace register_functions = neon;
#else
namespace register_functions = libmvec;
#endif

} // namespace detail

LANEFOLD_END_NAMESPACE
