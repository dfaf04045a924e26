// SPDX-License-Identifier: Apache-2.0
/// The engine `boost_fiber`: one Boost.Fiber for each unit, which meet at a barrier made of a mutex and a condition
/// variable. The way library-only implementations of SYCL have done it, and the reference to measure against.
#pragma once

#include "switch_announcer.hpp"

#include <lanefold/execution/fiber/worker.hpp>

#include <boost/fiber/condition_variable.hpp>
#include <boost/fiber/fiber.hpp>
#include <boost/fiber/mutex.hpp>

#include <memory>
#include <mutex>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The scheduler decides who runs next; it keeps the order in which fibers became ready. A group barrier releases its
/// units in the order in which they came, so that order stays linear by itself. Sub-group barriers disturb it,
/// therefore a unit goes on only when it is its turn. The thread's scheduling algorithm must not move fibers to other
/// threads (the default, round_robin, does not).
class boost_fiber_engine final : public unit_engine {
public:
  void start(worker& owner, unsigned units) override;
  void arrive(worker& owner, unsigned from) override;
  void pass_on(worker& owner, unsigned from, unsigned to) override;
  void abort(worker& owner) override;
  void finish(worker& owner) override;

private:
  using lock = std::unique_lock<boost::fibers::mutex>;

  /// A unit waits here for its turn.
  struct seat {
    boost::fibers::condition_variable turn;
    bool waits = false;
  };

  void run(worker& owner, unsigned unit);
  void pass_turn(std::size_t to);
  void wait_for_turn(std::size_t self, lock& held);
  void wake_all();

  boost::fibers::mutex m_mutex;
  boost::fibers::condition_variable m_released;
  unsigned m_arrived = 0;
  unsigned m_generation = 0;
  std::size_t m_turn = 0; ///< the slot whose turn it is
  bool m_ending = false;  ///< nobody waits any more: the launch ends, or has failed
  unsigned m_units = 0;
  std::unique_ptr<seat[]> m_seats; ///< by slot
  std::size_t m_seat_count = 0;
  std::vector<boost::fibers::fiber> m_fibers; ///< by slot
  std::size_t m_stacks_in_use = 0;
  switch_announcer m_announcer;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
