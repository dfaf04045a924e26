// SPDX-License-Identifier: Apache-2.0
/// The name by which programs for FPGAs include ac_int of hlslibs/ac_types, which they bring.
#pragma once

#if __has_include(<ac_int.h>)
#include <ac_int.h>
#else
template <int Width, bool Signed = true>
class ac_int {
  static_assert(Width < 0,
                "lanefold: <ac_int.h> is part of https://github.com/hlslibs/ac_types: add its folder 'include'");
};
#endif
