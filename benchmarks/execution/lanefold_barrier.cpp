// SPDX-License-Identifier: Apache-2.0
#include "lanefold_queues.hpp"

namespace lanefold_benchmarks::ours {

namespace {

/// The work of lanefold_peers::opencl::barrier_shift.
template <std::size_t Group, class Strategy>
work form(std::uint32_t* values, std::size_t items, unsigned rounds, engine e, unsigned threads) {
  lf::queue& q = queue_with(threads);
  return {form_name<Strategy>(),
          [=, &q] {
            const lf::view<std::uint32_t> v(values, items);
            q.submit([&](lf::handler& h) {
               lf::local_accessor<std::uint32_t, 2> slots({2, Group + 1}, h);
               h.parallel_for(lf::nd_range<1>(items, Group), how<Strategy, Group>(to_lanefold(e)), [=](auto it) {
                 const auto item = it.get_local_id(0);
                 auto value = it.var(lf::convert<std::uint32_t>(it.get_global_id(0)));
                 it.if_(item == 0, [&] {
                   slots[0][Group] = 0;
                   slots[1][Group] = 0;
                 });
                 for (unsigned round = 0; round < rounds; ++round) {
                   slots[round & 1][item] = value;
                   lf::group_barrier(it.get_group());
                   value += slots[round & 1][item + 1];
                 }
                 v[it.get_global_id(0)] = value;
               });
             }).wait();
          },
          {}};
}

template <std::size_t Group>
std::vector<work> forms(std::uint32_t* values, std::size_t items, unsigned rounds, model m, engine e,
                        unsigned threads) {
  if (m == model::work_item) {
    return {form<Group, lf::scalar>(values, items, rounds, e, threads)};
  }
  std::vector<work> result;
  if constexpr (Group >= 32) {
    result.push_back(form<Group, lf::simd<32>>(values, items, rounds, e, threads));
  }
  if constexpr (Group >= 64) {
    result.push_back(form<Group, lf::simd<64>>(values, items, rounds, e, threads));
  }
  if constexpr (Group >= 128) {
    result.push_back(form<Group, lf::simd<128>>(values, items, rounds, e, threads));
  }
  if constexpr (Group >= 256) {
    result.push_back(form<Group, lf::simd<256>>(values, items, rounds, e, threads));
  }
  return result;
}

} // namespace

std::vector<work> barrier_shift(std::uint32_t* values, std::size_t items, std::size_t group, unsigned rounds, model m,
                                engine e, unsigned threads) {
  switch (group) {
  case 32: return forms<32>(values, items, rounds, m, e, threads);
  case 256: return forms<256>(values, items, rounds, m, e, threads);
  case 1024: return forms<1024>(values, items, rounds, m, e, threads);
  default: return {};
  }
}

} // namespace lanefold_benchmarks::ours
