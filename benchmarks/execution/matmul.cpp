// SPDX-License-Identifier: Apache-2.0
/// The matrix product of doubles in tiles of 16 × 16 through local memory.
#include "programs.hpp"

#include <algorithm>

namespace lanefold_benchmarks {

namespace {

using lanefold_peers::array;
namespace opencl = lanefold_peers::opencl;
namespace by_hand = lanefold_peers::by_hand;

struct product {
  explicit product(std::size_t edge) : n(edge), a(edge * edge), b(edge * edge), c(edge * edge), right(edge * edge) {
    // Small whole numbers: the products are exact in every order.
    for (std::size_t i = 0; i < n * n; ++i) {
      a[i] = static_cast<double>(i * 2654435761u % 9) - 4.0;
      b[i] = static_cast<double>(i * 2246822519u % 7) - 3.0;
    }
    lanefold_peers::plain::matmul(a.data(), b.data(), right.data(), n, 1).run();
    // The reference is itself a peer: check some of it the long way.
    for (std::size_t i = 0; i < n * n; i += n * n / 97 + 1) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k)
        sum += a[i / n * n + k] * b[k * n + i % n];
      if (sum != right[i])
        throw std::runtime_error("the reference product is wrong");
    }
  }

  std::size_t n;
  array<double> a, b, c, right;

  expectation expected() {
    return {[this] { std::fill(c.begin(), c.end(), -1.0); },
            [this]() -> std::string {
              const auto [wrong, _] = std::mismatch(c.begin(), c.end(), right.begin());
              if (wrong == c.end())
                return {};
              return "element " + std::to_string(wrong - c.begin()) + " is wrong";
            }};
  }

  std::vector<work> hand(unsigned threads) {
    std::vector<work> forms;
    for (const auto order : {by_hand::walk::rows, by_hand::walk::columns, by_hand::walk::blocks})
      forms.push_back(by_hand::matmul_tiled(a.data(), b.data(), c.data(), n, order, threads));
    return forms;
  }
};

} // namespace

void measure_matmul(report& to, const options& given) {
  for (const std::size_t n : {std::size_t{256}, std::size_t{1024}, std::size_t{1040}}) {
    if (given.quick && n == 1040)
      continue;
    product data(n);
    const auto expected = data.expected();
    const auto tiled = [&](const opencl::device_ptr& on) {
      return opencl::matmul_tiled(on, data.a.data(), data.b.data(), data.c.data(), n);
    };
    const auto naive = [&](const opencl::device_ptr& on) {
      return opencl::matmul_naive(on, data.a.data(), data.b.data(), data.c.data(), n);
    };
    const std::string name = "matmul/" + std::to_string(n);
    if (given.absolute_times) {
      const cost of_run{2 * static_cast<double>(n * n * n), 3 * sizeof(double) * static_cast<double>(n * n)};
      const double gigaflops = -of_run.flops * 1e-9;
      to.absolute(name,
                  expected.ours(ours::matmul_tiled(data.a.data(), data.b.data(), data.c.data(), n, given.threads)),
                  gigaflops, "GFLOP/s", of_run);
      const auto plain = lanefold_peers::plain::matmul(data.a.data(), data.b.data(), data.c.data(), n, given.threads);
      to.absolute(name, expected.on(opencl::intel, tiled), gigaflops, "GFLOP/s", of_run);
      to.absolute(name, expected.on(opencl::pocl, tiled), gigaflops, "GFLOP/s", of_run);
      to.absolute(name, expected.of(data.hand(given.threads)), gigaflops, "GFLOP/s", of_run);
      to.absolute(name + "/naive", expected.on(opencl::intel, naive), gigaflops, "GFLOP/s", of_run);
      to.absolute(name + "/naive", expected.on(opencl::pocl, naive), gigaflops, "GFLOP/s", of_run);
      to.absolute(name + "/naive", expected.of(plain), gigaflops, "GFLOP/s", of_run);
      continue;
    }
    const auto lanes = [&](unsigned threads) {
      return expected.of(ours::matmul_tiled(data.a.data(), data.b.data(), data.c.data(), n, threads));
    };
    to.compare(name + "/by_hand", quantity::speed, lanes(given.threads), expected.of(data.hand(given.threads)));
    to.compare(name + "/intel", quantity::time, lanes(given.threads), expected.on(opencl::intel, tiled));
    if (n != 256)
      to.compare("scaling/" + name, quantity::speed, lanes(given.threads), lanes(1));
  }
}

} // namespace lanefold_benchmarks
