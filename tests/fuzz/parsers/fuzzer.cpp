// SPDX-License-Identifier: Apache-2.0
// The entry of libFuzzer: FUZZ_PARSER is one of the functions of parsers.hpp.
#include "parsers.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz_parsers::FUZZ_PARSER({reinterpret_cast<const char*>(data), size});
  return 0;
}
