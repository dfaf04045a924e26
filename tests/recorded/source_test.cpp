// SPDX-License-Identifier: Apache-2.0
// What recorded kernels look like in OpenCL C.
#include "testing.hpp"

#include <limits>
#include <thread>

namespace {

using namespace recorded_testing;

TEST(recorded_source, of_a_small_kernel) {
  std::vector<float> memory(64);
  const lf::view<const float> x(memory.data(), 32);
  const lf::view<float> y(memory.data() + 32, 32);
  const auto kernel = [=](auto it) {
    const auto i = it.get_global_id(0);
    auto v = it.var(x[i]);
    it.if_(v > 0.5f, [&] { v = lf::sqrt(v) * 2.f; }, [&] { v += 0.1f; });
    it.for_(0, 4, [&](auto k) { v -= k; });
    it.while_([&] { return v < 3.f; }, [&] { v = v + 1; });
    y[i] = v / lf::reduce_over_group(it.get_group(), v, lf::plus<>());
  };
  const std::string text = gpu::source(kernel, lf::nd_range<1>(32, 16));
  EXPECT_EQ(text, R"(kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void recorded_kernel(global const float* a0, global float* a1) {
  LANEFOLD_SCRATCH(s);
  const ulong t0 = get_global_id(0);
  float v0 = a0[t0];
  if (v0 > 0x1p-1f) {
    v0 = sqrt(v0) * 2.0f;
  } else {
    v0 = v0 + 0x1.99999ap-4f;
  }
  for (int i0 = 0; i0 < 4; i0 += 1) {
    v0 = v0 - i0;
  }
  while (v0 < 3.0f) {
    v0 = v0 + 1;
  }
  const float t1 = lf_reduce_plus_float(v0, &s);
  a1[t0] = v0 / t1;
}
)");
  EXPECT_EQ(text, gpu::source(kernel, lf::nd_range<1>(32, 16)));
  std::string other;
  std::thread([&] { other = gpu::source(kernel, lf::nd_range<1>(32, 16)); }).join();
  EXPECT_EQ(text, other);
}

TEST(recorded_source, numbers_are_exact) {
  std::vector<double> memory(1);
  const lf::view<double> y(memory.data(), 1);
  const auto text_of = [&](auto number) {
    const lf::view<decltype(number)> to(reinterpret_cast<decltype(number)*>(memory.data()), 1);
    const std::string text = gpu::source([=](auto it) { to[it.get_global_id(0)] = number; }, lf::nd_range<1>(16, 16));
    const std::size_t begin = text.find(" = ") + 3;
    return text.substr(begin, text.find(';') - begin);
  };
  EXPECT_EQ(text_of(1.f), "1.0f");
  EXPECT_EQ(text_of(-1.f), "(-1.0f)");
  EXPECT_EQ(text_of(0.1f), "0x1.99999ap-4f");
  EXPECT_EQ(text_of(-0.f), "(-0x0p+0f)");
  EXPECT_EQ(text_of(0.1), "0x1.999999999999ap-4");
  EXPECT_EQ(text_of(std::numeric_limits<float>::infinity()), "as_float(0x7f800000u)");
  EXPECT_EQ(text_of(-std::numeric_limits<double>::infinity()), "as_double(0xfff0000000000000ul)");
  EXPECT_EQ(text_of(std::numeric_limits<float>::denorm_min()), "0x1p-149f");
  EXPECT_EQ(text_of(7), "7");
  EXPECT_EQ(text_of(-7), "(-7)");
  EXPECT_EQ(text_of(std::numeric_limits<int>::min()), "(-2147483647 - 1)");
  EXPECT_EQ(text_of(7U), "7u");
  EXPECT_EQ(text_of(std::numeric_limits<long>::min()), "(-9223372036854775807l - 1)");
  EXPECT_EQ(text_of(std::numeric_limits<unsigned long>::max()), "18446744073709551615ul");
  EXPECT_EQ(text_of(static_cast<signed char>(-5)), "(char)(-5)");
}

TEST(recorded_source, values_are_those_of_their_time) {
  std::vector<int> memory(64);
  const lf::view<int> y(memory.data(), 64);
  const std::string text = gpu::source(
      [=](auto it) {
        const auto i = it.get_global_id(0);
        auto v = it.var(1);
        const auto before = v + 0;
        const auto element = lf::convert<int>(y[i]);
        v = 2;
        y[i] = 3;
        y[i + 1] = before + element; // what v and y[i] were before
      },
      lf::nd_range<1>(16, 16));
  EXPECT_LT(text.find("= a0[t"), text.find("] = 3")) << text;
  EXPECT_LT(text.find("= v0;"), text.find("v0 = 2")) << text;
}

TEST(recorded_source, a_uniform_is_an_argument) {
  std::vector<float> memory(64);
  const lf::view<float> y(memory.data(), 64);
  const auto text_for = [&](float number) {
    const lf::uniform<float> factor(number);
    return gpu::source([=](auto it) { y[it.get_global_id(0)] *= factor.get(); }, lf::nd_range<1>(16, 16));
  };
  EXPECT_EQ(text_for(2.f), text_for(3.f));
  EXPECT_NE(text_for(2.f).find("float u0"), std::string::npos) << text_for(2.f);
}

} // namespace
