// SPDX-License-Identifier: Apache-2.0
// Commands of in-order queues that count them: nobody but the queue knows of these until somebody asks.
#include "thrown.hpp"
#include "toy_backend.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/execution/detail/buffer_state.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

namespace lf = lanefold;
namespace ld = lanefold::detail;

namespace {

using command_status = lf::info::event_command_status;
using execution_status = lf::info::event::command_execution_status;

/// Runs its commands when somebody waits for them. From the place `lost` on they fail.
class lazy_device final : public toy::backend {
public:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  std::atomic<std::uint64_t> lost{never};
  std::atomic<std::size_t> events{0};

  std::uint64_t give(std::function<void()> what) {
    const std::lock_guard lock(m_guard);
    m_commands.push_back(std::move(what));
    return m_commands.size();
  }
  std::uint64_t last() {
    const std::lock_guard lock(m_guard);
    return m_commands.size();
  }
  void run_to(std::uint64_t place) {
    const std::lock_guard lock(m_guard);
    for (std::uint64_t done = m_done.load(); done < place && done + 1 < lost; ++done) {
      m_commands[done]();
      m_commands[done] = nullptr;
      m_done.store(done + 1);
    }
  }
  std::uint64_t done() const noexcept { return m_done.load(); }
  void start_again() {
    m_done.store(last());
    lost.store(never);
  }

  std::unique_ptr<ld::device_queue> make_queue(bool in_order, bool profiles) override;
  std::unique_ptr<ld::device_memory> allocate(std::size_t bytes) override;

private:
  std::mutex m_guard;
  std::vector<std::function<void()>> m_commands;
  std::atomic<std::uint64_t> m_done{0};
};

class lazy_event final : public ld::device_event {
public:
  lazy_event(lazy_device& of, std::uint64_t place, std::string name)
      : m_of(of), m_place(place), m_name(std::move(name)) {
    ++of.events;
  }
  command_status status() noexcept override { return is_over() ? command_status::complete : command_status::submitted; }
  void wait() noexcept override { m_of.run_to(m_place); }
  void when_complete(void (*notify)(void*), void* argument) noexcept override {
    m_of.run_to(m_place);
    notify(argument);
  }
  std::exception_ptr error() noexcept override {
    return m_place < m_of.lost ? nullptr : std::make_exception_ptr(std::runtime_error(m_name + " is lost"));
  }
  times profile() override { return {}; }

private:
  bool is_over() const noexcept { return m_place <= m_of.done() || m_place >= m_of.lost; }

  lazy_device& m_of;
  std::uint64_t m_place;
  std::string m_name;
};

class lazy_queue final : public ld::device_queue {
public:
  lazy_queue(lazy_device& home, bool in_order, bool profiles) : m_home(home), m_in_order(in_order), m_times(profiles) {}
  ld::device_backend& home() const noexcept override { return m_home; }
  bool is_in_order() const noexcept override { return m_in_order; }
  void finish() noexcept override { m_home.run_to(m_home.last()); }
  bool counts_commands() const noexcept override { return m_in_order && !m_times; }
  std::uint64_t known_complete() const noexcept override { return m_home.done(); }
  ld::device_event_ptr event_of(const ld::eventless_command& which) override {
    return std::make_shared<lazy_event>(m_home, which.place, *which.name);
  }
  lazy_device& device() const noexcept { return m_home; }

private:
  lazy_device& m_home;
  bool m_in_order;
  bool m_times;
};

class lazy_memory final : public ld::device_memory {
public:
  lazy_memory(lazy_device& home, std::size_t bytes) : m_home(home), m_bytes(bytes) {}
  ld::device_event_ptr write(ld::device_queue&, std::size_t offset, const std::byte* from, std::size_t bytes) override {
    const std::uint64_t place = m_home.give([=, this] { std::copy(from, from + bytes, m_bytes.data() + offset); });
    return std::make_shared<lazy_event>(m_home, place, "write");
  }
  void read(std::size_t offset, std::byte* to, std::size_t bytes) override {
    m_home.run_to(m_home.last());
    std::copy(m_bytes.data() + offset, m_bytes.data() + offset + bytes, to);
  }
  std::byte* data() noexcept { return m_bytes.data(); }

private:
  lazy_device& m_home;
  std::vector<std::byte> m_bytes;
};

std::unique_ptr<ld::device_queue> lazy_device::make_queue(bool in_order, bool profiles) {
  return std::make_unique<lazy_queue>(*this, in_order, profiles);
}
std::unique_ptr<ld::device_memory> lazy_device::allocate(std::size_t bytes) {
  return std::make_unique<lazy_memory>(*this, bytes);
}

/// h.launch(action, any nd_range[, accessor]): with a buffer it needs an event.
struct action {
  std::function<void(int*)> what;
  std::shared_ptr<std::string> name = std::make_shared<std::string>("lazy");
  bool is_refused = false;
};

class lazy_launch final : public ld::device_launch {
public:
  lazy_launch(const ld::launch_settings& settings, action what, ld::shared_part<ld::buffer_state> buffer)
      : device_launch(settings, *what.name), m_what(std::move(what)), m_buffer(std::move(buffer)) {}

  ld::device_event_ptr start(ld::device_queue& on, const std::vector<ld::device_event_ptr>&) override {
    lazy_device& device = static_cast<lazy_queue&>(on).device();
    return std::make_shared<lazy_event>(device, give(device), *m_what.name);
  }
  std::uint64_t start_without_event(ld::device_queue& on) override {
    return give(static_cast<lazy_queue&>(on).device());
  }
  std::shared_ptr<const std::string> take_name() noexcept override { return std::move(m_what.name); }

private:
  std::uint64_t give(lazy_device& device) {
    if (m_what.is_refused) {
      throw std::runtime_error(*m_what.name + " is refused");
    }
    int* const memory =
        m_buffer ? reinterpret_cast<int*>(static_cast<lazy_memory&>(m_buffer->memory_on(device)).data()) : nullptr;
    return device.give([what = m_what.what, memory] { what(memory); });
  }

  action m_what;
  ld::shared_part<ld::buffer_state> m_buffer;
};

const std::vector<const ld::platform_entry*>& lazy_platforms() {
  static const auto& all = toy::platform_of("lazy", lf::info::device_type::accelerator, {new lazy_device});
  return all;
}

/// Is given to the queue without a command group where that is possible.
struct plain_action : action {};

class lazy_start final : public ld::eventless_start {
public:
  explicit lazy_start(const action& what) : m_what(what) {}
  std::uint64_t start_without_event(ld::device_queue& on) override {
    if (m_what.is_refused) {
      throw std::runtime_error(*m_what.name + " is refused");
    }
    return static_cast<lazy_queue&>(on).device().give([what = m_what.what] { what(nullptr); });
  }
  std::shared_ptr<const std::string> take_name() noexcept override { return m_what.name; }

private:
  const action& m_what;
};

} // namespace

template <>
struct lanefold::detail::launch_maker<lanefold::detail::device_kernels<plain_action>> {
  static std::unique_ptr<launch> make(handler& h, const plain_action& what, const nd_range<1>&) {
    ++groups;
    return std::make_unique<lazy_launch>(h.common_settings(), what, nullptr);
  }
  static std::optional<event> start(const queue& q, const plain_action& what, const nd_range<1>&) {
    lazy_start started(what);
    return q.start_eventless(started);
  }
  static inline int groups = 0; ///< command groups that were made
};

template <>
struct lanefold::detail::launch_maker<lanefold::detail::device_kernels<action>> {
  static std::unique_ptr<launch> make(handler& h, const action& what, const nd_range<1>&) {
    return std::make_unique<lazy_launch>(h.common_settings(), what, nullptr);
  }
  template <class Accessor>
  static std::unique_ptr<launch> make(handler& h, const action& what, const nd_range<1>&, const Accessor& x) {
    return std::make_unique<lazy_launch>(h.common_settings(), what, x.requirement().buffer);
  }
};

namespace {

const lf::nd_range<1> anywhere(1, 1);

class eventless_commands : public testing::Test {
protected:
  static void SetUpTestSuite() { ld::add_platforms(&lazy_platforms); }
  static void TearDownTestSuite() { ld::remove_platforms(&lazy_platforms); }
  void SetUp() override { device().events = 0; }
  void TearDown() override { device().start_again(); }

  static lazy_device& device() { return static_cast<lazy_device&>(*lazy_platforms().front()->devices.front().native); }
  static lf::queue queue(const lf::async_handler& handler = {}) {
    return {lf::device(lazy_platforms().front()->devices.data()), handler, lf::property::queue::in_order()};
  }
  /// A command that notes its number.
  action note(int number) {
    return {[this, number](int*) { seen.push_back(number); }};
  }
  std::vector<int> seen;
};

TEST_F(eventless_commands, run_in_their_order) {
  lf::queue q = queue();
  for (int i = 0; i < 5; ++i) {
    q.launch(note(i), anywhere);
  }
  EXPECT_FALSE(q.khr_empty());
  q.wait();
  EXPECT_TRUE(q.khr_empty());
  EXPECT_EQ(seen, (std::vector{0, 1, 2, 3, 4}));
}

TEST_F(eventless_commands, need_no_events_where_nobody_asks) {
  lf::queue q = queue();
  for (int i = 0; i < 5; ++i) {
    const lf::event before = q.launch(note(2 * i), anywhere);
    q.submit([&](lf::handler& h) {
      h.depends_on(before);
      h.depends_on(lf::event());
      h.launch(note(2 * i + 1), anywhere);
    });
  }
  q.wait();
  EXPECT_EQ(seen.size(), 10U);
  EXPECT_EQ(device().events, 0U);
}

TEST_F(eventless_commands, have_events_for_those_who_ask) {
  lf::queue q = queue();
  lf::event a = q.launch(note(1), anywhere);
  lf::event b = q.launch(note(2), anywhere);
  const lf::event c = q.launch(note(3), anywhere);
  EXPECT_EQ(a, lf::event(a));
  EXPECT_NE(a, b);
  EXPECT_EQ((std::unordered_set<lf::event>{a, b, c, b}.size()), 3U);
  EXPECT_EQ(a.get_backend(), lf::backend::opencl);
  b.wait();
  EXPECT_EQ(seen, (std::vector{1, 2}));
  EXPECT_EQ(a.get_info<execution_status>(), command_status::complete);
  EXPECT_EQ(b.get_info<execution_status>(), command_status::complete);
  EXPECT_EQ(c.get_info<execution_status>(), command_status::submitted);
  EXPECT_GE(b.get_info<lf::info::event::reference_count>(), 1U);
  EXPECT_GE(c.get_info<lf::info::event::reference_count>(), 1U);
  const lf::event d = q.launch(note(4), anywhere);
  EXPECT_EQ(d.get_wait_list(), std::vector{c});
  EXPECT_TRUE(a.get_wait_list().empty());
  EXPECT_NE(text_thrown_by([&] { (void)a.get_profiling_info<lf::info::event_profiling::command_end>(); }), "");
  lf::event::wait({a, d});
  EXPECT_EQ(seen, (std::vector{1, 2, 3, 4}));
  EXPECT_EQ(c.get_info<execution_status>(), command_status::complete);
  EXPECT_TRUE(d.get_wait_list().empty());
}

TEST_F(eventless_commands, come_before_commands_elsewhere_that_depend_on_them) {
  lf::queue q = queue(), cpu;
  q.launch(note(1), anywhere);
  const lf::event second = q.launch(note(2), anywhere);
  cpu.submit([&](lf::handler& h) {
       h.depends_on(second);
       h.host_task([&] { seen.push_back(3); });
     })
      .wait();
  EXPECT_EQ(seen, (std::vector{1, 2, 3}));
  // And behind a command that waits for the host.
  lf::event host = q.submit([&](lf::handler& h) { h.host_task([&] { seen.push_back(4); }); });
  lf::event last = q.launch(note(5), anywhere);
  last.wait();
  EXPECT_EQ(seen, (std::vector{1, 2, 3, 4, 5}));
}

TEST_F(eventless_commands, keep_their_place_among_others) {
  lf::queue q = queue();
  lf::buffer<int> x{lf::range<1>(1)};
  const auto with_buffer = [&](int factor, int add) {
    const action change{[=](int* p) { *p = *p * factor + add; }};
    return q.submit([&](lf::handler& h) { h.launch(change, anywhere, lf::accessor(x, h)); });
  };
  static_cast<void>(lf::host_accessor<int>(x)[0] = 0);
  std::vector<lf::event> all;
  for (int i = 0; i < 3; ++i) {
    all.push_back(q.launch(note(i), anywhere));
    all.push_back(with_buffer(2, 1));
    q.launch(note(10 + i), anywhere);
  }
  EXPECT_EQ(lf::host_accessor<int>(x)[0], 7);
  q.wait();
  EXPECT_EQ(seen, (std::vector{0, 10, 1, 11, 2, 12}));
  for (lf::event& e : all) {
    e.wait();
    EXPECT_EQ(e.get_info<execution_status>(), command_status::complete);
  }
}

TEST_F(eventless_commands, are_not_for_graphs_to_depend_on) {
  lf::queue q = queue();
  const lf::event before = q.launch(note(1), anywhere);
  q.wait();
  lf::graph::command_graph g(q);
  const auto add = [&] {
    g.add([&](lf::handler& h) {
      h.depends_on(before);
      h.launch(note(2), anywhere);
    });
  };
  EXPECT_NE(text_thrown_by(add).find("no node"), std::string::npos);
}

TEST_F(eventless_commands, of_a_graph_are_all_but_two) {
  lf::queue q = queue();
  lf::graph::command_graph g(q);
  g.begin_recording(q);
  for (int i = 0; i < 10; ++i) {
    q.launch(note(i), anywhere);
  }
  g.end_recording();
  const auto whole = g.finalize();
  q.ext_oneapi_graph(whole);
  q.launch(note(10), anywhere);
  q.wait();
  EXPECT_EQ(seen, (std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(device().events, 2U);
}

TEST_F(eventless_commands, that_are_refused_fail) {
  lf::queue q = queue();
  action refused = note(2);
  refused.is_refused = true;
  q.launch(note(1), anywhere);
  lf::event failed = q.launch(refused, anywhere);
  lf::event later = q.launch(note(3), anywhere);
  EXPECT_EQ(text_thrown_by([&] { failed.wait(); }), "lazy is refused");
  EXPECT_NE(text_thrown_by([&] { later.wait(); }).find("did not run"), std::string::npos);
  static_cast<void>(text_thrown_by([&] { q.wait(); }));
  q.launch(note(4), anywhere);
  q.wait();
  EXPECT_EQ(seen, (std::vector{1, 4}));
}

TEST_F(eventless_commands, that_fail_later_tell_it) {
  std::vector<std::string> told;
  const auto tell = [&](lf::exception_list all) {
    for (const std::exception_ptr& e : all) {
      told.push_back(text_thrown_by([&] { std::rethrow_exception(e); }));
    }
  };
  for (const bool has_handler : {false, true}) {
    seen.clear();
    std::optional<lf::queue> q(queue(has_handler ? lf::async_handler(tell) : lf::async_handler()));
    lf::event first = q->launch(note(1), anywhere);
    device().lost = device().last() + 1;
    lf::event second = q->launch(note(2), anywhere);
    lf::event third = q->launch(note(3), anywhere);
    const std::string text = text_thrown_by([&] { q->wait_and_throw(); });
    EXPECT_EQ(text, has_handler ? "" : "lazy is lost");
    EXPECT_EQ(seen, std::vector{1});
    lf::event behind = q->submit([&](lf::handler& h) {
      h.depends_on(second);
      h.launch(note(4), anywhere);
    });
    std::string of_behind = text_thrown_by([&] { behind.wait_and_throw(); });
    if (has_handler) {
      ASSERT_EQ(told.size(), 2U);
      EXPECT_EQ(told[0], "lazy is lost");
      of_behind = told[1];
    }
    EXPECT_NE(of_behind.find("did not run"), std::string::npos) << of_behind;
    first.wait();
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(text_thrown_by([&] { second.wait(); }), has_handler ? "" : "lazy is lost");
      EXPECT_EQ(text_thrown_by([&] { third.wait(); }).find("did not run") != std::string::npos, !has_handler);
      EXPECT_EQ(second.get_info<execution_status>(), command_status::complete);
      q.reset(); // the events still know
    }
    std::atomic<bool> ran{false};
    lf::queue cpu;
    cpu.submit([&](lf::handler& h) {
      h.depends_on(second);
      h.host_task([&] { ran = true; });
    });
    EXPECT_NE(text_thrown_by([&] { cpu.wait(); }).find("did not run"), std::string::npos);
    EXPECT_FALSE(ran);
    device().start_again();
  }
}

TEST_F(eventless_commands, do_not_pile_up) {
  lf::queue q = queue();
  const action same = note(0);
  for (int i = 0; i < 20'000; ++i) {
    q.launch(same, anywhere);
    device().run_to(device().last());
    ASSERT_LT(same.name.use_count(), 5000);
  }
  EXPECT_LT(device().events, 100U);
  q.wait();
  EXPECT_EQ(same.name.use_count(), 1);
}

TEST_F(eventless_commands, come_from_many_threads) {
  lf::queue q = queue();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      lf::event mine;
      for (int i = 0; i < 500; ++i) {
        lf::event before = std::exchange(mine, q.submit([&](lf::handler& h) {
          h.depends_on(mine);
          h.launch(note(t), anywhere);
        }));
        if (i % 50 == t) {
          before.wait();
        } else if (i % 50 == 10 + t) {
          q.wait();
        } else if (i % 50 == 20 + t) {
          (void)mine.get_info<execution_status>();
        }
      }
      mine.wait();
    });
  }
  for (std::thread& t : threads) {
    t.join();
  }
  q.wait();
  EXPECT_EQ(seen.size(), 2000U);
}

TEST_F(eventless_commands, are_complete_when_their_queue_is_gone) {
  lf::event e;
  {
    lf::queue q = queue();
    e = q.launch(note(1), anywhere);
  }
  EXPECT_EQ(seen, std::vector{1});
  EXPECT_EQ(e.get_info<execution_status>(), command_status::complete);
  e.wait();
}

using plain_maker = ld::launch_maker<ld::device_kernels<plain_action>>;

TEST_F(eventless_commands, need_no_command_group) {
  lf::queue q = queue();
  plain_maker::groups = 0;
  lf::event first = q.launch(plain_action{note(1)}, anywhere);
  q.launch(note(2), anywhere);
  const lf::event last = q.launch(plain_action{note(3)}, anywhere);
  EXPECT_EQ(plain_maker::groups, 0);
  first.wait();
  EXPECT_EQ(seen, std::vector<int>{1});
  EXPECT_EQ(last.get_info<execution_status>(), command_status::submitted);
  q.wait();
  EXPECT_EQ(seen, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(last.get_info<execution_status>(), command_status::complete);
}

TEST_F(eventless_commands, have_a_command_group_where_the_queue_needs_one) {
  lf::queue unordered{lf::device(lazy_platforms().front()->devices.data())};
  lf::queue q = queue();
  plain_maker::groups = 0;
  unordered.launch(plain_action{note(1)}, anywhere);
  unordered.wait();
  EXPECT_EQ(plain_maker::groups, 1);
  lf::graph::command_graph g(q);
  g.begin_recording(q);
  q.launch(plain_action{note(2)}, anywhere);
  g.end_recording();
  EXPECT_EQ(plain_maker::groups, 2);
  q.wait();
  EXPECT_EQ(seen, std::vector<int>{1}); // the other one is a node
}

TEST_F(eventless_commands, that_the_device_refuses_fail_as_commands) {
  lf::queue q = queue();
  plain_action refused{note(1)};
  refused.is_refused = true;
  const lf::event failed = q.launch(refused, anywhere);
  EXPECT_NE(text_thrown_by([&] { q.wait(); }).find("lazy is refused"), std::string::npos);
  EXPECT_EQ(failed.get_info<execution_status>(), command_status::complete);
  q.launch(plain_action{note(2)}, anywhere);
  q.wait();
  EXPECT_EQ(seen, std::vector<int>{2});
}

} // namespace
