// SPDX-License-Identifier: Apache-2.0
/// The version of Lanefold, in one place: CMake reads these three numbers from this file.
#pragma once

// g++ compiles C++17 unless it is asked for more. The second line ends the compilation before thousands of errors.
#if __cplusplus < 202002L
#error "lanefold: this is C++20: compile with -std=c++20 or later"
#include "lanefold: compile with -std=c++20 or later"
#endif

#define LANEFOLD_VERSION_MAJOR 0
#define LANEFOLD_VERSION_MINOR 2
#define LANEFOLD_VERSION_PATCH 0

#define LANEFOLD_DETAIL_JOIN_(a, b) a##b
#define LANEFOLD_DETAIL_JOIN(a, b) LANEFOLD_DETAIL_JOIN_(a, b)
#define LANEFOLD_DETAIL_STRING_(a) #a
#define LANEFOLD_DETAIL_STRING(a) LANEFOLD_DETAIL_STRING_(a)

/// "0.2.0"
#define LANEFOLD_VERSION_STRING                                                                                        \
  LANEFOLD_DETAIL_STRING(LANEFOLD_VERSION_MAJOR)                                                                       \
  "." LANEFOLD_DETAIL_STRING(LANEFOLD_VERSION_MINOR) "." LANEFOLD_DETAIL_STRING(LANEFOLD_VERSION_PATCH)

/// Everything lives in namespace lanefold, inside an inline namespace that is named after what programs must not mix:
/// the interface (before 1.0 a minor version may change it), whether the build is checked, and whether the standard
/// library's containers are those of _GLIBCXX_DEBUG, which are larger. Who compiles with the one and links the other
/// gets undefined references, which name both.
#if defined(LANEFOLD_CHECKED) && defined(_GLIBCXX_DEBUG)
#define LANEFOLD_DETAIL_INTERFACE_(major, minor) v##major##_##minor##_checked_glibcxx_debug
#elif defined(LANEFOLD_CHECKED)
#define LANEFOLD_DETAIL_INTERFACE_(major, minor) v##major##_##minor##_checked
#elif defined(_GLIBCXX_DEBUG)
#define LANEFOLD_DETAIL_INTERFACE_(major, minor) v##major##_##minor##_glibcxx_debug
#else
#define LANEFOLD_DETAIL_INTERFACE_(major, minor) v##major##_##minor
#endif
#define LANEFOLD_DETAIL_INTERFACE(major, minor) LANEFOLD_DETAIL_INTERFACE_(major, minor)

/// Everything in it is visible: shared libraries of one program that hide their symbols would share the functions of
/// the library that each of them links, and not the variables of its headers. Programs compile with more warnings than
/// the library's own: one that would show in hundreds of lines is off in it. The casts between registers, and those of
/// the compiler's macros for instructions, have no other spelling that is constexpr.
#define LANEFOLD_BEGIN_NAMESPACE                                                                                       \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wold-style-cast\"") namespace lanefold {           \
    inline namespace LANEFOLD_DETAIL_INTERFACE(LANEFOLD_VERSION_MAJOR, LANEFOLD_VERSION_MINOR)                         \
        __attribute__((visibility("default"))) {
#define LANEFOLD_END_NAMESPACE                                                                                         \
  }                                                                                                                    \
  }                                                                                                                    \
  _Pragma("GCC diagnostic pop")

/// A function whose call must disappear where code is optimised: lanes, masks and barriers only cost nothing when
/// everything around them is visible to the optimiser. Elsewhere it is a function of its own: each inlined call makes
/// the frames of unoptimised kernels larger, because every value has a place of its own, and takes time to compile.
///
/// A library with code for several instruction sets inlines it always: linkers keep one of the functions of a name.
#if defined(__OPTIMIZE__) || defined(LANEFOLD_DISPATCH)
#define LANEFOLD_ALWAYS_INLINE inline __attribute__((always_inline))
/// Inlines the body of a lambda in the same way: `[&]() LANEFOLD_INLINE_LAMBDA { … }`.
#define LANEFOLD_INLINE_LAMBDA __attribute__((always_inline))
#else
#define LANEFOLD_ALWAYS_INLINE inline
#define LANEFOLD_INLINE_LAMBDA
#endif
/// A function into which everything that it calls is inlined, cold functions excepted. It is not inlined itself: g++
/// forgets the attribute of a function that it inlines.
#define LANEFOLD_FLATTEN __attribute__((flatten, noinline))
/// Arithmetic of lanes: those that are not active hold any values, and sanitizers do not ask whether these overflow.
#define LANEFOLD_MAY_OVERFLOW __attribute__((no_sanitize("signed-integer-overflow")))
/// A function for a rare path, kept out of the hot code.
#define LANEFOLD_COLD __attribute__((noinline, cold))

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Work-items in the sub-groups of kernels of plain SYCL source files (<sycl/sycl.hpp>) that ask for no size; 0 in
/// other source files. In plain ones all kernels are work-item kernels, unless a launch asks for a strategy: generic
/// ones
/// (`[=](auto it)`), too, which may not compile with lanes, so that nobody may ask.
///
/// It is not inline: each source file has its own. What depends on it takes it as a template argument `PlainSize`,
/// which entry points (handler::parallel_for) have as a default: what a source file of each kind makes of one kernel
/// then has two names, and one program can have both kinds (tests/surfaces).
///
/// Nine of ten programs that require a size by an attribute, which no library can read, require 32
/// (docs/decisions/031-sub-groups-of-plain-sycl-have-32-work-items.md). LANEFOLD_SUB_GROUP_SIZE is another one.
#if !defined(LANEFOLD_PLAIN_SYCL)
constexpr unsigned plain_sub_group_size = 0;
#elif defined(LANEFOLD_SUB_GROUP_SIZE)
constexpr unsigned plain_sub_group_size = LANEFOLD_SUB_GROUP_SIZE;
static_assert(plain_sub_group_size >= 1 && plain_sub_group_size <= 256, "LANEFOLD_SUB_GROUP_SIZE is not in 1 to 256");
#else
constexpr unsigned plain_sub_group_size = 32;
#endif

} // namespace detail
LANEFOLD_END_NAMESPACE

// Errors are exceptions, which also end the work-items that wait at a barrier; kernels are known by their types.
#if defined(__GNUC__) && !defined(__EXCEPTIONS)
#error "lanefold: -fno-exceptions is not supported in files that include Lanefold: its errors are exceptions"
#endif
#if defined(__GNUC__) && !defined(__GXX_RTTI)
#error "lanefold: -fno-rtti is not supported in files that include Lanefold: it knows kernels by their types"
#endif
