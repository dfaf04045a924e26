// SPDX-License-Identifier: Apache-2.0
/// All of the module execution. Written by scripts/update-umbrellas.
#pragma once

#include <lanefold/execution/access.hpp>
#include <lanefold/execution/accessor.hpp>
#include <lanefold/execution/aspect.hpp>
#include <lanefold/execution/async_handler.hpp>
#include <lanefold/execution/buffer.hpp>
#include <lanefold/execution/context.hpp>
#include <lanefold/execution/control_flow.hpp>
#include <lanefold/execution/device.hpp>
#include <lanefold/execution/environment.hpp>
#include <lanefold/execution/event.hpp>
#include <lanefold/execution/fiber_engine.hpp>
#include <lanefold/execution/group.hpp>
#include <lanefold/execution/handler.hpp>
#include <lanefold/execution/host_accessor.hpp>
#include <lanefold/execution/info.hpp>
#include <lanefold/execution/interop_handle.hpp>
#include <lanefold/execution/item.hpp>
#include <lanefold/execution/known_identity.hpp>
#include <lanefold/execution/launch.hpp>
#include <lanefold/execution/nd_item.hpp>
#include <lanefold/execution/nd_launch.hpp>
#include <lanefold/execution/nd_range.hpp>
#include <lanefold/execution/parallel_for.hpp>
#include <lanefold/execution/platform.hpp>
#include <lanefold/execution/property.hpp>
#include <lanefold/execution/queue.hpp>
#include <lanefold/execution/range_launch.hpp>
#include <lanefold/execution/reduction.hpp>
#include <lanefold/execution/selectors.hpp>
#include <lanefold/execution/strategy.hpp>
#include <lanefold/execution/stream.hpp>
#include <lanefold/execution/sub_group.hpp>
#include <lanefold/execution/usm_allocator.hpp>
#include <lanefold/execution/walk.hpp>
