// SPDX-License-Identifier: Apache-2.0
/// Reductions of recorded kernels. Each work-item combines into a variable, the work-group combines these, and its
/// first work-item combines the group's value into the target, by an atomic operation. Without an identity each
/// work-item that has combined a value does so by itself; into a span, each value by an operation of its own.
#pragma once

#include <lanefold/execution/reduction.hpp>
#include <lanefold/recorded/detail/kernel_recording.hpp>
#include <lanefold/recorded/group_algorithms.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Records whether the work-item is within the range of a kernel over a range, in OpenCL's dimension d.
template <int D>
recorded_value<bool> is_in_range(recorder& r, int d) {
  const std::string number = std::to_string(d);
  const recorded_value<std::size_t> place(
      r, r.add_query(("get_global_id(" + number + ")").c_str(), recorded_type::u64, false));
  return place < recorded_value<std::size_t>(r, r.add_query(("n" + number).c_str(), recorded_type::u64, true));
}

/// Is a type of which devices combine values by atomic operations.
template <class T>
concept ReducibleNumber = std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);

/// The atomic operation that OpenCL C has for an operator on integers, null where it has none.
template <class Op>
constexpr const char* atomic_of_integers() {
  constexpr const char* name = recorded_operator_name<Op>;
  if constexpr (name != nullptr) {
    constexpr std::string_view op(name);
    constexpr const char* names[][2] = {{"plus", "add"},    {"minimum", "min"}, {"maximum", "max"},
                                        {"bit_and", "and"}, {"bit_or", "or"},   {"bit_xor", "xor"}};
    for (const auto& pair : names) {
      if (op == pair[0]) {
        return pair[1];
      }
    }
  }
  return nullptr;
}

/// array[index] = op(array[index], x), in one step.
template <class T, class Op>
void combine_atomically(recorder& r, Op& op, std::uint32_t array, node_number index, node_number x) {
  std::string name;
  if (constexpr const char* known = atomic_of_integers<Op>(); known != nullptr && std::is_integral_v<T>) {
    name = std::string(sizeof(T) == 8 ? "atom_" : "atomic_") + known;
  } else {
    name = "lf_atomic_global_" + recorded_operator_on<T>(r, op) + "_" + name_of_type(recorded_type_of<T>());
  }
  r.add_atomic(array, name.c_str(), recorded_type_of<T>(), index, x);
}

/// Is what a work-item has combined: the identity first.
template <class T, class Op, bool HasIdentity>
class recorded_accumulator {
public:
  recorded_accumulator(recorder& r, const combination<T, Op, HasIdentity>& how)
      : m_record(&r), m_op(how.op), m_value(r, how.identity()) {}

  template <class X>
  void combine(const X& x) {
    m_value = recorded_combined<T>(*m_record, m_op, m_value, x);
  }
  /// The work-items of a group come here together.
  void finish(std::uint32_t target) {
    recorder& r = *m_record;
    const std::string name =
        "lf_reduce_" + recorded_operator_on<T>(r, m_op) + "_" + name_of_type(recorded_type_of<T>());
    const auto total = recorded_collective<T>(r, "reduction", name, true, node_of(r, m_value));
    const recorded_value<std::uint32_t> place(r, r.add_query("lf_local_id()", recorded_type::u32, false));
    r.begin_if((place == 0U).node());
    combine_atomically<T>(r, m_op, target, r.literal(recorded_type::u64, 0), total.node());
    r.end();
  }

private:
  recorder* m_record;
  Op m_op;
  recorded_variable<T> m_value;
};

/// Is what a work-item has combined where there is no identity: nothing first.
template <class T, class Op>
class recorded_accumulator<T, Op, false> {
public:
  recorded_accumulator(recorder& r, const combination<T, Op, false>& how)
      : m_record(&r), m_op(how.op), m_value(r, T()), m_is_taken(r, false) {}

  template <class X>
  void combine(const X& x) {
    recorder& r = *m_record;
    const recorded_value<T> given(r, node_as<T>(r, x));
    r.begin_if(m_is_taken.recorded().node());
    m_value = recorded_combined<T>(r, m_op, m_value, given);
    r.begin_else();
    m_value = given;
    r.end();
    m_is_taken = true;
  }
  void finish(std::uint32_t target) {
    recorder& r = *m_record;
    r.begin_if(m_is_taken.recorded().node());
    combine_atomically<T>(r, m_op, target, r.literal(recorded_type::u64, 0), node_of(r, m_value));
    r.end();
  }

private:
  recorder* m_record;
  Op m_op;
  recorded_variable<T> m_value;
  recorded_variable<bool> m_is_taken;
};

/// Is made into a recorded_reduction by a tuple, which makes its elements from one value each.
template <class R>
struct recorded_reduction_of {
  kernel_recording& recording;
  const R& given;
};

/// Records what a kernel does with one of its reductions.
template <class R>
class recorded_reduction {
  using T = typename R::value_type;
  static_assert(ReducibleNumber<T>, "lanefold: reductions of recorded kernels are of numbers of 32 and 64 bits");

public:
  class target_type {
  public:
    using combination = typename R::combination_type;

    explicit target_type(recorded_reduction& whole) : m_whole(&whole) {}
    [[nodiscard]] const combination& how() const { return m_whole->m_given.how; }
    template <class X>
    void combine(const X& x) {
      m_whole->m_accumulator.combine(x);
    }

  private:
    recorded_reduction* m_whole;
  };

  recorded_reduction(const recorded_reduction_of<R>& from)
      : m_given(from.given), m_accumulator(from.recording.record(), m_given.how),
        m_array(from.recording.record().array_at(m_given.target, recorded_type_of<T>(), false)) {
    if constexpr (R::combination_type::has_identity) {
      if (m_given.initialize) {
        from.recording.initialise(m_array, recorder::bits_of(m_given.how.identity()), 1);
      }
    }
  }

  recorded_reduction(const recorded_reduction&) = delete;
  recorded_reduction& operator=(const recorded_reduction&) = delete;

  /// From where a reducer gets its target.
  struct source_type {
    recorded_reduction& whole;
    [[nodiscard]] target_type target() const { return target_type(whole); }
  };

  /// Stands behind the kernel: the work-items of a group come here together.
  void finish() { m_accumulator.finish(m_array); }

private:
  const R& m_given;
  recorded_accumulator<T, typename R::binary_operation, R::combination_type::has_identity> m_accumulator;
  std::uint32_t m_array;
};

/// Into the elements of a span.
template <class R>
  requires(R::dimensions == 1)
class recorded_reduction<R> {
  using T = typename R::value_type;
  static_assert(ReducibleNumber<T>, "lanefold: reductions of recorded kernels are of numbers of 32 and 64 bits");

public:
  class element_type {
  public:
    using combination = typename R::combination_type;

    element_type(recorded_reduction& whole, node_number index) : m_whole(&whole), m_index(index) {}
    [[nodiscard]] const combination& how() const { return m_whole->m_given.how; }
    template <class X>
    void combine(const X& x) {
      recorder& r = *m_whole->m_record;
      combine_atomically<T>(r, m_whole->m_op, m_whole->m_array, m_index, node_as<T>(r, x));
    }

  private:
    recorded_reduction* m_whole;
    node_number m_index;
  };
  class target_type {
  public:
    using combination = typename R::combination_type;

    explicit target_type(recorded_reduction& whole) : m_whole(&whole) {}
    [[nodiscard]] const combination& how() const { return m_whole->m_given.how; }
    template <class Index>
    [[nodiscard]] element_type at(const Index& index) const {
      return {*m_whole, node_of(*m_whole->m_record, index)};
    }

  private:
    recorded_reduction* m_whole;
  };

  recorded_reduction(const recorded_reduction_of<R>& from)
      : m_record(&from.recording.record()), m_given(from.given), m_op(m_given.how.op),
        m_array(m_record->array_at(m_given.target, recorded_type_of<T>(), false)) {
    if constexpr (R::combination_type::has_identity) {
      if (m_given.initialize) {
        from.recording.initialise(m_array, recorder::bits_of(m_given.how.identity()), m_given.size);
      }
    }
  }

  recorded_reduction(const recorded_reduction&) = delete;
  recorded_reduction& operator=(const recorded_reduction&) = delete;

  /// From where a reducer gets its target.
  struct source_type {
    recorded_reduction& whole;
    [[nodiscard]] target_type target() const { return target_type(whole); }
  };
  void finish() {}

private:
  recorder* m_record;
  const R& m_given;
  typename R::binary_operation m_op;
  std::uint32_t m_array;
};

template <class R>
using recorded_reducer = reducer<typename R::value_type, typename R::binary_operation, R::dimensions,
                                 typename recorded_reduction<R>::target_type>;

} // namespace detail
LANEFOLD_END_NAMESPACE
