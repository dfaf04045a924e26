// SPDX-License-Identifier: Apache-2.0
/// The types of OpenCL C by name.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

/// A scalar or vector type of OpenCL C.
struct opencl_type {
  std::string name;
  std::string component; ///< the scalar type
  std::size_t width = 1; ///< components: 1, 2, 3, 4, 8, 16
  std::size_t component_bytes = 0;
  bool is_floating = false;
  bool is_signed = false;

  /// Vectors of three take the room of four.
  std::size_t bytes() const noexcept { return component_bytes * (width == 3 ? 4 : width); }
};

/// The type of that name; nothing for user types.
std::optional<opencl_type> find_opencl_type(std::string_view name);

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
