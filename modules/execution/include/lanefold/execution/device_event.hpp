// SPDX-License-Identifier: Apache-2.0
/// device_event, and the copies of a work-group that give one.
#pragma once

#include <lanefold/version.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

/// What `async_work_group_copy` returns: the copy has happened when the call of the group's first unit returns, and the
/// other units run later, so there is nothing to wait for. Trivially copyable.
// [sycl.4.9.1.7]
class device_event {
public:
  void wait() const noexcept {}
};

namespace detail {

/// A multi_ptr.
template <class P>
concept GroupCopyPointer = requires(const P& p) {
  P::address_space;
  *p.get();
};

/// Copies `count` elements; the stride, in elements, is that of the side in global memory.
template <class To, class From>
void copy_strided(const To& to, const From& from, std::size_t count, std::size_t stride) {
  constexpr bool from_global = From::address_space < To::address_space; // global_space comes before local_space
  auto* const out = to.get();
  const auto* const in = from.get();
  for (std::size_t i = 0; i < count; ++i) {
    out[from_global ? i : i * stride] = in[from_global ? i * stride : i];
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
