// SPDX-License-Identifier: Apache-2.0
/// Everything of Lanefold that the program links: the common vocabulary, and each module whose target it uses.
#pragma once

#include <lanefold/detail/macros_of_programs_begin.hpp>

#include <lanefold/exception.hpp>
#include <lanefold/fwd.hpp>
#include <lanefold/id.hpp>
#include <lanefold/range.hpp>
#include <lanefold/version.hpp>

#if __has_include(<lanefold/simd.hpp>)
#include <lanefold/simd.hpp>
#endif
#if __has_include(<lanefold/memory.hpp>)
#include <lanefold/memory.hpp>
#endif
#if __has_include(<lanefold/execution.hpp>)
#include <lanefold/execution.hpp>
#endif
#if __has_include(<lanefold/group_algorithms.hpp>)
#include <lanefold/group_algorithms.hpp>
#endif
#if __has_include(<lanefold/scoped.hpp>)
#include <lanefold/scoped.hpp>
#endif
#if __has_include(<lanefold/gpu.hpp>)
#include <lanefold/gpu.hpp>
#endif

#include <lanefold/detail/macros_of_programs_end.hpp>
