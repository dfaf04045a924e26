// SPDX-License-Identifier: Apache-2.0
/// Algorithms over arrays in the memory of a device: gpu::buffer or USM pointers.
#pragma once

#include <lanefold/gpu/buffer.hpp>
#include <lanefold/gpu/device_library.hpp>
#include <lanefold/gpu/kernel.hpp>
#include <lanefold/gpu/queue.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {

/// The OpenCL C type of T. Numbers have one; specialise it for a struct of yours, with its definition.
template <class T>
struct device_type {
  static_assert(!opencl::opencl_name<T>().empty(), "specialise lanefold::gpu::device_type for this type");
  static type_description describe() { return {std::string(opencl::opencl_name<T>()), "", sizeof(T)}; }
};

/// An associative operator for the algorithms: one of those below, or a user's own with an identity.
struct operation {
  operation(const char* builtin) : name(builtin) {}
  operation(operator_description user) : name(user.name), own(1, std::move(user)) {}

  std::string name;
  std::vector<operator_description> own; // none for the library's operators
};

// The library's operators. [sycl.4.17.2]
inline constexpr const char* plus = "plus";
inline constexpr const char* multiplies = "multiplies";
inline constexpr const char* minimum = "minimum";
inline constexpr const char* maximum = "maximum";
inline constexpr const char* bit_and = "bit_and";
inline constexpr const char* bit_or = "bit_or";
inline constexpr const char* bit_xor = "bit_xor";
inline constexpr const char* logical_and = "logical_and";
inline constexpr const char* logical_or = "logical_or";

/// A condition on one element: an OpenCL C function `int name(T)` and its definition.
struct predicate {
  std::string name;
  std::string definition;
};

/// Holds what the algorithms are tuned by; 0: the library chooses for the device.
struct algorithm_tuning {
  std::size_t work_group = 0;
  std::size_t vectors = 0; ///< loads of 16 bytes that a work-item of a scan keeps
};

namespace opencl {

/// An array of the device as the algorithms take it.
struct device_array {
  kernel_argument argument;
  std::size_t count; // elements that the array has; of a pointer: as many as the algorithm takes
};

template <class T>
device_array array_of(const buffer<T>& b) {
  return {argument_of(b), b.size()};
}
template <class T>
device_array array_of(T* const& pointer) {
  return {argument_of(pointer), static_cast<std::size_t>(-1)};
}

template <class A>
struct element_of;
template <class T>
struct element_of<buffer<T>> {
  using type = T;
};
template <class T>
struct element_of<T*> {
  using type = std::remove_const_t<T>;
};

/// One call of an algorithm.
struct algorithm_call {
  type_description type;
  std::size_t count;
  device_array in, out;
  const std::vector<event>& dependencies;
  algorithm_tuning tuning = {};
};

event reduce(queue& q, const algorithm_call& call, const operation& op);
event scan(queue& q, const algorithm_call& call, const operation& op, const void* init, bool exclusive);
event segmented_reduce(queue& q, const algorithm_call& call, const device_array& offsets, std::size_t segments,
                       const operation& op);
std::uint64_t count_if(queue& q, const algorithm_call& call, const predicate& condition);
bool any_of(queue& q, const algorithm_call& call, const predicate& condition, bool negated);

} // namespace opencl

/// An array of a device: a gpu::buffer or a USM pointer.
template <class A>
concept DeviceArray = requires { typename opencl::element_of<std::remove_cvref_t<A>>::type; };

template <DeviceArray A>
using element_t = typename opencl::element_of<std::remove_cvref_t<A>>::type;

// All of these throw errc::invalid for a buffer that is too small, a null pointer, and an operator without an identity,
// errc::kernel_not_supported for a type that the device lacks. An event stands for the whole algorithm. `dependencies`
// run before. Their memory of their own belongs to the queue and is used again.

/// out[0] = the reduction of in[0 .. count), the identity if there is none. Floating-point sums are the same for each
/// call with one device and count. On NVIDIA's devices one launch that reads at the speed of memory, else two.
template <DeviceArray In, DeviceArray Out>
event reduce(queue& q, const In& in, std::size_t count, const Out& out, const operation& op,
             const std::vector<event>& dependencies = {}, const algorithm_tuning& tuning = {}) {
  using T = element_t<In>;
  return opencl::reduce(
      q, {device_type<T>::describe(), count, opencl::array_of(in), opencl::array_of(out), dependencies, tuning}, op);
}

/// out[i] = the reduction of in[0 .. i]. `in` and `out` may be the same. On NVIDIA's devices one launch (single-pass
/// with look-back; floating-point sums may differ from call to call in rounding), else three.
template <DeviceArray In, DeviceArray Out>
event inclusive_scan(queue& q, const In& in, std::size_t count, const Out& out, const operation& op,
                     const std::vector<event>& dependencies = {}, const algorithm_tuning& tuning = {}) {
  using T = element_t<In>;
  return opencl::scan(
      q, {device_type<T>::describe(), count, opencl::array_of(in), opencl::array_of(out), dependencies, tuning}, op,
      nullptr, false);
}

/// out[i] = the reduction of init and in[0 .. i).
template <DeviceArray In, DeviceArray Out>
event exclusive_scan(queue& q, const In& in, std::size_t count, const Out& out, const element_t<In>& init,
                     const operation& op, const std::vector<event>& dependencies = {},
                     const algorithm_tuning& tuning = {}) {
  using T = element_t<In>;
  return opencl::scan(
      q, {device_type<T>::describe(), count, opencl::array_of(in), opencl::array_of(out), dependencies, tuning}, op,
      &init, true);
}

/// out[k] = the reduction of in[offsets[k] .. offsets[k + 1]), the identity for an empty segment. `offsets` has
/// segments + 1 elements that never fall, of std::uint32_t; the last is at most `count`. Checked builds wait for the
/// offsets and throw errc::invalid where that does not hold. In others a segment that ends before it begins is empty,
/// and none has elements behind `count`.
template <DeviceArray In, DeviceArray Offsets, DeviceArray Out>
event segmented_reduce(queue& q, const In& in, std::size_t count, const Offsets& offsets, std::size_t segments,
                       const Out& out, const operation& op, const std::vector<event>& dependencies = {}) {
  static_assert(std::is_same_v<element_t<Offsets>, std::uint32_t>, "offsets of segments are std::uint32_t");
  using T = element_t<In>;
  return opencl::segmented_reduce(
      q, {device_type<T>::describe(), count, opencl::array_of(in), opencl::array_of(out), dependencies},
      opencl::array_of(offsets), segments, op);
}

// These wait for their result.

/// Returns how many of in[0 .. count) meet the condition.
template <DeviceArray In>
std::uint64_t count_if(queue& q, const In& in, std::size_t count, const predicate& condition,
                       const std::vector<event>& dependencies = {}) {
  using T = element_t<In>;
  return opencl::count_if(q, {device_type<T>::describe(), count, opencl::array_of(in), {}, dependencies}, condition);
}
template <DeviceArray In>
bool any_of(queue& q, const In& in, std::size_t count, const predicate& condition,
            const std::vector<event>& dependencies = {}) {
  using T = element_t<In>;
  return opencl::any_of(q, {device_type<T>::describe(), count, opencl::array_of(in), {}, dependencies}, condition,
                        false);
}
template <DeviceArray In>
bool none_of(queue& q, const In& in, std::size_t count, const predicate& condition,
             const std::vector<event>& dependencies = {}) {
  return !any_of(q, in, count, condition, dependencies);
}
template <DeviceArray In>
bool all_of(queue& q, const In& in, std::size_t count, const predicate& condition,
            const std::vector<event>& dependencies = {}) {
  using T = element_t<In>;
  return !opencl::any_of(q, {device_type<T>::describe(), count, opencl::array_of(in), {}, dependencies}, condition,
                         true);
}

} // namespace gpu
LANEFOLD_END_NAMESPACE
