// SPDX-License-Identifier: Apache-2.0
#include "parsers.hpp"

#include "kernel_signature.hpp"

#include <algorithm>
#include <string>

void fuzz_parsers::kernel_signatures(std::string_view input) {
  const std::size_t line = std::min(input.find('\n'), input.size());
  // It has no byte more than it needs, so that reading behind it is noticed.
  const std::string source(input.substr(std::min(line + 1, input.size())));
  const auto found = lanefold::gpu::opencl::find_kernel(source, input.substr(0, line));
  if (found) {
    require(found->parameters.size() <= source.size(), "a kernel has fewer parameters than characters");
    for (const auto& p : found->parameters) {
      require(p.name.size() + p.type.size() <= source.size() + 4, "names and types are in the source");
    }
  }
}
