// SPDX-License-Identifier: Apache-2.0
/// queue: where programs submit their commands.
#pragma once

#include <lanefold/execution/async_handler.hpp>
#include <lanefold/execution/device.hpp>
#include <lanefold/execution/event.hpp>
#include <lanefold/execution/handler.hpp>
#include <lanefold/execution/property.hpp>
#include <lanefold/simd/isa.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE

class context;

namespace detail {

class device_queue;
class eventless_start;
class graph_nodes;
struct weak_access;
class queue_owner;
class queue_state;
class graph_recording;

/// Throws errc::platform if this CPU cannot run code compiled for `needed`.
void require_isa(isa_id needed);

} // namespace detail

/// Takes the commands that programs submit [sycl.4.6.5]: a cheap handle, copies stand for the same queue. Host only;
/// all members may be called from any thread, except that waiting inside a kernel throws errc::invalid.
///
/// On the CPU, commands run on the threads of the library; a host thread that waits helps. On OpenCL devices, which
/// there are with <lanefold/gpu.hpp>, kernels are those given to `launch` (C++ kernels throw
/// errc::kernel_not_supported); host tasks and copies by the host run on the threads of the library. In an in-order
/// queue each command waits for the one before. Otherwise commands wait only for the events that they name, and run in
/// parallel.
///
/// Errors of commands: a command whose kernel throws fails, and so do, without running, the commands that depend on it
/// (in an in-order queue: all later ones, until the error is delivered or the queue is waited for). The error is
/// delivered once: to the async_handler, by wait_and_throw and throw_asynchronous; in a queue without one these and
/// wait() and event::wait() throw it. What was never delivered is printed to stderr when the last handle goes.
///
/// The last handle to go does not wait for the commands [sycl.4.6.5]; the end of the process does. What is asked of a
/// handle that was moved from throws errc::invalid.
class queue : public detail::pitched_commands<queue>, public detail::older_commands<queue> {
public:
  /// A queue is a place for USM: `malloc_shared<float>(n, q)`.
  using usm_place = void;

  // The constructors are inlined into the calling translation unit, because they check that this CPU can run it:
  // a program compiled for AVX-512 gets an exception on a lesser CPU (errc::platform), not an illegal instruction.

  /// Properties: property::in_order, property::fiber_engine, property::threads.
  LANEFOLD_ALWAYS_INLINE explicit queue(const property_list& properties = {})
      : queue(isa_of_translation_unit(), nullptr, device(), nullptr, properties) {}
  /// Properties in braces, `queue q({property::queue::in_order()})`: for g++ these could stand for a queue, too.
  LANEFOLD_ALWAYS_INLINE explicit queue(std::initializer_list<property_list> properties)
      : queue(property_list::joined(properties)) {}
  /// On the CPU, with a function that gets the errors of its commands.
  LANEFOLD_ALWAYS_INLINE explicit queue(const async_handler& handler, const property_list& properties = {})
      : queue(isa_of_translation_unit(), nullptr, device(), &handler, properties) {}
  /// On a device, in the default context of its platform.
  LANEFOLD_ALWAYS_INLINE explicit queue(const device& runs_on, const property_list& properties = {})
      : queue(isa_of_translation_unit(), nullptr, runs_on, nullptr, properties) {}
  LANEFOLD_ALWAYS_INLINE queue(const device& runs_on, const async_handler& handler,
                               const property_list& properties = {})
      : queue(isa_of_translation_unit(), nullptr, runs_on, &handler, properties) {}
  /// On the device that the selector chooses, see device. A selector class of SYCL 1.2.1 converts to a queue, as it
  /// does with DPC++: `q = cpu_selector{}`.
  template <detail::device_selector Selector>
  LANEFOLD_ALWAYS_INLINE explicit(!std::is_base_of_v<device_selector, Selector>)
      queue(const Selector& selector, const property_list& properties = {})
      : queue(isa_of_translation_unit(), nullptr, device(selector), nullptr, properties) {}
  template <detail::device_selector Selector>
  LANEFOLD_ALWAYS_INLINE queue(const Selector& selector, const async_handler& handler,
                               const property_list& properties = {})
      : queue(isa_of_translation_unit(), nullptr, device(selector), &handler, properties) {}
  /// In a context; without one, in the default context of the device's platform. errc::invalid if the device does not
  /// belong to it. A queue without an async_handler uses that of its context.
  LANEFOLD_ALWAYS_INLINE queue(const context& where, const device& runs_on, const property_list& properties = {})
      : queue(isa_of_translation_unit(), &where, runs_on, nullptr, properties) {}
  LANEFOLD_ALWAYS_INLINE queue(const context& where, const device& runs_on, const async_handler& handler,
                               const property_list& properties = {})
      : queue(isa_of_translation_unit(), &where, runs_on, &handler, properties) {}
  template <detail::device_selector Selector>
  LANEFOLD_ALWAYS_INLINE queue(const context& where, const Selector& selector, const property_list& properties = {})
      : queue(isa_of_translation_unit(), &where, device(selector), nullptr, properties) {}
  template <detail::device_selector Selector>
  LANEFOLD_ALWAYS_INLINE queue(const context& where, const Selector& selector, const async_handler& handler,
                               const property_list& properties = {})
      : queue(isa_of_translation_unit(), &where, device(selector), &handler, properties) {}

  /// Calls `group(handler&)` at once, or a copy of it where it is const and its call is not, and submits the command
  /// that it describes. An exception of `group` is thrown here, and then nothing is submitted.
  template <class Group>
    requires std::invocable<std::decay_t<Group>&, handler&>
  event submit(Group&& group) {
    if constexpr (std::is_function_v<std::remove_reference_t<Group>>) {
      return submit(&group);
    } else {
      return submit(&detail::describe<std::remove_reference_t<Group>>,
                    const_cast<void*>(static_cast<const void*>(std::addressof(group))));
    }
  }
  /// Does the same; if that throws a lanefold::exception, submits to the other queue.
  template <class Group>
    requires std::invocable<std::decay_t<Group>&, handler&>
  event submit(Group&& group, queue& secondary) {
    try {
      return submit(group);
    } catch (const exception&) {
      return secondary.submit(group);
    }
  }

  // Shortcuts for a command group with one action [sycl.4.6.5.1]. Behind the index space, and before launch properties
  // and kernel, there may be the events that the command depends on: one event or a vector of them.

  /// Runs a kernel over an ND-range or a range: `parallel_for(range, [events,] [launch properties, reductions…,]
  /// kernel)`. Errors: those of handler::parallel_for.
  template <class Name = detail::unnamed, int D, class... Rest, bool Records = detail::records_kernels<Rest...>,
            unsigned PlainSize = detail::plain_sub_group_size>
  event parallel_for(nd_range<D> space, Rest&&... rest) {
    return submit_parallel_for<Name, Records, PlainSize>(space, std::forward<Rest>(rest)...);
  }
  template <class Name = detail::unnamed, class... Rest, bool Records = detail::records_kernels<Rest...>,
            unsigned PlainSize = detail::plain_sub_group_size>
  event parallel_for(range<1> extents, Rest&&... rest) {
    return submit_parallel_for<Name, Records, PlainSize>(extents, std::forward<Rest>(rest)...);
  }
  template <class Name = detail::unnamed, class... Rest, bool Records = detail::records_kernels<Rest...>,
            unsigned PlainSize = detail::plain_sub_group_size>
  event parallel_for(range<2> extents, Rest&&... rest) {
    return submit_parallel_for<Name, Records, PlainSize>(extents, std::forward<Rest>(rest)...);
  }
  template <class Name = detail::unnamed, class... Rest, bool Records = detail::records_kernels<Rest...>,
            unsigned PlainSize = detail::plain_sub_group_size>
  event parallel_for(range<3> extents, Rest&&... rest) {
    return submit_parallel_for<Name, Records, PlainSize>(extents, std::forward<Rest>(rest)...);
  }
  template <class Name = detail::unnamed, int D, class... Rest, bool Records = detail::records_kernels<Rest...>,
            unsigned PlainSize = detail::plain_sub_group_size>
    requires(D > 3)
  event parallel_for(range<D> extents, Rest&&... rest) {
    return submit_parallel_for<Name, Records, PlainSize>(extents, std::forward<Rest>(rest)...);
  }
  // These overloads take events in braces.
  template <class Name = detail::unnamed, int D, class... Rest, bool Records = detail::records_kernels<Rest...>,
            unsigned PlainSize = detail::plain_sub_group_size>
  event parallel_for(nd_range<D> space, const std::vector<event>& dependencies, Rest&&... rest) {
    return submit_parallel_for<Name, Records, PlainSize>(space, dependencies, std::forward<Rest>(rest)...);
  }
  template <class Name = detail::unnamed, class... Rest, bool Records = detail::records_kernels<Rest...>,
            unsigned PlainSize = detail::plain_sub_group_size>
  event parallel_for(range<1> extents, const std::vector<event>& dependencies, Rest&&... rest) {
    return submit_parallel_for<Name, Records, PlainSize>(extents, dependencies, std::forward<Rest>(rest)...);
  }
  template <class Name = detail::unnamed, class... Rest, bool Records = detail::records_kernels<Rest...>,
            unsigned PlainSize = detail::plain_sub_group_size>
  event parallel_for(range<2> extents, const std::vector<event>& dependencies, Rest&&... rest) {
    return submit_parallel_for<Name, Records, PlainSize>(extents, dependencies, std::forward<Rest>(rest)...);
  }
  template <class Name = detail::unnamed, class... Rest, bool Records = detail::records_kernels<Rest...>,
            unsigned PlainSize = detail::plain_sub_group_size>
  event parallel_for(range<3> extents, const std::vector<event>& dependencies, Rest&&... rest) {
    return submit_parallel_for<Name, Records, PlainSize>(extents, dependencies, std::forward<Rest>(rest)...);
  }

  /// A scoped kernel, see handler::parallel; events that it depends on may stand behind the group size.
  template <class Name = detail::unnamed, int D, class Size, class First, class... Rest,
            bool Records = detail::records_scoped_kernels<First>, unsigned PlainSize = detail::plain_sub_group_size>
  event parallel(range<D> groups, Size size, First&& first, Rest&&... rest) {
    return submit([&](handler& h) {
      if constexpr (std::convertible_to<First, const event&> || std::convertible_to<First, const std::vector<event>&>) {
        h.depends_on(first);
        h.parallel<Name>(groups, size, std::forward<Rest>(rest)...);
      } else {
        h.parallel<Name>(groups, size, std::forward<First>(first), std::forward<Rest>(rest)...);
      }
    });
  }

  /// Calls the kernel once, after the commands of the events before it, see handler::single_task.
  template <class Name = detail::unnamed, class Kernel, bool Records = detail::records_kernels<Kernel>,
            unsigned PlainSize = detail::plain_sub_group_size>
  event single_task(Kernel&& kernel) {
    return submit([&](handler& h) { h.single_task<Name>(std::forward<Kernel>(kernel)); });
  }
  template <class Name = detail::unnamed, class Kernel, bool Records = detail::records_kernels<Kernel>,
            unsigned PlainSize = detail::plain_sub_group_size>
  event single_task(const event& dependency, Kernel&& kernel) {
    return after(dependency, [&](handler& h) { h.single_task<Name>(std::forward<Kernel>(kernel)); });
  }
  template <class Name = detail::unnamed, class Kernel, bool Records = detail::records_kernels<Kernel>,
            unsigned PlainSize = detail::plain_sub_group_size>
  event single_task(const std::vector<event>& dependencies, Kernel&& kernel) {
    return after(dependencies, [&](handler& h) { h.single_task<Name>(std::forward<Kernel>(kernel)); });
  }

  /// A kernel in the language of the queue's device, see handler::launch. A buffer may stand for an accessor to all of
  /// it, which only reads where the kernel's parameter points to constant elements.
  template <class Kernel, int D, class... Arguments>
  event launch(const Kernel& kernel, const nd_range<D>& space, const Arguments&... arguments) {
    if constexpr (detail::starts_at_once<queue, Kernel, nd_range<D>, Arguments...>) {
      if (auto started =
              detail::launch_maker<detail::device_kernels<Kernel>>::start(*this, kernel, space, arguments...)) {
        return *std::move(started);
      }
    }
    return submit([&](handler& h) { h.launch(kernel, space, arguments...); });
  }
  /// Does the same after the commands of `dependencies`.
  template <class Kernel, int D, class... Arguments>
  event launch(const Kernel& kernel, const nd_range<D>& space, const std::vector<event>& dependencies,
               const Arguments&... arguments) {
    return after(dependencies, [&](handler& h) { h.launch(kernel, space, arguments...); });
  }

  /// Copies bytes between memory that does not overlap, after the commands of the events. Errors: errc::invalid for
  /// null with a size other than 0.
  event memcpy(void* to, const void* from, std::size_t bytes, const std::vector<event>& dependencies = {});
  event memcpy(void* to, const void* from, std::size_t bytes, const event& dependency);
  /// To and from a device_global, from byte `offset` of it on.
  template <class T, class P>
  event memcpy(ext::oneapi::experimental::device_global<T, P>& to, const void* from, std::size_t bytes = sizeof(T),
               std::size_t offset = 0, const std::vector<event>& dependencies = {}) {
    return memcpy(detail::memory_of(to) + offset, from, bytes, dependencies);
  }
  template <class T, class P>
  event memcpy(void* to, const ext::oneapi::experimental::device_global<T, P>& from, std::size_t bytes = sizeof(T),
               std::size_t offset = 0, const std::vector<event>& dependencies = {}) {
    return memcpy(to, detail::memory_of(from) + offset, bytes, dependencies);
  }
  /// Sets each byte to the low byte of `value`. Errors: errc::invalid for null with a size other than 0.
  event memset(void* to, int value, std::size_t bytes, const std::vector<event>& dependencies = {});
  event memset(void* to, int value, std::size_t bytes, const event& dependency);
  /// Says that the memory will be needed soon: a hint, see handler::prefetch.
  event prefetch(const void* memory, std::size_t bytes, const std::vector<event>& dependencies = {});
  event prefetch(const void* memory, std::size_t bytes, const event& dependency);
  /// Gives advice about memory, of which nothing follows.
  event mem_advise(const void* memory, std::size_t bytes, int advice, const std::vector<event>& dependencies = {});
  event mem_advise(const void* memory, std::size_t bytes, int advice, const event& dependency);

  /// Copies `count` elements between memory that does not overlap. Errors: errc::invalid for null with a count other
  /// than 0.
  template <class T>
  event copy(const T* from, T* to, std::size_t count, const std::vector<event>& dependencies = {}) {
    return after(dependencies, [&](handler& h) { h.copy(from, to, count); });
  }
  template <class T>
  event copy(const T* from, T* to, std::size_t count, const event& dependency) {
    return after(dependency, [&](handler& h) { h.copy(from, to, count); });
  }
  /// Sets `count` elements to `pattern`. Errors: errc::invalid for null with a count other than 0.
  template <class T>
  event fill(void* to, const T& pattern, std::size_t count, const std::vector<event>& dependencies = {}) {
    return after(dependencies, [&](handler& h) { h.fill(to, pattern, count); });
  }
  template <class T>
  event fill(void* to, const T& pattern, std::size_t count, const event& dependency) {
    return after(dependency, [&](handler& h) { h.fill(to, pattern, count); });
  }

  /// Copies the elements of an accessor, in row-major order, to another one or to memory, or from memory. The command
  /// requires placeholders itself. Errors: errc::invalid for null, and where the accessor that is copied to has fewer
  /// elements; errc::accessor if the buffer of a placeholder is gone.
  template <class From, class To>
    requires(detail::is_accessor<From> || detail::is_accessor<To>)
  event copy(const From& from, const To& to, const std::vector<event>& dependencies = {}) {
    return after(dependencies, [&](handler& h) {
      detail::require_accessor(h, from);
      detail::require_accessor(h, to);
      h.copy(from, to);
    });
  }
  /// Gives the host memory that the buffer was made over the elements of the buffer.
  template <class T, int D, access_mode Mode, target Target, access::placeholder P>
  event update_host(const accessor<T, D, Mode, Target, P>& what, const std::vector<event>& dependencies = {}) {
    return after(dependencies, [&](handler& h) {
      h.require(what);
      h.update_host(what);
    });
  }
  /// Sets the elements of the accessor to `value`.
  template <class T, int D, access_mode Mode, target Target, access::placeholder P>
  event fill(const accessor<T, D, Mode, Target, P>& to, const std::type_identity_t<T>& value,
             const std::vector<event>& dependencies = {}) {
    return after(dependencies, [&](handler& h) {
      h.require(to);
      h.fill(to, value);
    });
  }

  /// A command that waits for all commands submitted before, or for these events; later ones wait for it.
  event ext_oneapi_submit_barrier();
  event ext_oneapi_submit_barrier(const std::vector<event>& events);
  /// Of an in-order queue (sycl_ext_oneapi_in_order_queue_events): the event of a barrier behind all that was
  /// submitted; never empty. Errors: errc::invalid for another queue.
  std::optional<event> ext_oneapi_get_last_event();
  /// The commands submitted to an in-order queue from now on wait for the event. Errors: errc::invalid for another
  /// queue.
  void ext_oneapi_set_external_event(const event& external);

  // (the extension SYCL_EXT_ONEAPI_GRAPH)

  /// Runs a graph as one command, see command_graph; it comes after the events' commands.
  event ext_oneapi_graph(
      const ext::oneapi::experimental::command_graph<ext::oneapi::experimental::graph_state::executable>& graph,
      const std::vector<event>& dependencies = {});
  event ext_oneapi_graph(
      const ext::oneapi::experimental::command_graph<ext::oneapi::experimental::graph_state::executable>& graph,
      const event& dependency);
  /// Returns whether commands become nodes of a graph, see command_graph::begin_recording. While they do, waiting for
  /// the queue or for their events throws errc::invalid.
  [[nodiscard]] ext::oneapi::experimental::queue_state ext_oneapi_get_state() const;
  /// The graph that it records to. Errors: errc::invalid if it does not record.
  [[nodiscard]] ext::oneapi::experimental::command_graph<ext::oneapi::experimental::graph_state::modifiable>
  ext_oneapi_get_graph() const;

  /// Returns when every command submitted so far is complete. Without an async_handler it throws their undelivered
  /// errors: the error itself if there is one, else an exception that lists them.
  void wait();
  /// Waits, then delivers undelivered errors to the async_handler; without one throws them as wait() does.
  void wait_and_throw();
  /// Delivers without waiting what has failed so far.
  void throw_asynchronous();

  /// Returns whether all commands submitted so far are complete. (the extension SYCL_KHR_QUEUE_EMPTY_QUERY)
  [[nodiscard]] bool khr_empty() const;
  /// Is what DPC++ calls it.
  [[nodiscard]] bool ext_oneapi_empty() const { return khr_empty(); }
  /// Lets commands start without a wait: they do so on their own. (the extension SYCL_KHR_QUEUE_FLUSH)
  void khr_flush() const;

  /// Returns whether the queue was made with property::queue::in_order.
  [[nodiscard]] bool is_in_order() const;
  /// There is no host queue since SYCL 2020.
  [[nodiscard]] static constexpr bool is_host() noexcept { return false; }
  /// The device that its commands run on.
  [[nodiscard]] device get_device() const;
  /// The context that it was made in; without one the default context of the platform of its device.
  [[nodiscard]] context get_context() const;
  /// The backend of its device.
  [[nodiscard]] backend get_backend() const noexcept { return get_device().get_backend(); }
  /// Answers a query of info::queue: context, device or reference_count.
  template <detail::query_in<detail::queue_query> Query>
  [[nodiscard]] typename Query::return_type get_info() const {
    return answer<Query>();
  }
  /// Returns whether the queue was made with a property of type P.
  template <class P>
  [[nodiscard]] bool has_property() const noexcept {
    return properties().has_property<P>();
  }
  /// Returns the property of type P that the queue was made with. Errors: errc::invalid if it was made without.
  template <class P>
  [[nodiscard]] P get_property() const {
    return properties().get_property<P>();
  }
  /// The engine asked for by property or environment; automatic if none was.
  [[nodiscard]] lanefold::fiber_engine fiber_engine() const { return settings().engine; }
  /// The most threads that run its commands at the same time.
  [[nodiscard]] std::size_t threads() const { return settings().threads; }

  /// Equal if they are handles of the same queue.
  friend bool operator==(const queue&, const queue&) = default;

  /// Only the library calls this: it returns the number by which the USM registry knows the queue's context.
  [[nodiscard]] std::uint64_t usm_context() const;
  /// Only the library calls this: it returns when the commands are complete, at once where it would never return.
  void wait_before_free() const;
  /// Only the library calls this: it returns what the commands of the queue keep for as long as they are not complete.
  [[nodiscard]] std::weak_ptr<detail::queue_state> commands() const;
  /// Only the library calls this: it returns null on the CPU.
  [[nodiscard]] detail::device_queue* device_queue() const;
  /// Only the library calls this: it gives the queue's device something for which there is no command group; nothing if
  /// the queue needs one.
  [[nodiscard]] std::optional<event> start_eventless(detail::eventless_start& what) const;

private:
  friend struct detail::weak_access;
  friend struct std::hash<queue>;
  friend class detail::graph_nodes;

  // Without a constraint: compilers do not agree on the names of functions that have one.
  template <class Query>
  typename Query::return_type answer() const;

  /// `where` null: the default context. `handler` null: none.
  queue(isa_id needed, const context* where, const device& runs_on, const async_handler* handler,
        const property_list& properties);

  template <class Name, bool Records, unsigned PlainSize, class Space, class First, class... Rest>
  event submit_parallel_for(const Space& space, First&& first, Rest&&... rest) {
    return submit([&](handler& h) {
      if constexpr (std::convertible_to<First, const event&> || std::convertible_to<First, const std::vector<event>&>) {
        h.depends_on(first);
        h.parallel_for<Name>(space, std::forward<Rest>(rest)...);
      } else {
        h.parallel_for<Name>(space, std::forward<First>(first), std::forward<Rest>(rest)...);
      }
    });
  }

  /// Submits what `group(argument, handler)` says.
  event submit(void (*group)(void*, handler&), void* argument);
  std::optional<event> join_recording(handler& h);
  const std::shared_ptr<detail::graph_recording>& recording() const;
  void refuse_to_wait_while_recording() const;
  detail::queue_owner& owner() const;
  const detail::launch_settings& settings() const;
  const property_list& properties() const;

  detail::shared_part<detail::queue_owner> m_owner;
};

template <>
struct is_property_of<property::queue::in_order, queue> : std::true_type {};
template <>
struct is_property_of<property::queue::enable_profiling, queue> : std::true_type {};
template <>
struct is_property_of<property::threads, queue> : std::true_type {};
template <>
struct is_property_of<property::fiber_engine, queue> : std::true_type {};

LANEFOLD_END_NAMESPACE

template <>
struct std::hash<lanefold::queue> {
  std::size_t operator()(const lanefold::queue& q) const noexcept { return std::hash<const void*>()(q.m_owner.get()); }
};
