// SPDX-License-Identifier: Apache-2.0
/// A user's type and operator, in C++ and in OpenCL C.
#pragma once

#include "testing.hpp"

#include <cstdint>

namespace gpu_testing {

/// x -> a x + b modulo 2^32. Composition is associative, not commutative.
struct affine {
  std::uint32_t a = 1, b = 0;
  friend bool operator==(const affine&, const affine&) = default;
};
inline affine then(affine f, affine g) { return {f.a * g.a, f.b * g.a + g.b}; }

inline gpu::type_description affine_type() {
  return {"affine",
          "typedef struct { uint a, b; } affine;\n"
          "LF_FUNCTION affine make_affine(uint a, uint b) { affine r = {a, b}; return r; }",
          sizeof(affine)};
}
inline gpu::operator_description affine_then() {
  return {"then", "LF_FUNCTION affine then(affine f, affine g) { return make_affine(f.a * g.a, f.b * g.a + g.b); }",
          false, "make_affine(1, 0)"};
}

} // namespace gpu_testing

template <>
struct lanefold::gpu::device_type<gpu_testing::affine> {
  static type_description describe() { return gpu_testing::affine_type(); }
};
