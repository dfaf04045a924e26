// SPDX-License-Identifier: Apache-2.0
/// Gravity among bodies: positions pass through local memory in tiles, as vectors of four floats; total momentum stays
/// what it was.
///
///     nbody [bodies, a multiple of 64] [steps]
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iostream>

constexpr std::size_t tile = 64;

struct gravity {
  const sycl::float4* position; // and mass
  sycl::float4* acceleration;
  sycl::local_accessor<sycl::float4, 1> neighbours;
  std::size_t bodies;

  void operator()(sycl::nd_item<1> it) const {
    const sycl::float4 mine = position[it.get_global_id(0)];
    sycl::float4 sum(0.f);
    for (std::size_t first = 0; first < bodies; first += tile) {
      neighbours[it.get_local_id(0)] = position[first + it.get_local_id(0)];
      sycl::group_barrier(it.get_group());
      for (std::size_t k = 0; k < tile; ++k) {
        const sycl::float4 other = neighbours[k];
        const float x = other.x() - mine.x(), y = other.y() - mine.y(), z = other.z() - mine.z();
        const float squared = x * x + y * y + z * z + 0.01f;
        const float weight = other.w() / (squared * sycl::sqrt(squared));
        sum += sycl::float4(x * weight, y * weight, z * weight, 0.f);
      }
      sycl::group_barrier(it.get_group());
    }
    acceleration[it.get_global_id(0)] = sum;
  }
};

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 512;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 5;
  if (n == 0 || n % tile != 0) {
    std::cerr << "a multiple of " << tile << " bodies\n";
    return 2;
  }
  sycl::queue q{sycl::property::queue::in_order{}};
  auto* position = sycl::malloc_shared<sycl::float4>(n, q);
  auto* velocity = sycl::malloc_shared<sycl::float4>(n, q);
  auto* acceleration = sycl::malloc_shared<sycl::float4>(n, q);
  for (std::size_t i = 0; i < n; ++i) {
    const float angle = static_cast<float>(i) * 2.399963f, radius = std::sqrt(static_cast<float>(i) / 8);
    position[i] = {radius * std::cos(angle), radius * std::sin(angle), 0.1f * static_cast<float>(i % 7), 1.f};
    velocity[i] = sycl::float4(0.f);
  }

  const float dt = 0.001f;
  for (int step = 0; step < steps; ++step) {
    q.submit([&](sycl::handler& h) {
      const sycl::local_accessor<sycl::float4, 1> neighbours(tile, h);
      h.parallel_for(sycl::nd_range<1>(n, tile), gravity{position, acceleration, neighbours, n});
    });
    q.parallel_for(sycl::range{n}, [=](sycl::id<1> i) {
      velocity[i] += acceleration[i] * dt;
      position[i] += velocity[i] * dt;
    });
  }
  q.wait();

  // The momentum began as zero.
  double momentum[3] = {}, speed = 0;
  for (std::size_t i = 0; i < n; ++i) {
    momentum[0] += velocity[i].x();
    momentum[1] += velocity[i].y();
    momentum[2] += velocity[i].z();
    speed += std::fabs(velocity[i].x());
  }
  const double drift = std::fabs(momentum[0]) + std::fabs(momentum[1]) + std::fabs(momentum[2]);
  std::cout << "momentum " << drift << " of " << speed << '\n';
  for (sycl::float4* p : {position, velocity, acceleration}) {
    sycl::free(p, q);
  }
  return speed > 0 && drift < 1e-4 * speed ? 0 : 1;
}
