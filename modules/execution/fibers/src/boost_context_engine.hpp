// SPDX-License-Identifier: Apache-2.0
/// The engine `boost_context`: units resume each other by Boost.Context.
#pragma once

#include "switch_announcer.hpp"

#include <lanefold/execution/fiber/worker.hpp>

#include <boost/context/fiber.hpp>

#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class boost_context_engine final : public unit_engine {
public:
  void start(worker& owner, unsigned units) override;
  void arrive(worker& owner, unsigned from) override;
  void pass_on(worker& owner, unsigned from, unsigned to) override;
  void finish(worker& owner) override;

private:
  using context = boost::context::fiber;

  void switch_slots(std::size_t from, std::size_t to);
  context run(worker& owner, unsigned unit, context&& resumed_by);
  [[nodiscard]] std::size_t next_suspended(std::size_t after) const;

  std::vector<context> m_suspended; ///< by slot; empty while it runs and after its end
  std::size_t m_previous = 0;       ///< the slot that ran before the running one
  switch_announcer m_announcer;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
