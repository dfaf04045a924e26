// SPDX-License-Identifier: Apache-2.0
/// Checks the program against exact solutions and against itself.
#pragma once

#include <lanefold/lanefold.hpp>

namespace finite_volumes {

/// Prints a line for each check. Returns whether all of them hold.
bool verify(lanefold::queue& q);

} // namespace finite_volumes
