// SPDX-License-Identifier: Apache-2.0
/// The name by which programs for FPGAs include ac_fixed of hlslibs/ac_types, which they bring.
#pragma once

#if __has_include(<ac_fixed.h>)
#include <ac_fixed.h>
#else
template <int Width, int Integer, bool Signed = true, int Quantization = 0, int Overflow = 0>
class ac_fixed {
  static_assert(Width < 0,
                "lanefold: <ac_fixed.h> is part of https://github.com/hlslibs/ac_types: add its folder 'include'");
};
#endif
