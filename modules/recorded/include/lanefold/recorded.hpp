// SPDX-License-Identifier: Apache-2.0
/// All of the module recorded. Written by scripts/update-umbrellas.
#pragma once

#include <lanefold/execution.hpp>
#include <lanefold/gpu.hpp>
#include <lanefold/group_algorithms.hpp>
#include <lanefold/memory.hpp>
#include <lanefold/recorded/atomic.hpp>
#include <lanefold/recorded/composite.hpp>
#include <lanefold/recorded/control_flow.hpp>
#include <lanefold/recorded/distribute.hpp>
#include <lanefold/recorded/fast_math.hpp>
#include <lanefold/recorded/geometric_functions.hpp>
#include <lanefold/recorded/group_algorithms.hpp>
#include <lanefold/recorded/group_algorithms_of_vectors.hpp>
#include <lanefold/recorded/integer_functions.hpp>
#include <lanefold/recorded/items.hpp>
#include <lanefold/recorded/joint_algorithms.hpp>
#include <lanefold/recorded/kernels.hpp>
#include <lanefold/recorded/load_store.hpp>
#include <lanefold/recorded/math.hpp>
#include <lanefold/recorded/memory_environment.hpp>
#include <lanefold/recorded/mixed_math.hpp>
#include <lanefold/recorded/parallel.hpp>
#include <lanefold/recorded/partition.hpp>
#include <lanefold/recorded/private_array.hpp>
#include <lanefold/recorded/reduction.hpp>
#include <lanefold/recorded/relational.hpp>
#include <lanefold/recorded/s_group.hpp>
#include <lanefold/recorded/scoped_algorithms.hpp>
#include <lanefold/recorded/sort.hpp>
#include <lanefold/recorded/source.hpp>
#include <lanefold/recorded/stream.hpp>
#include <lanefold/recorded/sub_group_mask.hpp>
#include <lanefold/recorded/value.hpp>
#include <lanefold/recorded/variable.hpp>
#include <lanefold/recorded/vec.hpp>
