// SPDX-License-Identifier: Apache-2.0
/// Declares what oneAPI's compiler had before SYCL 2020 took it over by other names: namespaces `ONEAPI` and `intel`,
/// for programs that include <CL/sycl.hpp>.
#pragma once

#if __has_include(<lanefold/execution.hpp>)
#include <lanefold/execution.hpp>
#if __has_include(<lanefold/group_algorithms.hpp>)
#include <lanefold/group_algorithms.hpp>
#endif

#include <concepts>
#include <type_traits>

namespace sycl {
namespace ONEAPI {

using namespace lanefold::ext::oneapi;
using lanefold::atomic_fence;
using lanefold::atomic_ref;
using lanefold::bit_and;
using lanefold::bit_or;
using lanefold::bit_xor;
using lanefold::maximum;
using lanefold::memory_order;
using lanefold::memory_scope;
using lanefold::minimum;
using lanefold::multiplies;
using lanefold::plus;
using lanefold::reduction;
using lanefold::sub_group;

/// The properties of an accessor, which in oneAPI are part of its type, and here a property_list: those known at
/// compile time only, such as `INTEL::buffer_location`, mean nothing.
class accessor_property_list : public property_list {
public:
  template <class... Properties>
  explicit(false) accessor_property_list(const Properties&... given)
      : property_list(with<lanefold::property::no_init>(given...)) {}

private:
  template <class Meaning, class... Properties>
  static property_list with(const Properties&...) {
    if constexpr ((std::is_same_v<Meaning, Properties> || ...)) {
      return {Meaning()};
    } else {
      return {};
    }
  }
};

// Say order and scope of an atomic_accessor.
template <memory_order Order>
struct order_tag {};
template <memory_scope Scope>
struct scope_tag {};
inline constexpr order_tag<memory_order::relaxed> relaxed_order;
inline constexpr order_tag<memory_order::acq_rel> acq_rel_order;
inline constexpr order_tag<memory_order::seq_cst> seq_cst_order;
inline constexpr scope_tag<memory_scope::sub_group> sub_group_scope;
inline constexpr scope_tag<memory_scope::work_group> work_group_scope;
inline constexpr scope_tag<memory_scope::device> device_scope;
inline constexpr scope_tag<memory_scope::system> system_scope;

/// An accessor that reads and writes, of a buffer or of local memory (target::local), whose elements are atomic_ref.
/// One index for one dimension, or an id.
template <class T, int D, memory_order Order, memory_scope Scope, target Target = target::device>
class atomic_accessor : public accessor<T, D, access_mode::read_write, Target> {
  using base = accessor<T, D, access_mode::read_write, Target>;

public:
  using base::base;
  template <class A>
  atomic_accessor(buffer<T, D, A>& of, handler& command, order_tag<Order> /*order*/, scope_tag<Scope> /*scope*/)
      : base(of, command) {}

  template <class Index>
  auto operator[](const Index& index) const {
    constexpr auto space =
        Target == target::local ? access::address_space::local_space : access::address_space::global_space;
    return atomic_ref<T, Order, Scope, space>(base::operator[](index));
  }
};
template <class T, int D, class A, memory_order Order, memory_scope Scope>
atomic_accessor(buffer<T, D, A>&, handler&, order_tag<Order>, scope_tag<Scope>) -> atomic_accessor<T, D, Order, Scope>;

/// oneAPI's name of khr::this_sub_group.
template <int Any = 0>
sub_group this_sub_group() {
  return khr::this_sub_group<Any>();
}

#if __has_include(<lanefold/group_algorithms.hpp>)

/// A pointer or multi_ptr, which tells algorithms over ranges from those over one value of each work-item.
template <class T>
concept PointerToRange = requires(T& p) {
  *p;
  p + 1;
};
template <class T>
concept Group = lanefold::is_group_v<T>;

// The group functions of SYCL 2020 (group_algorithms/*.hpp) by their older names and with their older orders of
// arguments: all work-items of the group call them, as these.

template <Group G>
bool leader(const G& g) {
  return g.leader();
}
template <Group G>
bool any_of(const G& g, bool x) {
  return any_of_group(g, x);
}
template <Group G>
bool all_of(const G& g, bool x) {
  return all_of_group(g, x);
}
template <Group G>
bool none_of(const G& g, bool x) {
  return none_of_group(g, x);
}
template <Group G, class T, class Predicate>
bool any_of(const G& g, const T& x, const Predicate& holds) {
  return any_of_group(g, x, holds);
}
template <Group G, class T, class Predicate>
bool all_of(const G& g, const T& x, const Predicate& holds) {
  return all_of_group(g, x, holds);
}
template <Group G, class T, class Predicate>
bool none_of(const G& g, const T& x, const Predicate& holds) {
  return none_of_group(g, x, holds);
}
template <Group G, PointerToRange Pointer, class Predicate>
bool any_of(const G& g, Pointer first, std::type_identity_t<Pointer> last, const Predicate& holds) {
  return joint_any_of(g, first, last, holds);
}
template <Group G, PointerToRange Pointer, class Predicate>
bool all_of(const G& g, Pointer first, std::type_identity_t<Pointer> last, const Predicate& holds) {
  return joint_all_of(g, first, last, holds);
}
template <Group G, PointerToRange Pointer, class Predicate>
bool none_of(const G& g, Pointer first, std::type_identity_t<Pointer> last, const Predicate& holds) {
  return joint_none_of(g, first, last, holds);
}

template <Group G, class T>
T broadcast(const G& g, const T& x) {
  return group_broadcast(g, x);
}
template <Group G, class T>
T broadcast(const G& g, const T& x, typename G::id_type from) {
  return group_broadcast(g, x, from);
}
template <Group G, class T, std::integral Index>
T broadcast(const G& g, const T& x, Index from) {
  return group_broadcast(g, x, static_cast<typename G::linear_id_type>(from));
}

template <Group G, class T, class Op>
T reduce(const G& g, const T& x, const Op& op) {
  return reduce_over_group(g, x, op);
}
template <Group G, class V, class T, class Op>
  requires(!PointerToRange<V>)
T reduce(const G& g, const V& x, const T& init, const Op& op) {
  return reduce_over_group(g, x, init, op);
}
template <Group G, PointerToRange Pointer, class Op>
auto reduce(const G& g, Pointer first, std::type_identity_t<Pointer> last, const Op& op) {
  return joint_reduce(g, first, last, op);
}
template <Group G, PointerToRange Pointer, class T, class Op>
T reduce(const G& g, Pointer first, std::type_identity_t<Pointer> last, const T& init, const Op& op) {
  return joint_reduce(g, first, last, init, op);
}

template <Group G, class T, class Op>
T exclusive_scan(const G& g, const T& x, const Op& op) {
  return exclusive_scan_over_group(g, x, op);
}
template <Group G, class V, class T, class Op>
T exclusive_scan(const G& g, const V& x, const T& init, const Op& op) {
  return exclusive_scan_over_group(g, x, init, op);
}
template <Group G, PointerToRange From, PointerToRange To, class Op>
To exclusive_scan(const G& g, From first, std::type_identity_t<From> last, To result, const Op& op) {
  return joint_exclusive_scan(g, first, last, result, op);
}
template <Group G, PointerToRange From, PointerToRange To, class T, class Op>
To exclusive_scan(const G& g, From first, std::type_identity_t<From> last, To result, const T& init, const Op& op) {
  return joint_exclusive_scan(g, first, last, result, init, op);
}
template <Group G, class T, class Op>
T inclusive_scan(const G& g, const T& x, const Op& op) {
  return inclusive_scan_over_group(g, x, op);
}
template <Group G, class V, class Op, class T>
T inclusive_scan(const G& g, const V& x, const Op& op, const T& init) {
  return inclusive_scan_over_group(g, x, op, init);
}
template <Group G, PointerToRange From, PointerToRange To, class Op>
To inclusive_scan(const G& g, From first, std::type_identity_t<From> last, To result, const Op& op) {
  return joint_inclusive_scan(g, first, last, result, op);
}
template <Group G, PointerToRange From, PointerToRange To, class Op, class T>
To inclusive_scan(const G& g, From first, std::type_identity_t<From> last, To result, const Op& op, const T& init) {
  return joint_inclusive_scan(g, first, last, result, op, init);
}

#endif

} // namespace ONEAPI

namespace INTEL {
/// A property for accessor_property_list: where the elements lie on an FPGA.
template <int Location>
struct buffer_location_property {};
template <int Location>
inline constexpr buffer_location_property<Location> buffer_location;
} // namespace INTEL

/// oneAPI's names of khr::this_nd_item and khr::this_group.
template <int Dimensions>
nd_item<Dimensions> this_nd_item() {
  return khr::this_nd_item<Dimensions>();
}
template <int Dimensions>
group<Dimensions> this_group() {
  return khr::this_group<Dimensions>();
}

/// The name of ONEAPI and INTEL before that. It is ext::intel, so that programs that name that `intel`, too, mean one.
namespace intel = ext::intel;

} // namespace sycl

LANEFOLD_BEGIN_NAMESPACE
namespace ext::intel {
using namespace sycl::ONEAPI;
using namespace sycl::INTEL;
} // namespace ext::intel
/// In between the names were here.
namespace ext::oneapi {
using namespace sycl::ONEAPI;
} // namespace ext::oneapi
LANEFOLD_END_NAMESPACE

#endif
