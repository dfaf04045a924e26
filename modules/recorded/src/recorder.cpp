// SPDX-License-Identifier: Apache-2.0
#include <lanefold/recorded/detail/recorder.hpp>

#include <lanefold/exception.hpp>

#include <algorithm>
#include <string_view>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Values that the same operands always give.
bool can_be_uniform(recorded_op op) {
  switch (op) {
  case recorded_op::unary:
  case recorded_op::binary:
  case recorded_op::convert:
  case recorded_op::select:
  case recorded_op::call:
  case recorded_op::load: return true;
  default: return false;
  }
}

bool has_variable(recorded_op op) {
  return op == recorded_op::read || op == recorded_op::declare || op == recorded_op::assign;
}
bool has_private_array(recorded_op op) { return op == recorded_op::element || op == recorded_op::set_element; }
bool has_loop(recorded_op op) { return op == recorded_op::counter || op == recorded_op::begin_for; }

} // namespace

recorder::recorder(memory_map& memory)
    : m_memory(memory), m_stack_begin(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + stack_margin) {
  m_open.push_back({0, false, false, true});
  m_nodes.reserve(256);
}

void recorder::close() noexcept {
  m_open.clear();
  std::vector<recorded_node>().swap(m_nodes);
}

node_number recorder::add(recorded_op op, recorded_type type, std::uint64_t detail, node_number a, node_number b,
                          node_number c) {
  check_open();
  if (!m_comparing && ++m_counted > most_nodes) {
    throw exception(make_error_code(errc::kernel),
                    "the recorded kernel has more than " + std::to_string(most_nodes) +
                        " operations: a plain loop is unrolled; a loop of the device is it.for_(first, last, body)");
  }
  bool uniform = can_be_uniform(op);
  for (const node_number operand : {a, b, c}) {
    if (operand != no_node) {
      check_own(*this, operand, m_nodes[operand].op == recorded_op::literal ? 0 : block_of(operand));
      uniform = uniform && m_nodes[operand].uniform;
    }
  }
  m_nodes.push_back({op, type, uniform, m_open.back().number, a, b, c, detail});
  return static_cast<node_number>(m_nodes.size() - 1);
}

void recorder::refuse_foreign_value() {
  throw exception(
      make_error_code(errc::kernel),
      "a recorded value is used outside of what it was recorded in: values, variables and items are those of "
      "one call of the kernel, an operator for a group algorithm uses its two operands and plain numbers "
      "alone, and what a loop computes leaves it in a variable, auto v = it.var(x)");
}

void recorder::refuse_behind_block() {
  throw exception(make_error_code(errc::kernel),
                  "a recorded value or variable is used behind the block (it.if_, it.while_, it.for_) in which it was "
                  "made: make a variable before the block, auto v = it.var(0), and assign to it in the block");
}

bool recorder::is_open(std::uint32_t block) const {
  return std::any_of(m_open.begin(), m_open.end(), [block](const open_block& b) { return b.number == block; });
}

node_number recorder::literal(recorded_type type, std::uint64_t bits) {
  check_open();
  m_nodes.push_back({recorded_op::literal, type, true, m_open.back().number, no_node, no_node, no_node, bits});
  return static_cast<node_number>(m_nodes.size() - 1);
}

std::uint64_t recorder::text(const char* what) {
  const std::string_view wanted(what);
  const auto found = m_numbers_of_texts.find(wanted);
  if (found != m_numbers_of_texts.end()) {
    return found->second;
  }
  m_texts.emplace_back(wanted);
  return m_numbers_of_texts.emplace(wanted, m_texts.size() - 1).first->second;
}

const std::string& recorder::add_operator(const std::string& parameters, const std::string& body,
                                          const std::string& identity, bool commutative) {
  for (std::size_t i = 0;; ++i) {
    const std::string name = "program_op" + std::to_string(i);
    const recorded_operator wanted{name,
                                   parameters.substr(0, parameters.find('(')) + " " + name +
                                       parameters.substr(parameters.find('(')) + " {\n" + body + "}\n",
                                   identity, commutative};
    if (i == m_operators.size()) {
      m_operators.push_back(wanted);
    }
    if (m_operators[i] == wanted) {
      return m_operators[i].name;
    }
  }
}

// ---- memory

std::uint32_t recorder::array_of(const memory_map::place& place, recorded_type type, bool aliases) {
  for (std::size_t i = 0; i < m_arrays.size(); ++i) {
    const recorded_array& known = m_arrays[i];
    if (known.is_local == place.is_local && known.argument == place.argument && known.offset == place.offset &&
        known.type == type && known.aliases == aliases) {
      return static_cast<std::uint32_t>(i);
    }
  }
  m_arrays.push_back({place.is_local, type, place.argument, place.offset, aliases});
  return static_cast<std::uint32_t>(m_arrays.size() - 1);
}

std::uint32_t recorder::array_at(const void* pointer, recorded_type type, bool reads, std::size_t offset,
                                 bool aliases) {
  check_open();
  memory_map::place found = m_memory.place_of(pointer, reads);
  found.offset += offset;
  return array_of(found, type, aliases);
}

node_number recorder::find_uniform(const void* address, recorded_type type, std::size_t bytes) {
  for (uniform_place& place : m_uniform_places) {
    if (place.address == address && (place.argument == not_used || m_uniforms[place.argument].type == type)) {
      if (place.argument == not_used) {
        place.argument = m_uniforms.size();
        m_uniforms.push_back({type, bytes, 0});
        std::memcpy(&m_uniforms.back().value, address, bytes);
      }
      return add_query(("u" + std::to_string(place.argument)).c_str(), type, true);
    }
  }
  return no_node;
}

node_number recorder::find_element(const void* address, recorded_type type, std::size_t bytes, bool aliases) {
  check_open();
  memory_map::place found = m_memory.find(address, is_on_stack(address));
  if (!found.found) {
    return no_node;
  }
  // An array that begins before it, if there is one: its index is then a literal.
  for (std::size_t i = 0; i < m_arrays.size(); ++i) {
    const recorded_array& known = m_arrays[i];
    if (known.is_local == found.is_local && known.argument == found.argument && known.type == type &&
        known.aliases == aliases && known.offset <= found.offset && (found.offset - known.offset) % bytes == 0) {
      return load(static_cast<std::uint32_t>(i), literal(recorded_type::u64, (found.offset - known.offset) / bytes));
    }
  }
  const std::size_t index = found.offset / bytes;
  found.offset %= bytes;
  return load(array_of(found, type, aliases), literal(recorded_type::u64, index));
}

node_number recorder::load(std::uint32_t array, node_number index) {
  check_open();
  return add(recorded_op::load, m_arrays[array].type, array, index);
}

void recorder::refuse_store() {
  throw exception(make_error_code(errc::kernel),
                  "a recorded scoped kernel stores in the code of its group, outside of items: every item of the "
                  "device would do that; write it into single_item or distribute_items");
}

void recorder::store(std::uint32_t array, node_number index, node_number value) {
  check_may_store();
  m_arrays[array].written = true;
  add(recorded_op::store, m_arrays[array].type, array, index, value);
}

std::uint32_t recorder::new_variable(recorded_type type, node_number first) {
  const auto number = static_cast<std::uint32_t>(m_variables++);
  add(recorded_op::declare, type, number, first);
  return number;
}

// ---- blocks

void recorder::begin(recorded_op op, std::uint64_t detail, node_number a, node_number b, node_number c,
                     bool divergent) {
  record_delayed();
  const bool uniform = a == no_node || m_nodes[a].uniform;
  add(op, a == no_node ? recorded_type::boolean : m_nodes[a].type, detail, a, b, c);
  m_open.push_back({static_cast<std::uint32_t>(m_blocks++), m_open.back().divergent || divergent,
                    op == recorded_op::begin_loop || op == recorded_op::begin_for, uniform});
}

void recorder::begin_if(node_number condition) {
  begin(recorded_op::begin_if, 0, condition, no_node, no_node, !m_nodes[condition].uniform);
}

void recorder::begin_else() {
  record_delayed();
  const open_block then = m_open.back();
  m_open.pop_back();
  add(recorded_op::begin_else, recorded_type::boolean, 0);
  m_open.push_back({static_cast<std::uint32_t>(m_blocks++), then.divergent, false, then.condition_is_uniform});
}

void recorder::leave_unless(node_number condition) {
  record_delayed();
  add(recorded_op::leave_unless, recorded_type::boolean, 0, condition);
  m_open.back().divergent = m_open.back().divergent || !m_nodes[condition].uniform;
}

node_number recorder::begin_for(recorded_type type, node_number first, node_number last, node_number step) {
  if (m_nodes[step].op == recorded_op::literal && m_nodes[step].detail == 0) {
    throw exception(make_error_code(errc::kernel), "a recorded loop, it.for_, never ends: its step is 0");
  }
  const std::uint64_t loop = m_loops++;
  const bool uniform = m_nodes[first].uniform && m_nodes[last].uniform && m_nodes[step].uniform;
  begin(recorded_op::begin_for, loop, first, last, step, !uniform);
  m_nodes.back().type = type;
  const node_number counter = add(recorded_op::counter, type, loop);
  m_nodes[counter].uniform = uniform;
  return counter;
}

void recorder::end() {
  record_delayed();
  m_open.pop_back();
  add(recorded_op::end, recorded_type::boolean, 0);
}

bool recorder::is_in_loop() const {
  return std::any_of(m_open.begin(), m_open.end(), [](const open_block& b) { return b.is_loop; });
}

void recorder::check_converged(const char* what) const {
  check_open();
  if (m_open.back().divergent) {
    throw exception(make_error_code(errc::kernel),
                    std::string(what) + " was called in divergent code (if_, while_, for_): all work-items of the "
                                        "group must call it");
  }
}

__attribute__((no_sanitize_address)) void recorder::note_captured(std::string& to, const void* callable,
                                                                  std::size_t bytes) const {
  for (std::size_t at = 0; at + sizeof(void*) <= bytes; at += sizeof(void*)) {
    const char* captured = nullptr;
    std::memcpy(&captured, static_cast<const char*>(callable) + at, sizeof(captured));
    const auto address = reinterpret_cast<std::uintptr_t>(captured);
    if (reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) <= address &&
        address < m_stack_begin - stack_margin + 8192) {
      to += *captured;
    }
  }
}

void recorder::compare_and_drop(const mark& first, const mark& behind, bool same) {
  record_delayed();
  const std::size_t count = behind.nodes - first.nodes;
  same = same && m_nodes.size() - behind.nodes == count;
  const auto moved_node = [&](node_number n) {
    return n != no_node && n >= first.nodes ? static_cast<node_number>(n + count) : n;
  };
  for (std::size_t i = 0; same && i < count; ++i) {
    recorded_node expected = m_nodes[first.nodes + i];
    const recorded_node& found = m_nodes[behind.nodes + i];
    expected.a = moved_node(expected.a);
    expected.b = moved_node(expected.b);
    expected.c = moved_node(expected.c);
    if (has_variable(expected.op) && expected.detail >= first.variables) {
      expected.detail += behind.variables - first.variables;
    } else if (has_private_array(expected.op) && expected.detail >= first.private_arrays) {
      expected.detail += behind.private_arrays - first.private_arrays;
    } else if (has_loop(expected.op) && expected.detail >= first.loops) {
      expected.detail += behind.loops - first.loops;
    }
    same = expected.op == found.op && expected.type == found.type && expected.a == found.a && expected.b == found.b &&
           expected.c == found.c && expected.detail == found.detail;
  }
  if (!same) {
    throw exception(make_error_code(errc::kernel),
                    "a recorded loop changes a plain variable of the program: what changes from one round to the next "
                    "is a variable of the work-item, auto v = it.var(x)");
  }
  m_nodes.resize(behind.nodes);
  m_variables = behind.variables;
  m_private_arrays.resize(behind.private_arrays);
  m_loops = behind.loops;
  m_counted = behind.counted;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
