// SPDX-License-Identifier: Apache-2.0
/// Variables and divergent control flow of kernels, spelled so that they mean the same for every kind of value.
#pragma once

#include <lanefold/detail/checked_build.hpp>
#include <lanefold/exception.hpp>
#include <lanefold/memory/private_array.hpp>
#include <lanefold/simd/lane_context.hpp>
#include <lanefold/simd/lane_index.hpp>
#include <lanefold/simd/variable.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// Says what the condition of a loop is, which was given as a value.
template <class Condition>
constexpr void refuse_value_as_condition() {
  static_assert(std::invocable<Condition&>,
                "lanefold: while_ asks its condition before each round: write it.while_([&] { return v < 5; }, ...)");
}

/// Calls `f`, inlining it and everything in it: masks fold away only in code that the optimiser sees as a whole.
template <class F, class... Args>
__attribute__((flatten)) LANEFOLD_ALWAYS_INLINE decltype(auto) call_inlined(F&& f, Args&&... args) {
  return f(static_cast<Args&&>(args)...);
}

/// Calls the kernel of a work-item, in the loop that programs spend their time in (`Hot`) as call_inlined does. (g++
/// heeds the attribute of the function around that loop only, see LANEFOLD_FLATTEN.)
template <bool Hot, class Kernel, class Item>
LANEFOLD_ALWAYS_INLINE void call_work_item(Kernel& kernel, const Item& item) {
  if constexpr (Hot) {
    call_inlined(kernel, item);
  } else {
    kernel(item);
  }
}

template <class T>
concept varying_condition = is_mask_v<std::remove_cvref_t<T>>;

[[noreturn]] LANEFOLD_COLD inline void throw_endless_loop() {
  throw exception(make_error_code(errc::kernel), "a loop, it.for_, never ends: its step is 0");
}

/// Checked builds: throws errc::kernel if a work-item that is in a loop takes steps of 0.
template <class Context, class Step>
LANEFOLD_ALWAYS_INLINE constexpr void check_step([[maybe_unused]] const Context* context,
                                                 [[maybe_unused]] const Step& step) {
  if constexpr (!checked_build) {
  } else if constexpr (std::is_arithmetic_v<Step>) {
    if (step == Step(0)) {
      throw_endless_loop();
    }
  } else {
    const auto stays = detail::index_value(step) == 0;
    if (any(context->all ? stays : stays & context->active)) {
      throw_endless_loop();
    }
  }
}

/// Names the type of the elements of a bound of a loop.
template <class X>
using bound_element = element_of_operand_t<std::remove_cvref_t<decltype(index_value(std::declval<const X&>()))>>;

/// Returns where a loop begins whose bounds vary: of the common type of both bounds, as it is where they are uniform;
/// beside half and bfloat16 of its own type.
template <class Last, class First>
LANEFOLD_ALWAYS_INLINE auto loop_start(const First& first) {
  using from = bound_element<First>;
  using to = bound_element<Last>;
  if constexpr (std::is_same_v<from, to> || !std::is_arithmetic_v<from> || !std::is_arithmetic_v<to>) {
    return first;
  } else {
    return convert<std::common_type_t<from, to>>(index_value(first));
  }
}

} // namespace detail

/// Gives items what they offer besides their ids: per-work-item variables and divergent control flow. With `scalar` it
/// is plain C++; with lanes, conditions are masks, and the bodies run for the lanes for which the condition holds, not
/// at all if there is none. Bodies capture by reference (`[&] {…}`) and see variables made by `var`; what they assign
/// to a plain (uniform) value is assigned once for the whole sub-group.
template <class Lanes>
class control_flow {
public:
  using context_type = detail::lane_context<Lanes>;

  LANEFOLD_ALWAYS_INLINE constexpr explicit control_flow(context_type* context) : m_context(context) {}

  /// A mutable variable of each work-item, beginning with `x` (uniform or varying).
  template <class T>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto var(const T& x) const {
    return detail::make_variable<Lanes>(static_cast<const context_type*>(m_context), detail::index_value(x));
  }
  /// Does the same as `var`, but assignments in divergent code write all lanes and cost no mask. It is meant for a
  /// value that a work-item never reads again after it has left the loop or branch that assigns it: the value is
  /// unspecified there.
  template <class T>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto unmasked_var(const T& x) const {
    return detail::make_variable<Lanes>(detail::every_lane{}, detail::index_value(x));
  }

  /// An array of `Size` elements for each work-item, uninitialised; see private_array. In a generic kernel it is
  /// spelled `it.template array<float, 8>()`.
  template <class T, std::size_t Size>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE private_array<T, Size, Lanes> array() const {
    return private_array<T, Size, Lanes>(m_context);
  }

  /// Runs `then` for the work-items for which `condition` holds. A uniform `bool` is a plain `if`.
  template <class Condition, class Then>
  LANEFOLD_ALWAYS_INLINE void if_(const Condition& condition, Then&& then) const {
    if constexpr (detail::varying_condition<Condition>) {
      branch(condition, then);
    } else if (condition) {
      detail::call_inlined(then);
    }
  }
  /// Runs `then` in the same way, and `otherwise` for the other work-items, afterwards.
  template <class Condition, class Then, class Otherwise>
  LANEFOLD_ALWAYS_INLINE void if_(const Condition& condition, Then&& then, Otherwise&& otherwise) const {
    if constexpr (detail::varying_condition<Condition>) {
      branch(condition, then, otherwise);
    } else if (condition) {
      detail::call_inlined(then);
    } else {
      detail::call_inlined(otherwise);
    }
  }

  /// Runs `body` again and again for the work-items for which `condition()` holds, until there are none.
  template <class Condition, class Body>
  LANEFOLD_ALWAYS_INLINE void while_(Condition&& condition, Body&& body) const {
    if constexpr (!std::invocable<Condition&>) {
      detail::refuse_value_as_condition<Condition>();
    } else if constexpr (detail::varying_condition<decltype(condition())>) {
      const bool divergent = m_context->divergent;
      m_context->divergent = true;
      if (m_context->all) {
        repeat_whole(condition, body);
      } else {
        const auto outside = m_context->active;
        detail::run_only(*m_context, outside & detail::call_inlined(condition));
        repeat(condition, body);
        detail::run_only(*m_context, outside);
      }
      m_context->divergent = divergent;
    } else {
      while (detail::call_inlined(condition)) {
        detail::call_inlined(body);
      }
    }
  }

  /// `for (T i = first; i < last; i += step) body(i)`, where T is the common type of both bounds. With uniform bounds
  /// and step `i` is uniform; otherwise each work-item counts by itself and `i` is varying. A `first` that is affine in
  /// the lanes (an id, or what is computed of one) stays so with a uniform step: `for_(begin + lane, end, lanes, …)`
  /// accesses memory contiguously. The body takes `i` by value (`auto i`) and does not change it. Errors: with
  /// LANEFOLD_CHECKED a step of 0 throws errc::kernel; without, the loop never ends.
  template <class First, class Last, class Step, class Body>
  LANEFOLD_ALWAYS_INLINE void for_(const First& first, const Last& last, const Step& step, Body&& body) const {
    if constexpr (std::is_arithmetic_v<First> && std::is_arithmetic_v<Last> && std::is_arithmetic_v<Step>) {
      for (std::common_type_t<First, Last> i = first; i < last; i += step) {
        detail::check_step(m_context, step);
        detail::call_inlined(body, i);
      }
    } else if constexpr (is_lane_index_v<First> && uniform_integer<Step> &&
                         !std::is_floating_point_v<detail::bound_element<Last>>) {
      // All lanes that are still in the loop have taken as many steps.
      std::size_t steps = 0;
      while_([&]() LANEFOLD_INLINE_LAMBDA { return first + steps < detail::index_value(last); },
             [&]() LANEFOLD_INLINE_LAMBDA {
               const First now = first + steps;
               static_assert(std::is_invocable_v<Body&, const First&>,
                             "lanefold: the bounds of this for_ vary, so its body gets a varying: write [&](auto i)");
               detail::check_step(m_context, step);
               detail::call_inlined(body, now);
               steps += static_cast<std::size_t>(step);
             });
    } else {
      auto i = var(detail::loop_start<Last>(first));
      while_([&]() LANEFOLD_INLINE_LAMBDA { return i < detail::index_value(last); },
             [&]() LANEFOLD_INLINE_LAMBDA {
               const typename decltype(i)::value_type now(i);
               static_assert(std::is_invocable_v<Body&, decltype(now)&>,
                             "lanefold: the bounds of this for_ vary, so its body gets a varying: write [&](auto i)");
               detail::check_step(m_context, step);
               detail::call_inlined(body, now);
               i += step;
             });
    }
  }
  template <class First, class Last, class Body>
  LANEFOLD_ALWAYS_INLINE void for_(const First& first, const Last& last, Body&& body) const {
    for_(first, last, 1, body);
  }

protected:
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE context_type* context() const { return m_context; }

private:
  // Paths of their own for a full sub-group that goes one way, for one that parts, and for lanes that are masked
  // already, rather than saving and restoring the whole context: the first has no masks, and g++ 12 folds those of the
  // second only if nothing merges it with the third.
  // The condition is a value of its own: `then` may assign to the variable that it was made of.
  template <std::size_t N, class Isa, class Then, class... Otherwise>
  LANEFOLD_ALWAYS_INLINE void branch(const mask<N, Isa> condition, Then& then, Otherwise&... otherwise) const {
    const bool divergent = m_context->divergent;
    m_context->divergent = true;
    if (m_context->all) {
      if (all(condition)) {
        detail::call_inlined(then);
      } else if (none(condition)) {
        (detail::call_inlined(otherwise), ...);
      } else {
        m_context->all = false;
        run_under(condition, then);
        (run_under(!condition, otherwise), ...);
        converge();
      }
    } else {
      const auto outside = m_context->active;
      run_under(outside & condition, then);
      (run_under(outside & !condition, otherwise), ...);
      detail::run_only(*m_context, outside);
    }
    m_context->divergent = divergent;
  }

  template <class Mask, class Body>
  LANEFOLD_ALWAYS_INLINE void run_under(const Mask& active, Body& body) const {
    if (any(active)) {
      detail::run_only(*m_context, active);
      detail::call_inlined(body);
    }
  }

  // As long as every lane is in the loop, the loop runs without masks: most of the time, if neighbours do alike.
  template <class Condition, class Body>
  LANEFOLD_ALWAYS_INLINE void repeat_whole(Condition& condition, Body& body) const {
    for (;;) {
      const auto staying = detail::call_inlined(condition);
      if (!all(staying)) {
        m_context->all = false;
        detail::run_only(*m_context, staying);
        break;
      }
      detail::call_inlined(body);
    }
    repeat(condition, body);
    converge();
  }

  template <class Condition, class Body>
  LANEFOLD_ALWAYS_INLINE void repeat(Condition& condition, Body& body) const {
    while (any(m_context->active)) {
      detail::call_inlined(body);
      detail::run_only(*m_context, m_context->active & detail::call_inlined(condition));
    }
  }

  LANEFOLD_ALWAYS_INLINE void converge() const {
    m_context->all = true;
    detail::announce_convergence();
  }

  context_type* m_context;
};

template <>
class control_flow<scalar> {
public:
  using context_type = detail::lane_context<scalar>;

  constexpr explicit control_flow(context_type* /*context*/) {}

  template <class T>
  [[nodiscard]] constexpr auto var(const T& x) const {
    if constexpr (detail::reference_to_bit<T>) {
      return static_cast<bool>(x);
    } else {
      return x;
    }
  }
  template <class T>
  [[nodiscard]] constexpr auto unmasked_var(const T& x) const {
    return var(x);
  }
  template <class T, std::size_t Size>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE private_array<T, Size> array() const {
    return private_array<T, Size>();
  }
  template <class Then>
  constexpr void if_(bool condition, Then&& then) const {
    if (condition) {
      then();
    }
  }
  template <class Then, class Otherwise>
  constexpr void if_(bool condition, Then&& then, Otherwise&& otherwise) const {
    if (condition) {
      then();
    } else {
      otherwise();
    }
  }
  template <class Condition, class Body>
  constexpr void while_(Condition&& condition, Body&& body) const {
    if constexpr (!std::invocable<Condition&>) {
      detail::refuse_value_as_condition<Condition>();
    } else {
      while (condition()) {
        body();
      }
    }
  }
  template <class First, class Last, class Step, class Body>
  constexpr void for_(const First& first, const Last& last, const Step& step, Body&& body) const {
    for (std::common_type_t<First, Last> i = first; i < last; i += step) {
      detail::check_step(context(), step);
      body(i);
    }
  }
  template <class First, class Last, class Body>
  constexpr void for_(const First& first, const Last& last, Body&& body) const {
    for_(first, last, 1, body);
  }

protected:
  [[nodiscard]] constexpr context_type* context() const { return nullptr; }
};

LANEFOLD_END_NAMESPACE
