// SPDX-License-Identifier: Apache-2.0
/// All of the module simd. Written by scripts/update-umbrellas.
#pragma once

#include <lanefold/simd/arithmetic.hpp>
#include <lanefold/simd/exchanged_index.hpp>
#include <lanefold/simd/functional.hpp>
#include <lanefold/simd/horizontal.hpp>
#include <lanefold/simd/isa.hpp>
#include <lanefold/simd/lane_context.hpp>
#include <lanefold/simd/lane_id.hpp>
#include <lanefold/simd/lane_index.hpp>
#include <lanefold/simd/lanes.hpp>
#include <lanefold/simd/mask.hpp>
#include <lanefold/simd/math.hpp>
#include <lanefold/simd/memory.hpp>
#include <lanefold/simd/reference.hpp>
#include <lanefold/simd/registers.hpp>
#include <lanefold/simd/select.hpp>
#include <lanefold/simd/variable.hpp>
#include <lanefold/simd/varying.hpp>
#include <lanefold/simd/wrapped_index.hpp>
