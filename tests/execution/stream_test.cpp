// SPDX-License-Identifier: Apache-2.0
/// Text output of kernels: whole statements in the order of the work-items, formatted as std::ostream formats.
#include "strategies.hpp"

#include <lanefold/memory/vec.hpp>

#include <cstdlib>
#include <iomanip>
#include <limits>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_set>

namespace {

/// Returns what the commands that `submit` makes print to stdout, and to stderr.
struct printed {
  std::string out;
  std::string err;
};
template <class Submit>
printed print(const Submit& submit) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  lf::queue q;
  submit(q);
  try {
    q.wait();
  } catch (const std::exception&) { // NOLINT: kernels that fail on purpose
  }
  printed result{testing::internal::GetCapturedStdout(), {}};
  result.err = testing::internal::GetCapturedStderr();
  return result;
}

/// Returns what one work-item prints.
template <class Write>
std::string text_of(const Write& write) {
  return print([&](lf::queue& q) {
           q.submit([&](lf::handler& h) {
             const lf::stream out(100000, 10000, h);
             h.single_task([=] { write(out); });
           });
         })
      .out;
}

TEST(stream, work_items_of_a_range_print_in_their_order) {
  constexpr std::size_t rows = 70, columns = 130;
  const printed result = print([](lf::queue& q) {
    q.submit([&](lf::handler& h) {
      const lf::stream out(1 << 20, 256, h);
      h.parallel_for(lf::range<2>(rows, columns), [=](lf::id<2> i) {
        out << "row " << i[0] << " ";
        out << "column " << i[1] << lf::endl;
      });
    });
  });
  std::string expected;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      expected += "row " + std::to_string(r) + " column " + std::to_string(c) + "\n";
    }
  }
  EXPECT_EQ(result.out, expected);
  EXPECT_EQ(result.err, "");
}

/// Work-items that take turns at a barrier do not mix their lines.
TEST(stream, work_items_of_an_nd_range_print_in_their_order) {
  for (const lf::fiber_engine engine : engines) {
    const printed result = print([&](lf::queue& q) {
      q.submit([&](lf::handler& h) {
        const lf::stream out(1 << 20, 256, h);
        h.parallel_for(lf::nd_range<1>(300, 30), lf::property::fiber_engine(engine), [=](lf::nd_item<1> it) {
          out << it.get_global_id(0) << " comes, ";
          lf::group_barrier(it.get_group());
          out << "waits, ";
          lf::group_barrier(it.get_group());
          out << "goes from " << it.get_group(0) << lf::endl;
        });
      });
    });
    std::string expected;
    for (int i = 0; i < 300; ++i) {
      expected += std::to_string(i) + " comes, waits, goes from " + std::to_string(i / 30) + "\n";
    }
    EXPECT_EQ(result.out, expected) << to_string(engine);
  }
}

TEST(stream, two_dimensional_groups_print_by_rows_of_the_range) {
  const printed result = print([](lf::queue& q) {
    q.submit([&](lf::handler& h) {
      const lf::stream out(1 << 16, 64, h);
      h.parallel_for(lf::nd_range<2>({4, 6}, {2, 3}), [=](lf::nd_item<2> it) { out << it.get_global_id() << "\n"; });
    });
  });
  std::string expected;
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 6; ++c) {
      expected += "{" + std::to_string(r) + ", " + std::to_string(c) + "}\n";
    }
  }
  EXPECT_EQ(result.out, expected);
}

/// In lane-generic kernels each work-item writes, in its place: what is uniform, and what it has alone.
TEST(stream, work_items_of_lanes_print_as_they_do_alone) {
  const auto text = [](auto how, std::size_t width) {
    return print([=](lf::queue& q) {
             q.submit([&](lf::handler& h) {
               const lf::stream out(1 << 16, 128, h);
               h.parallel_for(lf::nd_range<1>(3 * width, width), how, [=](auto it) {
                 const auto i = it.get_global_id(0);
                 out << it.get_group_linear_id() << ":" << i << " ";
                 it.if_(
                     i % 3 == 0, [&] { out << lf::hex << "three " << lf::setw(5) << i * 3 << lf::endl; },
                     [&] { out << "other"; });
                 it.if_(i > 2 * width, [&] { out << " last"; });
                 auto v = it.var(i * 0.5F);
                 out << " " << i << " " << v << " " << lf::vec<int, 2>(1, 2) << lf::endl;
               });
             });
           })
        .out;
  };
  for (const std::size_t width : {32, 20, 5}) {
    const std::string expected = text(lf::property::strategy<lf::scalar>{}, width);
    EXPECT_NE(expected.find("0:3 three     9\n 3 1.5 1, 2\n0:4 other 4 2 1, 2\n"), std::string::npos) << expected;
    EXPECT_EQ(text(lf::property::strategy<lf::simd<16>>{}, width), expected);
    EXPECT_EQ(text(lf::property::strategy<lf::simd<8>>{}, width), expected);
  }
}

TEST(stream, rows_of_lanes_print_in_the_order_of_the_range) {
  const auto in_groups = [](auto how) {
    return print([=](lf::queue& q) {
             q.submit([&](lf::handler& h) {
               const lf::stream out(1 << 16, 128, h);
               h.parallel_for(lf::nd_range<2>({8, 8}, {4, 4}), how,
                              [=](auto it) { out << it.get_global_id(0) << "," << it.get_global_id(1) << "\n"; });
             });
           })
        .out;
  };
  const auto in_range = [](auto how) {
    return print([=](lf::queue& q) {
             q.submit([&](lf::handler& h) {
               const lf::stream out(1 << 16, 128, h);
               h.parallel_for(lf::range<2>(3, 21), how,
                              [=](auto it) { out << it.get_id(0) << "," << it.get_id(1) << "\n"; });
             });
           })
        .out;
  };
  EXPECT_EQ(in_groups(lf::property::strategy<lf::simd<2, 4>>{}), in_groups(lf::property::strategy<lf::scalar>{}));
  EXPECT_EQ(in_groups(lf::property::strategy<lf::simd<4>>{}), in_groups(lf::property::strategy<lf::scalar>{}));
  EXPECT_EQ(in_range(lf::property::strategy<lf::simd<8>>{}), in_range(lf::property::strategy<lf::scalar>{}));
}

/// Work-items of a unit that wait for others, and of a partial one.
TEST(stream, lanes_that_meet_at_barriers) {
  const auto text = [](auto how) {
    return print([=](lf::queue& q) {
             q.submit([&](lf::handler& h) {
               const lf::stream out(1 << 16, 128, h);
               h.parallel_for(lf::nd_range<1>(60, 20), how, [=](auto it) {
                 out << it.get_global_id(0) << " comes, ";
                 lf::group_barrier(it.get_group());
                 out << "goes\n";
               });
             });
           })
        .out;
  };
  EXPECT_EQ(text(lf::property::strategy<lf::simd<8>>{}), text(lf::property::strategy<lf::scalar>{}));
}

void helper(lf::stream by_value, int i) { by_value << "[" << i << "]"; }
const lf::stream& helper_by_reference(const lf::stream& out, int i) { return out << "(" << i << ")"; }

TEST(stream, functions_go_on_with_the_statement) {
  EXPECT_EQ(text_of([](const lf::stream& out) {
              out << "a " << lf::hex;
              helper(out, 255);
              helper_by_reference(out, 16) << " z" << lf::endl;
            }),
            "a [ff](10) z\n");
}

TEST(stream, formats_as_std_ostream) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  const auto check = [](const auto& with) {
    std::ostringstream expected;
    with(
        expected, std::hex, std::dec, std::oct, std::showbase, std::showpos, std::fixed, std::scientific, std::hexfloat,
        [](int n) { return std::setprecision(n); }, [](int n) { return std::setw(n); });
    const std::string text = text_of([&](const lf::stream& out) {
      with(
          out, lf::hex, lf::dec, lf::oct, lf::showbase, lf::showpos, lf::fixed, lf::scientific, lf::hexfloat,
          [](int n) { return lf::setprecision(n); }, [](int n) { return lf::setw(n); });
    });
    EXPECT_EQ(text, expected.str());
  };
  for (int i = 0; i < 50; ++i) {
    const auto word = static_cast<std::int64_t>(random() >> random() % 64);
    const double real = std::ldexp(static_cast<double>(word), static_cast<int>(random() % 80) - 60);
    check([&](auto& out, auto hex, auto dec, auto oct, auto showbase, auto showpos, auto fixed, auto scientific,
              auto hexfloat, auto precision, auto width) {
      out << word << " " << -word << " " << static_cast<int>(word) << " " << static_cast<unsigned short>(word) << " ";
      out << hex << -word << " " << static_cast<short>(word) << " " << showbase << word << " " << oct << word << " ";
      out << dec << width(12) << static_cast<int>(word % 1000) << "|" << width(3) << word << "|" << width(5) << "x";
      out << real << " " << -static_cast<float>(real) << " " << precision(3) << real << " " << fixed << real << " ";
      out << precision(10) << scientific << real << " " << width(30) << real << " " << hexfloat << real << " ";
      out << showpos << word % 100 << " " << true << 'c' << static_cast<signed char>('d') << "\n";
    });
  }
  check([](auto& out, auto, auto, auto, auto, auto, auto, auto, auto, auto, auto) {
    out << std::numeric_limits<std::int64_t>::min() << " " << std::numeric_limits<std::uint64_t>::max() << " "
        << std::numeric_limits<double>::infinity() << " " << std::numeric_limits<double>::max() << " " << 0.0 << "\n";
  });
}

TEST(stream, volatile_variables) {
  EXPECT_EQ(text_of([](const lf::stream& out) {
              const volatile int whole = -3;
              const volatile float real = 1.5F;
              const volatile char character = 'x';
              const volatile bool truth = true;
              out << whole << " " << real << " " << character << truth;
            }),
            "-3 1.5 x1");
}

TEST(stream, library_types) {
  const int on_stack = 0;
  const int* const pointer = &on_stack;
  std::ostringstream address;
  address << pointer << "\n";
  EXPECT_EQ(text_of([=](const lf::stream& out) { out << pointer << "\n"; }), address.str());
  EXPECT_EQ(text_of([](const lf::stream& out) {
              out << lf::vec<int, 4>(1, 2, 3, 4) << " " << lf::vec<float, 2>(0.5F, 2).swizzle<1, 0>() << " "
                  << lf::id<1>(7) << " " << lf::range<3>(1, 2, 3) << " " << lf::nd_range<1>(8, 4) << lf::flush;
            }),
            "1, 2, 3, 4 2, 0.5 {7} {1, 2, 3} nd_range(global_range: {8}, local_range: {4}, offset: {0})");
  EXPECT_EQ(print([](lf::queue& q) {
              q.submit([&](lf::handler& h) {
                const lf::stream out(1000, 1000, h);
                h.parallel_for(lf::range<1>(1), [=](lf::item<1> it) { out << it << "\n"; });
              });
              q.wait();
              q.submit([&](lf::handler& h) {
                const lf::stream out(1000, 1000, h);
                h.parallel_for(lf::nd_range<1>(1, 1), [=](lf::nd_item<1> it) { out << it << it.get_group(); });
              });
            }).out,
            "item(range: {1}, id: {0})\nnd_item(global_id: {0}, local_id: {0})group(id: {0}, local_range: {1})");
}

/// Manipulators of one work-item do not reach the next.
TEST(stream, format_is_that_of_the_work_item) {
  const printed result = print([](lf::queue& q) {
    q.submit([&](lf::handler& h) {
      const lf::stream out(1000, 100, h);
      h.parallel_for(lf::range<1>(3), [=](lf::id<1> i) {
        if (i == 1) {
          out << lf::hex << lf::setprecision(2);
        }
        out << 10 << " " << 3.14159 << "\n";
      });
    });
  });
  EXPECT_EQ(result.out, "10 3.14159\na 3.1\n10 3.14159\n");
}

TEST(stream, what_is_too_long_is_reported) {
  printed result = print([](lf::queue& q) {
    q.submit([&](lf::handler& h) {
      const lf::stream out(1000, 8, h);
      EXPECT_EQ(out.size(), 1000U);
      EXPECT_EQ(out.get_work_item_buffer_size(), 8U);
      EXPECT_EQ(out.get_size(), 1000U);
      EXPECT_EQ(out.get_max_statement_size(), 8U);
      h.single_task([=] {
        out << "12345" << 6789 << "abc" << lf::flush;
        out << "1234567" << lf::endl;
      });
    });
  });
  EXPECT_EQ(result.out, "123456781234567\n");
  EXPECT_NE(result.err.find("4 characters"), std::string::npos) << result.err;
  result = print([](lf::queue& q) {
    q.submit([&](lf::handler& h) {
      const lf::stream out(25, 100, h);
      h.parallel_for(lf::range<1>(10), [=](lf::id<1>) { out << "123456789\n"; });
    });
  });
  EXPECT_EQ(result.out.size(), 25U);
  EXPECT_NE(result.err.find("75 characters"), std::string::npos) << result.err;
}

/// The output is there when the command is known to be complete, also when it fails.
TEST(stream, kernels_that_fail_print_what_they_have_written) {
  if (std::getenv("LANEFOLD_SCHEDULE") != nullptr) {
    GTEST_SKIP() << "work-items run in another order";
  }
  const printed result = print([](lf::queue& q) {
    q = lf::queue(lf::property::threads(1)); // so that the work-items before the one that fails have run, and no others
    q.submit([&](lf::handler& h) {
      const lf::stream out(1000, 100, h);
      h.parallel_for(lf::range<1>(10), [=](lf::id<1> i) {
        out << i[0] << lf::endl;
        if (i == 3) {
          out << "last words";
          throw std::runtime_error("thrown on purpose");
        }
      });
    });
  });
  EXPECT_EQ(result.out, "0\n1\n2\n3\nlast words");
}

TEST(stream, several_in_one_kernel_and_copies) {
  const printed result = print([](lf::queue& q) {
    q.submit([&](lf::handler& h) {
      const lf::stream first(1000, 100, h), second(1000, 100, h);
      const lf::stream copy = first; // NOLINT: a second handle
      EXPECT_TRUE(copy == first);
      EXPECT_FALSE(copy == second);
      EXPECT_EQ((std::unordered_set<std::size_t>{std::hash<lf::stream>()(copy), std::hash<lf::stream>()(first)}.size()),
                1U);
      h.parallel_for(lf::range<1>(3), [=](lf::id<1> i) {
        first << "first " << i[0] << "\n";
        second << "second " << i[0] << "\n";
      });
    });
  });
  EXPECT_EQ(result.out, "first 0\nfirst 1\nfirst 2\nsecond 0\nsecond 1\nsecond 2\n");
}

} // namespace
