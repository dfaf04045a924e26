// SPDX-License-Identifier: Apache-2.0
/// The parameters of a kernel, read from its source: drivers keep them only for programs that they compiled themselves.
#pragma once

#include <lanefold/version.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

struct kernel_parameter {
  enum class space { value, global, local, other };
  space where = space::value; // other: images, samplers, …
  bool is_const = false;      // the kernel does not write what it points to
  std::string type;           // the type that is passed or pointed to, without qualifiers: "float4"
  std::string name;
};

/// Nothing if the source has no kernel of that name. Macros are not expanded.
std::optional<std::vector<kernel_parameter>> find_kernel(std::string_view source, std::string_view name);

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
