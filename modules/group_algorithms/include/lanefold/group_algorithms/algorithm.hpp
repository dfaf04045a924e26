// SPDX-License-Identifier: Apache-2.0
/// Which implementation of a group algorithm runs.
#pragma once

#include <lanefold/version.hpp>

LANEFOLD_BEGIN_NAMESPACE

/// Implementations of reductions, scans and votes, as first template argument:
/// `reduce_over_group<algorithm::serial>(g, x, op)`. Leave it out for the fastest.
///
/// The phases are those of work-item kernels, with n work-items in the group; a barrier costs each of them one stack
/// switch. Lane-generic kernels need one barrier with every implementation, and none in a group of one sub-group; there
/// `serial` and `serial_heap` combine the lanes one after the other, all others by registers.
enum class algorithm {
  /// By value: each work-item folds its value in as it arrives; one barrier. Joint: `simd` where the element type and
  /// the operator are known to vectorise, else `serial`.
  automatic,
  /// By value: the leader allocates n elements on the heap; barrier; each work-item stores its value; barrier; the
  /// leader combines them one after the other; barrier. The baseline of comparisons. Joint: as `serial`.
  serial_heap,
  /// The operands in exactly the order of the work-items or elements, one after the other. By value: stores in scratch
  /// memory of the group, a barrier, the leader combines, a barrier.
  serial,
  /// Does the same as `serial`, with a loop that the compiler is told to vectorise (`omp simd`) where the operator
  /// commutes.
  omp_simd,
  /// Does the same as `serial`, with a loop of explicit registers: several accumulators, no horizontal operation inside
  /// the loop.
  simd,
  /// By value: as `automatic`. Joint: what the library has compiled for the element type and the operator, else as
  /// `omp_simd`. The default of joint algorithms in plain SYCL source files, which have no registers.
  without_registers,
};

/// "automatic", "serial_heap", "serial", "omp_simd", "simd" or "without_registers".
constexpr const char* to_string(algorithm a) noexcept {
  switch (a) {
  case algorithm::automatic: return "automatic";
  case algorithm::serial_heap: return "serial_heap";
  case algorithm::serial: return "serial";
  case algorithm::omp_simd: return "omp_simd";
  case algorithm::simd: return "simd";
  case algorithm::without_registers: return "without_registers";
  }
  return "unknown";
}

namespace detail {

/// Is the implementation of joint algorithms that are asked for none. It is not inline: source files of each kind have
/// their own, and their joint algorithms have different names (see plain_sub_group_size).
constexpr algorithm joint_algorithm = plain_sub_group_size == 0 ? algorithm::automatic : algorithm::without_registers;

/// Runs the fastest that it knows by value.
constexpr bool is_automatic(algorithm a) noexcept {
  return a == algorithm::automatic || a == algorithm::without_registers;
}

} // namespace detail

LANEFOLD_END_NAMESPACE
