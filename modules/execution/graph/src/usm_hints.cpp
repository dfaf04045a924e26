// SPDX-License-Identifier: Apache-2.0
/// prefetch and mem_advise.
#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/device_backend.hpp>
#include <lanefold/execution/queue.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

void check_hint(const char* what, const void* memory, std::size_t bytes) {
  if (memory == nullptr && bytes != 0) {
    throw exception(make_error_code(errc::invalid), std::string(what) + ": the pointer is null");
  }
}

/// `size` 0: nothing is to be done.
class hint_launch final : public launch {
public:
  hint_launch(const launch_settings& settings, const void* memory, std::size_t bytes, std::size_t size) noexcept
      : launch(size, 1, settings, typeid(memory_hint*)), m_begin(reinterpret_cast<std::uintptr_t>(memory)),
        m_end(m_begin + bytes) {}

  void run(std::size_t, std::size_t) override {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGE_SIZE));
    const std::uintptr_t begin = m_begin / page * page;
    // A hint: that part of the range is no memory is none of its business.
    static_cast<void>(madvise(reinterpret_cast<void*>(begin), m_end - begin, MADV_WILLNEED));
  }
  launch_description describe() const override { return {.what = launch_description::action::other}; }

private:
  std::uintptr_t m_begin;
  std::uintptr_t m_end;
};

} // namespace

void memory_actions::prefetch(const void* memory, std::size_t bytes) {
  check_hint("prefetch", memory, bytes);
  const launch_settings& settings = self().m_settings;
  std::unique_ptr<launch> work;
  if (settings.device != nullptr) {
    work = settings.device->make_prefetch(settings, memory, bytes);
  }
  if (!work) {
    const bool is_of_host = settings.device == nullptr;
    work = std::make_unique<hint_launch>(settings, memory, bytes, bytes != 0 && is_of_host ? 1 : 0);
  }
  self().set(std::move(work));
}

void memory_actions::mem_advise(const void* memory, std::size_t bytes, int /*advice*/) {
  check_hint("mem_advise", memory, bytes);
  self().set(std::make_unique<hint_launch>(self().m_settings, memory, bytes, 0));
  self().be_of_type(ext::oneapi::experimental::node_type::memadvise);
}

} // namespace detail

event queue::prefetch(const void* memory, std::size_t bytes, const std::vector<event>& dependencies) {
  return submit([&](handler& h) {
    h.depends_on(dependencies);
    h.prefetch(memory, bytes);
  });
}

event queue::prefetch(const void* memory, std::size_t bytes, const event& dependency) {
  return prefetch(memory, bytes, std::vector{dependency});
}

event queue::mem_advise(const void* memory, std::size_t bytes, int advice, const std::vector<event>& dependencies) {
  return submit([&](handler& h) {
    h.depends_on(dependencies);
    h.mem_advise(memory, bytes, advice);
  });
}

event queue::mem_advise(const void* memory, std::size_t bytes, int advice, const event& dependency) {
  return mem_advise(memory, bytes, advice, std::vector{dependency});
}

LANEFOLD_END_NAMESPACE
