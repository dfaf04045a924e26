// SPDX-License-Identifier: Apache-2.0
/// All of the module memory. Written by scripts/update-umbrellas.
#pragma once

#include <lanefold/memory/address_space.hpp>
#include <lanefold/memory/atomic_ref.hpp>
#include <lanefold/memory/local_accessor.hpp>
#include <lanefold/memory/memory_order.hpp>
#include <lanefold/memory/usm.hpp>
#include <lanefold/memory/varying_record.hpp>
#include <lanefold/memory/varying_vec.hpp>
#include <lanefold/memory/vec.hpp>
#include <lanefold/memory/view.hpp>
