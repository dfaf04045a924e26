// SPDX-License-Identifier: Apache-2.0
/// Instruction sets as types, what this translation unit is compiled for, and what the CPU can run.
#pragma once

#include <lanefold/version.hpp>

LANEFOLD_BEGIN_NAMESPACE

/// The instruction sets that registers exist for, as values, for decisions at run time.
enum class isa_id { generic, sse2, avx2, avx512, neon };

/// These are the same instruction sets as types. The tag is the last template parameter of `varying` and `mask`, so
/// that code compiled for several instruction sets has several types and never one function with two definitions.
/// `register_bytes` is the size of the widest register that compilers use.
namespace isa {
/// Every register is one plain scalar: the portable fallback and the reference of the tests, available in every build.
struct generic {
  static constexpr isa_id id = isa_id::generic;
  static constexpr unsigned register_bytes = 16;
};
/// x86-64 baseline: 16-byte registers.
struct sse2 {
  static constexpr isa_id id = isa_id::sse2;
  static constexpr unsigned register_bytes = 16;
};
/// AVX2 and FMA (x86-64-v3): registers of 32 and 16 bytes.
struct avx2 {
  static constexpr isa_id id = isa_id::avx2;
  static constexpr unsigned register_bytes = 32;
};
/// AVX-512 F, BW, DQ, VL and CD (x86-64-v4): registers of 64, 32 and 16 bytes, masks in mask registers.
struct avx512 {
  static constexpr isa_id id = isa_id::avx512;
  static constexpr unsigned register_bytes = 64;
};
/// AArch64: 16-byte registers.
struct neon {
  static constexpr isa_id id = isa_id::neon;
  static constexpr unsigned register_bytes = 16;
};
} // namespace isa

namespace detail {
/// The widest instruction set whose instructions the compiler may use in this translation unit.
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__) &&                 \
    defined(__AVX512CD__)
#define LANEFOLD_DETAIL_AVX512 1
#define LANEFOLD_DETAIL_AVX2 1
#define LANEFOLD_DETAIL_SSE2 1
using isa_of_flags = isa::avx512;
#elif defined(__AVX2__) && defined(__FMA__)
#define LANEFOLD_DETAIL_AVX2 1
#define LANEFOLD_DETAIL_SSE2 1
using isa_of_flags = isa::avx2;
#elif defined(__SSE2__)
#define LANEFOLD_DETAIL_SSE2 1
using isa_of_flags = isa::sse2;
#elif defined(__aarch64__) && defined(__ARM_NEON)
#define LANEFOLD_DETAIL_NEON 1
using isa_of_flags = isa::neon;
#else
using isa_of_flags = isa::generic;
#endif
} // namespace detail

#if defined(LANEFOLD_PLAIN_SYCL) && !defined(LANEFOLD_LANES)
// Kernels of plain SYCL source files are work-item kernels: registers, and the headers of xsimd and the compiler that
// they need, are a fifth of what their compilation takes (docs/decisions/074-plain-sycl-reads-no-simd.md).
#undef LANEFOLD_DETAIL_AVX512
#undef LANEFOLD_DETAIL_AVX2
#undef LANEFOLD_DETAIL_SSE2
#undef LANEFOLD_DETAIL_NEON
using native_isa = isa::generic;
#else
/// The instruction set of the registers that lanes of this translation unit have: the widest that the compiler may use;
/// `isa::generic` in plain SYCL source files that do not define LANEFOLD_LANES.
using native_isa = detail::isa_of_flags;
#endif

/// The instruction set of the translation unit that calls it. Internal linkage on purpose: it differs between units.
[[maybe_unused]] static constexpr isa_id isa_of_translation_unit() noexcept { return detail::isa_of_flags::id; }

/// "generic", "sse2", "avx2", "avx512" or "neon".
const char* isa_name(isa_id id) noexcept;

/// The widest instruction set that this CPU and its operating system can run (registers enabled by the kernel).
/// Determined once; callable from any thread.
isa_id cpu_isa() noexcept;

/// Returns whether this CPU can run code compiled for `id`. `isa_id::generic` always can.
bool supports(isa_id id) noexcept;

LANEFOLD_END_NAMESPACE
