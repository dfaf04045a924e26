// SPDX-License-Identifier: Apache-2.0
/// The parameters of a kernel, read from its source where that tells them: drivers keep them only for programs that
/// they compiled themselves, and that were built with the option for it.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

struct kernel_parameter {
  enum class space { value, global, local, other, unknown };
  space where = space::value; // other: images, samplers, …; unknown: OpenCL checks what is given
  bool is_const = false;      // the kernel does not write what it points to
  std::size_t bytes = 0;      // of a value of a type of the program's; 0: not known here
  std::string type;           // the type that is passed or pointed to, without qualifiers: "float4"
  std::string name;
};

/// Holds what the text of a program says of a kernel.
struct kernel_signature {
  std::vector<kernel_parameter> parameters;
  /// Else the preprocessor, or a type of the program's, may make something else of it: the device knows what.
  bool is_certain = false;
};

/// Returns whether a type of OpenCL C is one of images.
bool is_image(std::string_view type);

/// Reads the text alone, macros are not expanded. `macros` are those that it is built with besides its own: names,
/// perhaps with parameters. Nothing if the text certainly has no kernel of that name.
std::optional<kernel_signature> find_kernel(std::string_view source, std::string_view name,
                                            const std::vector<std::string_view>& macros = {});

/// Returns whether the text has a kernel that takes nothing, perhaps one that the preprocessor leaves out.
bool has_kernel_without_parameters(std::string_view source);

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
