// SPDX-License-Identifier: Apache-2.0
/// Variables and control flow of recorded kernels.
#pragma once

#include <lanefold/execution/control_flow.hpp>
#include <lanefold/recorded/composite.hpp>
#include <lanefold/recorded/private_array.hpp>
#include <lanefold/recorded/value.hpp>
#include <lanefold/recorded/variable.hpp>

#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

/// Items of recorded kernels have what the others have: variables, and control flow that becomes that of OpenCL C where
/// a condition is recorded. What is plain is done while the kernel is recorded, so plain loops are unrolled.
/// Errors: errc::kernel for a loop that changes a plain variable from round to round.
template <>
class control_flow<recorded> {
public:
  explicit control_flow(detail::recorder& r) : m_recorder(&r) {}

  template <class T>
  [[nodiscard]] auto var(const T& x) const {
    if constexpr (requires { x.get_id(0); }) {
      return var(x.get_id(0));
    } else if constexpr (requires { typename T::recorded_composite_type; }) {
      return recorded_variable<typename T::recorded_composite_type>(*m_recorder, x);
    } else if constexpr (detail::RecordableComposite<T>) {
      return recorded_variable<T>(*m_recorder, x);
    } else {
      static_assert(detail::RecordableOperand<T>,
                    "lanefold: variables of recorded kernels are numbers, vectors and trivially copyable structs");
      return recorded_variable<detail::recorded_element_t<T>>(*m_recorder, x);
    }
  }
  template <class T>
  [[nodiscard]] auto unmasked_var(const T& x) const {
    return var(x);
  }

  /// An array of `Size` elements in private memory, uninitialised.
  template <class T, std::size_t Size>
  [[nodiscard]] private_array<T, Size, recorded> array() const {
    return private_array<T, Size, recorded>(*m_recorder);
  }

  template <class Condition, class Then>
  void if_(const Condition& condition, Then&& then) const {
    if constexpr (detail::RecordedOperand<Condition>) {
      m_recorder->begin_if(condition_node(condition));
      then();
      m_recorder->end();
    } else if (condition) {
      then();
    }
  }
  template <class Condition, class Then, class Otherwise>
  void if_(const Condition& condition, Then&& then, Otherwise&& otherwise) const {
    if constexpr (detail::RecordedOperand<Condition>) {
      m_recorder->begin_if(condition_node(condition));
      then();
      m_recorder->begin_else();
      otherwise();
      m_recorder->end();
    } else if (condition) {
      then();
    } else {
      otherwise();
    }
  }

  template <class Condition, class Body>
  void while_(Condition&& condition, Body&& body) const {
    if constexpr (detail::RecordedOperand<std::remove_cvref_t<decltype(condition())>>) {
      loop(condition, body, condition, body);
    } else {
      while (condition()) {
        body();
      }
    }
  }

  /// A loop of the device, also if the bounds are plain.
  template <class First, class Last, class Step, class Body>
  void for_(const First& first, const Last& last, const Step& step, Body&& body) const {
    static_assert(detail::RecordableOperand<First> && detail::RecordableOperand<Last> &&
                      detail::RecordableOperand<Step>,
                  "lanefold: the bounds of for_ are numbers");
    using F = detail::recorded_element_t<First>;
    using L = detail::recorded_element_t<Last>;
    using T = std::common_type_t<F, L>;
    if constexpr (detail::is_recorded_variable<Last> || detail::is_recorded_variable<Step>) {
      auto i = var(convert_to<T>(first)); // the bound may change in the loop
      loop([&] { return i < last; },
           [&] {
             const recorded_value<T> now = i.recorded();
             body(now);
             i += step;
           },
           body);
    } else {
      const detail::node_number begin = detail::node_as<T>(*m_recorder, first);
      const detail::node_number behind = detail::node_as<T>(*m_recorder, last);
      const detail::node_number by = detail::node_of(*m_recorder, step);
      const detail::node_number counter = m_recorder->begin_for(detail::recorded_type_of<T>(), begin, behind, by);
      m_recorder->repeated([&] { body(recorded_value<T>(*m_recorder, counter)); }, body);
      m_recorder->end();
    }
  }
  template <class First, class Last, class Body>
  void for_(const First& first, const Last& last, Body&& body) const {
    for_(first, last, 1, body);
  }

protected:
  [[nodiscard]] detail::recorder& its_recorder() const { return *m_recorder; }

private:
  /// `callables`: those of the program, see recorder::repeated.
  template <class Condition, class Body, class... Callables>
  void loop(Condition&& condition, Body&& body, const Callables&... callables) const {
    m_recorder->begin_loop();
    m_recorder->repeated(
        [&] {
          m_recorder->leave_unless(condition_node(condition()));
          body();
        },
        callables...);
    m_recorder->end();
  }
  template <class T, class X>
  recorded_value<T> convert_to(const X& x) const {
    return {*m_recorder, detail::node_as<T>(*m_recorder, x)};
  }
  template <class Condition>
  detail::node_number condition_node(const Condition& condition) const {
    static_assert(detail::RecordedBools<Condition>, "lanefold: a condition is a recorded bool: compare, x != 0");
    return detail::node_of(*m_recorder, condition);
  }

  detail::recorder* m_recorder;
};

LANEFOLD_END_NAMESPACE
