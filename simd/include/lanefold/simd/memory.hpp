#pragma once
#include <lanefold/simd/varying.hpp>
