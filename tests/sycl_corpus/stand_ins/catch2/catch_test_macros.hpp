// SPDX-License-Identifier: Apache-2.0
/// Stands in for Catch2 3 in programs of triSYCL, whose main function its library has.
#pragma once

#define CATCH_CONFIG_MAIN
#include "catch.hpp"
