// SPDX-License-Identifier: Apache-2.0
/// Launching scoped kernels: `queue::parallel` and `handler::parallel`.
#pragma once

#include <lanefold/execution/detail/registered_kernel.hpp>
#include <lanefold/scoped/detail/item_loop.hpp>
#include <lanefold/scoped/detail/scoped_launch.hpp>
#include <lanefold/scoped/distribute.hpp>
#include <lanefold/scoped/memory_environment.hpp>
#include <lanefold/scoped/s_group.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Work-groups of `Size` of a scoped kernel.
template <class Size, class Strategy>
class scoped_groups {
public:
  static constexpr int dimensions = Size::dimensions;
  static constexpr const char* name = "scoped";
  static constexpr const char* item = "item with global linear id ";
  using group_type = s_group<scope<Size, Strategy, 0, scope_kind::work_group>>;

  scoped_groups(const range<dimensions>& groups, const Size& size) : m_groups(groups), m_size(size) {}

  static constexpr bool one_by_one = false;

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE const range<dimensions>& groups() const { return m_groups; }
  [[nodiscard]] std::string describe_group() const { return describe_id(range<dimensions>(m_size)); }

  template <class Kernel>
  LANEFOLD_ALWAYS_INLINE void call(Kernel& kernel, const id<dimensions>& group, scope_frame& frame) const {
    id<dimensions> first;
    range<dimensions> global;
    for (int d = 0; d < dimensions; ++d) {
      first[d] = group[d] * m_size[d];
      global[d] = m_groups[d] * m_size[d];
    }
    call_whole(kernel, group_type(group, m_groups, first, m_size, global, frame));
  }

private:
  range<dimensions> m_groups;
  [[no_unique_address]] Size m_size;
};

/// See launch_maker.
template <unsigned PlainSize>
struct launch_maker<scoped_kernels<PlainSize>> {
  template <class Values, int D, class Size, class... Rest>
  static std::unique_ptr<launch> make(const launch_settings& settings, const Values&, const range<D>& groups,
                                      const Size& size, Rest&&... rest) {
    static_assert(Extents<Size, D>, "lanefold: parallel takes the number of groups, a group size of as many dimensions "
                                    "(a range or a static_range), launch properties and a kernel");
    check_nd_range(nd_range_of_groups(groups, range<D>(size)));
    return with_properties(
        [&]<class Properties, class Kernel>(const Properties& how, const Kernel& kernel) -> std::unique_ptr<launch> {
          using found = strategies_of<Properties>;
          using size_type = typename promised_size<Size, typename found::size>::type;
          using model = scoped_groups<size_type, strategy_asked_for<Properties, PlainSize>>;
          static_assert(std::is_invocable_v<Kernel&, typename model::group_type>,
                        "lanefold: a scoped kernel takes one group, by value: [=](auto group)");
          std::apply(
              [&](const auto&... each) {
                (check_work_group_size(nd_range_of_groups(groups, range<D>(size)), each), ...);
              },
              how.values());
          const walk_order order = how.get_or(property::walk(walk_order::automatic)).order;
          return new_launch<group_launch<model, Kernel>>(model(groups, made_size<size_type>(size)), order, settings,
                                                         kernel);
        },
        rest...);
  }
};

} // namespace detail
LANEFOLD_END_NAMESPACE
