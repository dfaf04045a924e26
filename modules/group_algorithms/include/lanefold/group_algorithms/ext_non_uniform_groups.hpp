// SPDX-License-Identifier: Apache-2.0
/// Names by which work-item kernels make groups of parts of their sub-group: those of DPC++
/// (sycl_ext_oneapi_non_uniform_groups), for what chunked_partition.hpp and binary_partition.hpp have.
#pragma once

#include <lanefold/execution/sub_group.hpp>
#include <lanefold/execution/work_item_queries.hpp>
#include <lanefold/group_algorithms/binary_partition.hpp>
#include <lanefold/group_algorithms/chunked_partition.hpp>

#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::oneapi::experimental {

/// N consecutive work-items of a sub-group.
template <std::size_t N, class G = sub_group>
using fixed_size_group = sub_group_chunk<N, typename G::lanes>;
template <std::size_t N>
[[nodiscard]] fixed_size_group<N> get_fixed_size_group(const sub_group& g) {
  return lanefold::chunked_partition<N>(g);
}

/// The work-items of a sub-group for which a condition holds, or the others.
template <class G = sub_group>
using ballot_group = sub_group_fragment<typename G::lanes>;
[[nodiscard]] inline ballot_group<> get_ballot_group(const sub_group& g, bool condition) {
  return lanefold::binary_partition(g, condition);
}

/// The work-items of a sub-group that are in the same place: here all of them. Where some are elsewhere, the first
/// group function or barrier of the others is one that not all work-items reach (errc::kernel): to divide a sub-group,
/// call get_ballot_group before the work-items part.
template <class G = sub_group>
using tangle_group = G;
[[nodiscard]] inline tangle_group<> get_tangle_group(const sub_group& g) { return g; }

/// Some work-items that are in the same place, of which nothing more is known: here each by itself.
using opportunistic_group = sub_group_chunk<1, scalar>;
namespace this_kernel {
/// Errors: errc::invalid outside of kernels.
template <int Any = 0>
[[nodiscard]] opportunistic_group get_opportunistic_group() {
  return opportunistic_group(this_work_item::get_sub_group<Any>());
}
} // namespace this_kernel

template <class G>
struct is_user_constructed_group : std::false_type {};
template <std::size_t N, class Lanes>
struct is_user_constructed_group<sub_group_chunk<N, Lanes>> : std::true_type {};
template <class Lanes>
struct is_user_constructed_group<sub_group_fragment<Lanes>> : std::true_type {};
template <class G>
inline constexpr bool is_user_constructed_group_v = is_user_constructed_group<G>::value;

} // namespace ext::oneapi::experimental
LANEFOLD_END_NAMESPACE
