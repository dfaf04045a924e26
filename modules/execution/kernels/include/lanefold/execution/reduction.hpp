// SPDX-License-Identifier: Apache-2.0
/// reduction and reducer: kernels whose work-items combine their values into one, or into the elements of a span.
#pragma once

#include <lanefold/exception.hpp>
#include <lanefold/execution/access.hpp>
#include <lanefold/execution/detail/forward.hpp>
#include <lanefold/execution/detail/reduction_cells.hpp>
#include <lanefold/execution/property.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

using std::dynamic_extent;
using std::span;

/// Property of a reduction: what the variable held before is not part of the result. Needs an identity.
namespace property::reduction {
struct initialize_to_identity : detail::runtime_property {};
} // namespace property::reduction

namespace detail {

/// Knows the target of a reducer.
template <class Source>
concept ReducerSource = requires(const Source& from) { from.target(); };

/// Is true if Op is `plus` (`Typed` is plus<T>), typed, transparent or that of <functional>; the other operators are
/// recognised in the same way.
template <class Op, class T, class Typed>
inline constexpr bool operator_is = std::is_same_v<typename operator_on<T, Op>::type, Typed>;

/// A value of one work-item that is no T, for a reducer of T.
template <class U, class T>
concept OtherValue = !std::is_convertible_v<const U&, const T&>;

} // namespace detail

/// Takes the values that a kernel combines [sycl.4.9.2.3]: for each reduction of its launch the kernel gets a reducer,
/// by reference (`auto& sum`). It is valid in that call of the kernel. `Target` is the library's business.
///
/// A lane-generic kernel gives it varyings: the value of each active lane counts. A uniform value counts once for each
/// active lane.
template <class T, class BinaryOperation, int Dimensions, class Target>
class reducer;

template <class T, class BinaryOperation, class Target>
class reducer<T, BinaryOperation, 0, Target> {
public:
  using value_type = T;
  using binary_operation = BinaryOperation;
  static constexpr int dimensions = 0;

  template <detail::ReducerSource Source>
  LANEFOLD_ALWAYS_INLINE explicit reducer(const Source& from) : m_target(from.target()) {}
  reducer(const reducer&) = delete;
  reducer& operator=(const reducer&) = delete;

  /// Combines a value of this work-item.
  LANEFOLD_ALWAYS_INLINE reducer& combine(const T& partial) {
    m_target.combine(partial);
    return *this;
  }
  template <detail::OtherValue<T> U>
  LANEFOLD_ALWAYS_INLINE reducer& combine(const U& partial) {
    m_target.combine(partial);
    return *this;
  }

#define LANEFOLD_REDUCER_OPERATOR(op, name)                                                                            \
  LANEFOLD_ALWAYS_INLINE reducer& operator op##=(const T & partial)                                                    \
    requires detail::operator_is<BinaryOperation, T, name<T>>                                                          \
  {                                                                                                                    \
    return combine(partial);                                                                                           \
  }                                                                                                                    \
  template <detail::OtherValue<T> U>                                                                                   \
    requires detail::operator_is<BinaryOperation, T, name<T>>                                                          \
  LANEFOLD_ALWAYS_INLINE reducer& operator op##=(const U & partial) {                                                  \
    return combine(partial);                                                                                           \
  }
  LANEFOLD_REDUCER_OPERATOR(+, plus)
  LANEFOLD_REDUCER_OPERATOR(*, multiplies)
  LANEFOLD_REDUCER_OPERATOR(&, bit_and)
  LANEFOLD_REDUCER_OPERATOR(|, bit_or)
  LANEFOLD_REDUCER_OPERATOR(^, bit_xor)
#undef LANEFOLD_REDUCER_OPERATOR
  LANEFOLD_ALWAYS_INLINE reducer& operator++()
    requires(std::is_integral_v<T> && detail::operator_is<BinaryOperation, T, plus<T>>)
  {
    return combine(T(1));
  }
  /// Does the same: there is no old value to give.
  LANEFOLD_ALWAYS_INLINE void operator++(int)
    requires(std::is_integral_v<T> && detail::operator_is<BinaryOperation, T, plus<T>>)
  {
    combine(T(1));
  }

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE T identity() const
    requires(Target::combination::has_identity)
  {
    return m_target.how().identity();
  }

private:
  Target m_target;
};

/// Combines values into the elements of a span.
template <class T, class BinaryOperation, class Target>
class reducer<T, BinaryOperation, 1, Target> {
  template <class Element>
  struct element_source {
    Element element;
    LANEFOLD_ALWAYS_INLINE Element target() const { return element; }
  };

public:
  using value_type = T;
  using binary_operation = BinaryOperation;
  static constexpr int dimensions = 1;

  template <detail::ReducerSource Source>
  LANEFOLD_ALWAYS_INLINE explicit reducer(const Source& from) : m_target(from.target()) {}
  reducer(const reducer&) = delete;
  reducer& operator=(const reducer&) = delete;

  /// The reducer of the element at `index` in [0, size of the span), which may vary: `bins[x[i]] += 1`.
  template <class Index>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto operator[](const Index& index) const {
    using element = decltype(m_target.at(index));
    return reducer<T, BinaryOperation, 0, element>(element_source<element>{m_target.at(index)});
  }

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE T identity() const
    requires(Target::combination::has_identity)
  {
    return m_target.how().identity();
  }

private:
  Target m_target;
};

namespace detail {

/// Is what `reduction` returns: it says where the result goes and how it is made.
template <class T, class Op, int Dimensions, bool HasIdentity>
struct reduction_of {
  using value_type = T;
  using binary_operation = Op;
  using combination_type = combination<T, Op, HasIdentity>;
  static constexpr int dimensions = Dimensions;

  combination_type how;
  T* target;
  std::size_t size; ///< elements
  bool initialize;  ///< the result replaces what the target holds
};

template <class T>
inline constexpr bool is_reduction = false;
template <class T, class Op, int Dimensions, bool HasIdentity>
inline constexpr bool is_reduction<reduction_of<T, Op, Dimensions, HasIdentity>> = true;
/// Is an argument that parallel_for takes beside launch properties.
template <class T>
concept Reduction = is_reduction<std::remove_cvref_t<T>>;

/// Throws errc::invalid for a null target, or when the properties ask for an identity that nobody knows.
void check_reduction(const void* target, std::size_t size, bool initialize, bool has_identity);

template <int Dimensions, class T, class Op>
auto make_reduction(T* target, std::size_t size, const Op& op, const property_list& properties) {
  constexpr bool has_identity = has_known_identity_v<Op, T>;
  const bool initialize = properties.has_property<property::reduction::initialize_to_identity>();
  check_reduction(target, size, initialize, has_identity);
  if constexpr (has_identity) {
    return reduction_of<T, Op, Dimensions, true>{{op, known_identity_v<Op, T>}, target, size, initialize};
  } else {
    return reduction_of<T, Op, Dimensions, false>{{op}, target, size, initialize};
  }
}
template <int Dimensions, class T, class Op>
auto make_reduction(T* target, std::size_t size, const T& identity, const Op& op, const property_list& properties) {
  const bool initialize = properties.has_property<property::reduction::initialize_to_identity>();
  check_reduction(target, size, initialize, true);
  return reduction_of<T, Op, Dimensions, true>{{op, identity}, target, size, initialize};
}

/// Throws errc::invalid unless a buffer has one element.
void check_reduction_buffer(std::size_t size);

/// The element of a buffer, for the command to combine into.
template <class T, int D, class Allocator, class Handler>
T* reduction_variable(const buffer<T, D, Allocator>& variable, Handler& command, const property_list& properties) {
  static_assert(
      requires { sizeof(accessor<T, 1, access_mode::read_write>); },
      "lanefold: reductions into buffers need #include <lanefold/execution/accessor.hpp>");
  check_reduction_buffer(variable.size());
  if (properties.has_property<property::reduction::initialize_to_identity>()) {
    return accessor<T, D, access_mode::discard_write>(variable, command).get_pointer();
  }
  return accessor<T, D, access_mode::read_write>(variable, command).get_pointer();
}

/// Returns what a reduction into an accessor of this mode is told.
template <access_mode Mode>
property_list reduction_properties() {
  if constexpr (Mode == access_mode::discard_write || Mode == access_mode::discard_read_write) {
    return {property::reduction::initialize_to_identity()};
  } else {
    return {};
  }
}

} // namespace detail

/// A reduction for `parallel_for(range, reductions…, kernel)` [sycl.4.9.2.2]: when the command is complete, the
/// variable holds the combination of what it held before (see property::reduction::initialize_to_identity) and of all
/// values that work-items gave to their reducers. `combiner` takes two T; like every SYCL reduction it combines them in
/// any order, so it has to be associative and commutative. Where `known_identity` does not know its identity, give it,
/// if there is one: kernels then run faster.
///
/// Over a range, the order depends only on the range; over an ND-range too, as long as the groups are the same: results
/// of floating-point sums are the same in each run. (With spans, for the same number of threads.) Work-item kernels
/// accumulate in several cells at a time, so that sums of floats are vectorised; there are no atomics or locks.
///
/// The variable is memory that the host sees; the kernel must not touch it. Errors: errc::invalid for a null pointer
/// and for initialize_to_identity without identity.
template <class T, detail::CombinerOf<T> BinaryOperation>
auto reduction(T* variable, BinaryOperation combiner, const property_list& properties = {}) {
  return detail::make_reduction<0>(variable, 1, combiner, properties);
}
template <class T, detail::CombinerOf<T> BinaryOperation>
auto reduction(T* variable, const std::type_identity_t<T>& identity, BinaryOperation combiner,
               const property_list& properties = {}) {
  return detail::make_reduction<0>(variable, 1, identity, combiner, properties);
}
/// Makes such a reduction for each element of a span: the kernel's reducer has a `[]`.
template <class T, std::size_t Extent, detail::CombinerOf<T> BinaryOperation>
auto reduction(span<T, Extent> variables, BinaryOperation combiner, const property_list& properties = {}) {
  return detail::make_reduction<1>(variables.data(), variables.size(), combiner, properties);
}
template <class T, std::size_t Extent, detail::CombinerOf<T> BinaryOperation>
auto reduction(span<T, Extent> variables, const std::type_identity_t<T>& identity, BinaryOperation combiner,
               const property_list& properties = {}) {
  return detail::make_reduction<1>(variables.data(), variables.size(), identity, combiner, properties);
}

/// Makes such a reduction for the one element of a buffer of any dimension, which the command then uses like by an
/// accessor. Errors: also errc::invalid for a buffer with another number of elements.
template <class T, int D, class Allocator, std::same_as<handler> Handler, detail::CombinerOf<T> BinaryOperation>
auto reduction(const buffer<T, D, Allocator>& variable, Handler& command, BinaryOperation combiner,
               const property_list& properties = {}) {
  return detail::make_reduction<0>(detail::reduction_variable(variable, command, properties), 1, combiner, properties);
}
template <class T, int D, class Allocator, std::same_as<handler> Handler, detail::CombinerOf<T> BinaryOperation>
auto reduction(const buffer<T, D, Allocator>& variable, Handler& command, const std::type_identity_t<T>& identity,
               BinaryOperation combiner, const property_list& properties = {}) {
  return detail::make_reduction<0>(detail::reduction_variable(variable, command, properties), 1, identity, combiner,
                                   properties);
}

/// Makes such a reduction for the first element of an accessor of the command, as programs had it before SYCL 2020. One
/// that discards what was there forgets it in the reduction, too.
template <class T, int D, access_mode Mode, access::placeholder P, detail::CombinerOf<T> BinaryOperation>
auto reduction(const accessor<T, D, Mode, target::device, P>& variable, BinaryOperation combiner) {
  return reduction(static_cast<T*>(variable.get_pointer()), combiner, detail::reduction_properties<Mode>());
}
template <class T, int D, access_mode Mode, access::placeholder P, detail::CombinerOf<T> BinaryOperation>
auto reduction(const accessor<T, D, Mode, target::device, P>& variable, const std::type_identity_t<T>& identity,
               BinaryOperation combiner) {
  return reduction(static_cast<T*>(variable.get_pointer()), identity, combiner, detail::reduction_properties<Mode>());
}

LANEFOLD_END_NAMESPACE
