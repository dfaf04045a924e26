// SPDX-License-Identifier: Apache-2.0
// Every allocation in the life of commands fails once, and from there on: the program gets an error, nothing hangs or
// leaks, and the same queue works afterwards.
#include "commands.hpp"
#include "failing_allocations.hpp"
#include "in_a_process.hpp"

#include "sanitized.hpp"

#include <lanefold/exception.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdio>
#include <exception>
#include <ostream>
#include <string>
#include <vector>

namespace {

using failing_allocations::how;
namespace lf = lanefold;

#if defined(LANEFOLD_TEST_SANITIZED) // each process looks for leaks when it ends
constexpr std::size_t step = 5;
#else
constexpr std::size_t step = 1;
#endif

/// Exit statuses of the processes.
enum : int { no_fault = 10, fault_survived = 11, wrong = 12 };

/// Says whether the library has done something of the kind before, in the process.
enum class before { cold, warm };

void say(const char* when, const char* what) { std::fprintf(stderr, "%s: %s\n", when, what); }

/// Returns whether the program has done what it should.
bool succeeds(const faults::program& p, lf::queue& q, const char* when) {
  try {
    p.run(q);
    return true;
  } catch (const faults::wrong_result& e) {
    say(when, e.what);
  } catch (const std::exception& e) {
    say(when, e.what());
  }
  return false;
}

/// Returns whether the program has either done what it should or got an error.
bool survives(const faults::program& p, lf::queue& q) {
  try {
    p.run(q);
  } catch (const faults::wrong_result& e) {
    say("with the fault, and without an error", e.what);
    return false;
  } catch (const std::exception&) { // NOLINT: as it should be
  }
  return true;
}

int life(const faults::program& p, before state, how which, std::size_t n, unsigned threads) {
  lf::queue q{lf::property_list{lf::property::threads(threads)}};
  std::ptrdiff_t live = 0;
  if (state == before::warm) {
    for (int i = 0; i < 2; ++i) {
      if (!succeeds(p, q, "before the fault")) {
        return wrong;
      }
    }
    live = failing_allocations::live();
  }
  failing_allocations::begin(n, which);
  const bool survived = survives(p, q);
  const bool failed = failing_allocations::end();
  if (!survived) {
    return wrong;
  }
  try {
    q.wait_and_throw();
  } catch (const std::exception&) { // NOLINT: errors that nobody has asked for yet
  }
  if (!succeeds(p, q, "after the fault")) {
    return wrong;
  }
  // Lists may have grown, an error may be kept where errors are kept for which there was no memory, and another worker
  // may have got its stacks.
  if (state == before::warm && failing_allocations::live() > live + 6 + 8 * threads) {
    std::fprintf(stderr, "%td allocations are not returned\n", failing_allocations::live() - live);
    return wrong;
  }
  return failed ? fault_survived : no_fault;
}

struct parameters {
  const faults::program* program;
  before state;
  how which;
  friend void PrintTo(const parameters& p, std::ostream* to) { *to << p.program->name; }
};

class allocations : public ::testing::TestWithParam<parameters> {};

TEST_P(allocations, may_fail) {
  const parameters p = GetParam();
  std::size_t faults = 0;
  for (const unsigned threads : {1U, 3U}) {
    std::size_t n = 0;
    bool more = true;
    for (; more && n < 5000; n += step) {
      const faults::outcome o = faults::in_a_process([&] { return life(*p.program, p.state, p.which, n, threads); });
      ASSERT_TRUE(o.is_exit(no_fault) || o.is_exit(fault_survived))
          << "allocation " << n << " of " << threads << " threads: " << o.describe();
      more = o.is_exit(fault_survived);
    }
    EXPECT_FALSE(more) << "faults without an end";
    faults += n / step - 1;
  }
  RecordProperty("faults", std::to_string(faults));
  std::printf("%zu faults\n", faults);
  EXPECT_GT(faults, 0u);
}

std::vector<parameters> all_parameters() {
  std::vector<parameters> all;
  for (const faults::program& p : faults::programs()) {
    for (const before state : {before::cold, before::warm}) {
      for (const how which : {how::once, how::from_there}) {
        all.push_back({&p, state, which});
      }
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(, allocations, ::testing::ValuesIn(all_parameters()), [](const auto& of) {
  return std::string(of.param.program->name) + (of.param.state == before::cold ? "_cold" : "_warm") +
         (of.param.which == how::once ? "_once" : "_from_there");
});

} // namespace
