// SPDX-License-Identifier: Apache-2.0
/// Arrays that a kernel declares are those of one work-item, whatever the compiler makes of the loop over the
/// work-items. Compiled with -O3 (tests/CMakeLists.txt): docs/decisions/032-no-pragma-on-loops-over-kernels.md.
#include <lanefold/scoped.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lf = lanefold;

namespace {

constexpr std::size_t items = 1024;

/// Fills an array in an order that the compiler does not know.
struct rotated {
  const int* shifts;
  const int* in;
  int operator()(std::size_t i) const {
    int t[4];
    for (int k = 0; k < 4; ++k) {
      t[(k + shifts[i]) & 3] = in[4 * i + static_cast<std::size_t>(k)];
    }
    return t[0] + 10 * t[1] + 100 * t[2] + 1000 * t[3];
  }
};

class arrays_of_work_items : public testing::Test {
protected:
  arrays_of_work_items() {
    for (std::size_t i = 0; i < items; ++i) {
      m_shifts[i] = static_cast<int>(i * 53 % 97);
    }
    for (std::size_t i = 0; i < 4 * items; ++i) {
      m_in[i] = static_cast<int>(i * 31 % 1013);
    }
  }
  void TearDown() override {
    for (std::size_t i = 0; i < items; ++i) {
      const auto first = static_cast<std::size_t>(-m_shifts[i] & 3);
      int expected = 0;
      for (std::size_t k = 4; k-- > 0;) {
        expected = 10 * expected + m_in[4 * i + (first + k) % 4];
      }
      ASSERT_EQ(out[i], expected) << "work-item " << i;
    }
  }
  [[nodiscard]] rotated kernel() const { return {m_shifts.data(), m_in.data()}; }

  lf::queue q;
  std::vector<int> out = std::vector<int>(items);

private:
  std::vector<int> m_shifts = std::vector<int>(items), m_in = std::vector<int>(4 * items);
};

TEST_F(arrays_of_work_items, of_a_range) {
  q.parallel_for(lf::range<1>(items), [to = out.data(), f = kernel()](lf::id<1> i) { to[i] = f(i); }).wait();
}

TEST_F(arrays_of_work_items, of_a_range_in_two_dimensions) {
  q.parallel_for(lf::range<2>(8, items / 8), [to = out.data(), f = kernel()](lf::item<2> it) {
     to[it.get_linear_id()] = f(it.get_linear_id());
   }).wait();
}

TEST_F(arrays_of_work_items, of_groups) {
  q.parallel_for(lf::nd_range<1>(items, 64), [to = out.data(), f = kernel()](lf::nd_item<1> it) {
     to[it.get_global_id(0)] = f(it.get_global_id(0));
   }).wait();
}

TEST_F(arrays_of_work_items, of_a_hierarchical_kernel) {
  q.submit([&](lf::handler& h) {
     h.parallel_for_work_group(
         lf::range<1>(items / 64), lf::range<1>(64), [to = out.data(), f = kernel()](lf::group<1> g) {
           g.parallel_for_work_item([&](lf::h_item<1> it) { to[it.get_global_id()[0]] = f(it.get_global_id()[0]); });
         });
   }).wait();
}

TEST_F(arrays_of_work_items, of_a_scoped_kernel) {
  q.parallel(lf::range<1>(items / 64), lf::range<1>(64), [to = out.data(), f = kernel()](auto group) {
     lf::distribute_items(group, [&](lf::s_item<1> it) { to[it.get_global_id(0)] = f(it.get_global_id(0)); });
   }).wait();
}

} // namespace
