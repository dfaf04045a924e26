// SPDX-License-Identifier: Apache-2.0
/// Accessors that kernels have captured within something else: constants, structs, objects without a move constructor.
/// The loops of such kernels are vectorised as if the accessors were captured one by one.
#include "disassembly.hpp"
#include "sanitized.hpp"

#include <lanefold/lanefold.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace lf = lanefold;

struct point_of_test {
  float x, y, z;
};
using points = lf::buffer<point_of_test>;
using numbers = lf::buffer<float>;
using point_reader = lf::accessor<point_of_test, 1, lf::access_mode::read>;
using number_writer = lf::accessor<float, 1, lf::access_mode::read_write>;

inline float chain(const point_of_test& p) {
  float sum = p.x;
  for (int k = 0; k < 32; ++k) {
    sum = sum * p.y + p.z;
  }
  return sum;
}

struct pair_of_accessors {
  point_reader from;
  number_writer to;
};

/// Has a destructor, so that it is copied where it would be moved.
struct copied_capture {
  copied_capture(const point_reader& a, const number_writer& b) : from(a), to(b) {}
  copied_capture(const copied_capture&) = default;
  copied_capture& operator=(const copied_capture&) = default;
  ~copied_capture() {} // NOLINT(modernize-use-equals-default)
  void operator()(lf::id<1> i) const { to[i] = chain(from[i]); }

  point_reader from;
  number_writer to;
};

inline void run_chain(lf::handler& h, std::size_t count, const pair_of_accessors& both) {
  h.parallel_for(lf::range(count), [=](lf::id<1> i) { both.to[i] = chain(both.from[i]); });
}
inline void run_lengths(lf::handler& h, std::size_t count, const pair_of_accessors& both) {
  h.parallel_for(lf::range(count), [=](lf::id<1> i) {
    const float x = both.to[i];
    both.to[i] = 2 * lf::length(lf::float3(x, x + 1, x + 2));
  });
}

namespace {

class apart_captures : public testing::Test {
protected:
  static constexpr std::size_t count = 100;

  void SetUp() override {
    const lf::host_accessor p(in);
    std::fill(p.begin(), p.end(), point_of_test{2.0F, 0.5F, 1.0F});
    const lf::host_accessor y(out);
    std::fill(y.begin(), y.end(), 2.0F);
  }

  template <class Run>
  void expect_vectorised(Run run, float value, [[maybe_unused]] std::string_view name) {
    q.submit([&](lf::handler& h) { run(h, pair_of_accessors{point_reader(in, h), number_writer(out, h)}); });
    const lf::host_accessor y(out);
    for (const float each : y) {
      ASSERT_FLOAT_EQ(each, value);
    }
// clang vectorises no loop that has another one inside.
#if defined(__x86_64__) && !defined(LANEFOLD_TEST_SANITIZED) && !defined(LANEFOLD_CHECKED) && !defined(__clang__)
    disassembly::expect_vectorised(name, "run_rows_flat", disassembly::multiplies_or_adds_floats);
#endif
  }

  lf::queue q{lf::property_list{lf::property::threads(2)}};
  points in{lf::range(count)};
  numbers out{lf::range(count)};
};

TEST_F(apart_captures, in_constants_are_apart) {
  expect_vectorised([](lf::handler& h, const pair_of_accessors& both) { run_chain(h, count, both); }, 2.0F,
                    "run_chain");
}

TEST_F(apart_captures, in_objects_that_are_only_copied_are_apart) {
  expect_vectorised(
      [](lf::handler& h, const pair_of_accessors& both) {
        h.parallel_for(lf::range(count), copied_capture(both.from, both.to));
      },
      2.0F, "copied_capture");
}

TEST_F(apart_captures, lengths_of_vectors_are_vectorised) {
  expect_vectorised([](lf::handler& h, const pair_of_accessors& both) { run_lengths(h, count, both); },
                    2 * lf::length(lf::float3(2.0F, 3.0F, 4.0F)), "run_lengths");
}

/// Copies one accessor to two.
struct twice {
  explicit twice(const number_writer& a) : one(a), also(a) {}
  twice(const twice& other) : one(other.one), also(one) {} // NOLINT(bugprone-copy-constructor-init)
  twice& operator=(const twice&) = default;

  number_writer one, also;
};

TEST_F(apart_captures, of_one_buffer_see_each_other_in_constants) {
  q.submit([&](lf::handler& h) {
    const twice both{number_writer(out, h)};
    h.parallel_for(lf::range(count), [=](lf::id<1> i) {
      both.one[i] = 1;
      for (int k = 0; k < 4; ++k) {
        both.also[i] += both.one[i];
      }
      both.one[i] += 1;
      both.also[i] *= 2;
    });
  });
  const lf::host_accessor y(out);
  for (const float each : y) {
    ASSERT_EQ(each, 34.0F);
  }
}

void add(number_writer to, number_writer from, lf::id<1> i) {
  for (int k = 0; k < 4; ++k) {
    to[i] += from[i];
  }
}

TEST_F(apart_captures, may_be_given_to_functions_twice) {
  q.submit([&](lf::handler& h) {
    const pair_of_accessors both{point_reader(in, h), number_writer(out, h)};
    h.parallel_for(lf::range(count), [=](lf::id<1> i) {
      const pair_of_accessors copy = both;
      both.to[i] = 1;
      add(both.to, copy.to, i);
      copy.to[i] += both.to[i];
    });
  });
  const lf::host_accessor y(out);
  for (const float each : y) {
    ASSERT_EQ(each, 32.0F);
  }
}

union number_or_pointer {
  float number;
  float* pointer;
};
struct link {
  int value;
  link* next;
};
struct bits {
  int a : 8, b : 8, c : 8, d : 8;
  bits* next;
};
struct some_of_both {
  float x[2];
  number_or_pointer y;
};
struct matrix_of_test {
  float rows[3][3];
  int name;
  point_of_test at;
};
static_assert(lf::detail::holds_numbers<point_of_test> && lf::detail::holds_numbers<matrix_of_test>);
static_assert(!lf::detail::holds_numbers<link> && !lf::detail::holds_numbers<bits> &&
              !lf::detail::holds_numbers<number_or_pointer> && !lf::detail::holds_numbers<some_of_both>);

} // namespace
