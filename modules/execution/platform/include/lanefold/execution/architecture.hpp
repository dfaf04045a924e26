// SPDX-License-Identifier: Apache-2.0
/// Says which architecture a device has. (the extension SYCL_EXT_ONEAPI_DEVICE_ARCHITECTURE)
#pragma once

#include <lanefold/execution/detail/query.hpp>
#include <lanefold/execution/device.hpp>
#include <lanefold/simd/isa.hpp>

#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::oneapi::experimental {

/// The architectures that DPC++ names. Devices here are x86_64 or unknown: OpenCL does not tell.
// clang-format off
enum class architecture {
  unknown, x86_64, intel_cpu_spr, intel_cpu_gnr, intel_cpu_dmr,
  intel_gpu_bdw, intel_gpu_skl, intel_gpu_kbl, intel_gpu_cfl, intel_gpu_apl, intel_gpu_glk, intel_gpu_whl,
  intel_gpu_aml, intel_gpu_cml, intel_gpu_icllp, intel_gpu_ehl, intel_gpu_tgllp, intel_gpu_rkl, intel_gpu_adl_s,
  intel_gpu_adl_p, intel_gpu_adl_n, intel_gpu_dg1, intel_gpu_acm_g10, intel_gpu_acm_g11, intel_gpu_acm_g12,
  intel_gpu_pvc, intel_gpu_pvc_vg, intel_gpu_mtl_u, intel_gpu_mtl_h, intel_gpu_arl_h, intel_gpu_bmg_g21,
  intel_gpu_bmg_g31, intel_gpu_lnl_m, intel_gpu_ptl_h, intel_gpu_ptl_u, intel_gpu_wcl,
  nvidia_gpu_sm_50, nvidia_gpu_sm_52, nvidia_gpu_sm_53, nvidia_gpu_sm_60, nvidia_gpu_sm_61, nvidia_gpu_sm_62,
  nvidia_gpu_sm_70, nvidia_gpu_sm_72, nvidia_gpu_sm_75, nvidia_gpu_sm_80, nvidia_gpu_sm_86, nvidia_gpu_sm_87,
  nvidia_gpu_sm_89, nvidia_gpu_sm_90, nvidia_gpu_sm_90a,
  amd_gpu_gfx700, amd_gpu_gfx701, amd_gpu_gfx702, amd_gpu_gfx801, amd_gpu_gfx802, amd_gpu_gfx803, amd_gpu_gfx805,
  amd_gpu_gfx810, amd_gpu_gfx900, amd_gpu_gfx902, amd_gpu_gfx904, amd_gpu_gfx906, amd_gpu_gfx908, amd_gpu_gfx90a,
  amd_gpu_gfx940, amd_gpu_gfx941, amd_gpu_gfx942, amd_gpu_gfx1010, amd_gpu_gfx1011, amd_gpu_gfx1012, amd_gpu_gfx1013,
  amd_gpu_gfx1030, amd_gpu_gfx1031, amd_gpu_gfx1032, amd_gpu_gfx1034, amd_gpu_gfx1100, amd_gpu_gfx1101,
  amd_gpu_gfx1102,
  intel_gpu_8_0_0 = intel_gpu_bdw, intel_gpu_9_0_9 = intel_gpu_skl, intel_gpu_9_1_9 = intel_gpu_kbl,
  intel_gpu_9_2_9 = intel_gpu_cfl, intel_gpu_9_3_0 = intel_gpu_apl, intel_gpu_9_4_0 = intel_gpu_glk,
  intel_gpu_9_5_0 = intel_gpu_whl, intel_gpu_9_6_0 = intel_gpu_aml, intel_gpu_9_7_0 = intel_gpu_cml,
  intel_gpu_11_0_0 = intel_gpu_icllp, intel_gpu_11_2_0 = intel_gpu_ehl, intel_gpu_12_0_0 = intel_gpu_tgllp,
  intel_gpu_rpl_s = intel_gpu_adl_s, intel_gpu_rpl_p = intel_gpu_adl_p, intel_gpu_mtl_s = intel_gpu_mtl_u,
  intel_gpu_arl_u = intel_gpu_mtl_u, intel_gpu_arl_s = intel_gpu_mtl_u, intel_gpu_12_10_0 = intel_gpu_dg1,
  intel_gpu_dg2_g10 = intel_gpu_acm_g10, intel_gpu_dg2_g11 = intel_gpu_acm_g11, intel_gpu_dg2_g12 = intel_gpu_acm_g12
};
// clang-format on

/// Kinds of architectures.
enum class arch_category { intel_gpu, nvidia_gpu, amd_gpu };

namespace info::device {

/// Asks for the architecture of a device. Every device answers.
struct architecture : lanefold::detail::device_query<experimental::architecture> {
  static experimental::architecture of(const lanefold::device& asked) noexcept;
};

} // namespace info::device

} // namespace ext::oneapi::experimental

namespace detail {

/// The architecture of the processor that this source file is compiled for.
[[maybe_unused]] static constexpr ext::oneapi::experimental::architecture architecture_of_translation_unit() noexcept {
  using ext::oneapi::experimental::architecture;
  constexpr isa_id isa = isa_of_translation_unit();
  return isa == isa_id::generic || isa == isa_id::neon ? architecture::unknown : architecture::x86_64;
}

/// Knows whether a branch of if_architecture_is was taken.
template <bool Done>
class architecture_branch {
public:
  template <ext::oneapi::experimental::architecture... Asked, class F, class... Arguments>
  LANEFOLD_ALWAYS_INLINE auto else_if_architecture_is(F&& f, Arguments&&... arguments) const {
    constexpr bool taken = !Done && ((Asked == architecture_of_translation_unit()) || ...);
    if constexpr (taken) {
      std::forward<F>(f)(std::forward<Arguments>(arguments)...);
    }
    return architecture_branch<Done || taken>();
  }
  template <class F, class... Arguments>
  LANEFOLD_ALWAYS_INLINE void otherwise(F&& f, Arguments&&... arguments) const {
    if constexpr (!Done) {
      std::forward<F>(f)(std::forward<Arguments>(arguments)...);
    }
  }
};

} // namespace detail

namespace ext::oneapi::experimental {

/// Calls `f` with the arguments if this source file is compiled for one of these architectures: known to the compiler,
/// so that the other branch costs nothing. `.else_if_architecture_is<…>(g)` and `.otherwise(h)` may follow. A recorded
/// kernel gets the same answer: it is the host's, whichever device runs it.
template <architecture... Asked, class F, class... Arguments>
LANEFOLD_ALWAYS_INLINE auto if_architecture_is(F&& f, Arguments&&... arguments) {
  return lanefold::detail::architecture_branch<false>().template else_if_architecture_is<Asked...>(
      std::forward<F>(f), std::forward<Arguments>(arguments)...);
}

} // namespace ext::oneapi::experimental
LANEFOLD_END_NAMESPACE
