// SPDX-License-Identifier: Apache-2.0
#include <lanefold/exception.hpp>
#include <lanefold/group_algorithms/detail/joint_range.hpp>
#include <lanefold/group_algorithms/detail/meeting_point.hpp>
#include <lanefold/group_algorithms/detail/uniform_check.hpp>

#include <charconv>
#include <cstdio>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void throw_divergent_call() {
  throw exception(make_error_code(errc::kernel),
                  "a group algorithm was called in divergent code (if_, while_ or for_ with a varying condition): all "
                  "work-items of the group must call it");
}

void throw_different_calls(unsigned units, unsigned arrived) {
  throw exception(make_error_code(errc::kernel), "the work-items of a group called different group algorithms: of " +
                                                     std::to_string(units) + " units " + std::to_string(arrived) +
                                                     " came to this one before one that did not");
}

void throw_no_such_work_item(const char* function, std::size_t asked, std::size_t size) {
  throw exception(make_error_code(errc::invalid), std::string(function) + ": work-item " + std::to_string(asked) +
                                                      " is not in the group, which has " + std::to_string(size));
}

void throw_reversed_range(std::size_t too_far) {
  throw exception(make_error_code(errc::invalid),
                  "a joint algorithm got a range that ends " + std::to_string(too_far) + " elements before it begins");
}

std::string real_text(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof(text), value, std::chars_format::general, 17).ptr};
}

std::string address_text(const volatile void* value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%p", const_cast<const void*>(value));
  return text;
}

void throw_not_uniform(const different_arguments& found) {
  throw exception(make_error_code(errc::invalid),
                  std::string(found.function) + ": all work-items of a group give the same " + found.argument +
                      "; the one at position 0 of the group gave " + found.first + ", the one at position " +
                      std::to_string(found.position) + " " + found.other);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
