// SPDX-License-Identifier: Apache-2.0
// Accessors: modes, tags, parts of buffers, iteration, copies, and their wrong use.
#include "thrown.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace lf = lanefold;

namespace {

template <lf::access_mode Mode, lf::target Target = lf::target::device>
using int_accessor = lf::accessor<int, 1, Mode, Target>;

TEST(accessor, tags_say_the_mode) {
  lf::queue q;
  lf::buffer<int> b(lf::range(4));
  q.submit([&](lf::handler& h) {
    static_assert(std::is_same_v<decltype(lf::accessor(b, h)), int_accessor<lf::access_mode::read_write>>);
    static_assert(std::is_same_v<decltype(lf::accessor(b, h, lf::read_only)), int_accessor<lf::access_mode::read>>);
    static_assert(std::is_same_v<decltype(lf::accessor(b, h, lf::write_only, lf::no_init)),
                                 int_accessor<lf::access_mode::write>>);
    static_assert(std::is_same_v<decltype(lf::accessor(b, h, lf::range(2), lf::id(1), lf::read_write)),
                                 int_accessor<lf::access_mode::read_write>>);
    static_assert(std::is_same_v<decltype(lf::accessor(b, h, lf::read_only_host_task)),
                                 int_accessor<lf::access_mode::read, lf::target::host_task>>);
    static_assert(
        std::is_same_v<decltype(lf::accessor(b, lf::range(2), lf::write_only)), int_accessor<lf::access_mode::write>>);
    static_assert(std::is_same_v<decltype(b.get_access(h, lf::read_only)), int_accessor<lf::access_mode::read>>);
    static_assert(
        std::is_same_v<decltype(b.get_access<lf::access::mode::write>(h)), int_accessor<lf::access_mode::write>>);
    static_assert(std::is_same_v<decltype(lf::accessor(b, h, lf::read_only)[0]), const int&>);
    static_assert(std::is_same_v<decltype(lf::accessor(b, h)[0]), int&>);
    static_assert(std::is_same_v<decltype(lf::accessor<const int>(b, h)[0]), const int&>);
  });
  static_assert(
      std::is_same_v<decltype(lf::host_accessor(b, lf::read_only)), lf::host_accessor<int, 1, lf::access_mode::read>>);
  static_assert(
      std::is_same_v<decltype(b.get_host_access(lf::write_only)), lf::host_accessor<int, 1, lf::access_mode::write>>);
  static_assert(std::is_convertible_v<decltype(b.get_access<lf::access::mode::read>()),
                                      lf::host_accessor<int, 1, lf::access_mode::read>>);
  const auto part = b.get_access<lf::access::mode::read>({2}, {1});
  EXPECT_EQ(part.get_range(), lf::range(2));
  EXPECT_EQ(part.get_offset(), lf::id(1));
  EXPECT_EQ(b.get_access<lf::access::mode::read>(lf::range(2)).get_offset(), lf::id(0));
}

TEST(accessor, plain_kernels_and_lanes) {
  constexpr std::size_t n = 1000;
  std::vector<float> a(n);
  std::iota(a.begin(), a.end(), 0.F);
  std::vector<float> lanes(n);
  std::vector<float> items(n);
  lf::queue q;
  {
    lf::buffer in(a);
    lf::buffer out(lanes);
    lf::buffer out2(items);
    q.submit([&](lf::handler& h) {
      lf::accessor x(in, h, lf::read_only);
      lf::accessor y(out, h, lf::write_only);
      h.parallel_for(lf::range(n), [=](auto it) { y[it.get_id()] = x[it.get_id()] * 2.F; });
    });
    q.submit([&](lf::handler& h) {
      lf::accessor x(in, h, lf::read_only);
      lf::accessor y(out2, h, lf::write_only);
      h.parallel_for(lf::nd_range<1>(n, 100),
                     [=](lf::nd_item<1> it) { y[it.get_global_id()] = x[it.get_global_id(0)] * 2.F; });
    });
  }
  EXPECT_EQ(lanes[999], 1998.F);
  EXPECT_EQ(lanes, items);
}

TEST(accessor, part_of_a_buffer) {
  std::vector<int> host(6 * 8);
  std::iota(host.begin(), host.end(), 0);
  lf::queue q;
  {
    lf::buffer<int, 2> b(host.data(), lf::range(6, 8));
    q.submit([&](lf::handler& h) {
      lf::accessor a(b, h, lf::range(2, 3), lf::id(1, 4));
      EXPECT_EQ(a.size(), 6U);
      EXPECT_EQ(a.byte_size(), 24U);
      EXPECT_EQ(a.get_range(), lf::range(2, 3));
      EXPECT_EQ(a.get_offset(), lf::id(1, 4));
      h.parallel_for(a.get_range(), [=](lf::id<2> i) { a[i] = -a[i[0]][i[1]]; });
    });
    lf::host_accessor part(b, lf::range(2, 3), lf::id(1, 4), lf::read_only);
    EXPECT_EQ(std::vector<int>(part.begin(), part.end()), (std::vector<int>{-12, -13, -14, -20, -21, -22}));
    EXPECT_EQ(std::vector<int>(part.rbegin(), part.rend()), (std::vector<int>{-22, -21, -20, -14, -13, -12}));
    EXPECT_EQ(part.end() - part.begin(), 6);
    EXPECT_EQ(part.begin()[4], -21);
    EXPECT_EQ(*(2 + part.cbegin()), -14);
  }
  EXPECT_EQ(host[1 * 8 + 3], 11);
  EXPECT_EQ(host[1 * 8 + 7], 15);
  EXPECT_EQ(host[2 * 8 + 6], -22);
  EXPECT_EQ(host[3 * 8 + 4], 28);
}

TEST(accessor, iterators_sort) {
  std::vector<int> host(5 * 4 * 3);
  std::iota(host.rbegin(), host.rend(), 0);
  lf::buffer<int, 3> b(host.data(), lf::range(5, 4, 3));
  lf::queue q;
  q.submit([&](lf::handler& h) {
    lf::accessor a(b, h, lf::range(5, 2, 2), lf::id(0, 1, 1));
    h.host_task([=] { std::sort(a.begin(), a.end()); });
  });
  lf::host_accessor a(b, lf::range(5, 2, 2), lf::id(0, 1, 1), lf::read_only);
  EXPECT_TRUE(std::is_sorted(a.begin(), a.end()));
  EXPECT_EQ(a[4][1][1], 55);
  EXPECT_EQ(lf::host_accessor(b, lf::read_only)[0][0][0], 59);
}

TEST(accessor, placeholder) {
  lf::queue q;
  lf::buffer<int> b(lf::range(10));
  lf::accessor later(b, lf::write_only, lf::no_init);
  for (int n : {3, 4}) {
    q.submit([&](lf::handler& h) {
      h.require(later);
      h.parallel_for(lf::range(10), [=](lf::id<1> i) { later[i] = n; });
    });
  }
  EXPECT_EQ(lf::host_accessor(b)[9], 4);
  q.fill(later, 8);
  EXPECT_EQ(lf::host_accessor(b)[9], 8);
}

TEST(accessor, copies) {
  std::vector<int> host(40);
  std::iota(host.begin(), host.end(), 0);
  std::vector<int> result(12, -1);
  const auto shared = std::shared_ptr<int[]>(new int[12]());
  lf::queue q;
  lf::buffer<int, 2> b(host.data(), lf::range(5, 8));
  lf::buffer<int, 1> line(lf::range(12));
  q.submit(
      [&](lf::handler& h) { h.copy(lf::accessor(b, h, lf::range(3, 4), lf::id(1, 2), lf::read_only), result.data()); });
  q.wait();
  EXPECT_EQ(result, (std::vector<int>{10, 11, 12, 13, 18, 19, 20, 21, 26, 27, 28, 29}));

  q.submit([&](lf::handler& h) {
    h.copy(lf::accessor(b, h, lf::range(3, 4), lf::id(1, 2), lf::read_only), lf::accessor(line, h, lf::write_only));
  });
  EXPECT_EQ(lf::host_accessor(line)[11], 29);
  std::fill(result.begin(), result.end(), 1000);
  q.submit([&](lf::handler& h) {
    h.copy(result.data(), lf::accessor(b, h, lf::range(4, 3), lf::id(0, 5), lf::write_only));
  });
  {
    lf::host_accessor a(b, lf::read_only);
    EXPECT_EQ(a[0][4], 4);
    EXPECT_EQ(a[3][7], 1000);
    EXPECT_EQ(a[4][5], 37);
  }
  q.copy(lf::accessor(line, lf::read_only), shared.get()).wait();
  EXPECT_EQ(shared[0], 10);
  q.submit([&](lf::handler& h) {
     h.copy(std::shared_ptr<int>(shared, shared.get()), lf::accessor(line, h, lf::range(6), lf::write_only));
   }).wait();
  q.submit([&](lf::handler& h) { h.fill(lf::accessor(b, h, lf::range(2, 2), lf::id(3, 0), lf::write_only), 7); });
  {
    lf::host_accessor a(b, lf::read_only);
    EXPECT_EQ(a[3][0], 7);
    EXPECT_EQ(a[4][1], 7);
    EXPECT_EQ(a[4][2], 34);
  }
  q.update_host(lf::accessor(b, lf::read_only)).wait();
  EXPECT_EQ(host[4 * 8 + 1], 7);
  const auto too_small = [&] {
    q.submit([&](lf::handler& h) { h.copy(lf::accessor(b, h, lf::read_only), lf::accessor(line, h, lf::write_only)); });
  };
  EXPECT_NE(text_thrown_by(too_small, lf::errc::invalid).find("40 elements"), std::string::npos);
}

TEST(accessor, offset_of_a_range) {
  std::vector<int> host(6 * 5, -1);
  lf::queue q;
  {
    lf::buffer<int, 2> b(host.data(), lf::range(6, 5));
    q.submit([&](lf::handler& h) {
      lf::accessor a(b, h);
      h.parallel_for(lf::range(2, 3), lf::id(1, 2), [=](lf::item<2> it) {
        a[it.get_id()] = static_cast<int>(100 + it.get_linear_id() + 10 * it.get_offset()[0]);
      });
    });
    q.submit([&](lf::handler& h) {
      lf::accessor a(b, h);
      h.parallel_for(lf::range(2, 1), lf::id(4, 0), [=](lf::id<2> i) { a[i] = 1; });
    });
    q.submit([&](lf::handler& h) {
      lf::accessor a(b, h);
      h.parallel_for(lf::range(1, 4), lf::id(5, 1), [=](auto it) { a[it.get_id()] = 0; });
    });
  }
  EXPECT_EQ(host[1 * 5 + 2], 110);
  EXPECT_EQ(host[2 * 5 + 4], 115);
  EXPECT_EQ(host[5 * 5 + 0], 1);
  EXPECT_EQ(std::count(host.begin(), host.end(), -1), 30 - 6 - 2 - 4);
  EXPECT_EQ(host[5 * 5 + 4], 0);
}

// ---- wrong use

enum column { first_column, second_column, third_column };

/// Ids and items of one dimension, and enumerators, convert to std::size_t: each of them is an index, in each
/// dimension.
TEST(accessor, indices_that_convert) {
  constexpr std::size_t rows = 4;
  lf::queue q;
  lf::buffer<int, 2> plane(lf::range(rows, 3));
  lf::buffer<int, 3> space(lf::range(2, rows, rows));
  q.submit([&](lf::handler& h) {
    const lf::accessor p(plane, h, lf::write_only, lf::no_init);
    h.parallel_for(lf::range(rows), [=](lf::id<1> row) {
      p[row][0] = static_cast<int>(row);
      p[row][second_column] = 10;
      p[static_cast<std::size_t>(row)][third_column] = 20;
    });
  });
  q.submit([&](lf::handler& h) {
    const lf::accessor p(plane, h, lf::read_only);
    const lf::accessor s(space, h, lf::write_only, lf::no_init);
    const lf::local_accessor<int, 2> tile(lf::range(2, rows), h);
    h.parallel_for(lf::nd_range(lf::range(rows), lf::range(rows)), [=](lf::nd_item<1> it) {
      const lf::id<1> i = it.get_local_id();
      tile[1][i] = p[i][first_column];
      tile[0][rows - 1 - i] = 100 + p[i][0];
      lf::group_barrier(it.get_group());
      for (std::size_t j = 0; j < rows; ++j) {
        s[first_column][i][j] = tile[1][i];
        s[second_column][j][i] = tile[first_column][i];
      }
    });
  });
  q.submit([&](lf::handler& h) {
    const lf::accessor s(space, h);
    h.parallel_for(lf::range(rows), [=](lf::item<1> row) { s[0][row][row] += 1000; });
  });
  const lf::host_accessor p(plane);
  const lf::host_accessor s(space);
  const lf::view<int, 2> seen(&p[first_column][0], lf::range(rows, 3));
  for (std::size_t i = 0; i < rows; ++i) {
    const lf::id<1> row(i);
    EXPECT_EQ(p[i][0], static_cast<int>(i));
    EXPECT_EQ(p[row][second_column], 10);
    EXPECT_EQ(seen[row][third_column], 20);
    for (std::size_t j = 0; j < rows; ++j) {
      EXPECT_EQ(s[0][row][j], static_cast<int>(i) + (i == j ? 1000 : 0));
      EXPECT_EQ(s[second_column][j][row], static_cast<int>(100 + rows - 1 - i));
    }
  }
}

TEST(accessor, not_within_the_buffer) {
  lf::queue q;
  lf::buffer<int, 2> b(lf::range(4, 4));
  const auto outside = [&](lf::range<2> part, lf::id<2> from) {
    return text_thrown_by([&] { q.submit([&](lf::handler& h) { lf::accessor(b, h, part, from); }); },
                          lf::errc::invalid);
  };
  EXPECT_NE(outside({5, 1}, {0, 0}).find("not within"), std::string::npos);
  outside({1, 2}, {0, 3});
  outside({0, 0}, {5, 0});
  text_thrown_by([&] { lf::host_accessor(b, lf::range(4, 5)); }, lf::errc::invalid);
  text_thrown_by([&] { q.submit([&](lf::handler& h) { lf::accessor(b, h, lf::read_only, lf::no_init); }); },
                 lf::errc::invalid);
}

TEST(accessor, of_another_command_is_found_in_the_kernel) {
  lf::queue q;
  lf::buffer<int> b(lf::range(4));
  lf::buffer<int> other(lf::range(4));
  lf::accessor<int> kept;
  q.submit([&](lf::handler& h) {
    kept = lf::accessor(b, h);
    h.single_task([a = kept] { a[0] = 1; });
  });
  const auto captured = [&](lf::handler& h) { h.single_task([a = kept] { a[0] = 2; }); };
  EXPECT_NE(text_thrown_by([&] { q.submit(captured); }, lf::errc::accessor).find("not of its command"),
            std::string::npos);
  text_thrown_by(
      [&] {
        q.submit([&](lf::handler& h) {
          lf::accessor a(other, h);
          captured(h);
        });
      },
      lf::errc::accessor);
  text_thrown_by(
      [&] {
        q.submit([&](lf::handler& h) { // reading is not enough
          lf::accessor a(b, h, lf::read_only);
          captured(h);
        });
      },
      lf::errc::accessor);
  q.submit([&](lf::handler& h) {
    h.require(kept);
    captured(h);
  });
  EXPECT_EQ(lf::host_accessor(b)[0], 2);
}

TEST(accessor, outlives_its_buffer) {
  lf::queue q;
  lf::accessor<int> placeholder;
  {
    lf::buffer<int> b(lf::range(4));
    placeholder = lf::accessor(b);
  }
  const auto late = [&] { q.submit([&](lf::handler& h) { h.require(placeholder); }); };
  EXPECT_NE(text_thrown_by(late, lf::errc::accessor).find("gone"), std::string::npos);
  text_thrown_by([&] { q.submit([&](lf::handler& h) { h.single_task([=] { placeholder[0] = 1; }); }); },
                 lf::errc::accessor);
  text_thrown_by([&] { q.submit([](lf::handler& h) { h.require(lf::accessor<int>()); }); }, lf::errc::accessor);
}

TEST(accessor, no_init_discards_nothing_beside_an_accessor_that_reads) {
  lf::queue q;
  std::vector<int> host{1, 2, 3, 4};
  lf::buffer<int> b(host.data(), lf::range(4));
  q.submit([&](lf::handler& h) {
    const lf::accessor w(b, h, lf::write_only, lf::no_init);
    const lf::accessor r(b, h, lf::read_only);
    h.single_task([=] { w[3] = r[0] + r[1]; });
  });
  const lf::host_accessor after(b, lf::read_only);
  EXPECT_EQ(after[2], 3);
  EXPECT_EQ(after[3], 3);
}

TEST(accessor, conflicts_in_one_command) {
  lf::queue q;
  lf::buffer<int> b(lf::range(8));
  lf::buffer<int> left(b, lf::id(0), lf::range(5));
  lf::buffer<int> right(b, lf::id(3), lf::range(5));
  const auto both = [&](auto make) { q.submit([&](lf::handler& h) { make(h); }); };
  EXPECT_NE(text_thrown_by(
                [&] {
                  both([&](lf::handler& h) {
                    lf::accessor r(left, h, lf::read_only);
                    lf::accessor w(right, h, lf::write_only);
                  });
                },
                lf::errc::accessor)
                .find("overlapping sub-buffers"),
            std::string::npos);
  both([&](lf::handler& h) { // these do not
    lf::accessor r(left, h, lf::read_only);
    lf::accessor s(right, h, lf::read_only);
  });
  both([&](lf::handler& h) {
    lf::accessor r(b, h, lf::read_only);
    lf::accessor w(b, h, lf::write_only);
    h.single_task([=] { w[0] = r[1]; });
  });
  both([&](lf::handler& h) {
    lf::accessor r(b, h, lf::range(4), lf::write_only, lf::no_init);
    lf::accessor w(b, h, lf::range(4), lf::id(4), lf::read_only);
  });
}

// ---- host accessors

TEST(host_accessor, commands_wait_until_it_is_gone) {
  lf::queue q(lf::property::threads(2));
  lf::buffer<int> b(lf::range(1));
  lf::event later;
  {
    lf::host_accessor a(b, lf::write_only);
    a[0] = 1;
    later = q.submit([&](lf::handler& h) {
      lf::accessor x(b, h);
      h.single_task([=] { x[0] *= 10; });
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_NE(later.get_info<lf::info::event::command_execution_status>(), lf::info::event_command_status::complete);
    a[0] = 2;
  }
  later.wait();
  EXPECT_EQ(lf::host_accessor(b)[0], 20);
}

TEST(host_accessor, readers_do_not_wait_for_each_other) {
  lf::queue q;
  lf::buffer<int> b(lf::range(1));
  lf::host_accessor{b}[0] = 3;
  int seen = 0;
  lf::host_accessor a(b, lf::read_only);
  lf::host_accessor second(b, lf::read_only);
  q.submit([&](lf::handler& h) {
     lf::accessor x(b, h, lf::read_only);
     h.single_task([=, &seen] { seen = x[0]; });
   }).wait();
  EXPECT_EQ(seen, 3);
  EXPECT_EQ(second[0], 3);
}

TEST(accessor, elements_may_be_volatile) {
  lf::queue q;
  lf::buffer<volatile int> b(lf::range<1>(4));
  q.submit([&](lf::handler& h) {
    const lf::accessor<volatile int, 1, lf::access_mode::write> out(b, h);
    h.parallel_for(lf::range<1>(4), [=](lf::id<1> i) { out[i] = static_cast<int>(i[0]) + 1; });
  });
  q.submit([&](lf::handler& h) {
    const lf::accessor<volatile int, 1, lf::access_mode::read_write> x(b, h);
    EXPECT_EQ(std::hash<std::remove_cvref_t<decltype(x)>>()(x), std::hash<std::remove_cvref_t<decltype(x)>>()(x));
    h.single_task([=] { x[2] = x[3] + 5; });
  });
  const lf::host_accessor<volatile int, 1> result(b);
  EXPECT_EQ(result[3], 4);
  EXPECT_EQ(result[2], 9);
}

TEST(host_accessor, waiting_for_what_waits_for_it_is_an_error) {
  lf::queue in_order{lf::property::in_order()};
  lf::queue unordered(lf::property::threads(2));
  for (lf::queue* q : {&in_order, &unordered}) {
    lf::buffer<int> b(lf::range(1));
    {
      lf::host_accessor a(b);
      lf::event e = q->submit([&](lf::handler& h) {
        lf::accessor x(b, h);
        h.single_task([=] { x[0] = 4; });
      });
      EXPECT_NE(text_thrown_by([&] { e.wait(); }, lf::errc::invalid).find("host_accessor"), std::string::npos);
      text_thrown_by([&] { q->wait(); }, lf::errc::invalid);
      text_thrown_by([&] { lf::host_accessor again(b); }, lf::errc::invalid);
    }
    q->wait();
    EXPECT_EQ(lf::host_accessor(b)[0], 4);
  }
}

TEST(host_accessor, keeps_the_buffer) {
  lf::host_accessor<int> a;
  EXPECT_TRUE(a.empty());
  {
    lf::buffer<int> b(lf::range(3));
    a = lf::host_accessor(b);
  }
  a[2] = 5;
  EXPECT_EQ(a[2], 5);
}

TEST(host_accessor, not_in_a_host_task) {
  lf::queue q;
  lf::buffer<int> b(lf::range(1));
  q.submit([&](lf::handler& h) { h.host_task([&] { lf::host_accessor a(b); }); });
  EXPECT_NE(text_thrown_by([&] { q.wait(); }, lf::errc::invalid).find("inside a kernel"), std::string::npos);
  lf::host_accessor usable(b);
}

} // namespace
