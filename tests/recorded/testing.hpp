// SPDX-License-Identifier: Apache-2.0
/// Declares what the tests of recorded kernels share: one program on the CPU and on every OpenCL device.
#pragma once

#include "thrown.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/gpu.hpp>
#include <lanefold/recorded.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace recorded_testing {

namespace lf = lanefold;
namespace gpu = lanefold::gpu;

/// Returns how far apart two numbers may be.
template <class T>
bool is_near(T a, T b, double tolerance) {
  if constexpr (std::is_floating_point_v<T>) {
    return a == b || (std::isnan(a) && std::isnan(b)) ||
           std::fabs(static_cast<double>(a) - static_cast<double>(b)) <=
               tolerance * std::fmax(1.0, std::fabs(static_cast<double>(b)));
  } else {
    return a == b;
  }
}

template <class T>
void expect_near(const std::vector<T>& found, const std::vector<T>& expected, double tolerance,
                 const std::string& who) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_TRUE(is_near(found[i], expected[i], tolerance))
        << who << ": element " << i << " is " << +found[i] << ", not " << +expected[i];
  }
}

/// `program(queue, launch property, out)` fills `count` elements of T, the same by lanes and on every OpenCL device
/// that `takes` accepts; in the thorough run by work-items, too, without which the tests compile in two thirds of the
/// time.
template <class T, class Program>
void expect_same_everywhere(
    std::size_t count, Program program, double tolerance = 0,
    bool (*takes)(const gpu::device&) = [](const gpu::device&) { return true; }) {
  const auto run = [&](lf::queue q, auto how) {
    std::vector<T> out(count);
    {
      lf::buffer<T> buffer(out.data(), lf::range<1>(count));
      program(q, how, buffer);
      q.wait_and_throw();
    }
    return out;
  };
  const std::vector<T> expected = run(lf::queue(), lf::property::strategy<lf::simd<8>>());
#if defined(LANEFOLD_TEST_THOROUGH)
  expect_near(run(lf::queue(), lf::property::strategy<lf::scalar>()), expected, tolerance, "work-items");
#endif
  for (const gpu::device& device : gpu::devices()) {
    if (!takes(device)) {
      continue;
    }
    expect_near(run(lf::queue(device), lf::property::strategy<lf::simd<8>>()), expected, tolerance,
                device.get_platform_name());
  }
}

inline bool has_double(const gpu::device& d) { return d.has_fp64(); }

} // namespace recorded_testing

/// Tests that need a device begin with this.
#define LANEFOLD_NEED_OPENCL()                                                                                         \
  if (lanefold::gpu::devices().empty())                                                                                \
  GTEST_SKIP() << "no OpenCL device"
