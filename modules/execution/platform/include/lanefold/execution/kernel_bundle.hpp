// SPDX-License-Identifier: Apache-2.0
/// Kernel bundles: what programs ask about their kernels, and specialization constants of several commands.
#pragma once

#include <lanefold/execution/context.hpp>
#include <lanefold/execution/detail/shared_part.hpp>
#include <lanefold/execution/device.hpp>
#include <lanefold/execution/info.hpp>
#include <lanefold/execution/kernel_id.hpp>
#include <lanefold/execution/property.hpp>
#include <lanefold/execution/specialization.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE

/// Says how far the kernels of a bundle are built. Kernels are compiled with the program: the states differ in what a
/// bundle allows, not in code, and the CPU has every kernel in all of them. [sycl.4.11.3]
enum class bundle_state { input, object, executable };

class kernel;
template <bundle_state State>
class kernel_bundle;
template <bundle_state State>
class device_image;

namespace detail {

struct image_contents;
struct bundle_contents;
using bundle_ptr = shared_part<bundle_contents>;

/// All kernels that at least one of the devices runs. Throws errc::invalid if `devices` is empty or not of the context,
/// or if one of them does not take kernels in that state.
bundle_ptr make_bundle(bundle_state state, const context& where, const std::vector<device>& devices);
/// Throws errc::invalid also for a kernel that none of the devices runs.
bundle_ptr make_bundle(bundle_state state, const context& where, const std::vector<device>& devices,
                       const std::vector<kernel_id>& kernels);
/// Return whether make_bundle would not throw because of the kernels and their state, and give a kernel if it is not
/// told which. They throw because of the devices.
bool has_bundle(bundle_state state, const context& where, const std::vector<device>& devices);
bool has_bundle(bundle_state state, const context& where, const std::vector<device>& devices,
                const std::vector<kernel_id>& kernels);
/// A copy for some of its devices, whose values are its own. Throws errc::invalid if there is none, or for another one.
bundle_ptr copy_bundle(const bundle_contents& from, const std::vector<device>& devices);
/// A bundle without kernels for devices of the context. Throws errc::invalid if `devices` is empty or not of the
/// context.
bundle_ptr make_empty_bundle(bundle_state state, const context& where, const std::vector<device>& devices);
kernel kernel_of(const bundle_ptr& bundle, const kernel_id& id);

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
  template <detail::query_in<detail::kernel_device_query> Query, unsigned PlainSize = detail::plain_sub_group_size>
  LANEFOLD_ALWAYS_INLINE typename Query::return_type get_info(const device& on) const {
    if constexpr (std::is_same_v<Query, info::kernel_device_specific::max_sub_group_size>) {
      // The kernel gets this, which depends on what it is compiled for; a launch property may ask for up to 256.
      const std::uint32_t asked = answer<info::kernel_device_specific::compile_sub_group_size>(on);
      return asked != 0 ? asked
                        : static_cast<std::uint32_t>(on.get_info<info::device::sub_group_sizes, PlainSize>().back());
    } else {
      return answer<Query>(on);
    }
  }

  /// How many groups of that range run at the same time: one on each compute unit, whatever local memory they have.
  template <std::same_as<ext::oneapi::experimental::info::kernel_queue_specific::max_num_work_groups> Query,
            class Queue, int D>
  std::size_t ext_oneapi_get_info(const Queue& in, const range<D>& /* of a group */, std::size_t /* bytes */) const {
    return in.get_device().template get_info<info::device::max_compute_units>();
  }
  /// get_info, by its name in SYCL 1.2.1.
  template <detail::query_in<detail::kernel_device_query> Query, unsigned PlainSize = detail::plain_sub_group_size>
  typename Query::return_type get_work_group_info(const device& on) const {
    return get_info<Query, PlainSize>(on);
  }
  /// get_info, by its name in oneAPI's older extension of sub-groups.
  template <detail::query_in<detail::kernel_device_query> Query, unsigned PlainSize = detail::plain_sub_group_size>
  typename Query::return_type get_sub_group_info(const device& on) const {
    return get_info<Query, PlainSize>(on);
  }
  /// The size of the sub-groups that a launch with this local range has, by which it does not change.
  template <std::same_as<info::kernel_device_specific::max_sub_group_size> Query, int D,
            unsigned PlainSize = detail::plain_sub_group_size>
  std::uint32_t get_info(const device& on, const range<D>& /*local*/) const {
    return get_info<Query, PlainSize>(on);
  }
  template <std::same_as<info::kernel_device_specific::max_sub_group_size> Query, int D,
            unsigned PlainSize = detail::plain_sub_group_size>
  std::uint32_t get_sub_group_info(const device& on, const range<D>& local) const {
    return get_info<Query, D, PlainSize>(on, local);
  }

  friend bool operator==(const kernel&, const kernel&) noexcept = default;

  /// Only the library calls this.
  kernel(detail::bundle_ptr bundle, kernel_id id) noexcept;

private:
  friend struct std::hash<kernel>;

  // Without a constraint: compilers do not agree on the names of functions that have one.
  template <class Query>
  typename Query::return_type answer() const;
  template <class Query>
  typename Query::return_type answer(const device& on) const;

  detail::bundle_ptr m_bundle;
  kernel_id m_id;
};

/// The kernels that get_kernel_bundle has given are one image; a bundle that joins others has theirs. A cheap handle.
// [sycl.4.11.12]
template <bundle_state State>
class device_image {
public:
  [[nodiscard]] bool has_kernel(const kernel_id& id) const noexcept;
  [[nodiscard]] bool has_kernel(const kernel_id& id, const device& on) const noexcept;

  friend bool operator==(const device_image&, const device_image&) noexcept = default;

  /// Only the library calls this.
  explicit device_image(detail::shared_part<const detail::image_contents> of) noexcept : m_of(std::move(of)) {}

private:
  friend struct detail::weak_access;
  friend struct std::hash<device_image>;

  detail::shared_part<const detail::image_contents> m_of;
};

namespace detail {

/// The part of kernel_bundle that is the same for all states.
class bundle_handle {
public:
  [[nodiscard]] bool empty() const noexcept;
  [[nodiscard]] backend get_backend() const noexcept;
  [[nodiscard]] context get_context() const;
  [[nodiscard]] std::vector<device> get_devices() const;
  [[nodiscard]] bool has_kernel(const kernel_id& id) const noexcept;
  [[nodiscard]] bool has_kernel(const kernel_id& id, const device& on) const noexcept;
  template <class Name>
  [[nodiscard]] bool has_kernel() const {
    return has_kernel(get_kernel_id<Name>());
  }
  template <class Name>
  [[nodiscard]] bool has_kernel(const device& on) const {
    return has_kernel(get_kernel_id<Name>(), on);
  }
  [[nodiscard]] std::vector<kernel_id> get_kernel_ids() const;

  /// Returns whether the bundle has kernels, and some kernel of the program reads a specialization constant (which
  /// kernel does is not known).
  [[nodiscard]] bool contains_specialization_constants() const noexcept;
  /// Constants are values that kernels read, not code that is compiled for them.
  [[nodiscard]] static constexpr bool native_specialization_constant() noexcept { return false; }
  /// Returns whether the bundle has kernels, and some kernel of the program reads the constant from its kernel_handler
  /// (which kernel does is not known).
  template <auto& Id>
  [[nodiscard]] bool has_specialization_constant() const noexcept {
    return !empty() && is_read_by_kernels(constant_key_of<Id>::get());
  }
  template <auto& Id>
  [[nodiscard]] specialization_value<Id> get_specialization_constant() const {
    return get_value<Id>(values());
  }

  /// Only the library calls this.
  [[nodiscard]] const bundle_ptr& contents() const noexcept { return m_contents; }

protected:
  explicit bundle_handle(bundle_ptr contents) noexcept;
  [[nodiscard]] const specialization_values& values() const noexcept;
  /// Returns them to be set.
  [[nodiscard]] specialization_values& set_values() noexcept;

  bundle_ptr m_contents;
};

} // namespace detail

/// A set of kernels for devices of a context [sycl.4.11]: a cheap handle, copies stand for the same bundle.
template <bundle_state State>
class kernel_bundle : public detail::bundle_handle {
public:
  kernel_bundle() = delete;

  /// errc::invalid if the bundle does not have it.
  [[nodiscard]] kernel get_kernel(const kernel_id& id) const
    requires(State == bundle_state::executable)
  {
    return detail::kernel_of(contents(), id);
  }
  template <class Name>
    requires(State == bundle_state::executable)
  [[nodiscard]] kernel get_kernel() const {
    return get_kernel(get_kernel_id<Name>());
  }

  /// Sets the value for the kernels of all commands that use the bundle that is built from this one.
  template <auto& Id>
    requires(State == bundle_state::input)
  void set_specialization_constant(const detail::specialization_value<Id>& value) {
    detail::set_value<Id>(set_values(), value);
  }

  using device_image_iterator = const device_image<State>*;
  /// Valid as long as there are handles.
  [[nodiscard]] device_image_iterator begin() const noexcept;
  [[nodiscard]] device_image_iterator end() const noexcept;

  friend bool operator==(const kernel_bundle& a, const kernel_bundle& b) noexcept {
    return a.contents() == b.contents();
  }

  /// Only the library calls this.
  explicit kernel_bundle(detail::bundle_ptr contents);

private:
  friend struct detail::weak_access;

  detail::shared_part<const std::vector<device_image<State>>> m_images;
};

// ---- making bundles [sycl.4.11.7] [sycl.4.11.8]. Errors, errc::invalid: no device, or one that is not of the context,
// or that lacks aspect::online_compiler (for input) or aspect::online_linker (for objects); a kernel that none of the
// devices runs.

template <bundle_state State>
[[nodiscard]] kernel_bundle<State> get_kernel_bundle(const context& where, const std::vector<device>& devices,
                                                     const std::vector<kernel_id>& kernels) {
  return kernel_bundle<State>(detail::make_bundle(State, where, devices, kernels));
}
template <bundle_state State>
[[nodiscard]] kernel_bundle<State> get_kernel_bundle(const context& where, const std::vector<kernel_id>& kernels) {
  return get_kernel_bundle<State>(where, where.get_devices(), kernels);
}
template <bundle_state State>
[[nodiscard]] kernel_bundle<State> get_kernel_bundle(const context& where, const std::vector<device>& devices) {
  return kernel_bundle<State>(detail::make_bundle(State, where, devices));
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
  return kernel_bundle<State>(detail::make_empty_bundle(State, where, devices));
}
template <bundle_state State, detail::ImageSelector<State> Selector>
[[nodiscard]] kernel_bundle<State> get_kernel_bundle(const context& where, Selector selector) {
  return get_kernel_bundle<State>(where, where.get_devices(), selector);
}

// Return whether get_kernel_bundle gives these kernels, or at least one if they are not told. Errors, errc::invalid: no
// device, or one that is not of the context.

template <bundle_state State>
[[nodiscard]] bool has_kernel_bundle(const context& where, const std::vector<device>& devices,
                                     const std::vector<kernel_id>& kernels) {
  return detail::has_bundle(State, where, devices, kernels);
}
template <bundle_state State>
[[nodiscard]] bool has_kernel_bundle(const context& where, const std::vector<kernel_id>& kernels) {
  return has_kernel_bundle<State>(where, where.get_devices(), kernels);
}
template <bundle_state State>
[[nodiscard]] bool has_kernel_bundle(const context& where, const std::vector<device>& devices) {
  return detail::has_bundle(State, where, devices);
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

// ---- building [sycl.4.11.11]. The result has the values of constants that its source has now, and is for `devices`,
// by default those of its source. Errors, errc::invalid: no device, or one that the source is not for. There are no
// properties of these functions.

[[nodiscard]] kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input>& from,
                                                          const std::vector<device>& devices,
                                                          const property_list& properties = {});
[[nodiscard]] kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input>& from,
                                                          const property_list& properties = {});
[[nodiscard]] kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input>& from,
                                                            const std::vector<device>& devices,
                                                            const property_list& properties = {});
[[nodiscard]] kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input>& from,
                                                            const property_list& properties = {});

/// One bundle of the images of several, which are of one context, for the devices that all of them have; an empty
/// bundle of none. Errors: errc::invalid for different contexts.
template <bundle_state State>
[[nodiscard]] kernel_bundle<State> join(const std::vector<kernel_bundle<State>>& bundles);

/// Errors: those of join, too.
[[nodiscard]] kernel_bundle<bundle_state::executable> link(const std::vector<kernel_bundle<bundle_state::object>>& from,
                                                           const std::vector<device>& devices,
                                                           const property_list& properties = {});
[[nodiscard]] kernel_bundle<bundle_state::executable> link(const std::vector<kernel_bundle<bundle_state::object>>& from,
                                                           const property_list& properties = {});
[[nodiscard]] kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object>& from,
                                                           const std::vector<device>& devices,
                                                           const property_list& properties = {});
[[nodiscard]] kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object>& from,
                                                           const property_list& properties = {});

LANEFOLD_END_NAMESPACE

template <>
struct std::hash<lanefold::kernel> {
  std::size_t operator()(const lanefold::kernel& k) const noexcept { return std::hash<lanefold::kernel_id>()(k.m_id); }
};
template <lanefold::bundle_state State>
struct std::hash<lanefold::kernel_bundle<State>> {
  std::size_t operator()(const lanefold::kernel_bundle<State>& b) const noexcept {
    return std::hash<const void*>()(b.contents().get());
  }
};
template <lanefold::bundle_state State>
struct std::hash<lanefold::device_image<State>> {
  std::size_t operator()(const lanefold::device_image<State>& image) const noexcept {
    return std::hash<const void*>()(image.m_of.get());
  }
};
