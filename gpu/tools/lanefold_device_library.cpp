// SPDX-License-Identifier: Apache-2.0
// Prints a program in OpenCL C together with the functions of the device library that it mentions.
#include <lanefold/gpu/device_library.hpp>

#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <system_error>

namespace gpu = lanefold::gpu;

namespace {

constexpr const char* usage =
    "usage: lanefold_device_library FLAVOUR [X [Y [Z]]] < program.cl > whole.cl\n"
    "FLAVOUR: khr, intel, nv or local. X, Y, Z: the work-group's extents, if they are known.\n"
    "With --list it prints the library's functions.\n";

gpu::library_target target_for(const std::string& flavour) {
  const std::map<std::string, gpu::flavour> flavours = {{"khr", gpu::flavour::khr},
                                                        {"intel", gpu::flavour::intel},
                                                        {"nv", gpu::flavour::nv},
                                                        {"local", gpu::flavour::local}};
  const auto found = flavours.find(flavour);
  if (found == flavours.end())
    throw std::invalid_argument("the flavour is \"" + flavour + "\"; it must be khr, intel, nv or local");
  gpu::library_target target;
  target.flavour = found->second;
  target.khr = target.intel = target.nv = target.fp16 = target.fp64 = true;
  return target;
}

/// Returns the extent that a program argument says.
std::size_t extent_of(const char* argument) {
  std::size_t extent = 0;
  const char* const end = argument + std::strlen(argument);
  if (const auto [rest, error] = std::from_chars(argument, end, extent);
      error != std::errc() || rest != end || extent == 0)
    throw std::invalid_argument("an extent of the work-group is \"" + std::string(argument) +
                                "\"; it must be a number from 1 on");
  return extent;
}

} // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 2 && std::string(argv[1]) == "--list") {
      for (const std::string& function : gpu::library_functions())
        std::puts(function.c_str());
      return 0;
    }
    if (argc < 2 || argc > 5) {
      std::fputs(usage, stderr);
      return 2;
    }
    gpu::library_options options;
    if (argc > 2)
      options.work_group = {extent_of(argv[2]), argc > 3 ? extent_of(argv[3]) : 1, argc > 4 ? extent_of(argv[4]) : 1};
    const std::string source((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
    std::cout << gpu::print_library(target_for(argv[1]), options, source) << source;
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "lanefold_device_library: %s\n%s", e.what(), usage);
    return 2;
  }
}
