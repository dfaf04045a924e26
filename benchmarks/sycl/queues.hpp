// SPDX-License-Identifier: Apache-2.0
/// The queues of the programs of the area `sycl`.
#pragma once

#include <sycl/sycl.hpp>

namespace lanefold_benchmarks {

/// Returns an out-of-order queue that uses so many threads.
inline sycl::queue queue_of(unsigned threads) {
  return sycl::queue{sycl::property_list{lanefold::property::threads(threads)}};
}

} // namespace lanefold_benchmarks
