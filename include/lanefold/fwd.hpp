// SPDX-License-Identifier: Apache-2.0
/// Forward declarations of the common vocabulary. Each module declares what belongs to it.
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
