// SPDX-License-Identifier: Apache-2.0
/// Group algorithms of recorded scoped kernels, where the values of all items lie in private memory: outside of the
/// code of items, over the work-group. See scoped/group_algorithms.hpp.
#pragma once

#include <lanefold/recorded/group_algorithms.hpp>
#include <lanefold/recorded/memory_environment.hpp>
#include <lanefold/scoped/group_algorithms.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <class G>
concept RecordedScopedGroup = RecordedGroup<G> && is_scoped_group_v<G>;

/// The work-group as one of an ND-range. Throws errc::kernel where the code of items runs, and
/// errc::kernel_not_supported for tiles.
template <class Scope>
group<Scope::dimensions, recorded> converged_group(const s_group<Scope>& g, const char* function) {
  check_scope(g.frame(), Scope::depth, function);
  if constexpr (Scope::kind != scope_kind::work_group) {
    refuse_scoped_group_algorithm();
  }
  return group<Scope::dimensions, recorded>({&g.record(), g.frame().space});
}

} // namespace detail

template <algorithm A = algorithm::automatic, detail::RecordedScopedGroup G, detail::ValuesOf<G> Memory,
          class BinaryOperation>
auto reduce_over_group(const G& g, const Memory& values, BinaryOperation op) {
  return lanefold::reduce_over_group(detail::converged_group(g, "reduce_over_group"), values.own(), op);
}
template <algorithm A = algorithm::automatic, detail::RecordedScopedGroup G, detail::ValuesOf<G> Memory, class T,
          class BinaryOperation>
auto reduce_over_group(const G& g, const Memory& values, T init, BinaryOperation op) {
  return lanefold::reduce_over_group(detail::converged_group(g, "reduce_over_group"), values.own(), init, op);
}

template <algorithm A = algorithm::automatic, detail::RecordedScopedGroup G, detail::ValuesOf<G> Memory,
          class BinaryOperation>
void exclusive_scan_over_group(const G& g, Memory& values, BinaryOperation op) {
  const auto whole = detail::converged_group(g, "exclusive_scan_over_group");
  values.own() = lanefold::exclusive_scan_over_group(whole, values.own(), op);
}
template <algorithm A = algorithm::automatic, detail::RecordedScopedGroup G, detail::ValuesOf<G> Memory, class T,
          class BinaryOperation>
void exclusive_scan_over_group(const G& g, Memory& values, T init, BinaryOperation op) {
  const auto whole = detail::converged_group(g, "exclusive_scan_over_group");
  values.own() = lanefold::exclusive_scan_over_group(whole, values.own(), init, op);
}
template <algorithm A = algorithm::automatic, detail::RecordedScopedGroup G, detail::ValuesOf<G> Memory,
          class BinaryOperation>
void inclusive_scan_over_group(const G& g, Memory& values, BinaryOperation op) {
  const auto whole = detail::converged_group(g, "inclusive_scan_over_group");
  values.own() = lanefold::inclusive_scan_over_group(whole, values.own(), op);
}
template <algorithm A = algorithm::automatic, detail::RecordedScopedGroup G, detail::ValuesOf<G> Memory,
          class BinaryOperation, class T>
void inclusive_scan_over_group(const G& g, Memory& values, BinaryOperation op, T init) {
  const auto whole = detail::converged_group(g, "inclusive_scan_over_group");
  values.own() = lanefold::inclusive_scan_over_group(whole, values.own(), op, init);
}

#define LANEFOLD_RECORDED_VOTE(name)                                                                                   \
  template <detail::RecordedScopedGroup G, detail::ValuesOf<G> Memory, class Predicate>                                \
  auto name(const G& g, const Memory& values, Predicate predicate) {                                                   \
    return lanefold::name(detail::converged_group(g, #name), predicate(values.own().recorded()));                      \
  }
LANEFOLD_RECORDED_VOTE(any_of_group)
LANEFOLD_RECORDED_VOTE(all_of_group)
LANEFOLD_RECORDED_VOTE(none_of_group)
#undef LANEFOLD_RECORDED_VOTE

template <detail::RecordedScopedGroup G, detail::ValuesOf<G> Memory>
auto group_broadcast(const G& g, const Memory& values, typename G::linear_id_type local_linear_id) {
  if (local_linear_id >= values.size()) {
    detail::throw_no_such_work_item("group_broadcast", local_linear_id, values.size());
  }
  return lanefold::group_broadcast(detail::converged_group(g, "group_broadcast"), values.own(), local_linear_id);
}
template <detail::RecordedScopedGroup G, detail::ValuesOf<G> Memory>
auto group_broadcast(const G& g, const Memory& values) {
  return lanefold::group_broadcast(g, values, typename G::linear_id_type(0));
}

LANEFOLD_END_NAMESPACE
