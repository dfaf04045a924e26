// SPDX-License-Identifier: Apache-2.0
// Algorithms over arrays, on every device, against sequential loops.
#include "user_types.hpp"

#include <lanefold/memory/half.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace {

using namespace gpu_testing;

const std::vector<std::size_t> counts = {0, 1, 3, 255, 257, 5000, 100003};

/// Data of one count on one device.
template <class T>
class array_case {
public:
  array_case(const gpu::device& on, std::size_t count) : q(on), values(count), in(on, count + 1), out(on, count + 1) {
    std::mt19937 random(seed());
    for (T& x : values)
      x = draw(random, x);
    q.copy(values.data(), in, count).wait();
  }

  std::vector<T> fetch(std::size_t count) {
    std::vector<T> result(count);
    q.copy(out, result.data(), count).wait();
    return result;
  }

  gpu::queue q;
  std::vector<T> values;
  gpu::buffer<T> in, out;

private:
  template <class U>
  static U draw(std::mt19937& random, U) {
    return static_cast<U>(random() % 9) - static_cast<U>(4);
  }
  static affine draw(std::mt19937& random, affine) {
    return {static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random())};
  }
};

template <class Work>
void for_each_device_and_count(Work work) {
  for (const gpu::device& device : gpu::devices())
    for (const std::size_t count : counts) {
      if (is_simulator(device) && count > 300)
        continue;
      SCOPED_TRACE(device.get_platform_name() + ", " + std::to_string(count) + " elements, seed " +
                   std::to_string(seed()));
      work(device, count);
      if (testing::Test::HasFatalFailure())
        return;
    }
}

template <class T, class Apply>
void check_reduce_and_scans(const gpu::operation& op, T identity, T init, Apply apply) {
  for_each_device_and_count([&](const gpu::device& device, std::size_t count) {
    array_case<T> c(device, count);
    if (!has_type(device, gpu::device_type<T>::describe().name)) {
      ASSERT_EQ(code_thrown_by([&] { gpu::reduce(c.q, c.in, count, c.out, op); }),
                lanefold::errc::kernel_not_supported);
      return;
    }
    gpu::reduce(c.q, c.in, count, c.out, op).wait();
    T sum = identity;
    for (const T& x : c.values)
      sum = apply(sum, x);
    ASSERT_EQ(c.fetch(1)[0], sum) << "reduce";

    gpu::inclusive_scan(c.q, c.in, count, c.out, op).wait();
    std::vector<T> wanted(count);
    std::inclusive_scan(c.values.begin(), c.values.end(), wanted.begin(), apply);
    ASSERT_EQ(c.fetch(count), wanted) << "inclusive_scan";

    // In place, in a queue out of order: by an event.
    const gpu::event copied = c.q.copy(c.in, c.out, count);
    gpu::exclusive_scan(c.q, c.out, count, c.out, init, op, {copied}).wait();
    std::exclusive_scan(c.values.begin(), c.values.end(), wanted.begin(), init, apply);
    ASSERT_EQ(c.fetch(count), wanted) << "exclusive_scan";
  });
}

TEST(gpu_algorithms, sums_of_int) {
  LANEFOLD_NEED_OPENCL();
  check_reduce_and_scans<std::int32_t>(gpu::plus, 0, 100, [](auto a, auto b) { return a + b; });
}

TEST(gpu_algorithms, sums_of_double) {
  LANEFOLD_NEED_OPENCL();
  check_reduce_and_scans<double>(gpu::plus, 0, -3, [](auto a, auto b) { return a + b; });
}

TEST(gpu_algorithms, maximum_of_half) {
  LANEFOLD_NEED_HALF();
  using T = lanefold::half;
  const T lowest = -std::numeric_limits<T>::infinity();
  check_reduce_and_scans<T>(gpu::maximum, lowest, T(2), [](T a, T b) { return a < b ? b : a; });
}

TEST(gpu_algorithms, maximum_of_short) {
  LANEFOLD_NEED_OPENCL();
  using T = std::int16_t;
  check_reduce_and_scans<T>(gpu::maximum, std::numeric_limits<T>::min(), 2, [](T a, T b) { return std::max(a, b); });
}

TEST(gpu_algorithms, operator_and_type_of_the_users_own_keep_their_order) {
  LANEFOLD_NEED_OPENCL();
  check_reduce_and_scans<affine>(affine_then(), affine{}, affine{3, 5}, then);
}

TEST(gpu_algorithms, conditions) {
  LANEFOLD_NEED_OPENCL();
  const gpu::predicate is_three = {"is_three", "LF_FUNCTION int is_three(int x) { return x == 3; }"};
  const gpu::predicate is_small = {"is_small", "LF_FUNCTION int is_small(int x) { return x < 100; }"};
  for_each_device_and_count([&](const gpu::device& device, std::size_t count) {
    array_case<std::int32_t> c(device, count);
    const auto threes = static_cast<std::uint64_t>(std::count(c.values.begin(), c.values.end(), 3));
    ASSERT_EQ(gpu::count_if(c.q, c.in, count, is_three), threes);
    ASSERT_EQ(gpu::any_of(c.q, c.in, count, is_three), threes > 0);
    ASSERT_EQ(gpu::none_of(c.q, c.in, count, is_three), threes == 0);
    ASSERT_EQ(gpu::all_of(c.q, c.in, count, is_three), threes == count);
    ASSERT_TRUE(gpu::all_of(c.q, c.in, count, is_small));
    if (count == 0)
      return;
    // One that is large, anywhere.
    const std::int32_t large = 1000;
    c.q.copy(&large, c.in, 1, count / 2).wait();
    ASSERT_FALSE(gpu::all_of(c.q, c.in, count, is_small));
  });
}

void check_segments(const gpu::device& device, std::size_t count, std::size_t segments) {
  array_case<float> c(device, count);
  std::mt19937 random(seed());
  std::vector<std::uint32_t> offsets(segments + 1);
  for (std::uint32_t& o : offsets)
    o = static_cast<std::uint32_t>(random() % (count + 1));
  std::sort(offsets.begin(), offsets.end());
  const gpu::buffer<std::uint32_t> places(device, offsets.size());
  const gpu::buffer<float> sums(device, segments);
  c.q.copy(offsets.data(), places, offsets.size()).wait();
  gpu::segmented_reduce(c.q, c.in, count, places, segments, sums, gpu::plus).wait();
  std::vector<float> result(segments);
  c.q.copy(sums, result.data(), segments).wait();
  for (std::size_t s = 0; s < segments; ++s) {
    const auto at = [&](std::size_t i) { return c.values.begin() + offsets[i]; };
    ASSERT_EQ(result[s], std::accumulate(at(s), at(s + 1), 0.f)) << "segment " << s << " of " << segments;
  }
}

TEST(gpu_algorithms, segments) {
  LANEFOLD_NEED_OPENCL();
  for_each_device_and_count([](const gpu::device& device, std::size_t count) {
    check_segments(device, count, 3);
    check_segments(device, count, 200);
  });
}

void check_unified_shared_memory(const gpu::device& device, std::size_t offset) {
  gpu::queue q(device);
  const std::size_t count = is_simulator(device) ? 200 : 3000;
  std::vector<std::uint32_t> values(count), result(count);
  std::iota(values.begin(), values.end(), 7u);
  std::uint32_t* const memory = gpu::malloc_device<std::uint32_t>(count + offset, q);
  const gpu::event written = q.memcpy(memory + offset, values.data(), count * sizeof(std::uint32_t));
  const auto scan = [&] {
    return gpu::inclusive_scan(q, memory + offset, count, memory + offset, gpu::plus, {written});
  };
  if (offset == 1 && device.get_usm_support() == gpu::usm_support::handles) {
    EXPECT_EQ(code_thrown_by(scan), lanefold::errc::kernel_argument);
  } else {
    q.memcpy(result.data(), memory + offset, count * sizeof(std::uint32_t), {scan()}).wait();
    std::inclusive_scan(values.begin(), values.end(), values.begin());
    EXPECT_EQ(result, values) << "offset " << offset;
  }
  q.wait();
  gpu::free(memory, q);
}

TEST(gpu_algorithms, unified_shared_memory) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices())
    for_each_usm_support(device, [&] {
      for (const std::size_t offset : {0, 1, 1024}) // 1: elements that are not aligned to 16 bytes
        check_unified_shared_memory(device, offset);
    });
}

TEST(gpu_algorithms, misuse) {
  LANEFOLD_NEED_OPENCL();
  const gpu::device device = gpu::devices().front();
  gpu::queue q(device);
  const gpu::buffer<int> small(device, 10), one(device, 1);
  EXPECT_EQ(code_thrown_by([&] { gpu::reduce(q, small, 11, one, gpu::plus); }), lanefold::errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { gpu::inclusive_scan(q, small, 10, one, gpu::plus); }), lanefold::errc::invalid);
  const gpu::operator_description nameless = {"f", "int f(int a, int b) { return a; }", false, ""};
  std::string text;
  EXPECT_EQ(code_thrown_by([&] { gpu::reduce(q, small, 10, one, nameless); }, &text), lanefold::errc::invalid);
  EXPECT_NE(text.find("needs an identity"), std::string::npos) << text;
}

} // namespace
