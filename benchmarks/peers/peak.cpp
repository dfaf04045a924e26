// SPDX-License-Identifier: Apache-2.0
#include "peers.hpp"

#include <cstddef>

namespace lanefold_peers::by_hand {

namespace {

#if defined(__AVX512F__)
constexpr std::size_t register_bytes = 64;
#elif defined(__AVX__)
constexpr std::size_t register_bytes = 32;
#else
constexpr std::size_t register_bytes = 16;
#endif

template <class T>
struct register_of {
  typedef T type __attribute__((vector_size(register_bytes))); // NOLINT: no alias takes the attribute
};

constexpr std::size_t chains = 12; // two units that take four or five cycles for one
constexpr std::size_t steps = 1 << 20;

/// The sum of all registers, so that none of them is left out.
template <class T>
T multiply_adds(T factor, T summand) {
  using lanes = typename register_of<T>::type;
  const lanes a = factor - lanes{};
  const lanes b = summand - lanes{};
  lanes sums[chains];
  for (std::size_t c = 0; c < chains; ++c)
    sums[c] = static_cast<T>(c) - lanes{};
  for (std::size_t step = 0; step < steps; ++step) {
#pragma GCC unroll 12
    for (std::size_t c = 0; c < chains; ++c)
      sums[c] = sums[c] * a + b; // contracted to one instruction where there is one
  }
  lanes all = sums[0];
  for (std::size_t c = 1; c < chains; ++c)
    all += sums[c];
  T total = 0;
  for (std::size_t i = 0; i < register_bytes / sizeof(T); ++i)
    total += all[i];
  return total;
}

template <class T>
arithmetic multiply_add(unsigned threads) {
  const double of_thread = 2.0 * steps * chains * (register_bytes / sizeof(T));
  return {{"multiply-adds in registers",
           [threads] {
             T total = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : total)
             for (unsigned t = 0; t < threads; ++t)
               total += multiply_adds<T>(T(0.5), static_cast<T>(t));
             [[maybe_unused]] static volatile T kept;
             kept = total;
           },
           {}},
          of_thread * threads};
}

} // namespace

arithmetic multiply_add_fp32(unsigned threads) { return multiply_add<float>(threads); }
arithmetic multiply_add_fp64(unsigned threads) { return multiply_add<double>(threads); }

} // namespace lanefold_peers::by_hand
