// SPDX-License-Identifier: Apache-2.0
// What cannot be recorded is an error before anything runs.
#include "sanitized.hpp"
#include "testing.hpp"

#include <functional>
#include <optional>
#include <stdexcept>

namespace {

using namespace recorded_testing;
using lf::errc;

class recorded_errors : public testing::Test {
protected:
  void SetUp() override { LANEFOLD_NEED_OPENCL(); }
  lf::queue q = gpu::devices().empty() ? lf::queue() : lf::queue(gpu::devices().front());
  std::string text;
};

/// Keeps the compiler from making code for all strategies of the CPU, which these tests do not run.
constexpr lf::property::strategy<lf::simd<8>> one_strategy;

TEST_F(recorded_errors, work_item_kernels_are_told_to_be_generic) {
  EXPECT_EQ(code_thrown_by([&] { q.parallel_for(lf::range<1>(4), [](lf::id<1>) {}); }, &text),
            errc::kernel_not_supported);
  EXPECT_NE(text.find("auto it"), std::string::npos) << text;
  EXPECT_EQ(code_thrown_by([&] { q.parallel_for(lf::nd_range<1>(4, 4), [](lf::nd_item<1>) {}); }),
            errc::kernel_not_supported);
}

TEST_F(recorded_errors, streams_that_are_not_captured) {
  EXPECT_EQ(code_thrown_by(
                [&] {
                  q.submit([&](lf::handler& h) {
                    const lf::stream out(1024, 64, h);
                    h.parallel_for(lf::range<1>(4), one_strategy, [&](auto it) { out << it.get_id(0) << lf::endl; });
                  });
                },
                &text),
            errc::kernel);
  EXPECT_NE(text.find("capture it by value"), std::string::npos) << text;
}

TEST_F(recorded_errors, streams_in_the_code_of_a_group) {
  EXPECT_EQ(code_thrown_by([&] {
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
  EXPECT_EQ(
      code_thrown_by([&] { q.parallel_for(lf::nd_range<1>(64, 64), [=](auto it) { x[it.get_global_id(0)] = 1.f; }); },
                     &text),
      errc::kernel_argument);
  EXPECT_NE(text.find("malloc_shared"), std::string::npos) << text;
}

TEST_F(recorded_errors, exceptions_of_the_program_name_the_kernel) {
  const auto thrown = [&](const auto& what) {
    return code_thrown_by(
        [&] { q.parallel_for<class throwing>(lf::range<1>(4), one_strategy, [=](auto) { throw what; }); }, &text);
  };
  EXPECT_EQ(thrown(std::runtime_error("out of luck")), errc::kernel);
  EXPECT_NE(text.find("throwing"), std::string::npos) << text;
  EXPECT_NE(text.find("out of luck"), std::string::npos) << text;
  EXPECT_EQ(thrown(7), errc::kernel);
  EXPECT_NE(text.find("an exception of unknown type"), std::string::npos) << text;
}

struct of_a_named_class {
  lf::accessor<int> y;

  template <class Group>
  void operator()(const Group& group) const {
    lf::memory_environment(group, lf::require_local_mem<int[1'000'000]>(), [&](auto& memory) {
      lf::distribute_items_and_wait(group, [&](auto it) { memory[it.get_local_id(group, 0)] = 1; });
      lf::distribute_items(group, [&](auto it) { y[it.get_global_id(0)] = memory[7U - it.get_local_id(group, 0)]; });
    });
  }
};

TEST_F(recorded_errors, kernels_without_a_name_are_called_by_their_type) {
  lf::buffer<int> buffer{lf::range<1>(8)};
  const auto launch = [&] {
    q.submit([&](lf::handler& h) {
      h.parallel(lf::range<1>(1), lf::range<1>(8), of_a_named_class{lf::accessor<int>(buffer, h)});
    });
  };
  EXPECT_EQ(code_thrown_by(launch, &text), errc::memory_allocation);
  EXPECT_NE(text.find("of_a_named_class'"), std::string::npos) << text;
}

TEST_F(recorded_errors, barriers_in_divergent_code) {
  lf::buffer<int> buffer{lf::range<1>(64)};
  const auto with = [&](auto kernel) {
    q.submit([&](lf::handler& h) {
      const lf::accessor y(buffer, h, lf::write_only);
      h.parallel_for(lf::nd_range<1>(64, 32), one_strategy, [=](auto it) { kernel(it, y); });
    });
  };
  EXPECT_EQ(code_thrown_by(
                [&] {
                  with([](auto it, const auto& y) {
                    it.if_(it.get_local_id(0) < 3, [&] { lf::group_barrier(it.get_group()); });
                    y[it.get_global_id(0)] = 1;
                  });
                },
                &text),
            errc::kernel);
  EXPECT_NE(text.find("divergent"), std::string::npos) << text;
  EXPECT_EQ(code_thrown_by([&] {
              with([](auto it, const auto& y) {
                it.for_(0, lf::convert<int>(it.get_local_id(0)),
                        [&](auto) { y[it.get_global_id(0)] = lf::reduce_over_group(it.get_group(), 1, lf::plus<>()); });
              });
            }),
            errc::kernel);
  // What all work-items of a group decide alike is not divergent.
  EXPECT_EQ(code_thrown_by([&] {
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
  EXPECT_EQ(code_thrown_by(
                [&] {
                  q.submit([&](lf::handler& h) {
                    const lf::accessor y(buffer, h, lf::write_only);
                    h.parallel_for(lf::nd_range<1>(64, 32), one_strategy, [=](auto it) {
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
      h.parallel_for(lf::nd_range<1>(64, 32), one_strategy, [=](auto it) {
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
      h.parallel_for(lf::nd_range<1>(64, 32), one_strategy, [=](auto it) {
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
    EXPECT_EQ(code_thrown_by([&] { changes_in_a_loop(step); }), expected) << step;
    EXPECT_EQ(code_thrown_by([&] { reads_local_memory(step); }), expected) << step;
  }
}

TEST_F(recorded_errors, local_memory_in_plain_expressions) {
  lf::buffer<float> buffer{lf::range<1>(64)};
  EXPECT_EQ(code_thrown_by(
                [&] {
                  q.submit([&](lf::handler& h) {
                    const lf::accessor y(buffer, h, lf::write_only);
                    lf::local_accessor<float> tile(32, h);
                    h.parallel_for(lf::nd_range<1>(64, 32), one_strategy, [=](auto it) {
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
  EXPECT_EQ(code_thrown_by([&] {
              q.submit([&](lf::handler& h) {
                const lf::accessor y(buffer, h, lf::write_only);
                h.parallel_for(lf::nd_range<1>(64, 32), one_strategy, [=](auto it) {
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
  EXPECT_EQ(code_thrown_by([&] { q.parallel_for(lf::range<1>(0), [](auto) {}).wait_and_throw(); }), errc::success);
  EXPECT_EQ(code_thrown_by([&] { q.parallel_for(lf::range<2>(4, 0), [](auto) {}).wait_and_throw(); }), errc::success);
}

TEST_F(recorded_errors, too_long_kernels) {
  lf::buffer<int> buffer{lf::range<1>(64)};
  EXPECT_EQ(code_thrown_by(
                [&] {
                  q.submit([&](lf::handler& h) {
                    const lf::accessor y(buffer, h, lf::write_only);
                    h.parallel_for(lf::nd_range<1>(64, 32), one_strategy, [=](auto it) {
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
  EXPECT_EQ(code_thrown_by([&] { q.parallel_for(lf::nd_range<1>(64, 48), [](auto) {}); }), errc::nd_range);
  EXPECT_EQ(code_thrown_by([&] {
              q.submit([&](lf::handler& h) {
                lf::local_accessor<float> tile(32, h);
                h.parallel_for(lf::range<1>(64), one_strategy, [=](auto it) { tile[it.get_id(0)] = 1.f; });
              });
            }),
            errc::kernel_argument);
}

TEST_F(recorded_errors, groups_without_work_items) {
  EXPECT_EQ(code_thrown_by([&] { q.parallel_for(lf::nd_range<1>(64, 0), [](auto) {}); }), errc::nd_range);
}

/// What `kernel(it, tile, y)` throws on a queue of a device, with local memory and a buffer of integers.
template <class Kernel>
lf::errc thrown_with_local_memory(lf::queue& q, std::size_t local_size, Kernel kernel, std::string* text = nullptr) {
  lf::buffer<int> buffer{lf::range<1>(64)};
  return code_thrown_by(
      [&] {
        q.submit([&](lf::handler& h) {
          const lf::accessor y(buffer, h, lf::write_only);
          const lf::local_accessor<int> tile(local_size, h);
          h.parallel_for(lf::nd_range<1>(64, 32), one_strategy, [=](auto it) { kernel(it, tile, y); });
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

TEST_F(recorded_errors, joint_algorithms_over_ranges_that_end_before_they_begin) {
  EXPECT_EQ(thrown_with_local_memory(
                q, 32,
                [](auto it, const auto&, const auto& y) {
                  y[it.get_global_id(0)] = lf::joint_reduce(it.get_group(), &y[5], &y[0], lf::plus<>());
                },
                &text),
            errc::invalid);
  EXPECT_NE(text.find("5 elements before it begins"), std::string::npos) << text;
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
  EXPECT_EQ(code_thrown_by(later, &text), errc::kernel);
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

template <class Item>
inline constexpr bool is_recorded = std::is_same_v<Item, lf::nd_item<1, lf::recorded>>;

/// `use(item, y, block)` makes something in a block and uses it behind, which is refused for each kind of block.
template <class Use>
void expect_refused_behind_a_block(lf::queue& q, const char* what, Use use) {
  std::string text;
  const auto if_ = [](auto& it, auto body) { it.if_(it.get_local_id(0) == 1U, body); };
  const auto else_ = [](auto& it, auto body) { it.if_(it.get_local_id(0) == 1U, [] {}, body); };
  const auto for_ = [](auto& it, auto body) { it.for_(0, 3, [&](auto) { body(); }); };
  const auto while_ = [](auto& it, auto body) {
    auto rounds = it.var(0);
    it.while_([&] { return rounds < 3; },
              [&] {
                ++rounds;
                body();
              });
  };
  const auto in = [&](const char* block_name, auto block) {
    text.clear();
    const auto kernel = [=](auto it, const auto&, const auto& y) {
      if constexpr (is_recorded<decltype(it)>) {
        use(it, y, block);
      }
    };
    EXPECT_EQ(thrown_with_local_memory(q, 32, kernel, &text), errc::kernel) << what << ", " << block_name;
    EXPECT_NE(text.find("behind the block"), std::string::npos) << what << ", " << block_name << ": " << text;
    EXPECT_EQ(text.find("kernel '"), 0U) << text;
  };
  in("if_", if_);
  in("else", else_);
  in("for_", for_);
  in("while_", while_);
}

TEST_F(recorded_errors, what_a_block_made_behind_it) {
  expect_refused_behind_a_block(q, "variable", [](auto it, const auto& y, auto block) {
    std::optional<decltype(it.var(0))> kept;
    block(it, [&] { kept.emplace(it.var(7)); });
    y[it.get_global_id(0)] = *kept;
  });
  expect_refused_behind_a_block(q, "assigned variable", [](auto it, const auto& y, auto block) {
    std::optional<decltype(it.var(0))> kept;
    block(it, [&] { kept.emplace(it.var(7)); });
    auto other = it.var(1); // has the number that the loop's second recording gave to another one
    *kept = 5;
    y[it.get_global_id(0)] = other;
  });
  expect_refused_behind_a_block(q, "value", [](auto it, const auto& y, auto block) {
    const auto i = it.get_local_id(0);
    std::optional<lf::recorded_value<std::size_t>> kept;
    block(it, [&] { kept.emplace(i + 3U); });
    y[it.get_global_id(0)] = lf::convert<int>(*kept);
  });
  expect_refused_behind_a_block(q, "element", [](auto it, const auto& y, auto block) {
    using element = std::remove_cvref_t<decltype(y[it.get_global_id(0)])>;
    std::optional<element> kept;
    block(it, [&] { kept.emplace(y[it.get_global_id(0)]); });
    *kept = 5;
  });
  expect_refused_behind_a_block(q, "array", [](auto it, const auto& y, auto block) {
    std::optional<decltype(it.template array<int, 4>())> kept;
    block(it, [&] { kept.emplace(it.template array<int, 4>()); });
    y[it.get_global_id(0)] = (*kept)[1];
  });
  expect_refused_behind_a_block(q, "vector", [](auto it, const auto& y, auto block) {
    std::optional<decltype(it.var(lf::int2(1, 2)))> kept;
    block(it, [&] { kept.emplace(it.var(lf::int2(3, 4))); });
    y[it.get_global_id(0)] = kept->x();
  });
}

TEST_F(recorded_errors, counters_and_blocks_behind_each_other) {
  const auto counter = [](auto it, const auto&, const auto& y) {
    if constexpr (is_recorded<decltype(it)>) {
      std::optional<lf::recorded_value<int>> kept;
      it.for_(0, 3, [&](auto i) { kept.emplace(i); });
      it.for_(0, 4, [&](auto) { y[it.get_global_id(0)] = *kept; });
    }
  };
  EXPECT_EQ(thrown_with_local_memory(q, 32, counter, &text), errc::kernel);
  EXPECT_NE(text.find("behind the block"), std::string::npos) << text;
  const auto then_otherwise = [](auto it, const auto&, const auto& y) {
    if constexpr (is_recorded<decltype(it)>) {
      std::optional<decltype(it.var(0))> kept;
      it.if_(it.get_local_id(0) == 1U, [&] { kept.emplace(it.var(1)); }, [&] { y[it.get_global_id(0)] = *kept; });
    }
  };
  EXPECT_EQ(thrown_with_local_memory(q, 32, then_otherwise), errc::kernel);
  // What is made before a block, or around it, is there in it and behind it.
  const auto right = [](auto it, const auto&, const auto& y) {
    auto sum = it.var(0);
    const auto i = it.get_local_id(0);
    it.for_(0, 3, [&](auto k) {
      const auto twice = k * 2;
      auto inner = it.var(twice);
      it.if_(i > 3U, [&] { inner += twice; }, [&] { sum += inner + k; });
      sum += inner + twice;
    });
    y[it.get_global_id(0)] = sum + lf::convert<int>(i);
  };
  EXPECT_EQ(thrown_with_local_memory(q, 32, right, &text), errc::success) << text;
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
