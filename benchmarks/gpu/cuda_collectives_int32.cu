// SPDX-License-Identifier: Apache-2.0
#include "cuda_collectives.cuh"

namespace lanefold_cuda {
LANEFOLD_CUDA_COLLECTIVES(int)
} // namespace lanefold_cuda
