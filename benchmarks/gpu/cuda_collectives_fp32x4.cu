// SPDX-License-Identifier: Apache-2.0
#include "cuda_collectives.cuh"

namespace lanefold_cuda {
LANEFOLD_CUDA_COLLECTIVES(float4)
} // namespace lanefold_cuda
