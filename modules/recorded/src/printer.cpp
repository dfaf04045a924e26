// SPDX-License-Identifier: Apache-2.0
/// Prints what was recorded as OpenCL C.
#include <lanefold/recorded/detail/recorder.hpp>

#include "number_text.hpp"

#include <algorithm>
#include <set>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

bool is_statement(recorded_op op) { return op >= recorded_op::declare; }
/// Is done also if nobody uses what it gives.
bool has_effect(recorded_op op) {
  return is_statement(op) || op == recorded_op::collective || op == recorded_op::atomic;
}
/// Changes memory, or lets others change it.
bool changes_memory(recorded_op op) {
  return op == recorded_op::store || op == recorded_op::barrier || op == recorded_op::collective ||
         op == recorded_op::atomic || op == recorded_op::set_element;
}
/// Rounds: its result is no half although its operands are.
bool rounds(recorded_op op) {
  return op == recorded_op::binary || op == recorded_op::convert || op == recorded_op::call ||
         op == recorded_op::collective;
}

/// Deeper expressions are divided: compilers have limits.
constexpr unsigned most_depth = 12;

/// Finds what is used, and what of it stands where it is used.
struct node_use {
  unsigned count = 0;
  node_number root = no_node; ///< the statement in which it is used, if that is one
  unsigned depth = 0;         ///< of that expression
  bool in_place = false;
};

class printer {
public:
  printer(const recorder& what, const recorded_header& header)
      : m_what(what), m_nodes(what.nodes()), m_header(header), m_uses(m_nodes.size()), m_names(m_nodes.size()) {}

  std::string print() {
    find_uses();
    std::string body;
    m_indent = 1;
    if (m_header.is_guarded) {
      for (int d = m_header.range_dimensions; d-- > 0;) {
        const std::string number = std::to_string(d);
        line(body, "if (get_global_id(" + number + ") >= n" + number + ")");
        line(body, "  return;");
      }
    }
    for (node_number n = 0; n < m_nodes.size(); ++n) {
      print_node(body, n);
    }
    return head() + body + "}\n";
  }

  std::string print_function(node_number result) {
    m_result = result;
    find_uses();
    std::string body;
    m_indent = 1;
    for (node_number n = 0; n < m_nodes.size(); ++n) {
      print_node(body, n);
    }
    line(body, "return " + value(result) + ";");
    return body;
  }

private:
  // ---- what is used where

  void find_uses() {
    std::vector<unsigned> memory_changes(m_nodes.size() + 1, 0);
    for (std::size_t n = 0; n < m_nodes.size(); ++n) {
      memory_changes[n + 1] = memory_changes[n] + (changes_memory(m_nodes[n].op) ? 1 : 0);
      if (m_nodes[n].op == recorded_op::assign) {
        m_assignments.push_back({m_nodes[n].detail, static_cast<node_number>(n)});
      }
    }
    std::sort(m_assignments.begin(), m_assignments.end());
    if (m_result != no_node) { // stands on its own, unless it is a name or a number
      m_uses[m_result].count = 2;
      m_uses[m_result].root = m_result;
    }
    for (std::size_t i = m_nodes.size(); i-- > 0;) {
      const recorded_node& node = m_nodes[i];
      node_use& use = m_uses[i];
      if (use.count == 0 && !has_effect(node.op)) {
        continue;
      }
      use.in_place = stands_in_place(static_cast<node_number>(i), memory_changes);
      if (!use.in_place) {
        use.root = static_cast<node_number>(i);
        use.depth = 0;
      }
      for (const node_number operand : {node.a, node.b, node.c}) {
        if (operand != no_node) {
          node_use& used = m_uses[operand];
          ++used.count;
          used.root = use.root;
          used.depth = use.depth + 1;
        }
      }
    }
  }

  bool stands_in_place(node_number n, const std::vector<unsigned>& memory_changes) const {
    const recorded_node& node = m_nodes[n];
    const node_use& use = m_uses[n];
    if (node.op == recorded_op::literal || node.op == recorded_op::counter) {
      return true;
    }
    if (has_effect(node.op) || use.count != 1 || use.depth > most_depth || m_nodes[use.root].block != node.block) {
      return false;
    }
    // A loop asks for these again and again.
    if (m_nodes[use.root].op == recorded_op::begin_for) {
      return false;
    }
    if (node.op == recorded_op::load || node.op == recorded_op::element) {
      return memory_changes[use.root] == memory_changes[n];
    }
    if (node.op == recorded_op::read) {
      const auto next = std::upper_bound(m_assignments.begin(), m_assignments.end(), std::pair(node.detail, n));
      return next == m_assignments.end() || next->first != node.detail || next->second >= use.root;
    }
    return true;
  }

  // ---- expressions

  static bool is_primary(const recorded_node& node) {
    return (node.type == recorded_type::f16 && rounds(node.op)) ||
           (node.op != recorded_op::unary && node.op != recorded_op::binary && node.op != recorded_op::select &&
            node.op != recorded_op::convert);
  }

  std::string operand(node_number n) const {
    const std::string text = value(n);
    return m_uses[n].in_place && !is_primary(m_nodes[n]) ? "(" + text + ")" : text;
  }

  std::string value(node_number n) const { return m_uses[n].in_place ? expression(n) : m_names[n]; }

  std::string arguments(const recorded_node& node) const {
    std::string text;
    for (const node_number a : {node.a, node.b, node.c}) {
      if (a != no_node) {
        text += (text.empty() ? "" : ", ") + value(a);
      }
    }
    return text;
  }

  std::string element(std::uint64_t array, node_number index) const {
    return array_name(array) + "[" + value(index) + "]";
  }

  std::string element_of_private(const recorded_node& node) const {
    return "m" + std::to_string(node.detail) + "[" + value(node.a) + "]";
  }

  std::string expression(node_number n) const {
    const recorded_node& node = m_nodes[n];
    if (node.type == recorded_type::f16 && rounds(node.op)) {
      const bool from_double = node.op == recorded_op::convert && m_nodes[node.a].type == recorded_type::f64;
      return (from_double ? "lf_half_of_double(" : "lf_half_of_float(") + plain_expression(n) + ")";
    }
    return plain_expression(n);
  }

  std::string plain_expression(node_number n) const {
    const recorded_node& node = m_nodes[n];
    switch (node.op) {
    case recorded_op::literal: return text_of_number(node.type, node.detail);
    case recorded_op::query: return m_what.text_of(node.detail);
    case recorded_op::counter: return "i" + std::to_string(node.detail);
    case recorded_op::unary: return m_what.text_of(node.detail) + operand(node.a);
    case recorded_op::binary: return operand(node.a) + " " + m_what.text_of(node.detail) + " " + operand(node.b);
    case recorded_op::convert: return conversion(node);
    case recorded_op::select: return operand(node.a) + " ? " + operand(node.b) + " : " + operand(node.c);
    case recorded_op::call: return m_what.text_of(node.detail) + "(" + arguments(node) + ")";
    case recorded_op::collective: {
      const std::string given = arguments(node);
      return m_what.text_of(node.detail) + "(" + given + (given.empty() ? "&s)" : ", &s)");
    }
    case recorded_op::read: return "v" + std::to_string(node.detail);
    case recorded_op::element: return element_of_private(node);
    case recorded_op::load: {
      if (node.type == recorded_type::f16) {
        return "vload_half(" + value(node.a) + ", " + array_name(node.detail) + ")";
      }
      const std::string text = element(node.detail, node.a);
      return node.type == recorded_type::boolean ? "(" + text + " != 0)" : text;
    }
    case recorded_op::atomic: {
      std::string text = m_what.text_of(node.detail & 0xffffffffU) + "(&" + element(node.detail >> 32, node.a);
      for (const node_number a : {node.b, node.c}) {
        text += a == no_node ? "" : ", " + value(a);
      }
      return text + ")";
    }
    default: return "";
    }
  }

  std::string conversion(const recorded_node& node) const {
    if (node.type == recorded_type::boolean) {
      return operand(node.a) + " != 0";
    }
    if (node.type == recorded_type::f16 && m_nodes[node.a].type == recorded_type::f64) {
      return value(node.a);
    }
    return std::string("(") + name_of_type(node.type) + ")" + operand(node.a);
  }

  // ---- statements

  void line(std::string& to, const std::string& text) const {
    to.append(2 * m_indent, ' ');
    to += text + "\n";
  }

  void print_node(std::string& to, node_number n) {
    const recorded_node& node = m_nodes[n];
    if (!is_statement(node.op)) {
      print_value(to, n);
      return;
    }
    switch (node.op) {
    case recorded_op::declare:
      line(to, std::string(name_of_type(node.type)) + " v" + std::to_string(node.detail) + " = " + value(node.a) + ";");
      break;
    case recorded_op::assign: line(to, "v" + std::to_string(node.detail) + " = " + value(node.a) + ";"); break;
    case recorded_op::store: line(to, stored(node) + ";"); break;
    case recorded_op::set_element: line(to, element_of_private(node) + " = " + value(node.b) + ";"); break;
    case recorded_op::barrier: line(to, m_what.text_of(node.detail)); break;
    case recorded_op::begin_if: open(to, "if (" + value(node.a) + ") {"); break;
    case recorded_op::begin_else:
      --m_indent;
      open(to, "} else {");
      break;
    case recorded_op::begin_loop:
      m_head_of_loop = head_of_loop(n);
      open(to, m_head_of_loop == no_node ? "for (;;) {" : "while (" + value(m_nodes[m_head_of_loop].a) + ") {");
      break;
    case recorded_op::leave_unless:
      if (n == m_head_of_loop) {
        break;
      }
      line(to, "if (!(" + value(node.a) + "))");
      line(to, "  break;");
      break;
    case recorded_op::begin_for: {
      const std::string i = "i" + std::to_string(node.detail);
      open(to, std::string("for (") + name_of_type(node.type) + " " + i + " = " + value(node.a) + "; " + i + " < " +
                   value(node.b) + "; " + i + " += " + value(node.c) + ") {");
      break;
    }
    case recorded_op::end:
      --m_indent;
      line(to, "}");
      break;
    default: break;
    }
  }

  std::string stored(const recorded_node& node) const {
    if (m_what.arrays()[node.detail].type == recorded_type::f16) {
      return "vstore_half(" + value(node.b) + ", " + value(node.a) + ", " + array_name(node.detail) + ")";
    }
    return element(node.detail, node.a) + " = " + value(node.b);
  }

  bool is_printed(node_number n) const {
    const node_use& use = m_uses[n];
    return !use.in_place && (use.count != 0 || has_effect(m_nodes[n].op));
  }

  /// The condition of a loop, if nothing stands before it.
  node_number head_of_loop(node_number n) const {
    do {
      ++n;
    } while (!is_printed(n));
    return m_nodes[n].op == recorded_op::leave_unless ? n : no_node;
  }

  void open(std::string& to, const std::string& text) {
    line(to, text);
    ++m_indent;
  }

  void print_value(std::string& to, node_number n) {
    const recorded_node& node = m_nodes[n];
    const node_use& use = m_uses[n];
    if (!is_printed(n)) {
      return;
    }
    if (use.count == 0) {
      line(to, expression(n) + ";");
      return;
    }
    m_names[n] = "t" + std::to_string(m_values++);
    line(to, std::string("const ") + name_of_type(node.type) + " " + m_names[n] + " = " + expression(n) + ";");
  }

  // ---- the kernel's head

  /// The type that the argument has: that of the first array of it.
  const recorded_array* first_array_of(std::size_t argument) const {
    for (const recorded_array& a : m_what.arrays()) {
      if (!a.is_local && a.argument == argument) {
        return &a;
      }
    }
    return nullptr;
  }

  bool is_written(std::size_t argument) const {
    const std::vector<recorded_array>& all = m_what.arrays();
    return std::any_of(all.begin(), all.end(),
                       [&](const recorded_array& a) { return !a.is_local && a.argument == argument && a.written; });
  }

  bool is_argument(const recorded_array& a) const {
    return !a.is_local && !a.aliases && a.offset == 0 && first_array_of(a.argument)->type == a.type;
  }

  std::string array_name(std::uint64_t number) const {
    const recorded_array& a = m_what.arrays()[number];
    return is_argument(a) ? "a" + std::to_string(a.argument) : (a.is_local ? "l" : "p") + std::to_string(number);
  }

  std::string head() const {
    std::string parameters;
    std::string pointers; // of arguments that are addresses
    for (std::size_t i = 0; i < m_header.arguments; ++i) {
      const recorded_array* const first = first_array_of(i);
      const std::string name = "a" + std::to_string(i);
      const std::string type = std::string(is_written(i) ? "global " : "global const ") +
                               name_in_memory(first == nullptr ? recorded_type::u8 : first->type) + "*";
      const bool is_address = i < m_header.addresses.size() && m_header.addresses[i];
      parameters += parameters.empty() ? "" : ", ";
      parameters += is_address ? "ulong address_of_" + name : type + " " + name;
      pointers += is_address ? "  " + type + " const " + name + " = (" + type + ")address_of_" + name + ";\n" : "";
    }
    for (std::size_t i = 0; i < m_what.uniforms().size(); ++i) {
      parameters += (parameters.empty() ? "" : ", ") + std::string(name_of_type(m_what.uniforms()[i].type)) + " u" +
                    std::to_string(i);
    }
    for (int d = 0; d < m_header.range_dimensions; ++d) {
      parameters += (parameters.empty() ? "ulong n" : ", ulong n") + std::to_string(d);
    }
    const bool has_wide_atomics = std::any_of(m_nodes.begin(), m_nodes.end(), is_wide_atomic);
    std::string text = has_wide_atomics ? "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
                                          "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
                                        : "";
    text += alias_types() + "kernel __attribute__((reqd_work_group_size(" + std::to_string(m_header.local[0]) + ", " +
            std::to_string(m_header.local[1]) + ", " + std::to_string(m_header.local[2]) + ")))\nvoid " +
            m_header.name + "(" + parameters + ") {\n" + pointers;
    if (m_header.local_bytes != 0) {
      text += "  local ulong2 local_memory[" + std::to_string((m_header.local_bytes + 15) / 16) + "];\n";
    }
    const std::vector<recorded_array>& all = m_what.arrays();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!is_argument(all[i])) {
        text += pointer_to(all[i], array_name(i));
      }
    }
    for (std::size_t i = 0; i < m_what.private_arrays().size(); ++i) {
      const recorded_private_array& a = m_what.private_arrays()[i];
      text +=
          "  " + std::string(name_of_type(a.type)) + " m" + std::to_string(i) + "[" + std::to_string(a.size) + "];\n";
    }
    const bool uses_library = std::any_of(m_nodes.begin(), m_nodes.end(),
                                          [](const recorded_node& n) { return n.op == recorded_op::collective; });
    return uses_library ? text + "  LANEFOLD_SCRATCH(s);\n" : text;
  }

  static bool has_alias_type(const recorded_array& a) { return a.aliases && a.type != recorded_type::f16; }
  static std::string element_type(const recorded_array& a) {
    return std::string(has_alias_type(a) ? "any_" : "") + name_in_memory(a.type);
  }
  /// Types that compilers take for every type of that size.
  std::string alias_types() const {
    std::set<std::string> types;
    for (const recorded_array& a : m_what.arrays()) {
      if (has_alias_type(a)) {
        types.insert(name_in_memory(a.type));
      }
    }
    std::string text;
    for (const std::string& name : types) {
      text += "typedef " + name + " __attribute__((may_alias)) any_" + name + ";\n";
    }
    return text;
  }

  std::string pointer_to(const recorded_array& a, const std::string& name) const {
    const std::string space = a.is_local ? "local " : is_written(a.argument) ? "global " : "global const ";
    const std::string type = space + element_type(a) + "*";
    const std::string memory = a.is_local ? "local_memory" : "a" + std::to_string(a.argument);
    return "  " + type + " const " + name + " = (" + type + ")((" + space + "uchar*)" + memory + " + " +
           std::to_string(a.offset) + ");\n";
  }

  const recorder& m_what;
  const std::vector<recorded_node>& m_nodes;
  const recorded_header& m_header;
  std::vector<node_use> m_uses;
  std::vector<std::string> m_names;
  std::vector<std::pair<std::uint64_t, node_number>> m_assignments; ///< by variable
  node_number m_result = no_node;                                   ///< of a function
  node_number m_head_of_loop = no_node;
  unsigned m_indent = 0;
  unsigned m_values = 0;
};

} // namespace

std::string print_recorded(const recorder& what, const recorded_header& header) {
  return printer(what, header).print();
}

std::string print_recorded_function(const recorder& what, node_number result) {
  const recorded_header none{};
  return printer(what, none).print_function(result);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
