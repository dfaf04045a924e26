// SPDX-License-Identifier: Apache-2.0
/// The name by which programs for FPGAs include ac_complex of hlslibs/ac_types, which they bring.
#pragma once

#if __has_include(<ac_complex.h>)
#include <ac_complex.h>
#else
template <class T>
class ac_complex {
  static_assert(sizeof(T) == 0,
                "lanefold: <ac_complex.h> is part of https://github.com/hlslibs/ac_types: add its folder 'include'");
};
#endif
