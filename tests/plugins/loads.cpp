// SPDX-License-Identifier: Apache-2.0
// Loads the shared library that it is given and calls its kernel.
#include <cstdio>

#include <dlfcn.h>

int main(int argc, char** argv) {
  void* const plugin = argc == 2 ? dlopen(argv[1], RTLD_NOW) : nullptr;
  if (plugin == nullptr) {
    std::fprintf(stderr, "the library cannot be loaded: %s\n", argc == 2 ? dlerror() : "none is given");
    return 1;
  }
  auto* const sum_below = reinterpret_cast<int (*)(int)>(dlsym(plugin, "sum_below"));
  const int sum = sum_below != nullptr ? sum_below(1000) : -1;
  if (sum != 499'500) {
    std::fprintf(stderr, "the kernel gives %d\n", sum);
    return 1;
  }
  return 0;
}
