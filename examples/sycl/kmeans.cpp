// SPDX-License-Identifier: Apache-2.0
/// k-means: points in a plane are assigned to the nearest of k centres, and the centres move to the middle of their
/// points, which reductions over spans find.
///
///     kmeans [points] [rounds]
#include <sycl/sycl.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <vector>

constexpr std::size_t k = 5;

struct point {
  float x, y;
};

class assign_points;
class sum_points;

inline float squared_distance(const point& a, const point& b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 50'000;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 20;
  if (n < k) {
    std::cerr << "fewer points than centres\n";
    return 2;
  }

  // Clouds around the corners of a regular pentagon.
  std::array<point, k> truth;
  for (std::size_t c = 0; c < k; ++c) {
    const float angle = 6.2831853f * static_cast<float>(c) / k;
    truth[c] = {10 * std::cos(angle), 10 * std::sin(angle)};
  }
  std::vector<point> points(n);
  std::uint32_t state = 7;
  const auto noise = [&state] {
    state = state * 1664525u + 1013904223u;
    return static_cast<float>(state >> 8) / static_cast<float>(1 << 23) - 1.f;
  };
  for (std::size_t i = 0; i < n; ++i) {
    points[i] = {truth[i % k].x + 2 * noise(), truth[i % k].y + 2 * noise()};
  }

  sycl::queue q;
  sycl::buffer<point> point_buffer(points.data(), sycl::range<1>(n));
  sycl::buffer<std::uint8_t> nearest_buffer{sycl::range<1>(n)};
  auto* centres = sycl::malloc_shared<point>(k, q);
  auto* sum_x = sycl::malloc_shared<double>(k, q);
  auto* sum_y = sycl::malloc_shared<double>(k, q);
  auto* members = sycl::malloc_shared<std::uint32_t>(k, q);
  for (std::size_t c = 0; c < k; ++c) {
    centres[c] = points[c];
  }

  for (int round = 0; round < rounds; ++round) {
    q.submit([&](sycl::handler& cgh) {
      const sycl::accessor p{point_buffer, cgh, sycl::read_only};
      const sycl::accessor nearest{nearest_buffer, cgh, sycl::write_only, sycl::no_init};
      cgh.parallel_for<assign_points>(sycl::range{n}, [=](sycl::id<1> i) {
        std::uint8_t best = 0;
        for (std::uint8_t c = 1; c < k; ++c) {
          if (squared_distance(p[i], centres[c]) < squared_distance(p[i], centres[best])) {
            best = c;
          }
        }
        nearest[i] = best;
      });
    });
    q.submit([&](sycl::handler& cgh) {
       const sycl::accessor p{point_buffer, cgh, sycl::read_only};
       const sycl::accessor nearest{nearest_buffer, cgh, sycl::read_only};
       const sycl::property_list fresh{sycl::property::reduction::initialize_to_identity{}};
       cgh.parallel_for<sum_points>(sycl::range{n},
                                    sycl::reduction(sycl::span<double, k>(sum_x, k), sycl::plus<>(), fresh),
                                    sycl::reduction(sycl::span<double, k>(sum_y, k), sycl::plus<>(), fresh),
                                    sycl::reduction(sycl::span<std::uint32_t, k>(members, k), sycl::plus<>(), fresh),
                                    [=](sycl::id<1> i, auto& xs, auto& ys, auto& counts) {
                                      const std::size_t c = nearest[i];
                                      xs[c] += p[i].x;
                                      ys[c] += p[i].y;
                                      ++counts[c];
                                    });
     }).wait();
    for (std::size_t c = 0; c < k; ++c) {
      if (members[c] > 0) {
        centres[c] = {static_cast<float>(sum_x[c] / members[c]), static_cast<float>(sum_y[c] / members[c])};
      }
    }
  }

  int wrong = 0;
  for (std::size_t c = 0; c < k; ++c) {
    std::cout << members[c] << " points around (" << centres[c].x << ", " << centres[c].y << ")\n";
    wrong += members[c] != n / k + (c < n % k ? 1 : 0); // the clouds do not touch
    wrong += squared_distance(centres[c], truth[c]) > (n < 1000 ? 0.5f : 0.05f);
  }
  sycl::free(centres, q);
  sycl::free(sum_x, q);
  sycl::free(sum_y, q);
  sycl::free(members, q);
  return wrong == 0 ? 0 : 1;
}
