// SPDX-License-Identifier: Apache-2.0
/// Brings the common vocabulary, and each module that the program links but that for devices of OpenCL. Internal.
#pragma once

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
