// SPDX-License-Identifier: Apache-2.0
/// Devices of another backend are none of OpenCL's.
#include "thrown.hpp"
#include "toy_backend.hpp"

#include <lanefold/gpu.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace lf = lanefold;
namespace ld = lanefold::detail;

namespace {

/// A device that is never given anything.
class idle_device final : public toy::backend {
public:
  std::unique_ptr<ld::device_queue> make_queue(bool, bool) override { return std::make_unique<idle_queue>(*this); }

private:
  class idle_queue final : public ld::device_queue {
  public:
    explicit idle_queue(idle_device& home) : m_home(home) {}
    ld::device_backend& home() const noexcept override { return m_home; }

  private:
    idle_device& m_home;
  };
};

lf::device idle() {
  static const auto& all = toy::platform_of("idle", lf::info::device_type::custom, {new idle_device});
  return lf::device(&all.front()->devices.front());
}

TEST(gpu_other_backends, refuse_kernels_and_queues) {
  lf::queue q(idle());
  const lf::gpu::kernel nothing{"kernel void nothing() {}", "nothing"};
  const std::string text =
      text_thrown_by([&] { q.submit([&](lf::handler& h) { h.launch(nothing, lf::nd_range<1>(1, 1)); }); },
                     lf::errc::kernel_not_supported);
  EXPECT_NE(text.find("not an OpenCL device"), std::string::npos) << text;
  EXPECT_NE(text_thrown_by([&] { static_cast<void>(lf::gpu::get_native(q)); }, lf::errc::backend_mismatch)
                .find("not an OpenCL device"),
            std::string::npos);
}

} // namespace
