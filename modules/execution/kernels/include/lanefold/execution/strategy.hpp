// SPDX-License-Identifier: Apache-2.0
/// Says how the work-items of a group are run on a CPU: launch properties.
#pragma once

#include <lanefold/execution/kernel_properties.hpp>
#include <lanefold/execution/property.hpp>
#include <lanefold/execution/walk.hpp>
#include <lanefold/simd/lanes.hpp>

#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

// Before a loop without dependencies. `#pragma omp simd` where it is understood: in programs compiled with -fopenmp, or
// with -fopenmp-simd and -DLANEFOLD_OPENMP_SIMD (compilers do not say that they were given the former).
#define LANEFOLD_DETAIL_PRAGMA(...) _Pragma(#__VA_ARGS__)
#if defined(LANEFOLD_OPENMP_SIMD) || defined(_OPENMP)
#define LANEFOLD_OMP_SIMD(...) LANEFOLD_DETAIL_PRAGMA(omp simd __VA_ARGS__)
#elif defined(__clang__)
#define LANEFOLD_OMP_SIMD(...) LANEFOLD_DETAIL_PRAGMA(clang loop vectorize(enable))
#else
#define LANEFOLD_OMP_SIMD(...) LANEFOLD_DETAIL_PRAGMA(GCC ivdep)
#endif

/// One work-item at a time, in a loop that the compiler is told to vectorise (`omp simd`, when the program is compiled
/// with -fopenmp-simd and -DLANEFOLD_OPENMP_SIMD). It serves work-item kernels without barriers; with barriers it runs
/// like `scalar`. The kernel must have no array of its own whose index is known at run time only: compilers give that
/// of a function that they put into such a loop to all work-items together, and the results are wrong
/// (docs/decisions/032-no-pragma-on-loops-over-kernels.md).
struct omp_simd : scalar {};

template <class Strategy>
concept execution_strategy = std::is_base_of_v<scalar, Strategy> || requires { typename Strategy::isa; };

namespace detail {

/// Is a strategy whose lanes are plain numbers where the instruction set has registers.
template <class Strategy>
inline constexpr bool lacks_registers = false;
template <class Strategy>
  requires requires { typename Strategy::isa; }
inline constexpr bool lacks_registers<Strategy> =
    !std::is_same_v<native_isa, isa_of_flags> && std::is_same_v<typename Strategy::isa, native_isa>;

} // namespace detail

namespace property {

/// Launch property: runs the kernel by `Strategy`: `scalar`, `omp_simd`, `simd<N>` or `simd<R, C>`. Without it a kernel
/// whose parameter type is spelled out runs as it is spelled, and a generic one by the measured default.
template <execution_strategy Strategy>
struct strategy : detail::launch_property {
  static_assert(
      !detail::lacks_registers<Strategy>,
      "lanefold: lanes have no registers in a plain SYCL source file: define LANEFOLD_LANES before it includes "
      "<sycl/sycl.hpp>");
};

/// Launch property: the order in which a thread walks the groups.
struct walk : detail::launch_property {
  walk_order order;
  constexpr explicit walk(walk_order how) noexcept : order(how) {}
};

} // namespace property

namespace detail {

/// The lanes that items of a strategy have.
template <class Strategy>
using lanes_of = std::conditional_t<std::is_base_of_v<scalar, Strategy>, scalar, Strategy>;

} // namespace detail

LANEFOLD_END_NAMESPACE
