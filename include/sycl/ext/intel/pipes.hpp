// SPDX-License-Identifier: Apache-2.0
/// Pipes, by which kernels that run at the same time hand each other values. (sycl_ext_intel_dataflow_pipes)
#pragma once

#include <sycl/sycl.hpp>

#include <lanefold/detail/macros_of_programs_begin.hpp>

#if __has_include(<lanefold/execution.hpp>)
#include <lanefold/execution/detail/pipe_gate.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <typeinfo>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::intel {

/// A queue of values of type T: what is written first is read first. Each combination of arguments is one pipe, which
/// lasts as long as the program and keeps what is not read when kernels end. `Id` is any type, complete or not; a pipe
/// takes at least `MinCapacity` values, and no fewer than 1,024, that nobody has read.
///
/// Kernels and host tasks of all kinds may call it, work-items at any place; the calls of several work-items come in
/// any order. The kernel at the other end must be able to run: not behind this one in an in-order queue, nor after it
/// by a buffer or an event. Only kernels on the CPU may call it.
template <class Id, class T, std::int32_t MinCapacity = 0>
class pipe {
public:
  using value_type = T;
  static constexpr std::int32_t min_capacity = MinCapacity;
  pipe() = delete;

  /// Returns the oldest value, and waits for one where there is none. (pipe_gate.hpp says how, and which errors)
  static T read() {
    state& s = shared();
    auto held = s.gate.enter();
    s.gate.wait(held, pipe_gate::waits_to::read, [&] { return !s.values.empty(); });
    return take(s);
  }
  /// Writes a value, and waits for room where there is none.
  static void write(const T& value) {
    state& s = shared();
    auto held = s.gate.enter();
    s.gate.wait(held, pipe_gate::waits_to::write, [&] { return s.values.size() < capacity; });
    s.values.push_back(value);
    s.gate.changed();
  }
  /// Returns the oldest value, or T() and false in `success` where there is none.
  static T read(bool& success) {
    state& s = shared();
    auto held = s.gate.enter();
    success = !s.values.empty();
    if (success) {
      return take(s);
    }
    s.gate.failed(held);
    return T();
  }
  /// Writes a value if there is room; `success` says so.
  static void write(const T& value, bool& success) {
    state& s = shared();
    auto held = s.gate.enter();
    success = s.values.size() < capacity;
    if (success) {
      s.values.push_back(value);
      s.gate.changed();
    } else {
      s.gate.failed(held);
    }
  }

private:
  using pipe_gate = lanefold::detail::pipe_gate;
  struct state {
    pipe_gate gate{typeid(Id*)};
    std::deque<T> values;
  };
  static constexpr std::size_t capacity = std::max<std::size_t>(MinCapacity, 1024);

  /// Never destroyed: kernels may run until the process ends.
  static state& shared() {
    static_cast<void>(&lanefold::detail::uses_pipes<pipe>);
    static auto& s = *new state;
    return s;
  }
  static T take(state& s) {
    T oldest = std::move(s.values.front());
    s.values.pop_front();
    s.gate.changed();
    return oldest;
  }
};

namespace experimental {

/// A pipe whose other end may be the host: there the calls have the queue of the device as their first argument, and
/// wait as kernels do. The properties of the extension mean nothing here. (sycl_ext_intel_host_pipes)
template <class Id, class T, std::int32_t MinCapacity = 0, class Properties = void>
class pipe : public intel::pipe<Id, T, MinCapacity> {
  using base = intel::pipe<Id, T, MinCapacity>;

public:
  using base::read;
  using base::write;
  static T read(const queue& /*q*/) { return base::read(); }
  static T read(const queue& /*q*/, bool& success) { return base::read(success); }
  static void write(const queue& /*q*/, const T& value) { base::write(value); }
  static void write(const queue& /*q*/, const T& value, bool& success) { base::write(value, success); }
};

} // namespace experimental
} // namespace ext::intel
LANEFOLD_END_NAMESPACE

namespace sycl {
using lanefold::ext::intel::pipe;
namespace INTEL {
using lanefold::ext::intel::pipe;
} // namespace INTEL
} // namespace sycl

#ifdef LANEFOLD_UNQUALIFIED_PIPE
// `pipe<…>` without a namespace behind `using namespace sycl` could be the function of <unistd.h> as well, which
// headers of the standard library include in C++20. With this macro the word has another meaning behind this header, in
// all of these namespaces; the function cannot be called then.
LANEFOLD_BEGIN_NAMESPACE
namespace ext::intel {
template <class Id, class T, std::int32_t MinCapacity = 0>
using kernel_pipe = pipe<Id, T, MinCapacity>;
namespace experimental {
template <class Id, class T, std::int32_t MinCapacity = 0, class Properties = void>
using kernel_pipe = pipe<Id, T, MinCapacity, Properties>;
} // namespace experimental
} // namespace ext::intel
LANEFOLD_END_NAMESPACE
namespace sycl {
using lanefold::ext::intel::kernel_pipe;
namespace INTEL {
using lanefold::ext::intel::kernel_pipe;
} // namespace INTEL
} // namespace sycl
#include <unistd.h>
#define pipe kernel_pipe
#endif

#endif

#include <lanefold/detail/macros_of_programs_end.hpp>
