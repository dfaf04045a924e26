// SPDX-License-Identifier: Apache-2.0
/// Kernel bundles: what programs ask about their kernels, and specialization constants of several commands.
#pragma once

#include <lanefold/execution/context.hpp>
#include <lanefold/execution/detail/registered_kernel.hpp>
#include <lanefold/execution/device.hpp>
#include <lanefold/execution/info.hpp>
#include <lanefold/execution/specialization.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE

/// Says how far the kernels of a bundle are built. Kernels are compiled with the program: the states differ in what a
/// bundle allows, not in code. [sycl.4.11.3]
enum class bundle_state { input, object, executable };

class kernel;
template <bundle_state State>
class kernel_bundle;
template <bundle_state State>
class device_image;

/// Stands for one kernel of the program that has a name, whatever it captures. A cheap handle.
// [sycl.4.11.6]
class kernel_id {
public:
  [[nodiscard]] const char* get_name() const noexcept;

  friend bool operator==(const kernel_id&, const kernel_id&) noexcept = default;

  /// Only the library calls these.
  explicit kernel_id(const detail::kernel_entry* entry) noexcept : m_entry(entry) {}
  const detail::kernel_entry* entry() const noexcept { return m_entry; }

private:
  const detail::kernel_entry* m_entry; // lives as long as the process
};

/// The kernel with this name (the template argument of parallel_for).
template <class Name>
[[nodiscard]] kernel_id get_kernel_id() {
  static_cast<void>(detail::registered_kernel<Name>::entry); // it is known from the start
  return kernel_id(detail::register_kernel(typeid(Name*)));  // also where that has not happened yet
}
/// All kernels of the program that have names.
[[nodiscard]] std::vector<kernel_id> get_kernel_ids();

namespace detail {

/// Holds what the handles of a bundle share.
struct bundle_contents {
  context where;
  std::vector<device> devices;
  std::vector<kernel_id> kernels;
  std::shared_ptr<specialization_values> values;
  bool has_set_values = false;

  [[nodiscard]] bool contains(const kernel_id& kernel) const noexcept;
  [[nodiscard]] bool contains(const std::type_info& kernel) const noexcept;
  [[nodiscard]] bool is_for(const device& on) const noexcept;
};

/// Each kernel once. Throws errc::invalid if `devices` is empty or not of the context.
std::shared_ptr<bundle_contents> make_bundle(const context& where, const std::vector<device>& devices,
                                             const std::vector<kernel_id>& kernels);
/// A copy whose values are its own.
std::shared_ptr<bundle_contents> copy_bundle(const bundle_contents& from);
/// The kernels and values of all. Throws errc::invalid for none, or for different contexts.
std::shared_ptr<bundle_contents> join_bundles(const std::vector<std::shared_ptr<bundle_contents>>& all);
kernel kernel_of(const std::shared_ptr<bundle_contents>& bundle, const kernel_id& id);

} // namespace detail

/// A kernel in an executable bundle, to be asked about. [sycl.4.11.13]
class kernel {
public:
  backend get_backend() const noexcept;
  context get_context() const;
  kernel_bundle<bundle_state::executable> get_kernel_bundle() const;
  /// errc::invalid for num_args, which only kernels of a backend's own language have.
  template <detail::query_in<detail::kernel_query> Query>
  typename Query::return_type get_info() const {
    return answer<Query>();
  }
  /// errc::invalid for a device that the bundle is not for, and for global_work_size, which only built-in kernels have.
  template <detail::query_in<detail::kernel_device_query> Query>
  typename Query::return_type get_info(const device& on) const {
    return answer<Query>(on);
  }

  friend bool operator==(const kernel&, const kernel&) noexcept = default;

  /// Only the library calls this.
  kernel(std::shared_ptr<detail::bundle_contents> bundle, kernel_id id) noexcept
      : m_bundle(std::move(bundle)), m_id(id) {}

private:
  friend struct std::hash<kernel>;

  // Without a constraint: compilers do not agree on the names of functions that have one.
  template <class Query>
  typename Query::return_type answer() const;
  template <class Query>
  typename Query::return_type answer(const device& on) const;

  std::shared_ptr<detail::bundle_contents> m_bundle;
  kernel_id m_id;
};

/// A bundle has one image: all its kernels. A cheap handle. [sycl.4.11.12]
template <bundle_state State>
class device_image {
public:
  [[nodiscard]] bool has_kernel(const kernel_id& id) const noexcept { return m_of->contains(id); }
  [[nodiscard]] bool has_kernel(const kernel_id& id, const device& on) const noexcept {
    return m_of->contains(id) && m_of->is_for(on);
  }

  friend bool operator==(const device_image&, const device_image&) noexcept = default;

  /// Only the library calls this.
  explicit device_image(std::shared_ptr<detail::bundle_contents> of) noexcept : m_of(std::move(of)) {}

private:
  friend struct std::hash<device_image>;

  std::shared_ptr<detail::bundle_contents> m_of;
};

/// A set of kernels for devices of a context [sycl.4.11]: a cheap handle, copies stand for the same bundle.
template <bundle_state State>
class kernel_bundle {
public:
  kernel_bundle() = delete;

  [[nodiscard]] bool empty() const noexcept { return m_contents->kernels.empty(); }
  [[nodiscard]] backend get_backend() const noexcept { return m_contents->where.get_backend(); }
  [[nodiscard]] context get_context() const { return m_contents->where; }
  [[nodiscard]] std::vector<device> get_devices() const { return m_contents->devices; }
  [[nodiscard]] bool has_kernel(const kernel_id& id) const noexcept { return m_contents->contains(id); }
  [[nodiscard]] bool has_kernel(const kernel_id& id, const device& on) const noexcept {
    return has_kernel(id) && m_contents->is_for(on);
  }
  template <class Name>
  [[nodiscard]] bool has_kernel() const noexcept {
    return has_kernel(get_kernel_id<Name>());
  }
  template <class Name>
  [[nodiscard]] bool has_kernel(const device& on) const noexcept {
    return has_kernel(get_kernel_id<Name>(), on);
  }
  [[nodiscard]] std::vector<kernel_id> get_kernel_ids() const { return m_contents->kernels; }
  /// errc::invalid if the bundle does not have it.
  [[nodiscard]] kernel get_kernel(const kernel_id& id) const
    requires(State == bundle_state::executable)
  {
    return detail::kernel_of(m_contents, id);
  }
  template <class Name>
    requires(State == bundle_state::executable)
  [[nodiscard]] kernel get_kernel() const {
    return get_kernel(get_kernel_id<Name>());
  }

  /// Returns whether a value was set here, or in the bundle that it was built from.
  [[nodiscard]] bool contains_specialization_constants() const noexcept { return m_contents->has_set_values; }
  /// Constants are values that kernels read, not code that is compiled for them.
  [[nodiscard]] static constexpr bool native_specialization_constant() noexcept { return false; }
  /// Any kernel may read any constant.
  template <auto& Id>
  [[nodiscard]] static constexpr bool has_specialization_constant() noexcept {
    return true;
  }
  /// Sets the value for the kernels of all commands that use the bundle that is built from this one.
  template <auto& Id>
    requires(State == bundle_state::input)
  void set_specialization_constant(const detail::specialization_value<Id>& value) {
    m_contents->values->template set<Id>(value);
    m_contents->has_set_values = true;
  }
  template <auto& Id>
  [[nodiscard]] detail::specialization_value<Id> get_specialization_constant() const {
    return m_contents->values->template get<Id>();
  }

  using device_image_iterator = const device_image<State>*;
  /// The one image of the bundle, if that is not empty. Valid as long as there are handles.
  [[nodiscard]] device_image_iterator begin() const noexcept { return m_image.get(); }
  [[nodiscard]] device_image_iterator end() const noexcept { return begin() + (empty() ? 0 : 1); }

  friend bool operator==(const kernel_bundle& a, const kernel_bundle& b) noexcept {
    return a.m_contents == b.m_contents;
  }

  /// Only the library calls these.
  explicit kernel_bundle(std::shared_ptr<detail::bundle_contents> contents)
      : m_contents(std::move(contents)), m_image(std::make_shared<const device_image<State>>(m_contents)) {}
  const std::shared_ptr<detail::bundle_contents>& contents() const noexcept { return m_contents; }

private:
  std::shared_ptr<detail::bundle_contents> m_contents;
  std::shared_ptr<const device_image<State>> m_image;
};

// ---- making bundles [sycl.4.11.7] [sycl.4.11.8]. Errors, errc::invalid: no device, or one that is not of the context.

template <bundle_state State>
[[nodiscard]] kernel_bundle<State> get_kernel_bundle(const context& where, const std::vector<device>& devices,
                                                     const std::vector<kernel_id>& kernels) {
  return kernel_bundle<State>(detail::make_bundle(where, devices, kernels));
}
template <bundle_state State>
[[nodiscard]] kernel_bundle<State> get_kernel_bundle(const context& where, const std::vector<kernel_id>& kernels) {
  return get_kernel_bundle<State>(where, where.get_devices(), kernels);
}
template <bundle_state State>
[[nodiscard]] kernel_bundle<State> get_kernel_bundle(const context& where, const std::vector<device>& devices) {
  return get_kernel_bundle<State>(where, devices, get_kernel_ids());
}
template <bundle_state State>
[[nodiscard]] kernel_bundle<State> get_kernel_bundle(const context& where) {
  return get_kernel_bundle<State>(where, where.get_devices());
}
template <class Name, bundle_state State>
[[nodiscard]] kernel_bundle<State> get_kernel_bundle(const context& where, const std::vector<device>& devices) {
  return get_kernel_bundle<State>(where, devices, std::vector{get_kernel_id<Name>()});
}
template <class Name, bundle_state State>
[[nodiscard]] kernel_bundle<State> get_kernel_bundle(const context& where) {
  return get_kernel_bundle<Name, State>(where, where.get_devices());
}

namespace detail {

/// Chooses images of a bundle: called with each, returns whether the bundle is to have it.
template <class S, bundle_state State>
concept ImageSelector = std::predicate<S&, const device_image<State>&>;

/// Returns whether one of the devices compiles kernels.
bool can_compile(const std::vector<device>& devices);

} // namespace detail

/// A bundle of the kernels whose image the selector chooses.
template <bundle_state State, detail::ImageSelector<State> Selector>
[[nodiscard]] kernel_bundle<State> get_kernel_bundle(const context& where, const std::vector<device>& devices,
                                                     Selector selector) {
  kernel_bundle<State> all = get_kernel_bundle<State>(where, devices);
  for (const device_image<State>& image : all) {
    if (selector(image)) {
      return all;
    }
  }
  return get_kernel_bundle<State>(where, devices, std::vector<kernel_id>());
}
template <bundle_state State, detail::ImageSelector<State> Selector>
[[nodiscard]] kernel_bundle<State> get_kernel_bundle(const context& where, Selector selector) {
  return get_kernel_bundle<State>(where, where.get_devices(), selector);
}

// Return whether get_kernel_bundle would give these kernels: it has all kernels of the program as objects and
// executables, and as input where a device has an online compiler.

template <bundle_state State>
[[nodiscard]] bool has_kernel_bundle(const context& where, const std::vector<device>& devices,
                                     const std::vector<kernel_id>& kernels) {
  const kernel_bundle<State> all = get_kernel_bundle<State>(where, devices, kernels);
  return !all.empty() && (State != bundle_state::input || detail::can_compile(devices));
}
template <bundle_state State>
[[nodiscard]] bool has_kernel_bundle(const context& where, const std::vector<kernel_id>& kernels) {
  return has_kernel_bundle<State>(where, where.get_devices(), kernels);
}
template <bundle_state State>
[[nodiscard]] bool has_kernel_bundle(const context& where, const std::vector<device>& devices) {
  return has_kernel_bundle<State>(where, devices, get_kernel_ids());
}
template <bundle_state State>
[[nodiscard]] bool has_kernel_bundle(const context& where) {
  return has_kernel_bundle<State>(where, where.get_devices());
}
template <bundle_state State, detail::ImageSelector<State> Selector>
[[nodiscard]] bool has_kernel_bundle(const context& where, const std::vector<device>& devices, Selector selector) {
  return has_kernel_bundle<State>(where, devices) && !get_kernel_bundle<State>(where, devices, selector).empty();
}
template <bundle_state State, detail::ImageSelector<State> Selector>
[[nodiscard]] bool has_kernel_bundle(const context& where, Selector selector) {
  return has_kernel_bundle<State>(where, where.get_devices(), selector);
}
template <class Name, bundle_state State>
[[nodiscard]] bool has_kernel_bundle(const context& where, const std::vector<device>& devices) {
  return has_kernel_bundle<State>(where, devices, std::vector{get_kernel_id<Name>()});
}
template <class Name, bundle_state State>
[[nodiscard]] bool has_kernel_bundle(const context& where) {
  return has_kernel_bundle<Name, State>(where, where.get_devices());
}

/// The CPU runs every kernel.
[[nodiscard]] inline bool is_compatible(const std::vector<kernel_id>& /*kernels*/, const device& on) noexcept {
  return on.is_cpu();
}
template <class Name>
[[nodiscard]] bool is_compatible(const device& on) noexcept {
  return on.is_cpu();
}

// ---- building [sycl.4.11.11]. The result has the values of constants that its source has now.

[[nodiscard]] inline kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input>& from) {
  return kernel_bundle<bundle_state::object>(detail::copy_bundle(*from.contents()));
}
[[nodiscard]] inline kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object>& from) {
  return kernel_bundle<bundle_state::executable>(detail::copy_bundle(*from.contents()));
}
[[nodiscard]] inline kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input>& from) {
  return kernel_bundle<bundle_state::executable>(detail::copy_bundle(*from.contents()));
}
/// One bundle of the kernels of several, which are of one context. Errors: errc::invalid.
template <bundle_state State>
[[nodiscard]] kernel_bundle<State> join(const std::vector<kernel_bundle<State>>& bundles) {
  std::vector<std::shared_ptr<detail::bundle_contents>> all;
  for (const kernel_bundle<State>& bundle : bundles) {
    all.push_back(bundle.contents());
  }
  return kernel_bundle<State>(detail::join_bundles(all));
}

LANEFOLD_END_NAMESPACE

template <>
struct std::hash<lanefold::kernel_id> {
  std::size_t operator()(const lanefold::kernel_id& id) const noexcept {
    return std::hash<const lanefold::detail::kernel_entry*>()(id.entry());
  }
};
template <>
struct std::hash<lanefold::kernel> {
  std::size_t operator()(const lanefold::kernel& k) const noexcept { return std::hash<lanefold::kernel_id>()(k.m_id); }
};
template <lanefold::bundle_state State>
struct std::hash<lanefold::kernel_bundle<State>> {
  std::size_t operator()(const lanefold::kernel_bundle<State>& b) const noexcept {
    return std::hash<std::shared_ptr<lanefold::detail::bundle_contents>>()(b.contents());
  }
};
template <lanefold::bundle_state State>
struct std::hash<lanefold::device_image<State>> {
  std::size_t operator()(const lanefold::device_image<State>& image) const noexcept {
    return std::hash<std::shared_ptr<lanefold::detail::bundle_contents>>()(image.m_of);
  }
};
