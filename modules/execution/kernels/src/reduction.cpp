// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/reduction.hpp>

#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void throw_reducer_index(std::size_t index, std::size_t size) {
  throw exception(make_error_code(errc::accessor),
                  "reducer: index " + std::to_string(index) + " of a span of " + std::to_string(size) + " elements");
}

void check_reduction(const void* target, std::size_t size, bool initialize, bool has_identity) {
  if (target == nullptr && size != 0) {
    throw exception(make_error_code(errc::invalid), "reduction: the pointer to the variable is null");
  }
  if (initialize && !has_identity) {
    throw exception(
        make_error_code(errc::invalid),
        "reduction: initialize_to_identity needs an identity, and none is known for this operator and type");
  }
}

void check_reduction_buffer(std::size_t size) {
  if (size != 1) {
    throw exception(make_error_code(errc::invalid),
                    "reduction: the buffer has " + std::to_string(size) + " elements; it takes a buffer of one");
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
