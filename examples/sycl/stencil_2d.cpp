// SPDX-License-Identifier: Apache-2.0
/// Heat on a plate: many time steps of a five-point stencil over two buffers. Each step is a command; that it waits for
/// the one before follows from the accessors.
///
///     stencil_2d [rows] [columns] [steps]
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <utility>
#include <vector>

class heat_step;

std::vector<float> initial(std::size_t rows, std::size_t columns) {
  std::vector<float> plate(rows * columns, 0.f);
  for (std::size_t y = 0; y < rows; ++y) {
    plate[y * columns] = 100.f; // the left side is kept hot
  }
  return plate;
}

/// Computes the same in plain loops.
std::vector<float> reference(std::size_t rows, std::size_t columns, int steps) {
  std::vector<float> now = initial(rows, columns), next = now;
  for (int step = 0; step < steps; ++step) {
    for (std::size_t y = 1; y + 1 < rows; ++y) {
      for (std::size_t x = 1; x + 1 < columns; ++x) {
        const std::size_t i = y * columns + x;
        next[i] = 0.25f * (now[i - 1] + now[i + 1] + now[i - columns] + now[i + columns]);
      }
    }
    std::swap(now, next);
  }
  return now;
}

int main(int argc, char** argv) {
  const std::size_t rows = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 256;
  const std::size_t columns = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 320;
  const int steps = argc > 3 ? std::atoi(argv[3]) : 100;
  if (rows < 3 || columns < 3 || steps < 0) {
    std::cerr << "a plate has at least 3 rows and columns\n";
    return 2;
  }

  std::vector<float> result = initial(rows, columns);
  sycl::queue q;
  {
    const sycl::range<2> size{rows, columns};
    sycl::buffer<float, 2> even{result.data(), size};
    sycl::buffer<float, 2> odd{size};
    q.submit([&](sycl::handler& h) {
      sycl::accessor from{even, h, sycl::read_only};
      sycl::accessor to{odd, h, sycl::write_only, sycl::no_init};
      h.copy(from, to); // copies the edges, which no step writes
    });

    sycl::buffer<float, 2>*now = &even, *next = &odd;
    for (int step = 0; step < steps; ++step) {
      q.submit([&](sycl::handler& h) {
        sycl::accessor u{*now, h, sycl::read_only};
        sycl::accessor v{*next, h, sycl::read_write};
        h.parallel_for<heat_step>(sycl::range{rows - 2, columns - 2}, [=](sycl::id<2> i) {
          const std::size_t y = i[0] + 1, x = i[1] + 1;
          v[y][x] = 0.25f * (u[y][x - 1] + u[y][x + 1] + u[y - 1][x] + u[y + 1][x]);
        });
      });
      std::swap(now, next);
    }
    if (now != &even) {
      q.submit([&](sycl::handler& h) {
        sycl::accessor from{odd, h, sycl::read_only};
        sycl::accessor to{even, h, sycl::write_only, sycl::no_init};
        h.copy(from, to);
      });
    }
  } // waits, and writes to `result`

  const std::vector<float> expected = reference(rows, columns, steps);
  double difference = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    difference = std::fmax(difference, std::fabs(result[i] - expected[i]));
  }
  std::cout << steps << " steps, largest difference " << difference << '\n';
  return difference < 1e-4 ? 0 : 1;
}
