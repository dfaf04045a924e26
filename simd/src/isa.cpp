// SPDX-License-Identifier: Apache-2.0
#include <lanefold/simd/isa.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace {

// __builtin_cpu_supports asks the operating system (XGETBV) too, whether it saves these registers.
isa_id widest_isa() noexcept {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2")))
    return isa_id::sse2;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd"))
    return isa_id::avx512;
  return isa_id::avx2;
#elif defined(__aarch64__)
  return isa_id::neon;
#else
  return isa_id::generic;
#endif
}

} // namespace

const char* isa_name(isa_id id) noexcept {
  switch (id) {
  case isa_id::generic: return "generic";
  case isa_id::sse2: return "sse2";
  case isa_id::avx2: return "avx2";
  case isa_id::avx512: return "avx512";
  case isa_id::neon: return "neon";
  }
  return "unknown";
}

isa_id cpu_isa() noexcept {
  static const isa_id widest = widest_isa();
  return widest;
}

bool supports(isa_id id) noexcept {
  switch (id) {
  case isa_id::generic: return true;
  case isa_id::neon: return cpu_isa() == isa_id::neon;
  case isa_id::sse2:
  case isa_id::avx2:
  case isa_id::avx512: break;
  }
  // The x86-64 sets stand in the order in which each contains those before it.
  return cpu_isa() != isa_id::neon && cpu_isa() != isa_id::generic && id <= cpu_isa();
}

LANEFOLD_END_NAMESPACE
