// SPDX-License-Identifier: Apache-2.0
/// Records what a kernel does: a list of typed nodes in the order in which they were made.
#pragma once

#include <lanefold/memory/detail/kernel_binding.hpp>
#include <lanefold/memory/half.hpp>
#include <lanefold/version.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The types that recorded values have. A value of f16 is a float of OpenCL C that is rounded after each operation, as
/// on the CPU, so that devices need no half; in memory it has 16 bits.
enum class recorded_type : unsigned char { boolean, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, f16 };

/// Is a type of which there are recorded values.
template <class T>
concept RecordableNumber = (std::is_arithmetic_v<T> && sizeof(T) <= 8) || std::is_same_v<T, half>;

template <RecordableNumber T>
constexpr recorded_type recorded_type_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return recorded_type::boolean;
  } else if constexpr (std::is_same_v<T, half>) {
    return recorded_type::f16;
  } else if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 4 ? recorded_type::f32 : recorded_type::f64;
  } else {
    constexpr int width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 2 : sizeof(T) == 4 ? 4 : 6;
    return static_cast<recorded_type>(1 + width + (std::is_signed_v<T> ? 0 : 1));
  }
}

/// Says what a node does. "detail" is the number that it has besides its operands.
enum class recorded_op : unsigned char {
  literal,      ///< detail: its bits
  query,        ///< an expression of the work-item's place; detail: its text
  counter,      ///< of a for loop; detail: the loop
  unary,        ///< detail: the operator's text
  binary,       ///< detail: the operator's text
  convert,      ///< to the type of the node
  select,       ///< a ? b : c
  call,         ///< a function without side effects; detail: its name
  collective,   ///< a function of the device library that the work-items call together; detail: its name
  read,         ///< detail: the variable
  load,         ///< array[a]; detail: the array
  element,      ///< of a private array, at a; detail: that array
  atomic,       ///< a function of &array[a] and b, c; detail: array * 2^32 + its name
  declare,      ///< a variable that begins with a; detail: the variable
  assign,       ///< variable = a; detail: the variable
  store,        ///< array[a] = b; detail: the array
  set_element,  ///< of a private array, at a, = b; detail: that array
  barrier,      ///< detail: the statement's text
  begin_if,     ///< if (a)
  begin_else,   ///< of the same condition
  begin_loop,   ///< a loop that ends where leave_unless says
  leave_unless, ///< leaves the loop unless a
  begin_for,    ///< for (counter = a; counter < b; counter += c); detail: the loop
  end,          ///< of the innermost block
};

using node_number = std::uint32_t;
inline constexpr node_number no_node = static_cast<node_number>(-1);

struct recorded_node {
  recorded_op op;
  recorded_type type;
  bool uniform;        ///< known to be the same in all work-items of a work-group
  std::uint32_t block; ///< the block that it stands in
  node_number a, b, c; ///< operands
  std::uint64_t detail;

  friend bool operator==(const recorded_node&, const recorded_node&) = default;
};

/// Is an atomic operation of 64 bits, which devices may lack.
constexpr bool is_wide_atomic(const recorded_node& n) {
  return n.op == recorded_op::atomic &&
         (n.type == recorded_type::i64 || n.type == recorded_type::u64 || n.type == recorded_type::f64);
}

/// Memory that a kernel reaches by a pointer.
struct recorded_array {
  bool is_local;
  recorded_type type;
  std::size_t argument; ///< which of memory_map's; unused of local memory
  std::size_t offset;   ///< bytes from its beginning
  bool aliases = false; ///< the same memory is accessed as another type, too: vectors, structs and their members
  bool written = false;

  friend bool operator==(const recorded_array&, const recorded_array&) = default;
};

/// An array that each work-item has for itself.
struct recorded_private_array {
  recorded_type type;
  std::size_t size;

  friend bool operator==(const recorded_private_array&, const recorded_private_array&) = default;
};

/// An operator of the program's for group algorithms: a function of OpenCL C.
struct recorded_operator {
  std::string name;
  std::string definition;
  std::string identity; ///< empty if there is none
  bool commutative;

  friend bool operator==(const recorded_operator&, const recorded_operator&) = default;
};

/// A number that is an argument.
struct recorded_uniform {
  recorded_type type;
  std::size_t bytes;
  std::uint64_t value;
};

/// Knows which memory the pointers that a kernel has captured point to.
class memory_map {
public:
  struct place {
    bool found = false;
    bool is_local = false;
    std::size_t argument = 0;
    std::size_t offset = 0;
  };
  virtual ~memory_map() = default;
  /// Takes where an element lies through which the kernel accesses memory by indices: throws errc::kernel_argument if
  /// the device cannot reach it. `reads`: through a pointer to const elements.
  virtual place place_of(const void* pointer, bool reads) = 0;
  /// Takes where a plain value lies that the kernel has used: nowhere in the memory of a device, if it is one of the
  /// program's. `on_stack`: it is a temporary or captured, or lies near such.
  virtual place find(const void* pointer, bool on_stack) = 0;
};

/// Has nodes that it adds before the block ends in which the kernel is, and behind the kernel.
class delayed_nodes {
public:
  delayed_nodes() = default;
  delayed_nodes(const delayed_nodes&) = delete;
  delayed_nodes& operator=(const delayed_nodes&) = delete;
  virtual void record() = 0;

protected:
  ~delayed_nodes() = default;
};

/// Records one call of one kernel. Used by one thread; reached through the item and through every recorded value.
class recorder final : public uniform_notes {
public:
  explicit recorder(memory_map& memory);

  /// The kernel has been recorded: who uses a value, a variable or an item of it from now on gets errc::kernel.
  void close() noexcept;

  void add(const void* uniform_value) override { m_uniform_places.push_back({uniform_value, not_used}); }

  /// The most nodes of a kernel, literals not counted.
  static constexpr std::size_t most_nodes = 20'000;

  node_number add(recorded_op op, recorded_type type, std::uint64_t detail, node_number a = no_node,
                  node_number b = no_node, node_number c = no_node);
  /// An expression of OpenCL C that asks where the work-item is.
  node_number add_query(const char* what, recorded_type type, bool uniform) {
    const node_number n = add(recorded_op::query, type, text(what));
    m_nodes[n].uniform = uniform;
    return n;
  }
  /// A function of the device library that all work-items of a group call.
  node_number add_collective(const char* name, recorded_type type, bool uniform, node_number a,
                             node_number b = no_node) {
    const node_number n = add(recorded_op::collective, type, text(name), a, b);
    m_nodes[n].uniform = uniform;
    return n;
  }
  /// A function of the address of an element and of a value.
  node_number add_atomic(std::uint32_t array, const char* name, recorded_type type, node_number index,
                         node_number value, node_number other = no_node) {
    check_may_store();
    m_arrays[array].written = true;
    return add(recorded_op::atomic, type, (std::uint64_t{array} << 32) + text(name), index, value, other);
  }
  /// Throws errc::kernel if a node that the kernel uses is not one of this recorder, or is used behind its block.
  void check_own(const recorder& its, node_number n, std::uint32_t block) const {
    if (&its != this) {
      refuse_foreign_value();
    }
    check_in_scope(block);
    if (n >= m_nodes.size()) {
      refuse_foreign_value();
    }
  }
  /// The block that a node stands in.
  [[nodiscard]] std::uint32_t block_of(node_number n) const { return n < m_nodes.size() ? m_nodes[n].block : 0; }
  /// The block that is recorded now.
  [[nodiscard]] std::uint32_t block() const {
    check_open();
    return m_open.back().number;
  }
  /// Throws errc::kernel for what was made in a block that has ended: numbers of nodes and variables are used again
  /// when a loop has been recorded twice, those of blocks are not.
  void check_in_scope(std::uint32_t block) const {
    check_open();
    if (block != m_open.back().number && !is_open(block)) {
      refuse_behind_block();
    }
  }
  node_number literal(recorded_type type, std::uint64_t bits);
  /// A plain value that the kernel uses: an element of an array if it lies in one (`tile[0]` with a plain index is a
  /// reference), an argument if it is that of a uniform<T>, else a literal.
  template <RecordableNumber T>
  node_number plain(const T& x) {
    const T* place = &x;
    asm(""
        : "+r"(
            place)); // compilers take for granted that a reference can be read: this one may be to memory of a device
    if (const node_number argument = find_uniform(place, recorded_type_of<T>(), sizeof(T)); argument != no_node) {
      return argument;
    }
    const node_number element = find_element(place, recorded_type_of<T>(), sizeof(T));
    return element != no_node ? element : literal_at(place, recorded_type_of<T>(), bits_of(*place));
  }
  /// A part of a plain vec or struct: an element of an array if it lies in one, else a literal.
  template <RecordableNumber T>
  node_number plain_part(const void* place) {
    asm("" : "+r"(place));
    const node_number element = find_element(place, recorded_type_of<T>(), sizeof(T), true);
    if (element != no_node) {
      return element;
    }
    std::uint64_t bits = 0;
    std::memcpy(&bits, place, sizeof(T));
    return literal_at(place, recorded_type_of<T>(), bits);
  }
  /// Lists where plain values lay that the kernel has used and that are no part of it: global variables, the host's.
  [[nodiscard]] const std::vector<const void*>& plain_outside() const { return m_plain_outside; }
  template <RecordableNumber T>
  static std::uint64_t bits_of(const T& x) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof(T));
    return bits;
  }

  /// The array that begins at a pointer of the kernel's, or `offset` bytes behind it.
  std::uint32_t array_at(const void* pointer, recorded_type type, bool reads, std::size_t offset = 0,
                         bool aliases = false);
  node_number load(std::uint32_t array, node_number index);
  void store(std::uint32_t array, node_number index, node_number value);

  /// The array of local memory that begins `offset` bytes behind its beginning.
  std::uint32_t local_array(recorded_type type, std::size_t offset, bool aliases) {
    return array_of({true, true, 0, offset}, type, aliases);
  }
  /// Says whether the kernel may store now, which the code of a scoped kernel's group may not; returns what was before.
  bool allow_stores(bool allowed) { return std::exchange(m_may_store, allowed); }
  /// Throws errc::kernel if it may not.
  void check_may_store() const {
    check_open();
    if (!m_may_store) {
      refuse_store();
    }
  }
  void set_delayed(delayed_nodes& what) { m_delayed = &what; }

  /// Algorithms that have few steps are to be recorded step by step, not as loops: that pays on GPUs.
  void unroll_algorithms() noexcept { m_unrolls = true; }
  [[nodiscard]] bool unrolls_algorithms() const noexcept { return m_unrolls; }
  /// The kernel needs sub-groups of that many work-items or more.
  void require_sub_groups(std::size_t size) { m_least_sub_group_size = std::max(m_least_sub_group_size, size); }
  [[nodiscard]] std::size_t least_sub_group_size() const noexcept { return m_least_sub_group_size; }

  std::uint32_t new_variable(recorded_type type, node_number first);
  std::uint32_t new_private_array(recorded_type type, std::size_t size) {
    check_open();
    m_private_arrays.push_back({type, size});
    return static_cast<std::uint32_t>(m_private_arrays.size() - 1);
  }

  /// The number of a text; equal texts have equal numbers.
  std::uint64_t text(const char* what);
  [[nodiscard]] const std::string& text_of(std::uint64_t number) const { return m_texts[number]; }
  /// All of them, by their numbers.
  [[nodiscard]] const std::vector<std::string>& texts() const { return m_texts; }

  // Blocks. A block is divergent if not all work-items of a work-group come to it together.
  void begin_if(node_number condition);
  void begin_else();
  void begin_loop() { begin(recorded_op::begin_loop, 0, no_node, no_node, no_node, false); }
  /// Leaves the innermost loop; a condition that differs makes it divergent.
  void leave_unless(node_number condition);
  /// Returns the number of the loop's counter. Throws errc::kernel for steps of 0.
  node_number begin_for(recorded_type type, node_number first, node_number last, node_number step);
  void end();
  /// Returns whether what is recorded now stands in a loop of the device.
  [[nodiscard]] bool is_in_loop() const;
  /// Throws errc::kernel if work-items do not come here together. `what` is for the message.
  void check_converged(const char* what) const;

  /// Records what stands in a loop, and once more to compare: what differs then is a plain variable that the loop
  /// changes, and that is an error (errc::kernel). `callables`: those of the program, with what they have captured.
  template <class Body, class... Callables>
  void repeated(Body body, const Callables&... callables) {
    const mark first = here();
    body();
    if (m_comparing) {
      return;
    }
    const mark behind = here();
    std::string before, after;
    (note_captured(before, &callables, sizeof(callables)), ...);
    m_comparing = true;
    body();
    m_comparing = false;
    (note_captured(after, &callables, sizeof(callables)), ...);
    compare_and_drop(first, behind, before == after);
  }

  /// Returns whether the same was recorded.
  [[nodiscard]] bool is_same(const recorder& other) const { return m_nodes == other.m_nodes; }
  [[nodiscard]] const std::vector<recorded_node>& nodes() const { return m_nodes; }
  [[nodiscard]] const std::vector<recorded_array>& arrays() const { return m_arrays; }
  [[nodiscard]] const std::vector<recorded_private_array>& private_arrays() const { return m_private_arrays; }
  /// The name of an operator; the same definition has one name.
  const std::string& add_operator(const std::string& parameters, const std::string& body, const std::string& identity,
                                  bool commutative);
  [[nodiscard]] const std::vector<recorded_operator>& operators() const { return m_operators; }
  /// The numbers that are arguments, in the order in which the kernel uses them.
  [[nodiscard]] const std::vector<recorded_uniform>& uniforms() const { return m_uniforms; }
  [[nodiscard]] const recorded_node& node(node_number n) const { return m_nodes[n]; }

private:
  static constexpr std::uintptr_t stack_margin = std::uintptr_t{64} << 10;

  struct mark {
    std::size_t nodes, variables, private_arrays, loops, counted;
  };
  struct open_block {
    std::uint32_t number;
    bool divergent;
    bool is_loop;
    bool condition_is_uniform;
  };

  [[noreturn]] static void refuse_foreign_value();
  [[noreturn]] static void refuse_behind_block();
  [[nodiscard]] bool is_open(std::uint32_t block) const;
  void check_open() const {
    if (m_open.empty()) {
      refuse_foreign_value();
    }
  }
  [[noreturn]] static void refuse_store();
  void record_delayed() {
    if (m_delayed != nullptr) {
      m_delayed->record();
    }
  }
  [[nodiscard]] mark here() {
    record_delayed();
    return {m_nodes.size(), m_variables, m_private_arrays.size(), m_loops, m_counted};
  }
  void compare_and_drop(const mark& first, const mark& behind, bool same);
  /// Adds the first byte of each variable of the stack that a callable has captured by reference: a changed number
  /// shows there.
  void note_captured(std::string& to, const void* callable, std::size_t bytes) const;
  void begin(recorded_op op, std::uint64_t detail, node_number a, node_number b, node_number c, bool divergent);
  node_number find_uniform(const void* address, recorded_type type, std::size_t bytes);
  node_number literal_at(const void* place, recorded_type type, std::uint64_t bits) {
    if (!is_on_stack(place) && (m_plain_outside.empty() || m_plain_outside.back() != place)) {
      m_plain_outside.push_back(place);
    }
    return literal(type, bits);
  }
  node_number find_element(const void* address, recorded_type type, std::size_t bytes, bool aliases = false);
  std::uint32_t array_of(const memory_map::place& place, recorded_type type, bool aliases);
  [[nodiscard]] bool is_on_stack(const void* address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const auto now = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    return now - stack_margin <= at && at < m_stack_begin;
  }

  memory_map& m_memory;
  std::uintptr_t m_stack_begin; ///< the kernel and all that it makes lie below
  std::vector<recorded_node> m_nodes;
  std::vector<recorded_array> m_arrays;
  std::vector<recorded_private_array> m_private_arrays;
  struct uniform_place {
    const void* address;
    std::size_t argument;
  };
  static constexpr std::size_t not_used = static_cast<std::size_t>(-1);
  std::vector<uniform_place> m_uniform_places;
  std::vector<const void*> m_plain_outside;
  std::vector<recorded_operator> m_operators;
  std::vector<recorded_uniform> m_uniforms;
  std::map<std::string, std::uint64_t, std::less<>> m_numbers_of_texts;
  std::vector<std::string> m_texts;
  std::vector<open_block> m_open;
  std::size_t m_blocks = 1, m_variables = 0, m_loops = 0, m_counted = 0;
  std::size_t m_least_sub_group_size = 0;
  bool m_unrolls = false;
  bool m_comparing = false;
  bool m_may_store = true;
  delayed_nodes* m_delayed = nullptr;
};

/// Describes what the printer needs besides the nodes. Extents as OpenCL counts: dimension 0 varies fastest.
struct recorded_header {
  std::string name;
  std::size_t local[3];
  std::size_t local_bytes = 0; ///< of local memory that the kernel's accessors have
  std::size_t arguments = 0;   ///< arrays among the arguments, numbered as by the memory_map
  int range_dimensions = 0;    ///< not 0: the kernel is one over a range, whose extents are further arguments
  bool is_guarded = true;      ///< the printer adds that work-items beyond the range do nothing
  std::size_t least_sub_group_size = 0;
  std::vector<bool> addresses{}; ///< which of the arrays among the arguments are given as numbers, their addresses

  friend bool operator==(const recorded_header&, const recorded_header&) = default;
};

std::string print_recorded(const recorder& what, const recorded_header& header);
/// The body of a function that returns the value of a node, which is of the last block.
std::string print_recorded_function(const recorder& what, node_number result);
/// OpenCL C's name of a type.
const char* name_of_type(recorded_type type);
/// A number as OpenCL C spells it, exact to the last bit.
std::string text_of_number(recorded_type type, std::uint64_t bits);

} // namespace detail
LANEFOLD_END_NAMESPACE
