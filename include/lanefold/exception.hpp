// SPDX-License-Identifier: Apache-2.0
/// Errors of the library: SYCL 2020's error codes and exception class. [sycl.4.13.2]
#pragma once

#include <lanefold/fwd.hpp>

#include <concepts>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

class context; // of module execution

/// Says what went wrong, in SYCL's classes of errors. Converts to std::error_code.
// [sycl.4.13.2]
enum class errc : int {
  success = 0,
  runtime,               ///< an error of the runtime that fits no other class
  kernel,                ///< a kernel failed while it ran
  accessor,              ///< an accessor is used wrongly
  nd_range,              ///< the index space of a launch is invalid
  event,                 ///< an event is used wrongly
  kernel_argument,       ///< a kernel argument is invalid
  build,                 ///< building a device program failed
  invalid,               ///< an argument or a call is invalid
  memory_allocation,     ///< memory could not be allocated
  platform,              ///< a platform or its driver failed
  profiling,             ///< profiling information is not available
  feature_not_supported, ///< the device lacks an optional feature
  kernel_not_supported,  ///< the device cannot run this kernel
  backend_mismatch,      ///< an object belongs to another backend
};

namespace detail {

class context_state;

class lanefold_error_category final : public std::error_category {
public:
  const char* name() const noexcept override { return "sycl"; }

  std::string message(int condition) const override {
    constexpr const char* texts[] = {"success",
                                     "runtime error",
                                     "error in a kernel",
                                     "invalid use of an accessor",
                                     "invalid nd_range",
                                     "invalid use of an event",
                                     "invalid kernel argument",
                                     "building a device program failed",
                                     "invalid argument or call",
                                     "memory allocation failed",
                                     "platform error",
                                     "profiling information not available",
                                     "feature not supported by the device",
                                     "kernel not supported by the device",
                                     "object belongs to another backend"};
    constexpr int count = sizeof texts / sizeof *texts;
    static_assert(count == static_cast<int>(errc::backend_mismatch) + 1);
    if (condition >= 0 && condition < count) {
      return texts[condition];
    }
    char text[32];
    std::snprintf(text, sizeof text, "unknown error %d", condition); // std::to_string would be compiled everywhere
    return text;
  }
};

} // namespace detail

/// The category of every code made from an errc; its name is "sycl".
// [sycl.4.13.2]
inline const std::error_category& sycl_category() noexcept {
  static const detail::lanefold_error_category category;
  return category;
}

/// The error code of an errc, in sycl_category(). Found by std::error_code's conversion from errc.
// [sycl.4.13.2]
inline std::error_code make_error_code(errc code) noexcept { return {static_cast<int>(code), sycl_category()}; }

LANEFOLD_END_NAMESPACE

template <>
struct std::is_error_code_enum<lanefold::errc> : std::true_type {};

LANEFOLD_BEGIN_NAMESPACE

/// Is what the library throws. Host only; cheap to copy, and copying does not throw.
/// what() is the text given to the constructor, or the code's own message where none was given.
// [sycl.4.13.2]
class exception : public std::runtime_error {
public:
  explicit exception(std::error_code code) : std::runtime_error(code.message()), m_code(code) {}
  exception(std::error_code code, const std::string& what) : std::runtime_error(what), m_code(code) {}
  exception(std::error_code code, const char* what) : std::runtime_error(what), m_code(code) {}
  exception(int value, const std::error_category& category) : exception(std::error_code(value, category)) {}
  exception(int value, const std::error_category& category, const std::string& what)
      : exception(std::error_code(value, category), what) {}
  exception(int value, const std::error_category& category, const char* what)
      : exception(std::error_code(value, category), what) {}

  /// Takes the context in which it went wrong, an object of class context, and what the constructors above take.
  template <std::same_as<context> Context, class... Arguments>
    requires std::constructible_from<exception, const Arguments&...>
  exception(const Context& where, const Arguments&... arguments) : exception(arguments...) {
    m_context = where.shared_state();
  }

  /// The error's code; compare it with an errc: `e.code() == lf::errc::nd_range`.
  const std::error_code& code() const noexcept { return m_code; }
  /// Returns the value of the code, where SYCL 1.2.1 had an error of OpenCL; deprecated there. [sycl.E]
  int get_cl_code() const noexcept { return m_code.value(); }
  /// The category of the code.
  const std::error_category& category() const noexcept { return m_code.category(); }
  /// Returns whether a context was given to the constructor.
  bool has_context() const noexcept { return m_context != nullptr; }
  /// The context; errc::invalid if there is none. In module execution: <lanefold/execution/context.hpp>.
  context get_context() const;

private:
  std::error_code m_code;
  std::shared_ptr<const void> m_context; ///< a context_state
};

namespace detail {

/// Says that a handle of the library is used whose content is in another one: `what` is "queue", "buffer", …. In module
/// execution, whose handles they are.
[[noreturn]] LANEFOLD_COLD void throw_moved_from(const char* what);

} // namespace detail

LANEFOLD_END_NAMESPACE
