// SPDX-License-Identifier: Apache-2.0
/// Checked builds: arguments that all work-items of a group must give alike.
#include "testing.hpp"

namespace {

#if defined(LANEFOLD_CHECKED)

/// `call(it, same)` for every work-item of a group of 24, where `same` is false for the one at position 17; in
/// lane-generic kernels for its sub-group, the second one.
template <class Call>
void expect_error(const Call& call, const std::string& argument, const std::string& first, const std::string& other) {
  const auto says = [&](const std::string& message, const std::string& position) {
    const std::string text = "give the same " + argument + "; the one at position 0 of the group gave " + first +
                             ", the one at position " + position + " " + other;
    EXPECT_NE(message.find(text), std::string::npos) << "expected: " << text << "\ngot: " << message;
  };
  for (const auto engine : engines) {
    says(texts_thrown_by([&] {
           run_groups<lf::scalar>(2, 24, [=](lf::nd_item<1> it) { call(it, it.get_local_id(0) != 17); }, engine);
         }),
         "17");
    says(texts_thrown_by([&] {
           run_groups<lf::simd<16>>(
               2, 24, [=](auto it) { call(it, it.get_sub_group().get_group_linear_id() == std::size_t(0)); }, engine);
         }),
         "16");
  }
}

/// Tests functions of sub-groups: in work-item kernels alone, the lanes of a sub-group have one argument.
template <class Call>
void expect_error_in_sub_group(const Call& call, const std::string& argument) {
  for (const auto engine : engines) {
    const std::string message = texts_thrown_by([&] {
      lf::queue q;
      q.parallel_for(lf::nd_range<1>(64, 32),
                     lf::properties{lf::property::fiber_engine{engine}, lf::property::sub_group_size{16}},
                     [=](lf::nd_item<1> it) { call(it.get_sub_group(), it.get_local_id(0) == 19 ? 3U : 2U); })
          .wait();
      q.wait_and_throw();
    });
    const std::string text =
        "give the same " + argument + "; the one at position 0 of the group gave 2, the one at position 3 3";
    EXPECT_NE(message.find(text), std::string::npos) << "expected: " << text << "\ngot: " << message;
  }
}

TEST(uniform_arguments, of_work_groups) {
  expect_error([](auto it, bool same) { lf::group_broadcast(it.get_group(), 1, same ? 4 : 5); }, "id", "4", "5");
  expect_error([](auto it, bool same) { lf::group_broadcast(it.get_group(), 1, lf::id<1>(same ? 4 : 5)); }, "id", "4",
               "5");
  expect_error([](auto it, bool same) { lf::reduce_over_group(it.get_group(), 1, same ? 1 : 2, lf::plus<>{}); }, "init",
               "1", "2");
  expect_error(
      [](auto it, bool same) { lf::exclusive_scan_over_group(it.get_group(), 1.F, same ? 0.5F : 1.5F, lf::plus<>{}); },
      "init", "0.5", "1.5");
  expect_error(
      [](auto it, bool same) { lf::inclusive_scan_over_group(it.get_group(), 1, lf::plus<>{}, same ? -1 : 2); }, "init",
      "-1", "2");
}

TEST(uniform_arguments, of_joint_algorithms) {
  static int numbers[100], results[100];
  int* const in = numbers;
  int* const out = results;
  const lf::plus<> sum;
  const std::string length = "length of the range";
  expect_error([=](auto it, bool same) { lf::joint_reduce(it.get_group(), in, in + (same ? 100 : 90), sum); }, length,
               "100", "90");
  expect_error([=](auto it, bool same) { lf::joint_reduce(it.get_group(), in, in + 10, same ? 1 : 2, sum); }, "init",
               "1", "2");
  expect_error(
      [=](auto it, bool same) { lf::joint_inclusive_scan(it.get_group(), in, in + (same ? 100 : 90), out, sum); },
      length, "100", "90");
  expect_error(
      [=](auto it, bool same) { lf::joint_exclusive_scan(it.get_group(), in, in + 9, out, same ? 3 : 4, sum); }, "init",
      "3", "4");
  expect_error(
      [=](auto it, bool same) {
        lf::joint_any_of(it.get_group(), in, in + (same ? 100 : 90), [](auto x) { return x == 1; });
      },
      length, "100", "90");
  expect_error([=](auto it, bool same) { lf::joint_sort(it.get_group(), out, out + (same ? 50 : 51)); }, length, "50",
               "51");
  const std::string message = texts_thrown_by([=] {
    run_groups<lf::scalar>(1, 8, [=](lf::nd_item<1> it) {
      const std::size_t from = it.get_local_id(0) == 3 ? 1 : 0;
      lf::joint_reduce(it.get_group(), in + from, in + from + 10, sum);
    });
  });
  EXPECT_NE(message.find("give the same beginning of the range; the one at position 0 of the group gave 0x"),
            std::string::npos)
      << message;
}

TEST(uniform_arguments, of_sub_groups) {
  expect_error_in_sub_group([](const auto& sg, unsigned x) { lf::shift_group_left(sg, 1, x); }, "delta");
  expect_error_in_sub_group([](const auto& sg, unsigned x) { lf::shift_group_right(sg, 1, x); }, "delta");
  expect_error_in_sub_group([](const auto& sg, unsigned x) { lf::permute_group_by_xor(sg, 1, x); }, "mask");
  expect_error_in_sub_group([](const auto& sg, unsigned x) { lf::group_broadcast(sg, 1, x); }, "id");
  expect_error_in_sub_group(
      [](const auto& sg, unsigned x) { lf::reduce_over_group(lf::chunked_partition<8>(sg), 1U, x, lf::plus<>{}); },
      "init");
}

/// NaN is the same as itself, and each group has its own arguments.
TEST(uniform_arguments, are_no_error) {
  run_groups<lf::scalar>(3, 24, [](lf::nd_item<1> it) {
    const auto g = it.get_group();
    lf::reduce_over_group(g, 1.0, std::numeric_limits<double>::quiet_NaN(), lf::plus<>{});
    lf::group_broadcast(g, 1, it.get_group(0));
    lf::reduce_over_group(lf::chunked_partition<4>(it.get_sub_group()), 1, static_cast<int>(it.get_local_id(0) / 4),
                          lf::plus<>{});
    lf::select_from_group(it.get_sub_group(), 1, it.get_local_id(0) % 2);
  });
}

#else

TEST(uniform_arguments, are_compared_in_checked_builds) { GTEST_SKIP() << "not a checked build"; }

#endif

} // namespace
