// SPDX-License-Identifier: Apache-2.0
/// Vector addition: the smallest kernel.
#pragma once

#include <lanefold/lanefold.hpp>

namespace programs {

namespace lf = lanefold;

/// z = x + y, over a plain range.
template <class T, class Properties>
lf::event vector_add(lf::queue& q, lf::view<const T> x, lf::view<const T> y, lf::view<T> z, const Properties& how) {
  return q.parallel_for(lf::range<1>(z.size()), how, [=](auto it) {
    const auto i = it.get_id(0);
    z[i] = x[i] + y[i];
  });
}

} // namespace programs
