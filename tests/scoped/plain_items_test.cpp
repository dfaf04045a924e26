// SPDX-License-Identifier: Apache-2.0
/// Hierarchical kernels in plain SYCL form: the memory of their accessors, of local accessors and of private memory is
/// known to be apart where it is, and only there; ids are counted in int where they fit.
#include "disassembly.hpp"
#include "sanitized.hpp"

#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

// Not in an unnamed namespace: the symbols of their kernels are found by these names.
void plain_items_to_disassemble(sycl::queue& q, sycl::buffer<float>& in, sycl::buffer<float>& out) {
  q.submit([&](sycl::handler& h) {
    const sycl::accessor x(in, h, sycl::read_only);
    const sycl::accessor y(out, h, sycl::write_only);
    h.parallel_for_work_group(sycl::range(4), sycl::range(64), [=](sycl::group<1> g) {
      g.parallel_for_work_item([&](sycl::h_item<1> it) {
        const int i = static_cast<int>(it.get_global_id(0));
        float sum = 0;
        for (int k = 0; k < 32; ++k) {
          sum = sum * x[i] + 1.0F;
        }
        y[i] = sum;
      });
    });
  });
}
void plain_tiles_to_disassemble(sycl::queue& q, sycl::buffer<float>& in, sycl::buffer<float>& out) {
  q.submit([&](sycl::handler& h) {
    const sycl::accessor x(in, h, sycl::read_only);
    const sycl::accessor y(out, h, sycl::write_only);
    const sycl::local_accessor<float> tile(sycl::range<1>(64), h);
    h.parallel_for_work_group(sycl::range(4), sycl::range(64), [=](sycl::group<1> g) {
      sycl::private_memory<float> sum(g);
      g.parallel_for_work_item([&](sycl::h_item<1> it) {
        tile[it.get_local_id(0)] = x[it.get_global_id(0)];
        sum(it) = 0;
      });
      g.parallel_for_work_item([&](sycl::h_item<1> it) {
        for (std::size_t k = 0; k < 32; ++k) {
          sum(it) = sum(it) * tile[it.get_local_id(0)] + 1.0F;
        }
      });
      g.parallel_for_work_item([&](sycl::h_item<1> it) { y[it.get_global_id(0)] = sum(it); });
    });
  });
}
void plain_guards_to_disassemble(sycl::queue& q, sycl::buffer<float>& in, sycl::buffer<float>& out) {
  q.submit([&](sycl::handler& h) {
    const sycl::accessor x(in, h, sycl::read_only);
    const sycl::accessor y(out, h, sycl::write_only);
    const int n = static_cast<int>(in.size());
    h.parallel_for_work_group(sycl::range(3), sycl::range(96), [=](sycl::group<1> g) {
      g.parallel_for_work_item([&](sycl::h_item<1> it) {
        const int i = static_cast<int>(g.get_group_id(0) * g.get_local_range(0) + it.get_local_id(0));
        if (i < n) {
          y[i] = x[i] * x[i] + 1.75F;
        }
      });
    });
  });
}

namespace {

using writer = sycl::accessor<int, 1, sycl::access_mode::read_write>;
using reader = sycl::accessor<int, 1, sycl::access_mode::read>;

class plain_items : public testing::Test {
protected:
  static constexpr std::size_t groups = 4, items = 50, count = groups * items;

  void expect_all(int value) {
    const sycl::host_accessor a(elements);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(a[i], value) << i;
    }
  }

  /// Gives each item 22 by a local accessor and a copy of it.
  static void by_two_local_accessors(sycl::handler& h, const writer& to) {
    // Not const: a closure moves only what is not.
    sycl::local_accessor<int> tile(sycl::range<1>(items), h);
    sycl::local_accessor<int> also = tile;
    h.parallel_for_work_group(sycl::range(groups), sycl::range(items), [=](sycl::group<1> g) {
      g.parallel_for_work_item([&](sycl::h_item<1> it) {
        const std::size_t i = it.get_local_id(0);
        tile[i] = 1;
        also[i] += 10;
        tile[i] *= 2;
        to[it.get_global_id()] = tile[i];
      });
    });
  }

  /// Writes by one accessor and reads by another one, which perhaps reaches the same elements.
  static void there_and_back(sycl::handler& h, const writer& to, const reader& from) {
    h.parallel_for_work_group(sycl::range(groups), sycl::range(items), [=](sycl::group<1> g) {
      g.parallel_for_work_item([&](sycl::h_item<1> it) {
        const std::size_t i = it.get_global_id(0);
        to[i] = 3;
        const int seen = from[i];
        to[i] = seen + 1;
        for (int k = 0; k < 5; ++k) {
          to[i] += from[i];
        }
      });
    });
  }

  static void expect_vectorised(void (*run)(sycl::queue&, sycl::buffer<float>&, sycl::buffer<float>&),
                                [[maybe_unused]] std::string_view name) {
    sycl::queue q;
    sycl::buffer<float> in(sycl::range(256)), out(sycl::range(256));
    {
      const sycl::host_accessor x(in);
      std::fill(x.begin(), x.end(), 0.5F);
    }
    run(q, in, out);
    const sycl::host_accessor y(out);
    for (const float each : y) {
      ASSERT_NEAR(each, 2.0F, 1e-5F);
    }
// clang vectorises no loop that has another one inside.
#if defined(__x86_64__) && !defined(LANEFOLD_TEST_SANITIZED) && !defined(LANEFOLD_CHECKED) && !defined(__clang__)
    disassembly::expect_vectorised(name, "run_groups_flat", disassembly::multiplies_or_adds_floats);
#endif
  }

  sycl::queue q{sycl::property_list{lanefold::property::threads(2)}};
  sycl::buffer<int> elements{sycl::range(count)};
  sycl::buffer<int> others{sycl::range(count)};
};

TEST_F(plain_items, with_loops_are_vectorised) {
  expect_vectorised(plain_items_to_disassemble, "plain_items_to_disassemble");
}
TEST_F(plain_items, with_tiles_and_private_memory_are_vectorised) {
  expect_vectorised(plain_tiles_to_disassemble, "plain_tiles_to_disassemble");
}

TEST_F(plain_items, with_ids_that_programs_compute_and_guards_are_vectorised) {
  expect_vectorised(plain_guards_to_disassemble, "plain_guards_to_disassemble");
}

TEST_F(plain_items, see_what_another_accessor_of_the_buffer_writes) {
  q.submit([&](sycl::handler& h) {
    const writer to(elements, h);
    const reader from(elements, h);
    there_and_back(h, to, from);
  });
  expect_all(4 * 32);
}

TEST_F(plain_items, of_many_launches_of_one_kernel_that_are_apart_or_not) {
  {
    const sycl::host_accessor a(others);
    std::fill(a.begin(), a.end(), 1);
  }
  for (int time = 0; time < 40; ++time) {
    q.submit([&](sycl::handler& h) {
      const writer to(elements, h);
      const reader from(time % 3 == 0 ? elements : others, h);
      there_and_back(h, to, from);
    });
    if (time > 35) {
      expect_all(time % 3 == 0 ? 4 * 32 : 2 + 5);
    }
  }
}

TEST_F(plain_items, see_what_the_same_accessor_in_a_function_object_writes) {
  q.submit([&](sycl::handler& h) {
    writer one(elements, h); // not const: a closure moves only what is not
    auto also = [one](std::size_t i) { one[i] += 10; };
    h.parallel_for_work_group(sycl::range(groups), sycl::range(items), [=](sycl::group<1> g) {
      g.parallel_for_work_item([&](sycl::h_item<1> it) {
        const std::size_t i = it.get_global_id(0);
        one[i] = 1;
        also(i);
        one[i] *= 2;
        also(i);
      });
    });
  });
  expect_all(32);
}

TEST_F(plain_items, see_what_a_copy_of_a_local_accessor_writes) {
  q.submit([&](sycl::handler& h) { by_two_local_accessors(h, writer(elements, h)); });
  expect_all(22);
}

TEST_F(plain_items, of_a_command_that_a_kernel_submits_see_what_a_copy_writes) {
  sycl::queue inner;
  q.submit([&](sycl::handler& outer) {
    const sycl::local_accessor<int> own(sycl::range<1>(items), outer); // of the kernel that submits
    outer.parallel_for_work_group(sycl::range(1), sycl::range(1), [=, this, &inner](sycl::group<1>) {
      own[0] = 1;
      inner.submit([&](sycl::handler& h) { by_two_local_accessors(h, writer(elements, h)); });
    });
  });
  q.wait_and_throw();
  inner.wait_and_throw();
  expect_all(22);
}

TEST_F(plain_items, that_capture_by_value_see_the_same_local_memory) {
  q.submit([&](sycl::handler& h) {
    const writer to(elements, h);
    const sycl::local_accessor<int> tile(sycl::range<1>(items), h);
    h.parallel_for_work_group(sycl::range(groups), sycl::range(items), [=](sycl::group<1> g) {
      g.parallel_for_work_item([=](sycl::h_item<1> it) { tile[it.get_local_id(0)] = 7; });
      g.parallel_for_work_item([&](sycl::h_item<1> it) { tile[items - 1 - it.get_local_id(0)] *= 3; });
      g.parallel_for_work_item([=](sycl::h_item<1> it) { to[it.get_global_id()] = tile[it.get_local_id()]; });
    });
  });
  expect_all(21);
}

TEST_F(plain_items, may_use_pointers_that_meet) {
  int* const p = sycl::malloc_shared<int>(count, q);
  int* const also = p;
  q.submit([&](sycl::handler& h) {
     h.parallel_for_work_group(sycl::range(groups), sycl::range(items), [=](sycl::group<1> g) {
       g.parallel_for_work_item([&](sycl::h_item<1> it) {
         const int i = static_cast<int>(it.get_global_id(0));
         p[i] = i;
         for (int k = 0; k < 4; ++k) {
           also[i] += p[i];
           p[i] += also[i];
         }
       });
     });
   }).wait();
  for (int i = 0; i < static_cast<int>(count); ++i) {
    ASSERT_EQ(p[i], 256 * i);
  }
  sycl::free(p, q);
}

void add(writer to, writer from, std::size_t i) {
  for (int k = 0; k < 4; ++k) {
    to[i] += from[i];
  }
}
writer same(writer a) { return a; }

TEST_F(plain_items, may_give_one_accessor_to_functions_twice_and_keep_pointers) {
  q.submit([&](sycl::handler& h) {
    const writer one(elements, h);
    const writer other(others, h);
    h.parallel_for_work_group(sycl::range(groups), sycl::range(items), [=](sycl::group<1> g) {
      int* const first = &one[g.get_group_id(0) * items];
      g.parallel_for_work_item([&](sycl::h_item<1> it) {
        const std::size_t i = it.get_global_id(0);
        one[i] = 1;
        add(one, one, i); // 16
        other[i] = first[it.get_local_id(0)];
        add(one, other, i); // 80
        const writer moved = same(one);
        moved[i] += 4;
        first[it.get_local_id(0)] *= 2;
        one[i] += moved[i];
      });
    });
  });
  expect_all(336);
}

TEST_F(plain_items, may_share_an_element_by_atomics) {
  q.submit([&](sycl::handler& h) {
    const writer to(elements, h);
    h.parallel_for_work_group(sycl::range(groups), sycl::range(items), [=](sycl::group<1> g) {
      g.parallel_for_work_item([&](sycl::h_item<1> it) { to[it.get_global_id()] = 0; });
    });
  });
  q.submit([&](sycl::handler& h) {
    const writer to(elements, h);
    h.parallel_for_work_group(sycl::range(groups), sycl::range(items), [=](sycl::group<1> g) {
      g.parallel_for_work_item([&](sycl::h_item<1> it) {
        for (int k = 0; k < 3; ++k) {
          sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(to[k]) +=
              static_cast<int>(it.get_local_id(0)) + k;
        }
      });
    });
  });
  const sycl::host_accessor a(elements);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(a[k], static_cast<int>(groups * (items * (items - 1) / 2 + static_cast<std::size_t>(k) * items)));
  }
}

TEST_F(plain_items, share_arrays_of_the_group_and_keep_private_memory) {
  q.submit([&](sycl::handler& h) {
    const writer to(elements, h);
    h.parallel_for_work_group(sycl::range(groups), sycl::range(items), [=](sycl::group<1> g) {
      int tile[items + 1];
      int total = 0;
      for (int round = 0; round < 2; ++round) {
        sycl::private_memory<int> sum(g), last(g); // they take the memory that those of the round before had
        g.parallel_for_work_item([&](sycl::h_item<1> it) {
          tile[it.get_local_id(0)] = static_cast<int>(it.get_local_id(0)) + round;
          sum(it) = 0;
          last(it) = round;
        });
        tile[items] = round;
        g.parallel_for_work_item([&](sycl::h_item<1> it) {
          int own[4] = {};
          for (int k = 0; k < 8; ++k) {
            own[(k + tile[it.get_local_id(0)]) & 3] += tile[it.get_local_id(0) + 1] + k;
          }
          for (const int each : own) {
            sum(it) += each;
          }
        });
        g.parallel_for_work_item([&](sycl::h_item<1> it) { to[it.get_global_id()] = sum(it) + last(it) + total; });
        total = to[g.get_group_id(0) * items];
      }
    });
  });
  const sycl::host_accessor a(elements);
  for (std::size_t i = 0; i < count; ++i) {
    const int l = static_cast<int>(i % items);
    const int next = l + 1 == static_cast<int>(items) ? 1 : l + 2;
    ASSERT_EQ(a[i], 8 * next + 28 + 1 + (8 + 28)) << i;
  }
}

TEST_F(plain_items, have_their_ids_in_logical_ranges_of_all_sizes) {
  for (const sycl::range<3> logical : {sycl::range<3>(1, 2, 5), sycl::range<3>(2, 3, 4), sycl::range<3>(3, 1, 9)}) {
    const sycl::range<3> physical(2, 2, 5), all(2 * logical[0], logical[1], 2 * logical[2]);
    std::vector<int> seen(all.size(), -1);
    int* const to = seen.data();
    q.submit([&](sycl::handler& h) {
       h.parallel_for_work_group(sycl::range<3>(2, 1, 2), physical, [=](sycl::group<3> g) {
         g.parallel_for_work_item(logical, [&](sycl::h_item<3> it) {
           const sycl::id<3> l = it.get_logical_local_id();
           const std::size_t z = g[0] * logical[0] + l[0], x = g[2] * logical[2] + l[2];
           const sycl::id<3> global = it.get_global_id();
           const bool right = it.get_physical_local_id() == l % sycl::id<3>(physical) &&
                              global == sycl::id<3>(g.get_id()) * sycl::id<3>(physical) + it.get_physical_local_id() &&
                              global[2] == it.get_global_id(2);
           to[(z * all[1] + l[1]) * all[2] + x] = right ? 1 : 0;
         });
       });
     }).wait();
    EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int x) { return x == 1; })) << logical[2];
  }
}

TEST_F(plain_items, have_ids_beyond_int) {
  constexpr std::size_t largest = 8192, last = (std::size_t{1} << 31) / largest;
  std::size_t seen = 0;
  std::size_t* const to = &seen;
  q.submit([&](sycl::handler& h) {
     h.parallel_for_work_group(sycl::range(last + 1), sycl::range(largest), [=](sycl::group<1> g) {
       if (g[0] == last) {
         g.parallel_for_work_item(sycl::range(2), [&](sycl::h_item<1> it) {
           if (it.get_local_id(0) == 1) {
             *to = it.get_global_id(0);
           }
         });
       }
     });
   }).wait();
  EXPECT_EQ(seen, (std::size_t{1} << 31) + 1);
}

TEST_F(plain_items, are_none_in_an_empty_range_beyond_int) {
  bool any = false;
  bool* const to = &any;
  q.submit([&](sycl::handler& h) {
     h.parallel_for_work_group(sycl::range<2>(2, 1), [=](sycl::group<2> g) {
       g.parallel_for_work_item(sycl::range<2>(0, std::size_t{1} << 32), [&](sycl::h_item<2>) { *to = true; });
     });
   }).wait();
  EXPECT_FALSE(any);
}

} // namespace
