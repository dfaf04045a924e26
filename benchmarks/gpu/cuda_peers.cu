// SPDX-License-Identifier: Apache-2.0
#include "cuda_common.cuh"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>

namespace lanefold_cuda {

template <class T>
std::unique_ptr<work> repeat_of(collective what, int algorithm, std::size_t group, std::size_t items,
                                const void* start);
template <>
std::unique_ptr<work> repeat_of<int>(collective, int, std::size_t, std::size_t, const void*);
template <>
std::unique_ptr<work> repeat_of<float>(collective, int, std::size_t, std::size_t, const void*);
template <>
std::unique_ptr<work> repeat_of<long long>(collective, int, std::size_t, std::size_t, const void*);
template <>
std::unique_ptr<work> repeat_of<double>(collective, int, std::size_t, std::size_t, const void*);
template <>
std::unique_ptr<work> repeat_of<float4>(collective, int, std::size_t, std::size_t, const void*);

namespace {

__global__ void repeat_any_of(const int* start, int* values, unsigned rounds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = start[i];
  int x = first;
  for (unsigned r = 0; r < rounds; ++r)
    x = (__syncthreads_or(x > 0) != 0) + first;
  values[i] = x;
}

__global__ void empty() {}

__global__ void dgemm_tiles(const double* a, const double* b, double* c, unsigned n) {
  __shared__ double tile_a[16][16], tile_b[16][16];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
  double sum = 0;
  for (unsigned first = 0; first < n; first += 16) {
    tile_a[y][x] = a[row * n + first + x];
    tile_b[y][x] = b[(first + y) * n + column];
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < 16; ++k)
      sum = fma(tile_a[y][k], tile_b[k][x], sum);
    __syncthreads();
  }
  c[row * n + column] = sum;
}

struct alignas(16) body {
  double x, y, z, mass;
};

__global__ void nbody_tiles(const body* bodies, body* accelerations, unsigned n, double softening) {
  __shared__ body tile[256];
  const unsigned id = threadIdx.x, i = blockIdx.x * 256 + id;
  const body mine = bodies[i];
  double ax = 0, ay = 0, az = 0;
  for (unsigned first = 0; first < n; first += 256) {
    tile[id] = bodies[first + id];
    __syncthreads();
#pragma unroll 8
    for (unsigned j = 0; j < 256; ++j) {
      const body other = tile[j];
      const double dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
      const double inverse = rsqrt(fma(dx, dx, fma(dy, dy, fma(dz, dz, softening))));
      const double s = other.mass * inverse * (inverse * inverse);
      ax = fma(s, dx, ax);
      ay = fma(s, dy, ay);
      az = fma(s, dz, az);
    }
    __syncthreads();
  }
  accelerations[i] = {ax, ay, az, 0};
}

template <class Submit>
class simple_work final : public work {
public:
  simple_work(Submit submit, std::shared_ptr<memory> result)
      : m_submit(std::move(submit)), m_result(std::move(result)) {}
  double run(unsigned rounds) override {
    return timed([&] { m_submit(rounds); });
  }
  void fetch(void* to) override {
    if (m_result)
      m_result->fetch(to);
  }

private:
  Submit m_submit;
  std::shared_ptr<memory> m_result;
};

/// Calls `submit(rounds)`.
template <class Submit>
std::unique_ptr<work> make_work(Submit submit, std::shared_ptr<memory> result = nullptr) {
  return std::make_unique<simple_work<Submit>>(std::move(submit), std::move(result));
}

/// Calls `submit()` once a round.
template <class Submit>
std::unique_ptr<work> make_launches(Submit submit, std::shared_ptr<memory> result = nullptr) {
  return make_work(
      [=](unsigned rounds) {
        for (unsigned r = 0; r < rounds; ++r)
          submit();
      },
      std::move(result));
}

template <class T>
std::unique_ptr<work> reduce_of(const void* data, std::size_t count) {
  auto in = std::make_shared<memory>(data, count * sizeof(T));
  auto out = std::make_shared<memory>(sizeof(T));
  std::size_t bytes = 0;
  check(cub::DeviceReduce::Sum(nullptr, bytes, in->as<T>(), out->as<T>(), count), "DeviceReduce");
  auto temporary = std::make_shared<memory>(bytes);
  return make_launches(
      [=] {
        std::size_t room = bytes;
        cub::DeviceReduce::Sum(temporary->as<void>(), room, in->as<T>(), out->as<T>(), count);
      },
      out);
}

template <class T>
std::unique_ptr<work> scan_of(const void* data, std::size_t count) {
  auto in = std::make_shared<memory>(data, count * sizeof(T));
  auto out = std::make_shared<memory>(count * sizeof(T));
  std::size_t bytes = 0;
  check(cub::DeviceScan::InclusiveSum(nullptr, bytes, in->as<T>(), out->as<T>(), count), "DeviceScan");
  auto temporary = std::make_shared<memory>(bytes);
  return make_launches(
      [=] {
        std::size_t room = bytes;
        cub::DeviceScan::InclusiveSum(temporary->as<void>(), room, in->as<T>(), out->as<T>(), count);
      },
      out);
}

} // namespace

std::string absent() {
  int devices = 0;
  const cudaError_t code = cudaGetDeviceCount(&devices);
  if (code != cudaSuccess)
    return std::string("CUDA: ") + cudaGetErrorString(code);
  return devices == 0 ? "CUDA finds no GPU" : "";
}

int algorithms(collective what) { return what == collective::any_of ? 1 : 3; }

std::unique_ptr<work> repeat(type of, collective what, int algorithm, std::size_t group, std::size_t items,
                             const void* start) {
  if (what == collective::any_of) {
    auto in = std::make_shared<memory>(start, items * sizeof(int));
    auto out = std::make_shared<memory>(items * sizeof(int));
    return make_work(
        [=](unsigned rounds) {
          repeat_any_of<<<static_cast<unsigned>(items / group), static_cast<unsigned>(group)>>>(in->as<int>(),
                                                                                                out->as<int>(), rounds);
        },
        out);
  }
  switch (of) {
  case type::int32: return repeat_of<int>(what, algorithm, group, items, start);
  case type::fp32: return repeat_of<float>(what, algorithm, group, items, start);
  case type::int64: return repeat_of<long long>(what, algorithm, group, items, start);
  case type::fp64: return repeat_of<double>(what, algorithm, group, items, start);
  case type::fp32x4: return repeat_of<float4>(what, algorithm, group, items, start);
  }
  return nullptr;
}

std::unique_ptr<work> device_reduce(type of, const void* data, std::size_t count) {
  return of == type::int32  ? reduce_of<int>(data, count)
         : of == type::fp64 ? reduce_of<double>(data, count)
                            : reduce_of<float>(data, count);
}

std::unique_ptr<work> device_inclusive_scan(type of, const void* data, std::size_t count) {
  return of == type::int32 ? scan_of<int>(data, count) : scan_of<float>(data, count);
}

std::unique_ptr<work> device_copy(std::size_t bytes) {
  auto from = std::make_shared<memory>(bytes);
  auto to = std::make_shared<memory>(bytes);
  check(cudaMemset(from->as<void>(), 1, bytes), "cudaMemset");
  return make_launches([=] { cudaMemcpyAsync(to->as<void>(), from->as<void>(), bytes, cudaMemcpyDeviceToDevice); }, to);
}

std::unique_ptr<work> dgemm_tiled(const double* a, const double* b, std::size_t n) {
  const std::size_t bytes = n * n * sizeof(double);
  auto first = std::make_shared<memory>(a, bytes);
  auto second = std::make_shared<memory>(b, bytes);
  auto product = std::make_shared<memory>(bytes);
  const auto tiles = static_cast<unsigned>(n / 16);
  return make_launches(
      [=] {
        dgemm_tiles<<<dim3(tiles, tiles), dim3(16, 16)>>>(first->as<double>(), second->as<double>(),
                                                          product->as<double>(), static_cast<unsigned>(n));
      },
      product);
}

std::unique_ptr<work> nbody(const double* bodies, std::size_t n, double softening) {
  auto in = std::make_shared<memory>(bodies, n * sizeof(body));
  auto out = std::make_shared<memory>(n * sizeof(body));
  return make_launches(
      [=] {
        nbody_tiles<<<static_cast<unsigned>(n / 256), 256>>>(in->as<body>(), out->as<body>(), static_cast<unsigned>(n),
                                                             softening);
      },
      out);
}

std::unique_ptr<work> segmented_reduce(const double* data, std::size_t count, const unsigned* offsets,
                                       std::size_t segments) {
  auto in = std::make_shared<memory>(data, count * sizeof(double));
  auto places = std::make_shared<memory>(offsets, (segments + 1) * sizeof(unsigned));
  auto out = std::make_shared<memory>(segments * sizeof(double));
  const unsigned* const begin = places->as<unsigned>();
  const auto number = static_cast<int>(segments);
  std::size_t bytes = 0;
  check(cub::DeviceSegmentedReduce::Sum(nullptr, bytes, in->as<double>(), out->as<double>(), number, begin, begin + 1),
        "DeviceSegmentedReduce");
  auto temporary = std::make_shared<memory>(bytes);
  return make_launches(
      [=] {
        std::size_t room = bytes;
        cub::DeviceSegmentedReduce::Sum(temporary->as<void>(), room, in->as<double>(), out->as<double>(), number, begin,
                                        begin + 1);
        static_cast<void>(places); // kept
      },
      out);
}

std::unique_ptr<work> empty_launch(std::size_t groups, std::size_t group) {
  return make_launches([=] { empty<<<static_cast<unsigned>(groups), static_cast<unsigned>(group)>>>(); });
}

} // namespace lanefold_cuda
