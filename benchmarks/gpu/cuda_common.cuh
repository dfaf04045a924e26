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

/// Does rounds of something on a value of each thread, in one kernel.
template <class T>
using repeat_kernel = void (*)(const T*, T*, unsigned);

template <class T>
class repeat_work final : public work {
public:
  repeat_work(repeat_kernel<T> kernel, std::size_t group, std::size_t items, const void* start)
      : m_kernel(kernel), m_group(static_cast<unsigned>(group)), m_groups(static_cast<unsigned>(items / group)),
        m_start(start, items * sizeof(T)), m_values(items * sizeof(T)) {}

  double run(unsigned rounds) override {
    return timed([&] { m_kernel<<<m_groups, m_group>>>(m_start.as<T>(), m_values.as<T>(), rounds); });
  }
  void fetch(void* to) override { m_values.fetch(to); }

private:
  repeat_kernel<T> m_kernel;
  unsigned m_group, m_groups;
  memory m_start, m_values;
};

} // namespace lanefold_cuda
