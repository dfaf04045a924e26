// SPDX-License-Identifier: Apache-2.0
// Launches that are known by what their kernels have captured are not recorded again, and what changes is seen.
#include "sanitized.hpp"
#include "testing.hpp"

#include <atomic>
#include <memory>
#include <thread>

namespace {

using namespace recorded_testing;

constexpr std::size_t items = 32;
constexpr int many = 40;

std::atomic<int> recordings{0};
float changing = 1;

/// y[i] = factor * x[i] + factor, by way of local memory and of a loop; counts how often it is called.
template <class X, class Y>
struct counted {
  X x;
  Y y;
  lf::local_accessor<float> tile;
  lf::local_accessor<float, 2> other;
  float factor;

  template <class Item>
  void operator()(const Item& it) const {
    ++recordings;
    const auto i = it.get_global_id(0);
    const auto l = it.get_local_id(0);
    tile[l] = x[i];
    other[l][1] = x[i];
    lf::group_barrier(it.get_group());
    auto sum = it.var(factor);
    it.for_(0, 2, [&](auto) { sum += (tile[l] + other[l][1]) * (factor / 4); });
    y[i] = sum;
  }
};

/// Both buffers have `items` elements; those of the first one are 1, 2, …
struct data {
  lf::buffer<float> x{lf::range<1>(items)}, y{lf::range<1>(items)};
  data() {
    const lf::host_accessor to(x, lf::write_only, lf::no_init);
    for (std::size_t i = 0; i < items; ++i) {
      to[i] = static_cast<float>(i + 1);
    }
  }
  void expect(float factor, float sum, const char* what) {
    const lf::host_accessor from(y, lf::read_only);
    for (std::size_t i = 0; i < items; ++i) {
      ASSERT_EQ(from[i], factor * static_cast<float>(i + 1) + sum) << what << ", element " << i;
    }
  }
};

void submit_counted(lf::queue& q, data& d, float factor) {
  q.submit([&](lf::handler& h) {
    const lf::accessor x(d.x, h, lf::read_only);
    const lf::accessor y(d.y, h, lf::write_only, lf::no_init);
    const lf::local_accessor<float> tile(items, h);
    const lf::local_accessor<float, 2> other({items, 2}, h);
    h.parallel_for(lf::nd_range<1>(items, items), counted<decltype(x), decltype(y)>{x, y, tile, other, factor});
  });
}

/// Submits `kernel(x, y)` over a range.
template <class Kernel>
void submit(lf::queue& q, data& d, Kernel kernel) {
  q.submit([&](lf::handler& h) {
    const lf::accessor x(d.x, h, lf::read_only);
    const lf::accessor y(d.y, h, lf::write_only, lf::no_init);
    h.parallel_for(lf::range<1>(items), kernel(x, y));
  });
}

template <class Test>
void on_all_devices(Test test) {
  for (const gpu::device& device : gpu::devices()) {
    SCOPED_TRACE(device.get_platform_name());
    test(lf::queue(device, lf::property::queue::in_order()));
  }
}

TEST(recorded_known_launches, are_not_recorded_again) {
  LANEFOLD_NEED_OPENCL();
  on_all_devices([](lf::queue q) {
    data d;
    submit_counted(q, d, 2);
    submit_counted(q, d, 2);
    const int before = recordings;
    for (int i = 0; i < many; ++i) {
      submit_counted(q, d, 2);
    }
    d.expect(2, 2, "known");
    if (lf::detail::checked_build) {
      EXPECT_GE(recordings - before, many);
    } else {
#if !defined(LANEFOLD_TEST_SANITIZED) // whose shadow memory makes numbers look like pointers: all are recorded
      EXPECT_LT(recordings - before, many / 4); // some are compared
#endif
    }
  });
}

TEST(recorded_known_launches, see_captured_numbers_and_buffers) {
  LANEFOLD_NEED_OPENCL();
  on_all_devices([](lf::queue q) {
    data first, second;
    for (int i = 0; i < many; ++i) {
      const auto factor = static_cast<float>(i / 8 + 1);
      data& d = i % 3 == 0 ? first : second;
      submit_counted(q, d, factor);
      d.expect(factor, factor, "number");
    }
  });
}

TEST(recorded_known_launches, see_uniform_numbers) {
  LANEFOLD_NEED_OPENCL();
  on_all_devices([](lf::queue q) {
    data d;
    for (int i = 0; i < many; ++i) {
      const lf::uniform<float> factor(static_cast<float>(i / 8));
      submit(q, d, [&](const auto& x, const auto& y) { return [=](auto it) { y[it] = x[it] * factor.get(); }; });
      d.expect(factor.get(), 0, "uniform");
    }
  });
}

TEST(recorded_known_launches, see_elements_of_buffers_that_are_read_plainly) {
  LANEFOLD_NEED_OPENCL();
  on_all_devices([](lf::queue q) {
    data d;
    for (int i = 0; i < many; ++i) {
      const auto first = static_cast<float>(i / 8 + 1);
      if (i % 8 == 0) {
        const lf::host_accessor to(d.x, lf::read_write);
        to[0] = first;
      }
      submit(q, d, [&](const auto& x, const auto& y) {
        return [=](auto it) {
          const float plain = x[0] + 1;
          y[it] = x[it] * 0.f + plain;
        };
      });
      const lf::host_accessor from(d.y, lf::read_only);
      ASSERT_EQ(from[1], first + 1) << i;
    }
  });
}

TEST(recorded_known_launches, see_memory_of_the_host) {
  LANEFOLD_NEED_OPENCL();
  on_all_devices([](lf::queue q) {
    data d;
    const auto table = std::make_unique<float[]>(2);
    const float* const memory = table.get();
    float by_reference = 0;
    for (int i = 0; i < many; ++i) {
      table[1] = by_reference = changing = static_cast<float>(i / 8 + 1);
      submit(q, d, [&](const auto& x, const auto& y) {
        return [=](auto it) {
          const float plain = 2 * memory[1];
          y[it] = x[it] * plain;
        };
      });
      d.expect(2 * table[1], 0, "pointer");
      submit(q, d, [&](const auto& x, const auto& y) {
        return [=, &by_reference](auto it) {
          const float plain = 2 * by_reference;
          y[it] = x[it] * plain;
        };
      });
      d.expect(2 * by_reference, 0, "reference");
      submit(q, d, [&](const auto& x, const auto& y) { return [=](auto it) { y[it] = x[it] * changing; }; });
      d.expect(changing, 0, "global");
    }
  });
}

TEST(recorded_known_launches, see_shared_memory) {
  LANEFOLD_NEED_OPENCL();
  on_all_devices([](lf::queue q) {
    if (!q.get_device().has(lf::aspect::usm_shared_allocations)) {
      return;
    }
    data d;
    float* const shared = lf::malloc_shared<float>(1, q);
    for (int i = 0; i < many; ++i) {
      *shared = static_cast<float>(i / 8);
      submit(q, d, [&](const auto& x, const auto& y) {
        return [=](auto it) {
          const float plain = *shared + 1;
          y[it] = x[it] * plain;
        };
      });
      d.expect(*shared + 1, 0, "shared");
    }
    lf::free(shared, q);
  });
}

TEST(recorded_known_launches, forget_memory_that_was_freed) {
  LANEFOLD_NEED_OPENCL();
  on_all_devices([](lf::queue q) {
    if (!q.get_device().has(lf::aspect::usm_device_allocations)) {
      return;
    }
    float* const memory = lf::malloc_device<float>(items, q);
    const lf::view<float> y(memory, items);
    const auto launch = [&] { q.parallel_for(lf::range<1>(items), [=](auto it) { y[it.get_id(0)] = 1.f; }); };
    for (int i = 0; i < 7; ++i) { // the eighth is one that is not compared
      launch();
    }
    q.wait();
    lf::free(memory, q);
    EXPECT_EQ(code_thrown_by(launch), lf::errc::kernel_argument);
  });
}

TEST(recorded_known_launches, a_global_variable_that_changes_is_an_error) {
  LANEFOLD_NEED_OPENCL();
#if defined(LANEFOLD_TEST_SANITIZED)
  GTEST_SKIP() << "with shadow memory all launches are recorded, and see what changes";
#endif
  for (const gpu::device& device : gpu::devices()) {
    lf::queue q(device);
    data d;
    changing = 1;
    const auto launch = [&] {
      submit(q, d, [&](const auto& x, const auto& y) {
        return [=](auto it) {
          const float plain = 2 * changing;
          y[it] = x[it] * plain;
        };
      });
    };
    for (int i = 0; i < 8; ++i) {
      launch();
    }
    changing = 2;
    std::string text;
    lf::errc found = lf::errc::success;
    for (int i = 0; i < 16 && found == lf::errc::success; ++i) {
      found = code_thrown_by(launch, &text);
    }
    EXPECT_EQ(found, lf::errc::kernel);
    EXPECT_NE(text.find("has not captured"), std::string::npos) << text;
    launch(); // from now on it is always recorded
    d.expect(4, 0, "behind the error");
    changing = 3;
    launch();
    d.expect(6, 0, "recorded each time");
    return; // the next device has the same kernel, which is recorded each time now
  }
}

TEST(recorded_known_launches, of_many_threads) {
  LANEFOLD_NEED_OPENCL();
  on_all_devices([](const lf::queue& q) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        lf::queue mine = q;
        data d;
        for (int i = 0; i < many; ++i) {
          submit_counted(mine, d, static_cast<float>(t));
        }
        d.expect(static_cast<float>(t), static_cast<float>(t), "thread");
      });
    }
    for (std::thread& each : threads) {
      each.join();
    }
  });
}

} // namespace
