// SPDX-License-Identifier: Apache-2.0
// Parts of sub-groups, sorting, and loads and stores of several elements in recorded kernels.
#include "testing.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

namespace {

using namespace recorded_testing;

constexpr std::size_t local = 48, n = 4 * local;

template <class T>
std::vector<T> numbers(std::size_t count = n) {
  std::vector<T> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i] = static_cast<T>(static_cast<int>(i * 37 % 101) - 40);
  }
  return all;
}

/// kernel(item, the item's number, put): `put(column, x)` of each work-item is the same everywhere.
template <class T, std::size_t Columns = 1, class Kernel>
void check(Kernel kernel, std::size_t local_range = local) {
  const std::vector<T> in = numbers<T>();
  expect_same_everywhere<T>(n * Columns, [&](lf::queue& q, auto how, lf::buffer<T>& out) {
    lf::buffer<T> in_buffer(in.data(), lf::range<1>(n));
    q.submit([&](lf::handler& h) {
      const lf::accessor x(in_buffer, h, lf::read_only);
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::nd_range<1>(n, local_range), how, [=](auto it) {
        const auto i = it.get_global_id(0);
        kernel(it, it.var(x[i]), [&](std::size_t column, const auto& v) { y[i * Columns + column] = v; });
      });
    });
  });
}

/// Is associative, does not commute, and has no identity.
const auto last_of_two = [](auto, auto b) { return b; };

template <class T>
class recorded_chunks : public ::testing::Test {};
using numbers_of_all_sizes = ::testing::Types<std::int32_t, std::uint64_t, float, double, std::int16_t>;
TYPED_TEST_SUITE(recorded_chunks, numbers_of_all_sizes);

TYPED_TEST(recorded_chunks, reductions_and_scans) {
  LANEFOLD_NEED_OPENCL();
  using T = TypeParam;
  const auto kernel = [](const auto& it, const auto& x, const auto& put) {
    const auto c = lf::chunked_partition<4>(it.get_sub_group());
    put(0, lf::reduce_over_group(c, x, lf::plus<>()));
    put(1, lf::reduce_over_group(c, x, T(3), lf::maximum<>()));
    put(2, lf::reduce_over_group(c, x, last_of_two));
    put(3, lf::inclusive_scan_over_group(c, x, lf::plus<>()));
    put(4, lf::inclusive_scan_over_group(c, x, lf::plus<>(), T(7)));
    put(5, lf::exclusive_scan_over_group(c, x, lf::plus<>()));
    put(6, lf::exclusive_scan_over_group(c, x, T(5), last_of_two));
  };
  check<T, 7>(kernel);
  check<T, 7>(kernel, 12); // the last sub-group is partial
}

TYPED_TEST(recorded_chunks, exchanges_and_votes) {
  LANEFOLD_NEED_OPENCL();
  using T = TypeParam;
  check<T, 9>([](const auto& it, const auto& x, const auto& put) {
    const auto c = lf::chunked_partition<4>(it.get_sub_group());
    put(0, lf::group_broadcast(c, x));
    put(1, lf::group_broadcast(c, x, 2));
    put(2, lf::permute_group_by_xor(c, x, 3));
    put(3, lf::select_from_group(c, x, 3U - c.get_local_linear_id()));
    put(4, lf::select(c.get_local_linear_id() < 2U, lf::shift_group_left(c, x, 2), T(0)));
    put(5, lf::select(c.leader(), T(0), lf::shift_group_right(c, x)));
    const auto positive = x > T(0);
    put(6, lf::select(lf::any_of_group(c, positive), T(1), T(0)));
    put(7, lf::select(lf::all_of_group(c, positive), T(1), T(0)));
    put(8, lf::select(lf::none_of_group(c, positive), T(1), T(0)));
  });
}

TYPED_TEST(recorded_chunks, sorts) {
  LANEFOLD_NEED_OPENCL();
  using T = TypeParam;
  check<T, 4>([](const auto& it, const auto& x, const auto& put) {
    const auto g = it.get_group();
    put(0, lf::sort_over_group(g, x));
    put(1, lf::sort_over_group(g, x, std::greater<T>()));
    put(2, lf::sort_over_group(g, x, [](auto a, auto b) { return a > b; }));
    put(3, lf::sort_over_group(lf::chunked_partition<8>(it.get_sub_group()), x, std::less<T>()));
  });
}

TEST(recorded_parts, sorts_of_groups_of_any_size) {
  LANEFOLD_NEED_OPENCL();
  for (const std::size_t size : {1, 2, 3, 32, 96}) {
    check<float>([](const auto& it, const auto& x, const auto& put) { put(0, lf::sort_over_group(it.get_group(), x)); },
                 size);
  }
}

TEST(recorded_parts, places_of_chunks) {
  LANEFOLD_NEED_OPENCL();
  check<std::int32_t, 3>([](const auto& it, const auto& x, const auto& put) {
    const auto c = lf::chunked_partition<8>(it.get_sub_group());
    put(0, lf::convert<std::int32_t>(c.get_local_linear_id()));
    put(1, lf::convert<std::int32_t>(c.get_local_linear_range()));
    put(2, lf::reduce_over_group(lf::chunked_partition<1>(it.get_sub_group()), x, lf::plus<>()));
  });
}

/// Chunks of 32 and 64 work-items on devices whose sub-groups have 16 unless a program needs more.
template <std::size_t N>
void check_large_chunks() {
  const std::vector<std::int32_t> in = numbers<std::int32_t>();
  for (const gpu::device& device : gpu::devices()) {
    const gpu::library_target target = device.library_target();
    const bool has = target.flavour == gpu::flavour::local || (target.flavour == gpu::flavour::nv && N <= 32) ||
                     std::any_of(target.sub_group_sizes.begin(), target.sub_group_sizes.end(),
                                 [](std::size_t size) { return size >= N; });
    lf::queue q(device);
    std::vector<std::int32_t> out(n);
    const lf::errc found = code_thrown_by([&] {
      lf::buffer<std::int32_t> from(in.data(), lf::range<1>(n)), to(out.data(), lf::range<1>(n));
      q.submit([&](lf::handler& h) {
        const lf::accessor x(from, h, lf::read_only);
        const lf::accessor y(to, h, lf::write_only, lf::no_init);
        h.parallel_for(lf::nd_range<1>(n, N), lf::property::strategy<lf::simd<64>>(), [=](auto it) {
          const auto i = it.get_global_id(0);
          y[i] = lf::reduce_over_group(lf::chunked_partition<N>(it.get_sub_group()), x[i], lf::plus<>());
        });
      });
      q.wait_and_throw();
    });
    ASSERT_EQ(found, has ? lf::errc::success : lf::errc::kernel_not_supported) << device.get_platform_name();
    for (std::size_t i = 0; has && i < n; ++i) {
      const auto first = in.begin() + static_cast<std::ptrdiff_t>(i / N * N);
      ASSERT_EQ(out[i], std::accumulate(first, first + N, 0)) << device.get_platform_name() << ", " << i;
    }
  }
}
TEST(recorded_parts, devices_get_sub_groups_as_large_as_their_chunks) {
  LANEFOLD_NEED_OPENCL();
  check_large_chunks<32>();
  check_large_chunks<64>();
}

/// What each work-item of a kernel over n items says: its work-group, its sub-group there, its lane, its results.
template <class Kernel, class Check>
void check_by_sub_groups(const Kernel& kernel, const Check& check_one) {
  constexpr std::size_t columns = 6;
  const std::vector<std::int32_t> in = numbers<std::int32_t>();
  for (const gpu::device& device : gpu::devices()) {
    lf::queue q(device);
    std::vector<std::int32_t> out(n * columns);
    {
      lf::buffer<std::int32_t> from(in.data(), lf::range<1>(n)), to(out.data(), lf::range<1>(out.size()));
      q.submit([&](lf::handler& h) {
        const lf::accessor x(from, h, lf::read_only);
        const lf::accessor y(to, h, lf::write_only, lf::no_init);
        h.parallel_for(lf::nd_range<1>(n, local), [=](auto it) {
          const auto i = it.get_global_id(0);
          const auto sg = it.get_sub_group();
          const auto put = [&](std::size_t column, const auto& v) {
            y[i * columns + column] = lf::convert<std::int32_t>(v);
          };
          put(0, sg.get_group_linear_id());
          put(1, sg.get_local_linear_id());
          kernel(sg, it.var(x[i]), [&](std::size_t column, const auto& v) { put(2 + column, v); });
        });
      });
    }
    std::map<std::pair<std::size_t, std::int32_t>, std::vector<std::size_t>> sub_groups; // items by lane
    for (std::size_t i = 0; i < n; ++i) {
      auto& items = sub_groups[{i / local, out[i * columns]}];
      items.resize(std::max(items.size(), static_cast<std::size_t>(out[i * columns + 1]) + 1), n);
      items[static_cast<std::size_t>(out[i * columns + 1])] = i;
    }
    for (const auto& [key, items] : sub_groups) {
      for (const bool yes : {true, false}) {
        std::vector<std::size_t> part;
        std::copy_if(items.begin(), items.end(), std::back_inserter(part),
                     [&](std::size_t i) { return (in[i] % 3 == 0) == yes; });
        for (std::size_t position = 0; position < part.size(); ++position) {
          check_one(in, items, part, position, &out[part[position] * columns + 2], device.get_platform_name());
        }
      }
    }
  }
}

TEST(recorded_parts, places_and_results_of_fragments) {
  LANEFOLD_NEED_OPENCL();
  check_by_sub_groups(
      [](const auto& sg, const auto& x, const auto& put) {
        const auto part = lf::binary_partition(sg, x % 3 == 0);
        put(0, part.get_local_linear_id());
        put(1, part.get_local_linear_range());
        put(2, lf::reduce_over_group(part, x, lf::plus<>()));
        put(3, lf::exclusive_scan_over_group(part, x, 10, lf::plus<>()));
      },
      [](const auto& in, const auto&, const auto& part, std::size_t position, const std::int32_t* found,
         const std::string& who) {
        std::int32_t sum = 0, before = 10;
        for (std::size_t k = 0; k < part.size(); ++k) {
          sum += in[part[k]];
          before += k < position ? in[part[k]] : 0;
        }
        ASSERT_EQ(found[0], static_cast<std::int32_t>(position)) << who;
        ASSERT_EQ(found[1], static_cast<std::int32_t>(part.size())) << who;
        ASSERT_EQ(found[2], sum) << who;
        ASSERT_EQ(found[3], before) << who;
      });
  check_by_sub_groups(
      [](const auto& sg, const auto& x, const auto& put) {
        const auto part = lf::binary_partition(sg, x % 3 == 0);
        put(0, lf::reduce_over_group(part, x, last_of_two));
        put(1, lf::exclusive_scan_over_group(part, x, -1, last_of_two));
        put(2, lf::group_broadcast(part, x));
        put(3, lf::sort_over_group(part, x, [](auto a, auto b) { return a > b; }));
      },
      [](const auto& in, const auto&, const auto& part, std::size_t position, const std::int32_t* found,
         const std::string& who) {
        std::vector<std::int32_t> sorted;
        for (const std::size_t i : part) {
          sorted.push_back(in[i]);
        }
        std::sort(sorted.begin(), sorted.end(), std::greater<>());
        ASSERT_EQ(found[0], in[part.back()]) << who;
        ASSERT_EQ(found[1], position == 0 ? -1 : in[part[position - 1]]) << who;
        ASSERT_EQ(found[2], in[part[0]]) << who;
        ASSERT_EQ(found[3], sorted[position]) << who;
      });
  check_by_sub_groups(
      [](const auto& sg, const auto& x, const auto& put) {
        const auto part = lf::binary_partition(sg, x % 3 == 0);
        put(0, lf::shift_group_left(part, x));
        put(1, lf::select(lf::any_of_group(part, x > 50), 1, 0));
        put(2, lf::select(lf::all_of_group(part, x < 50), 1, 0));
        put(3, part.get_group_linear_id());
      },
      [](const auto& in, const auto&, const auto& part, std::size_t position, const std::int32_t* found,
         const std::string& who) {
        const auto large = std::count_if(part.begin(), part.end(), [&](std::size_t i) { return in[i] > 50; });
        const auto small = std::count_if(part.begin(), part.end(), [&](std::size_t i) { return in[i] < 50; });
        if (position + 1 < part.size()) {
          ASSERT_EQ(found[0], in[part[position + 1]]) << who;
        }
        ASSERT_EQ(found[1], large != 0 ? 1 : 0) << who;
        ASSERT_EQ(found[2], static_cast<std::size_t>(small) == part.size() ? 1 : 0) << who;
        ASSERT_EQ(found[3], in[part[0]] % 3 == 0 ? 1 : 0) << who;
      });
}

TEST(recorded_parts, ballots) {
  LANEFOLD_NEED_OPENCL();
  const auto bits_of = [](const auto& in, const auto& items) {
    std::uint32_t bits = 0;
    for (std::size_t lane = 0; lane < items.size(); ++lane) {
      bits |= in[items[lane]] > 20 ? 1U << lane : 0U;
    }
    return bits;
  };
  check_by_sub_groups(
      [](const auto& sg, const auto& x, const auto& put) {
        const auto mask = lf::group_ballot(sg, x > 20);
        put(0, mask.count());
        put(1, mask.find_low()[0]);
        put(2, mask.find_high()[0]);
        put(3, lf::select(mask.any(), 1, 0) + lf::select(mask.all(), 2, 0) + lf::select(mask.none(), 4, 0));
      },
      [bits_of](const auto& in, const auto& items, const auto&, std::size_t, const std::int32_t* found,
                const std::string& who) {
        const std::uint32_t bits = bits_of(in, items);
        const int count = std::popcount(bits), size = static_cast<int>(items.size());
        ASSERT_EQ(found[0], count) << who;
        ASSERT_EQ(found[1], bits == 0 ? size : std::countr_zero(bits)) << who;
        ASSERT_EQ(found[2], bits == 0 ? size : 31 - std::countl_zero(bits)) << who;
        ASSERT_EQ(found[3], (count != 0 ? 1 : 0) + (count == size ? 2 : 0) + (count == 0 ? 4 : 0)) << who;
      });
}

/// A mask of the kernel's own strategy, on the CPU a plain one, is asked in the same words.
TEST(recorded_parts, bits_of_ballots) {
  LANEFOLD_NEED_OPENCL();
  const std::vector<std::int32_t> in = numbers<std::int32_t>();
  for (const gpu::device& device : gpu::devices()) {
    lf::queue q(device);
    std::vector<std::int32_t> out(3 * n);
    {
      lf::buffer<std::int32_t> from(in.data(), lf::range<1>(n)), to(out.data(), lf::range<1>(3 * n));
      q.submit([&](lf::handler& h) {
        const lf::accessor x(from, h, lf::read_only);
        const lf::accessor y(to, h, lf::write_only, lf::no_init);
        h.parallel_for(lf::nd_range<1>(n, 8), [=](auto it) {
          const auto i = it.get_global_id(0);
          const auto mask = lf::group_ballot(it.get_sub_group(), x[i] > 20);
          if constexpr (!std::is_same_v<std::remove_const_t<decltype(mask)>, lf::sub_group_mask>) {
            auto bits = it.var(std::uint8_t(0));
            (mask ^ lf::group_ballot(it.get_sub_group(), x[i] > 40)).extract_bits(bits, 2);
            y[i] = lf::convert<std::int32_t>(bits);
            y[i + n] = lf::select(mask[3], 1, 0);
            y[i + 2 * n] = lf::select((~mask).test(100), 1, 0);
          }
        });
      });
    }
    for (std::size_t i = 0; i < n; ++i) {
      std::int32_t bits = 0;
      for (std::size_t lane = 2; lane < 8; ++lane) {
        const std::int32_t x = in[i / 8 * 8 + lane];
        bits |= x > 20 && x <= 40 ? 1 << (lane - 2) : 0;
      }
      ASSERT_EQ(out[i], bits) << device.get_platform_name() << ", " << i;
      ASSERT_EQ(out[i + n], in[i / 8 * 8 + 3] > 20 ? 1 : 0) << device.get_platform_name() << ", " << i;
      ASSERT_EQ(out[i + 2 * n], 0) << device.get_platform_name() << ", " << i;
    }
  }
}

/// Knows two arrays of the host, which nobody reads.
class two_arrays final : public lf::detail::memory_map {
public:
  static constexpr std::size_t size = 64;
  place place_of(const void* pointer, bool) override { return {true, false, pointer == in.data() ? 0U : 1U, 0}; }
  place find(const void*, bool) override { return {}; }

  std::array<std::int32_t, size> in{}, out{};
};

/// Records a sort for a device that is no GPU, or as if it were one.
std::string text_of_sort(bool unrolls) {
  two_arrays memory;
  lf::detail::recorder r(memory);
  if (unrolls) {
    r.unroll_algorithms();
  }
  const lf::group<1, lf::recorded> g({&r, lf::nd_range<1>(two_arrays::size, two_arrays::size)});
  const lf::view<const std::int32_t> x(memory.in.data(), two_arrays::size);
  const lf::view<std::int32_t> y(memory.out.data(), two_arrays::size);
  y[g.get_local_id()] = lf::sort_over_group(g, x[g.get_local_id()]);
  return lf::detail::print_recorded(r, {"sort", {two_arrays::size, 1, 1}, 0, 2});
}

/// GPUs get the steps of a sort, other devices loops over them.
TEST(recorded_parts, sorts_are_unrolled_for_gpus) {
  LANEFOLD_NEED_OPENCL();
  const std::string steps = text_of_sort(true), loops = text_of_sort(false);
  EXPECT_EQ(steps.find("for ("), std::string::npos);
  EXPECT_NE(loops.find("for ("), std::string::npos);
  constexpr std::size_t size = two_arrays::size;
  const std::vector<std::int32_t> in = numbers<std::int32_t>(size);
  std::vector<std::int32_t> sorted = in, found(size);
  std::sort(sorted.begin(), sorted.end());
  gpu::build_options options;
  options.work_group = {size, 1, 1};
  for (const gpu::device& device : gpu::devices()) {
    for (const std::string& text : {steps, loops}) {
      gpu::queue q(device, lf::property::queue::in_order());
      const gpu::buffer<std::int32_t> from(q, size), to(q, size);
      q.copy(in.data(), from, size);
      q.launch(gpu::kernel(text, "sort", options), lf::nd_range<1>(size, size), from, to);
      q.copy(to, found.data(), size).wait();
      EXPECT_EQ(found, sorted) << device.get_platform_name();
    }
  }
}

struct body {
  float mass;
  std::int32_t number;
};

/// Structs by a member, vectors by an element: the other parts go with them.
TEST(recorded_parts, sorts_of_structs_and_vectors) {
  LANEFOLD_NEED_OPENCL();
  const std::vector<float> in = numbers<float>();
  const auto program = [&](lf::queue& q, auto how, lf::buffer<std::int32_t>& out) {
    std::vector<body> bodies(n);
    for (std::size_t i = 0; i < n; ++i) {
      bodies[i] = {in[i] + static_cast<float>(i) / 1024, static_cast<std::int32_t>(i)};
    }
    lf::buffer<body> from(bodies.data(), lf::range<1>(n));
    q.submit([&](lf::handler& h) {
      const lf::accessor x(from, h, lf::read_only);
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::nd_range<1>(n, local), how, [=](auto it) {
        const auto i = it.get_global_id(0);
        const auto mass = lf::member(x, &body::mass)[i];
        const auto number = lf::member(x, &body::number)[i];
        const auto pair = lf::make_vec(it.var(mass), lf::convert<float>(number));
        const auto sorted = lf::sort_over_group(it.get_group(), pair, [](auto a, auto b) { return a.x() < b.x(); });
        y[i] = lf::convert<std::int32_t>(sorted.y());
      });
    });
  };
  expect_same_everywhere<std::int32_t>(n, program);
  for (const gpu::device& device : gpu::devices()) {
    lf::queue q(device);
    std::vector<body> bodies(n);
    for (std::size_t i = 0; i < n; ++i) {
      bodies[i] = {in[i] + static_cast<float>(i) / 1024, static_cast<std::int32_t>(i)};
    }
    std::vector<body> found(n);
    {
      lf::buffer<body> from(bodies.data(), lf::range<1>(n)), to(found.data(), lf::range<1>(n));
      q.submit([&](lf::handler& h) {
        const lf::accessor x(from, h, lf::read_only);
        const lf::accessor y(to, h, lf::write_only, lf::no_init);
        h.parallel_for(lf::nd_range<1>(n, local), [=](auto it) {
          const auto i = it.get_global_id(0);
          y[i] = lf::sort_over_group(it.get_group(), x[i], [](auto a, auto b) {
            return lf::member(a, &body::mass) < lf::member(b, &body::mass);
          });
        });
      });
    }
    for (std::size_t g = 0; g < n; g += local) {
      const auto first = bodies.begin() + static_cast<std::ptrdiff_t>(g);
      std::sort(first, first + local, [](const body& a, const body& b) { return a.mass < b.mass; });
    }
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(found[i].number, bodies[i].number) << device.get_platform_name() << ", " << i;
    }
  }
}

TEST(recorded_parts, joint_sorts) {
  LANEFOLD_NEED_OPENCL();
  const std::vector<std::int32_t> in = numbers<std::int32_t>();
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{77}, n}) {
    expect_same_everywhere<std::int32_t>(n, [&](lf::queue& q, auto how, lf::buffer<std::int32_t>& out) {
      q.submit([&](lf::handler& h) { h.copy(in.data(), lf::accessor(out, h, lf::write_only, lf::no_init)); });
      q.submit([&](lf::handler& h) {
        const lf::accessor y(out, h, lf::read_write);
        h.parallel_for(lf::nd_range<1>(local, local), how,
                       [=](auto it) { lf::joint_sort(it.get_group(), &y[0], &y[0] + length); });
      });
    });
  }
  expect_same_everywhere<std::int32_t>(n, [&](lf::queue& q, auto how, lf::buffer<std::int32_t>& out) {
    q.submit([&](lf::handler& h) { h.copy(in.data(), lf::accessor(out, h, lf::write_only, lf::no_init)); });
    q.submit([&](lf::handler& h) {
      const lf::accessor y(out, h, lf::read_write);
      h.parallel_for(lf::nd_range<1>(n / 2, local), how, [=](auto it) {
        const auto first = &y[0] + it.get_group(0) * (2 * local);
        lf::joint_sort(it.get_group(), first, first + 2 * local, std::greater<>());
      });
    });
  });
}

TEST(recorded_parts, loads_and_stores) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t each = 3;
  const std::vector<std::int32_t> in = numbers<std::int32_t>();
  const auto program = [&](auto to_groups, lf::queue& q, auto how, lf::buffer<std::int32_t>& out) {
    lf::buffer<std::int32_t> from(in.data(), lf::range<1>(n));
    q.submit([&](lf::handler& h) {
      const lf::accessor x(from, h, lf::read_only);
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::nd_range<1>(n / each, n / each / 2), how, [=](auto it) {
        const auto g = it.get_group();
        const auto first = it.get_group(0) * (n / 2);
        to_groups(g, &x[0], &y[0], first);
      });
    });
  };
  expect_same_everywhere<std::int32_t>(n, [&](lf::queue& q, auto how, lf::buffer<std::int32_t>& out) {
    program(
        [](const auto& g, const auto& x, const auto& y, const auto& first) {
          const auto values = lf::group_load<each>(g, x, first);
          lf::group_store<lf::data_placement::striped>(g, values, y, first);
        },
        q, how, out);
  });
  expect_same_everywhere<std::int32_t>(n, [&](lf::queue& q, auto how, lf::buffer<std::int32_t>& out) {
    program(
        [](const auto& g, const auto& x, const auto& y, const auto& first) {
          lf::group_store(g, lf::group_load<each, lf::data_placement::striped>(g, x, first), y, first);
        },
        q, how, out);
  });
}

TEST(recorded_parts, scoped_groups_sort_load_and_store) {
  LANEFOLD_NEED_OPENCL();
  const std::vector<std::int32_t> in = numbers<std::int32_t>();
  expect_same_everywhere<std::int32_t>(local, [&](lf::queue& q, auto how, lf::buffer<std::int32_t>& out) {
    lf::buffer<std::int32_t> from(in.data(), lf::range<1>(local));
    q.submit([&](lf::handler& h) {
      const lf::accessor x(from, h, lf::read_only);
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      h.parallel(lf::range<1>(1), lf::range<1>(local), how, [=](auto group) {
        lf::memory_environment(group, lf::require_private_mem<std::int32_t>(), [&](auto& values) {
          lf::group_load(group, &x[0], values);
          lf::sort_over_group(group, values);
          lf::group_store(group, values, &y[0]);
        });
      });
    });
  });
}

TEST(recorded_parts, divergent_code_is_refused) {
  LANEFOLD_NEED_OPENCL();
  lf::queue q(gpu::devices().front());
  lf::buffer<std::int32_t> out{lf::range<1>(n)};
  EXPECT_EQ(code_thrown_by([&] {
              q.submit([&](lf::handler& h) {
                const lf::accessor y(out, h, lf::write_only);
                h.parallel_for(lf::nd_range<1>(n, local), [=](auto it) {
                  const auto i = it.get_global_id(0);
                  it.if_(i < std::size_t(3), [&] {
                    y[i] = lf::reduce_over_group(lf::chunked_partition<4>(it.get_sub_group()), it.var(1), lf::plus<>());
                  });
                });
              });
              q.wait_and_throw();
            }),
            lf::errc::kernel);
  EXPECT_EQ(code_thrown_by([&] {
              q.submit([&](lf::handler& h) {
                const lf::accessor y(out, h, lf::write_only);
                h.parallel_for(lf::nd_range<1>(n, local), [=](auto it) {
                  y[it.get_global_id(0)] =
                      lf::group_broadcast(lf::chunked_partition<4>(it.get_sub_group()), it.var(1), 4);
                });
              });
              q.wait_and_throw();
            }),
            lf::errc::invalid);
}

} // namespace
