// SPDX-License-Identifier: Apache-2.0
#include "cuda_peers.hpp"

namespace lanefold_cuda {

std::string absent() { return "built without nvcc"; }
int algorithms(collective) { return 0; }
std::unique_ptr<work> repeat(type, collective, int, std::size_t, std::size_t, const void*) { return nullptr; }
std::unique_ptr<work> repeat_part(part, std::size_t, int, std::size_t, std::size_t, const void*) { return nullptr; }
std::unique_ptr<work> device_reduce(type, const void*, std::size_t) { return nullptr; }
std::unique_ptr<work> device_inclusive_scan(type, const void*, std::size_t) { return nullptr; }
std::unique_ptr<work> device_copy(std::size_t) { return nullptr; }
std::unique_ptr<work> dgemm_tiled(const double*, const double*, std::size_t) { return nullptr; }
std::unique_ptr<work> nbody(const double*, std::size_t, double) { return nullptr; }
std::unique_ptr<work> segmented_reduce(const double*, std::size_t, const unsigned*, std::size_t) { return nullptr; }
std::unique_ptr<work> finite_volumes(int, int, bool, patches_share, std::size_t, const double*, double) {
  return nullptr;
}
std::unique_ptr<work> empty_launch(std::size_t, std::size_t) { return nullptr; }

} // namespace lanefold_cuda
