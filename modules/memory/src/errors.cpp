// SPDX-License-Identifier: Apache-2.0
// Refusals of what kernels and programs do with memory.
#include <lanefold/exception.hpp>
#include <lanefold/memory/atomic_ref.hpp>
#include <lanefold/memory/detail/indexing.hpp>
#include <lanefold/memory/view.hpp>

#include <cstddef>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void throw_out_of_bounds(std::size_t index, std::size_t extent) {
  throw exception(make_error_code(errc::accessor),
                  "index " + std::to_string(index) + " is outside of an extent of " + std::to_string(extent));
}

void throw_null_elements() {
  throw exception(make_error_code(errc::kernel_argument), "the kernel accesses elements through a null pointer");
}

void throw_misaligned_atomic(std::size_t bytes) {
  throw exception(make_error_code(errc::invalid), "atomic_ref: an element of " + std::to_string(bytes) +
                                                      " bytes does not lie at a multiple of its size");
}

void throw_misaligned_view(std::size_t alignment) {
  throw exception(make_error_code(errc::invalid),
                  "view: the pointer is not aligned to the " + std::to_string(alignment) + " bytes of its elements");
}

} // namespace detail
LANEFOLD_END_NAMESPACE
