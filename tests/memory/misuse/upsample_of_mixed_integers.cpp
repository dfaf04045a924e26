// SPDX-License-Identifier: Apache-2.0
// misuse: upsample takes integers of 8, 16 or 32 bits, the second like the first but without sign
#include <lanefold/memory/integer_functions.hpp>

short right(signed char high, unsigned char low) { return lanefold::upsample(high, low); }
#ifdef LANEFOLD_MISUSE
int wrong(short high, signed char low) { return lanefold::upsample(high, low); }
#endif
