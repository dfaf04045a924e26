// SPDX-License-Identifier: Apache-2.0
// Runs each variant that the processor can run.
#include <cstdio>
#include <vector>

void squares_v3(std::vector<float>& numbers);
void squares_v4(std::vector<float>& numbers);

namespace {

bool is_right(void (*squares)(std::vector<float>&)) {
  std::vector<float> numbers(256, 3.f);
  squares(numbers);
  return numbers == std::vector<float>(256, 10.f);
}

} // namespace

int main() {
  const bool has_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const bool has_v4 = has_v3 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd");
  if ((has_v3 && !is_right(squares_v3)) || (has_v4 && !is_right(squares_v4))) {
    std::puts("a variant is wrong");
    return 1;
  }
}
