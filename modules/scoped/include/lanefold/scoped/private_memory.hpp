// SPDX-License-Identifier: Apache-2.0
/// Private memory of hierarchical kernels.
#pragma once

#include <lanefold/memory/detail/captured_memory.hpp>
#include <lanefold/scoped/work_group.hpp>

#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

[[noreturn]] LANEFOLD_COLD void throw_no_work_group_size();

} // namespace detail

/// One T for each physical work-item of a hierarchical kernel's group that lives from one parallel_for_work_item to the
/// next [sycl.4.9.5.1]: made in work-group scope, `private_memory<float> x(group);`, asked for the T of an item,
/// `x(it)`: a T& for one item, what `v[i]` is for the items of a lane-generic callable (a varying that can be assigned
/// to; T is then arithmetic). Logical items with the same physical item share it. Uninitialised (checked builds: 0xA5).
/// Not copyable: capture it by reference.
/// Errors: errc::invalid where the launch gave no work-group size, errc::memory_allocation beyond 4 MiB in one group,
/// errc::kernel when made inside of parallel_for_work_item.
template <class T, int D = 1>
class private_memory {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T> && !std::is_array_v<T>,
                "lanefold: what lies in private memory is trivially copyable and no array");

public:
  using value_type = T;

  explicit private_memory(const group<D>& g) : m_items(g.get_local_linear_range()) {
    detail::work_group_state& state = detail::state_of(g);
    detail::check_scope(state.frame, 0, "private_memory");
    if (!state.sized) {
      detail::throw_no_work_group_size();
    }
    m_memory = &state.frame.arena->priv;
    m_used_before = m_memory->used();
    m_data = reinterpret_cast<T*>(m_memory->take(m_items * sizeof(T)));
    detail::make_only_pointer(m_data);
  }
  private_memory(const private_memory&) = delete;
  private_memory& operator=(const private_memory&) = delete;
  ~private_memory() { m_memory->release(m_used_before); }

  /// The T of the item's physical work-item.
  template <class Lanes>
  LANEFOLD_ALWAYS_INLINE decltype(auto) operator()(const h_item<D, Lanes>& it) {
    static_assert(std::is_same_v<Lanes, scalar> || Element<T>,
                  "lanefold: with lanes, what lies in private memory is an arithmetic type other than bool");
    return detail::element(m_data, it.physical_position());
  }

  /// The Ts of all physical work-items, in their linear order. Uniform.
  [[nodiscard]] T* begin() const { return m_data; }
  [[nodiscard]] T* end() const { return m_data + m_items; }
  [[nodiscard]] std::size_t size() const { return m_items; }

private:
  std::size_t m_items;
  detail::memory_stack* m_memory;
  std::size_t m_used_before;
  T* m_data;
};

LANEFOLD_END_NAMESPACE
