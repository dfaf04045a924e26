// SPDX-License-Identifier: Apache-2.0
/// Says what a host thread holds.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>
#include <string>
#include <thread>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Says who holds a command that scheduler::release ends, and what for. It does not change.
struct holding {
  std::thread::id holder;
  std::size_t bytes; ///< of the buffer that a host_accessor is for
  [[nodiscard]] std::string text() const {
    return "a host_accessor of a buffer of " + std::to_string(bytes) + " bytes";
  }
};

} // namespace detail
LANEFOLD_END_NAMESPACE
