// SPDX-License-Identifier: Apache-2.0
/// Declares what the programs of the demonstration have in common: timing, verification, the table.
#pragma once

#include <lanefold/lanefold.hpp>

#include <functional>
#include <string>
#include <vector>

namespace demo {

namespace lf = lanefold;

/// One line of the table.
struct row {
  std::string program;
  std::string strategy;
  std::string engine; ///< "-" where no unit is ever suspended
  double seconds;     ///< best of a few runs
  bool verified;
};

/// Sizes of the programs.
struct sizes {
  std::size_t matrix = 1024; ///< order
  std::size_t bodies = 16384;
  std::size_t elements = 1UL << 25;
  std::size_t pixels = 2048; ///< side of the picture
};

/// Collects the rows of one program and prints progress to standard error.
class table {
public:
  explicit table(std::vector<row>& rows) : m_rows(rows) {}

  /// Runs `work` (which waits for its end) a few times, checks with `verify`, and adds a row.
  void measure(std::string_view program, std::string_view strategy, std::string_view engine,
               const std::function<void()>& work, const std::function<bool()>& verify);

private:
  std::vector<row>& m_rows;
};

/// Calls `f(properties, strategy name)` for one strategy.
template <class Strategy>
struct named_strategy {
  const char* name;
};

inline constexpr named_strategy<lf::scalar> scalar{"scalar"};
inline constexpr named_strategy<lf::omp_simd> omp_simd{"omp_simd"};
template <std::size_t N>
inline constexpr named_strategy<lf::simd<N>> simd{N == 16   ? "simd<16>"
                                                  : N == 64 ? "simd<64>"
                                                            : "simd<256>"};
template <std::size_t R, std::size_t C>
inline constexpr named_strategy<lf::simd<R, C>> shape{R == 4 ? "simd<4,16>" : "simd<8,16>"};

template <class Strategy>
auto how(named_strategy<Strategy>, lf::fiber_engine engine = lf::fiber_engine::automatic) {
  return lf::properties{lf::property::strategy<Strategy>{}, lf::property::fiber_engine{engine}};
}

/// Calls `f(strategy, engine)` for the engines that are worth comparing: all for the scalar strategy (one stack for
/// each work-item), native and boost_context for lanes (one for each sub-group).
template <class Strategy, class F>
void for_engines(named_strategy<Strategy> strategy, F&& f) {
  f(strategy, lf::fiber_engine::native);
  f(strategy, lf::fiber_engine::boost_context);
  f(strategy, lf::fiber_engine::boost_fiber);
}

void run_vector_add(lf::queue& q, const sizes& s, table& t);
void run_matrix_product(lf::queue& q, const sizes& s, table& t);
void run_nbody(lf::queue& q, const sizes& s, table& t);
void run_reduction(lf::queue& q, const sizes& s, table& t);
void run_transposition(lf::queue& q, const sizes& s, table& t);
/// Leaves the picture at `picture` (PPM).
void run_mandelbrot(lf::queue& q, const sizes& s, table& t, const std::string& picture);

} // namespace demo
