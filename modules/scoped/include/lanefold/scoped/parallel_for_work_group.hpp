// SPDX-License-Identifier: Apache-2.0
/// Launching hierarchical kernels: `handler::parallel_for_work_group`.
#pragma once

#include <lanefold/execution/detail/registered_kernel.hpp>
#include <lanefold/execution/specialization.hpp>
#include <lanefold/scoped/detail/item_loop.hpp>
#include <lanefold/scoped/detail/scoped_launch.hpp>
#include <lanefold/scoped/private_memory.hpp>
#include <lanefold/scoped/work_group.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Work-groups of a hierarchical kernel that is called with `Group`. `Sized`: the launch gave a work-group size.
template <class Group, bool Sized>
class hierarchical_groups {
public:
  static constexpr int dimensions = Group::dimensions;
  static constexpr const char* name = "hierarchical";
  static constexpr const char* item = "work-item with local linear id ";
  using group_type = Group;

  explicit hierarchical_groups(const nd_range<dimensions>& space) : m_space(space) {}

  static constexpr bool one_by_one = std::is_same_v<typename Group::strategy, automatic_strategy<true>>;

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE range<dimensions> groups() const { return m_space.get_group_range(); }
  [[nodiscard]] std::string describe_group() const {
    return Sized ? describe_id(m_space.get_local_range()) : "as many items as are asked for";
  }

  template <class Kernel>
  LANEFOLD_ALWAYS_INLINE void call(Kernel& kernel, const id<dimensions>& group, const scope_frame& frame) const {
    work_group_state state{*frame.state, frame, Sized};
    call_whole(kernel, Group(group_place<dimensions, scalar>{m_space, group, id<dimensions>(), hierarchical_mark,
                                                             &state, nullptr, true, false}));
  }

private:
  nd_range<dimensions> m_space;
};

/// See launch_maker.
template <unsigned PlainSize>
struct launch_maker<hierarchical_kernels<PlainSize>> {
  template <class Values, int D, class First, class... Rest>
  static std::unique_ptr<launch> make(const launch_settings& settings, const Values& values, const range<D>& groups,
                                      First&& first, Rest&&... rest) {
    if constexpr (is_static_range_v<std::remove_cvref_t<First>>) {
      return make_with<D, true>(settings, groups, std::remove_cvref_t<First>(),
                                give_handler_behind<group<D>>(values, rest)...);
    } else if constexpr (std::is_convertible_v<First, range<D>>) {
      return make_with<D, true>(settings, groups, range<D>(first), give_handler_behind<group<D>>(values, rest)...);
    } else {
      range<D> one;
      for (int d = 0; d < D; ++d) {
        one[d] = 1;
      }
      return make_with<D, false>(settings, groups, one, give_handler_behind<group<D>>(values, first),
                                 give_handler_behind<group<D>>(values, rest)...);
    }
  }

private:
  template <int D, bool Sized, class Size, class... Rest>
  static std::unique_ptr<launch> make_with(const launch_settings& settings, const range<D>& groups, const Size& size,
                                           const Rest&... rest) {
    const nd_range<D> space = nd_range_of_groups(groups, range<D>(size));
    check_nd_range(space);
    return with_properties(
        [&]<class Properties, class Kernel>(const Properties& how, const Kernel& kernel) -> std::unique_ptr<launch> {
          using strategy = strategy_asked_for<Properties, PlainSize>;
          using size_type = typename promised_size<Size, typename strategies_of<Properties>::size>::type;
          using generic = work_group<D, strategy, size_type>;
          static_assert(std::is_invocable_v<Kernel&, generic>,
                        "lanefold: a hierarchical kernel takes one group, by value: [=](auto group) or "
                        "[=](group<D> group)");
          static_assert(std::is_same_v<strategy, automatic_strategy<PlainSize != 0>> ||
                            !takes_plain_group<Kernel, generic, D>(),
                        "lanefold: a hierarchical kernel whose launch asks for a strategy takes its group as auto");
          std::apply([&](const auto&... each) { (check_work_group_size(space, each), ...); }, how.values());
          const walk_order order = how.get_or(property::walk(walk_order::automatic)).order;
          return new_launch<group_launch<hierarchical_groups<generic, Sized>, Kernel>>(
              hierarchical_groups<generic, Sized>(space), order, settings, kernel);
        },
        rest...);
  }

  /// Is true if a kernel spells group<D> out: then the strategy does not reach it. A generic kernel is not asked by
  /// group<D>, for which it would be compiled, but by the `Generic` group that it gets.
  template <class Kernel, class Generic, int D>
  static constexpr bool takes_plain_group() {
    if constexpr (requires { &Kernel::template operator()<Generic>; }) {
      return false;
    } else {
      return requires(void (Kernel::*f)(group<D>) const) { f = &Kernel::operator(); };
    }
  }
};

} // namespace detail
LANEFOLD_END_NAMESPACE
