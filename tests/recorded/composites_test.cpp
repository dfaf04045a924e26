// SPDX-License-Identifier: Apache-2.0
// Vectors and structs of recorded kernels: whole ones in buffers, local memory and variables; their elements and
// members.
#include "testing.hpp"

#include <cstdint>

namespace {

using namespace recorded_testing;

constexpr std::size_t n = 128;

template <class T, int M>
std::vector<lf::vec<T, M>> vectors() {
  std::vector<lf::vec<T, M>> all(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < M; ++k) {
      all[i][k] = static_cast<T>(static_cast<int>(i * 7 % 31) + 3 * k - 9);
    }
  }
  return all;
}

template <class T, int M>
void check_vectors() {
  const auto in = vectors<T, M>();
  const lf::vec<T, M> captured(T(3));
  expect_same_everywhere<T>(6 * n, [&](lf::queue& q, auto how, lf::buffer<T>& out) {
    lf::buffer<lf::vec<T, M>> x_buffer(in.data(), lf::range<1>(n)), z_buffer{lf::range<1>(n)};
    q.submit([&](lf::handler& h) {
      const lf::accessor x(x_buffer, h, lf::read_only);
      const lf::accessor z(z_buffer, h, lf::write_only, lf::no_init);
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      const lf::local_accessor<lf::vec<T, M>> tile(32, h);
      h.parallel_for(lf::nd_range<1>(n, 32), how, [=](auto it) {
        const auto i = it.get_global_id(0);
        const auto l = it.get_local_id(0);
        tile[l] = x[i];
        lf::group_barrier(it.get_group());
        const auto other = tile[31U - l];
        auto v = it.var(x[i] + other * T(2) - captured);
        it.if_(x[i].x() > T(5), [&] { v += other; });
        it.for_(0, 3, [&](auto) { v = v - x[i]; });
        const auto less = x[i] < other;
        y[i] = v.x();
        y[i + n] = v[M - 1];
        y[i + 2 * n] = lf::convert<T>(less.y());
        const auto swapped = v.template swizzle<1, 0>();
        y[i + 3 * n] = swapped.x() - swapped.y();
        const auto made = lf::make_vec(v.y(), x[i].x());
        z[i] = lf::select(x[i].x() > other.x(), x[i], other);
        y[i + 4 * n] = made.x() * made.y();
        z[i] = -x[i];
        y[i + 5 * n] = (captured * x[i]).y();
      });
    });
    q.submit([&](lf::handler& h) {
      const lf::accessor z(z_buffer, h, lf::read_only);
      const lf::accessor y(out, h, lf::read_write);
      h.parallel_for(lf::range<1>(n), how, [=](auto it) {
        const auto i = it.get_id(0);
        y[i] += z[i].x() * T(5) + z[i][M - 1];
      });
    });
  });
}

TEST(recorded_composites, vectors) {
  LANEFOLD_NEED_OPENCL();
  check_vectors<float, 4>();
  check_vectors<float, 3>();
  check_vectors<std::int32_t, 2>();
  check_vectors<double, 2>();
}

/// Functions of vectors: element by element, also beside numbers.
TEST(recorded_composites, functions_of_vectors) {
  LANEFOLD_NEED_OPENCL();
  const auto in = vectors<float, 3>();
  const lf::vec<float, 3> captured(0.5F, 2, -1);
  expect_same_everywhere<float>(
      12 * n,
      [&](lf::queue& q, auto how, lf::buffer<float>& out) {
        lf::buffer<lf::vec<float, 3>> x_buffer(in.data(), lf::range<1>(n));
        q.submit([&](lf::handler& h) {
          const lf::accessor x(x_buffer, h, lf::read_only);
          const lf::accessor y(out, h, lf::write_only, lf::no_init);
          h.parallel_for(lf::range<1>(n), how, [=](auto it) {
            const auto i = it.get_id(0);
            auto v = it.var(x[i]);
            const auto root = lf::sqrt(lf::fabs(v));
            const auto sum = lf::fma(x[i], captured, root);
            const auto cut = lf::clamp(x[i], -1.F, 4.F);
            const auto more = lf::max(lf::min(x[i], captured), lf::fmin(root, 3.F));
            const auto flags = lf::isgreater(x[i], captured);
            for (int k = 0; k < 3; ++k) {
              const auto at = i + static_cast<std::size_t>(k) * n;
              y[at] = sum[k];
              y[at + 3 * n] = cut[k] + lf::abs(v)[k];
              y[at + 6 * n] = more[k] + lf::pow(root, captured)[k];
              y[at + 9 * n] = lf::convert<float>(flags[k]) + lf::convert<float>(lf::isnan(root)[k]);
            }
          });
        });
      },
      1e-5);
}

TEST(recorded_composites, geometric_functions) {
  LANEFOLD_NEED_OPENCL();
  const auto in = vectors<float, 3>();
  const lf::vec<float, 3> captured(0.5F, 2, -1);
  expect_same_everywhere<float>(
      4 * n,
      [&](lf::queue& q, auto how, lf::buffer<float>& out) {
        lf::buffer<lf::vec<float, 3>> x_buffer(in.data(), lf::range<1>(n));
        q.submit([&](lf::handler& h) {
          const lf::accessor x(x_buffer, h, lf::read_only);
          const lf::accessor y(out, h, lf::write_only, lf::no_init);
          h.parallel_for(lf::range<1>(n), how, [=](auto it) {
            const auto i = it.get_id(0);
            const auto v = it.var(x[i]);
            y[i] = lf::dot(v, captured) + lf::length(x[i]);
            y[i + n] = lf::distance(x[i], captured);
            y[i + 2 * n] = lf::normalize(v + captured).y();
            const auto normal = lf::cross(v, captured);
            y[i + 3 * n] = normal.x() + normal.y() * 2.F + normal.z() * 3.F;
          });
        });
      },
      1e-5);
}

/// Group algorithms on vectors, by the operators of the library, and exchange of vectors and structs.
TEST(recorded_composites, group_algorithms_on_vectors) {
  LANEFOLD_NEED_OPENCL();
  const auto in = vectors<std::int32_t, 4>();
  expect_same_everywhere<std::int32_t>(7 * n, [&](lf::queue& q, auto how, lf::buffer<std::int32_t>& out) {
    using V = lf::vec<std::int32_t, 4>;
    lf::buffer<V> x_buffer(in.data(), lf::range<1>(n));
    q.submit([&](lf::handler& h) {
      const lf::accessor x(x_buffer, h, lf::read_only);
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::nd_range<1>(n, 32), how, [=](auto it) {
        const auto g = it.get_group();
        const auto sub_group = it.get_sub_group();
        const auto i = it.get_global_id(0);
        const V init(1, 2, 3, 4);
        auto v = it.var(x[i]);
        const auto sum = it.var(lf::reduce_over_group(g, v, lf::plus<>()));
        const auto from = it.var(lf::reduce_over_group(g, x[i], init, lf::plus<V>()));
        const auto before = lf::exclusive_scan_over_group(g, v, lf::plus<>());
        const auto behind = lf::inclusive_scan_over_group(g, v, lf::plus<>(), init);
        const auto after = lf::exclusive_scan_over_group(g, v, init, lf::bit_xor<>());
        const auto third = it.var(lf::group_broadcast(g, v, 3));
        y[i] = sum.x() * 3 + sum.w();
        y[i + n] = from.y() - from.z();
        y[i + 2 * n] = before.x() + before.w() * 5;
        y[i + 3 * n] = behind.x() + behind.w() * 5;
        y[i + 4 * n] = after.x() + after.w() * 5;
        y[i + 5 * n] = third.x() + third.w() * 5;
        const auto mine = it.var(lf::select_from_group(sub_group, v, sub_group.get_local_id()));
        const auto same = it.var(lf::permute_group_by_xor(sub_group, v, 0));
        y[i + 6 * n] = mine.x() - same.z();
        const auto whole = lf::inclusive_scan_over_group(g, v, lf::plus<>());
        it.if_(it.get_local_id(0) == 31U, [&] { y[i + 6 * n] = whole.y(); });
      });
    });
  });
}

struct body {
  double mass;
  float x, y;
  std::int32_t hits;
  std::uint8_t kind, flag;
  std::int16_t charge;
};
struct pixel {
  std::uint8_t r, g, b;
};

std::vector<body> bodies() {
  std::vector<body> all(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto number = static_cast<int>(i);
    all[i] = {number * 0.25,
              static_cast<float>(number) - 7,
              2,
              number * 3,
              static_cast<std::uint8_t>(number),
              1,
              static_cast<std::int16_t>(-number)};
  }
  return all;
}

struct found {
  float value;
  std::int32_t place;
};

/// Operators of the program's on vectors and structs: the least with its place, and products of matrices of 2 x 2,
/// which do not commute.
template <class Group>
void check_operators(std::size_t local, Group group_of) {
  constexpr std::size_t items = 96;
  const auto in = vectors<std::uint32_t, 4>();
  std::vector<found> values(items);
  for (std::size_t i = 0; i < items; ++i) {
    values[i] = {static_cast<float>(i * 37 % 101), static_cast<std::int32_t>(i)};
  }
  expect_same_everywhere<std::uint32_t>(6 * items, [&](lf::queue& q, auto how, lf::buffer<std::uint32_t>& out) {
    using V = lf::vec<std::uint32_t, 4>;
    lf::buffer<V> v_buffer(in.data(), lf::range<1>(items));
    lf::buffer<found> x_buffer(values.data(), lf::range<1>(items));
    q.submit([&](lf::handler& h) {
      const lf::accessor v(v_buffer, h, lf::read_only);
      const lf::accessor x(x_buffer, h, lf::read_only);
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      const found most{200, -1}, least{20, -2};
      h.parallel_for(lf::nd_range<1>(items, local), how, [=](auto it) {
        const auto i = it.get_global_id(0);
        const auto g = group_of(it);
        const auto lesser = [](auto a, auto b) {
          return lf::select(lf::member(a, &found::value) <= lf::member(b, &found::value), a, b);
        };
        const auto put_place = [&](std::size_t column, const auto& one) {
          y[i + column * items] = lf::convert<std::uint32_t>(lf::member(one, &found::place));
        };
        put_place(0, it.var(lf::reduce_over_group(g, x[i], lesser)));
        put_place(1, it.var(lf::reduce_over_group(g, x[i], least, lesser)));
        put_place(2, it.var(lf::exclusive_scan_over_group(g, x[i], most, lesser)));
        const auto product = [](auto a, auto b) {
          return lf::make_vec(a.x() * b.x() + a.y() * b.z(), a.x() * b.y() + a.y() * b.w(),
                              a.z() * b.x() + a.w() * b.z(), a.z() * b.y() + a.w() * b.w());
        };
        const auto put = [&](std::size_t column, const auto& made) {
          y[i + column * items] = made.x() + made.y() * 3U + made.z() * 5U + made.w() * 7U;
        };
        const V init(1, 2, 0, 1);
        put(3, it.var(lf::reduce_over_group(g, v[i], product)));
        put(4, it.var(lf::inclusive_scan_over_group(g, v[i], product, init)));
        put(5, it.var(lf::inclusive_scan_over_group(g, v[i], product)));
      });
    });
  });
}

TEST(recorded_composites, operators_of_the_program) {
  LANEFOLD_NEED_OPENCL();
  const auto work_group = [](const auto& it) { return it.get_group(); };
  for (const std::size_t local : {1, 48}) {
    check_operators(local, work_group);
  }
  for (const std::size_t local : {3, 8}) { // work-groups of one sub-group everywhere
    check_operators(local, [](const auto& it) { return it.get_sub_group(); });
  }
  check_operators(8, [](const auto& it) { return lf::chunked_partition<4>(it.get_sub_group()); });
}

TEST(recorded_composites, structs) {
  LANEFOLD_NEED_OPENCL();
  const auto in = bodies();
  expect_same_everywhere<double>(9 * n, [&](lf::queue& q, auto how, lf::buffer<double>& out) {
    lf::buffer<body> x_buffer(in.data(), lf::range<1>(n)), z_buffer{lf::range<1>(n)};
    q.submit([&](lf::handler& h) {
      const lf::accessor x(x_buffer, h, lf::read_only);
      const lf::accessor z(z_buffer, h, lf::read_write, lf::no_init);
      const lf::local_accessor<body> tile(32, h);
      h.parallel_for(lf::nd_range<1>(n, 32), how, [=](auto it) {
        const auto i = it.get_global_id(0);
        const auto l = it.get_local_id(0);
        tile[l] = x[i];
        lf::group_barrier(it.get_group());
        lf::member(tile, &body::y)[l] = lf::member(tile, &body::x)[l] * 0.5F; // after and before whole accesses
        lf::group_barrier(it.get_group());
        auto v = it.var(tile[31U - l]);
        it.if_(lf::member(x, &body::hits)[i] % 2 == 0, [&] { v = x[i]; });
        z[i] = v;
        lf::member(z, &body::hits)[i] += 1;
      });
    });
    q.submit([&](lf::handler& h) {
      const lf::accessor z(z_buffer, h, lf::read_only);
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::nd_range<1>(n, 32), how, [=](auto it) {
        const auto i = it.get_global_id(0);
        y[i] = lf::member(z, &body::mass)[i];
        y[i + n] = lf::convert<double>(lf::member(z, &body::x)[i] + lf::member(z, &body::y)[i]);
        y[i + 2 * n] = lf::convert<double>(lf::member(z, &body::hits)[i]);
        const auto whole = z[i];
        y[i + 3 * n] = lf::member(whole, &body::mass);
        y[i + 4 * n] = lf::convert<double>(lf::member(whole, &body::x));
        y[i + 5 * n] = lf::convert<double>(lf::member(whole, &body::hits));
        y[i + 6 * n] = lf::convert<double>(lf::member(whole, &body::kind));
        y[i + 7 * n] = lf::convert<double>(lf::member(whole, &body::flag));
        y[i + 8 * n] = lf::convert<double>(lf::member(whole, &body::charge));
      });
    });
  });
}

TEST(recorded_composites, structs_of_bytes) {
  LANEFOLD_NEED_OPENCL();
  expect_same_everywhere<int>(n, [&](lf::queue& q, auto how, lf::buffer<int>& out) {
    lf::buffer<pixel> pixels{lf::range<1>(n)};
    const pixel grey{7, 8, 9};
    q.submit([&](lf::handler& h) {
      const lf::accessor p(pixels, h, lf::read_write, lf::no_init);
      h.parallel_for(lf::range<1>(n), how, [=](auto it) {
        const auto i = it.get_id(0);
        p[i] = grey;
        lf::member(p, &pixel::g)[i] = lf::convert<std::uint8_t>(i);
      });
    });
    q.submit([&](lf::handler& h) {
      const lf::accessor p(pixels, h, lf::read_only);
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::range<1>(n), how, [=](auto it) {
        const auto i = it.get_id(0);
        const auto whole = p[i];
        y[i] = lf::convert<int>(lf::member(whole, &pixel::r)) + lf::convert<int>(lf::member(whole, &pixel::b)) * 100 +
               lf::convert<int>(lf::member(p, &pixel::g)[i]) * 10000;
      });
    });
  });
}

} // namespace
