// SPDX-License-Identifier: Apache-2.0
/// Work-item kernels that begin with `if (i < n)`, as programs that came from CUDA do, with ids as int, and those that
/// shift ids by a border: they are vectorised, and each work-item has its own id.
#include "disassembly.hpp"
#include "sanitized.hpp"

#include <lanefold/lanefold.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace lf = lanefold;

// Not in an unnamed namespace: the symbols of their kernels are found by these names.
void guarded_id_to_disassemble(lf::queue& q, const float* in, float* out, int n) {
  q.parallel_for(lf::nd_range<1>((static_cast<std::size_t>(n) + 255) / 256 * 256, 256), [=](lf::nd_item<1> it) {
     const int i = static_cast<int>(it.get_global_id(0));
     if (i < n) {
       out[i] = 2.5F * in[i + n];
     }
   }).wait();
}
void guarded_sum_to_disassemble(lf::queue& q, const float* in, float* out, int n) {
  q.parallel_for(lf::nd_range<3>({1, 1, (static_cast<std::size_t>(n) + 255) / 256 * 256}, {1, 1, 256}),
                 [=](lf::nd_item<3> it) {
                   const int i = static_cast<int>(it.get_group(2) * it.get_local_range(2) + it.get_local_id(2));
                   if (i >= n) {
                     return;
                   }
                   out[i] = 2.5F * in[i + n];
                 })
      .wait();
}
void guarded_ints_to_disassemble(lf::queue& q, const float* in, float* out, int n) {
  q.parallel_for(lf::nd_range<1>((static_cast<std::size_t>(n) + 255) / 256 * 256, 256), [=](lf::nd_item<1> it) {
     const int block = static_cast<int>(it.get_group(0)), thread = static_cast<int>(it.get_local_id(0));
     const int i = static_cast<int>(static_cast<std::size_t>(block) * it.get_local_range(0)) + thread;
     if (i < n) {
       out[i] = 2.5F * in[i + n];
     }
   }).wait();
}
void linear_id_to_disassemble(lf::queue& q, const float* in, float* out, int n) {
  q.parallel_for(lf::nd_range<1>((static_cast<std::size_t>(n) + 255) / 256 * 256, 256), [=](lf::nd_item<1> it) {
     const int i = static_cast<int>(it.get_global_linear_id());
     if (i < n) {
       out[i] = 2.5F * in[i + n];
     }
   }).wait();
}

/// A border around the range, as stencils have it.
void shifted_id_to_disassemble(lf::queue& q, const float* in, float* out, int n) {
  const int width = 50;
  q.parallel_for(lf::range<2>(static_cast<std::size_t>(n / width), width), [=](lf::id<2> id) {
     const int y = static_cast<int>(id[0] + 1);
     const int x = static_cast<int>(id[1] + 1);
     out[(y - 1) * width + x - 1] = 2.5F * in[n + (y - 1) * width + x - 1];
   }).wait();
}
void shifted_back_to_disassemble(lf::queue& q, const float* in, float* out, int n) {
  const int width = 50;
  const int planes = 4;
  q.parallel_for(lf::range<3>(planes, static_cast<std::size_t>(n / width / planes), width), [=](lf::id<3> id) {
     const int row = static_cast<int>(id[0]) * (n / width / planes) + static_cast<int>(id[1]);
     const int x = static_cast<int>(id[2] - 2);
     out[row * width + x + 2] = 2.5F * in[n + row * width + x + 2];
   }).wait();
}
void shifted_in_groups_to_disassemble(lf::queue& q, const float* in, float* out, int n) {
  const float* from = in + n;
  q.parallel_for(lf::nd_range<1>(static_cast<std::size_t>(n), 125), [=](lf::nd_item<1> it) {
     const int x = static_cast<int>(it.get_global_id(0) + 3);
     out[x - 3] = 2.5F * from[x - 3];
   }).wait();
}

namespace {

class guarded_ids : public testing::Test {
protected:
  static constexpr int n = 1000;

  using kernel = void (*)(lf::queue&, const float*, float*, int);

  void expect_vectorised(kernel run, [[maybe_unused]] std::string_view name,
                         [[maybe_unused]] std::string_view loop = "run_groups_flat") {
    std::vector<float> in(2 * n);
    for (int i = 0; i < 2 * n; ++i) {
      in[static_cast<std::size_t>(i)] = static_cast<float>(i);
    }
    std::vector<float> out(n + 256, -1.0F);
    run(q, in.data(), out.data(), n);
    for (int i = 0; i < n; ++i) {
      ASSERT_EQ(out[static_cast<std::size_t>(i)], 2.5F * static_cast<float>(i + n)) << i;
    }
    EXPECT_TRUE(std::all_of(out.begin() + n, out.end(), [](float x) { return x == -1.0F; }));
// clang does not mask what SSE2 cannot.
#if defined(__x86_64__) && !defined(LANEFOLD_TEST_SANITIZED) && !defined(LANEFOLD_CHECKED) &&                          \
    (!defined(__clang__) || defined(__AVX2__))
    disassembly::expect_vectorised(name, loop, disassembly::multiplies_floats);
#endif
  }

  lf::queue q{lf::property_list{lf::property::threads(2)}};
};

TEST_F(guarded_ids, of_the_range_are_vectorised) {
  expect_vectorised(guarded_id_to_disassemble, "guarded_id_to_disassemble");
}
TEST_F(guarded_ids, that_programs_compute_are_vectorised) {
  expect_vectorised(guarded_sum_to_disassemble, "guarded_sum_to_disassemble");
}

/// The numbers of group and work-item are ints of their own, as blockIdx.x and threadIdx.x were.
TEST_F(guarded_ids, of_parts_that_are_ints_are_vectorised) {
  expect_vectorised(guarded_ints_to_disassemble, "guarded_ints_to_disassemble");
}

TEST_F(guarded_ids, that_are_linear_are_vectorised) {
  expect_vectorised(linear_id_to_disassemble, "linear_id_to_disassemble");
}

/// Whole rows of a range begin at 0, so that a sum of the id in fewer bits than it has is known not to wrap.
TEST_F(guarded_ids, of_a_range_that_are_shifted_are_vectorised) {
  expect_vectorised(shifted_id_to_disassemble, "shifted_id_to_disassemble", "run_strip_flat");
  expect_vectorised(shifted_back_to_disassemble, "shifted_back_to_disassemble", "run_strip_flat");
}

/// Ids of a group are known to be small enough for such a sum, and for that with a small number.
TEST_F(guarded_ids, of_groups_that_are_shifted_are_vectorised) {
  expect_vectorised(shifted_in_groups_to_disassemble, "shifted_in_groups_to_disassemble");
}

TEST_F(guarded_ids, are_those_of_the_work_item) {
  const lf::range<2> extents(6, 40);
  for (const lf::id<2> offset : {lf::id<2>(0, 0), lf::id<2>(3, 5), lf::id<2>(0, 100)}) {
    std::vector<int> seen(240, -1);
    int* const ids = seen.data();
    q.submit([&](lf::handler& h) {
       h.parallel_for(lf::nd_range<2>(extents, lf::range<2>(2, 8), offset), [=](lf::nd_item<2> it) {
         const int y = static_cast<int>(it.get_global_id(0)) - static_cast<int>(offset[0]);
         const int x = static_cast<int>(it.get_global_id(1)) - static_cast<int>(offset[1]);
         const int own = static_cast<int>(it.get_group(1) * it.get_local_range(1) + it.get_local_id(1));
         if (x < 37 && x == own && it.get_global_id() == lf::id<2>(it.get_global_id(0), it.get_global_id(1)) &&
             it.get_global_linear_id() == static_cast<std::size_t>(y * 40 + x)) {
           ids[y * 40 + x] = static_cast<int>(it.get_local_linear_id());
         }
       });
     }).wait();
    for (int y = 0; y < 6; ++y) {
      for (int x = 0; x < 40; ++x) {
        ASSERT_EQ(seen[static_cast<std::size_t>(y * 40 + x)], x < 37 ? y % 2 * 8 + x % 8 : -1) << y << ", " << x;
      }
    }
  }
}

/// Threads run parts of groups, which begin in the middle of a row.
TEST_F(guarded_ids, are_right_in_parts_of_groups) {
  const std::size_t count = 2 * 1024;
  std::vector<int> seen(count, -1);
  int* const ids = seen.data();
  for (int time = 0; time < 8; ++time) { // the cost of a launch is learnt
    q.parallel_for(lf::nd_range<1>(count, 1024), [=](lf::nd_item<1> it) {
       const int i = static_cast<int>(it.get_global_id(0));
       float x = static_cast<float>(i);
       for (int k = 0; k < 2000; ++k) {
         x = x * 0.5F + 1.0F;
       }
       if (i < static_cast<int>(count) - 3) {
         ids[i] = i + (x > 100.0F ? 1 : 0) + time;
       }
     }).wait();
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(seen[i], i < count - 3 ? static_cast<int>(i) + time : -1) << i;
    }
  }
}

} // namespace
