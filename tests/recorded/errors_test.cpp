// SPDX-License-Identifier: Apache-2.0
// What cannot be recorded is an error before anything runs.
#include "sanitized.hpp"
#include "testing.hpp"

#include <functional>
#include <optional>

namespace {

using namespace recorded_testing;
using lf::errc;

class recorded_errors : public testing::Test {
protected:
  void SetUp() override { LANEFOLD_NEED_OPENCL(); }
  lf::queue q = gpu::devices().empty() ? lf::queue() : lf::queue(gpu::devices().front());
  std::string text;
};

TEST_F(recorded_errors, work_item_kernels_are_told_to_be_generic) {
  EXPECT_EQ(thrown_by([&] { q.parallel_for(lf::range<1>(4), [](lf::id<1>) {}); }, &text), errc::kernel_not_supported);
  EXPECT_NE(text.find("auto it"), std::string::npos) << text;
  EXPECT_EQ(thrown_by([&] { q.parallel_for(lf::nd_range<1>(4, 4), [](lf::nd_item<1>) {}); }),
            errc::kernel_not_supported);
}

TEST_F(recorded_errors, streams_that_are_not_captured) {
  EXPECT_EQ(thrown_by(
                [&] {
                  q.submit([&](lf::handler& h) {
                    const lf::stream out(1024, 64, h);
                    h.parallel_for(lf::range<1>(4), [&](auto it) { out << it.get_id(0) << lf::endl; });
                  });
                },
                &text),
            errc::kernel);
  EXPECT_NE(text.find("capture it by value"), std::string::npos) << text;
}

TEST_F(recorded_errors, streams_in_the_code_of_a_group) {
  EXPECT_EQ(thrown_by([&] {
              q.submit([&](lf::handler& h) {
                const lf::stream out(1024, 64, h);
                h.parallel(lf::range<1>(2), lf::range<1>(4), [=](auto group) { out << group.get_group_id(0) << "\n"; });
              });
            }),
            errc::kernel);
}

TEST_F(recorded_errors, host_memory) {
  std::vector<float> memory(64);
  const lf::view<float> x(memory.data(), memory.size());
  EXPECT_EQ(thrown_by([&] { q.parallel_for(lf::nd_range<1>(64, 64), [=](auto it) { x[it.get_global_id(0)] = 1.f; }); },
                      &text),
            errc::kernel_argument);
  EXPECT_NE(text.find("malloc_shared"), std::string::npos) << text;
}

TEST_F(recorded_errors, barriers_in_divergent_code) {
  lf::buffer<int> buffer{lf::range<1>(64)};
  const auto with = [&](auto kernel) {
    q.submit([&](lf::handler& h) {
      const lf::accessor y(buffer, h, lf::write_only);
      h.parallel_for(lf::nd_range<1>(64, 32), [=](auto it) { kernel(it, y); });
    });
  };
  EXPECT_EQ(thrown_by(
                [&] {
                  with([](auto it, const auto& y) {
                    it.if_(it.get_local_id(0) < 3, [&] { lf::group_barrier(it.get_group()); });
                    y[it.get_global_id(0)] = 1;
                  });
                },
                &text),
            errc::kernel);
  EXPECT_NE(text.find("divergent"), std::string::npos) << text;
  EXPECT_EQ(thrown_by([&] {
              with([](auto it, const auto& y) {
                it.for_(0, lf::convert<int>(it.get_local_id(0)),
                        [&](auto) { y[it.get_global_id(0)] = lf::reduce_over_group(it.get_group(), 1, lf::plus<>()); });
              });
            }),
            errc::kernel);
  // What all work-items of a group decide alike is not divergent.
  EXPECT_EQ(thrown_by([&] {
              with([](auto it, const auto& y) {
                it.if_(it.get_group(0) == 1U, [&] { lf::group_barrier(it.get_group()); });
                y[it.get_global_id(0)] = 1;
              });
            }),
            errc::success);
}

TEST_F(recorded_errors, loops_that_change_plain_variables) {
#if defined(LANEFOLD_TEST_SANITIZED)
  GTEST_SKIP() << "variables are not on the stack";
#endif
  lf::buffer<int> buffer{lf::range<1>(64)};
  EXPECT_EQ(thrown_by(
                [&] {
                  q.submit([&](lf::handler& h) {
                    const lf::accessor y(buffer, h, lf::write_only);
                    h.parallel_for(lf::nd_range<1>(64, 32), [=](auto it) {
                      int round = 0;
                      auto x = it.var(0);
                      it.while_([&] { return x < 100 && round < 7; },
                                [&] {
                                  ++x;
                                  ++round;
                                });
                      y[it.get_global_id(0)] = x;
                    });
                  });
                },
                &text),
            errc::kernel);
  EXPECT_NE(text.find("it.var"), std::string::npos) << text;
}

TEST_F(recorded_errors, what_a_capture_makes_wrong_is_found_after_it_was_right) {
#if defined(LANEFOLD_TEST_SANITIZED)
  GTEST_SKIP() << "variables are not on the stack";
#endif
  lf::buffer<int> buffer{lf::range<1>(64)};
  const auto changes_in_a_loop = [&](int step) {
    q.submit([&](lf::handler& h) {
      const lf::accessor y(buffer, h, lf::write_only);
      h.parallel_for(lf::nd_range<1>(64, 32), [=](auto it) {
        int round = 0;
        auto x = it.var(0);
        it.for_(0, 5, [&](auto) {
          x += round;
          round += step;
        });
        y[it.get_global_id(0)] = x;
      });
    });
  };
  const auto reads_local_memory = [&](int step) {
    q.submit([&](lf::handler& h) {
      const lf::accessor y(buffer, h, lf::write_only);
      lf::local_accessor<int> tile(32, h);
      h.parallel_for(lf::nd_range<1>(64, 32), [=](auto it) {
        tile[it.get_local_id(0)] = 7;
        lf::group_barrier(it.get_group());
        int plain = 0;
        if (step != 0) {
          plain = tile[0] * step;
        }
        y[it.get_global_id(0)] = tile[it.get_local_id(0)] + plain;
      });
    });
  };
  for (const int step : {1, 0, 1}) {
    const auto expected = step == 0 ? lf::errc::success : lf::errc::kernel;
    EXPECT_EQ(thrown_by([&] { changes_in_a_loop(step); }), expected) << step;
    EXPECT_EQ(thrown_by([&] { reads_local_memory(step); }), expected) << step;
  }
}

TEST_F(recorded_errors, local_memory_in_plain_expressions) {
  lf::buffer<float> buffer{lf::range<1>(64)};
  EXPECT_EQ(thrown_by(
                [&] {
                  q.submit([&](lf::handler& h) {
                    const lf::accessor y(buffer, h, lf::write_only);
                    lf::local_accessor<float> tile(32, h);
                    h.parallel_for(lf::nd_range<1>(64, 32), [=](auto it) {
                      tile[it.get_local_id(0)] = 1.f;
                      lf::group_barrier(it.get_group());
                      y[it.get_global_id(0)] = tile[0] + 1.f;
                    });
                  });
                },
                &text),
            errc::kernel);
  EXPECT_NE(text.find("it.var"), std::string::npos) << text;
}

TEST_F(recorded_errors, loops_that_change_what_they_record) {
  lf::buffer<int> buffer{lf::range<1>(64)};
  EXPECT_EQ(thrown_by([&] {
              q.submit([&](lf::handler& h) {
                const lf::accessor y(buffer, h, lf::write_only);
                h.parallel_for(lf::nd_range<1>(64, 32), [=](auto it) {
                  int round = 0;
                  auto x = it.var(0);
                  it.for_(0, 5, [&](auto) { x += ++round; });
                  y[it.get_global_id(0)] = x;
                });
              });
            }),
            errc::kernel);
}

TEST_F(recorded_errors, ranges_without_work_items_do_nothing) {
  EXPECT_EQ(thrown_by([&] { q.parallel_for(lf::range<1>(0), [](auto) {}).wait_and_throw(); }), errc::success);
  EXPECT_EQ(thrown_by([&] { q.parallel_for(lf::range<2>(4, 0), [](auto) {}).wait_and_throw(); }), errc::success);
}

TEST_F(recorded_errors, too_long_kernels) {
  lf::buffer<int> buffer{lf::range<1>(64)};
  EXPECT_EQ(thrown_by(
                [&] {
                  q.submit([&](lf::handler& h) {
                    const lf::accessor y(buffer, h, lf::write_only);
                    h.parallel_for(lf::nd_range<1>(64, 32), [=](auto it) {
                      auto x = it.var(0);
                      for (int i = 0; i < 1'000'000; ++i) {
                        x += it.get_local_id(0);
                      }
                      y[it.get_global_id(0)] = x;
                    });
                  });
                },
                &text),
            errc::kernel);
  EXPECT_NE(text.find("it.for_"), std::string::npos) << text;
}

TEST_F(recorded_errors, bad_ranges_and_local_accessors_of_ranges) {
  EXPECT_EQ(thrown_by([&] { q.parallel_for(lf::nd_range<1>(64, 48), [](auto) {}); }), errc::nd_range);
  EXPECT_EQ(thrown_by([&] {
              q.submit([&](lf::handler& h) {
                lf::local_accessor<float> tile(32, h);
                h.parallel_for(lf::range<1>(64), [=](auto it) { tile[it.get_id(0)] = 1.f; });
              });
            }),
            errc::kernel_argument);
}

TEST_F(recorded_errors, groups_without_work_items) {
  EXPECT_EQ(thrown_by([&] { q.parallel_for(lf::nd_range<1>(64, 0), [](auto) {}); }), errc::nd_range);
}

/// What `kernel(it, tile, y)` throws on a queue of a device, with local memory and a buffer of integers.
template <class Kernel>
lf::errc thrown_with_local_memory(lf::queue& q, std::size_t local_size, Kernel kernel, std::string* text = nullptr) {
  lf::buffer<int> buffer{lf::range<1>(64)};
  return thrown_by(
      [&] {
        q.submit([&](lf::handler& h) {
          const lf::accessor y(buffer, h, lf::write_only);
          const lf::local_accessor<int> tile(local_size, h);
          h.parallel_for(lf::nd_range<1>(64, 32), [=](auto it) { kernel(it, tile, y); });
        });
        q.wait_and_throw();
      },
      text);
}

TEST_F(recorded_errors, loops_with_a_step_of_0) {
  const auto kernel = [](auto it, const auto&, const auto& y) { it.for_(0, 5, 0, [&](auto i) { y[i] = 1; }); };
  EXPECT_EQ(thrown_with_local_memory(q, 32, kernel, &text), errc::kernel);
  EXPECT_NE(text.find("step is 0"), std::string::npos) << text;
}

TEST_F(recorded_errors, broadcasts_from_beyond_the_group) {
  const auto with = [&](std::size_t from) {
    return thrown_with_local_memory(q, 32, [=](auto it, const auto&, const auto& y) {
      y[it.get_global_id(0)] = lf::group_broadcast(it.get_group(), it.var(4), from);
    });
  };
  EXPECT_EQ(with(31), errc::success);
  EXPECT_EQ(with(32), errc::invalid);
}

template <class It>
auto& kept_variable(const It& it) {
  static std::optional<decltype(it.var(0))> kept;
  return kept;
}

TEST_F(recorded_errors, variables_of_an_earlier_recording) {
  const auto with = [&](bool first) {
    return thrown_with_local_memory(
        q, 32,
        [=](auto it, const auto&, const auto& y) {
          if (first) {
            kept_variable(it).emplace(it.var(5));
          }
          y[it.get_global_id(0)] = *kept_variable(it);
        },
        &text);
  };
  EXPECT_EQ(with(true), errc::success);
  EXPECT_EQ(with(false), errc::kernel);
  EXPECT_NE(text.find("outside of what it was recorded in"), std::string::npos) << text;
}

TEST_F(recorded_errors, what_is_recorded_when_the_kernel_has_been) {
  std::function<void()> later;
  EXPECT_EQ(thrown_with_local_memory(q, 32,
                                     [&](auto it, const auto&, const auto& y) {
                                       auto x = it.var(3);
                                       y[it.get_global_id(0)] = x;
                                       later = [=]() mutable { y[it.get_global_id(0)] = ++x; };
                                     }),
            errc::success);
  EXPECT_EQ(thrown_by(later, &text), errc::kernel);
}

TEST_F(recorded_errors, plain_changes_of_local_memory) {
  const auto zeroed = [](auto it, const auto& tile, const auto& y) {
    tile[0] = 0;
    y[it.get_global_id(0)] = tile[it.get_local_id(0)];
  };
  EXPECT_EQ(thrown_with_local_memory(q, 32, zeroed, &text), errc::kernel);
  EXPECT_NE(text.find("tile[0] = 0"), std::string::npos) << text;
  const auto counted = [](auto it, const auto& tile, const auto& y) {
    lf::atomic_ref(tile[0]).fetch_add(1);
    y[it.get_global_id(0)] = tile[it.get_local_id(0)];
  };
  EXPECT_EQ(thrown_with_local_memory(q, 32, counted), errc::kernel);
}

TEST_F(recorded_errors, local_memory_in_plain_conditions) {
  const auto with = [&](auto condition) {
    return thrown_with_local_memory(q, 32, [=](auto it, const auto& tile, const auto& y) {
      tile[it.get_local_id(0)] = 1;
      lf::group_barrier(it.get_group());
      if (condition(tile[0])) {
        y[it.get_global_id(0)] = 1;
      }
    });
  };
  EXPECT_EQ(with([](int x) { return x != 0; }), errc::kernel);
  EXPECT_EQ(with([](int x) { return x > 0; }), errc::kernel);
  EXPECT_EQ(with([](int x) { return x < 0; }), errc::kernel);
}

TEST_F(recorded_errors, empty_local_accessors_are_none) {
  const auto kernel = [](auto it, const auto&, const auto& y) { y[it.get_global_id(0)] = 1; };
  EXPECT_EQ(thrown_with_local_memory(q, 0, kernel, &text), errc::success) << text;
}

TEST_F(recorded_errors, loops_to_a_variable_that_change_plain_variables) {
#if defined(LANEFOLD_TEST_SANITIZED)
  GTEST_SKIP() << "variables are not on the stack";
#endif
  const auto kernel = [](auto it, const auto&, const auto& y) {
    int round = 0;
    auto last = it.var(5);
    auto x = it.var(0);
    it.for_(0, last, [&](auto) {
      ++x;
      if (++round > 3) {
        ++x;
      }
    });
    y[it.get_global_id(0)] = x;
  };
  EXPECT_EQ(thrown_with_local_memory(q, 32, kernel), errc::kernel);
}

} // namespace
