// SPDX-License-Identifier: Apache-2.0
// Barriers, failures and mismatches, the same for every engine.
#include "fiber_harness.hpp"
#include "thrown.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace {

using namespace fiber_harness;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class fiber_engine : public testing::TestWithParam<std::tuple<lf::fiber_engine, unsigned>> {
protected:
  [[nodiscard]] lf::fiber_engine engine() const { return std::get<0>(GetParam()); }
  [[nodiscard]] unsigned units() const { return std::get<1>(GetParam()); }

  /// The worker is as good as new.
  void expect_usable() const {
    std::size_t sum = 0;
    run_groups(engine(), 2, units(), [&sum](unit_item& it) {
      it.barrier();
      sum += it.unit + 1;
      it.barrier();
      ++sum;
    });
    const std::size_t n = units();
    EXPECT_EQ(sum, 2 * (n * (n + 1) / 2 + n));
  }
};

/// Counts the objects that live, to see that frames are unwound.
struct counted {
  static inline int alive = 0;
  counted() { ++alive; }
  counted(const counted&) { ++alive; }
  ~counted() { --alive; }
};

TEST_P(fiber_engine, runs_units_in_linear_order_in_every_phase) {
  constexpr std::size_t groups = 5;
  constexpr unsigned phases = 7;
  std::vector<std::tuple<std::size_t, unsigned, unsigned>> seen;
  run_groups(engine(), groups, units(), [&seen](unit_item& it) {
    for (unsigned phase = 0; phase < phases; ++phase) {
      seen.emplace_back(it.group, phase, it.unit);
      if (phase + 1 < phases) {
        it.barrier();
      }
    }
  });
  ASSERT_EQ(seen.size(), groups * phases * units());
  std::size_t i = 0;
  for (std::size_t group = 0; group < groups; ++group) {
    for (unsigned phase = 0; phase < phases; ++phase) {
      for (unsigned unit = 0; unit < units(); ++unit) {
        ASSERT_EQ(seen[i++], std::make_tuple(group, phase, unit));
      }
    }
  }
}

TEST_P(fiber_engine, groups_may_differ_in_their_number_of_barriers) {
  std::vector<unsigned> phases_of_group(9, 0);
  run_groups(engine(), phases_of_group.size(), units(), [&](unit_item& it) {
    for (std::size_t phase = 0; phase < it.group % 4; ++phase) {
      it.barrier();
      phases_of_group[it.group] += 1;
    }
  });
  for (std::size_t group = 0; group < phases_of_group.size(); ++group) {
    EXPECT_EQ(phases_of_group[group], group % 4 * units());
  }
}

TEST_P(fiber_engine, every_unit_sees_what_all_wrote_before_the_barrier) {
  std::vector<unsigned> values(units());
  std::size_t wrong = 0;
  run_groups(engine(), 3, units(), [&](unit_item& it) {
    unsigned expected = it.unit;
    for (unsigned phase = 0; phase < 5; ++phase) {
      values[it.unit] = expected;
      it.barrier();
      const unsigned left = values[(it.unit + 1) % it.units];
      it.barrier();
      wrong += left != (it.unit + 1 + phase) % it.units ? 1 : 0;
      expected = left;
    }
  });
  EXPECT_EQ(wrong, 0U);
}

TEST_P(fiber_engine, sub_groups_meet_among_themselves) {
  for (unsigned width : {2U, 3U, 8U, 16U, 64U}) {
    std::vector<unsigned> slots(units());
    std::size_t wrong = 0;
    run_groups(engine(), 3, units(), [&](unit_item& it) {
      const unsigned first = it.unit / width * width;
      const unsigned count = std::min(width, it.units - first);
      for (unsigned round = 0; round < 3; ++round) {
        for (unsigned phase = 0; phase < 4; ++phase) {
          slots[it.unit] = it.unit * 100 + phase + round;
          it.sub_group_barrier(width);
          const unsigned other = first + (it.unit - first + 1) % count;
          wrong += slots[other] != other * 100 + phase + round ? 1 : 0;
          it.sub_group_barrier(width);
        }
        if (round == 1) {
          it.barrier();
        }
      }
    });
    EXPECT_EQ(wrong, 0U) << "sub-groups of " << width;
  }
}

TEST_P(fiber_engine, a_single_sub_group_may_meet_alone) {
  constexpr unsigned width = 4;
  const unsigned sub_groups = (units() + width - 1) / width;
  for (unsigned chosen : {0U, 1U, sub_groups / 2, sub_groups - 1}) {
    if (chosen >= sub_groups) {
      continue;
    }
    std::vector<unsigned> order;
    std::size_t phases = 0;
    run_groups(engine(), 4, units(), [&](unit_item& it) {
      if (it.group != 1) { // starts with the first group, and group 1 has no sub-group barrier at all
        if (it.unit / width == chosen) {
          order.push_back(it.unit);
          it.sub_group_barrier(width);
          order.push_back(it.unit);
        }
      }
      ++phases;
      if (it.group >= 2) {
        it.barrier();
        ++phases;
      }
    });
    EXPECT_EQ(phases, 6U * units());
    std::vector<unsigned> expected;
    const unsigned first = chosen * width;
    const unsigned last = std::min(first + width, units());
    for (unsigned group = 0; group < 3; ++group) {
      for (unsigned round = 0; round < 2; ++round) {
        for (unsigned unit = first; unit < last; ++unit) {
          expected.push_back(unit);
        }
      }
    }
    if (last - first > 1) {
      EXPECT_EQ(order, expected);
    }
  }
}

TEST_P(fiber_engine, a_failing_unit_ends_the_launch_and_unwinds_the_others) {
  for (unsigned bad : {0U, 1U, units() / 2, units() - 1}) {
    for (unsigned bad_phase = 0; bad_phase < 4; ++bad_phase) {
      for (std::size_t bad_group : {std::size_t{0}, std::size_t{2}}) {
        const std::string message = text_thrown_by([&] {
          run_groups(engine(), 4, units(), [=](unit_item& it) {
            counted on_stack;
            const auto on_heap = std::make_unique<counted>();
            for (unsigned phase = 0; phase < 4; ++phase) {
              counted inner;
              if (it.unit == bad % it.units && phase == bad_phase && it.group == bad_group) {
                throw std::runtime_error("unit " + std::to_string(it.unit) + " fails");
              }
              if (phase < 3) {
                it.barrier();
              }
            }
          });
        });
        EXPECT_TRUE(contains(message, "unit " + std::to_string(bad % units()) + " fails")) << message;
        EXPECT_TRUE(contains(message, "group " + std::to_string(bad_group))) << message;
        EXPECT_EQ(counted::alive, 0);
      }
    }
  }
  expect_usable();
}

TEST_P(fiber_engine, a_unit_may_fail_between_sub_group_barriers) {
  constexpr unsigned width = 8;
  for (unsigned bad : {0U, 1U, units() / 2, units() - 1}) {
    for (unsigned bad_phase = 0; bad_phase < 3; ++bad_phase) {
      const std::string message = text_thrown_by([&] {
        run_groups(engine(), 3, units(), [=](unit_item& it) {
          counted on_stack;
          for (unsigned phase = 0; phase < 3; ++phase) {
            if (it.unit == bad % it.units && phase == bad_phase && it.group == 1) {
              throw std::runtime_error("it fails");
            }
            it.sub_group_barrier(width);
          }
          it.barrier();
        });
      });
      EXPECT_TRUE(contains(message, "it fails")) << message;
      EXPECT_EQ(counted::alive, 0);
    }
  }
  expect_usable();
}

TEST_P(fiber_engine, the_first_of_several_failures_is_reported) {
  const std::string message = text_thrown_by([&] {
    run_groups(engine(), 2, units(), [](unit_item& it) {
      counted on_stack;
      it.barrier();
      throw std::runtime_error("unit " + std::to_string(it.unit) + " fails");
    });
  });
  EXPECT_TRUE(contains(message, "unit 0 fails")) << message;
  EXPECT_EQ(counted::alive, 0);
  expect_usable();
}

TEST_P(fiber_engine, a_kernel_cannot_swallow_its_cancellation) {
  if (units() == 1) {
    GTEST_SKIP() << "no other unit";
  }
  const unsigned last = units() - 1;
  const std::string message = text_thrown_by([&] {
    run_groups(engine(), 2, units(), [last](unit_item& it) {
      counted on_stack;
      for (unsigned phase = 0; phase < 3; ++phase) {
        try {
          it.barrier();
          if (it.unit == last) {
            break;
          }
        } catch (...) {
          it.barrier(); // throws again
          std::abort();
        }
      }
      if (it.unit == last) {
        throw std::runtime_error("the last unit fails");
      }
    });
  });
  EXPECT_TRUE(contains(message, "the last unit fails")) << message;
  EXPECT_EQ(counted::alive, 0);
  expect_usable();
}

TEST_P(fiber_engine, units_that_finish_while_others_wait_are_counted) {
  if (units() < 3) {
    GTEST_SKIP() << "needs three units";
  }
  const unsigned n = units();
  // Which units come to the second barrier.
  const std::vector<std::pair<const char*, bool (*)(unsigned, unsigned)>> choices{
      {"all but the first", [](unsigned u, unsigned) { return u != 0; }},
      {"only the first", [](unsigned u, unsigned) { return u == 0; }},
      {"only the last", [](unsigned u, unsigned all) { return u == all - 1; }},
      {"all but the last", [](unsigned u, unsigned all) { return u != all - 1; }},
      {"even ones", [](unsigned u, unsigned) { return u % 2 == 0; }},
      {"odd ones", [](unsigned u, unsigned) { return u % 2 == 1; }},
      {"one in the middle", [](unsigned u, unsigned all) { return u == all / 2; }},
  };
  for (const auto& choice : choices) {
    for (std::size_t bad_group : {std::size_t{0}, std::size_t{2}}) {
      unsigned expected = 0;
      for (unsigned u = 0; u < n; ++u) {
        expected += choice.second(u, n) ? 1 : 0;
      }
      const std::string message = text_thrown_by([&] {
        run_groups(engine(), 4, n, [&](unit_item& it) {
          counted on_stack;
          it.barrier();
          if (it.group != bad_group || choice.second(it.unit, it.units)) {
            it.barrier();
          }
        });
      });
      EXPECT_TRUE(contains(message, "of " + std::to_string(n) + " units " + std::to_string(expected) + " arrived and " +
                                        std::to_string(n - expected) + " finished"))
          << choice.first << ": " << message;
      EXPECT_TRUE(contains(message, "group " + std::to_string(bad_group))) << message;
      EXPECT_EQ(counted::alive, 0);
    }
  }
  expect_usable();
}

TEST_P(fiber_engine, a_first_barrier_that_some_units_miss_is_an_error) {
  if (units() == 1) {
    GTEST_SKIP() << "a barrier of one unit is none";
  }
  for (unsigned only : {0U, 1U, units() / 2, units() - 1}) {
    const std::string message = text_thrown_by([&] {
      run_groups(engine(), 2, units(), [only](unit_item& it) {
        counted on_stack;
        if (it.unit == only % it.units) {
          it.barrier();
        }
      });
    });
    EXPECT_TRUE(contains(message, "1 arrived and ")) << message;
    EXPECT_EQ(counted::alive, 0);
  }
  expect_usable();
}

TEST_P(fiber_engine, a_sub_group_barrier_that_some_units_miss_is_an_error) {
  constexpr unsigned width = 4;
  if (units() < width) {
    GTEST_SKIP() << "no full sub-group";
  }
  const unsigned first = units() >= 3 * width ? 2 * width : 0;
  for (unsigned missing = first; missing < first + width; ++missing) {
    for (unsigned instead = 0; instead < 3; ++instead) { // finishes, comes to a barrier of the group, fails
      const std::string message = text_thrown_by([&] {
        run_groups(engine(), 2, units(), [=](unit_item& it) {
          counted on_stack;
          if (it.unit != missing) {
            it.sub_group_barrier(width);
          } else if (instead == 0) {
            return;
          } else if (instead == 1) {
            it.barrier();
          } else if (instead == 2) {
            throw std::runtime_error("it fails");
          }
          it.barrier();
        });
      });
      EXPECT_TRUE(contains(message, instead == 2 ? "it fails" : "barrier")) << message;
      EXPECT_EQ(counted::alive, 0);
    }
  }
  expect_usable();
}

/// A unit that waits in a noexcept function cannot be unwound: the program ends, with the error that is the cause.
TEST_P(fiber_engine, a_barrier_in_a_noexcept_function_ends_the_program_with_the_first_error) {
  if (units() < 2) {
    GTEST_SKIP() << "nobody waits";
  }
  const auto wait = [](unit_item& it) noexcept { it.barrier(); };
  for (const unsigned failing : {0U, units() - 1}) {
    EXPECT_DEATH(run_groups(engine(), 2, units(),
                            [&](unit_item& it) {
                              wait(it);
                              if (it.unit == failing && it.group == 1) {
                                throw std::runtime_error("thrown on purpose");
                              }
                              wait(it);
                            }),
                 "lanefold: kernel '.*: thrown on purpose\nlanefold: .*noexcept");
  }
}

TEST_P(fiber_engine, exceptions_caught_inside_a_unit_stay_there) {
  std::size_t caught = 0;
  run_groups(engine(), 2, units(), [&](unit_item& it) {
    for (unsigned phase = 0; phase < 3; ++phase) {
      try {
        counted on_stack;
        it.barrier();
        throw it.unit;
      } catch (unsigned unit) {
        caught += unit == it.unit ? 1 : 0;
      }
    }
  });
  EXPECT_EQ(caught, 6U * units());
  EXPECT_EQ(counted::alive, 0);
}

TEST_P(fiber_engine, a_barrier_may_stand_in_a_handler) {
  std::size_t right = 0;
  run_groups(engine(), 2, units(), [&](unit_item& it) {
    for (unsigned phase = 0; phase < 3; ++phase) {
      try {
        throw std::to_string(it.unit) + " is the number of a unit";
      } catch (const std::string& text) {
        if ((it.unit + phase) % 3 != 0) { // some units leave their handlers in another order than they came
          it.barrier();
          try {
            throw;
          } catch (const std::string& again) {
            right += &again == &text && again == std::to_string(it.unit) + " is the number of a unit" ? 1 : 0;
          }
          continue;
        }
      }
      it.barrier();
      ++right;
    }
    right += std::uncaught_exceptions() == 0 && std::current_exception() == nullptr ? 1 : 0;
  });
  EXPECT_EQ(right, 2U * 4 * units());
}

thread_local unsigned per_thread = 0;

TEST_P(fiber_engine, units_share_the_variables_of_their_thread) {
  per_thread = 0;
  run_groups(engine(), 2, units(), [&](unit_item& it) {
    ++per_thread;
    it.barrier();
    ++per_thread;
  });
  EXPECT_EQ(per_thread, 4 * units());
}

TEST_P(fiber_engine, threads_have_stacks_of_their_own) {
  std::vector<std::thread> threads;
  std::vector<std::size_t> sums(3, 0);
  for (std::size_t& sum : sums) {
    threads.emplace_back([this, &sum] {
      for (int launches = 0; launches < 3; ++launches) {
        run_groups(engine(), 3, units(), [&sum](unit_item& it) {
          it.barrier();
          sum += it.unit;
          it.barrier();
        });
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  const std::size_t n = units();
  for (std::size_t sum : sums) {
    EXPECT_EQ(sum, 9 * (n * (n - 1) / 2));
  }
}

TEST(fiber_engines, one_that_is_not_there_is_refused_with_those_that_are) {
  try {
    detail::make_unit_engine(lf::fiber_engine::automatic);
    FAIL() << "automatic is no engine";
  } catch (const lf::exception& error) {
    EXPECT_EQ(error.code(), lf::errc::feature_not_supported);
    EXPECT_NE(std::string(error.what())
                  .find("not in this build; there are: " + std::string(to_string(detail::fiber_engines().front()))),
              std::string::npos)
        << error.what();
  }
}

TEST(fiber_engines, automatic_stands_for_one_that_works) {
  ASSERT_FALSE(detail::fiber_engines().empty());
  EXPECT_NE(detail::fiber_engines().front(), lf::fiber_engine::automatic);
  std::size_t sum = 0;
  run_groups(lf::fiber_engine::automatic, 2, 16, [&sum](unit_item& it) {
    it.barrier();
    sum += it.unit;
  });
  EXPECT_EQ(sum, 240U);
}

TEST(fiber_engines, launches_may_alternate_between_engines_and_group_sizes) {
  for (unsigned round = 0; round < 4; ++round) {
    for (unsigned units : {256U, 5U, 64U, 1000U}) {
      for (lf::fiber_engine engine : all_engines()) {
        std::vector<unsigned> values(units);
        run_groups(engine, 2, units, [&values](unit_item& it) {
          values[it.unit] = it.unit;
          it.barrier();
          const unsigned other = values[it.units - 1 - it.unit];
          it.barrier();
          values[it.unit] = other;
        });
        for (unsigned unit = 0; unit < units; ++unit) {
          ASSERT_EQ(values[unit], units - 1 - unit);
        }
      }
    }
  }
}

TEST_P(fiber_engine, launches_do_not_nest) {
  const std::string message = text_thrown_by([&] {
    run_groups(engine(), 1, units(), [&](unit_item& it) {
      it.barrier();
      run_groups(engine(), 1, 1, [](unit_item&) {});
    });
  });
  EXPECT_TRUE(contains(message, "inside")) << message;
  expect_usable();
}

INSTANTIATE_TEST_SUITE_P(engines, fiber_engine,
                         testing::Combine(testing::ValuesIn(all_engines()),
                                          testing::Values(1U, 2U, 3U, 7U, 32U, 65U, 256U, 1024U)),
                         [](const auto& instance) {
                           return std::string(to_string(std::get<0>(instance.param))) + "_" +
                                  std::to_string(std::get<1>(instance.param));
                         });

} // namespace
