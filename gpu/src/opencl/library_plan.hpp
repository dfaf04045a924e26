// SPDX-License-Identifier: Apache-2.0
/// Decides what a program needs of the device library, before anything is printed: the flavour of sub-groups, their
/// number, the variant of each function, and its local memory.
#pragma once

#include <lanefold/gpu/device_library.hpp>

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

/// A function that is asked for: lf_<name>_<op>_<type>.
struct request {
  std::string name, op, type;

  friend auto operator<=>(const request&, const request&) = default;
};

/// Says how many sub-groups a work-group has, or could have.
struct shape {
  std::size_t items = 0;      // 0: not known when the program is built
  std::size_t most_items = 0; // items, or the most that there can be
  std::size_t sub_group = 0;  // 0: not known
  std::size_t sub_groups = 0; // the most that there can be
  bool full = false;          // known: every sub-group has sub_group items
};

const char* name_of(flavour f);
const char* name_of(variant v);

[[noreturn]] void refuse(errc code, const std::string& what);

/// Keeps references: the target and the options must outlive it. Throws what device_library.hpp says of both.
class library_plan {
public:
  library_plan(const library_target& target, const library_options& options);

  const library_target& target() const { return m_target; }
  const library_options& options() const { return m_options; }
  flavour chosen_flavour() const { return m_flavour; }
  const shape& sub_groups() const { return m_shape; }
  /// Returns whether the first work-item of a sub-group reduces and scans for all of it.
  bool first_lane() const;
  bool in_step() const;

  // ---- operators and types

  bool knows_operator(std::string_view name) const;
  bool knows_type(std::string_view name) const;
  /// Returns null for an operator of the library's.
  const operator_description* user_operator(std::string_view name) const;
  std::size_t bytes_of_type(std::string_view name) const;
  /// Returns whether the type is one of whole numbers, and no vector.
  static bool is_whole(const request& r);
  bool commutative(const request& r) const;
  /// Returns whether a value may be taken twice: the greatest of x and x is x.
  bool idempotent(const request& r) const;
  /// Returns the identity as an expression; empty if there is none.
  std::string identity(const request& r) const;
  /// Returns the operator that takes a value away again, without rounding; empty if there is none.
  std::string inverse(const request& r) const;
  /// Returns the mnemonic behind `redux.sync.`; empty where there is no such instruction.
  std::string redux(const request& r) const;
  /// Returns the type of PTX in which shuffles and predicated additions scan sums; empty where they do not.
  std::string ptx_sum(const request& r) const;
  static std::string builtin_name(std::string_view op);
  /// Returns whether OpenCL C's own functions reduce and scan the type with the operator.
  static bool has_builtin(const request& r);

  // ---- variants

  /// Returns the variant that was asked for, or the fastest one. Throws if the one asked for is impossible.
  variant variant_of(const request& r) const;
  std::size_t raking_sub_groups(const request& r) const;
  std::size_t totals_per_lane(const request& r) const;
  /// Returns whether each lane reads the totals of all sub-groups.
  bool folds_serially(const request& r) const;
  std::size_t fold_lanes(const request& r) const;
  /// Returns how many totals of sub-groups there can be to reduce.
  std::size_t most_folded(const request& r) const;
  /// Returns the bytes of local memory that one call takes.
  std::size_t local_bytes(const request& r) const;

private:
  flavour choose_flavour() const;
  /// Throws if the program needs larger sub-groups than it has asked for, or than there are.
  std::size_t choose_sub_group_size() const;
  std::size_t sub_group_size_for(std::size_t least) const;
  shape choose_shape() const;
  const type_description* user_type(std::string_view name) const;
  bool possible(variant v, const request& r) const;
  bool possible_vendor(const request& r) const;
  variant fastest(const request& r) const;
  /// Asks about CPUs.
  bool vendor_is_fast(const request& r) const;
  /// Shuffles are the limit: the wider the type, the sooner local memory is better.
  std::size_t sub_groups_for_raking(const request& r) const;
  std::size_t largest_raking() const;
  std::size_t best_totals(const request& r) const;
  std::size_t sub_group_or_one() const;
  /// Returns how many values the local memory of one call holds.
  std::size_t elements(const request& r) const;

  const library_target& m_target;
  const library_options& m_options;
  flavour m_flavour;
  shape m_shape;
};

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
