// SPDX-License-Identifier: Apache-2.0
// misuse: an index space has one to six dimensions
#include <lanefold/range.hpp>

lanefold::range<6> right;
#ifdef LANEFOLD_MISUSE
lanefold::range<7> wrong;
#endif
