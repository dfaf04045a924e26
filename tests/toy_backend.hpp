// SPDX-License-Identifier: Apache-2.0
/// Backends of tests, whose devices are not there, share this.
#pragma once

#include <lanefold/execution.hpp>
#include <lanefold/execution/detail/device_backend.hpp>
#include <lanefold/execution/detail/platform_entry.hpp>

#include <any>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace toy {

namespace lf = lanefold;
namespace ld = lanefold::detail;

/// A device without memory, USM and answers, that leaves copies and fills to the host.
class backend : public ld::device_backend {
public:
  bool is_visible() const override { return true; }
  bool has(lf::aspect asked) const noexcept override { return asked == lf::aspect::accelerator; }
  std::any answer(const std::type_info&) const override {
    throw lf::exception(make_error_code(lf::errc::feature_not_supported), "a device of tests is not asked that");
  }
  std::unique_ptr<ld::device_memory> allocate(std::size_t) override { return nullptr; }
  ld::usm_source& usm() noexcept override { return m_no_usm; }
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
  class no_usm final : public ld::usm_source {
  public:
    void* allocate(std::size_t, std::size_t, lf::usm::alloc) override { return nullptr; }
    void free(void*) noexcept override {}
  };
  no_usm m_no_usm;
};

/// A platform of these devices. Like the platforms of real backends it lives until the process ends. (Arguments by
/// value: g++ 13 takes a result of references to temporaries for one of them.)
inline const std::vector<const ld::platform_entry*>& platform_of(const char* name, lf::info::device_type type,
                                                                 std::initializer_list<ld::device_backend*> devices) {
  auto* const made = new ld::platform_entry{lf::backend::opencl, {}, name, "tests", "1", "FULL_PROFILE", {}};
  for (ld::device_backend* const each : devices) {
    made->devices.push_back({made, type, each});
  }
  return *new std::vector<const ld::platform_entry*>{made};
}

} // namespace toy
