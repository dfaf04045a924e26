// SPDX-License-Identifier: Apache-2.0
/// The colours of an image, red, green and blue of a pixel side by side, are toned: arrays of structures as cameras and
/// libraries give them.
#include "programs.hpp"

namespace lanefold_benchmarks {

void measure_pixels(contest& to, unsigned threads) {
  constexpr std::size_t rows = 512, columns = 512;
  const array<float> in = random_floats(rows * columns * image::colours, 0, 1);
  array<float> out(in.size());
  const image of{in.data(), out.data(), rows, columns};
  std::vector<float> expected(in.size());
  for (std::size_t i = 0; i < in.size(); i += image::colours) {
    const float grey = 0.299F * in[i] + 0.587F * in[i + 1] + 0.114F * in[i + 2];
    for (std::size_t k = 0; k < image::colours; ++k)
      expected[i + k] = grey + image::strength[k] * (in[i + k] - grey);
  }

  to.run(
      "pixels", openmp::pixels(of, threads), [&] { std::fill(out.begin(), out.end(), -1.F); },
      [&] { return first_difference(out, expected, 1e-5); },
      [=](lf::queue& q, auto properties) {
        const lf::view<const float, 3> pixel(of.in, {rows, columns, image::colours});
        const lf::view<float, 3> toned(of.out, {rows, columns, image::colours});
        q.parallel_for(lf::range<2>(rows, columns), properties, [=](auto it) {
           const auto y = it.get_id(0), x = it.get_id(1);
           const auto red = pixel[y][x][0], green = pixel[y][x][1], blue = pixel[y][x][2];
           const auto grey = 0.299F * red + 0.587F * green + 0.114F * blue;
           toned[y][x][0] = grey + image::strength[0] * (red - grey);
           toned[y][x][1] = grey + image::strength[1] * (green - grey);
           toned[y][x][2] = grey + image::strength[2] * (blue - grey);
         }).wait();
      });
}

} // namespace lanefold_benchmarks
