// SPDX-License-Identifier: Apache-2.0
/// SYCL's names for functions over numbers. [sycl.4.17.5] to [sycl.4.17.9]
#pragma once

#if __has_include(<lanefold/execution.hpp>)
#include <lanefold/execution.hpp>

namespace sycl {

namespace half_precision = lanefold::half_precision;
namespace native = lanefold::native;

using lanefold::abs;
using lanefold::abs_diff;
using lanefold::acos;
using lanefold::acosh;
using lanefold::acospi;
using lanefold::add_sat;
using lanefold::all;
using lanefold::any;
using lanefold::asin;
using lanefold::asinh;
using lanefold::asinpi;
using lanefold::atan;
using lanefold::atan2;
using lanefold::atan2pi;
using lanefold::atanh;
using lanefold::atanpi;
using lanefold::bitselect;
using lanefold::cbrt;
using lanefold::ceil;
using lanefold::clamp;
using lanefold::clz;
using lanefold::copysign;
using lanefold::cos;
using lanefold::cosh;
using lanefold::cospi;
using lanefold::cross;
using lanefold::ctz;
using lanefold::degrees;
using lanefold::distance;
using lanefold::dot;
using lanefold::erf;
using lanefold::erfc;
using lanefold::exp;
using lanefold::exp10;
using lanefold::exp2;
using lanefold::expm1;
using lanefold::fabs;
using lanefold::fast_distance;
using lanefold::fast_length;
using lanefold::fast_normalize;
using lanefold::fdim;
using lanefold::floor;
using lanefold::fma;
using lanefold::fmax;
using lanefold::fmin;
using lanefold::fmod;
using lanefold::fract;
using lanefold::frexp;
using lanefold::hadd;
using lanefold::hypot;
using lanefold::ilogb;
using lanefold::isequal;
using lanefold::isfinite;
using lanefold::isgreater;
using lanefold::isgreaterequal;
using lanefold::isinf;
using lanefold::isless;
using lanefold::islessequal;
using lanefold::islessgreater;
using lanefold::isnan;
using lanefold::isnormal;
using lanefold::isnotequal;
using lanefold::isordered;
using lanefold::isunordered;
using lanefold::ldexp;
using lanefold::length;
using lanefold::lgamma;
using lanefold::lgamma_r;
using lanefold::log;
using lanefold::log10;
using lanefold::log1p;
using lanefold::log2;
using lanefold::logb;
using lanefold::mad;
using lanefold::mad24;
using lanefold::mad_hi;
using lanefold::mad_sat;
using lanefold::max;
using lanefold::maxmag;
using lanefold::min;
using lanefold::minmag;
using lanefold::mix;
using lanefold::modf;
using lanefold::mul24;
using lanefold::mul_hi;
using lanefold::nan;
using lanefold::nextafter;
using lanefold::normalize;
using lanefold::popcount;
using lanefold::pow;
using lanefold::pown;
using lanefold::powr;
using lanefold::radians;
using lanefold::remainder;
using lanefold::remquo;
using lanefold::rhadd;
using lanefold::rint;
using lanefold::rootn;
using lanefold::rotate;
using lanefold::round;
using lanefold::rsqrt;
using lanefold::select;
using lanefold::sign;
using lanefold::signbit;
using lanefold::sin;
using lanefold::sincos;
using lanefold::sinh;
using lanefold::sinpi;
using lanefold::smoothstep;
using lanefold::sqrt;
using lanefold::step;
using lanefold::sub_sat;
using lanefold::tan;
using lanefold::tanh;
using lanefold::tanpi;
using lanefold::tgamma;
using lanefold::trunc;
using lanefold::upsample;

} // namespace sycl

LANEFOLD_BEGIN_NAMESPACE
/// Where oneAPI's compiler had it before SYCL 2020, and has it.
namespace ext::intel {
using lanefold::ctz;
} // namespace ext::intel
LANEFOLD_END_NAMESPACE

#endif
