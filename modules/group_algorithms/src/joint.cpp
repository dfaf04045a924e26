// SPDX-License-Identifier: Apache-2.0
/// The choice between what joint_*_<isa>.cpp compile.
#include "joint_table.hpp"

#include <lanefold/simd/isa.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

std::byte* sort_buffer() noexcept {
  alignas(64) static thread_local std::byte buffer[largest_network * 8];
  return buffer;
}

#if defined(__x86_64__) && defined(LANEFOLD_DISPATCH)
#define LANEFOLD_DETAIL_CHOOSE(T)                                                                                      \
  template <>                                                                                                          \
  const compiled_functions<T>& compiled_for<isa::sse2, T>();                                                           \
  template <>                                                                                                          \
  const compiled_functions<T>& compiled_for<isa::avx2, T>();                                                           \
  template <>                                                                                                          \
  const compiled_functions<T>& compiled_for<isa::avx512, T>();                                                         \
  template <>                                                                                                          \
  const compiled_functions<T>& compiled<T>(isa_id isa) {                                                               \
    return isa == isa_id::avx512 ? compiled_for<isa::avx512, T>()                                                      \
           : isa == isa_id::avx2 ? compiled_for<isa::avx2, T>()                                                        \
                                 : compiled_for<isa::sse2, T>();                                                       \
  }
#elif defined(__x86_64__)
#define LANEFOLD_DETAIL_CHOOSE(T)                                                                                      \
  template <>                                                                                                          \
  const compiled_functions<T>& compiled_for<isa::sse2, T>();                                                           \
  template <>                                                                                                          \
  const compiled_functions<T>& compiled<T>(isa_id) {                                                                   \
    return compiled_for<isa::sse2, T>();                                                                               \
  }
#else
#define LANEFOLD_DETAIL_CHOOSE(T)                                                                                      \
  LANEFOLD_DETAIL_COMPILE(T)                                                                                           \
  template <>                                                                                                          \
  const compiled_functions<T>& compiled<T>(isa_id) {                                                                   \
    return compiled_for<native_isa, T>();                                                                              \
  }
#endif
LANEFOLD_DETAIL_COMPILED_TYPES(LANEFOLD_DETAIL_CHOOSE)

#define LANEFOLD_DETAIL_WIDEST(T)                                                                                      \
  template <>                                                                                                          \
  const compiled_functions<T>& compiled<T>() {                                                                         \
    static const compiled_functions<T>& widest = compiled<T>(cpu_isa());                                               \
    return widest;                                                                                                     \
  }
LANEFOLD_DETAIL_COMPILED_TYPES(LANEFOLD_DETAIL_WIDEST)

} // namespace detail
LANEFOLD_END_NAMESPACE
