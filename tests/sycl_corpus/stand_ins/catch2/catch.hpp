// SPDX-License-Identifier: Apache-2.0
/// Stands in for Catch2 in programs of SYCL Academy: cases that run one after the other, and REQUIRE, which ends the
/// program's case. One source file a program includes it.
#pragma once

#include <cstdio>
#include <exception>
#include <vector>

namespace stand_in {

struct test_case {
  const char* name;
  void (*body)();
};

inline std::vector<test_case>& test_cases() {
  static std::vector<test_case> all;
  return all;
}

struct registration {
  registration(const char* name, void (*body)()) { test_cases().push_back({name, body}); }
};

struct requirement_failed {};

inline void require(bool holds, const char* what, const char* file, int line) {
  if (!holds) {
    std::printf("%s:%d: FAILED: %s\n", file, line, what);
    throw requirement_failed();
  }
}

} // namespace stand_in

#define STAND_IN_JOINED_AGAIN(a, b) a##b
#define STAND_IN_JOINED(a, b) STAND_IN_JOINED_AGAIN(a, b)
#define TEST_CASE(name, ...)                                                                                           \
  static void STAND_IN_JOINED(test_case_, __LINE__)();                                                                 \
  static const stand_in::registration STAND_IN_JOINED(registration_,                                                   \
                                                      __LINE__)(name, &STAND_IN_JOINED(test_case_, __LINE__));         \
  static void STAND_IN_JOINED(test_case_, __LINE__)()
#define REQUIRE(...) stand_in::require(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

#define CHECK(...) REQUIRE(__VA_ARGS__)

#ifdef CATCH_CONFIG_MAIN
int main() {
  int failed = 0;
  for (const stand_in::test_case& each : stand_in::test_cases()) {
    try {
      each.body();
    } catch (const stand_in::requirement_failed&) {
      ++failed;
    } catch (const std::exception& error) {
      std::printf("FAILED: %s: %s\n", each.name, error.what());
      ++failed;
    }
  }
  return failed == 0 ? 0 : 1;
}
#endif
