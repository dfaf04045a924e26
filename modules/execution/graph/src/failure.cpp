// SPDX-License-Identifier: Apache-2.0
#include "failure.hpp"

#include <lanefold/exception.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

std::exception_ptr failure::error() const {
  if (!m_root) {
    return m_error;
  }
  std::error_code code = make_error_code(errc::kernel);
  std::string why;
  try {
    std::rethrow_exception(m_root->m_error);
  } catch (const exception& e) {
    code = e.code();
    why = e.what();
  } catch (const std::exception& e) {
    why = e.what();
  } catch (...) {
    why = "an exception of unknown type";
  }
  return std::make_exception_ptr(exception(
      code, "command '" + m_kernel + "' did not run, because a command that it depends on has failed: " + why));
}

} // namespace detail
LANEFOLD_END_NAMESPACE
