// SPDX-License-Identifier: Apache-2.0
/// All of the module scoped. Written by scripts/update-umbrellas.
#pragma once

#include <lanefold/execution.hpp>
#include <lanefold/group_algorithms.hpp>
#include <lanefold/memory.hpp>
#include <lanefold/scoped/distribute.hpp>
#include <lanefold/scoped/group_algorithms.hpp>
#include <lanefold/scoped/h_item.hpp>
#include <lanefold/scoped/memory_environment.hpp>
#include <lanefold/scoped/parallel.hpp>
#include <lanefold/scoped/parallel_for_work_group.hpp>
#include <lanefold/scoped/private_memory.hpp>
#include <lanefold/scoped/s_group.hpp>
#include <lanefold/scoped/s_item.hpp>
#include <lanefold/scoped/static_range.hpp>
#include <lanefold/scoped/work_group.hpp>
