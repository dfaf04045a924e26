// SPDX-License-Identifier: Apache-2.0
// Streams of recorded kernels print what the CPU prints.
#include "testing.hpp"

#include <cstdint>

namespace {

using namespace recorded_testing;

struct printed {
  std::string out;
  std::string err;
};

/// Returns what the commands of `submit(queue, launch property)` print.
template <class Submit, class How>
printed print(lf::queue q, const How& how, const Submit& submit) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  try {
    submit(q, how);
    q.wait_and_throw();
  } catch (const lf::exception& e) {
    ADD_FAILURE() << e.what();
  }
  printed result{testing::internal::GetCapturedStdout(), {}};
  result.err = testing::internal::GetCapturedStderr();
  return result;
}

/// By work-items, by lanes and on every OpenCL device; returns the text.
template <class Submit>
std::string expect_same_text(const Submit& submit) {
  const printed expected = print(lf::queue(), lf::property::strategy<lf::scalar>(), submit);
  EXPECT_EQ(expected.err, "");
  EXPECT_EQ(print(lf::queue(), lf::property::strategy<lf::simd<8>>(), submit).out, expected.out) << "simd<8>";
  for (const gpu::device& device : gpu::devices()) {
    const printed found = print(lf::queue(device), lf::property::strategy<lf::simd<8>>(), submit);
    EXPECT_EQ(found.out, expected.out) << device.get_platform_name();
    EXPECT_EQ(found.err, "") << device.get_platform_name();
  }
  return expected.out;
}

TEST(recorded_stream, lines_of_work_items) {
  LANEFOLD_NEED_OPENCL();
  const std::string text = expect_same_text([](lf::queue& q, auto how) {
    q.submit([&](lf::handler& h) {
      const lf::stream out(1 << 16, 256, h);
      h.parallel_for(lf::nd_range<1>(40, 20), how, [=](auto it) {
        const auto i = it.get_global_id(0);
        out << "item " << i << " of group " << it.get_group(0) << lf::endl;
        it.if_(i % 2 == 0, [&] { out << "even, "; });
        lf::group_barrier(it.get_group());
        it.for_(0, 3, [&](auto k) { out << k * 2 << ' '; });
        out << "end\n";
      });
    });
  });
  EXPECT_EQ(text.substr(0, 66), "item 0 of group 0\neven, 0 2 4 end\nitem 1 of group 0\n0 2 4 end\nitem");
}

TEST(recorded_stream, numbers_of_all_types) {
  LANEFOLD_NEED_OPENCL();
  expect_same_text([](lf::queue& q, auto how) {
    std::vector<double> numbers = {0, -1.5, 3.25e10, 1.0 / 3, -7e-12, 123456.789, 1e300, 42};
    std::vector<std::int64_t> words = {0, -1, 1LL << 40, -(1LL << 50), 99, 127, -128, 65536};
    lf::buffer<double> x_buffer(numbers);
    lf::buffer<std::int64_t> y_buffer(words);
    q.submit([&](lf::handler& h) {
      const lf::accessor x(x_buffer, h, lf::read_only);
      const lf::accessor y(y_buffer, h, lf::read_only);
      const lf::stream out(1 << 16, 1024, h);
      h.parallel_for(lf::range<1>(8), how, [=](auto it) {
        const auto i = it.get_id(0);
        const auto a = x[i];
        const auto n = y[i];
        out << a << " " << lf::convert<float>(a) << " " << n << " " << lf::convert<std::int32_t>(n) << " "
            << lf::convert<std::uint64_t>(n) << " " << lf::convert<std::int16_t>(n) << " "
            << lf::convert<std::uint16_t>(n) << " " << lf::convert<std::uint32_t>(n) << " " << (n > 0) << lf::endl;
        out << lf::hex << n << " " << lf::showbase << lf::convert<std::int32_t>(n) << " " << lf::oct
            << lf::convert<std::int16_t>(n) << lf::dec << " " << lf::setw(30) << n << "|" << lf::setw(4) << "x" << "\n";
        out << lf::setprecision(3) << a << " " << lf::fixed << lf::convert<float>(a * 1e-3) << " " << lf::scientific
            << a << " " << lf::hexfloat << a << " " << lf::defaultfloat << lf::showpos << a << " " << 7 << lf::endl;
        out << lf::convert<lf::half>(lf::convert<float>(i) * 0.5F) << " "
            << lf::convert<std::int8_t>(lf::convert<int>(i) + 65) << "\n";
      });
    });
  });
}

TEST(recorded_stream, order_of_two_dimensions) {
  LANEFOLD_NEED_OPENCL();
  expect_same_text([](lf::queue& q, auto how) {
    q.submit([&](lf::handler& h) {
      const lf::stream out(1 << 16, 64, h), other(1 << 12, 64, h);
      h.parallel_for(lf::nd_range<2>({6, 8}, {2, 4}), how, [=](auto it) {
        out << it.get_global_id(0) << "," << it.get_global_id(1) << " ";
        other << it.get_local_id(1) << ";";
        out << it.get_global_id() << it.get_group() << "\n";
      });
    });
    q.wait();
    q.submit([&](lf::handler& h) {
      const lf::stream out(1 << 16, 64, h);
      h.parallel_for(lf::range<2>(5, 7), how, [=](auto it) { out << it.get_id(0) << "," << it.get_id(1) << "\n"; });
    });
  });
}

/// A number that was captured is no part of the kernel; elements by plain indices are read on the device.
TEST(recorded_stream, plain_numbers_and_elements) {
  LANEFOLD_NEED_OPENCL();
  for (const int captured : {3, 5}) {
    expect_same_text([=](lf::queue& q, auto how) {
      lf::buffer<float> buffer{lf::range<1>(16)};
      const lf::uniform<int> number(captured * 2);
      q.submit([&](lf::handler& h) {
        const lf::accessor x(buffer, h, lf::write_only, lf::no_init);
        h.parallel_for(lf::range<1>(16), how, [=](auto it) { x[it.get_id(0)] = lf::convert<float>(it.get_id(0)) / 8; });
      });
      q.submit([&](lf::handler& h) {
        const lf::accessor x(buffer, h, lf::read_only);
        const lf::stream out(1 << 16, 64, h);
        h.parallel_for(lf::nd_range<1>(16, 4), how, [=](auto it) {
          out << captured << " " << number.get() << " " << x[9] << " " << it.get_local_range(0) << " "
              << x[it.get_global_id(0)] << 'c' << true << lf::half(1.5F) << "\n";
        });
      });
    });
  }
}

TEST(recorded_stream, vectors) {
  LANEFOLD_NEED_OPENCL();
  expect_same_text([](lf::queue& q, auto how) {
    std::vector<lf::vec<float, 3>> in(8);
    for (int i = 0; i < 8; ++i) {
      in[static_cast<std::size_t>(i)] = lf::vec<float, 3>(static_cast<float>(i), 2, 0.5F);
    }
    lf::buffer<lf::vec<float, 3>> buffer(in);
    q.submit([&](lf::handler& h) {
      const lf::accessor x(buffer, h, lf::read_only);
      const lf::stream out(1 << 16, 64, h);
      h.parallel_for(lf::nd_range<1>(8, 8), how, [=](auto it) { out << x[it.get_global_id(0)] << lf::endl; });
    });
  });
}

TEST(recorded_stream, what_is_too_long_is_reported) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices()) {
    printed result = print(lf::queue(device), 0, [](lf::queue& q, int) {
      q.submit([&](lf::handler& h) {
        const lf::stream out(1000, 8, h);
        h.parallel_for(lf::range<1>(1), [=](auto) { out << "12345" << 6789 << "abc" << lf::flush << "x" << lf::endl; });
      });
    });
    EXPECT_EQ(result.out, "12345678x\n");
    EXPECT_NE(result.err.find("4 characters"), std::string::npos) << result.err;
    result = print(lf::queue(device), 0, [](lf::queue& q, int) {
      q.submit([&](lf::handler& h) {
        const lf::stream out(25, 100, h);
        h.parallel_for(lf::range<1>(10), [=](auto) { out << "123456789\n"; });
      });
    });
    EXPECT_EQ(result.out, "123456789\n123456789\n12345");
    EXPECT_NE(result.err.find("75 characters"), std::string::npos) << result.err;
    // More than the device keeps.
    result = print(lf::queue(device), 0, [](lf::queue& q, int) {
      q.submit([&](lf::handler& h) {
        const lf::stream out(25, 100, h);
        h.parallel_for(lf::range<1>(1000), [=](auto it) { out << it.get_id(0) << lf::endl; });
      });
    });
    EXPECT_EQ(result.out.size(), 25U);
    EXPECT_NE(result.err.find("and more"), std::string::npos) << result.err;
  }
}

/// Kernels with reductions, and scoped ones, whose items have an order on devices.
TEST(recorded_stream, beside_reductions_and_in_scoped_kernels) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices()) {
    lf::queue q(device);
    lf::buffer<int> sum{lf::range<1>(1)};
    const printed result = print(q, 0, [&](lf::queue& on, int) {
      on.submit([&](lf::handler& h) {
        const lf::stream out(1000, 100, h);
        h.parallel_for(lf::range<1>(5),
                       lf::reduction(sum, h, lf::plus<int>(), lf::property::reduction::initialize_to_identity()),
                       [=](auto it, auto& total) {
                         total += 2;
                         out << it.get_id(0) << ' ';
                       });
      });
      on.wait();
      on.submit([&](lf::handler& h) {
        const lf::stream out(1000, 100, h);
        h.parallel(lf::range<1>(2), lf::range<1>(4), [=](auto group) {
          lf::distribute_items(group, [&](auto it) { out << it.get_global_id(0) << ";"; });
          lf::single_item(group, [&] { out << "single " << group.get_group_id(0) << "\n"; });
        });
      });
    });
    EXPECT_EQ(result.out, "0 1 2 3 4 0;single 0\n1;2;3;4;single 1\n5;6;7;") << device.get_platform_name();
    EXPECT_EQ(lf::host_accessor(sum)[0], 10);
  }
}

} // namespace
