// SPDX-License-Identifier: Apache-2.0
/// All of the module gpu. Written by scripts/update-umbrellas.
#pragma once

#include <lanefold/gpu/algorithms.hpp>
#include <lanefold/gpu/buffer.hpp>
#include <lanefold/gpu/command.hpp>
#include <lanefold/gpu/command_algorithms.hpp>
#include <lanefold/gpu/device.hpp>
#include <lanefold/gpu/device_library.hpp>
#include <lanefold/gpu/event.hpp>
#include <lanefold/gpu/kernel.hpp>
#include <lanefold/gpu/occupancy.hpp>
#include <lanefold/gpu/program_cache.hpp>
#include <lanefold/gpu/queue.hpp>
#include <lanefold/gpu/usm.hpp>
