// SPDX-License-Identifier: Apache-2.0
/// Kernels that call a group function over and over.
#pragma once

#include "programs.hpp"

#include "../execution/lanefold_queues.hpp"

#include <lanefold/group_algorithms.hpp>

namespace lanefold_benchmarks::ours {

/// Functions of sub-groups are called for sub-groups of Chunk work-items, or for chunks of as many where the sub-group
/// has more.
template <std::size_t Chunk, class Item>
LANEFOLD_ALWAYS_INLINE auto part_of(const Item& it) {
  if constexpr (Chunk < Item::lanes::size)
    return lf::chunked_partition<Chunk>(it.get_sub_group());
  else
    return it.get_sub_group();
}

template <function F, lf::algorithm A, class Item, class T>
LANEFOLD_ALWAYS_INLINE auto call(const Item& it, const T& value, [[maybe_unused]] unsigned mask) {
  if constexpr (F == function::reduce)
    return lf::reduce_over_group<A>(it.get_group(), value, lf::plus<>{});
  else if constexpr (F == function::inclusive_scan)
    return lf::inclusive_scan_over_group<A>(it.get_group(), value, lf::plus<>{});
  else if constexpr (F == function::sub_group_reduce)
    return lf::reduce_over_group(part_of<16>(it), value, lf::plus<>{});
  else if constexpr (F == function::sub_group_scan)
    return lf::inclusive_scan_over_group(part_of<16>(it), value, lf::plus<>{});
  else if constexpr (F == function::sub_group_exchange)
    return lf::permute_group_by_xor(part_of<16>(it), value, mask);
  else {
    const auto sg = part_of<16>(it);
    const auto a = value + lf::permute_group_by_xor(sg, value, 8);
    const auto b = a + lf::permute_group_by_xor(sg, a, 4);
    const auto c = b + lf::permute_group_by_xor(sg, b, 2);
    return c + lf::permute_group_by_xor(sg, c, 1);
  }
}

/// Returns what a round makes of the result y of the function.
template <class Y, class S, class T>
LANEFOLD_ALWAYS_INLINE auto next(const Y& y, S scale, const T& first) {
  if constexpr (std::is_integral_v<S>)
    return first + y;
  else if constexpr (std::is_class_v<Y> && !lf::is_varying_v<Y>)
    return first + y * scale;
  else
    return lf::fma(y, scale, first);
}

template <function F, lf::algorithm A, class Strategy, class T, class S>
work form(const repeated<T, S>& of, lf::fiber_engine engine, unsigned threads) {
  lf::queue& q = queue_with(threads);
  return {form_name<Strategy>() + " " + to_string(A),
          [=, &q] {
            const T* start = of.start;
            T* values = of.values;
            const unsigned rounds = of.rounds;
            const S scale = of.scale;
            unsigned mask = lanefold_peers::opencl::exchange_mask;
            asm("" : "+r"(mask)); // known at run time only
            q.parallel_for(lf::nd_range<1>(of.items, of.group), how<Strategy>(engine), [=](auto it) {
               if constexpr (std::is_same_v<Strategy, lf::scalar>) {
                 const std::size_t i = it.get_global_id(0);
                 const T first = start[i];
                 T value = first;
                 for (unsigned round = 0; round < rounds; ++round)
                   value = next(call<F, A>(it, value, mask), scale, first);
                 values[i] = value;
               } else {
                 const auto i = it.get_global_id(0);
                 const auto first = lf::view<const T>(start, of.items)[i];
                 auto value = it.var(first);
                 for (unsigned round = 0; round < rounds; ++round)
                   value = next(call<F, A>(it, value, mask), scale, first);
                 lf::view<T>(values, of.items)[i] = value;
               }
             }).wait();
          },
          {}};
}

template <function F, class T, class S>
std::vector<work> repeat(const repeated<T, S>& of, version v, unsigned threads) {
  constexpr auto native = lf::fiber_engine::native;
  constexpr bool sub_group = F == function::sub_group_reduce || F == function::sub_group_scan ||
                             F == function::sub_group_butterfly || F == function::sub_group_exchange;
  if constexpr (sub_group) {
    if (v == version::work_item) {
      return {form<F, lf::algorithm::automatic, lf::scalar>(of, native, threads)};
    }
    return {form<F, lf::algorithm::automatic, lf::simd<16>>(of, native, threads),
            form<F, lf::algorithm::automatic, lf::simd<64>>(of, native, threads)};
  } else {
    switch (v) {
    case version::baseline:
      return {form<F, lf::algorithm::serial_heap, lf::scalar>(of, lf::fiber_engine::boost_fiber, threads)};
    case version::scratch: return {form<F, lf::algorithm::serial, lf::scalar>(of, native, threads)};
    case version::omp_simd: return {form<F, lf::algorithm::omp_simd, lf::scalar>(of, native, threads)};
    case version::simd: return {form<F, lf::algorithm::simd, lf::scalar>(of, native, threads)};
    case version::work_item: return {form<F, lf::algorithm::automatic, lf::scalar>(of, native, threads)};
    case version::lanes: break;
    }
    std::vector<work> result;
    if constexpr (std::is_arithmetic_v<T>) {
      result.push_back(form<F, lf::algorithm::automatic, lf::simd<64>>(of, native, threads));
      result.push_back(form<F, lf::algorithm::automatic, lf::simd<128>>(of, native, threads));
      result.push_back(form<F, lf::algorithm::automatic, lf::simd<256>>(of, native, threads));
    }
    return result;
  }
}

} // namespace lanefold_benchmarks::ours
