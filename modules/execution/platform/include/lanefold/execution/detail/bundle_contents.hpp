// SPDX-License-Identifier: Apache-2.0
/// Declares what the handles of a kernel bundle share. Internal.
#pragma once

#include <lanefold/execution/context.hpp>
#include <lanefold/execution/detail/shared_part.hpp>
#include <lanefold/execution/device.hpp>
#include <lanefold/execution/kernel_id.hpp>
#include <lanefold/execution/specialization.hpp>

#include <memory>
#include <typeinfo>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Kernels for devices. Bundles that are made of others share their images.
struct image_contents {
  std::vector<kernel_id> kernels; // each once
  std::vector<device> devices;

  [[nodiscard]] bool contains(const kernel_id& kernel) const noexcept;
  /// Returns whether it has the kernel and this device, which runs it.
  [[nodiscard]] bool contains(const kernel_id& kernel, const device& on) const noexcept;
};

/// Holds what the handles of a bundle share.
struct bundle_contents {
  context where;
  std::vector<device> devices;                               // each once
  std::vector<std::shared_ptr<const image_contents>> images; // each once, none of them empty
  shared_part<specialization_values> values;

  [[nodiscard]] std::vector<kernel_id> kernels() const;
  [[nodiscard]] bool contains(const kernel_id& kernel) const noexcept;
  [[nodiscard]] bool contains(const kernel_id& kernel, const device& on) const noexcept;
  [[nodiscard]] bool contains(const std::type_info& kernel) const noexcept;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
