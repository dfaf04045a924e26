// SPDX-License-Identifier: Apache-2.0
// Joint algorithms of recorded kernels, over arrays in global and in local memory, of work-groups and scoped groups.
#include "testing.hpp"

#include <cstdint>

namespace {

using namespace recorded_testing;

constexpr std::size_t groups = 3, length = 150, local = 32, n = groups * length;

template <class T>
std::vector<T> numbers() {
  std::vector<T> all(n);
  for (std::size_t i = 0; i < n; ++i) {
    all[i] = static_cast<T>(static_cast<int>(i * 37 % 101) - 40);
  }
  return all;
}

/// kernel(item, in, out, array): each group has `length` elements of both; out is the address of those of `array`.
template <class T, class Kernel>
void check(Kernel kernel, double tolerance = 0) {
  const std::vector<T> in = numbers<T>();
  expect_same_everywhere<T>(
      n,
      [&](lf::queue& q, auto how, lf::buffer<T>& out) {
        lf::buffer<T> in_buffer(in.data(), lf::range<1>(n));
        q.submit([&](lf::handler& h) {
          const lf::accessor x(in_buffer, h, lf::read_only);
          const lf::accessor y(out, h, lf::read_write);
          h.parallel_for(lf::nd_range<1>(groups * local, local), how, [=](auto it) {
            const auto first = it.get_group(0) * length;
            kernel(it, &x[0] + first, &y[0] + first, y);
          });
        });
      },
      tolerance);
}

/// Is associative, does not commute, and has no identity.
const auto last_of_two = [](auto, auto b) { return b; };

/// One item of a group writes its results.
const auto write = [](const auto& it, const auto& y, std::size_t at, const auto& value) {
  it.if_(it.get_local_id(0) == std::size_t(0), [&] { y[it.get_local_id(0) + it.get_group(0) * length + at] = value; });
};

TEST(recorded_joint, reductions) {
  LANEFOLD_NEED_OPENCL();
  check<std::int32_t>(
      [](const auto& it, const auto& x, [[maybe_unused]] const auto& y, [[maybe_unused]] const auto& all) {
        const auto g = it.get_group();
        write(it, all, 0, lf::joint_reduce(g, x, x + length, lf::plus<>()));
        write(it, all, 1, lf::joint_reduce(g, x, x + length, 1000, lf::plus<>()));
        write(it, all, 2, lf::joint_reduce(g, x, x + 7, lf::maximum<>()));
        write(it, all, 3, lf::joint_reduce(g, x, x, lf::plus<>()));
        write(it, all, 4, lf::joint_reduce(g, x + 1, x + length, last_of_two));
        write(it, all, 5, lf::joint_reduce(g, x, x + length, 5, last_of_two));
        write(it, all, 6, lf::joint_reduce(g, x, x, 5, last_of_two));
      });
  check<float>(
      [](const auto& it, const auto& x, [[maybe_unused]] const auto& y, [[maybe_unused]] const auto& all) {
        write(it, all, 0, lf::joint_reduce(it.get_group(), x, x + length, lf::plus<>()));
        write(it, all, 1, lf::joint_reduce(it.get_group(), x, x + length, 2.5F, lf::plus<>()));
      },
      1e-5);
}

TEST(recorded_joint, scans) {
  LANEFOLD_NEED_OPENCL();
  check<std::int32_t>(
      [](const auto& it, const auto& x, [[maybe_unused]] const auto& y, [[maybe_unused]] const auto& all) {
        lf::joint_inclusive_scan(it.get_group(), x, x + length, y, lf::plus<>());
      });
  check<std::int32_t>(
      [](const auto& it, const auto& x, [[maybe_unused]] const auto& y, [[maybe_unused]] const auto& all) {
        lf::joint_exclusive_scan(it.get_group(), x, x + length, y, 7, lf::plus<>());
        lf::joint_inclusive_scan(it.get_group(), y, y + length, y, lf::maximum<>(), 20); // in its place
      });
  check<std::int32_t>(
      [](const auto& it, const auto& x, [[maybe_unused]] const auto& y, [[maybe_unused]] const auto& all) {
        lf::joint_exclusive_scan(it.get_group(), x, x + length, y, lf::plus<>());
      });
  check<std::uint32_t>(
      [](const auto& it, const auto& x, [[maybe_unused]] const auto& y, [[maybe_unused]] const auto& all) {
        lf::joint_inclusive_scan(it.get_group(), x, x + length, y, last_of_two);
      });
  check<std::uint32_t>(
      [](const auto& it, const auto& x, [[maybe_unused]] const auto& y, [[maybe_unused]] const auto& all) {
        lf::joint_exclusive_scan(it.get_group(), x, x + length, y, 3U, last_of_two);
      });
}

TEST(recorded_joint, votes_and_loops) {
  LANEFOLD_NEED_OPENCL();
  check<std::int32_t>([](const auto& it, const auto& x, [[maybe_unused]] const auto& y,
                         [[maybe_unused]] const auto& all) {
    const auto g = it.get_group();
    write(it, all, 0, lf::select(lf::joint_any_of(g, x, x + length, [](auto e) { return e == 60; }), 1, 2));
    write(it, all, 1, lf::select(lf::joint_all_of(g, x, x + length, [](auto e) { return e < 60; }), 1, 2));
    write(it, all, 2, lf::select(lf::joint_none_of(g, x, x + length, [](auto e) { return e > 100; }), 1, 2));
    lf::joint_for(g, 3, length, [&](auto i) { all[i + it.get_group(0) * length] = lf::convert<std::int32_t>(i) * 2; });
  });
}

/// Arrays in local memory, which the work-items have just written; sub-groups.
TEST(recorded_joint, local_memory_and_sub_groups) {
  LANEFOLD_NEED_OPENCL();
  expect_same_everywhere<std::int32_t>(n, [&](lf::queue& q, auto how, lf::buffer<std::int32_t>& out) {
    q.submit([&](lf::handler& h) {
      const lf::accessor y(out, h, lf::read_write);
      const lf::local_accessor<std::int32_t> tile(local, h);
      h.parallel_for(lf::nd_range<1>(groups * local, local), how, [=](auto it) {
        const auto l = it.get_local_id(0);
        const auto i = it.get_global_id(0);
        tile[l] = lf::convert<std::int32_t>(i) * 3;
        const auto sum = lf::joint_reduce(it.get_group(), &tile[0], &tile[0] + local, lf::plus<>());
        lf::joint_inclusive_scan(it.get_group(), &tile[0], &tile[0] + local, &tile[0], lf::plus<>());
        const auto most = lf::joint_reduce(it.get_sub_group(), &tile[0], &tile[0] + local, lf::maximum<>());
        y[i] = tile[l] - sum + most;
      });
    });
  });
}

TEST(recorded_joint, scoped_groups) {
  LANEFOLD_NEED_OPENCL();
  const auto in = numbers<std::int32_t>();
  expect_same_everywhere<std::int32_t>(n, [&](lf::queue& q, auto how, lf::buffer<std::int32_t>& out) {
    lf::buffer<std::int32_t> in_buffer(in.data(), lf::range<1>(n));
    q.submit([&](lf::handler& h) {
      const lf::accessor x(in_buffer, h, lf::read_only);
      const lf::accessor y(out, h, lf::read_write);
      h.parallel(lf::range<1>(groups), lf::range<1>(local), how, [=](auto group) {
        const auto first = &x[0] + group.get_group_id(0) * length;
        lf::joint_inclusive_scan(group, first, first + length, &y[0] + group.get_group_id(0) * length, lf::plus<>());
        const auto sum = lf::joint_reduce(group, first, first + length, lf::plus<>());
        lf::single_item(group, [&] { y[group.get_group_id(0) * length] = sum; });
      });
    });
  });
}

struct scored {
  float score;
  std::int32_t place;
};

TEST(recorded_joint, vectors_and_structs) {
  LANEFOLD_NEED_OPENCL();
  using V = lf::vec<std::int32_t, 2>;
  const auto in = numbers<std::int32_t>();
  std::vector<V> vectors(n);
  std::vector<scored> structs(n);
  for (std::size_t i = 0; i < n; ++i) {
    vectors[i] = V(in[i], static_cast<std::int32_t>(i % 7));
    structs[i] = {static_cast<float>(in[i]), static_cast<std::int32_t>(i)};
  }
  expect_same_everywhere<std::int32_t>(3 * n, [&](lf::queue& q, auto how, lf::buffer<std::int32_t>& out) {
    lf::buffer<V> v_buffer(vectors.data(), lf::range<1>(n)), scan_buffer{lf::range<1>(n)};
    lf::buffer<scored> s_buffer(structs.data(), lf::range<1>(n)), least_buffer{lf::range<1>(n)};
    q.submit([&](lf::handler& h) {
      const lf::accessor v(v_buffer, h, lf::read_only);
      const lf::accessor s(s_buffer, h, lf::read_only);
      const lf::accessor scan(scan_buffer, h, lf::write_only, lf::no_init);
      const lf::accessor least(least_buffer, h, lf::write_only, lf::no_init);
      const lf::accessor y(out, h, lf::write_only);
      const V init(3, 5);
      h.parallel_for(lf::nd_range<1>(groups * local, local), how, [=](auto it) {
        const auto g = it.get_group();
        const auto first = it.get_group(0) * length;
        const auto from = &v[0] + first, behind = &v[0] + first + length;
        const auto lesser = [](auto a, auto b) {
          return lf::select(lf::member(a, &scored::score) <= lf::member(b, &scored::score), a, b);
        };
        const auto ends = [](auto a, auto b) { return lf::make_vec(a.x(), b.y()); };
        const auto sum = it.var(lf::joint_reduce(g, from, behind, lf::plus<>()));
        const auto more = it.var(lf::joint_reduce(g, from, behind, init, lf::maximum<>()));
        const auto last = it.var(lf::joint_reduce(g, from, behind, init, ends));
        const auto best = it.var(lf::joint_reduce(g, &s[0] + first, &s[0] + first + length, lesser));
        write(it, y, 0, sum.x() + sum.y() * 1000);
        write(it, y, 1, more.x() + more.y() * 1000);
        write(it, y, 2, last.x() + last.y() * 1000);
        write(it, y, 3, lf::member(best, &scored::place));
        write(it, y, 4, lf::select(lf::joint_any_of(g, from, behind, [](auto e) { return e.x() == 60; }), 1, 2));
        lf::joint_exclusive_scan(g, from, behind, &scan[0] + first, init, lf::plus<>());
        lf::joint_inclusive_scan(g, &s[0] + first, &s[0] + first + length, &least[0] + first, lesser);
      });
    });
    q.submit([&](lf::handler& h) {
      const lf::accessor scan(scan_buffer, h, lf::read_only);
      const lf::accessor least(least_buffer, h, lf::read_only);
      const lf::accessor y(out, h, lf::write_only);
      h.parallel_for(lf::range<1>(n), how, [=](auto it) {
        const auto i = it.get_id(0);
        y[i + n] = scan[i].x() + scan[i].y() * 1000;
        y[i + 2 * n] = lf::member(least, &scored::place)[i];
      });
    });
  });
}

} // namespace
