// SPDX-License-Identifier: Apache-2.0
#include "peers.hpp"

#include "opencl_kernels.hpp"

// Only the target version: naming an older minimum beside 300 does not compile with the bindings of 2023.
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace lanefold_peers::opencl {

class device {
public:
  device(const cl::Platform& platform, const cl::Device& on)
      : handle(on), context(on), queue(context, on),
        info{platform.getInfo<CL_PLATFORM_NAME>(), on.getInfo<CL_DEVICE_NAME>(), on.getInfo<CL_DRIVER_VERSION>(),
             on.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>()} {}

  cl::Device handle;
  cl::Context context;
  cl::CommandQueue queue; // in order
  description info;
};

namespace {

void check_divides(const char* what, std::size_t divisor, std::size_t size) {
  if (divisor == 0 || size % divisor != 0)
    throw std::runtime_error(std::string(what) + ": a group of " + std::to_string(divisor) + " does not divide " +
                             std::to_string(size));
}

/// A kernel with its arguments and shape, ready to be launched again and again.
class launch {
public:
  launch(device_ptr on, const char* name, const char* source, const std::string& options, cl::NDRange global,
         cl::NDRange local, const char* version = "CL1.2")
      : m_device(std::move(on)), m_global(global), m_local(local) {
    cl::Program program(m_device->context, source);
    try {
      program.build(m_device->handle, ("-cl-std=" + std::string(version) + " " + options).c_str());
    } catch (const cl::Error&) {
      throw std::runtime_error("building the OpenCL kernel " + std::string(name) + " for " + m_device->info.platform +
                               " failed:\n" + program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(m_device->handle));
    }
    m_kernel = cl::Kernel(program, name);
  }

  /// The next argument: an array to read …
  template <class T>
  launch& in(const T* data, std::size_t count) {
    return buffer(
        cl::Buffer(m_device->context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, count * sizeof(T), const_cast<T*>(data)));
  }
  /// … an array to write …
  template <class T>
  launch& out(T* data, std::size_t count) {
    const cl::Buffer made(m_device->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, count * sizeof(T), data);
    m_outputs.emplace_back(made, count * sizeof(T));
    return buffer(made);
  }
  /// … one that exists …
  launch& buffer(cl::Buffer made) {
    m_device->queue.enqueueMigrateMemObjects({made}, 0);
    m_kernel.setArg(m_arguments++, made);
    m_buffers.push_back(std::move(made));
    return *this;
  }
  /// … or a plain value.
  template <class T>
  launch& value(T v) {
    m_kernel.setArg(m_arguments++, v);
    return *this;
  }

  void enqueue() const { m_device->queue.enqueueNDRangeKernel(m_kernel, cl::NullRange, m_global, m_local); }
  void wait() const { m_device->queue.finish(); }
  void fetch() const {
    for (const auto& [buffer, bytes] : m_outputs) {
      void* mapped = m_device->queue.enqueueMapBuffer(buffer, CL_TRUE, CL_MAP_READ, 0, bytes);
      m_device->queue.enqueueUnmapMemObject(buffer, mapped);
    }
    m_device->queue.finish();
  }

private:
  device_ptr m_device;
  cl::Kernel m_kernel;
  cl::NDRange m_global, m_local;
  cl_uint m_arguments = 0;
  std::vector<cl::Buffer> m_buffers;
  std::vector<std::pair<cl::Buffer, std::size_t>> m_outputs;
};

/// Work of one launch.
work single(const device_ptr& on, launch prepared) {
  auto shared = std::make_shared<launch>(std::move(prepared));
  shared->wait();
  return {on->info.platform,
          [shared] {
            shared->enqueue();
            shared->wait();
          },
          [shared] { shared->fetch(); }};
}

std::string define(const char* name, std::size_t value) {
  return "-D" + std::string(name) + "=" + std::to_string(value);
}

template <class T>
std::string define_type() {
  return sizeof(T) == sizeof(float) ? " -DTYPE=float" : " -DTYPE=double";
}

template <class T>
work nbody_of(const device_ptr& on, const bodies<T>& set, std::size_t tile) {
  check_divides("nbody", tile, set.count);
  const std::size_t n = set.count;
  launch made(on, "nbody", kernels::nbody, define("GROUP", tile) + define_type<T>(), cl::NDRange(n), cl::NDRange(tile));
  made.in(set.x, n).in(set.y, n).in(set.z, n).in(set.mass, n).out(set.ax, n).out(set.ay, n).out(set.az, n);
  made.value(static_cast<cl_uint>(n)).value(set.softening);
  return single(on, std::move(made));
}

template <class T>
work triad_of(const device_ptr& on, T* a, const T* b, const T* c, T s, std::size_t count, std::size_t group) {
  check_divides("triad", group, count);
  launch made(on, "triad", kernels::triad, define("GROUP", group) + define_type<T>(), cl::NDRange(count),
              cl::NDRange(group));
  made.out(a, count).in(b, count).in(c, count).value(s);
  return single(on, std::move(made));
}

work matmul_of(const device_ptr& on, const char* name, const char* source, const double* a, const double* b, double* c,
               std::size_t n, std::size_t tile) {
  check_divides(name, tile, n);
  launch made(on, name, source, define("TILE", tile), cl::NDRange(n, n), cl::NDRange(tile, tile));
  made.in(a, n * n).in(b, n * n).out(c, n * n).value(static_cast<cl_uint>(n));
  return single(on, std::move(made));
}

const char* name_of(group_function which) {
  switch (which) {
  case group_function::work_group_reduce_add: return "work_group_reduce_add";
  case group_function::work_group_scan_inclusive_add: return "work_group_scan_inclusive_add";
  case group_function::sub_group_reduce_add: return "sub_group_reduce_add";
  case group_function::sub_group_scan_inclusive_add: return "sub_group_scan_inclusive_add";
  case group_function::sub_group_butterfly: return "butterfly";
  case group_function::sub_group_exchange: return "exchange";
  }
  return "";
}

template <class T>
work repeat_of(const device_ptr& on, group_function which, const T* start, T* values, std::size_t items,
               std::size_t group, unsigned rounds, T scale) {
  check_divides("repeat", group, items);
  const bool sub_groups = which >= group_function::sub_group_reduce_add;
  const std::string type =
      std::is_integral_v<T> ? " -DTYPE=uint -DNEXT(y)=first+(y)" : " -DTYPE=float -DNEXT(y)=fma(y,scale,first)";
  launch made(on, "group_function", kernels::group_function,
              define("GROUP", group) + type + " -DFUNCTION=" + name_of(which) + (sub_groups ? " -DSUB_GROUPS" : ""),
              cl::NDRange(items), cl::NDRange(group), "CL3.0");
  made.in(start, items).out(values, items).value(static_cast<cl_uint>(rounds)).value(scale);
  made.value(cl_uint{exchange_mask});
  return single(on, std::move(made));
}

} // namespace

std::vector<device_ptr> cpu_devices(std::string* reason) {
  std::vector<device_ptr> found;
  std::string why = "no OpenCL platform has a CPU device";
  try {
    std::vector<cl::Platform> platforms;
    cl::Platform::get(&platforms);
    for (const auto& platform : platforms) {
      std::vector<cl::Device> handles;
      try {
        platform.getDevices(CL_DEVICE_TYPE_CPU, &handles);
      } catch (const cl::Error&) { // CL_DEVICE_NOT_FOUND: a platform for GPUs
      }
      for (const auto& handle : handles)
        found.push_back(std::make_shared<device>(platform, handle));
    }
  } catch (const cl::Error& error) {
    why = "OpenCL reports " + std::to_string(error.err()) + " from " + error.what();
    if (error.err() == -1001)
      why = "no OpenCL platform is installed";
  }
  if (reason && found.empty())
    *reason = why;
  return found;
}

device_ptr find(std::string_view part, std::string* reason) {
  static const std::vector<device_ptr> all = cpu_devices();
  for (const auto& candidate : all)
    if (candidate->info.platform.find(part) != std::string::npos)
      return candidate;
  if (reason)
    *reason = "no OpenCL platform of the name '" + std::string(part) + "'";
  return nullptr;
}

device_ptr intel(std::string* reason) {
  device_ptr found = find("Intel(R) OpenCL");
  if (!found && reason)
    *reason = "Intel's OpenCL CPU runtime is not there (install it with scripts/opencl-cpu-runtime)";
  return found;
}

device_ptr pocl(std::string* reason) {
  device_ptr found = find("Portable Computing Language");
  if (!found && reason)
    *reason = "PoCL is not there (Debian: apt install pocl-opencl-icd)";
  return found;
}

const description& describe(const device_ptr& which) { return which->info; }

work barrier_shift(const device_ptr& on, std::uint32_t* values, std::size_t items, std::size_t group, unsigned rounds) {
  check_divides("barrier_shift", group, items);
  launch made(on, "barrier_shift", kernels::barrier_shift, define("GROUP", group), cl::NDRange(items),
              cl::NDRange(group));
  made.out(values, items).value(static_cast<cl_uint>(rounds));
  return single(on, std::move(made));
}

work tree_reduction(const device_ptr& on, const double* in, std::size_t count, double* result, std::size_t group) {
  if (group == 0 || (group & (group - 1)) != 0)
    throw std::runtime_error("tree_reduction: a group of " + std::to_string(group) + " is not a power of two");
  // One launch for each stage; every stage reads what the one before wrote.
  auto stages = std::make_shared<std::vector<launch>>();
  cl::Buffer between;
  for (std::size_t left = count;;) {
    const std::size_t groups = (left + group - 1) / group;
    launch& made = stages->emplace_back(on, "tree_reduction", kernels::tree_reduction, define("GROUP", group),
                                        cl::NDRange(groups * group), cl::NDRange(group));
    left == count ? made.in(in, left) : made.buffer(between);
    if (groups > 1) {
      between = cl::Buffer(on->context, CL_MEM_READ_WRITE, groups * sizeof(double));
      made.buffer(between);
    } else {
      made.out(result, 1);
    }
    made.value(static_cast<cl_ulong>(left));
    if (groups == 1)
      break;
    left = groups;
  }
  stages->back().wait();
  return {on->info.platform,
          [stages] {
            for (const auto& stage : *stages)
              stage.enqueue();
            stages->back().wait();
          },
          [stages] { stages->back().fetch(); }};
}

work segmented_reduction(const device_ptr& on, const double* in, std::size_t count, double* sums, double* result,
                         std::size_t group) {
  check_divides("segmented_reduction", group, count);
  const std::size_t groups = count / group;
  auto made = std::make_shared<launch>(on, "tree_reduction", kernels::tree_reduction, define("GROUP", group),
                                       cl::NDRange(count), cl::NDRange(group));
  made->in(in, count).out(sums, groups).value(static_cast<cl_ulong>(count));
  made->wait();
  return {on->info.platform,
          [made, sums, groups, result] {
            made->enqueue();
            made->fetch();
            *result = std::accumulate(sums, sums + groups, 0.0);
          },
          {}};
}

work matmul_tiled(const device_ptr& on, const double* a, const double* b, double* c, std::size_t n, std::size_t tile) {
  return matmul_of(on, "matmul_tiled", kernels::matmul_tiled, a, b, c, n, tile);
}

work matmul_naive(const device_ptr& on, const double* a, const double* b, double* c, std::size_t n, std::size_t tile) {
  return matmul_of(on, "matmul_naive", kernels::matmul_naive, a, b, c, n, tile);
}

work nbody(const device_ptr& on, const bodies<float>& set, std::size_t tile) { return nbody_of(on, set, tile); }
work nbody(const device_ptr& on, const bodies<double>& set, std::size_t tile) { return nbody_of(on, set, tile); }

work transpose(const device_ptr& on, const float* in, float* out, std::size_t rows, std::size_t columns,
               std::size_t tile) {
  check_divides("transpose", tile, rows);
  check_divides("transpose", tile, columns);
  launch made(on, "transpose", kernels::transpose, define("TILE", tile), cl::NDRange(columns, rows),
              cl::NDRange(tile, tile));
  made.in(in, rows * columns).out(out, rows * columns);
  made.value(static_cast<cl_uint>(rows)).value(static_cast<cl_uint>(columns));
  return single(on, std::move(made));
}

work mandelbrot(const device_ptr& on, const picture& of) {
  constexpr std::size_t tile = 16;
  check_divides("mandelbrot", tile, of.width);
  check_divides("mandelbrot", tile, of.height);
  launch made(on, "mandelbrot", kernels::mandelbrot, define("TILE", tile), cl::NDRange(of.width, of.height),
              cl::NDRange(tile, tile));
  made.out(of.counts, of.width * of.height).value(of.left).value(of.top).value(of.step);
  made.value(static_cast<cl_int>(of.limit));
  return single(on, std::move(made));
}

work triad(const device_ptr& on, float* a, const float* b, const float* c, float s, std::size_t count,
           std::size_t group) {
  return triad_of(on, a, b, c, s, count, group);
}

work triad(const device_ptr& on, double* a, const double* b, const double* c, double s, std::size_t count,
           std::size_t group) {
  return triad_of(on, a, b, c, s, count, group);
}

work vector_add(const device_ptr& on, float* a, const float* b, const float* c, std::size_t count, std::size_t group) {
  check_divides("vector_add", group, count);
  launch made(on, "vector_add", kernels::vector_add, define("GROUP", group) + define_type<float>(), cl::NDRange(count),
              cl::NDRange(group));
  made.out(a, count).in(b, count).in(c, count);
  return single(on, std::move(made));
}

work empty_launch(const device_ptr& on, std::size_t groups, std::size_t group) {
  launch made(on, "empty", kernels::empty, define("GROUP", group), cl::NDRange(groups * group), cl::NDRange(group));
  made.value(cl_uint{0});
  return single(on, std::move(made));
}

work repeat(const device_ptr& on, group_function which, const std::uint32_t* start, std::uint32_t* values,
            std::size_t items, std::size_t group, unsigned rounds, std::uint32_t scale) {
  return repeat_of(on, which, start, values, items, group, rounds, scale);
}
work repeat(const device_ptr& on, group_function which, const float* start, float* values, std::size_t items,
            std::size_t group, unsigned rounds, float scale) {
  return repeat_of(on, which, start, values, items, group, rounds, scale);
}

} // namespace lanefold_peers::opencl
