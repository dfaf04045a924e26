// SPDX-License-Identifier: Apache-2.0
/// <CL/sycl.hpp> and <sycl/sycl.hpp>: the names of SYCL 1.2.1 and of SYCL 2020 for one library.
#undef NDEBUG
#include <CL/sycl.hpp>

#include <gtest/gtest.h>

#include <cassert>
#include <string>
#include <type_traits>
#include <vector>

namespace {

static_assert(std::is_same_v<cl::sycl::queue, sycl::queue> && std::is_same_v<sycl::queue, lanefold::queue>);
static_assert(SYCL_LANGUAGE_VERSION == 202012L);

SYCL_EXTERNAL int checked(int i) {
  assert(i < 50);
  return 2 * i;
}

TEST(sycl_headers, a_plain_program) {
  cl::sycl::queue q{cl::sycl::default_selector{}};
  std::vector<int> out(40, 0);
  int* const o = out.data();
  q.submit([&](sycl::handler& h) {
     h.parallel_for<class doubles>(sycl::range<1>(out.size()),
                                   [=](sycl::id<1> i) { o[i] = checked(static_cast<int>(i)); });
   }).wait();
  for (std::size_t i = 0; i < out.size(); ++i) {
    ASSERT_EQ(out[i], 2 * static_cast<int>(i));
  }
}

TEST(sycl_headers, assert_names_the_work_item) {
  std::string text;
  sycl::queue q{[&](sycl::exception_list errors) {
    for (const std::exception_ptr& error : errors) {
      try {
        std::rethrow_exception(error);
      } catch (const sycl::exception& e) {
        text += e.what();
      }
    }
  }};
  q.parallel_for<class fails>(sycl::range<1>(51), [](sycl::id<1> i) { checked(static_cast<int>(i)); });
  q.wait_and_throw();
  EXPECT_NE(text.find("fails', work-item (50): "), std::string::npos) << text;
  EXPECT_NE(text.find("Assertion `i < 50' failed."), std::string::npos) << text;
}

} // namespace
