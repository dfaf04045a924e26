// SPDX-License-Identifier: Apache-2.0
// What recorded kernels look like in OpenCL C.
#include "testing.hpp"

#include <clocale>
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

TEST(recorded_source, copies_of_a_uniform_inside_the_kernel_are_literals) {
  std::vector<float> memory(64);
  const lf::view<float> y(memory.data(), 64);
  const lf::uniform<float> factor(3.f);
  const std::string text = gpu::source(
      [=](auto it) {
        const lf::uniform<float> copy(factor); // another number may take its place on the stack
        y[it.get_global_id(0)] *= copy.get();
      },
      lf::nd_range<1>(16, 16));
  EXPECT_NE(text.find("3.0f"), std::string::npos) << text;
  EXPECT_EQ(text.find("u0"), std::string::npos) << text;
}

TEST(recorded_source, rows_of_a_view_are_one_argument) {
  std::vector<float> memory(64);
  const lf::view<float, 2> x(memory.data(), lf::range<2>(4, 16));
  const std::string text = gpu::source(
      [=](auto it) {
        const auto i = it.get_global_id(0);
        for (std::size_t row = 1; row < 4; ++row) {
          x[row][i] = x[row - 1][i] + 1.f;
        }
      },
      lf::nd_range<1>(16, 16));
  EXPECT_NE(text.find("global float* a0)"), std::string::npos) << text;
  EXPECT_NE(text.find("48ul"), std::string::npos) << text;
}

TEST(recorded_source, loops_of_many_operations) {
  std::vector<int> memory(64);
  const lf::view<int> y(memory.data(), 64);
  const auto kernel_of = [=](int operations) {
    return [=](auto it) {
      auto x = it.var(0);
      it.for_(0, 2, [&](auto) {
        for (int i = 0; i < operations / 3; ++i) {
          x += 1; // reads, adds, assigns
        }
      });
      y[it.get_global_id(0)] = x;
    };
  };
  const lf::nd_range<1> space(16, 16);
  EXPECT_EQ(code_thrown_by([&] { static_cast<void>(gpu::source(kernel_of(19'000), space)); }), lf::errc::success);
  EXPECT_EQ(code_thrown_by([&] { static_cast<void>(gpu::source(kernel_of(21'000), space)); }), lf::errc::kernel);
}

TEST(recorded_source, of_a_kernel_with_local_memory_needs_its_handler) {
  std::string text;
  lf::queue().submit([&](lf::handler& h) {
    const lf::local_accessor<float> tile(16, h);
    const auto kernel = [=](auto it) { tile[it.get_local_id(0)] = 1.f; };
    EXPECT_EQ(code_thrown_by([&] { static_cast<void>(gpu::source(kernel, lf::nd_range<1>(16, 16))); }, &text),
              lf::errc::kernel_argument);
    EXPECT_NE(gpu::source(h, kernel, lf::nd_range<1>(16, 16)).find("local float"), std::string::npos);
  });
  EXPECT_NE(text.find("gpu::source(handler"), std::string::npos) << text;
}

TEST(recorded_source, numbers_do_not_depend_on_the_locale) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  if (std::setlocale(LC_NUMERIC, "de_DE.UTF-8") == nullptr) {
    GTEST_SKIP() << "no locale with a decimal comma";
  }
  std::vector<float> memory(1);
  const lf::view<float> y(memory.data(), 1);
  const std::string text = gpu::source([=](auto it) { y[it.get_global_id(0)] = 2.f; }, lf::nd_range<1>(16, 16));
  std::setlocale(LC_NUMERIC, before.c_str());
  EXPECT_NE(text.find("= 2.0f;"), std::string::npos) << text;
}

TEST(recorded_source, unsigned_numbers_are_subtracted_as_floats) {
  std::vector<float> memory(64);
  const lf::view<float> y(memory.data(), 64);
  const std::string text = gpu::source(
      [=](auto it) {
        lf::atomic_ref(y[it.get_global_id(0)]).fetch_sub(it.get_local_id(0));
        lf::atomic_ref(y[it.get_global_id(0)]).fetch_sub(3U);
      },
      lf::nd_range<1>(16, 16));
  EXPECT_NE(text.find("-((float)"), std::string::npos) << text;
  EXPECT_NE(text.find("-3.0f"), std::string::npos) << text;
}

TEST(recorded_source, operators_do_not_use_values_of_the_kernel) {
  std::vector<int> memory(64);
  const lf::view<int> y(memory.data(), 64);
  const auto kernel = [=](auto it) {
    const auto mine = lf::convert<int>(it.get_local_id(0));
    const auto op = [=](auto a, auto b) { return a + b + mine; };
    y[it.get_global_id(0)] = lf::reduce_over_group(it.get_group(), mine, op);
  };
  std::string text;
  EXPECT_EQ(code_thrown_by([&] { static_cast<void>(gpu::source(kernel, lf::nd_range<1>(16, 16))); }, &text),
            lf::errc::kernel);
  EXPECT_NE(text.find("operator"), std::string::npos) << text;
}

} // namespace
