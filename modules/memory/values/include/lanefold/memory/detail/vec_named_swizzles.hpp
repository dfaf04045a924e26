// SPDX-License-Identifier: Apache-2.0
/// xy(), zyx(), rgba() and all the others, for programs that define SYCL_SIMPLE_SWIZZLES before they include Lanefold
/// (in all their files, as the members of a class must be the same everywhere). [sycl.4.14.2.1]
#pragma once

#define LANEFOLD_DETAIL_SWIZZLE(name, ...)                                                                             \
  constexpr auto name()                                                                                                \
    requires(all_below<N, __VA_ARGS__>)                                                                                \
  {                                                                                                                    \
    return self().template swizzle<__VA_ARGS__>();                                                                     \
  }                                                                                                                    \
  constexpr auto name() const                                                                                          \
    requires(all_below<N, __VA_ARGS__>)                                                                                \
  {                                                                                                                    \
    return self().template swizzle<__VA_ARGS__>();                                                                     \
  }

// E<k>(name, indices…): all names of k elements that begin with `name`, of one. It makes the same for r, g, b, a, which
// only vectors of four have.
#define LANEFOLD_DETAIL_SWIZZLE_E2(n, ...)                                                                             \
  LANEFOLD_DETAIL_SWIZZLE(n##x, __VA_ARGS__, 0)                                                                        \
  LANEFOLD_DETAIL_SWIZZLE(n##y, __VA_ARGS__, 1)                                                                        \
  LANEFOLD_DETAIL_SWIZZLE(n##z, __VA_ARGS__, 2)                                                                        \
  LANEFOLD_DETAIL_SWIZZLE(n##w, __VA_ARGS__, 3)
#define LANEFOLD_DETAIL_SWIZZLE_E3(n, ...)                                                                             \
  LANEFOLD_DETAIL_SWIZZLE_E2(n##x, __VA_ARGS__, 0)                                                                     \
  LANEFOLD_DETAIL_SWIZZLE_E2(n##y, __VA_ARGS__, 1)                                                                     \
  LANEFOLD_DETAIL_SWIZZLE_E2(n##z, __VA_ARGS__, 2)                                                                     \
  LANEFOLD_DETAIL_SWIZZLE_E2(n##w, __VA_ARGS__, 3)
#define LANEFOLD_DETAIL_SWIZZLE_E4(n, ...)                                                                             \
  LANEFOLD_DETAIL_SWIZZLE_E3(n##x, __VA_ARGS__, 0)                                                                     \
  LANEFOLD_DETAIL_SWIZZLE_E3(n##y, __VA_ARGS__, 1)                                                                     \
  LANEFOLD_DETAIL_SWIZZLE_E3(n##z, __VA_ARGS__, 2)                                                                     \
  LANEFOLD_DETAIL_SWIZZLE_E3(n##w, __VA_ARGS__, 3)
#define LANEFOLD_DETAIL_SWIZZLE_C2(n, ...)                                                                             \
  LANEFOLD_DETAIL_SWIZZLE(n##r, __VA_ARGS__, N - 4)                                                                    \
  LANEFOLD_DETAIL_SWIZZLE(n##g, __VA_ARGS__, N - 3)                                                                    \
  LANEFOLD_DETAIL_SWIZZLE(n##b, __VA_ARGS__, N - 2)                                                                    \
  LANEFOLD_DETAIL_SWIZZLE(n##a, __VA_ARGS__, N - 1)
#define LANEFOLD_DETAIL_SWIZZLE_C3(n, ...)                                                                             \
  LANEFOLD_DETAIL_SWIZZLE_C2(n##r, __VA_ARGS__, N - 4)                                                                 \
  LANEFOLD_DETAIL_SWIZZLE_C2(n##g, __VA_ARGS__, N - 3)                                                                 \
  LANEFOLD_DETAIL_SWIZZLE_C2(n##b, __VA_ARGS__, N - 2)                                                                 \
  LANEFOLD_DETAIL_SWIZZLE_C2(n##a, __VA_ARGS__, N - 1)
#define LANEFOLD_DETAIL_SWIZZLE_C4(n, ...)                                                                             \
  LANEFOLD_DETAIL_SWIZZLE_C3(n##r, __VA_ARGS__, N - 4)                                                                 \
  LANEFOLD_DETAIL_SWIZZLE_C3(n##g, __VA_ARGS__, N - 3)                                                                 \
  LANEFOLD_DETAIL_SWIZZLE_C3(n##b, __VA_ARGS__, N - 2)                                                                 \
  LANEFOLD_DETAIL_SWIZZLE_C3(n##a, __VA_ARGS__, N - 1)

#define LANEFOLD_DETAIL_SWIZZLES(E)                                                                                    \
  LANEFOLD_DETAIL_SWIZZLE_E##E(x, 0) LANEFOLD_DETAIL_SWIZZLE_E##E(y, 1) LANEFOLD_DETAIL_SWIZZLE_E##E(z, 2)             \
      LANEFOLD_DETAIL_SWIZZLE_E##E(w, 3) LANEFOLD_DETAIL_SWIZZLE_C##E(r, N - 4) LANEFOLD_DETAIL_SWIZZLE_C##E(g, N - 3) \
          LANEFOLD_DETAIL_SWIZZLE_C##E(b, N - 2) LANEFOLD_DETAIL_SWIZZLE_C##E(a, N - 1)
#define LANEFOLD_DETAIL_NAMED_SWIZZLES                                                                                 \
  LANEFOLD_DETAIL_SWIZZLES(2) LANEFOLD_DETAIL_SWIZZLES(3) LANEFOLD_DETAIL_SWIZZLES(4)
