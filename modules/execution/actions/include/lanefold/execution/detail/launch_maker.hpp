// SPDX-License-Identifier: Apache-2.0
/// The graph, which runs launches, meets here those who make them of kernels.
#pragma once

#include <lanefold/execution/detail/forward.hpp>
#include <lanefold/execution/launch.hpp>
#include <lanefold/fwd.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <typeinfo>

LANEFOLD_BEGIN_NAMESPACE

class kernel; // see kernel_bundle.hpp

namespace detail {

/// Stands for the index space of a kernel that has none.
struct no_index_space {};

/// The index space of a kernel, of any number of dimensions.
struct index_space {
  int dimensions = 0;      ///< 0: the kernel has none
  bool has_groups = false; ///< it is an nd_range
  std::size_t global[most_dimensions] = {};
  std::size_t local[most_dimensions] = {};
  std::size_t offset[most_dimensions] = {};

  explicit index_space(no_index_space) {}
  template <int D>
  explicit index_space(const range<D>& extents);
  template <int D>
  explicit index_space(const nd_range<D>& space);

  /// Sets `to` to this one, which was made of one of that type.
  void get(no_index_space&) const {}
  template <int D>
  void get(range<D>& to) const;
  template <int D>
  void get(nd_range<D>& to) const;
};

/// Holds what a kernel was launched with. Nodes of graphs are launched again: over another index space, or with other
/// values of their dynamic parameters. (One function for each kernel, which no class with virtual ones would be.)
class launch_recipe {
public:
  /// Takes `launch`, which came from new and has what it needs by value: `launch(handler, index space)` makes a launch
  /// the action of the handler.
  template <class Launch>
  launch_recipe(const index_space& over, const Launch* launch) noexcept
      : space(over), m_launch(launch), m_act(&act<Launch>) {}
  launch_recipe(launch_recipe&& other) noexcept;
  launch_recipe& operator=(launch_recipe&&) = delete;
  ~launch_recipe();

  /// Errors: those of a launch.
  void launch_on(handler& command) const { m_act(m_launch, &command, space); }

  index_space space;

private:
  /// Launches; without a command, destroys.
  template <class Launch>
  LANEFOLD_COLD static void act(const void* launch, handler* command, const index_space& over) {
    const auto* const kept = static_cast<const Launch*>(launch);
    if (command == nullptr) {
      delete kept;
    } else {
      const Launch copied(*kept); // dynamic parameters have their present values in copies
      copied(*command, over);
    }
  }

  const void* m_launch;
  void (*m_act)(const void*, handler*, const index_space&);
};

/// Makes the launches of one kind of kernels: the specialisation for the kind's tag has a function
/// `make(launch_settings, values, arguments…)` that returns a std::unique_ptr<launch>; `values()` gives the values of
/// specialization constants. (That of device_kernels takes the handler in place of both, those of recorded_kernels and
/// recorded_scoped_kernels the handler in front, and no values.) It belongs to the room or
/// module of these kernels; programs that have included it can give such kernels to a handler.
template <class Kernels>
struct launch_maker;
/// Kernels over ranges and ND-ranges (kernels.hpp). `PlainSize`: see plain_sub_group_size.
template <unsigned PlainSize>
struct index_space_kernels;
/// Kernels that are called once (single_task.hpp).
struct single_task_kernels;
template <unsigned PlainSize>
struct scoped_kernels;
template <unsigned PlainSize>
struct hierarchical_kernels;
/// Kernels in the language of a device: a backend specialises launch_maker for each of its types of kernels. These
/// check that the command's device is one of the backend.
template <class Kernel>
struct device_kernels;
/// The kernels of index_space_kernels for a device that is not the CPU, in module recorded.
template <unsigned PlainSize>
struct recorded_kernels;
/// The kernels of scoped_kernels for such a device.
template <unsigned PlainSize>
struct recorded_scoped_kernels;

/// Is true if the specialisation for `Kernels` can be seen. `Arguments` make the answer that of the call.
template <class Kernels, class... Arguments>
concept launch_maker_included = requires { sizeof(launch_maker<Kernels>); };

/// Is true if the launch_maker of such kernels can give a queue one with these arguments without a command group:
/// `start` returns nothing where the queue does not take it so.
template <class Queue, class Kernel, class Space, class... Arguments>
concept starts_at_once =
    requires(const Queue& q, const Kernel& kernel, const Space& space, const Arguments&... arguments) {
      launch_maker<device_kernels<Kernel>>::start(q, kernel, space, arguments...);
    };

/// Is true where kernels are recorded for devices that are not the CPU: in source files that include
/// <lanefold/recorded.hpp>. What calls such kernels has it as a template argument: what two source files make of one
/// kernel then has two names.
template <class... Arguments>
concept records_kernels = launch_maker_included<recorded_kernels<0>, Arguments...>;

/// Is true where scoped kernels are recorded, too.
template <class... Arguments>
concept records_scoped_kernels = launch_maker_included<recorded_scoped_kernels<0>, Arguments...>;

/// Is a kernel of single_task that takes the item of a range of one, `[=](auto it) {…}`. In plain SYCL source files it
/// takes a kernel_handler.
template <unsigned PlainSize, class Kernel>
concept generic_task =
    PlainSize == 0 && std::is_class_v<Kernel> && !std::is_invocable_v<Kernel&> && !requires { &Kernel::operator(); };

/// Stands for the name of a kernel that has none.
struct unnamed;
/// The type of the pointer to a kernel's name, null for `unnamed`. The headers of kernels bring registered_kernel.hpp,
/// which defines it.
template <class Name>
const std::type_info* name_of() noexcept;

/// Throws errc::kernel_not_supported if the device has no groups of the sizes that kernel_properties<Name> ask for. It
/// is defined beside name_of.
template <class Name>
void check_kernel_properties();

// A handler knows no more than this of specialization constants; specialization.hpp, in which a program finds
// specialization_id, defines the functions.
class specialization_values;
template <auto& Id>
using specialization_value = typename std::remove_cvref_t<decltype(Id)>::value_type;
template <auto& Id>
void set_value(specialization_values& values, const specialization_value<Id>& value);
template <auto& Id>
const specialization_value<Id>& get_value(const specialization_values& values) noexcept;

// Kernel objects say what is known of a kernel and cannot be launched: kernels are functions of the program.

template <class T>
concept KernelObject = std::same_as<std::remove_cvref_t<T>, kernel>;

/// Throws errc::feature_not_supported; `call` is what the program called.
[[noreturn]] void refuse_kernel_object(const char* call);

/// The part of handler that sets the arguments of kernel objects: functions capture theirs. [sycl.4.9.4.2.5]
class kernel_arguments {
public:
  // Errors: errc::feature_not_supported, always.
  template <class T>
  void set_arg(int /*index*/, T&& /*argument*/) {
    refuse_kernel_object("handler::set_arg");
  }
  template <class... Ts>
  void set_args(Ts&&... /*arguments*/) {
    refuse_kernel_object("handler::set_args");
  }
};

} // namespace detail
LANEFOLD_END_NAMESPACE
