// SPDX-License-Identifier: Apache-2.0
/// Running scoped and hierarchical kernels.
#pragma once

#include <lanefold/execution/detail/bound_kernel.hpp>
#include <lanefold/execution/device.hpp>
#include <lanefold/execution/handler.hpp>
#include <lanefold/execution/launch.hpp>
#include <lanefold/execution/walk.hpp>
#include <lanefold/memory/detail/kernel_binding.hpp>
#include <lanefold/scoped/detail/item_loop.hpp>
#include <lanefold/scoped/detail/scope_frame.hpp>
#include <lanefold/scoped/static_range.hpp>

#include <exception>
#include <string>
#include <typeinfo>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// A kernel that is called once for each work-group. `Model` says what it is called with:
///
///   group_type                       what it is called with
///   name                             of the model, for explanations
///   item                             what an item is called by the race detector, which knows its number
///   groups(), describe_group()
///   one_by_one                       whether all items run one by one
///   call(kernel, group id, frame)
///
/// A thread runs groups one after the other on its own stack; nothing in them suspends.
template <class Model, class Kernel>
class group_launch final : public launch {
  static constexpr int D = Model::dimensions;
  static_assert(std::is_void_v<std::invoke_result_t<Kernel&, typename Model::group_type>>,
                "lanefold: a kernel returns nothing");

public:
  group_launch(const Model& model, walk_order order, const launch_settings& common, const Kernel& kernel)
      : launch(model.groups().size(), 1, with_local_memory(common), typeid(Kernel)), m_model(model), m_order(order),
        m_accessor_bytes(common.local_bytes), m_threads(common.threads), m_explained(explanations_wanted()),
        m_kernel(kernel) {}

  void run(std::size_t first, std::size_t last) override {
    run_on_this_thread([&](worker& owner) {
      [[maybe_unused]] const watched_launch watched(*this, range<1>(1), owner.local_memory(), Model::item);
      owner.position = first;
      run_groups(owner, first, last, {});
    });
  }

  void run_each(std::span<launch* const> those) override {
    if constexpr (checked_build) {
      run_each_as<group_launch>(those);
    } else {
      run_on_this_thread([&](worker& owner) {
        owner.position = 0;
        static_cast<const group_launch&>(*those.front()).run_groups(owner, 0, those.front()->size(), those.subspan(1));
      });
    }
  }

  std::string place(std::size_t position) const override {
    return "work-group " + describe_id(group_cursor<D>(m_model.groups(), m_order, position, checks()).get());
  }

private:
  template <class Run>
  void run_on_this_thread(const Run& run) {
    worker& owner = this_worker();
    owner.begin(*this, 1, nullptr, nullptr);
    std::exception_ptr failure;
    try {
      run(owner);
    } catch (...) {
      announce_convergence();
      failure = std::current_exception();
    }
    owner.leave(std::move(failure));
  }

  /// Scoped memory follows the local accessors; how much a kernel needs is known only when it runs.
  static launch_settings with_local_memory(launch_settings settings) {
    settings.local_bytes = device::local_memory_bytes();
    return settings;
  }

  /// Runs groups [first, last), then all groups of each launch `behind`, of this class. That they share what is made
  /// here is worth 5 ns of a launch of one small group.
  void run_groups(worker& owner, std::size_t first, std::size_t last, std::span<launch* const> behind) const {
    if constexpr (Model::one_by_one) {
      for (const group_launch* one = this; one != nullptr; first = 0, last = one == nullptr ? 0 : one->size()) {
        one = one->m_kernel.is_apart ? one->run_groups_flat<true>(owner, first, last, behind)
                                     : one->run_groups_otherwise(owner, first, last, behind);
      }
    } else {
      run_groups_flat<false>(owner, first, last, behind);
    }
  }

  // Flattened, because lanes need the kernel inlined, with all that it calls: masks fold away, and registers hold
  // private memory, only in code that is seen as a whole.
  template <bool Apart>
  LANEFOLD_FLATTEN const group_launch* run_groups_flat(worker& owner, std::size_t first, std::size_t last,
                                                       std::span<launch* const>& behind) const {
    return run_groups_of<Apart>(owner, first, last, behind);
  }
  /// Accessors whose memory is not apart.
  LANEFOLD_COLD const group_launch* run_groups_otherwise(worker& owner, std::size_t first, std::size_t last,
                                                         std::span<launch* const>& behind) const {
    return run_groups_of<false>(owner, first, last, behind);
  }

  /// Returns the first launch that needs the other kind of loop, or null. `Apart`: the memory of the accessors of all
  /// others is apart.
  template <bool Apart>
  LANEFOLD_ALWAYS_INLINE const group_launch* run_groups_of(worker& owner, std::size_t first, std::size_t last,
                                                           std::span<launch* const>& behind) const {
    memory_arena arena{{"local", owner.local_memory(), m_accessor_bytes, device::local_memory_bytes()},
                       {"private", private_memory_of_thread(), 0, private_memory_bytes}};
    kernel_binding binding;
    binding.arena = &arena;
    binding.local_memory = owner.local_memory();
    explanation levels;
    explanation* volatile explaining = nullptr;
    unit_state state{&owner, nullptr, 0, 1, false};
    for (const group_launch* one = this;; first = 0, last = one->size()) {
      group_cursor<D> cursor(one->m_model.groups(), one->m_order, first, one->checks());
      if (first == 0 && one->m_explained) [[unlikely]] {
        levels = {};
        explaining = &levels;
      }
      for (;;) {
        begin_watched_group(owner.position, owner.local_memory(), one->m_accessor_bytes);
        Kernel kernel(copied_kernel<Apart>(one->m_kernel.kernel));
        scope_frame frame{0, &arena, &state, &explaining};
        one->m_model.call(kernel, cursor.get(), frame);
        if (explaining != nullptr) [[unlikely]] {
          one->explain_levels(levels);
          explaining = nullptr;
        }
        if (++owner.position == last) {
          break;
        }
        cursor.next();
      }
      if (behind.empty()) {
        return nullptr;
      }
      one = &go_on_with(owner, behind);
      if (Model::one_by_one && one->m_kernel.is_apart != Apart) [[unlikely]] {
        return one;
      }
      arena.local.release(one->m_accessor_bytes);
    }
  }

  /// Makes ready for all groups of the first launch of `behind`, which is taken from it.
  static const group_launch& go_on_with(worker& owner, std::span<launch* const>& behind) {
    group_launch& next = static_cast<group_launch&>(*behind.front());
    behind = behind.subspan(1);
    if (behind.size() > 1) {
      behind[1]->ask_ahead(); // launches lie anywhere
    }
    owner.go_on_with(next);
    owner.position = 0;
    return next;
  }

  LANEFOLD_COLD void explain_levels(const explanation& levels) const {
    explain({this, Model::name, describe_id(m_model.groups()), m_model.describe_group(), m_threads}, levels);
  }

  Model m_model;
  walk_order m_order;
  std::size_t m_accessor_bytes;
  std::size_t m_threads;
  bool m_explained;
  captured_kernel<Kernel> m_kernel;
};

/// Splits `[launch properties…,] kernel` and calls `make(properties, kernel)`.
template <class Make, class Tuple, std::size_t... I>
auto with_properties(const Make& make, Tuple&& rest, std::index_sequence<I...>) {
  static_assert((LaunchArgument<std::tuple_element_t<I, std::remove_cvref_t<Tuple>>> && ...),
                "lanefold: between ranges and kernel there are launch properties only");
  return make(merge_properties(std::get<I>(rest)...), std::get<sizeof...(I)>(rest));
}
template <class Make, class... Rest>
auto with_properties(const Make& make, Rest&&... rest) {
  static_assert(sizeof...(Rest) > 0, "lanefold: a kernel is missing");
  return with_properties(make, std::forward_as_tuple(rest...), std::make_index_sequence<sizeof...(Rest) - 1>());
}

/// The strategy that properties ask for, or the automatic one.
template <class Properties, unsigned PlainSize>
using strategy_asked_for =
    std::conditional_t<std::is_void_v<typename strategies_of<Properties>::strategy>, automatic_strategy<PlainSize != 0>,
                       typename strategies_of<Properties>::strategy>;

/// The local range as a type where a property says it at compile time.
template <class Size, class Promised>
struct promised_size {
  using type = Size;
};
template <class Size, std::size_t... Extents>
struct promised_size<Size, property::work_group_size<Extents...>> {
  using type = static_range<Extents...>;
};
/// The local range as that type.
template <class To, class Size>
To made_size(const Size& size) {
  if constexpr (is_static_range_v<To>) {
    return {};
  } else {
    return size;
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
