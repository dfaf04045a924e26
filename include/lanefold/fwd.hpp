// SPDX-License-Identifier: Apache-2.0
/// Forward declarations of the common vocabulary. What belongs to a module is declared by that module.
#pragma once

#include <lanefold/version.hpp>

LANEFOLD_BEGIN_NAMESPACE

enum class errc : int;
class exception;

template <int Dimensions = 1>
class range;
template <int Dimensions = 1>
class id;

LANEFOLD_END_NAMESPACE
