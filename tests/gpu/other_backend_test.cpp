// SPDX-License-Identifier: Apache-2.0
/// Devices of another backend are none of OpenCL's.
#include <lanefold/gpu.hpp>

#include <lanefold/execution/detail/device_backend.hpp>
#include <lanefold/execution/detail/platform_entry.hpp>

#include <gtest/gtest.h>

#include <any>
#include <memory>
#include <string>

namespace lf = lanefold;
namespace ld = lanefold::detail;

namespace {

/// A device that is never given anything.
class idle_device final : public ld::device_backend {
public:
  bool is_visible() const override { return true; }
  bool has(lf::aspect) const noexcept override { return false; }
  std::any answer(const std::type_info&) const override { return {}; }
  std::unique_ptr<ld::device_queue> make_queue(bool, bool) override { return std::make_unique<idle_queue>(*this); }
  std::unique_ptr<ld::device_memory> allocate(std::size_t) override { return nullptr; }
  ld::usm_source& usm() noexcept override { return m_usm; }
  std::unique_ptr<ld::launch> make_copy(const ld::launch_settings&, void*, const void*, std::size_t) override {
    return nullptr;
  }
  std::unique_ptr<ld::launch> make_fill(const ld::launch_settings&, void*, const void*, std::size_t,
                                        std::size_t) override {
    return nullptr;
  }
  std::unique_ptr<ld::launch> make_copy(const ld::launch_settings&, const ld::copy_side&, const ld::copy_side&,
                                        std::size_t, std::shared_ptr<const void>) override {
    return nullptr;
  }
  std::unique_ptr<ld::launch> make_fill(const ld::launch_settings&, const ld::copy_side&, const void*, std::size_t,
                                        std::size_t) override {
    return nullptr;
  }

private:
  class idle_queue final : public ld::device_queue {
  public:
    explicit idle_queue(idle_device& home) : m_home(home) {}
    ld::device_backend& home() const noexcept override { return m_home; }

  private:
    idle_device& m_home;
  };
  class no_usm final : public ld::usm_source {
  public:
    void* allocate(std::size_t, std::size_t, lf::usm::alloc) override { return nullptr; }
    void free(void*) noexcept override {}
  };

  no_usm m_usm;
};

lf::device idle() {
  static const ld::platform_entry* const platform = [] {
    auto* const made = new ld::platform_entry{lf::backend::opencl, {}, "idle", "tests", "1", "FULL_PROFILE", {}};
    made->devices.push_back({made, lf::info::device_type::custom, new idle_device});
    return made;
  }();
  return lf::device(&platform->devices.front());
}

template <class F>
std::string refusal(lf::errc code, F f) {
  try {
    f();
  } catch (const lf::exception& e) {
    EXPECT_EQ(e.code(), make_error_code(code)) << e.what();
    return e.what();
  }
  return "no exception";
}

TEST(gpu_other_backends, refuse_kernels_and_queues) {
  lf::queue q(idle());
  const lf::gpu::kernel nothing{"kernel void nothing() {}", "nothing"};
  const std::string text = refusal(lf::errc::kernel_not_supported, [&] {
    q.submit([&](lf::handler& h) { h.launch(nothing, lf::nd_range<1>(1, 1)); });
  });
  EXPECT_NE(text.find("not an OpenCL device"), std::string::npos) << text;
  EXPECT_NE(refusal(lf::errc::backend_mismatch, [&] { static_cast<void>(lf::gpu::get_native(q)); })
                .find("not an OpenCL device"),
            std::string::npos);
}

} // namespace
