// SPDX-License-Identifier: Apache-2.0
/// Checked builds: what all work-items of a group must give alike is compared.
#pragma once

#include <lanefold/detail/checked_build.hpp>
#include <lanefold/group_algorithms/detail/meeting_point.hpp>

#include <concepts>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Holds what two work-items of a group, by their positions in its linear order, gave for one argument.
struct different_arguments {
  const char* function;
  const char* argument;
  std::string first;
  std::size_t position;
  std::string other;
};
[[noreturn]] LANEFOLD_COLD void throw_not_uniform(const different_arguments& found);

/// Floating-point numbers are the same if their bits are: NaN is itself.
template <class T>
bool same_argument(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T> && sizeof(T) <= 8) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
  } else if constexpr (requires {
                         { a == b } -> std::same_as<bool>;
                       }) {
    return a == b;
  } else {
    return true;
  }
}

std::string real_text(double value);
std::string address_text(const volatile void* value);

template <class T>
std::string argument_text(const T& value) {
  if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return real_text(static_cast<double>(value));
  } else if constexpr (std::is_pointer_v<T>) {
    return address_text(value);
  } else {
    return "another value";
  }
}

template <class G, class T>
void compare_with_first(const G& g, const char* function, const char* argument, const T& value) {
  const auto here = meeting_point<G>::template arrive<G, T, struct uniform_key>(g);
  T* const first = here.template data<T>();
  if (here.first()) {
    new (first) T(value);
  } else if (!same_argument(*first, value)) {
    throw_not_uniform(
        {function, argument, argument_text(*first), group_access<G>::first_item(g), argument_text(value)});
  }
  here.wait();
}

/// To be called by all units of the group with what they got as `argument` of `function`. Errors: errc::invalid if it
/// is not the same.
template <class G, class T>
LANEFOLD_ALWAYS_INLINE void check_uniform([[maybe_unused]] const G& g, [[maybe_unused]] const char* function,
                                          [[maybe_unused]] const char* argument, [[maybe_unused]] const T& value) {
  if constexpr (checked_build && can_meet<G>) {
    if (!alone(g)) {
      compare_with_first(g, function, argument, value);
    }
  }
}

/// Does the same for a range of a joint algorithm.
template <class G, class It>
LANEFOLD_ALWAYS_INLINE void check_uniform_range([[maybe_unused]] const G& g, [[maybe_unused]] const char* function,
                                                [[maybe_unused]] const It& first, [[maybe_unused]] const It& last) {
  if constexpr (checked_build) {
    if constexpr (std::contiguous_iterator<It>) {
      check_uniform(g, function, "beginning of the range", std::to_address(first));
    }
    check_uniform(g, function, "length of the range", last - first);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
