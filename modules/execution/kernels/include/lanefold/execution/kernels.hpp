// SPDX-License-Identifier: Apache-2.0
/// Kernels over ranges and ND-ranges for handlers and queues: programs that include it can call parallel_for.
#pragma once

#include <lanefold/execution/detail/launch_maker.hpp>
#include <lanefold/execution/detail/nd_item_of_range.hpp>
#include <lanefold/execution/detail/reduction_launch.hpp>
#include <lanefold/execution/item.hpp>
#include <lanefold/execution/nd_item.hpp>
#include <lanefold/execution/nd_range.hpp>
#include <lanefold/execution/parallel_for.hpp>
#include <lanefold/execution/reduction.hpp>
#include <lanefold/execution/single_task.hpp>
#include <lanefold/execution/specialization.hpp>
#include <lanefold/memory/usm.hpp>
#include <lanefold/memory/view.hpp>

#include <cstddef>
#include <memory>
#include <tuple>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Makes launches of what stands behind the index space of parallel_for: launch properties, reductions, and at last the
/// kernel. `values()` are the values of specialization constants, asked for if the kernel takes a kernel_handler.
template <unsigned PlainSize>
struct launch_maker<index_space_kernels<PlainSize>> {
  template <class Values, class Space, class... Rest>
  static std::unique_ptr<launch> make(const launch_settings& settings, const Values& values, const Space& space,
                                      const Rest&... rest) {
    using kernel = std::tuple_element_t<sizeof...(Rest) - 1, std::tuple<Rest...>>;
    if constexpr (KernelObject<kernel>) {
      refuse_kernel_object("parallel_for");
    } else if constexpr (TakesNdItemOfRange<kernel, Space>) {
      return make(settings, values, divided_into_groups(space), rest...);
    } else if constexpr (SaysProperties<kernel> && requires { space.get_local_range(); }) {
      const auto all = std::tie(rest...);
      const auto own = std::get<sizeof...(Rest) - 1>(all).get(ext::oneapi::experimental::properties_tag());
      return make_split(settings, values, space, std::tuple_cat(std::tie(own), all),
                        std::make_index_sequence<sizeof...(Rest)>());
    } else if constexpr (sizeof...(Rest) == 1) { // most launches, which need no tuples
      return make_launch<PlainSize>(space, settings, properties<>(), give_handler(values, space, rest...));
    } else {
      return make_split(settings, values, space, std::tie(rest...), std::make_index_sequence<sizeof...(Rest) - 1>());
    }
  }
  /// The ids of the range begin at `offset`.
  template <class Values, int D, class... Rest>
  static std::unique_ptr<launch> make_with_offset(const launch_settings& settings, const Values& values,
                                                  const range<D>& extents, const id<D>& offset, const Rest&... rest) {
    return make_moved(settings, values, extents, offset, std::tie(rest...),
                      std::make_index_sequence<sizeof...(Rest) - 1>());
  }

private:
  template <class Values, class Space, class... Rest, std::size_t... I>
  static std::unique_ptr<launch> make_split(const launch_settings& settings, const Values& values, const Space& space,
                                            const std::tuple<const Rest&...>& rest, std::index_sequence<I...>) {
    using arguments = std::tuple<Rest...>;
    static_assert(
        ((LaunchArgument<std::tuple_element_t<I, arguments>> || Reduction<std::tuple_element_t<I, arguments>>) && ...),
        "between range and kernel, parallel_for takes launch properties and reductions only");
    const auto& kernel = std::get<sizeof...(I)>(rest);
    if constexpr ((Reduction<std::tuple_element_t<I, arguments>> || ...)) {
      return std::apply(
          [&](const auto&... reductions) {
            return make_launch_with<PlainSize>(space, settings,
                                               give_handler_behind_reducers(values, space, kernel, reductions...),
                                               std::get<I>(rest)...);
          },
          std::tuple_cat(reductions_in(std::get<I>(rest))...));
    } else {
      return make_launch_with<PlainSize>(space, settings, give_handler(values, space, kernel), std::get<I>(rest)...);
    }
  }

  template <class Values, int D, class... Rest, std::size_t... I>
  static std::unique_ptr<launch> make_moved(const launch_settings& settings, const Values& values,
                                            const range<D>& extents, const id<D>& offset,
                                            const std::tuple<const Rest&...>& rest, std::index_sequence<I...>) {
    const auto& kernel = std::get<sizeof...(I)>(rest);
    using moved = std::remove_cvref_t<decltype(give_handler(values, extents, kernel))>;
    return make_launch<PlainSize>(extents, settings, merge_properties(std::get<I>(rest)...),
                                  offset_kernel<D, moved>{give_handler(values, extents, kernel), offset});
  }

  template <class Values, int D, class Kernel>
  static decltype(auto) give_handler(const Values& values, const nd_range<D>&, const Kernel& kernel) {
    return give_handler_behind<nd_item<D>>(values, kernel);
  }
  /// Kernels with reductions take the kernel_handler behind their reducers.
  template <class Values, int D, class Kernel, class... Rs>
  static decltype(auto) give_handler_behind_reducers(const Values& values, const nd_range<D>&, const Kernel& kernel,
                                                     const Rs&...) {
    return give_handler_if<takes_handler_behind_reducers<Kernel, nd_item<D>, nd_item<D>, Rs...>::value>(values, kernel);
  }
  template <class Values, int D, class Kernel, class... Rs>
  static decltype(auto) give_handler_behind_reducers(const Values& values, const range<D>&, const Kernel& kernel,
                                                     const Rs&...) {
    return give_handler_if<std::disjunction_v<takes_handler_behind_reducers<Kernel, item<D>, item<D>, Rs...>,
                                              takes_handler_behind_reducers<Kernel, id<D>, item<D>, Rs...>>>(values,
                                                                                                             kernel);
  }

  template <class Values, int D, class Kernel>
  static decltype(auto) give_handler(const Values& values, const range<D>&, const Kernel& kernel) {
    return give_handler_behind<item<D>, id<D>>(values, kernel);
  }
};

} // namespace detail
LANEFOLD_END_NAMESPACE
