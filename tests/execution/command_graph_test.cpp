// SPDX-License-Identifier: Apache-2.0
// The order of commands: what follows from accessors, events and queues; errors on the way; a great many of everything.
#include "sanitized.hpp"
#include "thrown.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution.hpp>
#include <lanefold/memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace lf = lanefold;
using namespace std::chrono_literals;

namespace {

bool eventually(const std::function<bool()>& happens) {
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (!happens() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(1ms);
  }
  return happens();
}

// ---- random graphs against a serial execution

constexpr std::size_t elements = 12;
using memory = std::vector<std::array<std::uint32_t, elements>>;

/// Says what one command does with one buffer.
struct use {
  std::size_t buffer;
  std::size_t begin;
  std::size_t size;
  bool reads;
  bool writes;
};

/// The elements that a command writes are made of all those that it reads.
struct step {
  std::vector<use> uses;
  std::uint32_t salt;

  [[nodiscard]] std::uint32_t mix(std::uint32_t sum, std::size_t i) const {
    return (sum ^ salt) * 2654435761U + static_cast<std::uint32_t>(i);
  }
  void run(memory& all) const {
    std::uint32_t sum = 0;
    for (const use& u : uses) {
      for (std::size_t i = u.begin; u.reads && i < u.begin + u.size; ++i) {
        sum = sum * 31 + all[u.buffer][i];
      }
    }
    for (const use& u : uses) {
      for (std::size_t i = u.begin; u.writes && i < u.begin + u.size; ++i) {
        all[u.buffer][i] = mix(sum, i - u.begin);
      }
    }
  }
};

using any_accessor = lf::accessor<std::uint32_t, 1, lf::access_mode::read_write>;

class random_graph {
public:
  explicit random_graph(std::uint32_t seed) : m_random(seed) {
    m_memory.resize(1 + below(5));
    for (auto& array : m_memory) {
      for (std::uint32_t& x : array) {
        x = m_random();
      }
    }
    m_expected = m_memory;
    m_queues = {lf::queue{lf::property::in_order()}, lf::queue(lf::property::threads(3)),
                lf::queue(lf::property::threads(2)), lf::queue(lf::property::threads(1))};
  }

  /// False if the host has seen something else than it should.
  bool run() {
    bool right = true;
    {
      std::vector<lf::buffer<std::uint32_t>> buffers;
      for (auto& array : m_memory) {
        buffers.emplace_back(array.data(), lf::range(elements));
      }
      for (std::size_t commands = 3 + below(25); commands > 0; --commands) {
        if (below(12) == 0) {
          right = look(buffers) && right;
        } else if (below(20) == 0) {
          m_queues[below(m_queues.size())].wait();
        } else if (below(20) == 0) {
          m_events.push_back(m_queues[below(m_queues.size())].ext_oneapi_submit_barrier());
        } else {
          submit(buffers);
        }
      }
    }
    return right && m_memory == m_expected;
  }

private:
  std::size_t below(std::size_t n) { return m_random() % n; }

  step make_step() {
    step s{{}, static_cast<std::uint32_t>(m_random())};
    std::vector<std::size_t> order(m_memory.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = i;
    }
    std::shuffle(order.begin(), order.end(), m_random);
    order.resize(1 + below(std::min<std::size_t>(order.size(), 3)));
    for (const std::size_t buffer : order) {
      const std::size_t begin = below(3) == 0 ? below(elements) : 0;
      const std::size_t size = begin != 0 || below(3) == 0 ? 1 + below(elements - begin) : elements;
      const std::size_t mode = below(4);
      s.uses.push_back({buffer, begin, size, mode != 1, mode != 0});
    }
    return s;
  }

  static lf::accessor<std::uint32_t> access(lf::buffer<std::uint32_t>& b, lf::handler& h, const use& u) {
    if (u.reads && u.writes) {
      return {b, h, lf::range(u.size), lf::id(u.begin)};
    }
    if (u.reads) {
      lf::accessor a(b, h, lf::range(u.size), lf::id(u.begin), lf::read_only);
    } else {
      lf::accessor a(b, h, lf::range(u.size), lf::id(u.begin), lf::write_only, lf::no_init);
    }
    return {b, lf::range(u.size), lf::id(u.begin)}; // the accessors above say what the command may do with it
  }

  void submit(std::vector<lf::buffer<std::uint32_t>>& buffers) {
    const step s = make_step();
    s.run(m_expected);
    const std::size_t kind = below(3);
    lf::queue& q = m_queues[below(m_queues.size())];
    m_events.push_back(q.submit([&](lf::handler& h) {
      std::vector<std::shared_ptr<any_accessor>> accessors; // shared, so that the kernel does not capture them itself
      for (const use& u : s.uses) {
        accessors.push_back(std::make_shared<any_accessor>(access(buffers[u.buffer], h, u)));
      }
      if (!m_events.empty() && below(3) == 0) {
        h.depends_on(m_events[below(m_events.size())]);
      }
      const auto work = [=, pause = below(8) == 0 ? below(100) : 0] {
        std::uint32_t sum = 0;
        for (std::size_t i = 0; i < s.uses.size(); ++i) {
          for (std::size_t k = 0; s.uses[i].reads && k < s.uses[i].size; ++k) {
            sum = sum * 31 + (*accessors[i])[k];
          }
        }
        std::this_thread::sleep_for(std::chrono::microseconds(pause));
        for (std::size_t i = 0; i < s.uses.size(); ++i) {
          for (std::size_t k = 0; s.uses[i].writes && k < s.uses[i].size; ++k) {
            (*accessors[i])[k] = s.mix(sum, k);
          }
        }
      };
      if (kind == 0) {
        h.single_task(work);
      } else if (kind == 1) {
        h.host_task(work);
      } else {
        h.parallel_for(lf::nd_range<1>(1, 1), [=](lf::nd_item<1>) { work(); });
      }
    }));
  }

  /// The host reads, and sometimes writes, in its turn.
  bool look(std::vector<lf::buffer<std::uint32_t>>& buffers) {
    const std::size_t b = below(buffers.size());
    lf::host_accessor a(buffers[b]);
    const bool right = std::equal(a.begin(), a.end(), m_expected[b].begin());
    a[0] = m_expected[b][0] = m_random();
    return right;
  }

  std::mt19937 m_random;
  memory m_memory;
  memory m_expected;
  std::vector<lf::queue> m_queues;
  std::vector<lf::event> m_events;
};

TEST(command_graph, random_graphs_give_what_serial_execution_gives) {
  const char* const given = std::getenv("LANEFOLD_TEST_SEED");
  const std::uint32_t first = given != nullptr ? static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10))
                                               : static_cast<std::uint32_t>(std::random_device()());
  const std::uint32_t graphs = given != nullptr ? 1 : 1000;
  for (std::uint32_t seed = first; seed != first + graphs; ++seed) {
    ASSERT_TRUE(random_graph(seed).run()) << "LANEFOLD_TEST_SEED=" << seed;
  }
}

// Threads that submit commands on the same buffers, in different orders and to different queues: no cycles, no loss.
TEST(command_graph, submission_from_several_threads) {
  constexpr int threads = 4;
  constexpr int each = 300;
  std::vector<std::vector<int>> host(3, std::vector<int>(4));
  {
    lf::queue shared{lf::property::in_order()};
    std::vector<lf::buffer<int>> buffers(host.begin(), host.end());
    buffers.clear();
    for (std::vector<int>& h : host) {
      buffers.emplace_back(h);
    }
    std::vector<std::thread> submitters;
    for (int t = 0; t < threads; ++t) {
      submitters.emplace_back([&, t] {
        lf::queue own(lf::property::threads(2));
        for (int i = 0; i < each; ++i) {
          lf::queue& q = i % 3 == 0 ? shared : own;
          q.submit([&](lf::handler& h) {
            lf::accessor a(buffers[static_cast<std::size_t>((i + t) % 3)], h);
            lf::accessor b(buffers[static_cast<std::size_t>((i + t + 1 + i % 2) % 3)], h);
            h.single_task([=] {
              ++a[0];
              ++b[1];
            });
          });
        }
      });
    }
    for (std::thread& t : submitters) {
      t.join();
    }
  }
  int first = 0;
  int second = 0;
  for (const std::vector<int>& h : host) {
    first += h[0];
    second += h[1];
  }
  EXPECT_EQ(first, threads * each);
  EXPECT_EQ(second, threads * each);
}

// ---- parallelism and its limits

TEST(command_graph, independent_commands_run_at_the_same_time) {
  lf::queue q(lf::property::threads(2));
  lf::buffer<int> a(lf::range(1));
  lf::buffer<int> b(lf::range(1));
  std::atomic<int> there{0};
  for (lf::buffer<int>* one : {&a, &b}) {
    q.submit([&](lf::handler& h) {
      lf::accessor x(*one, h, lf::write_only);
      h.host_task([=, &there] {
        ++there;
        x[0] = eventually([&] { return there.load() == 2; }) ? 1 : 0;
      });
    });
  }
  q.wait();
  EXPECT_EQ(lf::host_accessor(a)[0] + lf::host_accessor(b)[0], 2);
}

TEST(command_graph, a_slow_command_does_not_block_submission) {
  lf::queue q(lf::property::threads(2));
  lf::buffer<int> b(lf::range(1));
  std::atomic<bool> go{false};
  q.submit([&](lf::handler& h) {
    lf::accessor a(b, h);
    h.host_task([=, &go] { a[0] = eventually([&] { return go.load(); }) ? 0 : 1000; });
  });
  for (int i = 0; i < 5000; ++i) {
    q.submit([&](lf::handler& h) {
      lf::accessor a(b, h);
      h.single_task([=] { ++a[0]; });
    });
  }
  go = true; // it gets here, or the slow command gives up
  EXPECT_EQ(lf::host_accessor(b)[0], 5000);
}

TEST(command_graph, barriers_in_unordered_queues) {
  lf::queue q(lf::property::threads(3));
  for (int round = 0; round < 30; ++round) {
    std::atomic<int> before{0};
    std::atomic<bool> right{true};
    for (int i = 0; i < 10; ++i) {
      q.submit([&](lf::handler& h) {
        h.host_task([&] {
          std::this_thread::sleep_for(50us);
          ++before;
        });
      });
    }
    const lf::event barrier = q.ext_oneapi_submit_barrier();
    for (int i = 0; i < 10; ++i) {
      q.submit([&](lf::handler& h) { h.host_task([&] { right = right && before == 10; }); });
    }
    q.wait();
    EXPECT_TRUE(right.load());
    EXPECT_EQ(barrier.get_info<lf::info::event::command_execution_status>(), lf::info::event_command_status::complete);
  }
}

TEST(command_graph, in_order_queues_wait_for_each_other_by_the_last_event) {
  lf::queue first{lf::property::in_order{}}, second{lf::property::in_order{}};
  std::atomic<bool> go{false};
  int value = 1;
  first.submit([&](lf::handler& h) { h.host_task([&] { eventually([&] { return go.load(); }); }); });
  first.single_task([&] { value += 1; });
  const auto last = first.ext_oneapi_get_last_event();
  ASSERT_TRUE(last.has_value());
  second.ext_oneapi_set_external_event(*last);
  second.single_task([&] { value *= 10; });
  EXPECT_EQ(value, 1);
  go = true;
  second.wait();
  EXPECT_EQ(value, 20);
  lf::queue without;
  EXPECT_THROW(std::ignore = without.ext_oneapi_get_last_event(), lf::exception);
  EXPECT_THROW(without.ext_oneapi_set_external_event(*last), lf::exception);
}

TEST(command_graph, a_barrier_for_some_events_waits_for_those_alone) {
  lf::queue q(lf::property::threads(2));
  std::atomic<bool> go{false};
  std::atomic<bool> first_done{false};
  q.submit([&](lf::handler& h) { h.host_task([&] { eventually([&] { return go.load(); }); }); });
  const lf::event first = q.submit([&](lf::handler& h) { h.host_task([&] { first_done = true; }); });
  q.ext_oneapi_submit_barrier({first}).wait();
  EXPECT_TRUE(first_done.load());
  bool later = false;
  q.single_task([&] { later = first_done; }).wait();
  EXPECT_TRUE(later);
  go = true;
  q.wait();
}

TEST(command_graph, profiling) {
  lf::queue q{lf::property::queue::enable_profiling()};
  using namespace lf::info::event_profiling;
  const lf::event first = q.submit([](lf::handler& h) { h.host_task([] { std::this_thread::sleep_for(5ms); }); });
  const lf::event second = q.single_task(first, [] {});
  const auto submitted = first.get_profiling_info<command_submit>();
  const auto started = first.get_profiling_info<command_start>();
  const auto ended = first.get_profiling_info<command_end>();
  EXPECT_LE(submitted, started);
  EXPECT_GE(ended - started, 5'000'000U);
  EXPECT_GE(second.get_profiling_info<command_start>(), ended);
  lf::event without = lf::queue().single_task([] {});
  EXPECT_THROW((void)without.get_profiling_info<command_end>(), lf::exception);
}

// ---- errors

TEST(command_graph, what_depends_on_a_failed_command_does_not_run_and_says_so) {
  std::vector<std::string> errors;
  lf::queue q([&](const lf::exception_list& list) {
    for (const std::exception_ptr& e : list) {
      try {
        std::rethrow_exception(e);
      } catch (const std::exception& error) {
        errors.emplace_back(error.what());
      }
    }
  });
  lf::buffer<int> b(lf::range(1));
  lf::host_accessor{b}[0] = 1;
  bool ran = false;
  const lf::event failed = q.submit([&](lf::handler& h) {
    lf::accessor a(b, h);
    h.single_task<class the_culprit>([=] {
      a[0] = 2;
      throw std::runtime_error("no more");
    });
  });
  lf::event reader = q.submit([&](lf::handler& h) {
    lf::accessor a(b, h, lf::read_only);
    h.host_task([=, &ran] { ran = a[0] != 1; });
  });
  lf::event by_event = q.single_task(failed, [&] { ran = true; });
  reader.wait();
  by_event.wait();
  EXPECT_FALSE(ran);
  q.wait_and_throw();
  ASSERT_EQ(errors.size(), 1U) << "the error itself stands for those of commands that did not run";
  EXPECT_NE(errors[0].find("the_culprit"), std::string::npos);
  EXPECT_NE(errors[0].find("no more"), std::string::npos);
  // The host knows: the buffer is as the failed command has left it, and usable.
  q.submit([&](lf::handler& h) {
    lf::accessor a(b, h);
    h.single_task([=] { a[0] += 40; });
  });
  EXPECT_EQ(lf::host_accessor(b)[0], 42);
}

TEST(command_graph, writing_anew_does_not_need_what_failed) {
  lf::queue q;
  lf::buffer<int> b(lf::range(1));
  q.submit([&](lf::handler& h) {
    lf::accessor a(b, h);
    h.single_task([=] { throw std::runtime_error("lost"); });
  });
  q.submit([&](lf::handler& h) {
    lf::accessor a(b, h, lf::write_only, lf::no_init);
    h.single_task([=] { a[0] = 9; });
  });
  EXPECT_EQ(lf::host_accessor(b)[0], 9);
  EXPECT_THROW(q.wait_and_throw(), lf::exception);
}

TEST(command_graph, exceptions_and_waits_in_host_tasks) {
  lf::queue q;
  const auto message_of = [&](auto task) {
    q.submit([&](lf::handler& h) { h.host_task(task); });
    return text_thrown_by([&] { q.wait_and_throw(); });
  };
  EXPECT_NE(message_of([] { throw std::runtime_error("from a host task"); }).find("from a host task"),
            std::string::npos);
  EXPECT_NE(message_of([&] { q.wait(); }).find("inside a kernel"), std::string::npos);
  EXPECT_NE(message_of([&] {
              lf::queue other;
              other.single_task([] {}).wait();
            }).find("inside a kernel"),
            std::string::npos);
  EXPECT_EQ(message_of([&](lf::interop_handle) { q.single_task([] {}); }), "") << "submitting is allowed";
  q.wait();
}

// ---- a great many

#if defined(LANEFOLD_TEST_SANITIZED)
constexpr bool instrumented = true; // by sanitizers, which keep freed memory for a while
#else
constexpr bool instrumented = false;
#endif

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0;
  std::size_t resident = 0;
  file >> pages >> resident;
  return resident * 4096;
}

TEST(command_graph, memory_does_not_grow_with_finished_commands) {
  lf::queue q;
  std::vector<int> host(16);
  std::size_t after_the_first = 0;
  {
    lf::buffer b(host);
    lf::buffer<int> read_only(lf::range(1));
    for (int round = 0; round < 10; ++round) {
      for (int i = 0; i < 5000; ++i) {
        q.submit([&](lf::handler& h) {
          lf::accessor a(b, h);
          lf::accessor r(read_only, h, lf::read_only);
          h.single_task([=] { ++a[3]; });
        });
        if (i % 100 == 0) {
          lf::host_accessor look(b, lf::read_only); // so that few are open at a time
        }
      }
      if (round == 1) {
        after_the_first = resident_bytes();
      }
    }
  }
  EXPECT_EQ(host[3], 50000);
  if (!instrumented) {
    EXPECT_LT(resident_bytes(), after_the_first + (4U << 20));
  }
}

TEST(command_graph, ten_thousand_queues_and_events) {
  std::vector<lf::queue> queues;
  std::vector<lf::event> events;
  std::atomic<int> ran{0};
  lf::buffer<int> b(lf::range(1));
  lf::host_accessor{b}[0] = 0;
  for (int i = 0; i < 10000; ++i) {
    queues.emplace_back(i % 2 == 0 ? lf::property_list{} : lf::property_list{lf::property::in_order()});
    events.push_back(queues.back().submit([&](lf::handler& h) {
      lf::accessor a(b, h);
      h.depends_on(events);
      h.single_task([=, &ran] {
        ++a[0];
        ++ran;
      });
    }));
    if (events.size() > 100) { // dependencies on many events, not on all
      events.erase(events.begin(), events.begin() + 90);
    }
  }
  queues.clear();
  EXPECT_EQ(lf::host_accessor(b)[0], 10000);
  EXPECT_EQ(ran.load(), 10000);
}

} // namespace
