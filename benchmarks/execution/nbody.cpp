// SPDX-License-Identifier: Apache-2.0
/// The accelerations of 16,384 bodies, in tiles of 256 through local memory.
#include "programs.hpp"

#include <cmath>
#include <random>
#include <type_traits>

namespace lanefold_benchmarks {

namespace {

using lanefold_peers::array;
using lanefold_peers::bodies;
namespace opencl = lanefold_peers::opencl;

template <class T>
struct cloud {
  explicit cloud(std::size_t bodies) : count(bodies), in(4 * bodies), out(3 * bodies) {
    std::mt19937 random(42);
    std::uniform_real_distribution<T> position(T(-1), T(1)), mass(T(0.5), T(1.5));
    for (std::size_t i = 0; i < 3 * count; ++i)
      in[i] = position(random);
    for (std::size_t i = 3 * count; i < 4 * count; ++i)
      in[i] = mass(random);
  }

  std::size_t count;
  array<T> in, out;

  lanefold_peers::bodies<T> set() {
    T *i = in.data(), *o = out.data();
    return {count, i, i + count, i + 2 * count, i + 3 * count, o, o + count, o + 2 * count, T(1e-4)};
  }

  expectation expected() {
    return {[this] { std::fill(out.begin(), out.end(), std::nan("")); },
            [this]() -> std::string {
              const auto right = set();
              // Relative to the size of the vector: its components may cancel.
              const long double bound = std::is_same_v<T, float> ? 1e-4L : 1e-12L;
              for (std::size_t i = 0; i < count; i += 61) {
                long double a[3];
                lanefold_peers::nbody_reference(right, i, a);
                const long double size = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
                const long double got[3] = {right.ax[i], right.ay[i], right.az[i]};
                for (int k = 0; k < 3; ++k)
                  if (!(std::abs(got[k] - a[k]) <= bound * size))
                    return "body " + std::to_string(i) + " is wrong";
              }
              for (const T component : out)
                if (!std::isfinite(component))
                  return "a body is missing";
              return {};
            }};
  }

  std::vector<work> hand(unsigned threads) {
    std::vector<work> forms;
    for (const unsigned registers : {1u, 2u, 4u})
      forms.push_back(lanefold_peers::by_hand::nbody(set(), registers, threads));
    return forms;
  }
};

template <class T>
void measure(report& to, const options& given, const std::string& name) {
  cloud<T> data(given.quick ? 4096 : 16384);
  const auto expected = data.expected();
  const auto tiled = [&](const opencl::device_ptr& on) { return opencl::nbody(on, data.set()); };
  if (given.absolute_times) {
    const double pairs = static_cast<double>(data.count) * static_cast<double>(data.count);
    const cost of_run{20 * pairs, 7 * sizeof(T) * static_cast<double>(data.count)}; // 20 operations, as is usual
    const double interactions = -1e-9 * pairs;
    to.absolute(name, expected.ours(ours::nbody(data.set(), given.threads)), interactions, "G interactions/s", of_run);
    to.absolute(name, expected.on(opencl::intel, tiled), interactions, "G interactions/s", of_run);
    to.absolute(name, expected.on(opencl::pocl, tiled), interactions, "G interactions/s", of_run);
    to.absolute(name, expected.of(data.hand(given.threads)), interactions, "G interactions/s", of_run);
    return;
  }
  const auto lanes = [&](unsigned threads) { return expected.of(ours::nbody(data.set(), threads)); };
  to.compare(name + "/by_hand", quantity::speed, lanes(given.threads), expected.of(data.hand(given.threads)));
  to.compare(name + "/intel", quantity::time, lanes(given.threads), expected.on(opencl::intel, tiled));
  to.compare("scaling/" + name, quantity::speed, lanes(given.threads), lanes(1));
}

} // namespace

void measure_nbody(report& to, const options& given) {
  measure<float>(to, given, "nbody/fp32");
  measure<double>(to, given, "nbody/fp64");
}

} // namespace lanefold_benchmarks
