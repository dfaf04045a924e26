// SPDX-License-Identifier: Apache-2.0
/// Everything of Lanefold that the program links: the common vocabulary, and each module whose target it uses.
#pragma once

#include <lanefold/detail/macros_of_programs_begin.hpp>

#include <lanefold/detail/host_modules.hpp>

#if __has_include(<lanefold/gpu.hpp>)
#include <lanefold/gpu.hpp>
#endif

#include <lanefold/detail/macros_of_programs_end.hpp>
