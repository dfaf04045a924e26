// SPDX-License-Identifier: Apache-2.0
// misuse: an index space has one, two or three dimensions
#include <lanefold/range.hpp>

lanefold::range<3> right;
#ifdef LANEFOLD_MISUSE
lanefold::range<4> wrong;
#endif
