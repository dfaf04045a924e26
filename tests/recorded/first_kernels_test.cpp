// SPDX-License-Identifier: Apache-2.0
// Kernels as somebody writes them who has read the manual: those of docs/tutorial.md and benchmarks/first_kernels, with
// accessors, and `auto` where a value is spelled there.
#include "testing.hpp"

#include <cstdint>

namespace {

using namespace recorded_testing;

template <class T>
std::vector<T> numbers(std::size_t count, unsigned seed = 1) {
  std::vector<T> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i] = static_cast<T>((i * 7919 + seed * 104729) % 1009) / static_cast<T>(std::is_integral_v<T> ? 1 : 8);
  }
  return all;
}

TEST(recorded_first_kernels, sums_of_groups) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t groups = 8, local = 64, n = groups * local;
  const auto in = numbers<float>(n);
  expect_same_everywhere<float>(
      2 * groups,
      [&](lf::queue& q, auto how, lf::buffer<float>& out) {
        lf::buffer<float> in_buffer(in.data(), lf::range<1>(n));
        q.submit([&](lf::handler& h) {
          const lf::accessor x(in_buffer, h, lf::read_only);
          const lf::accessor s(out, h, lf::read_write);
          lf::local_accessor<float> tile(local, h);
          h.parallel_for(lf::nd_range<1>{n, local}, how, [=](auto it) {
            const auto l = it.get_local_id(0);
            const auto group = it.get_group();
            tile[l] = x[it.get_global_id(0)];
            for (std::size_t half = local / 2; half > 0; half /= 2) {
              lf::group_barrier(group);
              it.if_(l < half, [&] { tile[l] += tile[l + half]; });
            }
            it.if_(l == 0, [&] { s[group.get_group_id(0)] = tile[0]; });
          });
        });
        q.submit([&](lf::handler& h) {
          const lf::accessor x(in_buffer, h, lf::read_only);
          const lf::accessor s(out, h, lf::read_write);
          h.parallel_for(lf::nd_range<1>{n, local}, how, [=](auto it) {
            s[it.get_group(0) + groups] = lf::reduce_over_group(it.get_group(), x[it.get_global_id(0)], lf::plus<>());
          });
        });
      },
      1e-5);
}

TEST(recorded_first_kernels, stencil_with_a_tile) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t rows = 32, columns = 48, side = 16;
  const auto before = numbers<float>((rows + 2) * (columns + 2));
  expect_same_everywhere<float>(rows * columns, [&](lf::queue& q, auto how, lf::buffer<float>& out) {
    lf::buffer<float, 2> in_buffer(before.data(), lf::range<2>(rows + 2, columns + 2));
    q.submit([&](lf::handler& h) {
      const lf::accessor u(in_buffer, h, lf::read_only);
      const lf::accessor v(out, h, lf::write_only, lf::no_init);
      lf::local_accessor<float, 2> tile(lf::range<2>(side + 2, side + 2), h);
      h.parallel_for(lf::nd_range<2>({rows, columns}, {side, side}), how, [=](auto it) {
        const auto y = it.get_global_id(0) + 1, x = it.get_global_id(1) + 1;
        const auto row = it.get_local_id(0) + 1, column = it.get_local_id(1) + 1;
        tile[row][column] = u[y][x];
        it.if_(row == 1, [&] { tile[row - 1][column] = u[y - 1][x]; });
        it.if_(row == side, [&] { tile[row + 1][column] = u[y + 1][x]; });
        it.if_(column == 1, [&] { tile[row][column - 1] = u[y][x - 1]; });
        it.if_(column == side, [&] { tile[row][column + 1] = u[y][x + 1]; });
        lf::group_barrier(it.get_group());
        v[(y - 1) * columns + (x - 1)] =
            0.25f * (tile[row - 1][column] + tile[row + 1][column] + tile[row][column - 1] + tile[row][column + 1]);
      });
    });
  });
}

TEST(recorded_first_kernels, compaction) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t groups = 10, local = 64, n = groups * local;
  const auto in = numbers<int>(n);
  expect_same_everywhere<int>(n, [&](lf::queue& q, auto how, lf::buffer<int>& out) {
    lf::buffer<int> in_buffer(in.data(), lf::range<1>(n));
    lf::buffer<unsigned> begin_buffer{lf::range<1>(groups)};
    const lf::nd_range<1> space{n, local};
    q.submit([&](lf::handler& h) {
      const lf::accessor x(in_buffer, h, lf::read_only);
      const lf::accessor begin(begin_buffer, h, lf::write_only, lf::no_init);
      h.parallel_for(space, how, [=](auto it) {
        const auto kept = lf::select(x[it.get_global_id(0)] > 500, 1u, 0u);
        begin[it.get_group(0)] = lf::reduce_over_group(it.get_group(), kept, lf::plus<>());
      });
    });
    {
      const lf::host_accessor begin(begin_buffer);
      for (std::size_t i = 0, before = 0; i < groups; ++i) {
        const unsigned kept = begin[i];
        begin[i] = static_cast<unsigned>(before);
        before += kept;
      }
    }
    q.submit([&](lf::handler& h) {
      const lf::accessor x(in_buffer, h, lf::read_only);
      const lf::accessor begin(begin_buffer, h, lf::read_only);
      const lf::accessor y(out, h, lf::read_write);
      h.parallel_for(space, how, [=](auto it) {
        const auto value = it.var(x[it.get_global_id(0)]);
        const auto keep = value > 500;
        const auto before = lf::exclusive_scan_over_group(it.get_group(), lf::select(keep, 1u, 0u), lf::plus<>());
        it.if_(keep, [&] { y[begin[it.get_group(0)] + before] = value; });
      });
    });
  });
}

/// Ten rounds of Philox 4x32 on four words.
template <class Words>
void philox(Words& a, Words& b, Words& c, Words& d) {
  std::uint32_t key0 = 42, key1 = 7;
  for (int round = 0; round < 10; ++round) {
    const auto high0 = lf::mul_hi(a, 0xD2511F53U), low0 = a * 0xD2511F53U;
    const auto high1 = lf::mul_hi(c, 0xCD9E8D57U), low1 = c * 0xCD9E8D57U;
    a = high1 ^ b ^ key0;
    b = low1;
    c = high0 ^ d ^ key1;
    d = low0;
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
}

TEST(recorded_first_kernels, monte_carlo) {
  LANEFOLD_NEED_OPENCL();
  expect_same_everywhere<std::uint32_t>(256, [](lf::queue& q, auto how, lf::buffer<std::uint32_t>& out) {
    q.submit([&](lf::handler& h) {
      const lf::accessor result(out, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::range<1>(256), how, [=](auto it) {
        const auto in_circle = [](auto x, auto y) {
          const auto a = lf::convert<float>(x >> 8) * 0x1p-24F, b = lf::convert<float>(y >> 8) * 0x1p-24F;
          return lf::select(a * a + b * b < 1.F, 1U, 0U);
        };
        const auto i = it.get_id(0);
        auto hits = it.var(0U);
        for (std::uint32_t k = 0; k < 4; ++k) {
          auto a = it.var(lf::convert<std::uint32_t>(i)), b = it.var(k), c = it.var(0U), d = it.var(0U);
          philox(a, b, c, d);
          hits += in_circle(a, b) + in_circle(c, d);
        }
        result[i] = hits;
      });
    });
  });
}

TEST(recorded_first_kernels, fourier_transforms) {
  LANEFOLD_NEED_OPENCL();
  constexpr unsigned n = 64, half = n / 2;
  constexpr std::size_t count = 4;
  const auto re = numbers<float>(count * n), im = numbers<float>(count * n, 2);
  std::vector<float> cosines(half), sines(half);
  for (unsigned k = 0; k < half; ++k) {
    cosines[k] = static_cast<float>(std::cos(6.283185307 * k / n));
    sines[k] = static_cast<float>(-std::sin(6.283185307 * k / n));
  }
  expect_same_everywhere<float>(
      count * n,
      [&](lf::queue& q, auto how, lf::buffer<float>& out) {
        const lf::range<2> extents(count, n);
        lf::buffer<float, 2> re_buffer(re.data(), extents), im_buffer(im.data(), extents);
        lf::buffer<float> cosine_buffer(cosines), sine_buffer(sines);
        q.submit([&](lf::handler& h) {
          const lf::accessor in_re(re_buffer, h, lf::read_only), in_im(im_buffer, h, lf::read_only);
          const lf::accessor cosine(cosine_buffer, h, lf::read_only), sine(sine_buffer, h, lf::read_only);
          const lf::accessor power(out, h, lf::write_only, lf::no_init);
          const lf::local_accessor<float, 2> x({2, n}, h), y({2, n}, h);
          h.parallel_for(lf::nd_range<1>(count * half, half), how, [=](auto it) {
            const auto which = it.get_group(0);
            const auto t = it.get_local_id(0);
            x[0][t] = in_re[which][t];
            y[0][t] = in_im[which][t];
            x[0][t + half] = in_re[which][t + half];
            y[0][t + half] = in_im[which][t + half];
            unsigned from = 0;
            for (unsigned span = 1; span < n; span *= 2) {
              lf::group_barrier(it.get_group());
              const auto k = lf::convert<unsigned>(t) & (span - 1);
              const auto at = 2U * lf::convert<unsigned>(t) - k;
              const auto c = cosine[k * (half / span)], s = sine[k * (half / span)];
              const auto a = x[from][t + half], b = y[from][t + half];
              const auto u = a * c - b * s, v = a * s + b * c;
              const auto p = x[from][t], r = y[from][t];
              x[1 - from][at] = p + u;
              y[1 - from][at] = r + v;
              x[1 - from][at + span] = p - u;
              y[1 - from][at + span] = r - v;
              from = 1 - from;
            }
            lf::group_barrier(it.get_group());
            power[which * n + t] = x[from][t] * x[from][t] + y[from][t] * y[from][t];
            power[which * n + t + half] = x[from][t + half] * x[from][t + half] + y[from][t + half] * y[from][t + half];
          });
        });
      },
      1e-3);
}

TEST(recorded_first_kernels, sorting_networks) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t n = 64, arrays = 4;
  const auto in = numbers<float>(arrays * n);
  expect_same_everywhere<float>(arrays * n, [&](lf::queue& q, auto how, lf::buffer<float>& out) {
    lf::buffer<float> in_buffer(in.data(), lf::range<1>(arrays * n));
    q.submit([&](lf::handler& h) {
      const lf::accessor from(in_buffer, h, lf::read_only);
      const lf::accessor sorted(out, h, lf::write_only, lf::no_init);
      const lf::local_accessor<float> keys(n, h);
      h.parallel_for(lf::nd_range<1>(arrays * n, n), how, [=](auto it) {
        const auto g = it.get_group();
        const auto i = it.get_global_id(0);
        const auto l = it.get_local_id(0);
        keys[l] = from[i];
        lf::group_barrier(g);
        for (std::size_t size = 2; size <= n; size *= 2) {
          for (std::size_t distance = size / 2; distance > 0; distance /= 2) {
            const auto partner = l ^ distance;
            it.if_(partner > l, [&] {
              const auto up = (l & size) == 0;
              const auto a = it.var(keys[l]), b = it.var(keys[partner]);
              it.if_((a > b) == up, [&] {
                keys[l] = b;
                keys[partner] = a;
              });
            });
            lf::group_barrier(g);
          }
        }
        sorted[i] = keys[l];
      });
    });
  });
}

TEST(recorded_first_kernels, histogram_of_bytes) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t count = 1 << 13, group = 256, per_item = 8;
  std::vector<std::uint8_t> in(count);
  for (std::size_t i = 0; i < count; ++i) {
    in[i] = static_cast<std::uint8_t>(i * i % 251);
  }
  expect_same_everywhere<std::uint32_t>(256, [&](lf::queue& q, auto how, lf::buffer<std::uint32_t>& out) {
    lf::buffer<std::uint8_t> in_buffer(in.data(), lf::range<1>(count));
    q.submit([&](lf::handler& h) {
      const lf::accessor from(in_buffer, h, lf::read_only);
      const lf::accessor all(out, h, lf::read_write);
      const lf::local_accessor<std::uint32_t> mine(256, h);
      h.parallel_for(lf::nd_range<1>(count / per_item, group), how, [=](auto it) {
        const auto l = it.get_local_id(0);
        mine[l] = 0;
        lf::group_barrier(it.get_group());
        const auto first = it.get_group(0) * group * per_item;
        for (std::size_t k = 0; k < per_item; ++k) {
          lf::make_atomic_ref<lf::memory_order::relaxed, lf::memory_scope::work_group>(
              mine[from[first + k * group + l]])
              .fetch_add(1U);
        }
        lf::group_barrier(it.get_group());
        lf::atomic_ref(all[l]).fetch_add(mine[l]);
      });
    });
  });
}

TEST(recorded_first_kernels, fluxes_of_a_gas) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t count = 500;
  const auto rho = numbers<float>(count + 1), mom = numbers<float>(count + 1, 2), ene = numbers<float>(count + 1, 3);
  expect_same_everywhere<float>(
      count,
      [&](lf::queue& q, auto how, lf::buffer<float>& out) {
        const lf::range<1> all(count + 1);
        lf::buffer<float> r_buffer(rho.data(), all), m_buffer(mom.data(), all), e_buffer(ene.data(), all);
        q.submit([&](lf::handler& h) {
          const lf::accessor rs(r_buffer, h, lf::read_only), m(m_buffer, h, lf::read_only),
              e(e_buffer, h, lf::read_only);
          const lf::accessor to(out, h, lf::write_only, lf::no_init);
          h.parallel_for(lf::range<1>(count), how, [=](auto it) {
            constexpr float gamma = 1.4F;
            const auto i = it.get_id(0);
            const auto pressure = [](auto velocity, auto momentum, auto energy) {
              return lf::fabs((gamma - 1) * (energy - 0.5F * momentum * velocity));
            };
            const auto r0 = rs[i] + 1.F, r1 = rs[i + 1] + 1.F;
            const auto v0 = m[i] / r0, v1 = m[i + 1] / r1;
            const auto p0 = pressure(v0, m[i], e[i]), p1 = pressure(v1, m[i + 1], e[i + 1]);
            const auto fastest =
                lf::max(lf::fabs(v0) + lf::sqrt(gamma * p0 / r0), lf::fabs(v1) + lf::sqrt(gamma * p1 / r1));
            to[i] = 0.5F * (m[i] * v0 + p0 + m[i + 1] * v1 + p1) - 0.5F * fastest * (m[i + 1] - m[i]);
          });
        });
      },
      1e-3);
}

/// A group for each row: the bounds of the loop are elements.
TEST(recorded_first_kernels, sparse_matrix_by_groups) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t rows = 100, group = 32;
  std::vector<std::uint32_t> first{0};
  for (std::size_t row = 0; row < rows; ++row) {
    first.push_back(first.back() + static_cast<std::uint32_t>(row * 5 % 23));
  }
  const auto values = numbers<float>(first.back()), x = numbers<float>(rows, 2);
  std::vector<std::uint32_t> columns(first.back());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    columns[k] = static_cast<std::uint32_t>(k * 31 % rows);
  }
  expect_same_everywhere<float>(
      rows,
      [&](lf::queue& q, auto how, lf::buffer<float>& out) {
        lf::buffer<std::uint32_t> first_buffer(first), column_buffer(columns);
        lf::buffer<float> value_buffer(values), x_buffer(x);
        q.submit([&](lf::handler& h) {
          const lf::accessor begin(first_buffer, h, lf::read_only), column(column_buffer, h, lf::read_only);
          const lf::accessor value(value_buffer, h, lf::read_only), in(x_buffer, h, lf::read_only);
          const lf::accessor y(out, h, lf::write_only, lf::no_init);
          h.parallel_for(lf::nd_range<1>(rows * group, group), how, [=](auto it) {
            const auto g = it.get_group();
            const auto row = it.get_group(0);
            auto sum = it.var(0.F);
            lf::joint_for(g, begin[row], begin[row + 1], [&](auto k) { sum += value[k] * in[column[k]]; });
            const auto total = lf::reduce_over_group(g, sum, lf::plus<>());
            it.if_(g.leader(), [&] { y[row] = total; });
          });
        });
      },
      1e-4);
}

} // namespace
