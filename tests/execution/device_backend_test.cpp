// SPDX-License-Identifier: Apache-2.0
// The command graph with devices that have memory of their own and complete commands by themselves: a device that is a
// thread, so that sanitizers see all of it. (OpenCL devices have tests in tests/gpu.)
#include <lanefold/execution.hpp>
#include <lanefold/execution/detail/device_backend.hpp>
#include <lanefold/execution/detail/platform_entry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <any>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace lf = lanefold;
namespace ld = lanefold::detail;

namespace {

class toy_event final : public ld::device_event {
public:
  lf::info::event_command_status status() noexcept override {
    const std::lock_guard lock(m_guard);
    return m_complete ? lf::info::event_command_status::complete : lf::info::event_command_status::running;
  }
  void wait() noexcept override {
    std::unique_lock lock(m_guard);
    m_changed.wait(lock, [&] { return m_complete; });
  }
  void when_complete(void (*notify)(void*), void* argument) noexcept override {
    {
      const std::lock_guard lock(m_guard);
      if (!m_complete) {
        m_notify.push_back([=] { notify(argument); });
        return;
      }
    }
    notify(argument);
  }
  std::exception_ptr error() noexcept override {
    const std::lock_guard lock(m_guard);
    return m_error;
  }
  times profile() override { return {100, 200, 300}; }

  void complete(std::exception_ptr error) {
    std::vector<std::function<void()>> notify;
    {
      const std::lock_guard lock(m_guard);
      m_complete = true;
      m_error = std::move(error);
      notify.swap(m_notify);
      m_changed.notify_all();
    }
    for (const std::function<void()>& n : notify) {
      n();
    }
  }

private:
  mutable std::mutex m_guard;
  std::condition_variable m_changed;
  bool m_complete = false;
  std::exception_ptr m_error;
  std::vector<std::function<void()>> m_notify;
};

class toy_device;

class toy_queue final : public ld::device_queue {
public:
  explicit toy_queue(toy_device& home) : m_home(home) {}
  ld::device_backend& home() const noexcept override;
  toy_device& device() const noexcept { return m_home; }

private:
  toy_device& m_home;
};

class toy_memory final : public ld::device_memory {
public:
  toy_memory(toy_device& home, std::size_t bytes) : m_home(home), m_bytes(bytes) {}
  ld::device_event_ptr write(ld::device_queue& on, std::size_t offset, const std::byte* from,
                             std::size_t bytes) override;
  void read(std::size_t offset, std::byte* to, std::size_t bytes) override;
  std::byte* data() noexcept { return m_bytes.data(); }

private:
  toy_device& m_home;
  std::vector<std::byte> m_bytes;
};

/// Runs one command after the other in an order of its own that keeps to what they come after.
class toy_device final : public ld::device_backend {
public:
  toy_device() : m_thread([this] { work(); }) { m_thread.detach(); }

  ld::device_event_ptr enqueue(std::vector<ld::device_event_ptr> after, std::function<void()> what) {
    auto made = std::make_shared<toy_event>();
    const std::lock_guard lock(m_guard);
    m_commands.push_back({std::move(after), std::move(what), made});
    m_changed.notify_all();
    return made;
  }
  std::size_t copied() const noexcept { return m_copied.load(); }
  void count_copy() noexcept { m_copied.fetch_add(1); }

  bool is_visible() const override { return true; }
  bool has(lf::aspect asked) const noexcept override { return asked == lf::aspect::accelerator; }
  std::any answer(const std::type_info& query) const override {
    if (query == typeid(lf::info::device::name)) {
      return std::string("toy");
    }
    throw lf::exception(make_error_code(lf::errc::feature_not_supported), "toy");
  }
  std::unique_ptr<ld::device_queue> make_queue(bool, bool) override { return std::make_unique<toy_queue>(*this); }
  std::unique_ptr<ld::device_memory> allocate(std::size_t bytes) override {
    if (bytes > (std::size_t{1} << 30)) {
      throw lf::exception(make_error_code(lf::errc::memory_allocation), "the toy has not that much memory");
    }
    return std::make_unique<toy_memory>(*this, bytes);
  }
  ld::usm_source& usm() noexcept override { return m_usm; }
  std::unique_ptr<ld::launch> make_copy(const ld::launch_settings& settings, void* to, const void* from,
                                        std::size_t bytes) override;
  std::unique_ptr<ld::launch> make_fill(const ld::launch_settings& settings, void* to, const void* pattern,
                                        std::size_t width, std::size_t count) override;
  // Left to the host.
  std::unique_ptr<ld::launch> make_copy(const ld::launch_settings&, const ld::copy_side&, const ld::copy_side&,
                                        std::size_t, std::shared_ptr<const void>) override {
    return nullptr;
  }
  std::unique_ptr<ld::launch> make_fill(const ld::launch_settings&, const ld::copy_side&, const void*, std::size_t,
                                        std::size_t) override {
    return nullptr;
  }

private:
  struct item {
    std::vector<ld::device_event_ptr> after;
    std::function<void()> what;
    std::shared_ptr<toy_event> event;
  };
  class toy_usm final : public ld::usm_source {
  public:
    void* allocate(std::size_t bytes, std::size_t, lf::usm::alloc kind) override {
      if (kind == lf::usm::alloc::shared) {
        throw lf::exception(make_error_code(lf::errc::feature_not_supported), "the toy shares no memory");
      }
      return std::malloc(bytes);
    }
    void free(void* memory) noexcept override { std::free(memory); }
  };

  void work() {
    std::mt19937 random(7);
    for (;;) {
      item next;
      {
        std::unique_lock lock(m_guard);
        const auto is_ready = [](const item& i) {
          return std::all_of(i.after.begin(), i.after.end(), [](const ld::device_event_ptr& e) {
            return e->status() == lf::info::event_command_status::complete;
          });
        };
        m_changed.wait(lock, [&] { return std::any_of(m_commands.begin(), m_commands.end(), is_ready); });
        std::vector<std::deque<item>::iterator> ready;
        for (auto i = m_commands.begin(); i != m_commands.end(); ++i) {
          if (is_ready(*i)) {
            ready.push_back(i);
          }
        }
        const auto chosen = ready[random() % ready.size()];
        next = std::move(*chosen);
        m_commands.erase(chosen);
      }
      if (random() % 4 == 0) {
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 100));
      }
      std::exception_ptr error;
      try {
        for (const ld::device_event_ptr& e : next.after) {
          if (e->error()) {
            throw std::runtime_error("an earlier command failed");
          }
        }
        next.what();
      } catch (...) {
        error = std::current_exception();
      }
      next.event->complete(error);
      next = item();
    }
  }

  std::mutex m_guard;
  std::condition_variable m_changed;
  std::deque<item> m_commands;
  std::atomic<std::size_t> m_copied{0};
  toy_usm m_usm;
  std::thread m_thread;
};

ld::device_backend& toy_queue::home() const noexcept { return m_home; }

ld::device_event_ptr toy_memory::write(ld::device_queue&, std::size_t offset, const std::byte* from,
                                       std::size_t bytes) {
  m_home.count_copy();
  return m_home.enqueue({}, [=, this] { std::memcpy(m_bytes.data() + offset, from, bytes); });
}

void toy_memory::read(std::size_t offset, std::byte* to, std::size_t bytes) {
  m_home.count_copy();
  m_home.enqueue({}, [=, this] { std::memcpy(to, m_bytes.data() + offset, bytes); })->wait();
}

class toy_launch final : public ld::device_launch {
public:
  struct argument {
    std::shared_ptr<ld::buffer_state> buffer;
    std::size_t begin;
  };
  using kernel = std::function<void(const std::vector<int*>&)>;

  toy_launch(const ld::launch_settings& settings, kernel what, std::vector<argument> arguments)
      : device_launch(settings, "toy"), m_what(std::move(what)), m_arguments(std::move(arguments)) {}

  ld::device_event_ptr start(ld::device_queue& on, const std::vector<ld::device_event_ptr>& after) override {
    toy_device& device = static_cast<toy_queue&>(on).device();
    std::vector<int*> pointers;
    for (const argument& a : m_arguments) {
      auto& memory = static_cast<toy_memory&>(a.buffer->memory_on(device));
      pointers.push_back(reinterpret_cast<int*>(memory.data() + a.begin));
    }
    return device.enqueue(after, [what = m_what, pointers] { what(pointers); });
  }

private:
  kernel m_what;
  std::vector<argument> m_arguments;
};

std::unique_ptr<ld::launch> toy_device::make_copy(const ld::launch_settings& settings, void* to, const void* from,
                                                  std::size_t bytes) {
  return std::make_unique<toy_launch>(
      settings, [=](const std::vector<int*>&) { std::memcpy(to, from, bytes); }, std::vector<toy_launch::argument>());
}

std::unique_ptr<ld::launch> toy_device::make_fill(const ld::launch_settings& settings, void* to, const void* pattern,
                                                  std::size_t width, std::size_t count) {
  const std::vector<std::byte> kept(static_cast<const std::byte*>(pattern),
                                    static_cast<const std::byte*>(pattern) + width);
  return std::make_unique<toy_launch>(
      settings,
      [=](const std::vector<int*>&) {
        for (std::size_t i = 0; i < count; ++i) {
          std::memcpy(static_cast<std::byte*>(to) + i * width, kept.data(), width);
        }
      },
      std::vector<toy_launch::argument>());
}

/// Two devices of one platform.
const std::vector<const ld::platform_entry*>& toy_platforms() {
  static const auto* const all = [] {
    auto* const made = new ld::platform_entry{lf::backend::opencl, {}, "toys", "tests", "1", "FULL_PROFILE", {}};
    for (int i = 0; i < 2; ++i) {
      made->devices.push_back({made, lf::info::device_type::accelerator, new toy_device});
    }
    return new std::vector<const ld::platform_entry*>{made};
  }();
  return *all;
}

/// Another backend, with one device and kernels of its own.
const std::vector<const ld::platform_entry*>& other_platforms() {
  static const auto* const all = [] {
    auto* const made = new ld::platform_entry{lf::backend::opencl, {}, "others", "tests", "1", "FULL_PROFILE", {}};
    made->devices.push_back({made, lf::info::device_type::custom, new toy_device});
    return new std::vector<const ld::platform_entry*>{made};
  }();
  return *all;
}

/// A kernel of the other backend: x[0 .. count) += add.
struct other_kernel {
  std::size_t count;
  int add;
};

class device_backend : public testing::Test {
protected:
  static void SetUpTestSuite() { ld::add_platforms(&toy_platforms); }
  static void TearDownTestSuite() { ld::remove_platforms(&toy_platforms); }

  static lf::device toy(std::size_t which = 0) { return lf::device(&toy_platforms().front()->devices[which]); }
  static toy_device& backend(std::size_t which = 0) { return static_cast<toy_device&>(*toy(which).entry()->native); }
};

lf::errc thrown_by(const std::function<void()>& work, std::string* text = nullptr) {
  try {
    work();
  } catch (const lf::exception& e) {
    if (text != nullptr) {
      *text = e.what();
    }
    return static_cast<lf::errc>(e.code().value());
  }
  return lf::errc::success;
}

} // namespace

/// h.launch(toy_launch::kernel, any nd_range, accessors…)
template <class Kernel>
  requires std::is_convertible_v<Kernel, toy_launch::kernel>
struct lanefold::detail::launch_maker<lanefold::detail::device_kernels<Kernel>> {
  template <class... Accessors>
  static std::unique_ptr<launch> make(handler& h, const toy_launch::kernel& k, const nd_range<1>&,
                                      const Accessors&... accessors) {
    std::vector<toy_launch::argument> arguments;
    const auto take = [&](const buffer_requirement& r) { arguments.push_back({r.buffer, r.begin}); };
    (take(accessors.requirement()), ...);
    static_cast<void>(take);
    return std::make_unique<toy_launch>(h.common_settings(), k, std::move(arguments));
  }
};

/// h.launch(other_kernel, any nd_range, accessor): for the other backend only.
template <>
struct lanefold::detail::launch_maker<lanefold::detail::device_kernels<other_kernel>> {
  template <class Accessor>
  static std::unique_ptr<launch> make(handler& h, const other_kernel& k, const nd_range<1>&, const Accessor& x) {
    if (h.common_settings().device != other_platforms().front()->devices.front().native) {
      throw exception(make_error_code(errc::kernel_not_supported), "a kernel of another backend");
    }
    const buffer_requirement r = x.requirement();
    const auto add = [k](const std::vector<int*>& p) {
      std::for_each(p[0], p[0] + k.count, [&](int& each) { each += k.add; });
    };
    return std::make_unique<toy_launch>(h.common_settings(), add,
                                        std::vector<toy_launch::argument>{{r.buffer, r.begin}});
  }
};

namespace {

const lf::nd_range<1> anywhere(1, 1);

/// x[0 .. n) = x * factor + add
toy_launch::kernel change(std::size_t n, int factor, int add) {
  return [=](const std::vector<int*>& p) {
    for (std::size_t i = 0; i < n; ++i) {
      p[0][i] = p[0][i] * factor + add;
    }
  };
}

/// A node that changes a buffer.
template <class Graph>
void add_change(Graph& g, lf::buffer<int>& x, int factor, int add) {
  g.add([&](lf::handler& h) {
    const lf::accessor a(x, h, lf::read_write);
    h.launch(change(x.size(), factor, add), anywhere, a);
  });
}

TEST_F(device_backend, a_graph_is_one_command_whose_nodes_keep_their_order) {
  lf::queue q(toy());
  lf::buffer<int> x(4), y(4);
  q.submit([&](lf::handler& h) { h.fill(lf::accessor(x, h, lf::write_only), 1); });
  q.submit([&](lf::handler& h) { h.fill(lf::accessor(y, h, lf::write_only), 100); });
  lf::graph::command_graph g(q);
  add_change(g, x, 2, 0);
  add_change(g, x, 1, 3);
  add_change(g, y, 1, 1);
  g.add([&](lf::handler& h) {
    const lf::accessor to(x, h, lf::read_write);
    const lf::accessor from(y, h, lf::read_only);
    h.launch([](const std::vector<int*>& p) { p[0][0] += p[1][0]; }, anywhere, to, from);
  });
  lf::graph::node nothing = g.add(lf::graph::property::node::depends_on_all_leaves());
  g.add([&](lf::handler& h) {
    const lf::accessor to(x, h, lf::read_write);
    h.launch(change(4, 1, 1000), anywhere, to);
  });
  auto exec = g.finalize();
  int expected[2] = {1, 1};
  for (int run = 1; run <= 3; ++run) {
    const lf::event done = q.ext_oneapi_graph(exec);
    expected[0] = expected[0] * 2 + 3 + (100 + run) + 1000;
    expected[1] = expected[1] * 2 + 3 + 1000;
    std::vector<int> seen; // by a command of the host that comes after the event
    q.submit([&](lf::handler& h) {
      h.depends_on(done);
      const lf::accessor<int, 1, lf::access_mode::read, lf::target::host_task> a(x, h);
      h.host_task([=, &seen] { seen.assign({a[0], a[1]}); });
    });
    q.wait();
    EXPECT_EQ(seen, (std::vector{expected[0], expected[1]})) << run;
  }
  EXPECT_EQ(nothing.get_predecessors().size(), 1U);
  EXPECT_EQ(lf::host_accessor<int>(y)[0], 103);
}

TEST_F(device_backend, a_graph_gets_other_commands_by_updates) {
  lf::queue q(toy());
  lf::buffer<int> x(2);
  q.submit([&](lf::handler& h) { h.fill(lf::accessor(x, h, lf::write_only), 1); });
  lf::graph::command_graph g(q), other(q);
  add_change(g, x, 1, 1);
  add_change(g, x, 2, 0);
  add_change(other, x, 1, 10);
  add_change(other, x, 3, 0);
  auto exec = g.finalize(lf::graph::property::graph::updatable());
  q.ext_oneapi_graph(exec); // (1 + 1) * 2
  exec.update(other);
  q.ext_oneapi_graph(exec); // (4 + 10) * 3
  EXPECT_EQ(lf::host_accessor<int>(x)[0], 42);
}

TEST_F(device_backend, errors_of_nodes_are_those_of_the_graph) {
  std::vector<std::string> seen;
  lf::queue q(toy(), [&](lf::exception_list all) {
    for (const std::exception_ptr& each : all) {
      try {
        std::rethrow_exception(each);
      } catch (const std::exception& e) {
        seen.emplace_back(e.what());
      }
    }
  });
  lf::buffer<int> x(1);
  bool fails = true;
  lf::graph::command_graph g(q);
  add_change(g, x, 0, 1);
  g.add([&](lf::handler& h) {
    const lf::accessor a(x, h, lf::read_write);
    h.launch(
        [&fails](const std::vector<int*>&) {
          if (fails) {
            throw std::runtime_error("the second node");
          }
        },
        anywhere, a);
  });
  add_change(g, x, 1, 5);
  auto exec = g.finalize();
  q.ext_oneapi_graph(exec);
  q.wait_and_throw();
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_NE(seen[0].find("the second node"), std::string::npos) << seen[0];
  fails = false;
  q.ext_oneapi_graph(exec);
  q.wait_and_throw();
  EXPECT_EQ(seen.size(), 1U);
  EXPECT_EQ(lf::host_accessor<int>(x)[0], 6);
}

TEST_F(device_backend, graphs_of_devices_refuse_what_is_not_theirs) {
  lf::queue q(toy());
  lf::graph::command_graph g(q);
  std::string why;
  EXPECT_EQ(thrown_by([&] { g.add([](lf::handler& h) { h.host_task([] {}); }); }, &why),
            lf::errc::feature_not_supported);
  EXPECT_NE(why.find("runs on the host"), std::string::npos) << why;
  auto nothing = g.finalize();
  q.ext_oneapi_graph(nothing).wait();
  g.add();
  auto empty = g.finalize();
  q.ext_oneapi_graph(empty).wait();
  EXPECT_EQ(thrown_by([&] { lf::queue(toy(1)).ext_oneapi_graph(empty); }), lf::errc::invalid);
  EXPECT_EQ(thrown_by([&] { lf::queue().ext_oneapi_graph(empty); }, &why), lf::errc::invalid);
  EXPECT_NE(why.find("another device"), std::string::npos) << why;
  lf::graph::command_graph of_cpu{lf::queue()};
  auto on_cpu = of_cpu.finalize();
  EXPECT_EQ(thrown_by([&] { q.ext_oneapi_graph(on_cpu); }), lf::errc::invalid);
}

TEST_F(device_backend, is_one_of_the_platforms) {
  EXPECT_EQ(lf::platform::get_platforms().size(), 2u);
  EXPECT_EQ(lf::device::get_devices(lf::info::device_type::accelerator).size(), 2u);
  EXPECT_EQ(lf::queue(lf::accelerator_selector_v).get_device(), toy());
  EXPECT_EQ(toy().get_name(), "toy");
  EXPECT_EQ(toy().get_platform().get_info<lf::info::platform::name>(), "toys");
  EXPECT_EQ(thrown_by([] { (void)toy().get_info<lf::info::device::vendor_id>(); }), lf::errc::feature_not_supported);
  EXPECT_EQ(lf::queue(toy()).get_context(), lf::queue(toy()).get_context());
  EXPECT_NE(lf::queue(toy(0)).get_context(), lf::queue(toy(1)).get_context());
  EXPECT_EQ(thrown_by([] { const lf::context both(toy().get_platform()); }), lf::errc::feature_not_supported);
}

/// Backends do not know of each other: each has platforms, devices, kernels, memory.
TEST_F(device_backend, is_one_of_several) {
  ld::add_platforms(&other_platforms);
  ld::add_platforms(&other_platforms); // changes nothing
  const std::vector<lf::platform> platforms = lf::platform::get_platforms();
  ASSERT_EQ(platforms.size(), 3u);
  EXPECT_EQ(platforms[1].get_info<lf::info::platform::name>(), "toys");
  EXPECT_EQ(platforms[2].get_info<lf::info::platform::name>(), "others");
  const std::vector<lf::device> customs = lf::device::get_devices(lf::info::device_type::custom);
  ASSERT_EQ(customs.size(), 1u);
  lf::queue first(toy()), second(customs.front());
  constexpr std::size_t n = 100;
  std::vector<int> host(n, 1);
  {
    lf::buffer<int> values(host);
    const auto run = [&](lf::queue& on, const auto& kernel) {
      on.submit([&](lf::handler& h) { h.launch(kernel, anywhere, lf::accessor(values, h)); });
    };
    for (int i = 0; i < 5; ++i) {
      run(first, change(n, 2, 0));
      run(second, other_kernel{n, 3});
    }
    std::string why;
    EXPECT_EQ(thrown_by([&] { run(first, other_kernel{n, 3}); }, &why), lf::errc::kernel_not_supported);
    EXPECT_EQ(why, "a kernel of another backend");
  }
  EXPECT_EQ(host, std::vector<int>(n, 32 + 3 * 31));
  int* const memory = lf::malloc_device<int>(n, second);
  second.fill(memory, 7, n);
  std::vector<int> copied(n);
  second.wait();
  second.memcpy(copied.data(), memory, n * sizeof(int)).wait();
  EXPECT_EQ(copied, std::vector<int>(n, 7));
  lf::free(memory, second);
  ld::remove_platforms(&other_platforms);
  EXPECT_EQ(lf::platform::get_platforms().size(), 2u);
  EXPECT_TRUE(lf::device::get_devices(lf::info::device_type::custom).empty());
}

TEST_F(device_backend, copies_only_what_is_not_there_yet) {
  constexpr std::size_t n = 100;
  std::vector<int> host(n, 1);
  const std::size_t before = backend().copied();
  {
    lf::queue q(toy());
    lf::buffer<int> values(host);
    for (int i = 0; i < 10; ++i) {
      q.submit([&](lf::handler& h) { h.launch(change(n, 2, 0), anywhere, lf::accessor(values, h)); });
    }
  }
  EXPECT_EQ(host, std::vector<int>(n, 1024));
  EXPECT_EQ(backend().copied() - before, 2u); // there, and back
}

TEST_F(device_backend, what_is_written_without_being_read_is_not_copied) {
  constexpr std::size_t n = 100;
  const std::size_t before = backend().copied();
  lf::queue q(toy());
  lf::buffer<int> values{lf::range<1>(n)};
  q.submit([&](lf::handler& h) {
    const lf::accessor x(values, h, lf::write_only, lf::no_init);
    h.launch([](const std::vector<int*>& p) { std::iota(p[0], p[0] + 100, 0); }, anywhere, x);
  });
  EXPECT_EQ(lf::host_accessor(values, lf::read_only)[99], 99);
  EXPECT_EQ(lf::host_accessor(values, lf::read_only)[98], 98);
  EXPECT_EQ(backend().copied() - before, 1u);
}

TEST_F(device_backend, a_chain_on_one_device_is_handed_over_at_once) {
  lf::queue q(toy());
  lf::buffer<int> value{lf::range<1>(1)};
  std::mutex gate;
  std::unique_lock closed(gate);
  q.submit([&](lf::handler& h) {
    h.launch(
        [&gate](const std::vector<int*>& p) {
          const std::lock_guard wait_for(gate);
          p[0][0] = 1;
        },
        anywhere, lf::accessor(value, h, lf::write_only, lf::no_init));
  });
  std::vector<lf::event> all;
  for (int i = 0; i < 200; ++i) {
    all.push_back(q.submit([&](lf::handler& h) { h.launch(change(1, 1, 1), anywhere, lf::accessor(value, h)); }));
  }
  // Given to the device already: "submitted" is what waits in the graph of the host.
  for (const lf::event& e : all) {
    EXPECT_EQ(e.get_info<lf::info::event::command_execution_status>(), lf::info::event_command_status::running);
  }
  EXPECT_FALSE(all.back().get_wait_list().empty());
  closed.unlock();
  all[10].wait();
  all.back().wait();
  EXPECT_TRUE(all.back().get_wait_list().empty());
  EXPECT_EQ(lf::host_accessor(value)[0], 201);
}

TEST_F(device_backend, errors_reach_the_host_and_what_depends_on_them) {
  for (const bool in_order : {false, true}) {
    lf::queue q = in_order ? lf::queue(toy(), lf::property::queue::in_order()) : lf::queue(toy());
    lf::buffer<int> value{lf::range<1>(1)};
    const auto fail = [](const std::vector<int*>&) { throw std::runtime_error("on purpose"); };
    lf::event failed = q.submit([&](lf::handler& h) { h.launch(fail, anywhere, lf::accessor(value, h)); });
    lf::event later = q.submit([&](lf::handler& h) { h.launch(change(1, 1, 0), anywhere, lf::accessor(value, h)); });
    std::atomic<bool> ran{false};
    lf::queue cpu;
    lf::event host = cpu.submit([&](lf::handler& h) {
      h.depends_on(later);
      h.host_task([&] { ran.store(true); });
    });
    EXPECT_THROW(host.wait(), lf::exception);
    EXPECT_FALSE(ran.load());
    EXPECT_THROW(later.wait(), lf::exception);
    try {
      q.wait_and_throw();
    } catch (const std::exception& e) {
      EXPECT_NE(std::string(e.what()).find("on purpose"), std::string::npos);
    }
    try {
      cpu.wait();
    } catch (const lf::exception&) {
    }
    q.submit([&](lf::handler& h) { h.launch(change(1, 0, 5), anywhere, lf::accessor(value, h)); });
    EXPECT_EQ(lf::host_accessor(value)[0], 5);
    try {
      failed.wait();
    } catch (const std::exception&) {
    }
  }
}

TEST_F(device_backend, a_command_that_cannot_be_started_fails) {
  lf::queue q(toy());
  std::string text;
  lf::buffer<int> part{lf::range<1>(std::size_t{1} << 29)}; // of which no page is touched
  const lf::event e = q.submit([&](lf::handler& h) { h.launch(change(1, 1, 0), anywhere, lf::accessor(part, h)); });
  EXPECT_EQ(thrown_by([&] { q.wait_and_throw(); }, &text), lf::errc::memory_allocation);
  EXPECT_EQ(e.get_info<lf::info::event::command_execution_status>(), lf::info::event_command_status::complete);
}

TEST_F(device_backend, usm_is_the_devices) {
  lf::queue q(toy());
  int* const x = lf::malloc_device<int>(10, q);
  ASSERT_NE(x, nullptr);
  EXPECT_EQ(lf::get_pointer_type(x, q), lf::usm::alloc::device);
  const std::vector<int> values(10, 3);
  std::vector<int> result(10);
  lf::event e = q.copy(values.data(), x, 5);
  e = q.fill(x + 5, 8, 5, e);
  q.copy(x, result.data(), 10, e).wait();
  EXPECT_EQ(result, (std::vector<int>{3, 3, 3, 3, 3, 8, 8, 8, 8, 8}));
  EXPECT_EQ(thrown_by([&] { (void)lf::malloc_shared<int>(1, q); }), lf::errc::feature_not_supported);
  EXPECT_EQ(thrown_by([&] { lf::free(x, lf::queue()); }), lf::errc::invalid);
  lf::free(x, q);
}

TEST_F(device_backend, profiling_is_that_of_the_device) {
  namespace profiling = lf::info::event_profiling;
  lf::queue q(toy(), lf::property::queue::enable_profiling());
  const lf::event e = q.submit([&](lf::handler& h) { h.launch([](const std::vector<int*>&) {}, anywhere); });
  const auto submitted = e.get_profiling_info<profiling::command_submit>();
  EXPECT_EQ(e.get_profiling_info<profiling::command_start>(), submitted + 100);
  EXPECT_EQ(e.get_profiling_info<profiling::command_end>(), submitted + 200);
}

TEST_F(device_backend, finished_commands_are_let_go_of) {
  lf::queue q(toy(), lf::property::queue::in_order());
  const auto kept = std::make_shared<int>(0);
  for (int i = 0; i < 2000; ++i) {
    q.submit([&](lf::handler& h) { h.launch([kept](const std::vector<int*>&) { ++*kept; }, anywhere); });
    if (i % 100 == 99) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  q.wait();
  EXPECT_EQ(*kept, 2000);
  for (int i = 0; i < 1000 && kept.use_count() > 1; ++i) { // the device's thread lets go of the last one
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(kept.use_count(), 1);
}

TEST_F(device_backend, many_threads_submit_and_wait) {
  lf::queue q(toy());
  lf::buffer<int> sum{lf::range<1>(1)};
  q.submit([&](lf::handler& h) { h.launch(change(1, 0, 0), anywhere, lf::accessor(sum, h)); });
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        lf::event e = q.submit([&](lf::handler& h) { h.launch(change(1, 1, 1), anywhere, lf::accessor(sum, h)); });
        if ((i + t) % 3 == 0) {
          e.wait();
        }
      }
      q.wait();
    });
  }
  for (std::thread& t : threads) {
    t.join();
  }
  EXPECT_EQ(lf::host_accessor(sum)[0], 400);
}

TEST_F(device_backend, random_graphs_are_as_if_one_after_the_other) {
  std::mt19937 random(20261121);
  constexpr std::size_t n = 64, part = 16, buffers = 3;
  std::vector<lf::queue> queues;
  queues.emplace_back();
  queues.emplace_back(toy(0));
  queues.emplace_back(toy(0), lf::property::queue::in_order());
  queues.emplace_back(toy(1));
  for (int graph = 0; graph < 60; ++graph) {
    std::vector<std::vector<int>> expected(buffers, std::vector<int>(n)), real;
    for (std::size_t b = 0; b < buffers; ++b) {
      std::iota(expected[b].begin(), expected[b].end(), static_cast<int>(100 * b));
    }
    real = expected;
    {
      std::vector<lf::buffer<int>> all;
      for (std::vector<int>& r : real) {
        all.emplace_back(r.data(), lf::range<1>(n));
      }
      for (int command = 0; command < 30; ++command) {
        const std::size_t from = random() % buffers;
        const std::size_t to = (from + 1 + random() % (buffers - 1)) % buffers;
        const std::size_t at = random() % (n / part);
        const std::size_t count = part * (1 + random() % (n / part - at));
        const lf::range<1> extent(count);
        const lf::id<1> first(at * part);
        const bool takes_all = random() % 2 == 0;
        lf::queue& q = queues[random() % queues.size()];
        q.submit([&](lf::handler& h) {
          const lf::accessor in(all[from], h, extent, first, lf::read_only);
          const lf::accessor out(all[to], h, extent, first, lf::read_write);
          const auto combine = [=](const int* a, int* b) {
            for (std::size_t i = 0; i < count; ++i) {
              b[i] = (takes_all ? b[i] : b[i] / 2) + a[i] % 1000;
            }
          };
          if (q.get_backend() == lf::backend::opencl) {
            h.launch([=](const std::vector<int*>& p) { combine(p[0], p[1]); }, anywhere, in, out);
          } else {
            h.single_task([=] { combine(&in[0], &out[0]); });
          }
        });
        for (std::size_t i = at * part; i < at * part + count; ++i) {
          expected[to][i] = (takes_all ? expected[to][i] : expected[to][i] / 2) + expected[from][i] % 1000;
        }
        if (random() % 8 == 0) {
          const lf::host_accessor look(all[to], lf::read_only);
          ASSERT_EQ(look[first[0]], expected[to][first[0]]);
        }
      }
    }
    ASSERT_EQ(real, expected) << "graph " << graph;
  }
}

} // namespace
