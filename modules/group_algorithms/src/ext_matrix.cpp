// SPDX-License-Identifier: Apache-2.0
#include <lanefold/group_algorithms/ext_matrix.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::oneapi::experimental::info::device {

matrix_combinations::return_type matrix_combinations::of(const lanefold::device& asked) {
  using enum matrix::matrix_type;
  return_type all;
  if (asked.get_backend() != backend::lanefold_cpu) {
    return all;
  }
  const auto add = [&all](matrix::matrix_type a, matrix::matrix_type b, matrix::matrix_type sum) {
    all.push_back({64, 64, 64, 0, 0, 0, a, b, sum, sum});
  };
  for (const auto a : {sint8, uint8}) {
    for (const auto b : {sint8, uint8}) {
      add(a, b, sint32);
    }
  }
  for (const auto factor : {bf16, fp16}) {
    add(factor, factor, factor);
    add(factor, factor, fp32);
  }
  add(tf32, tf32, fp32);
  add(fp32, fp32, fp32);
  add(fp64, fp64, fp64);
  return all;
}

} // namespace ext::oneapi::experimental::info::device
LANEFOLD_END_NAMESPACE
