// SPDX-License-Identifier: Apache-2.0
/// Values that kernels of a graph capture and that change from run to run (sycl_ext_oneapi_graph).
#pragma once

#include <lanefold/execution/command_graph.hpp>
#include <lanefold/execution/detail/buffer_requirement.hpp>
#include <lanefold/execution/detail/forward.hpp>
#include <lanefold/execution/detail/shared_part.hpp>
#include <lanefold/memory/uniform.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class graph_nodes;
class node_command;

/// The value of a dynamic parameter, and the commands whose kernels have captured it. Thread-safe, but for what the
/// guard of its graph guards.
class dynamic_value {
public:
  dynamic_value(const dynamic_value&) = delete;
  dynamic_value& operator=(const dynamic_value&) = delete;
  virtual ~dynamic_value();

  /// Returns what a command requires that uses the value, of no buffer if it is no accessor. Errors: errc::accessor if
  /// its buffer is gone.
  [[nodiscard]] virtual buffer_requirement requirement() const = 0;
  /// Rises with each value, behind it.
  [[nodiscard]] std::uint64_t version() const noexcept { return m_version.load(std::memory_order_acquire); }

  // Under the guard of its graph.
  /// Notes that the command has captured it: it is one of that graph from here on. Errors: errc::invalid if it is one
  /// of another graph that is not gone.
  void add(graph_nodes& home, const std::shared_ptr<node_command>& command);
  /// The commands that have captured it.
  [[nodiscard]] std::vector<std::shared_ptr<node_command>> commands() const;

protected:
  dynamic_value();
  explicit dynamic_value(const ext::oneapi::experimental::command_graph<>& home);
  /// Calls `exchange(argument)`, which gives it another value, and launches the kernels again. If that throws, calls
  /// `exchange` once more.
  void update(void (*exchange)(void*), void* argument);

private:
  struct users;

  const shared_part<users> m_users; ///< not shared
  std::atomic<std::uint64_t> m_version{0};
};

/// Adds what is not there yet, before its value is looked at.
void add_parameter(std::vector<captured_parameter>& all, const shared_part<dynamic_value>& found);

template <class T>
class dynamic_value_of final : public dynamic_value {
public:
  template <class... Home>
  explicit dynamic_value_of(const T& value, const Home&... home) : dynamic_value(home...), m_value(value) {}

  [[nodiscard]] T get() const {
    const std::lock_guard lock(m_access);
    return m_value;
  }
  void set(const T& value) {
    T other(value);
    auto exchange = [&] {
      const std::lock_guard lock(m_access);
      std::swap(m_value, other);
    };
    update([](void* what) { (*static_cast<decltype(exchange)*>(what))(); }, &exchange);
  }
  [[nodiscard]] buffer_requirement requirement() const override {
    if constexpr (is_accessor<T>) {
      return get().requirement();
    } else {
      return {};
    }
  }

private:
  mutable std::mutex m_access; // to the value
  T m_value;
};

/// Numbers are uniform<T>: arguments of recorded kernels.
template <class T>
struct dynamic_storage {
  using type = std::conditional_t<std::is_arithmetic_v<T> && !std::is_same_v<T, bool>, uniform<T>, T>;
};
template <class T>
inline constexpr bool is_uniform_number = false;
template <class T>
inline constexpr bool is_uniform_number<uniform<T>> = true;

} // namespace detail

namespace ext::oneapi::experimental {

/// A value that kernels of a graph capture: an accessor, a pointer to USM, a number, or any other type that kernels can
/// have, such as a view. `update` gives another value to all kernels that have captured it; executable graphs have it
/// from their `update` with these nodes on. In kernels `get()` is the value. A cheap handle, copies on the host stand
/// for the same parameter.
///
/// In recorded kernels a number is an argument, as `uniform<T>` is: another value needs no other program. Arguments of
/// handler::launch may be dynamic parameters, too. Kernels outside of graphs, which nobody launches again, keep the
/// value of the time when they are launched. Edges of the graph are those of the first value: nodes that share a buffer
/// and are to share another one must share the parameter.
template <class T>
class dynamic_parameter {
  using stored = typename lanefold::detail::dynamic_storage<T>::type;

public:
  using value_type = T;

  /// Makes a parameter for kernels of this graph. An accessor must be a placeholder, made without a handler, which the
  /// command is told of by `handler::require(parameter)`.
  dynamic_parameter(const command_graph<graph_state::modifiable>& graph, const T& initial)
      : m_shared(std::make_shared<lanefold::detail::dynamic_value_of<stored>>(initial, graph)), m_value(initial) {}
  /// Makes one for kernels of the graph that captures it first, and, when that is gone with all that is finalized from
  /// it and can be updated, of another one.
  explicit dynamic_parameter(const T& initial)
      : m_shared(std::make_shared<lanefold::detail::dynamic_value_of<stored>>(initial)), m_value(initial) {}
  dynamic_parameter(const dynamic_parameter& other) : m_shared(other.m_shared), m_value(other.captured()) {}
  dynamic_parameter& operator=(const dynamic_parameter&) = default;

  /// The value; of a `uniform<U>` the number. In kernels.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE const auto& get() const noexcept {
    if constexpr (lanefold::detail::is_uniform_number<stored>) {
      return m_value.get();
    } else {
      return m_value;
    }
  }

  /// The nodes of the graph that have captured it have this value at once; their executable graphs when they are given
  /// the nodes. If it throws, nothing has changed. Host only. Errors: errc::accessor for an accessor of a buffer that
  /// is gone, and those of the launches of these kernels.
  void update(const T& value) {
    m_shared->set(value);
    m_value = value;
  }

  friend bool operator==(const dynamic_parameter& a, const dynamic_parameter& b) noexcept {
    return a.m_shared == b.m_shared;
  }

  /// Only the library calls these. The present value, whichever copy was updated last.
  [[nodiscard]] auto present() const {
    if constexpr (lanefold::detail::is_uniform_number<stored>) {
      return m_shared->get().get();
    } else {
      return m_shared->get();
    }
  }
  [[nodiscard]] lanefold::detail::shared_part<lanefold::detail::dynamic_value> shared_value() const noexcept {
    return m_shared;
  }

private:
  /// Kernels get the present value when they are copied to be launched.
  [[nodiscard]] stored captured() const {
    if (const lanefold::detail::capture_scope* const scope = lanefold::detail::capturing; scope != nullptr) {
      if (scope->parameters != nullptr) {
        lanefold::detail::add_parameter(*scope->parameters, shared_value());
      }
      return m_shared->get();
    }
    return m_value;
  }

  std::shared_ptr<lanefold::detail::dynamic_value_of<stored>> m_shared;
  stored m_value;
};

} // namespace ext::oneapi::experimental

namespace graph {
using ext::oneapi::experimental::dynamic_parameter;
} // namespace graph

LANEFOLD_END_NAMESPACE
