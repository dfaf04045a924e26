// SPDX-License-Identifier: Apache-2.0
/// Declares what the tests of the GPU path share: the devices and flavours that there are, values, types by name.
#pragma once

#include <lanefold/gpu/algorithms.hpp>
#include <lanefold/gpu/device.hpp>
#include <lanefold/gpu/queue.hpp>
#include <lanefold/gpu/usm.hpp>

#include "states.hpp"
#include "thrown.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace gpu_testing {

namespace gpu = lanefold::gpu;

/// A device and a flavour that it has.
struct side {
  gpu::device device;
  gpu::flavour flavour;
  std::string name;
};

/// Returns whether sub-groups of the side go their own ways: the variants that are made of them need that.
inline bool has_free_sub_groups(const side& s) {
  return s.flavour != gpu::flavour::local &&
         (s.flavour == gpu::flavour::nv || !s.device.library_target().sub_groups_in_step);
}

/// Simulators are a thousand times slower: they get the smallest sizes only.
inline bool is_simulator(const gpu::device& d) { return d.get_platform_name().find("Oclgrind") != std::string::npos; }

inline std::vector<side> all_sides() {
  std::vector<side> sides;
  for (const gpu::device& device : gpu::devices()) {
    const gpu::library_target& target = device.library_target();
    const auto add = [&](bool there, gpu::flavour flavour, const char* name) {
      if (there)
        sides.push_back({device, flavour, device.get_platform_name() + "/" + name});
    };
    add(target.nv, gpu::flavour::nv, "nv");
    add(target.khr, gpu::flavour::khr, "khr");
    add(target.intel, gpu::flavour::intel, "intel");
    // One device with sub-groups suffices for the fallback too, if there is no other.
    add(target.flavour == gpu::flavour::local || target.nv, gpu::flavour::local, "local");
  }
  return sides;
}

inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t i = text.find(what); i != text.npos; i = text.find(what, i + by.size()))
    text.replace(i, what.size(), by);
  return text;
}

inline unsigned seed() {
  static const unsigned value = [] {
    const char* const given = std::getenv("LANEFOLD_TEST_SEED");
    const unsigned chosen =
        given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : std::random_device{}();
    return chosen;
  }();
  return value;
}

/// Gives a variable another value until the end of a block.
template <class T>
class for_now {
public:
  for_now(T& variable, T value) : m_variable(variable), m_before(std::exchange(variable, value)) {}
  for_now(const for_now&) = delete;
  for_now& operator=(const for_now&) = delete;
  ~for_now() { m_variable = m_before; }

private:
  T& m_variable;
  T m_before;
};

/// Calls `work` for every way of USM that the device offers.
template <class Work>
void for_each_usm_support(const gpu::device& device, Work&& work) {
  gpu::opencl::device_state& state = device.state();
  const auto run = [&](bool offered, gpu::usm_support way, const char* name) {
    if (!offered)
      return;
    SCOPED_TRACE(device.get_platform_name() + ", USM by " + name);
    const for_now asked(state.usm_way, way);
    work();
  };
  run(true, gpu::usm_support::handles, "handles");
  run((state.svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) != 0, gpu::usm_support::svm, "SVM");
  run(static_cast<bool>(state.usm), gpu::usm_support::intel, "cl_intel_unified_shared_memory");
}

/// Returns whether a device has a type by its name in OpenCL C.
inline bool has_type(const gpu::device& device, std::string_view type) {
  return type.starts_with("half") ? device.has_fp16() : !type.starts_with("double") || device.has_fp64();
}

inline bool any_device_has_half() {
  for (const gpu::device& device : gpu::devices())
    if (device.has_fp16())
      return true;
  return false;
}

} // namespace gpu_testing

/// Tests that need a device begin with this.
#define LANEFOLD_NEED_OPENCL()                                                                                         \
  if (gpu_testing::gpu::devices().empty())                                                                             \
  GTEST_SKIP() << "no OpenCL device"

/// Tests of half begin with this: what devices without it say is tested in other places.
#define LANEFOLD_NEED_HALF()                                                                                           \
  LANEFOLD_NEED_OPENCL();                                                                                              \
  if (!gpu_testing::any_device_has_half())                                                                             \
  GTEST_SKIP() << "no OpenCL device has cl_khr_fp16"
