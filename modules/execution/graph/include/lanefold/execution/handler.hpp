// SPDX-License-Identifier: Apache-2.0
/// handler: what a command group says about its command.
#pragma once

#include <lanefold/execution/access.hpp>
#include <lanefold/execution/detail/buffer_requirement.hpp>
#include <lanefold/execution/detail/forward.hpp>
#include <lanefold/execution/detail/launch_maker.hpp>
#include <lanefold/execution/detail/memory_actions.hpp>
#include <lanefold/execution/detail/shared_part.hpp>
#include <lanefold/execution/detail/single_task_launch.hpp>
#include <lanefold/execution/event.hpp>
#include <lanefold/execution/interop_handle.hpp>
#include <lanefold/execution/launch.hpp>
#include <lanefold/execution/property.hpp>
#include <lanefold/id.hpp>
#include <lanefold/range.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE

class context;
class queue;

namespace detail {

class buffer_owner;
struct bundle_contents;
class dynamic_value;
class executable_graph;
class graph_nodes;
struct handler_contents;
class node_command;
class whole_handler;

/// Says what handler::set_made gets.
enum class made_by { host_task, kernel_of_groups, kernel_without_groups, recorded_kernel };

} // namespace detail

/// Collects what a command group function says about its command [sycl.4.9.4]: at most one action (a kernel or a memory
/// operation), and what it must wait for. A group without an action is a command that only waits. The library has
/// what it keeps; used while the function runs.
class handler : public detail::memory_actions, public detail::kernel_arguments, public detail::older_actions<handler> {
public:
  using older_actions::parallel_for;
  using older_actions::single_task;
  handler(const handler&) = delete;
  handler& operator=(const handler&) = delete;

  /// The command waits for the event's command; if that fails, this one does not run and fails too.
  void depends_on(event dependency);
  void depends_on(const std::vector<event>& dependencies);

  /// The command uses what a placeholder accessor gives access to. Errors: errc::accessor if its buffer is gone.
  // [sycl.4.9.4.1]
  template <class T, int D, access_mode Mode, target Target, access::placeholder P>
  void require(const accessor<T, D, Mode, Target, P>& placeholder) {
    require(placeholder.requirement());
  }
  /// Accessors call this. Beside an accessor that needs elements as they were, `no_init` means nothing. Errors:
  /// errc::accessor for a command that would use overlapping sub-buffers, one of them to write.
  void require(detail::buffer_requirement&& r);
  void require(const detail::buffer_owner& owner, const detail::accessed_part& part);
  /// The command uses what the accessor that the parameter has at a time gives access to. (SYCL_EXT_ONEAPI_GRAPH)
  template <class T>
  void require(const ext::oneapi::experimental::dynamic_parameter<T>& changing) {
    require_value(changing.shared_value());
  }

  /// Runs a kernel over an ND-range: `parallel_for(nd_range, [launch properties, reductions…,] kernel)`. `Name` is for
  /// messages. Errors: errc::nd_range when the range is not valid (see nd_range), errc::invalid for a second action.
  // [sycl.4.9.4.2.2]
  template <class Name = detail::unnamed, int D, class... Rest, bool Records = detail::records_kernels<Rest...>,
            unsigned PlainSize = detail::plain_sub_group_size>
  void parallel_for(nd_range<D> space, Rest&&... rest) {
    launch_by<over<Name, Records, PlainSize>>(space, rest...);
  }
  /// Runs a kernel over a range, in groups of the library's choice. Errors: errc::kernel_argument for a kernel that
  /// captures local accessors.
  template <class Name = detail::unnamed, class... Rest, bool Records = detail::records_kernels<Rest...>,
            unsigned PlainSize = detail::plain_sub_group_size>
  void parallel_for(range<1> extents, Rest&&... rest) {
    launch_by<over<Name, Records, PlainSize>>(extents, rest...);
  }
  template <class Name = detail::unnamed, class... Rest, bool Records = detail::records_kernels<Rest...>,
            unsigned PlainSize = detail::plain_sub_group_size>
  void parallel_for(range<2> extents, Rest&&... rest) {
    launch_by<over<Name, Records, PlainSize>>(extents, rest...);
  }
  template <class Name = detail::unnamed, class... Rest, bool Records = detail::records_kernels<Rest...>,
            unsigned PlainSize = detail::plain_sub_group_size>
  void parallel_for(range<3> extents, Rest&&... rest) {
    launch_by<over<Name, Records, PlainSize>>(extents, rest...);
  }
  template <class Name = detail::unnamed, int D, class... Rest, bool Records = detail::records_kernels<Rest...>,
            unsigned PlainSize = detail::plain_sub_group_size>
    requires(D > 3)
  void parallel_for(range<D> extents, Rest&&... rest) {
    launch_by<over<Name, Records, PlainSize>>(extents, rest...);
  }

  /// Runs a scoped kernel, called once for each of `groups` groups of `size` logical items:
  /// `parallel(groups, size, [launch properties…,] kernel)`. In module scoped, see docs/scoped.md.
  template <class Name = detail::unnamed, int D, class Size, class... Rest,
            bool Records = detail::records_scoped_kernels<Rest...>, unsigned PlainSize = detail::plain_sub_group_size>
  void parallel(range<D> groups, Size size, Rest&&... rest) {
    launch_by<scoped<Name, Records, PlainSize>>(groups, size, rest...);
  }
  /// Runs a hierarchical kernel, called once for each of `groups` groups:
  /// `parallel_for_work_group(groups, [size,] [launch properties…,] kernel)`. In module scoped, see docs/scoped.md.
  // [sycl.4.9.4.2.3]
  template <class Name = detail::unnamed, int D, class... Rest, unsigned PlainSize = detail::plain_sub_group_size>
  void parallel_for_work_group(range<D> groups, Rest&&... rest) {
    launch_by<hierarchical<Name, PlainSize>>(groups, rest...);
  }

  /// Runs a kernel in the language of the queue's device over an ND-range, in module gpu (docs/gpu.md):
  /// `launch(gpu::kernel{source, "name"}, nd_range, arguments…)`. Arguments: accessors of this command and local
  /// accessors, which the kernel gets as pointers to their first element, USM pointers, values, gpu::local.
  /// Errors, before anything runs: errc::kernel_not_supported if the device is the CPU; those of gpu::queue::launch.
  template <class Kernel, int D, class... Arguments>
  void launch(const Kernel& kernel, const nd_range<D>& space, const Arguments&... arguments) {
    static_assert(
        detail::launch_maker_included<detail::device_kernels<Kernel>, Arguments...>,
        "lanefold: no backend has such kernels; gpu::kernel needs #include <lanefold/gpu.hpp>, lanefold::gpu");
    launch_by<by_backend>(space, kernel, arguments...);
  }

  /// Runs a kernel over a range whose ids begin at `offset` (deprecated in SYCL 2020). Errors as without it.
  template <class Name = detail::unnamed, class First, class... Rest,
            bool Records = detail::records_kernels<First, Rest...>, unsigned PlainSize = detail::plain_sub_group_size>
  void parallel_for(range<1> extents, id<1> offset, First&& first, Rest&&... rest) {
    launch_by<with_offset<Name, Records, PlainSize>>(extents, offset, first, rest...);
  }
  template <class Name = detail::unnamed, class First, class... Rest,
            bool Records = detail::records_kernels<First, Rest...>, unsigned PlainSize = detail::plain_sub_group_size>
  void parallel_for(range<2> extents, id<2> offset, First&& first, Rest&&... rest) {
    launch_by<with_offset<Name, Records, PlainSize>>(extents, offset, first, rest...);
  }
  template <class Name = detail::unnamed, class First, class... Rest,
            bool Records = detail::records_kernels<First, Rest...>, unsigned PlainSize = detail::plain_sub_group_size>
  void parallel_for(range<3> extents, id<3> offset, First&& first, Rest&&... rest) {
    launch_by<with_offset<Name, Records, PlainSize>>(extents, offset, first, rest...);
  }

  /// Calls the kernel once, on some thread. It takes nothing, or a kernel_handler; or it is generic, `[=](auto it)
  /// {…}`: then `it` is the item of a range of one, and the kernel can be recorded for a device (docs/gpu.md).
  template <class Name = detail::unnamed, class Kernel, bool Records = detail::records_kernels<Kernel>,
            unsigned PlainSize = detail::plain_sub_group_size>
  void single_task(Kernel&& kernel) {
    if constexpr (std::is_copy_constructible_v<std::remove_cvref_t<Kernel>>) {
      if (m_settings.is_node) {
        return launch_by<once<Name, Records, PlainSize>>(detail::no_index_space(), kernel);
      }
    }
    once<Name, Records, PlainSize>::launch(*this, detail::no_index_space(), std::forward<Kernel>(kernel));
  }

  /// Calls the function once, on some thread, as host code: it may do all that a program may do, but not wait (that
  /// throws errc::invalid). It takes nothing, or an interop_handle.
  // [sycl.4.10]
  template <class Task>
    requires std::invocable<std::remove_cvref_t<Task>&> || std::invocable<std::remove_cvref_t<Task>&, interop_handle>
  void host_task(Task&& task) {
    if constexpr (std::invocable<std::remove_cvref_t<Task>&>) {
      run_on_host(std::forward<Task>(task));
    } else {
      run_on_host([task = std::forward<Task>(task)]() mutable { task(interop_handle()); });
    }
  }

  /// The commands that the queue gets later wait for this one. Without events, this one waits for all earlier ones.
  // (the extension SYCL_EXT_ONEAPI_ENQUEUE_BARRIER)
  void ext_oneapi_barrier();
  void ext_oneapi_barrier(const std::vector<event>& events);

  /// Runs a graph, see command_graph. In a command that is to be a node: a part of that graph, as it is now.
  // (the extension SYCL_EXT_ONEAPI_GRAPH)
  void ext_oneapi_graph(
      const ext::oneapi::experimental::command_graph<ext::oneapi::experimental::graph_state::executable>& graph);

  /// The value of a specialization constant in the kernel of this command: kernels that take a kernel_handler read it.
  /// Errors: errc::invalid in a command that uses a kernel bundle, whose values are those of the bundle.
  // [sycl.4.9.5.1]
  template <auto& Id>
  void set_specialization_constant(const detail::specialization_value<Id>& value) {
    refuse_bundle();
    detail::set_value<Id>(*values(), value);
  }
  /// Returns the value of the constant in this command. Errors: as of set_specialization_constant.
  template <auto& Id>
  [[nodiscard]] detail::specialization_value<Id> get_specialization_constant() {
    refuse_bundle();
    return detail::get_value<Id>(*values());
  }
  /// The command's kernel is one of the bundle. Errors: errc::invalid (at submission) if the bundle is of another
  /// context than the queue, or after set_specialization_constant; errc::kernel_not_supported (at submission) if the
  /// kernel has a name and is not in the bundle.
  // [sycl.4.9.4.4]
  template <class Bundle>
    requires requires(const Bundle& b) { b.native_specialization_constant(); }
  void use_kernel_bundle(const Bundle& bundle) {
    use_bundle(bundle.contents());
  }

  /// Local accessors ask for local memory of each group. Throws errc::memory_allocation if there is too little.
  detail::local_allocation allocate_local(std::size_t bytes, std::size_t alignment);
  std::size_t allocate_local(std::size_t count, std::size_t element, std::size_t alignment);
  /// Only the library calls this: it returns a number of this command, for its local accessors.
  std::size_t local_owner() noexcept;
  /// Only the library calls these: they return what the accessors of the command require, what the queue says, and the
  /// values of specialization constants that the kernel gets.
  const std::vector<detail::buffer_requirement>& requirements() const noexcept;
  const detail::launch_settings& common_settings() const noexcept { return m_settings; }
  const detail::shared_part<detail::specialization_values>& values();
  /// Only the library calls this: the thing ends with the command.
  void attach(std::shared_ptr<detail::command_attachment> thing);

private:
  friend class queue;
  friend class detail::graph_nodes;
  friend class detail::memory_actions;
  friend class detail::node_command;
  friend class detail::whole_handler;
  template <ext::oneapi::experimental::graph_state State>
  friend class ext::oneapi::experimental::command_graph;
  friend class ext::oneapi::experimental::dynamic_command_group;
  handler(const detail::launch_settings& common, detail::handler_contents& contents) noexcept
      : m_settings(common), m_contents(contents) {}

  // Ways to launch a kernel, for launch_by.
  template <class Name, bool Records, unsigned PlainSize>
  struct over {
    template <class Space, class... Rest>
    static void launch(handler& h, const Space& space, const Rest&... rest) {
      h.launch_over<Name, Records, PlainSize>(space, rest...);
    }
  };
  template <class Name, bool Records, unsigned PlainSize>
  struct with_offset {
    template <int D, class... Rest>
    static void launch(handler& h, const range<D>& extents, const id<D>& offset, const Rest&... rest) {
      h.launch_with_offset<Name, Records, PlainSize>(extents, offset, rest...);
    }
  };
  template <class Name, bool Records, unsigned PlainSize>
  struct once {
    template <class Kernel>
    static void launch(handler& h, detail::no_index_space, Kernel&& kernel) {
      if constexpr (detail::generic_task<PlainSize, std::remove_cvref_t<Kernel>>) {
        h.launch_over<Name, Records, PlainSize>(range<1>(1), kernel);
      } else {
        h.launch_once<detail::single_task_kernels, Name>(std::forward<Kernel>(kernel));
      }
    }
  };
  template <class Name, bool Records, unsigned PlainSize>
  struct scoped {
    template <int D, class Size, class... Rest>
    static void launch(handler& h, const range<D>& groups, const Size& size, const Rest&... rest) {
      if constexpr (Records) {
        if (h.m_settings.device != nullptr) {
          return h.launch_recorded<detail::recorded_scoped_kernels<PlainSize>, Name>(groups, size, rest...);
        }
      }
      h.launch_made_by<detail::scoped_kernels<PlainSize>, Name>(groups, size, rest...);
    }
  };
  template <class Name, unsigned PlainSize>
  struct hierarchical {
    template <int D, class... Rest>
    static void launch(handler& h, const range<D>& groups, const Rest&... rest) {
      h.launch_made_by<detail::hierarchical_kernels<PlainSize>, Name>(groups, rest...);
    }
  };
  struct by_backend {
    template <int D, class Kernel, class... Arguments>
    static void launch(handler& h, const nd_range<D>& space, const Kernel& kernel, const Arguments&... arguments) {
      h.refuse_second_action();
      h.set(detail::launch_maker<detail::device_kernels<Kernel>>::make(h, kernel, space, arguments...));
    }
  };

  /// Launches a kernel; what a node of a graph is launched with is kept.
  template <class Way, class Space, class... Rest>
  void launch_by(const Space& space, const Rest&... rest) {
    if (!m_settings.is_node) [[likely]] {
      Way::launch(*this, space, rest...);
    } else {
      launch_node_by<Way>(space, rest...);
    }
  }
  template <class Way, class Space, class... Rest>
  LANEFOLD_COLD void launch_node_by(const Space& space, const Rest&... rest) {
    const auto* const again = new auto([... copies = rest](handler& h, const detail::index_space& now) {
      Space found;
      now.get(found);
      Way::launch(h, found, copies...);
    });
    launch_by(detail::launch_recipe(detail::index_space(space), again));
  }
  void launch_by(detail::launch_recipe&& recipe);
  /// By the recipe, with what the command requires now.
  void launch_again();
  void require_value(const detail::shared_part<detail::dynamic_value>& changing);
  [[nodiscard]] detail::capture_scope capture() const noexcept;

  template <class Name>
  detail::launch_settings settings() const noexcept {
    return settings_of(detail::name_of<Name>());
  }
  detail::launch_settings settings_of(const std::type_info* name) const noexcept;

  template <class Task>
  void run_on_host(Task&& task) {
    set_made(detail::made_by::host_task, [&] {
      return detail::new_launch<detail::single_task_launch<std::remove_cvref_t<Task>, true>>(
          settings_of(&typeid(detail::host_task*)), std::forward<Task>(task));
    });
  }

  template <class Kernels, class Name, class Kernel>
  void launch_once(Kernel&& kernel) {
    static_assert(detail::launch_maker_included<Kernels, Kernel>,
                  "lanefold: single_task needs #include <lanefold/execution/single_task.hpp>");
    set_made(detail::made_by::kernel_without_groups, [&] {
      return detail::launch_maker<Kernels>::make(
          settings<Name>(), [this]() -> const auto& { return values(); }, std::forward<Kernel>(kernel));
    });
  }

  template <class Name, bool Records, unsigned PlainSize, class Space, class... Rest>
  void launch_over(const Space& space, const Rest&... rest) {
    using Kernels = detail::index_space_kernels<PlainSize>;
    static_assert(sizeof...(Rest) > 0, "parallel_for needs a kernel");
    static_assert(detail::launch_maker_included<Kernels, Rest...>,
                  "lanefold: parallel_for needs #include <lanefold/execution/kernels.hpp> and lanefold::execution");
    if constexpr (Records) {
      if (m_settings.device != nullptr) {
        return launch_recorded<detail::recorded_kernels<PlainSize>, Name>(space, rest...);
      }
    }
    const auto its_values = [this]() -> const auto& { return values(); };
    if constexpr (!requires { space.get_local_range(); }) {
      set_made(detail::made_by::kernel_without_groups,
               [&] { return detail::launch_maker<Kernels>::make(settings<Name>(), its_values, space, rest...); });
    } else if constexpr (std::is_same_v<decltype(kernel_properties<Name>), const properties<>>) {
      set_made(detail::made_by::kernel_of_groups,
               [&] { return detail::launch_maker<Kernels>::make(settings<Name>(), its_values, space, rest...); });
    } else {
      detail::check_kernel_properties<Name>();
      set_made(detail::made_by::kernel_of_groups, [&] {
        return detail::launch_maker<Kernels>::make(settings<Name>(), its_values, space, kernel_properties<Name>,
                                                   rest...);
      });
    }
  }

  template <class Name, bool Records, unsigned PlainSize, int D, class... Rest>
  void launch_with_offset(const range<D>& extents, const id<D>& offset, const Rest&... rest) {
    using Kernels = detail::index_space_kernels<PlainSize>;
    static_assert(detail::launch_maker_included<Kernels, Rest...>,
                  "lanefold: parallel_for needs #include <lanefold/execution/kernels.hpp> and lanefold::execution");
    if constexpr (Records) {
      if (m_settings.device != nullptr) {
        return launch_recorded<detail::recorded_kernels<PlainSize>, Name>(extents, offset, rest...);
      }
    }
    set_made(detail::made_by::kernel_without_groups, [&] {
      return detail::launch_maker<Kernels>::make_with_offset(
          settings<Name>(), [this]() -> const auto& { return values(); }, extents, offset, rest...);
    });
  }

  /// A kernel over an index space, for a device that is not the CPU.
  template <class Kernels, class Name, class... Arguments>
  void launch_recorded(const Arguments&... arguments) {
    set_made(detail::made_by::recorded_kernel,
             [&] { return detail::launch_maker<Kernels>::template make<Name>(*this, settings<Name>(), arguments...); });
  }

  template <class Kernels, class Name, class... Arguments>
  void launch_made_by(Arguments&&... arguments) {
    static_assert(detail::launch_maker_included<Kernels, Arguments...>,
                  "lanefold: scoped and hierarchical kernels need #include <lanefold/scoped.hpp> and lanefold::scoped");
    set_made(detail::made_by::kernel_of_groups, [&] {
      return detail::launch_maker<Kernels>::make(
          settings<Name>(), [this]() -> const auto& { return values(); }, std::forward<Arguments>(arguments)...);
    });
  }

  /// Sets the action that `make` makes; it copies a kernel.
  template <class Make>
  void set_made(detail::made_by kind, Make make) {
    set_made(kind, [](void* what) { return (*static_cast<Make*>(what))().release(); }, &make);
  }
  /// Throws errc::kernel_argument if the kernel captures a local accessor of another command, or any if it has no
  /// work-groups; errc::kernel_not_supported if it does not run on the queue's device.
  void set_made(detail::made_by kind, detail::launch* (*make)(void*), void* maker);

  void refuse_bundle() const;
  void use_bundle(const detail::shared_part<detail::bundle_contents>& bundle);
  void check_bundle(const context& of_queue) const;
  void refuse_second_action() const;
  void become_node();
  [[nodiscard]] ext::oneapi::experimental::node_type node_type() const noexcept;
  /// Says of a node what its launch does not say.
  void be_of_type(ext::oneapi::experimental::node_type type) noexcept;
  void set(std::unique_ptr<detail::launch> work);

  detail::launch_settings m_settings;
  detail::handler_contents& m_contents; ///< of the whole_handler that this is a part of
};

namespace detail {

/// Calls a command group function, or a copy of it where it is const and its call is not.
template <class Group>
void describe(void* group, handler& h) {
  if constexpr (std::invocable<Group&, handler&>) {
    (*static_cast<Group*>(group))(h);
  } else {
    std::decay_t<Group> copy(*static_cast<Group*>(group));
    copy(h);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
