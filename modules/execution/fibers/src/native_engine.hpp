// SPDX-License-Identifier: Apache-2.0
/// The engine `native`: units resume each other by native_switch.
#pragma once

#include "sanitizer.hpp"
#include "switch_announcer.hpp"

#include <lanefold/execution/fiber/worker.hpp>

#if LANEFOLD_HAS_NATIVE_SWITCH

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class native_engine final : public unit_engine {
public:
  void start(worker& owner, unsigned units) override;
  void arrive(worker& owner, unsigned from) override;
  void pass_on(worker& owner, unsigned from, unsigned to) override;
  [[nodiscard]] bool inlines_switch() const override { return m_inlines; }
  void finish(worker& owner) override;

private:
  void switch_slots(worker& owner, std::size_t from, std::size_t to);
  [[noreturn]] void run(worker& owner, unsigned unit);
  unsigned next_alive(worker& owner, unsigned after) const;

  const bool m_inlines = !under_sanitizer();
  unsigned m_units = 0;
  switch_announcer m_announcer;
};

} // namespace detail
LANEFOLD_END_NAMESPACE

#endif
