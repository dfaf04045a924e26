// SPDX-License-Identifier: Apache-2.0
/// Loads and stores of groups in the words of sycl_ext_oneapi_group_load_store.
#include <sycl/ext/oneapi/experimental/group_load_store.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>

namespace {

namespace ext = sycl::ext::oneapi::experimental;

constexpr std::size_t groups = 3;
constexpr std::size_t size = 8;

class sycl_group_load_store : public testing::Test {
public:
  sycl_group_load_store() {
    for (std::size_t i = 0; i < count; ++i) {
      in[i] = static_cast<int>(i);
      out[i] = -1;
    }
  }
  ~sycl_group_load_store() override {
    sycl::free(in, q);
    sycl::free(out, q);
  }

  /// Calls `work(item, first element of its group in `in`, in `out`)`.
  template <class Work>
  void launch(std::size_t elements, const Work& work) {
    int* const i = in;
    int* const o = out;
    q.parallel_for(sycl::nd_range<1>(groups * size, size), [=](sycl::nd_item<1> it) {
       const std::size_t first = it.get_group(0) * size * elements;
       work(it, i + first, o + first);
     }).wait();
  }

  static constexpr std::size_t count = groups * size * 4;
  sycl::queue q;
  int* in = sycl::malloc_shared<int>(count, q);
  int* out = sycl::malloc_shared<int>(count, q);
};

TEST_F(sycl_group_load_store, one_element) {
  launch(1, [](sycl::nd_item<1> it, const int* i, int* o) {
    int value = 0;
    ext::group_load(it.get_group(), i, value);
    ext::group_store(it.get_group(), value + 100 * static_cast<int>(it.get_local_id(0)), o,
                     ext::properties{ext::contiguous_memory, ext::full_group, ext::alignment<4>});
  });
  for (std::size_t i = 0; i < groups * size; ++i) {
    EXPECT_EQ(out[i], static_cast<int>(i + 100 * (i % size)));
  }
}

TEST_F(sycl_group_load_store, neighbours_of_each_work_item) {
  launch(4, [](sycl::nd_item<1> it, const int* i, int* o) {
    std::array<int, 4> values{};
    ext::group_load(it.get_group(), i, std::span<int, 4>(values));
    for (int& value : values) {
      value += 1000 * static_cast<int>(it.get_local_id(0));
    }
    ext::group_store(it.get_group(), std::span<int, 4>(values), o);
  });
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(out[i], static_cast<int>(i + 1000 * (i % (size * 4) / 4)));
  }
}

TEST_F(sycl_group_load_store, every_eighth_of_a_sub_group) {
  launch(4, [](sycl::nd_item<1> it, const int* i, int* o) {
    const ext::properties striped{ext::data_placement_striped};
    sycl::vec<int, 4> values;
    ext::group_load(it.get_sub_group(), i, values, striped);
    values += 1000 * static_cast<int>(it.get_local_id(0));
    ext::group_store(it.get_sub_group(), values, o, striped);
  });
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(out[i], static_cast<int>(i + 1000 * (i % size)));
  }
}

} // namespace
