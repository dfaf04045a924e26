// SPDX-License-Identifier: Apache-2.0
// The operating system gives a process few threads, or none: programs end with the right results.
#include "commands.hpp"
#include "in_a_process.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <thread>

#include <dlfcn.h>
#include <pthread.h>

namespace {

namespace lf = lanefold;

constinit std::atomic<int> most_threads{1 << 30}; // at the same time, beside the first one
constinit std::atomic<int> running{0};

using create_function = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

struct counted_start {
  void* (*start)(void*);
  void* argument;
};

void* run_counted(void* given) {
  const std::unique_ptr<counted_start> call(static_cast<counted_start*>(given));
  void* const result = call->start(call->argument);
  --running;
  return result;
}

} // namespace

/// Stands before that of the C library.
extern "C" int pthread_create(pthread_t* made, const pthread_attr_t* attributes, void* (*start)(void*),
                              void* argument) noexcept {
  static const auto create = reinterpret_cast<create_function>(dlsym(RTLD_NEXT, "pthread_create"));
  if (running.fetch_add(1) >= most_threads) {
    --running;
    return EAGAIN;
  }
  return create(made, attributes, &run_counted, new counted_start{start, argument});
}

namespace {

/// All programs, then commands for which nobody waits.
int life(int most, unsigned threads) {
  most_threads = most;
  try {
    lf::queue q{lf::property_list{lf::property::threads(threads)}};
    for (const faults::program& p : faults::programs()) {
      p.run(q);
    }
    std::atomic<int> calls{0};
    for (int i = 0; i < 20; ++i) {
      q.submit([&](lf::handler& h) { h.host_task([&] { ++calls; }); });
    }
    for (int i = 0; calls != 20 && i < 10000; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (calls != 20) {
      std::fputs("commands do not run unless somebody waits for them\n", stderr);
      return 3;
    }
    return 0;
  } catch (const faults::wrong_result& e) {
    std::fprintf(stderr, "wrong: %s\n", e.what);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "an error: %s\n", e.what());
  }
  return 2;
}

TEST(threads, may_be_refused) {
  for (const unsigned threads : {1U, 2U, 4U, 8U}) {
    for (int most = 0; most < 8; ++most) {
      const faults::outcome o = faults::in_a_process([&] { return life(most, threads); });
      EXPECT_TRUE(o.is_exit(0)) << "a queue of " << threads << " threads, with " << most << ": " << o.describe();
      if (most < static_cast<int>(threads) - 1) {
        EXPECT_NE(o.text.find("lanefold: a queue of " + std::to_string(threads) + " threads gets only " +
                              std::to_string(most)),
                  std::string::npos)
            << o.describe();
      }
    }
  }
}

} // namespace
