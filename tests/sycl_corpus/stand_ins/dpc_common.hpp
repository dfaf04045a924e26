// SPDX-License-Identifier: Apache-2.0
/// Stands in for a header of Intel's toolkit that its samples use: an asynchronous handler that ends the program, and a
/// clock.
#pragma once

#include <sycl/sycl.hpp>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>

namespace dpc_common {

inline const auto exception_handler = [](sycl::exception_list errors) {
  for (const std::exception_ptr& each : errors) {
    try {
      std::rethrow_exception(each);
    } catch (const std::exception& error) {
      std::cout << "failed: " << error.what() << std::endl;
      std::exit(1);
    }
  }
};

/// Seconds since it was made.
class TimeInterval {
public:
  double Elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count(); }

private:
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

} // namespace dpc_common
