// SPDX-License-Identifier: Apache-2.0
/// All of the module group_algorithms. Written by scripts/update-umbrellas.
#pragma once

#include <lanefold/execution.hpp>
#include <lanefold/group_algorithms/algorithm.hpp>
#include <lanefold/group_algorithms/binary_partition.hpp>
#include <lanefold/group_algorithms/broadcast.hpp>
#include <lanefold/group_algorithms/chunked_partition.hpp>
#include <lanefold/group_algorithms/ext_group_load_store.hpp>
#include <lanefold/group_algorithms/ext_group_sort.hpp>
#include <lanefold/group_algorithms/ext_matrix.hpp>
#include <lanefold/group_algorithms/ext_non_uniform_groups.hpp>
#include <lanefold/group_algorithms/ext_oneapi.hpp>
#include <lanefold/group_algorithms/ext_user_defined_reductions.hpp>
#include <lanefold/group_algorithms/group_concepts.hpp>
#include <lanefold/group_algorithms/group_local_memory.hpp>
#include <lanefold/group_algorithms/group_traits.hpp>
#include <lanefold/group_algorithms/joint_for.hpp>
#include <lanefold/group_algorithms/joint_reduce.hpp>
#include <lanefold/group_algorithms/joint_scan.hpp>
#include <lanefold/group_algorithms/joint_votes.hpp>
#include <lanefold/group_algorithms/load_store.hpp>
#include <lanefold/group_algorithms/reduce.hpp>
#include <lanefold/group_algorithms/scan.hpp>
#include <lanefold/group_algorithms/shuffle.hpp>
#include <lanefold/group_algorithms/sort.hpp>
#include <lanefold/group_algorithms/sub_group_mask.hpp>
#include <lanefold/group_algorithms/votes.hpp>
#include <lanefold/group_algorithms/work_group_static.hpp>
#include <lanefold/memory.hpp>
