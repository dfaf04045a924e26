// SPDX-License-Identifier: Apache-2.0
/// A device that has memory of its own and completes commands by itself: it is a thread, so that sanitizers see all of
/// it. Its kernels are functions of the host.
#pragma once

#include "thrown.hpp"
#include "toy_backend.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/execution/detail/buffer_state.hpp>

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
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace toy_devices {

namespace lf = lanefold;
namespace ld = lanefold::detail;

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
class toy_device final : public toy::backend {
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

  std::any answer(const std::type_info& query) const override {
    if (query == typeid(lf::info::device::name)) {
      return std::string("toy");
    }
    return backend::answer(query);
  }
  std::unique_ptr<ld::device_queue> make_queue(bool, bool) override { return std::make_unique<toy_queue>(*this); }
  std::unique_ptr<ld::device_memory> allocate(std::size_t bytes) override {
    if (bytes > (std::size_t{1} << 30)) {
      throw lf::exception(make_error_code(lf::errc::memory_allocation), "the toy has not that much memory");
    }
    return std::make_unique<toy_memory>(*this, bytes);
  }
  ld::usm_source& usm() noexcept override { return m_usm; }
  using backend::make_copy;
  using backend::make_fill;
  std::unique_ptr<ld::launch> make_copy(const ld::launch_settings& settings, void* to, const void* from,
                                        std::size_t bytes) override;
  std::unique_ptr<ld::launch> make_fill(const ld::launch_settings& settings, void* to, const void* pattern,
                                        std::size_t width, std::size_t count) override;

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

inline ld::device_backend& toy_queue::home() const noexcept { return m_home; }

inline ld::device_event_ptr toy_memory::write(ld::device_queue&, std::size_t offset, const std::byte* from,
                                              std::size_t bytes) {
  m_home.count_copy();
  return m_home.enqueue({}, [=, this] { std::memcpy(m_bytes.data() + offset, from, bytes); });
}

inline void toy_memory::read(std::size_t offset, std::byte* to, std::size_t bytes) {
  m_home.count_copy();
  m_home.enqueue({}, [=, this] { std::memcpy(to, m_bytes.data() + offset, bytes); })->wait();
}

class toy_launch final : public ld::device_launch {
public:
  struct argument {
    ld::shared_part<ld::buffer_state> buffer;
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

inline std::unique_ptr<ld::launch> toy_device::make_copy(const ld::launch_settings& settings, void* to,
                                                         const void* from, std::size_t bytes) {
  return std::make_unique<toy_launch>(
      settings, [=](const std::vector<int*>&) { std::memcpy(to, from, bytes); }, std::vector<toy_launch::argument>());
}

inline std::unique_ptr<ld::launch> toy_device::make_fill(const ld::launch_settings& settings, void* to,
                                                         const void* pattern, std::size_t width, std::size_t count) {
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
inline const std::vector<const ld::platform_entry*>& toy_platforms() {
  static const auto& all =
      toy::platform_of("toys", lf::info::device_type::accelerator, {new toy_device, new toy_device});
  return all;
}

/// Another backend, with one device and kernels of its own.
inline const std::vector<const ld::platform_entry*>& other_platforms() {
  static const auto& all = toy::platform_of("others", lf::info::device_type::custom, {new toy_device});
  return all;
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

} // namespace toy_devices

/// h.launch(toy_launch::kernel, any nd_range, accessors…)
template <class Kernel>
  requires std::is_convertible_v<Kernel, toy_devices::toy_launch::kernel>
struct lanefold::detail::launch_maker<lanefold::detail::device_kernels<Kernel>> {
  template <class... Accessors>
  static std::unique_ptr<launch> make(handler& h, const toy_devices::toy_launch::kernel& k, const nd_range<1>&,
                                      const Accessors&... accessors) {
    std::vector<toy_devices::toy_launch::argument> arguments;
    const auto take = [&](const buffer_requirement& r) { arguments.push_back({r.buffer, r.begin}); };
    (take(accessors.requirement()), ...);
    static_cast<void>(take);
    return std::make_unique<toy_devices::toy_launch>(h.common_settings(), k, std::move(arguments));
  }
};

/// h.launch(other_kernel, any nd_range, accessor): for the other backend only.
template <>
struct lanefold::detail::launch_maker<lanefold::detail::device_kernels<toy_devices::other_kernel>> {
  template <class Accessor>
  static std::unique_ptr<launch> make(handler& h, const toy_devices::other_kernel& k, const nd_range<1>&,
                                      const Accessor& x) {
    if (h.common_settings().device != toy_devices::other_platforms().front()->devices.front().native) {
      throw exception(make_error_code(errc::kernel_not_supported), "a kernel of another backend");
    }
    const buffer_requirement r = x.requirement();
    const auto add = [k](const std::vector<int*>& p) {
      std::for_each(p[0], p[0] + k.count, [&](int& each) { each += k.add; });
    };
    return std::make_unique<toy_devices::toy_launch>(
        h.common_settings(), add, std::vector<toy_devices::toy_launch::argument>{{r.buffer, r.begin}});
  }
};

namespace toy_devices {

inline const lf::nd_range<1> anywhere(1, 1);

/// x[0 .. n) = x * factor + add
inline toy_launch::kernel change(std::size_t n, int factor, int add) {
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

} // namespace toy_devices
