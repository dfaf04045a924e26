// SPDX-License-Identifier: Apache-2.0
/// Programs whose commands meet faults.
#pragma once

#include <lanefold/execution/queue.hpp>

#include <vector>

namespace faults {

namespace lf = lanefold;

/// A life of some commands: it submits them, waits and checks what they have done. Throws what the library throws, and
/// wrong_result. Whatever it throws, the memory of its own that it lets commands use lives until they are complete.
struct program {
  const char* name;
  void (*run)(lf::queue& q);
};

/// Is thrown by a program whose results are wrong.
struct wrong_result {
  const char* what;
};

/// All of them.
const std::vector<program>& programs();

} // namespace faults
