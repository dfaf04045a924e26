// SPDX-License-Identifier: Apache-2.0
/// Group algorithms over complex numbers (sycl_ext_oneapi_complex_algorithms).
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <vector>

namespace {

static_assert(!sycl::has_known_identity_v<sycl::minimum<>, std::complex<float>>);

TEST(sycl_complex, algorithms_over_complex_numbers) {
  using complex = std::complex<float>;
  constexpr int n = 64;
  std::vector<complex> in(n), before(n), joint(n), turns(n);
  complex sum;
  for (int i = 0; i < n; ++i) {
    in[static_cast<std::size_t>(i)] = {static_cast<float>(i), static_cast<float>(3 - i)};
  }
  const complex* from = in.data();
  complex *scanned = before.data(), *to = joint.data(), *turned = turns.data(), *total = &sum;
  sycl::queue()
      .parallel_for(sycl::nd_range<1>(n, n),
                    [=](sycl::nd_item<1> it) {
                      const std::size_t i = it.get_local_id(0);
                      const auto g = it.get_group();
                      scanned[i] = sycl::exclusive_scan_over_group(g, from[i], sycl::plus<complex>());
                      sycl::joint_exclusive_scan(g, from, from + n, to, sycl::plus<>());
                      turned[i] = sycl::exclusive_scan_over_group(g, complex(0, 1), sycl::multiplies<complex>());
                      *total = sycl::reduce_over_group(g, from[i], sycl::plus<complex>());
                    })
      .wait();
  complex right = 0, turn = 1;
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(before[i], right) << i;
    EXPECT_EQ(joint[i], right) << i;
    EXPECT_EQ(turns[i], turn) << i;
    right += in[i];
    turn *= complex(0, 1);
  }
  EXPECT_EQ(sum, right);
}

} // namespace
