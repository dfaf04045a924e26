// SPDX-License-Identifier: Apache-2.0
/// The group sizes that a launch, or every launch of a named kernel, asks for.
#pragma once

#include <lanefold/execution/property.hpp>
#include <lanefold/range.hpp>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

namespace property {

/// Launch property: work-items in a sub-group of a work-item kernel, 1 to 256; by default the lanes of a float,
/// in plain SYCL programs 32 or what LANEFOLD_SUB_GROUP_SIZE says.
struct sub_group_size : detail::launch_property {
  unsigned value;
  constexpr explicit sub_group_size(unsigned work_items) noexcept : value(work_items) {}
};

/// Launch property: the work-group size, known at compile time. It must be the local range of the launch. The default
/// strategy then gets the lane shape that fits it.
template <std::size_t... Extents>
struct work_group_size : detail::launch_property {
  static constexpr range<sizeof...(Extents)> value{Extents...};
};

} // namespace property

/// The names of sycl_ext_oneapi_kernel_properties: `parallel_for(nd_range, properties{sub_group_size<32>}, kernel)`,
/// and `auto get(properties_tag) const { return properties{sub_group_size<32>}; }` as a member of a kernel.
namespace ext::oneapi::experimental {

struct properties_tag {};
using lanefold::properties;
using empty_properties_t = properties<>;
/// Is true for launch properties, and for lists of them (sycl_ext_oneapi_properties).
template <class T>
struct is_property_value : std::bool_constant<LaunchProperty<std::remove_cv_t<T>>> {};
template <class T>
inline constexpr bool is_property_value_v = is_property_value<T>::value;
template <class T>
struct is_property_list : std::bool_constant<lanefold::detail::is_properties<std::remove_cv_t<T>>> {};
template <class T>
inline constexpr bool is_property_list_v = is_property_list<T>::value;
/// Says that a device_global is one for each image of a device's code: here there is one for the process.
struct device_image_scope_key : lanefold::detail::launch_property {
  using value_t = device_image_scope_key;
};
inline constexpr device_image_scope_key device_image_scope;
template <unsigned WorkItems>
inline constexpr lanefold::property::sub_group_size sub_group_size{WorkItems};
template <std::size_t... Extents>
inline constexpr lanefold::property::work_group_size<Extents...> work_group_size{};

} // namespace ext::oneapi::experimental

namespace detail {

/// A kernel that says itself which group sizes it needs.
template <class Kernel>
concept SaysProperties = requires(const Kernel& k) { k.get(ext::oneapi::experimental::properties_tag()); };

inline constexpr unsigned largest_sub_group = 256;

/// Holds what a kernel asks for, 0 for what it does not care about. A group of less than three dimensions has 1 in the
/// first; of more, their product.
struct group_sizes {
  range<3> work_group{0, 0, 0};
  unsigned sub_group = 0;
};

inline void add_size(group_sizes& to, const property::sub_group_size& size) { to.sub_group = size.value; }
template <std::size_t... Extents>
void add_size(group_sizes& to, const property::work_group_size<Extents...>& size) {
  to.work_group = {1, 1, 1};
  constexpr int D = sizeof...(Extents);
  for (int d = 0; d < D; ++d) {
    to.work_group[std::max(3 - D + d, 0)] *= size.value[d];
  }
}
template <LaunchProperty Other>
void add_size(group_sizes&, const Other&) {}

template <class... Ps>
group_sizes sizes_asked_for(const properties<Ps...>& how) {
  group_sizes sizes;
  std::apply([&](const auto&... each) { (add_size(sizes, each), ...); }, how.values());
  return sizes;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
