// SPDX-License-Identifier: Apache-2.0
#include "open_launches.hpp"

#include <bit>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

open_launches::seat open_launches::open(const command_ptr& running, std::size_t first, std::size_t threads,
                                        const group_cost& cost) {
  std::uint64_t free = m_free.load(std::memory_order_relaxed);
  do {
    if (free == 0) {
      return {};
    }
  } while (
      !m_free.compare_exchange_weak(free, free & (free - 1), std::memory_order_acquire, std::memory_order_relaxed));
  slot& s = m_slots[static_cast<std::size_t>(std::countr_zero(free))];
  try {
    launch& work = *running->m_work;
    if (!s.shares) {
      s.shares = std::make_unique<distribution::share[]>(threads);
    }
    s.work.emplace(work, first, work.size(), s.shares.get(), threads, cost, running->observed());
  } catch (...) {
    m_free.fetch_or(bit(s), std::memory_order_release);
    throw;
  }
  s.owner = running;
  s.command_inside.store(running.get(), std::memory_order_relaxed);
  s.queue_inside.store(running->queue().get(), std::memory_order_relaxed);
  const std::size_t others = s.work->shares() - 1;
  s.word.store(others * one_seat + 1, std::memory_order_release);
  if (others != 0) {
    m_with_seats.fetch_or(bit(s), std::memory_order_seq_cst);
    running->m_opened.store(true, std::memory_order_release);
  }
  return {*this, s};
}

bool open_launches::matches(const slot& found, const command* wanted, const queue_account* queue) noexcept {
  return (wanted == nullptr || found.command_inside.load(std::memory_order_relaxed) == wanted) &&
         (queue == nullptr || found.queue_inside.load(std::memory_order_relaxed) == queue);
}

open_launches::seat open_launches::join(const command* wanted, const queue_account* queue) noexcept {
  for (std::uint64_t open = m_with_seats.load(std::memory_order_seq_cst); open != 0; open &= open - 1) {
    slot& s = m_slots[static_cast<std::size_t>(std::countr_zero(open))];
    std::uint64_t word = s.word.load(std::memory_order_relaxed);
    while (seats(word) != 0 && matches(s, wanted, queue)) {
      if (!s.word.compare_exchange_weak(word, word - one_seat + 1, std::memory_order_acq_rel,
                                        std::memory_order_relaxed)) {
        continue;
      }
      seat taken(*this, s);
      if (!matches(s, wanted, queue)) { // another launch has come into the slot meanwhile
        s.word.fetch_add(one_seat, std::memory_order_relaxed);
        m_with_seats.fetch_or(bit(s), std::memory_order_seq_cst);
        break;
      }
      if (seats(word) == 1) {
        m_with_seats.fetch_and(~bit(s), std::memory_order_relaxed);
      }
      return taken;
    }
  }
  return {};
}

std::size_t open_launches::seats() const noexcept {
  std::size_t left = 0;
  for (std::uint64_t open = m_with_seats.load(std::memory_order_seq_cst); open != 0; open &= open - 1) {
    left += seats(m_slots[static_cast<std::size_t>(std::countr_zero(open))].word.load(std::memory_order_relaxed));
  }
  return left;
}

void open_launches::seat::close() noexcept {
  std::uint64_t word = m_slot->word.load(std::memory_order_relaxed);
  while (seats(word) != 0) {
    if (m_slot->word.compare_exchange_weak(word, inside(word), std::memory_order_relaxed)) {
      m_home->m_with_seats.fetch_and(~m_home->bit(*m_slot), std::memory_order_relaxed);
    }
  }
}

void open_launches::seat::leave() noexcept {
  if (m_slot != nullptr) {
    m_home->leave(*std::exchange(m_slot, nullptr));
  }
}

void open_launches::leave(slot& left) noexcept {
  std::uint64_t word = left.word.load(std::memory_order_relaxed);
  // With the last thread the seats go, too: nobody could join without one who is inside.
  while (!left.word.compare_exchange_weak(word, inside(word) == 1 ? 0 : word - 1, std::memory_order_acq_rel,
                                          std::memory_order_relaxed)) {
  }
  if (inside(word) != 1) {
    return;
  }
  // The bit may also be set for a seat that was given back after the launch was closed.
  if ((m_with_seats.load(std::memory_order_relaxed) & bit(left)) != 0) {
    m_with_seats.fetch_and(~bit(left), std::memory_order_relaxed);
  }
  left.work.reset();
  const command_ptr released = std::move(left.owner);
  m_free.fetch_or(bit(left), std::memory_order_release);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
