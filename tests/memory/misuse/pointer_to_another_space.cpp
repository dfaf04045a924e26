// SPDX-License-Identifier: Apache-2.0
// misuse: these address spaces have nothing in common
#include <lanefold/memory/multi_ptr.hpp>

namespace lf = lanefold;
using lf::access::address_space;
using lf::access::decorated;

auto right(lf::raw_generic_ptr<int> p) { return lf::address_space_cast<address_space::local_space, decorated::no>(p); }
#ifdef LANEFOLD_MISUSE
auto wrong(lf::raw_global_ptr<int> p) { return lf::address_space_cast<address_space::local_space, decorated::no>(p); }
#endif
