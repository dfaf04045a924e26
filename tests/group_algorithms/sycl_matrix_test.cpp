// SPDX-License-Identifier: Apache-2.0
// Matrices of sub-groups by the names of sycl_ext_oneapi_matrix.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace {

namespace syclex = sycl::ext::oneapi::experimental::matrix;
using syclex::layout;
using syclex::use;

/// c = a b + 1 by tiles of M x N, against plain loops.
template <class T, class Sum, std::size_t M, std::size_t N, std::size_t K, layout OfB>
int wrong_elements(std::size_t sub_group_size) {
  constexpr std::size_t rows = 2 * M;
  constexpr std::size_t cols = 3 * N;
  constexpr std::size_t depth = 2 * K;
  constexpr std::size_t packed = 4 / sizeof(T);
  std::vector<T> a(rows * depth);
  std::vector<T> b(depth * cols);
  std::vector<float> plain_b(depth * cols);
  std::vector<Sum> c(rows * cols);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<T>(static_cast<float>(i % 5) - 2);
  }
  for (std::size_t k = 0; k < depth; ++k) {
    for (std::size_t j = 0; j < cols; ++j) {
      const float value = static_cast<float>((3 * k + j) % 7) - 3;
      plain_b[k * cols + j] = value;
      const std::size_t at = OfB == layout::row_major   ? k * cols + j
                             : OfB == layout::col_major ? j * depth + k
                                                        : k / packed * cols * packed + j * packed + k % packed;
      b[at] = static_cast<T>(value);
    }
  }
  const std::size_t stride_of_b = OfB == layout::col_major ? depth : OfB == layout::row_major ? cols : cols * packed;
  T* const from_a = a.data();
  T* const from_b = b.data();
  Sum* const to = c.data();
  sycl::queue q;
  q.parallel_for(sycl::nd_range<2>({2, 3 * sub_group_size}, {1, sub_group_size}), [=](sycl::nd_item<2> it) {
     const sycl::sub_group sg = it.get_sub_group();
     const auto global = [](auto* p) {
       return sycl::address_space_cast<sycl::access::address_space::global_space, sycl::access::decorated::no>(p);
     };
     const std::size_t row = it.get_group(0) * M;
     const std::size_t col = it.get_group(1) * N;
     syclex::joint_matrix<sycl::sub_group, T, use::a, M, K, layout::row_major> x;
     syclex::joint_matrix<sycl::sub_group, T, use::b, K, N, OfB> y;
     syclex::joint_matrix<sycl::sub_group, Sum, use::accumulator, M, N> sum;
     syclex::joint_matrix_fill(sg, sum, 0);
     for (std::size_t k = 0; k < depth; k += K) {
       syclex::joint_matrix_load(sg, x, global(from_a + row * depth + k), depth);
       const std::size_t at = OfB == layout::row_major   ? k * cols + col
                              : OfB == layout::col_major ? col * depth + k
                                                         : k / packed * stride_of_b + col * packed;
       syclex::joint_matrix_load(sg, y, global(from_b + at), stride_of_b);
       syclex::joint_matrix_mad(sg, sum, x, y, sum);
     }
     syclex::joint_matrix<sycl::sub_group, Sum, use::accumulator, M, N> more;
     syclex::joint_matrix_copy(sg, sum, more);
     syclex::joint_matrix_apply(sg, more, [](Sum& e) { e += 1; });
     syclex::joint_matrix_store(sg, more, global(to + row * cols + col), cols, layout::row_major);
   }).wait_and_throw();
  int wrong = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) {
      float expected = 1;
      for (std::size_t k = 0; k < depth; ++k) {
        expected += static_cast<float>(a[i * depth + k]) * plain_b[k * cols + j];
      }
      wrong += static_cast<float>(c[i * cols + j]) != expected;
    }
  }
  return wrong;
}

TEST(sycl_matrix, products_of_tiles) {
  EXPECT_EQ((wrong_elements<sycl::half, float, 8, 8, 16, layout::row_major>(32)), 0);
  EXPECT_EQ((wrong_elements<sycl::ext::oneapi::bfloat16, float, 8, 16, 16, layout::ext_intel_packed>(16)), 0);
  EXPECT_EQ((wrong_elements<std::int8_t, std::int32_t, 8, 8, 32, layout::ext_intel_packed>(8)), 0);
  EXPECT_EQ((wrong_elements<std::int8_t, std::int32_t, 3, 5, 4, layout::col_major>(7)), 0); // any shape
  EXPECT_EQ((wrong_elements<float, float, 4, 4, 8, layout::col_major>(32)), 0);
}

TEST(sycl_matrix, work_items_have_elements_of_their_own) {
  constexpr std::size_t size = 32;
  std::vector<int> counts(size);
  std::vector<float> all(8 * 5);
  int* const counted = counts.data();
  float* const to = all.data();
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(size, size), [=](sycl::nd_item<1> it) {
     const sycl::sub_group sg = it.get_sub_group();
     syclex::joint_matrix<sycl::sub_group, float, use::accumulator, 8, 5> m;
     const auto own = sycl::ext::intel::experimental::matrix::get_wi_data(sg, m);
     counted[it.get_local_linear_id()] = static_cast<int>(own.length());
     for (std::size_t i = 0; i < own.length(); ++i) {
       own[i] = 1;
     }
     sycl::ext::intel::experimental::matrix::joint_matrix_apply(
         sg, m, [](float& e, std::size_t row, std::size_t col) { e += static_cast<float>(10 * row + col); });
     syclex::joint_matrix_store(
         sg, m, sycl::address_space_cast<sycl::access::address_space::global_space, sycl::access::decorated::no>(to), 8,
         layout::col_major);
   }).wait_and_throw();
  int sum = 0;
  for (const int n : counts) {
    sum += n;
  }
  EXPECT_EQ(sum, 40);
  for (std::size_t row = 0; row < 8; ++row) {
    for (std::size_t col = 0; col < 5; ++col) {
      EXPECT_EQ(all[col * 8 + row], static_cast<float>(10 * row + col + 1));
    }
  }
}

TEST(sycl_matrix, rounds_to_tf32) {
  EXPECT_EQ(syclex::round_to_tf32(1.0F), 1.0F);
  EXPECT_EQ(syclex::round_to_tf32(1.0F + 1.0F / 2048), 1.0F + 1.0F / 1024); // a tie
  EXPECT_EQ(syclex::round_to_tf32(-1.0F - 1.0F / 4096), -1.0F);
  EXPECT_EQ(syclex::round_to_tf32(HUGE_VALF), HUGE_VALF);
}

TEST(sycl_matrix, the_cpu_tells_its_combinations) {
  const sycl::device cpu(sycl::cpu_selector_v);
  const std::vector<syclex::combination> all =
      cpu.get_info<sycl::ext::oneapi::experimental::info::device::matrix_combinations>();
  const auto has = [&](syclex::matrix_type a, syclex::matrix_type b, syclex::matrix_type sum) {
    return std::count_if(all.begin(), all.end(), [&](const syclex::combination& each) {
      return each.atype == a && each.btype == b && each.ctype == sum && each.dtype == sum && each.msize == 0 &&
             each.max_msize >= 16 && each.max_nsize >= 16 && each.max_ksize >= 64;
    });
  };
  using enum syclex::matrix_type;
  EXPECT_EQ(has(bf16, bf16, fp32), 1);
  EXPECT_EQ(has(uint8, sint8, sint32), 1);
  EXPECT_EQ(has(fp64, fp64, fp64), 1);
  EXPECT_EQ(has(sint8, bf16, fp32), 0);
}

} // namespace
