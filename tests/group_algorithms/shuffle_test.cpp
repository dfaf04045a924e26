// SPDX-License-Identifier: Apache-2.0
/// Shuffles of sub-groups for lanes and for work-item kernels.
#include "testing.hpp"

namespace {

template <class Strategy>
class shuffle : public seeded {};
TYPED_TEST_SUITE(shuffle, few_strategies, strategy_names);

/// `source(position)` is where an item's value comes from, if that is in its sub-group.
template <class Strategy, class T, class Source, class Kernel>
void check(const std::vector<T>& in, std::size_t local, Source source, Kernel move,
           lf::fiber_engine engine = lf::fiber_engine::automatic) {
  const std::size_t n = in.size();
  std::vector<T> out(n);
  const lf::view<const T> x(in.data(), n);
  const lf::view<T> y(out.data(), n);
  run_groups<Strategy>(
      n / local, local,
      [=](auto it) {
        const auto i = it.get_global_id(0);
        y[i] = move(it.get_sub_group(), x[i]);
      },
      engine);
  const std::size_t lanes = std::is_same_v<Strategy, lf::scalar> ? lf::detail::native_lanes : Strategy::size;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t item = i % local, first = item / lanes * lanes;
    const std::size_t from = source(item - first);
    if (from < std::min(lanes, local - first)) {
      ASSERT_EQ(out[i], in[i - item + first + from]) << "group size " << local << ", item " << item;
    }
  }
}

TYPED_TEST(shuffle, constant_distances) {
  for (const std::size_t local : {4, 31, 256}) {
    for (const auto engine : engines) {
      const auto in = this->template values<int>(2 * local, -1000, 1000);
      check<TypeParam>(
          in, local, [](std::size_t i) { return i + 1; },
          [](auto sg, const auto& v) { return lf::shift_group_left(sg, v); }, engine);
      check<TypeParam>(
          in, local, [](std::size_t i) { return i - 3; },
          [](auto sg, const auto& v) { return lf::shift_group_right(sg, v, 3); }, engine);
      check<TypeParam>(
          in, local, [](std::size_t i) { return i ^ 2; },
          [](auto sg, const auto& v) { return lf::permute_group_by_xor(sg, v, 2); }, engine);
    }
  }
}

TYPED_TEST(shuffle, distances_known_at_run_time) {
  const auto in = this->template values<double>(512, -1000, 1000);
  for (int round = 0; round < 20; ++round) {
    const auto d = static_cast<std::uint32_t>(this->random() % 16);
    check<TypeParam>(
        in, 128, [=](std::size_t i) { return i + d; },
        [=](auto sg, const auto& v) { return lf::shift_group_left(sg, v, d); });
    check<TypeParam>(
        in, 128, [=](std::size_t i) { return i - d; },
        [=](auto sg, const auto& v) { return lf::shift_group_right(sg, v, d); });
    check<TypeParam>(
        in, 128, [=](std::size_t i) { return i ^ d; },
        [=](auto sg, const auto& v) { return lf::permute_group_by_xor(sg, v, d); });
  }
}

TYPED_TEST(shuffle, select) {
  const auto in = this->template values<std::int16_t>(256, -1000, 1000);
  check<TypeParam>(
      in, 64, [](std::size_t i) { return (3 * i + 1) % 4; },
      [](auto sg, const auto& v) { return lf::select_from_group(sg, v, (sg.get_local_linear_id() * 3 + 1) % 4); });
  check<TypeParam>(
      in, 64, [](std::size_t) { return std::size_t(2); },
      [](auto sg, const auto& v) { return lf::select_from_group(sg, v, 2); });
}

TYPED_TEST(shuffle, conditions) {
  const std::size_t n = 64;
  std::vector<int> out(n);
  const lf::view<int> y(out.data(), n);
  run_groups<TypeParam>(1, n, [=](auto it) {
    const auto l = it.get_local_id(0);
    const auto swapped = lf::permute_group_by_xor(it.get_sub_group(), l % 4 == 1, 1);
    auto result = it.var(0);
    it.if_(swapped, [&] { result = 1; });
    y[l] = result;
  });
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(out[i], i % 4 == 0) << i;
  }
}

/// A plain SYCL kernel: a butterfly of shuffles in sub-groups of 8, for any trivially copyable type.
TEST(shuffle_work_items, butterfly_of_structs) {
  struct pair {
    int sum;
    double product;
  };
  for (const auto engine : engines) {
    std::vector<int> out(48);
    const lf::view<int> o(out.data(), out.size());
    lf::queue q;
    q.parallel_for(lf::nd_range<1>(48, 24),
                   lf::properties{lf::property::sub_group_size{8}, lf::property::fiber_engine{engine}},
                   [=](lf::nd_item<1> it) {
                     const auto sg = it.get_sub_group();
                     pair mine{static_cast<int>(it.get_local_id(0)), 1};
                     for (unsigned m = 1; m < 8; m *= 2) {
                       const pair other = lf::permute_group_by_xor(sg, mine, m);
                       mine.sum += other.sum;
                     }
                     o[it.get_global_id(0)] = mine.sum;
                   })
        .wait();
    for (std::size_t i = 0; i < out.size(); ++i) {
      const int first = static_cast<int>(i % 24 / 8 * 8);
      ASSERT_EQ(out[i], 8 * first + 28) << to_string(engine);
    }
  }
}

/// Results of the work-group are still to be read while sub-groups go on to algorithms of their own.
TEST(shuffle_work_items, between_algorithms_of_the_group) {
  for (const auto engine : engines) {
    const std::size_t local = 40;
    std::vector<int> out(2 * local);
    const lf::view<int> o(out.data(), out.size());
    run_groups<lf::scalar>(
        2, local,
        [=](lf::nd_item<1> it) {
          const int l = static_cast<int>(it.get_local_id(0));
          int sum = lf::reduce_over_group(it.get_group(), 1, lf::plus<>{});
          for (int round = 0; round < 3; ++round) {
            sum += lf::reduce_over_group(it.get_sub_group(), 0, lf::plus<>{});
            sum += lf::shift_group_left(it.get_sub_group(), l, 0) - l;
            sum += lf::exclusive_scan_over_group(it.get_sub_group(), 0, lf::plus<>{});
          }
          sum += lf::reduce_over_group(it.get_group(), l, lf::maximum<>{});
          o[it.get_global_id(0)] = sum;
        },
        engine);
    for (const int value : out) {
      ASSERT_EQ(value, 40 + 39) << to_string(engine);
    }
  }
}

} // namespace
