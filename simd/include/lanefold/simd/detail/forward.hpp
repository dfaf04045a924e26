// SPDX-License-Identifier: Apache-2.0
/// Declares the names of what lanes are made of, for headers that mention lanes and do not need them: it brings no
/// SIMD.
#pragma once

#include <lanefold/detail/access_watch.hpp>
#include <lanefold/simd/isa.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

template <class T, std::size_t N, class Isa = native_isa>
class varying;
template <std::size_t N, class Isa = native_isa>
class mask;

enum class stride : signed char;
template <class Lanes, stride Row, stride Column>
class lane_index;
template <class Lanes>
class exchanged_index;
template <class Lanes>
class wrapped_index;
template <int D, class Lanes>
class lane_id;

namespace detail {

template <class T, std::size_t N, class Isa>
void is_varying_test(const varying<T, N, Isa>&);
template <std::size_t N, class Isa>
void is_mask_test(const mask<N, Isa>&);

} // namespace detail

/// A varying, or what is derived from one: a variable, the result of `x[i]`.
template <class T>
concept varying_value = requires(const T& x) { detail::is_varying_test(x); };
template <class T>
inline constexpr bool is_varying_v = varying_value<T>;
template <class T>
inline constexpr bool is_mask_v = requires(const T& x) { detail::is_mask_test(x); };

template <class T>
inline constexpr bool is_lane_index_v = false;
template <class Lanes, stride Row, stride Column>
inline constexpr bool is_lane_index_v<lane_index<Lanes, Row, Column>> = true;

/// Is a varying integer that knows of which lane index it was made, so that it is no gather or scatter.
template <class T>
inline constexpr bool is_patterned_index_v = false;
template <class Lanes>
inline constexpr bool is_patterned_index_v<exchanged_index<Lanes>> = true;
template <class Lanes>
inline constexpr bool is_patterned_index_v<wrapped_index<Lanes>> = true;

namespace detail {

/// Is a value of a kernel that is recorded for a device, or what stands for one.
template <class X>
concept recorded_operand = requires { typename X::recorded_element_type; };

/// Stands for one bit of a set that can change: `bits[i]` of a sub_group_mask, a std::bitset or a std::vector<bool>.
template <class T>
concept reference_to_bit =
    std::is_class_v<T> && std::convertible_to<const T&, bool> && requires(T& bit) { bit.flip(); };

} // namespace detail

/// Is an index that a view takes: an integer (uniform), a lane index, a varying integer, or an index of a recorded
/// kernel.
template <class I>
concept element_index = std::integral<I> || is_lane_index_v<I> || is_varying_v<I> || detail::recorded_operand<I>;

namespace detail {

/// `p[i]` for any kind of index: a plain reference for an integer, a varying for a const element, a reference object
/// otherwise. `Owned` says that no other thread accesses the memory, nor a register's bytes around it.
template <bool Owned = false, class T, std::integral Index>
LANEFOLD_ALWAYS_INLINE T& element(T* p, const Index& i) {
  return watched(p, p[i]);
}
/// This one, for lanes, is defined in <lanefold/simd/reference.hpp>.
template <bool Owned = false, class T, class Index>
  requires(!std::integral<Index> && !recorded_operand<Index>)
LANEFOLD_ALWAYS_INLINE decltype(auto) element(T* p, const Index& i);
/// This one, for recorded kernels, is defined in <lanefold/recorded/variable.hpp>.
template <bool Owned = false, class T, recorded_operand Index>
auto element(T* p, const Index& i);

} // namespace detail
LANEFOLD_END_NAMESPACE
