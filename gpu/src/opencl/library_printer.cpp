// SPDX-License-Identifier: Apache-2.0
#include <lanefold/gpu/device_library.hpp>

#include "device_blocks.hpp"
#include "identity.hpp"
#include "library_plan.hpp"
#include "opencl_types.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {
namespace {

using opencl::device_block;
using opencl::library_plan;
using opencl::name_of;
using opencl::opencl_type;
using opencl::refuse;
using opencl::request;

class printer {
public:
  printer(const library_target& target, const library_options& options) : m_plan(target, options) {}

  std::string print(std::string_view source) {
    check_mentioned(source);
    require_mentioned(source);
    if (m_order.empty() && !uses_prologue(source))
      return {};
    std::string text =
        "// ---- the device library of Lanefold, flavour " + std::string(name_of(m_plan.chosen_flavour())) + "\n";
    text += pragmas() + constants() + block_text({"prologue", "", ""}) + block_text({"unroll", "", ""}) +
            block_text({"sub_groups", "", ""});
    for (const type_description& type : m_plan.options().types)
      text += type.definition.empty() ? "" : type.definition + "\n";
    for (const operator_description& op : m_plan.options().operators)
      text += op.definition.empty() ? "" : op.definition + "\n";
    for (const std::string& function : m_order)
      text += function;
    return text + "// ---- the program\n";
  }

  std::size_t sub_group_size() const { return m_plan.sub_groups().sub_group; }

  std::size_t bytes_of(std::string_view function) {
    const std::optional<request> found = parse(function);
    if (!found)
      refuse(errc::invalid, "scratch_bytes: the device library has no function " + std::string(function));
    require(*found);
    return 2 * half_bytes();
  }

private:
  // ---- functions by name

  /// "plus_int" -> plus, int: the operator and the type of a function, where both are known.
  std::optional<request> parse_arguments(const std::string& name, const device_block& block,
                                         std::string_view rest) const {
    if (!block.has_operator)
      return m_plan.knows_type(rest) ? std::optional(request{name, "", std::string(rest)}) : std::nullopt;
    for (std::size_t i = rest.find('_'); i != rest.npos; i = rest.find('_', i + 1)) {
      const std::string_view op = rest.substr(0, i), type = rest.substr(i + 1);
      if (m_plan.knows_operator(op) && m_plan.knows_type(type))
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
        if (m_plan.user_operator(found->op))
          return found;
    return std::nullopt;
  }

  // ---- what is printed

  /// Checks what only the user's own text may ask for wrongly.
  void check_mentioned(std::string_view source) const {
    opencl::for_each_identifier(source, [&](std::string_view identifier) {
      const std::optional<request> found = parse(identifier);
      if (!found || found->op.empty() || !m_plan.identity(*found).empty())
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
    check_masks(wanted);
    const std::string text = block_text(wanted);
    m_half_bytes = std::max(m_half_bytes, m_plan.local_bytes(wanted));
    require_mentioned(text); // functions stand before those that call them
    m_order.push_back(text);
  }

  void check_type(const std::string& name) {
    const std::optional<opencl_type> type = opencl::find_opencl_type(name);
    if (!type)
      return;
    if ((type->component == "double" && !m_plan.target().fp64) || (type->component == "half" && !m_plan.target().fp16))
      refuse(errc::kernel_not_supported, "the device has no type " + type->component);
    m_components.insert(type->component);
  }

  void check_masks(const request& wanted) const {
    if (wanted.name == "sub_group_bits" && m_plan.sub_groups().sub_group == 0 && m_plan.sub_groups().most_items > 256)
      refuse(errc::kernel_not_supported, "a mask of a sub-group has 256 bits; the device does not say how large its "
                                         "sub-groups are, and the work-group has " +
                                             std::to_string(m_plan.sub_groups().most_items) + " work-items");
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
                                           wanted.type + " for the flavour " + name_of(m_plan.chosen_flavour()));
  }

  std::string value_of(const std::string& key, const request& wanted) const {
    const auto yes = [](bool condition) { return std::string(condition ? "yes" : "no"); };
    if (key == "flavour")
      return name_of(m_plan.chosen_flavour());
    if (key == "variant")
      return name_of(m_plan.variant_of(wanted));
    if (key == "kind")
      return kind_of(wanted.type);
    if (key == "width") {
      const std::optional<opencl_type> type = opencl::find_opencl_type(wanted.type);
      return type ? std::to_string(type->width) : "none";
    }
    if (key == "redux")
      return yes(!m_plan.redux(wanted).empty());
    if (key == "shuffle_add")
      return yes(!m_plan.ptx_sum(wanted).empty());
    if (key == "builtin")
      return yes(m_plan.has_builtin(wanted));
    if (key == "serial")
      return yes(m_plan.folds_serially(wanted));
    if (key == "first_lane")
      return yes(m_plan.first_lane());
    if (key == "in_step")
      return yes(m_plan.in_step());
    if (key == "vendor_votes")
      return yes(m_plan.target().cpu && m_plan.target().vendor_functions &&
                 (m_plan.options().variant == variant::automatic || m_plan.options().variant == variant::vendor));
    if (key == "full")
      return yes(m_plan.sub_groups().full);
    if (key == "identity")
      return yes(!m_plan.identity(wanted).empty());
    if (key == "idempotent")
      return yes(m_plan.idempotent(wanted));
    if (key == "commutative")
      return m_plan.commutative(wanted) ? "1" : "0";
    refuse(errc::runtime, "the device library asks for an unknown key " + key);
  }

  std::map<std::string, std::string> values_for(const request& wanted) const {
    std::map<std::string, std::string> values = {{"name", wanted.name}, {"op", wanted.op}, {"T", wanted.type}};
    values["space"] = wanted.name.ends_with("_local") ? "local" : "global"; // of atomic operations
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
    const std::string own = m_plan.identity(wanted);
    values["identity"] = own.empty() ? "x" : own; // only where the caller overwrites it
    values["exclusive"] = exclusive ? "1" : "0";
    values["plain_scan"] = exclusive ? "exclusive_scan" : "inclusive_scan";
    values["vendor_scan"] = exclusive ? "exclusive" : "inclusive";
    values["commutative"] = m_plan.commutative(wanted) ? "1" : "0";
    values["redux"] = m_plan.redux(wanted);
    values["builtin"] = m_plan.builtin_name(wanted.op);
    // An exclusive scan takes a work-item's own value away again where that is exact, else moves values by a lane.
    const std::string taken = exclusive ? m_plan.inverse(wanted) : "";
    const bool shifted = exclusive && taken.empty();
    values["take_own"] = taken.empty() ? "" : "sum = sum " + taken + " x;";
    values["shift_own"] = shifted ? "sum = lf_shuffle_up_" + wanted.type + "(sum, 1, s);" : "";
    values["shifted"] = shifted ? "1" : "0";
    const std::string row_inverse = own.empty() ? "" : m_plan.inverse(wanted);
    values["row_taken"] = row_inverse.empty() ? "0" : "1";
    values["row_inverse"] = row_inverse.empty() ? "+" : row_inverse; // which the preprocessor removes
    values["whole"] = m_plan.is_whole(wanted) && !own.empty() ? "1" : "0";
    values["bytes"] = std::to_string(m_plan.bytes_of_type(wanted.type));
    values["raking"] = std::to_string(m_plan.raking_sub_groups(wanted));
    values["totals"] = std::to_string(m_plan.totals_per_lane(wanted));
    values["most_folded"] = std::to_string(m_plan.most_folded(wanted));
    const std::string ptx = m_plan.ptx_sum(wanted);
    values["ptx"] = ptx;
    values["ptx_register"] = ptx == "f64" ? "d" : "l";
    values["fold_lanes"] = std::to_string(m_plan.fold_lanes(wanted));
    if (type)
      values["component_identity"] = opencl::identity_text(nullptr, wanted.op, type->component);
    return values;
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

  /// A multiple of 16, and not nothing: a program may declare scratch and use none.
  std::size_t half_bytes() const { return std::max<std::size_t>((m_half_bytes + 15) / 16 * 16, 16); }

  // ---- the head

  std::string pragmas() const {
    std::string text;
    if (m_components.contains("half"))
      text += "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
    if (m_components.contains("double"))
      text += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
    if (m_plan.chosen_flavour() == flavour::intel)
      text += "#pragma OPENCL EXTENSION cl_intel_subgroups : enable\n";
    return text;
  }

  std::string constants() const {
    std::string text;
    const auto define = [&](const char* name, const std::string& value) {
      text += "#define " + std::string(name) + " " + value + "\n";
    };
    const bool rows = m_plan.chosen_flavour() == flavour::khr || m_plan.chosen_flavour() == flavour::intel;
    std::string attributes;
    if (m_plan.sub_groups().items != 0) {
      const range<3>& group = m_plan.options().work_group;
      define("LF_WORK_GROUP_X", std::to_string(group[0]) + "u");
      define("LF_WORK_GROUP_Y", std::to_string(group[1]) + "u");
      define("LF_WORK_GROUP_Z", std::to_string(group[2]) + "u");
      attributes += " __attribute__((reqd_work_group_size(" + std::to_string(group[0]) + ", " +
                    std::to_string(group[1]) + ", " + std::to_string(group[2]) + ")))";
    }
    if (m_plan.sub_groups().sub_group != 0) {
      define("LF_SUB_GROUP_SIZE", std::to_string(m_plan.sub_groups().sub_group) + "u");
      if (rows)
        attributes +=
            " __attribute__((intel_reqd_sub_group_size(" + std::to_string(m_plan.sub_groups().sub_group) + ")))";
    } else {
      define("LF_SUB_GROUP_SIZE", "((uint)get_max_sub_group_size())");
    }
    define("LF_FULL_SUB_GROUPS", m_plan.sub_groups().full ? "1" : "0");
    define("LF_HALF_BYTES", std::to_string(half_bytes()));
    if (!attributes.empty()) { // every kernel gets them, however it is spelled; NVIDIA ignores them before the word
      define("kernel", "kernel" + attributes);
      define("__kernel", "__kernel" + attributes);
    }
    return text;
  }

  library_plan m_plan;
  std::set<request> m_seen;
  std::set<std::string> m_components;
  std::vector<std::string> m_order;
  std::size_t m_half_bytes = 0;
};

} // namespace

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
