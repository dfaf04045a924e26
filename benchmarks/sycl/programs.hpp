// SPDX-License-Identifier: Apache-2.0
/// The programs behind the targets of the area `sycl`, one file each. Their kernels are plain SYCL 2020.
#pragma once

#include "by_hand.hpp"
#include "report.hpp"

namespace lanefold_benchmarks {

void measure_submission(report&, const options&);
void measure_independent(report&, const options&);
void measure_buffers(report&, const options&);
void measure_reduction(report&, const options&);
void measure_histogram(report&, const options&);
void measure_stencil(report&, const options&);
void measure_inner_loops(report&, const options&);
void measure_functions(report&, const options&);
void measure_calls(report&, const options&);

} // namespace lanefold_benchmarks
