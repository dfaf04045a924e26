// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda_peers.hpp"

#include <cuda_runtime.h>

#include <chrono>
#include <stdexcept>
#include <string>

namespace lanefold_cuda {

inline void check(cudaError_t code, const char* what) {
  if (code != cudaSuccess)
    throw std::runtime_error(std::string("CUDA, ") + what + ": " + cudaGetErrorString(code));
}

/// Memory of the device.
class memory {
public:
  explicit memory(std::size_t bytes) : m_bytes(bytes) { check(cudaMalloc(&m_data, bytes), "cudaMalloc"); }
  memory(const void* from, std::size_t bytes) : memory(bytes) {
    check(cudaMemcpy(m_data, from, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  memory(const memory&) = delete;
  memory& operator=(const memory&) = delete;
  ~memory() { cudaFree(m_data); }

  template <class T>
  T* as() const {
    return static_cast<T*>(m_data);
  }
  std::size_t bytes() const { return m_bytes; }
  void fetch(void* to) const { check(cudaMemcpy(to, m_data, m_bytes, cudaMemcpyDeviceToHost), "cudaMemcpy"); }

private:
  void* m_data = nullptr;
  std::size_t m_bytes;
};

/// Seconds from submission to the end.
template <class Submit>
double timed(Submit&& submit) {
  check(cudaDeviceSynchronize(), "waiting");
  const auto begin = std::chrono::steady_clock::now();
  submit();
  check(cudaGetLastError(), "launching");
  check(cudaDeviceSynchronize(), "waiting");
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace lanefold_cuda
