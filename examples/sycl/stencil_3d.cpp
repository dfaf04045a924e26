// SPDX-License-Identifier: Apache-2.0
/// A wave in a box: leapfrog steps over three buffers that change places. In the older style of SYCL, with function
/// objects and get_access.
///
///     stencil_3d [cells along each edge] [steps]
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <vector>

template <typename T>
class wave_step {
public:
  using reader = sycl::accessor<T, 3, sycl::access::mode::read, sycl::access::target::device>;
  using updater = sycl::accessor<T, 3, sycl::access::mode::read_write, sycl::access::target::device>;

  wave_step(reader now, updater other, T factor) : m_now(now), m_other(other), m_factor(factor) {}

  /// `other` holds the state before `now`, and then the one after it.
  void operator()(sycl::item<3> it) const {
    const std::size_t z = it.get_id(0) + 1, y = it.get_id(1) + 1, x = it.get_id(2) + 1;
    const T neighbours = m_now[z - 1][y][x] + m_now[z + 1][y][x] + m_now[z][y - 1][x] + m_now[z][y + 1][x] +
                         m_now[z][y][x - 1] + m_now[z][y][x + 1];
    const T here = m_now[z][y][x];
    m_other[z][y][x] = 2 * here - m_other[z][y][x] + m_factor * (neighbours - 6 * here);
  }

private:
  reader m_now;
  updater m_other;
  T m_factor;
};

int main(int argc, char** argv) {
  using T = double;
  const std::size_t edge = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 32;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 60;
  if (edge < 3 || steps < 0) {
    std::cerr << "a box has at least 3 cells along each edge\n";
    return 2;
  }
  const T factor = 0.2;
  const std::size_t cells = edge * edge * edge;
  const T pi = std::acos(T(-1));

  // A standing wave: its amplitude goes up and down as a cosine of known frequency.
  std::vector<T> start(cells, 0);
  const auto shape = [&](std::size_t i) { return std::sin(pi * static_cast<T>(i) / static_cast<T>(edge - 1)); };
  for (std::size_t z = 1; z + 1 < edge; ++z) {
    for (std::size_t y = 1; y + 1 < edge; ++y) {
      for (std::size_t x = 1; x + 1 < edge; ++x) {
        start[(z * edge + y) * edge + x] = shape(z) * shape(y) * shape(x);
      }
    }
  }
  const T laplace = 6 * (std::cos(pi / static_cast<T>(edge - 1)) - 1);
  const T phase = std::acos(1 + factor * laplace / 2);
  std::vector<T> before(cells); // one step before the start, at which the wave stands still
  for (std::size_t i = 0; i < cells; ++i) {
    before[i] = start[i] * std::cos(phase);
  }

  sycl::queue queue([](sycl::exception_list errors) {
    for (const std::exception_ptr& e : errors) {
      std::rethrow_exception(e);
    }
  });
  const sycl::range<3> size(edge, edge, edge);
  sycl::buffer<T, 3> first(start.data(), size);
  sycl::buffer<T, 3> second(before.data(), size);
  for (int step = 0; step < steps; ++step) {
    queue.submit([&](sycl::handler& cgh) {
      auto now = (step % 2 == 0 ? first : second).template get_access<sycl::access::mode::read>(cgh);
      auto other = (step % 2 == 0 ? second : first).template get_access<sycl::access::mode::read_write>(cgh);
      cgh.parallel_for(sycl::range<3>(edge - 2, edge - 2, edge - 2), wave_step<T>(now, other, factor));
    });
  }
  queue.throw_asynchronous();

  const sycl::host_accessor result(steps % 2 == 0 ? first : second, sycl::read_only);
  const T amplitude = std::cos(phase * steps);
  T difference = 0;
  for (std::size_t z = 0; z < edge; ++z) {
    for (std::size_t y = 0; y < edge; ++y) {
      for (std::size_t x = 0; x < edge; ++x) {
        const bool inside = z > 0 && y > 0 && x > 0 && z + 1 < edge && y + 1 < edge && x + 1 < edge;
        const T expected = inside ? amplitude * shape(z) * shape(y) * shape(x) : 0;
        difference = std::fmax(difference, std::fabs(result[z][y][x] - expected));
      }
    }
  }
  std::cout << "amplitude " << amplitude << " after " << steps << " steps, largest difference " << difference << '\n';
  return difference < 1e-9 ? 0 : 1;
}
