// SPDX-License-Identifier: Apache-2.0
/// Sorting in recorded kernels, by bitonic networks of which all stages sort upwards: what lies beyond the end then
/// stays there, so that any number of values can be sorted. (K. E. Batcher, Sorting networks and their applications,
/// 1968.) See group_algorithms/sort.hpp.
#pragma once

#include <lanefold/group_algorithms/sort.hpp>
#include <lanefold/recorded/detail/exchanges.hpp>
#include <lanefold/recorded/group_algorithms_of_vectors.hpp>
#include <lanefold/recorded/joint_algorithms.hpp>
#include <lanefold/recorded/partition.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// A comparator that takes recorded values: std::less<T> takes only T.
template <class Compare>
struct recorded_comparator {
  Compare& before;
  template <class A, class B>
  auto operator()(const A& a, const B& b) const {
    return before(a, b);
  }
};
template <class T>
struct recorded_comparator<std::less<T>> : std::less<> {
  explicit recorded_comparator(std::less<T>&) {}
};
template <class T>
struct recorded_comparator<std::greater<T>> : std::greater<> {
  explicit recorded_comparator(std::greater<T>&) {}
};

/// step(s, mask) for each step of the network: the values at positions that differ in the bits of `mask` are compared;
/// the highest of these is 1 << s. Sorted are, one stage after the other, neighbouring pairs, fours, eights …: two
/// sorted halves by one step that compares the first value with the last, the second with the last but one …, and by
/// steps with half the distance each.
template <class Stages, class Step>
void for_sorting_steps(recorder& r, const Stages& stages, const Step& step) {
  const control_flow<recorded> flow(r);
  flow.for_(0U, stages, [&](const auto& stage) {
    flow.for_(0U, stage + 1U, [&](const auto& i) {
      const auto s = stage - i;
      step(s, lanefold::select(i == 0U, (2U << stage) - 1U, 1U << s));
    });
  });
}

/// Does the same for few stages, of which the number is plain: steps have plain numbers where the recorder unrolls. On
/// an H100 sorts of 256 work-items take 0.7 of the time of a loop.
template <class Step>
void for_few_sorting_steps(recorder& r, std::uint32_t stages, const Step& step) {
  if (!r.unrolls_algorithms()) {
    return for_sorting_steps(r, stages, step);
  }
  for (std::uint32_t stage = 0; stage < stages; ++stage) {
    for (std::uint32_t i = 0; i <= stage; ++i) {
      step(stage - i, i == 0 ? (2U << stage) - 1 : 1U << (stage - i));
    }
  }
}

/// Is known to be a power of two.
template <class Count>
bool is_power_of_two([[maybe_unused]] const Count& count) {
  if constexpr (RecordedOperand<Count>) {
    return false;
  } else {
    return std::has_single_bit(count);
  }
}

/// The one value or the other; both have been computed.
template <class V>
V chosen(recorder& r, const recorded_value<bool>& condition, const V& yes, const V& no) {
  if constexpr (GroupComposite<V>) {
    using C = composite_of<V>;
    using P = recorded_part_t<C>;
    return {r, make_parts<C>([&](std::size_t k) {
              return lanefold::select(condition, recorded_value<P>(r, yes.parts()[k]),
                                      recorded_value<P>(r, no.parts()[k]))
                  .node();
            })};
  } else {
    return lanefold::select(condition, yes, no);
  }
}

/// Sorts the values of a variable of the work-items of a group.
template <class G, class Variable, class Compare>
void sort_variable(const G& g, Variable& own, const Compare& before) {
  recorder& r = g.its_recorder();
  const auto position = lanefold::convert<std::uint32_t>(g.get_local_linear_id());
  const auto size = recorded_as<std::uint32_t>(r, g.get_local_linear_range());
  const bool all_have_partners = is_power_of_two(g.get_local_linear_range());
  const auto step = [&](const auto& s, const auto& mask) {
    const typename Variable::value_type mine(own), other(value_across(g, "sort_over_group", mine, mask));
    const auto is_lower = (position & (1U << s)) == 0U, is_upper = (position & (1U << s)) != 0U;
    // No branches: with them an H100 takes twice as long.
    const auto takes = (is_lower & before(other, mine)) | (is_upper & before(mine, other));
    own = detail::chosen(r, all_have_partners ? takes : takes & ((position ^ mask) < size), other, mine);
  };
  const auto stages = bits_of_positions(most_items_of(g));
  if constexpr (RecordedOperand<decltype(stages)>) {
    for_sorting_steps(r, stages, step);
  } else {
    for_few_sorting_steps(r, stages, step);
  }
}

/// Sorts `count` elements behind `first`.
template <class G, class First, class Count, class Compare>
void sort_elements(const G& g, const First& first, const Count& count, const Compare& before) {
  const joint_work work(g);
  recorder& r = work.record();
  const auto stages = bits_of_positions(count);
  const auto one = recorded_as<std::uint64_t>(r, std::uint64_t{1});
  const auto pairs = (one << stages) >> 1U;
  for_sorting_steps(r, stages, [&](const auto& s, const auto& mask) {
    work.for_own(pairs, [&](const auto& pair) {
      const auto distance = one << s;
      const auto lower = (pair >> s) * distance * std::uint64_t{2} + (pair & (distance - std::uint64_t{1}));
      const auto upper = lower ^ lanefold::convert<std::uint64_t>(mask);
      work.if_(upper < count, [&] {
        const auto a = element_behind(first, lower), b = element_behind(first, upper);
        const recorded_value<pointed_t<First>> low(a), high(b);
        work.if_(before(high, low), [&] {
          a = high;
          b = low;
        });
      });
    });
    group_barrier(g);
  });
}

} // namespace detail

/// Cost: of a group of n work-items about log2(n)^2 / 2 exchanges, through registers in sub-groups where the device
/// can, else a barrier and local memory each. `before` takes auto: [](auto a, auto b) {…}.
template <detail::RecordedGroup G, class T, class Compare = std::less<>>
auto sort_over_group(const G& g, const T& x, Compare before = {}) {
  const control_flow<recorded> flow(g.its_recorder());
  auto own = flow.var(x);
  using value = typename decltype(own)::value_type;
  detail::sort_variable(g, own, detail::recorded_comparator<Compare>{before});
  return value(own);
}
/// Does the same for private memory of a scoped group.
template <detail::RecordedScopedGroup G, detail::ValuesOf<G> Memory, class Compare = std::less<>>
void sort_over_group(const G& g, Memory& values, Compare before = {}) {
  detail::sort_variable(detail::converged_group(g, "sort_over_group"), values.own(),
                        detail::recorded_comparator<Compare>{before});
}

/// Cost: of n elements about n log2(n)^2 / 4 comparisons, shared by the work-items, with log2(n)^2 / 2 barriers.
/// Fewer than 2^31 elements.
template <detail::RecordedGroup G, class First, class Last, class Compare = std::less<>>
void joint_sort(const G& g, const First& first, const Last& last, Compare before = {}) {
  detail::sort_elements(detail::group_for(g, "joint_sort"), first, detail::length_between(first, last),
                        detail::recorded_comparator<Compare>{before});
}

LANEFOLD_END_NAMESPACE
