// SPDX-License-Identifier: Apache-2.0
// Gives the files of corpus/<parser> to the parsers, each as it is, cut off at each place, and with each byte changed:
// what any compiler can do without a fuzzer. Usage: PROGRAM CORPUS
#include "parsers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;
using parser = void (*)(std::string_view);

constexpr std::size_t most_changes = 300; // of a file

std::size_t replay(parser parse, const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  parse(text);
  const std::size_t changes = std::min(text.size(), most_changes);
  for (std::size_t i = 0; i < changes; ++i) {
    parse(std::string_view(text).substr(0, i));
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ static_cast<char>(1 << i % 8));
    parse(changed);
  }
  return 1 + 2 * changes;
}

} // namespace

int main(int argc, char** argv) {
  const std::vector<std::pair<const char*, parser>> parsers{
#if defined(LANEFOLD_FUZZ_OPENCL)
      {"kernel_signatures", &fuzz_parsers::kernel_signatures},
      {"cache_files", &fuzz_parsers::cache_files},
#endif
#if defined(LANEFOLD_FUZZ_TOOLS)
      {"command_lines", &fuzz_parsers::command_lines},
#endif
      {"environment", &fuzz_parsers::environment},
  };
  if (argc != 2) {
    return 2;
  }
  for (const auto& [name, parse] : parsers) {
    std::size_t files = 0;
    std::size_t inputs = 0;
    for (const fs::directory_entry& file : fs::directory_iterator(fs::path(argv[1]) / name)) {
      ++files;
      inputs += replay(parse, file.path());
    }
    std::printf("%s: %zu files, %zu inputs\n", name, files, inputs);
    fuzz_parsers::require(files != 0, "there is a corpus");
  }
  return 0;
}
