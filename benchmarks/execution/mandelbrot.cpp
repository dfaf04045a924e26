// SPDX-License-Identifier: Apache-2.0
/// A Mandelbrot picture of 2048² pixels, with a divergent loop.
#include "programs.hpp"

#include <algorithm>

namespace lanefold_benchmarks {

namespace {

using lanefold_peers::array;
using lanefold_peers::picture;
namespace opencl = lanefold_peers::opencl;

// With fused multiply-adds everywhere the pictures are equal; otherwise the chaos at the edge of the set is not.
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
constexpr std::size_t tolerated_of(std::size_t) { return 0; }
#else
constexpr std::size_t tolerated_of(std::size_t pixels) { return pixels / 100; }
#endif

} // namespace

void measure_mandelbrot(report& to, const options& given) {
  const std::size_t edge = given.quick ? 1024 : 2048;
  array<std::int32_t> counts(edge * edge), right(edge * edge);
  picture shot{edge, edge, -2.0f, -1.25f, 2.5f / static_cast<float>(edge), 256, right.data()};
  lanefold_peers::plain::mandelbrot(shot, given.threads).run();
  shot.counts = counts.data();

  const expectation expected{[&] { std::fill(counts.begin(), counts.end(), -1); },
                             [&]() -> std::string {
                               std::size_t wrong = 0;
                               for (std::size_t i = 0; i < counts.size(); ++i)
                                 wrong += counts[i] != right[i];
                               return wrong <= tolerated_of(counts.size())
                                          ? ""
                                          : std::to_string(wrong) + " pixels are wrong";
                             }};
  const auto peer = [&](const opencl::device_ptr& on) { return opencl::mandelbrot(on, shot); };
  std::vector<work> hand;
  for (const unsigned registers : {1u, 2u, 4u, 8u})
    hand.push_back(lanefold_peers::by_hand::mandelbrot(shot, registers, given.threads));

  if (given.absolute_times) {
    double iterations = 0;
    for (const auto count : right)
      iterations -= 1e-9 * count;
    const std::string unit = "G iterations/s";
    const cost of_run{-7e9 * iterations, 4.0 * static_cast<double>(counts.size())};
    const auto forms_of = [&](ours::model model) { return ours::mandelbrot(shot, model, given.threads); };
    to.absolute("mandelbrot", expected.ours(forms_of(ours::model::lanes)), iterations, unit, of_run);
    to.absolute("mandelbrot", expected.ours(forms_of(ours::model::work_item)), iterations, unit, of_run);
    to.absolute("mandelbrot", expected.on(opencl::intel, peer), iterations, unit, of_run);
    to.absolute("mandelbrot", expected.on(opencl::pocl, peer), iterations, unit, of_run);
    to.absolute("mandelbrot", expected.of(hand), iterations, unit, of_run);
    to.absolute("mandelbrot", expected.of(lanefold_peers::plain::mandelbrot(shot, given.threads)), iterations, unit,
                of_run);
    return;
  }
  const side lanes = expected.of(ours::mandelbrot(shot, ours::model::lanes, given.threads));
  to.compare("mandelbrot/by_hand", quantity::speed, lanes, expected.of(hand));
#if defined(__AVX512F__)
  to.compare("mandelbrot/scalar", quantity::speed, lanes,
             expected.of(ours::mandelbrot(shot, ours::model::work_item, given.threads)));
#else
  to.skipped("mandelbrot/scalar", "the bound is for AVX-512, and this is built for less");
#endif
}

} // namespace lanefold_benchmarks
