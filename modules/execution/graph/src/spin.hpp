// SPDX-License-Identifier: Apache-2.0
/// Waits that do not sleep.
#pragma once

#include <lanefold/version.hpp>

#include <chrono>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#elif !defined(__aarch64__)
#include <thread>
#endif

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// A host thread that waits, and has nothing to run, spins for this long before it sleeps.
constexpr std::chrono::microseconds waiter_patience(20);

inline void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#else
  std::this_thread::yield();
#endif
}

/// Spins until `done()`, at most for `patience`; says whether it is done.
template <class Done>
bool spin(std::chrono::steady_clock::duration patience, Done done) {
  const auto end = std::chrono::steady_clock::now() + patience;
  do {
    for (int i = 0; i < 8; ++i) {
      if (done()) {
        return true;
      }
      relax();
    }
  } while (std::chrono::steady_clock::now() < end);
  return done();
}

} // namespace detail
LANEFOLD_END_NAMESPACE
