// SPDX-License-Identifier: Apache-2.0
/// The device-wide algorithms as commands of lanefold::queue on OpenCL devices, over its buffers and USM.
#pragma once

#include <lanefold/execution/buffer.hpp>
#include <lanefold/execution/queue.hpp>
#include <lanefold/gpu/algorithms.hpp>
#include <lanefold/gpu/command.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {

namespace opencl {

template <class A>
struct command_element;
template <class T, class A>
struct command_element<lanefold::buffer<T, 1, A>> {
  using type = std::remove_const_t<T>;
};
template <class T>
struct command_element<T*> {
  using type = std::remove_const_t<T>;
};

/// Throws errc::invalid if a buffer has fewer elements, and for a null pointer to some.
template <class T, class A>
void check_room(const lanefold::buffer<T, 1, A>& b, std::size_t count, const char* what) {
  if (b.size() < count)
    throw exception(make_error_code(errc::invalid), std::string(what) + ": " + std::to_string(count) +
                                                        " elements of a buffer of " + std::to_string(b.size()));
}
template <class T>
void check_room(T* const& pointer, std::size_t count, const char* what) {
  if (pointer == nullptr && count != 0)
    throw exception(make_error_code(errc::invalid), std::string(what) + ": null pointer");
}

} // namespace opencl

/// An array for a command: a one-dimensional lanefold::buffer or a USM pointer.
template <class A>
concept CommandArray = requires { typename opencl::command_element<std::remove_cvref_t<A>>::type; };

template <CommandArray A>
using command_element_t = typename opencl::command_element<std::remove_cvref_t<A>>::type;

namespace opencl {

/// Calls `call(queue, arrays, after)`, which waits for a result of the device, in its place of the order, and returns
/// the result. What it throws is thrown here; so is errc::runtime if it is not called, because a command before it
/// failed.
template <class Result, CommandArray In, class Call>
Result result_of(lanefold::queue& q, const char* name, const In& in, const std::vector<lanefold::event>& dependencies,
                 const Call& call) {
  if (q.ext_oneapi_get_state() == ext::oneapi::experimental::queue_state::recording)
    throw exception(make_error_code(errc::invalid),
                    std::string(name) + ": the queue records a graph, and the result is wanted now");
  std::optional<Result> result;
  std::exception_ptr error;
  const native_call waiting{name,
                            [&](queue& native, const std::vector<device_array>& a, const std::vector<event>& after) {
                              try {
                                result = call(native, a, after);
                              } catch (...) {
                                error = std::current_exception();
                              }
                              return native.ext_oneapi_submit_barrier();
                            },
                            {false}};
  q.launch(waiting, nd_range<1>(1, 1), dependencies, in).wait();
  if (error)
    std::rethrow_exception(error);
  if (!result)
    throw exception(make_error_code(errc::runtime), std::string(name) + ": a command before it failed");
  return *result;
}

template <CommandArray In>
bool holds_for_any(lanefold::queue& q, const In& in, std::size_t count, const predicate& condition, bool negated,
                   const std::vector<lanefold::event>& dependencies) {
  using T = command_element_t<In>;
  check_room(in, count, "any_of");
  return result_of<bool>(q, "any_of", in, dependencies,
                         [&](queue& native, const std::vector<device_array>& a, const std::vector<event>& after) {
                           return any_of(native, {device_type<T>::describe(), count, a[0], {}, after}, condition,
                                         negated);
                         });
}

} // namespace opencl

// Everything is as in algorithms.hpp. They throw errc::backend_mismatch for a queue on the CPU, errc::invalid for a
// buffer that is too small and for a null pointer; other errors are those of the command.

template <CommandArray In, CommandArray Out>
lanefold::event reduce(lanefold::queue& q, const In& in, std::size_t count, const Out& out, const operation& op,
                       const std::vector<lanefold::event>& dependencies = {}) {
  using T = command_element_t<In>;
  opencl::check_room(in, count, "reduce");
  opencl::check_room(out, 1, "reduce");
  const opencl::native_call call{
      "reduce",
      [=](queue& native, const std::vector<opencl::device_array>& a, const std::vector<event>& after) {
        return opencl::reduce(native, {device_type<T>::describe(), count, a[0], a[1], after}, op);
      },
      {false, true}};
  return q.launch(call, nd_range<1>(1, 1), dependencies, in, out);
}

template <CommandArray In, CommandArray Out>
lanefold::event inclusive_scan(lanefold::queue& q, const In& in, std::size_t count, const Out& out, const operation& op,
                               const std::vector<lanefold::event>& dependencies = {}) {
  using T = command_element_t<In>;
  opencl::check_room(in, count, "inclusive_scan");
  opencl::check_room(out, count, "inclusive_scan");
  const opencl::native_call call{
      "inclusive_scan",
      [=](queue& native, const std::vector<opencl::device_array>& a, const std::vector<event>& after) {
        return opencl::scan(native, {device_type<T>::describe(), count, a[0], a[1], after}, op, nullptr, false);
      },
      {false, true}};
  return q.launch(call, nd_range<1>(1, 1), dependencies, in, out);
}

template <CommandArray In, CommandArray Out>
lanefold::event exclusive_scan(lanefold::queue& q, const In& in, std::size_t count, const Out& out,
                               const command_element_t<In>& init, const operation& op,
                               const std::vector<lanefold::event>& dependencies = {}) {
  using T = command_element_t<In>;
  opencl::check_room(in, count, "exclusive_scan");
  opencl::check_room(out, count, "exclusive_scan");
  const opencl::native_call call{
      "exclusive_scan",
      [=](queue& native, const std::vector<opencl::device_array>& a, const std::vector<event>& after) {
        return opencl::scan(native, {device_type<T>::describe(), count, a[0], a[1], after}, op, &init, true);
      },
      {false, true}};
  return q.launch(call, nd_range<1>(1, 1), dependencies, in, out);
}

template <CommandArray In, CommandArray Offsets, CommandArray Out>
lanefold::event segmented_reduce(lanefold::queue& q, const In& in, std::size_t count, const Offsets& offsets,
                                 std::size_t segments, const Out& out, const operation& op,
                                 const std::vector<lanefold::event>& dependencies = {}) {
  static_assert(std::is_same_v<command_element_t<Offsets>, std::uint32_t>, "offsets of segments are std::uint32_t");
  using T = command_element_t<In>;
  opencl::check_room(in, count, "segmented_reduce");
  opencl::check_room(offsets, segments + 1, "segmented_reduce, offsets");
  opencl::check_room(out, segments, "segmented_reduce");
  const opencl::native_call call{
      "segmented_reduce",
      [=](queue& native, const std::vector<opencl::device_array>& a, const std::vector<event>& after) {
        return opencl::segmented_reduce(native, {device_type<T>::describe(), count, a[0], a[2], after}, a[1], segments,
                                        op);
      },
      {false, false, true}};
  return q.launch(call, nd_range<1>(1, 1), dependencies, in, offsets, out);
}

// These wait for their result, and throw what goes wrong with it. A queue that records a graph throws errc::invalid.

template <CommandArray In>
std::uint64_t count_if(lanefold::queue& q, const In& in, std::size_t count, const predicate& condition,
                       const std::vector<lanefold::event>& dependencies = {}) {
  using T = command_element_t<In>;
  opencl::check_room(in, count, "count_if");
  return opencl::result_of<std::uint64_t>(
      q, "count_if", in, dependencies,
      [&](queue& native, const std::vector<opencl::device_array>& a, const std::vector<event>& after) {
        return opencl::count_if(native, {device_type<T>::describe(), count, a[0], {}, after}, condition);
      });
}
template <CommandArray In>
bool any_of(lanefold::queue& q, const In& in, std::size_t count, const predicate& condition,
            const std::vector<lanefold::event>& dependencies = {}) {
  return opencl::holds_for_any(q, in, count, condition, false, dependencies);
}
template <CommandArray In>
bool none_of(lanefold::queue& q, const In& in, std::size_t count, const predicate& condition,
             const std::vector<lanefold::event>& dependencies = {}) {
  return !opencl::holds_for_any(q, in, count, condition, false, dependencies);
}
template <CommandArray In>
bool all_of(lanefold::queue& q, const In& in, std::size_t count, const predicate& condition,
            const std::vector<lanefold::event>& dependencies = {}) {
  return !opencl::holds_for_any(q, in, count, condition, true, dependencies);
}

} // namespace gpu
LANEFOLD_END_NAMESPACE
