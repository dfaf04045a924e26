// SPDX-License-Identifier: Apache-2.0
/// The device library: OpenCL C functions of sub-groups and work-groups, printed into programs that use them.
#pragma once

#include <lanefold/exception.hpp>
#include <lanefold/range.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {

/// Says what sub-group operations are made of.
enum class flavour {
  automatic, ///< the best that the device offers
  khr,       ///< cl_khr_subgroup_shuffle
  intel,     ///< cl_intel_subgroups
  nv,        ///< inline PTX, for NVIDIA's OpenCL
  local,     ///< local memory and barriers of the work-group, for any device
};

/// Says how work-groups reduce and scan. `automatic` takes the fastest that was measured for the kind of device, the
/// flavour, the type and the work-group size; the others are for comparisons.
enum class variant {
  automatic,
  local_tree, ///< one element of local memory for each work-item, a barrier for each doubling: the baseline
  serial,     ///< one work-item goes through local memory, two barriers: for devices that are CPUs
  sub_group,  ///< shuffles, one element for each sub-group, one barrier, shuffles
  raking,     ///< all store to local memory, a few sub-groups add across and shuffle, two barriers
  transposed, ///< vectors: each lane takes one component, which needs fewer shuffles
  vendor,     ///< work_group_reduce_*, work_group_scan_* of the device
};

/// A trivially copyable type of the user's. `definition` is OpenCL C, printed before the functions; may be empty.
struct type_description {
  std::string name;
  std::string definition;
  std::size_t bytes = 0;

  friend bool operator==(const type_description&, const type_description&) = default;
};

/// An associative operator of the user's, or a predicate of joint votes: an OpenCL C function `name(a, b)`.
/// `definition` is printed before the functions. `identity` is an expression of the type, needed by exclusive scans
/// without `init` and by joint algorithms.
struct operator_description {
  std::string name;
  std::string definition;
  bool commutative = false;
  std::string identity;

  friend bool operator==(const operator_description&, const operator_description&) = default;
};

/// Describes what the functions are printed for.
struct library_options {
  gpu::flavour flavour = gpu::flavour::automatic;
  gpu::variant variant = gpu::variant::automatic;
  /// The work-group's extents as OpenCL counts them (dimension 0 varies fastest); {0, 0, 0}: known at run time only,
  /// which makes scans and reductions up to 1.8 times slower.
  range<3> work_group{0, 0, 0};
  /// Work-items of a sub-group; 0: what suits the device. Ignored where the device says it (nv: 32).
  std::size_t sub_group_size = 0;
  /// Work-items that sub-groups must have at least, for programs with parts of sub-groups; more are chosen where the
  /// device has them, else printing throws errc::kernel_not_supported.
  std::size_t least_sub_group_size = 0;
  std::vector<type_description> types;
  std::vector<operator_description> operators;
  /// These are for comparisons: totals that one lane takes (sub_group), sub-groups that rake (raking); 0: the library
  /// chooses.
  std::size_t totals_per_lane = 0;
  std::size_t raking_sub_groups = 0;

  friend bool operator==(const library_options&, const library_options&) = default;
};

/// Holds what the library must know of a device. gpu::device::library_target() makes one.
struct library_target {
  gpu::flavour flavour = gpu::flavour::local; ///< the flavour that `automatic` means
  bool khr = false;                           ///< which of the flavours there are
  bool intel = false;
  bool nv = false;
  /// Sub-group sizes that a kernel can ask for; none: a kernel takes what it gets.
  std::vector<std::size_t> sub_group_sizes;
  /// The functions of sub-groups are barriers of the work-group (PoCL): all its work-items must reach them. Sub-groups
  /// have one size then, that of the work-group's dimension 0.
  bool sub_groups_in_step = false;
  bool fp16 = false;
  bool fp64 = false;
  bool vendor_functions = false;
  bool cpu = false; ///< work-items of a work-group run one after the other: barriers are dear, one work-item is fast
  std::size_t largest_work_group = 1024;
};

/// The OpenCL C text that stands before `source`: the functions lf_* which it mentions, and what those need; empty if
/// it mentions nothing of the library. Throws errc::kernel_not_supported for a type or a flavour that the device lacks,
/// errc::invalid for a variant that is impossible here.
std::string print_library(const library_target& target, const library_options& options, std::string_view source);

/// Bytes of local memory that a function needs, for example `scratch_bytes(t, o, "lf_reduce_plus_float")`, for the
/// work-group size of the options, or for the device's largest. A kernel needs the largest of its functions'.
/// Throws errc::invalid if the library has no such function.
std::size_t scratch_bytes(const library_target& target, const library_options& options, std::string_view function);

/// Work-items of a full sub-group in programs that use the library; 0 if only the device knows.
std::size_t sub_group_size(const library_target& target, const library_options& options);

/// The names of the library's functions with their parameters, for example "reduce(op,T)"; `lf_reduce_plus_float` is
/// one of them.
std::vector<std::string> library_functions();

} // namespace gpu

LANEFOLD_END_NAMESPACE
