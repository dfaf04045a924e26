// SPDX-License-Identifier: Apache-2.0
/// Declares names of oneAPI's compiler that mean little on a CPU, and those by which it had things before SYCL 2020
/// took them over.
#pragma once

#if __has_include(<lanefold/execution.hpp>)
#include <lanefold/execution.hpp>
#if __has_include(<lanefold/group_algorithms.hpp>)
#include <lanefold/group_algorithms.hpp>
#endif

#include <concepts>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
#if __has_include(<lanefold/group_algorithms.hpp>)
namespace detail {
/// A pointer or multi_ptr, which tells algorithms over ranges from those over one value of each work-item.
template <class T>
concept PointerToRange = requires(T& p) {
  *p;
  p + 1;
};
} // namespace detail
#endif

namespace ext::oneapi {

using khr::this_sub_group;
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

/// The properties of an accessor (sycl_ext_oneapi_accessor_properties), which are part of its type there, and here a
/// property_list: those known at compile time only, such as `no_alias` and `buffer_location`, mean nothing.
template <class... Properties>
class accessor_property_list : public property_list {
public:
  explicit(false) accessor_property_list(const Properties&...) : property_list(with<lanefold::property::no_init>()) {}

private:
  template <class Meaning>
  static property_list with() {
    if constexpr ((std::is_same_v<Meaning, Properties> || ...)) {
      return {Meaning()};
    } else {
      return {};
    }
  }
};

namespace property {
/// Says that no other accessor of the kernel reaches the elements.
struct no_alias {
  template <bool Value = true>
  struct instance {};
};
/// Says that the accessor begins at the first element of its buffer.
struct no_offset {
  template <bool Value = true>
  struct instance {};
};
} // namespace property
inline constexpr property::no_alias::instance<> no_alias;
inline constexpr property::no_offset::instance<> no_offset;

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

#if __has_include(<lanefold/group_algorithms.hpp>)

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
template <Group G, lanefold::detail::PointerToRange Pointer, class Predicate>
bool any_of(const G& g, Pointer first, std::type_identity_t<Pointer> last, const Predicate& holds) {
  return joint_any_of(g, first, last, holds);
}
template <Group G, lanefold::detail::PointerToRange Pointer, class Predicate>
bool all_of(const G& g, Pointer first, std::type_identity_t<Pointer> last, const Predicate& holds) {
  return joint_all_of(g, first, last, holds);
}
template <Group G, lanefold::detail::PointerToRange Pointer, class Predicate>
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
  requires(!lanefold::detail::PointerToRange<V>)
T reduce(const G& g, const V& x, const T& init, const Op& op) {
  return reduce_over_group(g, x, init, op);
}
template <Group G, lanefold::detail::PointerToRange Pointer, class Op>
auto reduce(const G& g, Pointer first, std::type_identity_t<Pointer> last, const Op& op) {
  return joint_reduce(g, first, last, op);
}
template <Group G, lanefold::detail::PointerToRange Pointer, class T, class Op>
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
template <Group G, lanefold::detail::PointerToRange From, lanefold::detail::PointerToRange To, class Op>
To exclusive_scan(const G& g, From first, std::type_identity_t<From> last, To result, const Op& op) {
  return joint_exclusive_scan(g, first, last, result, op);
}
template <Group G, lanefold::detail::PointerToRange From, lanefold::detail::PointerToRange To, class T, class Op>
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
template <Group G, lanefold::detail::PointerToRange From, lanefold::detail::PointerToRange To, class Op>
To inclusive_scan(const G& g, From first, std::type_identity_t<From> last, To result, const Op& op) {
  return joint_inclusive_scan(g, first, last, result, op);
}
template <Group G, lanefold::detail::PointerToRange From, lanefold::detail::PointerToRange To, class Op, class T>
To inclusive_scan(const G& g, From first, std::type_identity_t<From> last, To result, const Op& op, const T& init) {
  return joint_inclusive_scan(g, first, last, result, op, init);
}

#endif

/// sycl_ext_oneapi_native_math.
namespace experimental::native {
using lanefold::exp2;
using lanefold::tanh;
} // namespace experimental::native

} // namespace ext::oneapi

namespace ext::intel {

/// A property of accessors: where the elements lie on an FPGA.
namespace property {
struct buffer_location {
  template <int Location>
  struct instance {};
};
} // namespace property
template <int Location>
inline constexpr property::buffer_location::instance<Location> buffer_location;

} // namespace ext::intel
LANEFOLD_END_NAMESPACE

#endif
