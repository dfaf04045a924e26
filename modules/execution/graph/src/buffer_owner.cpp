// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/buffer_owner.hpp>

#include "host_queue.hpp"
#include "scheduler.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/buffer_state.hpp>
#include <lanefold/execution/detail/kernel_scope.hpp>

#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

/// The name of what happens in the end, in messages.
struct buffer_write_back;

/// The end of a buffer whose last handle went inside a kernel.
class closing_launch final : public launch {
public:
  explicit closing_launch(std::function<void()> what)
      : launch(1, 1, launch_settings(), typeid(buffer_write_back*)), m_what(std::move(what)) {}
  void run(std::size_t, std::size_t) override { m_what(); }
  launch_description describe() const override { return {.what = launch_description::action::copy}; }

private:
  std::function<void()> m_what;
};

void close_later(const std::shared_ptr<buffer_state>& state) noexcept {
  try {
    const std::shared_ptr<queue_state>& queue = host_queue();
    submission end;
    end.work = std::make_unique<closing_launch>([state] { state->write_back(); });
    for (command_ptr& user : state->users()) {
      end.after.push_back({std::move(user), dependency_kind::order});
    }
    queue->submit(queue, std::move(end));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "lanefold: the contents of a buffer cannot be written back: %s\n", e.what());
  }
}

} // namespace

buffer_owner::~buffer_owner() {
  state->close();
  try {
    if (kernel_scope::is_inside()) {
      close_later(state);
      return;
    }
    while (const command_ptr user = state->user()) {
      scheduler::wait(user);
    }
  } catch (const exception&) { // this thread holds a host_accessor that one of them waits for
    close_later(state);
    return;
  }
  state->write_back();
}

} // namespace detail
LANEFOLD_END_NAMESPACE
