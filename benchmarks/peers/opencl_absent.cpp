// SPDX-License-Identifier: Apache-2.0
/// Built instead of opencl.cpp where OpenCL's headers or loader are missing: there are no devices.
#include "peers.hpp"

#include <stdexcept>

namespace lanefold_peers::opencl {

class device {
public:
  description info;
};

namespace {

device_ptr none(std::string* reason) {
  if (reason)
    *reason = "built without OpenCL (Debian: apt install opencl-headers ocl-icd-opencl-dev)";
  return nullptr;
}

work nothing() { throw std::runtime_error("built without OpenCL"); }

} // namespace

std::vector<device_ptr> cpu_devices(std::string* reason) {
  none(reason);
  return {};
}
device_ptr find(std::string_view, std::string* reason) { return none(reason); }
device_ptr intel(std::string* reason) { return none(reason); }
device_ptr pocl(std::string* reason) { return none(reason); }
const description& describe(const device_ptr& which) { return which->info; }

work barrier_shift(const device_ptr&, std::uint32_t*, std::size_t, std::size_t, unsigned) { return nothing(); }
work tree_reduction(const device_ptr&, const double*, std::size_t, double*, std::size_t) { return nothing(); }
work segmented_reduction(const device_ptr&, const double*, std::size_t, double*, double*, std::size_t) {
  return nothing();
}
work matmul_tiled(const device_ptr&, const double*, const double*, double*, std::size_t, std::size_t) {
  return nothing();
}
work matmul_naive(const device_ptr&, const double*, const double*, double*, std::size_t, std::size_t) {
  return nothing();
}
work nbody(const device_ptr&, const bodies<float>&, std::size_t) { return nothing(); }
work nbody(const device_ptr&, const bodies<double>&, std::size_t) { return nothing(); }
work transpose(const device_ptr&, const float*, float*, std::size_t, std::size_t, std::size_t) { return nothing(); }
work mandelbrot(const device_ptr&, const picture&) { return nothing(); }
work triad(const device_ptr&, float*, const float*, const float*, float, std::size_t, std::size_t) { return nothing(); }
work triad(const device_ptr&, double*, const double*, const double*, double, std::size_t, std::size_t) {
  return nothing();
}
work vector_add(const device_ptr&, float*, const float*, const float*, std::size_t, std::size_t) { return nothing(); }
work empty_launch(const device_ptr&, std::size_t, std::size_t) { return nothing(); }

work repeat(const device_ptr&, group_function, const std::uint32_t*, std::uint32_t*, std::size_t, std::size_t, unsigned,
            std::uint32_t) {
  return nothing();
}
work repeat(const device_ptr&, group_function, const float*, float*, std::size_t, std::size_t, unsigned, float) {
  return nothing();
}

} // namespace lanefold_peers::opencl
