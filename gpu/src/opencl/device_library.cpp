// SPDX-License-Identifier: Apache-2.0
#include <lanefold/gpu/device_library.hpp>

#include "device_blocks.hpp"
#include "identity.hpp"
#include "opencl_types.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {
namespace {

using opencl::device_block;
using opencl::opencl_type;

constexpr std::array operators = {"plus",   "multiplies", "minimum",     "maximum",   "bit_and",
                                  "bit_or", "bit_xor",    "logical_and", "logical_or"};

[[noreturn]] void refuse(errc code, const std::string& what) { throw exception(make_error_code(code), what); }

bool is_builtin_operator(std::string_view name) {
  return std::find(operators.begin(), operators.end(), name) != operators.end();
}

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

/// Of a built-in operator, as an expression of the scalar type.
std::string identity_of(std::string_view op, const opencl_type& type) {
  if (op == "multiplies" || op == "logical_and")
    return "1";
  if (op == "minimum" || op == "maximum")
    return limit_of(type, op == "minimum");
  if (op == "bit_and")
    return "-1";
  return "0";
}

constexpr std::size_t most_sub_groups = 32; // of a work-group on NVIDIA's devices

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

class printer {
public:
  printer(const library_target& target, const library_options& options)
      : m_target(target), m_options(options), m_flavour(choose_flavour()), m_shape(choose_shape()) {}

  std::string print(std::string_view source) {
    check_mentioned(source);
    require_mentioned(source);
    if (m_order.empty() && !uses_prologue(source))
      return {};
    std::string text = "// ---- the device library of Lanefold, flavour " + std::string(name_of(m_flavour)) + "\n";
    text += pragmas() + constants() + block_text({"prologue", "", ""}) + block_text({"unroll", "", ""}) +
            block_text({"sub_groups", "", ""});
    for (const type_description& type : m_options.types)
      text += type.definition.empty() ? "" : type.definition + "\n";
    for (const operator_description& op : m_options.operators)
      text += op.definition.empty() ? "" : op.definition + "\n";
    for (const std::string& function : m_order)
      text += function;
    return text + "// ---- the program\n";
  }

  std::size_t sub_group_size() const { return m_shape.sub_group; }

  std::size_t bytes_of(std::string_view function) {
    const std::optional<request> found = parse(function);
    if (!found)
      refuse(errc::invalid, "scratch_bytes: the device library has no function " + std::string(function));
    require(*found);
    return 2 * half_bytes();
  }

private:
  // ---- what the target means

  flavour choose_flavour() const {
    const flavour wanted = m_options.flavour == flavour::automatic ? m_target.flavour : m_options.flavour;
    const bool there = wanted == flavour::local || (wanted == flavour::khr && m_target.khr) ||
                       (wanted == flavour::intel && m_target.intel) || (wanted == flavour::nv && m_target.nv);
    if (!there)
      refuse(errc::kernel_not_supported, "the device has no sub-groups of the flavour " + std::string(name_of(wanted)));
    return wanted;
  }

  /// Throws if the program needs larger sub-groups than it has asked for, or than there are.
  std::size_t choose_sub_group_size() const {
    const std::size_t chosen = sub_group_size_for(m_options.least_sub_group_size);
    if (chosen != 0 && chosen < m_options.least_sub_group_size)
      refuse(errc::kernel_not_supported, "the program needs sub-groups of " +
                                             std::to_string(m_options.least_sub_group_size) +
                                             " work-items or more; they have " + std::to_string(chosen));
    return chosen;
  }

  std::size_t sub_group_size_for(std::size_t least) const {
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

  shape choose_shape() const {
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

  bool in_step() const {
    return m_target.sub_groups_in_step && (m_flavour == flavour::khr || m_flavour == flavour::intel);
  }

  /// Returns whether the first work-item of a sub-group reduces and scans for all of it.
  bool first_lane() const { return in_step() || (m_flavour == flavour::local && m_target.cpu); }

  // ---- functions by name

  bool knows_operator(std::string_view name) const {
    return is_builtin_operator(name) || user_operator(name) != nullptr;
  }

  const operator_description* user_operator(std::string_view name) const {
    for (const operator_description& op : m_options.operators)
      if (op.name == name)
        return &op;
    return nullptr;
  }

  bool knows_type(std::string_view name) const { return opencl::find_opencl_type(name) || user_type(name) != nullptr; }

  const type_description* user_type(std::string_view name) const {
    for (const type_description& type : m_options.types)
      if (type.name == name)
        return &type;
    return nullptr;
  }

  std::size_t bytes_of_type(std::string_view name) const {
    if (const type_description* type = user_type(name))
      return type->bytes;
    return opencl::find_opencl_type(name)->bytes();
  }

  /// "plus_int" -> plus, int: the operator and the type of a function, where both are known.
  std::optional<request> parse_arguments(const std::string& name, const device_block& block,
                                         std::string_view rest) const {
    if (!block.has_operator)
      return knows_type(rest) ? std::optional(request{name, "", std::string(rest)}) : std::nullopt;
    for (std::size_t i = rest.find('_'); i != rest.npos; i = rest.find('_', i + 1)) {
      const std::string_view op = rest.substr(0, i), type = rest.substr(i + 1);
      if (knows_operator(op) && knows_type(type))
        return request{name, std::string(op), std::string(type)};
    }
    return std::nullopt;
  }

  std::optional<request> parse(std::string_view identifier) const {
    if (!identifier.starts_with("lf_"))
      return std::nullopt;
    identifier.remove_prefix(3);
    for (const device_block& block : opencl::device_blocks())
      for (const std::string& name : block.names) {
        if (!block.has_type && identifier == name)
          return request{name, "", ""};
        if (block.has_type && identifier.starts_with(name + "_"))
          if (auto found = parse_arguments(name, block, identifier.substr(name.size() + 1)))
            return found;
      }
    // The functor of an operator of the user's.
    if (identifier.starts_with("op_"))
      if (auto found = parse_arguments("op_user", device_block{{}, true, true, {}, {}}, identifier.substr(3)))
        if (user_operator(found->op))
          return found;
    return std::nullopt;
  }

  // ---- what is printed

  /// Checks what only the user's own text may ask for wrongly.
  void check_mentioned(std::string_view source) const {
    opencl::for_each_identifier(source, [&](std::string_view identifier) {
      const std::optional<request> found = parse(identifier);
      if (!found || found->op.empty() || !identity(*found).empty())
        return;
      for (const char* const needy : {"exclusive_scan", "sub_group_exclusive_scan", "joint_reduce",
                                      "joint_inclusive_scan", "joint_exclusive_scan"})
        if (found->name == needy)
          refuse(errc::invalid, std::string(identifier) + " needs the identity of the operator " + found->op +
                                    ", which its operator_description does not give");
    });
  }

  void require_mentioned(std::string_view text) {
    opencl::for_each_identifier(text, [&](std::string_view identifier) {
      if (const std::optional<request> found = parse(identifier))
        require(*found);
    });
  }

  static bool uses_prologue(std::string_view source) {
    bool uses = false;
    opencl::for_each_identifier(source, [&](std::string_view identifier) {
      uses = uses || identifier == "LANEFOLD_SCRATCH" || identifier.starts_with("lf_");
    });
    return uses;
  }

  void require(const request& wanted) {
    if (!m_seen.insert(wanted).second)
      return;
    check_type(wanted.type);
    const std::string text = block_text(wanted);
    m_half_bytes = std::max(m_half_bytes, local_bytes(wanted));
    require_mentioned(text); // functions stand before those that call them
    m_order.push_back(text);
  }

  void check_type(const std::string& name) {
    const std::optional<opencl_type> type = opencl::find_opencl_type(name);
    if (!type)
      return;
    if ((type->component == "double" && !m_target.fp64) || (type->component == "half" && !m_target.fp16))
      refuse(errc::kernel_not_supported, "the device has no type " + type->component);
    m_components.insert(type->component);
  }

  std::string block_text(const request& wanted) {
    for (const device_block& block : opencl::device_blocks()) {
      const bool named = std::find(block.names.begin(), block.names.end(), wanted.name) != block.names.end();
      const auto fits = [&](const auto& condition) {
        const auto& [key, values] = condition;
        return std::find(values.begin(), values.end(), value_of(key, wanted)) != values.end();
      };
      if (named && std::all_of(block.conditions.begin(), block.conditions.end(), fits))
        return opencl::substitute(block.text, values_for(wanted));
    }
    refuse(errc::kernel_not_supported, "the device library has no " + wanted.name + " of " + wanted.op + " and " +
                                           wanted.type + " for the flavour " + name_of(m_flavour));
  }

  std::string value_of(const std::string& key, const request& wanted) const {
    const auto yes = [](bool condition) { return std::string(condition ? "yes" : "no"); };
    if (key == "flavour")
      return name_of(m_flavour);
    if (key == "variant")
      return name_of(variant_of(wanted));
    if (key == "kind")
      return kind_of(wanted.type);
    if (key == "width") {
      const std::optional<opencl_type> type = opencl::find_opencl_type(wanted.type);
      return type ? std::to_string(type->width) : "none";
    }
    if (key == "redux")
      return yes(!redux(wanted).empty());
    if (key == "shuffle_add")
      return yes(m_flavour == flavour::nv && wanted.op == "plus" && (wanted.type == "int" || wanted.type == "uint"));
    if (key == "builtin")
      return yes(has_builtin(wanted));
    if (key == "serial")
      return yes(m_shape.full && totals_per_lane(wanted) == m_shape.sub_groups && redux(wanted).empty());
    if (key == "first_lane")
      return yes(first_lane());
    if (key == "in_step")
      return yes(in_step());
    if (key == "vendor_votes")
      return yes(m_target.cpu && m_target.vendor_functions &&
                 (m_options.variant == variant::automatic || m_options.variant == variant::vendor));
    if (key == "full")
      return yes(m_shape.full);
    if (key == "identity")
      return yes(!identity(wanted).empty());
    if (key == "commutative")
      return commutative(wanted) ? "1" : "0";
    refuse(errc::runtime, "the device library asks for an unknown key " + key);
  }

  std::map<std::string, std::string> values_for(const request& wanted) const {
    std::map<std::string, std::string> values = {{"name", wanted.name}, {"op", wanted.op}, {"T", wanted.type}};
    const std::optional<opencl_type> type = opencl::find_opencl_type(wanted.type);
    if (type) {
      values["component"] = type->component;
      values["components"] = std::to_string(type->width);
      values["half"] = type->component + (type->width > 2 ? std::to_string(type->width / 2) : "");
      values["last_half"] = type->width == 4 ? ".y" : "";
      values["narrowed"] = narrowed_component(type->width);
    }
    if (wanted.op.empty())
      return values;
    const bool exclusive = wanted.name.find("exclusive") != std::string::npos;
    const std::string own = identity(wanted);
    values["identity"] = own.empty() ? "x" : own; // only where the caller overwrites it
    values["exclusive"] = exclusive ? "1" : "0";
    values["plain_scan"] = exclusive ? "exclusive_scan" : "inclusive_scan";
    values["vendor_scan"] = exclusive ? "exclusive" : "inclusive";
    values["commutative"] = commutative(wanted) ? "1" : "0";
    values["redux"] = redux(wanted);
    values["builtin"] = builtin_name(wanted.op);
    // An exclusive scan takes a work-item's own value away again where that is exact, else moves values by a lane.
    const std::string taken = exclusive ? inverse(wanted) : "";
    const bool shifted = exclusive && taken.empty();
    values["take_own"] = taken.empty() ? "" : "sum = sum " + taken + " x;";
    values["shift_own"] = shifted ? "sum = lf_shuffle_up_" + wanted.type + "(sum, 1, s);" : "";
    values["shifted"] = shifted ? "1" : "0";
    values["raking"] = std::to_string(raking_sub_groups(wanted));
    values["totals"] = std::to_string(totals_per_lane(wanted));
    values["fold_lanes"] = std::to_string(fold_lanes(wanted));
    if (type)
      values["component_identity"] = opencl::identity_text(nullptr, wanted.op, type->component);
    return values;
  }

  // ---- facts of operators and types

  bool commutative(const request& r) const {
    const operator_description* const op = user_operator(r.op);
    return op == nullptr || op->commutative;
  }

  /// Empty if there is none.
  std::string identity(const request& r) const { return opencl::identity_text(user_operator(r.op), r.op, r.type); }

  /// The operator that takes a value away again, without rounding.
  std::string inverse(const request& r) const {
    const std::optional<opencl_type> type = opencl::find_opencl_type(r.type);
    if (!type || type->is_floating)
      return {};
    return r.op == "plus" ? "-" : r.op == "bit_xor" ? "^" : "";
  }

  /// By how many 32-bit words.
  static std::string kind_of(std::string_view type) {
    const std::optional<opencl_type> found = opencl::find_opencl_type(type);
    const std::size_t bytes = found && found->width != 3 ? found->bytes() : 0;
    return bytes == 4 ? "word" : bytes == 8 ? "pair" : bytes == 16 ? "quad" : "other";
  }

  /// The component that a lane has after halving from all to one: the lowest bits of the lane, in reverse.
  static std::string narrowed_component(std::size_t width) {
    std::string sum = "0";
    for (std::size_t bit = 0; (std::size_t{1} << (bit + 1)) <= width; ++bit)
      sum += " + (lane >> " + std::to_string(bit) + " & 1) * " + std::to_string(width >> (bit + 1));
    return sum;
  }

  /// The mnemonic behind `redux.sync.`; empty where there is no such instruction.
  std::string redux(const request& r) const {
    if (m_flavour != flavour::nv || (r.type != "int" && r.type != "uint"))
      return {};
    const std::string suffix = r.type == "int" ? ".s32" : ".u32";
    if (r.op == "plus")
      return "add" + suffix;
    if (r.op == "minimum" || r.op == "maximum")
      return (r.op == "minimum" ? "min" : "max") + suffix;
    return r.op.starts_with("bit_") ? r.op.substr(4) + ".b32" : std::string();
  }

  static std::string builtin_name(std::string_view op) {
    return op == "plus" ? "add" : op == "minimum" ? "min" : op == "maximum" ? "max" : "";
  }

  /// Returns whether OpenCL C's own functions reduce and scan the type with the operator.
  static bool has_builtin(const request& r) {
    const std::optional<opencl_type> type = opencl::find_opencl_type(r.type);
    return !builtin_name(r.op).empty() && type && type->width == 1 && (type->component_bytes >= 4 || type->is_floating);
  }

  // ---- variants

  static bool is_scan(const request& r) { return r.name == "inclusive_scan" || r.name == "exclusive_scan"; }

  std::size_t largest_raking() const { return std::max<std::size_t>(m_shape.sub_groups / 2, 1); }

  bool possible(variant v, const request& r) const {
    if (v == variant::local_tree || v == variant::serial)
      return true;
    if (v == variant::vendor || m_flavour == flavour::local || in_step())
      return v == variant::vendor && possible_vendor(r);
    if (v == variant::raking)
      return m_shape.full && m_shape.sub_groups > 1 &&
             (r.name == "inclusive_scan" || (is_scan(r) && !identity(r).empty()) || (!is_scan(r) && commutative(r)));
    if (v == variant::transposed) {
      const std::optional<opencl_type> type = opencl::find_opencl_type(r.type);
      return type && is_builtin_operator(r.op) && type->width > 1 && type->width != 3 && m_shape.full &&
             type->width <= m_shape.sub_group;
    }
    return true;
  }

  bool possible_vendor(const request& r) const { return m_target.vendor_functions && has_builtin(r); }

  variant variant_of(const request& r) const {
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

  variant fastest(const request& r) const {
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

  /// On CPUs.
  bool vendor_is_fast(const request& r) const {
    const bool small = m_shape.items != 0 && m_shape.items <= 64;
    return !is_scan(r) || (r.name == "inclusive_scan" && small && !is_integer(r.type));
  }

  /// Shuffles are the limit: the wider the type, the sooner local memory is better.
  std::size_t sub_groups_for_raking(const request& r) const {
    if (!is_scan(r))
      return 3;
    if (bytes_of_type(r.type) < 8)
      return most_sub_groups + 1;
    return is_integer(r.type) ? 8 : 16;
  }

  std::size_t raking_sub_groups(const request& r) const {
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

  std::size_t totals_per_lane(const request& r) const {
    if (!redux(r).empty())
      return 1;
    const std::size_t fewest = (m_shape.sub_groups + sub_group_or_one() - 1) / sub_group_or_one();
    const std::size_t wanted = m_options.totals_per_lane != 0 ? m_options.totals_per_lane : best_totals(r);
    return std::max(fewest, std::min(wanted, m_shape.sub_groups));
  }

  std::size_t best_totals(const request& r) const {
    const std::size_t n = m_shape.sub_groups;
    if (!is_scan(r) && r.name != "fold_below")
      return n <= 4 ? n : 2;
    if (bytes_of_type(r.type) < 8)
      return n <= 4 ? 2 : 1;
    return is_integer(r.type) || n > 8 ? 1 : n;
  }

  static bool is_integer(std::string_view type) {
    const std::optional<opencl_type> found = opencl::find_opencl_type(type);
    return found && !found->is_floating && found->width == 1;
  }

  std::size_t sub_group_or_one() const { return std::max<std::size_t>(m_shape.sub_group, 1); }

  std::size_t fold_lanes(const request& r) const {
    const std::size_t totals = totals_per_lane(r);
    return std::bit_ceil((m_shape.sub_groups + totals - 1) / totals);
  }

  // ---- local memory

  /// Bytes of one call.
  std::size_t local_bytes(const request& r) const {
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

  std::size_t elements(const request& r) const {
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

  /// A multiple of 16, and not nothing: a program may declare scratch and use none.
  std::size_t half_bytes() const { return std::max<std::size_t>((m_half_bytes + 15) / 16 * 16, 16); }

  // ---- the head

  std::string pragmas() const {
    std::string text;
    if (m_components.contains("half"))
      text += "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
    if (m_components.contains("double"))
      text += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
    if (m_flavour == flavour::intel)
      text += "#pragma OPENCL EXTENSION cl_intel_subgroups : enable\n";
    return text;
  }

  std::string constants() const {
    std::string text;
    const auto define = [&](const char* name, const std::string& value) {
      text += "#define " + std::string(name) + " " + value + "\n";
    };
    const bool rows = m_flavour == flavour::khr || m_flavour == flavour::intel;
    std::string attributes;
    if (m_shape.items != 0) {
      const range<3>& group = m_options.work_group;
      define("LF_WORK_GROUP_X", std::to_string(group[0]) + "u");
      define("LF_WORK_GROUP_Y", std::to_string(group[1]) + "u");
      define("LF_WORK_GROUP_Z", std::to_string(group[2]) + "u");
      attributes += " __attribute__((reqd_work_group_size(" + std::to_string(group[0]) + ", " +
                    std::to_string(group[1]) + ", " + std::to_string(group[2]) + ")))";
    }
    if (m_shape.sub_group != 0) {
      define("LF_SUB_GROUP_SIZE", std::to_string(m_shape.sub_group) + "u");
      if (rows)
        attributes += " __attribute__((intel_reqd_sub_group_size(" + std::to_string(m_shape.sub_group) + ")))";
    } else {
      define("LF_SUB_GROUP_SIZE", "((uint)get_max_sub_group_size())");
    }
    define("LF_FULL_SUB_GROUPS", m_shape.full ? "1" : "0");
    define("LF_HALF_BYTES", std::to_string(half_bytes()));
    if (!attributes.empty()) { // every kernel gets them, however it is spelled; NVIDIA ignores them before the word
      define("kernel", "kernel" + attributes);
      define("__kernel", "__kernel" + attributes);
    }
    return text;
  }

  const library_target& m_target;
  const library_options& m_options;
  flavour m_flavour;
  shape m_shape;
  std::set<request> m_seen;
  std::set<std::string> m_components;
  std::vector<std::string> m_order;
  std::size_t m_half_bytes = 0;
};

} // namespace

std::string opencl::identity_text(const operator_description* user, std::string_view op, std::string_view type) {
  const std::optional<opencl_type> known = find_opencl_type(type);
  if (user == nullptr && (!known || !is_builtin_operator(op)))
    return {};
  const std::string value = user != nullptr ? user->identity : identity_of(op, *known);
  if (value.empty())
    return {};
  return "(" + (known ? "(" + std::string(type) + ")" : std::string()) + "(" + value + "))";
}

std::size_t sub_group_size(const library_target& target, const library_options& options) {
  return printer(target, options).sub_group_size();
}

std::string print_library(const library_target& target, const library_options& options, std::string_view source) {
  return printer(target, options).print(source);
}

std::size_t scratch_bytes(const library_target& target, const library_options& options, std::string_view function) {
  return printer(target, options).bytes_of(function);
}

std::vector<std::string> library_functions() {
  std::set<std::string> names;
  for (const device_block& block : opencl::device_blocks())
    for (const std::string& name : block.names)
      names.insert(name + (block.has_operator ? "(op,T)" : block.has_type ? "(T)" : ""));
  return {names.begin(), names.end()};
}

} // namespace gpu
LANEFOLD_END_NAMESPACE
