// SPDX-License-Identifier: Apache-2.0
#include "library_plan.hpp"

#include "identity.hpp"
#include "opencl_types.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {
namespace {

constexpr std::array operators = {"plus",   "multiplies", "minimum",     "maximum",   "bit_and",
                                  "bit_or", "bit_xor",    "logical_and", "logical_or"};

bool is_builtin_operator(std::string_view name) {
  return std::find(operators.begin(), operators.end(), name) != operators.end();
}

/// The least and the greatest value of a scalar type, as OpenCL C.
std::string limit_of(const opencl_type& type, bool greatest) {
  if (type.is_floating)
    return greatest ? "INFINITY" : "-INFINITY";
  if (!type.is_signed && !greatest)
    return "0";
  const std::map<std::string, std::string> prefixes = {{"char", "CHAR"},    {"uchar", "UCHAR"}, {"short", "SHRT"},
                                                       {"ushort", "USHRT"}, {"int", "INT"},     {"uint", "UINT"},
                                                       {"long", "LONG"},    {"ulong", "ULONG"}};
  return prefixes.at(type.component) + (greatest ? "_MAX" : "_MIN");
}

/// Returns the identity of a built-in operator as an expression of the scalar type.
std::string identity_of(std::string_view op, const opencl_type& type) {
  if (op == "multiplies" || op == "logical_and")
    return "1";
  if (op == "minimum" || op == "maximum")
    return limit_of(type, op == "minimum");
  if (op == "bit_and")
    return "-1";
  return "0";
}

/// Returns the description of that name, null if there is none.
template <class Description>
const Description* find_named(const std::vector<Description>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Description& d) { return d.name == name; });
  return found == all.end() ? nullptr : &*found;
}

bool is_scan(const request& r) { return r.name == "inclusive_scan" || r.name == "exclusive_scan"; }

/// Returns whether all totals are reduced, not only those of the sub-groups before.
bool reduces_all(const request& r) { return !is_scan(r) && r.name != "fold_below"; }

constexpr std::size_t most_sub_groups = 32; // of a work-group on NVIDIA's devices

} // namespace

const char* name_of(flavour f) {
  switch (f) {
  case flavour::automatic: return "automatic";
  case flavour::khr: return "khr";
  case flavour::intel: return "intel";
  case flavour::nv: return "nv";
  case flavour::local: return "local";
  }
  return "";
}

const char* name_of(variant v) {
  switch (v) {
  case variant::automatic: return "automatic";
  case variant::local_tree: return "local_tree";
  case variant::serial: return "serial";
  case variant::sub_group: return "sub_group";
  case variant::raking: return "raking";
  case variant::transposed: return "transposed";
  case variant::vendor: return "vendor";
  }
  return "";
}

[[noreturn]] void refuse(errc code, const std::string& what) { throw exception(make_error_code(code), what); }

std::string identity_text(const operator_description* user, std::string_view op, std::string_view type) {
  const std::optional<opencl_type> known = find_opencl_type(type);
  if (user == nullptr && (!known || !is_builtin_operator(op)))
    return {};
  const std::string value = user != nullptr ? user->identity : identity_of(op, *known);
  if (value.empty())
    return {};
  return "(" + (known ? "(" + std::string(type) + ")" : std::string()) + "(" + value + "))";
}

library_plan::library_plan(const library_target& target, const library_options& options)
    : m_target(target), m_options(options), m_flavour(choose_flavour()), m_shape(choose_shape()) {}

flavour library_plan::choose_flavour() const {
  const flavour wanted = m_options.flavour == flavour::automatic ? m_target.flavour : m_options.flavour;
  const bool there = wanted == flavour::local || (wanted == flavour::khr && m_target.khr) ||
                     (wanted == flavour::intel && m_target.intel) || (wanted == flavour::nv && m_target.nv);
  if (!there)
    refuse(errc::kernel_not_supported, "the device has no sub-groups of the flavour " + std::string(name_of(wanted)));
  return wanted;
}

std::size_t library_plan::choose_sub_group_size() const {
  const std::size_t chosen = sub_group_size_for(m_options.least_sub_group_size);
  if (chosen != 0 && chosen < m_options.least_sub_group_size)
    refuse(errc::kernel_not_supported, "the program needs sub-groups of " +
                                           std::to_string(m_options.least_sub_group_size) +
                                           " work-items or more; they have " + std::to_string(chosen));
  return chosen;
}

std::size_t library_plan::sub_group_size_for(std::size_t least) const {
  if (m_flavour == flavour::nv)
    return 32;
  const std::size_t wanted = m_options.sub_group_size;
  if (m_flavour == flavour::local) {
    if (wanted != 0 && !std::has_single_bit(wanted))
      refuse(errc::invalid, "sub_group_size " + std::to_string(wanted) + " is not a power of two");
    return wanted == 0 ? std::max<std::size_t>(16, std::bit_ceil(least)) : wanted;
  }
  const std::vector<std::size_t>& sizes = m_target.sub_group_sizes;
  const auto has = [&](std::size_t size) { return std::find(sizes.begin(), sizes.end(), size) != sizes.end(); };
  if (wanted != 0 && !has(wanted))
    refuse(errc::kernel_not_supported, "the device has no sub-groups of " + std::to_string(wanted) + " work-items");
  if (wanted != 0 || sizes.empty())
    return wanted;
  for (const std::size_t usual : {16, 32})
    if (usual >= least && has(usual))
      return usual;
  const auto enough = std::find_if(sizes.begin(), sizes.end(), [&](std::size_t size) { return size >= least; });
  return enough != sizes.end() ? *enough : *std::max_element(sizes.begin(), sizes.end());
}

shape library_plan::choose_shape() const {
  shape s;
  const range<3>& group = m_options.work_group;
  s.items = group.size();
  if (s.items > m_target.largest_work_group)
    refuse(errc::nd_range, "a work-group of " + std::to_string(s.items) + " work-items; the device has at most " +
                               std::to_string(m_target.largest_work_group));
  s.most_items = s.items == 0 ? m_target.largest_work_group : s.items;
  s.sub_group = choose_sub_group_size();
  // Sub-groups of `khr` and `intel` lie along dimension 0 and end with its rows; the others follow the linear order.
  const bool rows = m_flavour == flavour::khr || m_flavour == flavour::intel;
  const auto ceil_divide = [](std::size_t a, std::size_t b) { return (a + b - 1) / b; };
  if (s.sub_group == 0 || (rows && s.items == 0))
    s.sub_groups = s.most_items;
  else if (rows)
    s.sub_groups = s.items / group[0] * ceil_divide(group[0], s.sub_group);
  else
    s.sub_groups = ceil_divide(s.most_items, s.sub_group);
  s.full = s.items != 0 && s.sub_group != 0 && s.items == s.sub_groups * s.sub_group;
  return s;
}

bool library_plan::in_step() const {
  return m_target.sub_groups_in_step && (m_flavour == flavour::khr || m_flavour == flavour::intel);
}

bool library_plan::first_lane() const { return in_step() || (m_flavour == flavour::local && m_target.cpu); }

bool library_plan::knows_operator(std::string_view name) const {
  return is_builtin_operator(name) || user_operator(name) != nullptr;
}

const operator_description* library_plan::user_operator(std::string_view name) const {
  return find_named(m_options.operators, name);
}

bool library_plan::knows_type(std::string_view name) const {
  return find_opencl_type(name) || user_type(name) != nullptr;
}

const type_description* library_plan::user_type(std::string_view name) const {
  return find_named(m_options.types, name);
}

std::size_t library_plan::bytes_of_type(std::string_view name) const {
  if (const type_description* type = user_type(name))
    return type->bytes;
  return find_opencl_type(name)->bytes();
}

bool library_plan::is_whole(const request& r) {
  const std::optional<opencl_type> found = find_opencl_type(r.type);
  return found && !found->is_floating && found->width == 1;
}

bool library_plan::commutative(const request& r) const {
  const operator_description* const op = user_operator(r.op);
  return op == nullptr || op->commutative;
}

bool library_plan::idempotent(const request& r) const {
  return user_operator(r.op) == nullptr && (r.op == "minimum" || r.op == "maximum" || r.op == "bit_and" ||
                                            r.op == "bit_or" || r.op == "logical_and" || r.op == "logical_or");
}

std::string library_plan::identity(const request& r) const { return identity_text(user_operator(r.op), r.op, r.type); }

std::string library_plan::inverse(const request& r) const {
  const std::optional<opencl_type> type = find_opencl_type(r.type);
  if (!type || type->is_floating)
    return {};
  return r.op == "plus" ? "-" : r.op == "bit_xor" ? "^" : "";
}

std::string library_plan::redux(const request& r) const {
  if (m_flavour != flavour::nv || (r.type != "int" && r.type != "uint"))
    return {};
  const std::string suffix = r.type == "int" ? ".s32" : ".u32";
  if (r.op == "plus")
    return "add" + suffix;
  if (r.op == "minimum" || r.op == "maximum")
    return (r.op == "minimum" ? "min" : "max") + suffix;
  return r.op.starts_with("bit_") ? r.op.substr(4) + ".b32" : std::string();
}

std::string library_plan::ptx_sum(const request& r) const {
  static const std::map<std::string_view, std::string> names = {
      {"int", "s32"}, {"uint", "u32"}, {"long", "s64"}, {"ulong", "u64"}, {"double", "f64"}};
  const auto found = names.find(r.type);
  // A single sub-group scans doubles faster as C: 167 in place of 194 ns.
  const bool is_slower = m_shape.sub_groups == 1 && r.type == "double";
  return m_flavour == flavour::nv && r.op == "plus" && found != names.end() && !is_slower ? found->second : "";
}

std::string library_plan::builtin_name(std::string_view op) {
  return op == "plus" ? "add" : op == "minimum" ? "min" : op == "maximum" ? "max" : "";
}

bool library_plan::has_builtin(const request& r) {
  const std::optional<opencl_type> type = find_opencl_type(r.type);
  return !builtin_name(r.op).empty() && type && type->width == 1 && (type->component_bytes >= 4 || type->is_floating);
}

std::size_t library_plan::largest_raking() const { return std::max<std::size_t>(m_shape.sub_groups / 2, 1); }

bool library_plan::possible(variant v, const request& r) const {
  if (v == variant::local_tree || v == variant::serial)
    return true;
  if (v == variant::vendor || m_flavour == flavour::local || in_step())
    return v == variant::vendor && possible_vendor(r);
  if (v == variant::raking)
    return m_shape.full && m_shape.sub_groups > 1 &&
           (r.name == "inclusive_scan" || (is_scan(r) && !identity(r).empty()) || (!is_scan(r) && commutative(r)));
  if (v == variant::transposed) {
    const std::optional<opencl_type> type = find_opencl_type(r.type);
    return type && is_builtin_operator(r.op) && type->width > 1 && type->width != 3 && m_shape.full &&
           type->width <= m_shape.sub_group;
  }
  return true;
}

bool library_plan::possible_vendor(const request& r) const { return m_target.vendor_functions && has_builtin(r); }

variant library_plan::variant_of(const request& r) const {
  if (r.name != "reduce" && !is_scan(r))
    return variant::automatic;
  if (m_options.variant == variant::automatic)
    return fastest(r);
  if (!possible(m_options.variant, r))
    refuse(errc::invalid, "the variant " + std::string(name_of(m_options.variant)) + " is impossible for " + r.name +
                              " of " + r.op + " and " + r.type + " here");
  return m_options.variant;
}

// The choices below were measured on an H100, for CPUs with PoCL and Intel's runtime (docs/gpu.md).
variant library_plan::fastest(const request& r) const {
  if (m_target.cpu)
    return possible_vendor(r) && vendor_is_fast(r) ? variant::vendor : variant::serial;
  if (m_flavour == flavour::local || in_step())
    return variant::local_tree;
  if (m_flavour != flavour::nv)
    return variant::sub_group;
  if (possible(variant::transposed, r))
    return variant::transposed;
  if (!possible(variant::raking, r) || !redux(r).empty())
    return variant::sub_group;
  return m_shape.sub_groups >= sub_groups_for_raking(r) ? variant::raking : variant::sub_group;
}

bool library_plan::vendor_is_fast(const request& r) const {
  const bool small = m_shape.items != 0 && m_shape.items <= 64;
  return !is_scan(r) || (r.name == "inclusive_scan" && small && !is_whole(r));
}

std::size_t library_plan::sub_groups_for_raking(const request& r) const {
  if (!is_scan(r))
    return 3;
  if (bytes_of_type(r.type) < 8)
    return most_sub_groups + 1;
  return is_whole(r) ? 8 : 16;
}

std::size_t library_plan::raking_sub_groups(const request& r) const {
  std::size_t wanted = m_options.raking_sub_groups;
  if (wanted == 0 && is_scan(r))
    wanted = m_shape.sub_groups < 32 ? 1 : 2;
  else if (wanted == 0)
    wanted = bytes_of_type(r.type) >= 8 ? (m_shape.sub_groups < 16 ? 1 : 2) : (m_shape.sub_groups < 32 ? 2 : 4);
  std::size_t result = std::min(wanted, largest_raking());
  while (is_scan(r) && m_shape.sub_groups % result != 0)
    --result;
  return result;
}

bool library_plan::folds_serially(const request& r) const {
  return m_shape.items != 0 && totals_per_lane(r) == m_shape.sub_groups && (redux(r).empty() || !reduces_all(r));
}

std::size_t library_plan::totals_per_lane(const request& r) const {
  const std::size_t n = m_shape.sub_groups, fewest = (n + sub_group_or_one() - 1) / sub_group_or_one();
  const std::size_t wanted = m_options.totals_per_lane != 0 ? m_options.totals_per_lane : best_totals(r);
  const std::size_t result = std::max(fewest, std::min(wanted, n));
  // `redux.sync` takes one of each lane; the totals before a sub-group may also be read by each lane.
  return redux(r).empty() || (result == n && !reduces_all(r)) ? result : 1;
}

std::size_t library_plan::best_totals(const request& r) const {
  const std::size_t n = m_shape.sub_groups;
  if (reduces_all(r)) // eight reads cost less than shuffles that ask which lanes there are
    return n <= 4 || (!m_shape.full && n <= 8) ? n : 2;
  if (n <= 2)
    return n;
  if (bytes_of_type(r.type) < 8 || is_whole(r))
    return n <= 4 ? 2 : 1;
  return n <= 4 ? n : 1;
}

std::size_t library_plan::sub_group_or_one() const { return std::max<std::size_t>(m_shape.sub_group, 1); }

std::size_t library_plan::fold_lanes(const request& r) const {
  const std::size_t totals = totals_per_lane(r);
  return std::bit_ceil((m_shape.sub_groups + totals - 1) / totals);
}

std::size_t library_plan::most_folded(const request& r) const {
  return reduces_all(r) ? m_shape.sub_groups : std::max<std::size_t>(m_shape.sub_groups, 2) - 1;
}

std::size_t library_plan::local_bytes(const request& r) const {
  const std::size_t items = m_shape.most_items;
  if (r.name == "broadcast")
    return bytes_of_type(r.type);
  const bool serial_sub_group =
      r.name == "sub_group_reduce" || r.name == "sub_group_inclusive_scan" || r.name == "sub_group_runs";
  if (r.name == "exchange" || r.name == "sub_group_scatter" || r.name == "work_group_shuffle_xor" ||
      (serial_sub_group && first_lane()))
    return items * bytes_of_type(r.type);
  if (r.name != "reduce" && !is_scan(r))
    return 0;
  return elements(r) * bytes_of_type(r.type);
}

std::size_t library_plan::elements(const request& r) const {
  const std::size_t items = m_shape.most_items;
  switch (variant_of(r)) {
  case variant::local_tree:
  case variant::serial: return items;
  case variant::vendor: return 0;
  case variant::transposed: return m_shape.sub_groups + 1;
  case variant::raking:
    if (!is_scan(r))
      return items - raking_sub_groups(r) * m_shape.sub_group + raking_sub_groups(r);
    return items + raking_sub_groups(r) * (m_shape.sub_group + 1);
  default: return std::max(m_shape.sub_groups, m_shape.full ? fold_lanes(r) * totals_per_lane(r) : 0);
  }
}

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
