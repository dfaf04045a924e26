// SPDX-License-Identifier: Apache-2.0
// misuse: atomic_ref refers to an integer, a float, a double or a pointer
#include <lanefold/memory/atomic_ref.hpp>

struct pair {
  int first, second;
};
int right(pair& p) { return lanefold::atomic_ref(p.first).load(); }
#ifdef LANEFOLD_MISUSE
pair wrong(pair& p) { return lanefold::atomic_ref(p).load(); }
#endif
