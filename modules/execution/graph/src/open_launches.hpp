// SPDX-License-Identifier: Apache-2.0
/// Launches that several threads run together.
#pragma once

#include "command.hpp"
#include "executor_distribution.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Holds the launches of an executor that more threads may join. Nobody takes a lock: sixteen threads that come for a
/// launch of 20 µs would spend more time in its queue than with the launch (decision 060). Each launch stands in a
/// slot, whose word counts the seats that are left and the threads that are inside; the last thread to leave frees the
/// slot.
class open_launches {
  struct slot;

public:
  /// A thread's share in a launch, as long as it runs groups of it: the launch stays where it is until it leaves.
  class seat {
  public:
    seat() noexcept = default;
    seat(seat&& other) noexcept
        : m_home(std::exchange(other.m_home, nullptr)), m_slot(std::exchange(other.m_slot, nullptr)) {}
    seat& operator=(seat&& other) noexcept {
      std::swap(m_home, other.m_home);
      std::swap(m_slot, other.m_slot);
      return *this;
    }
    ~seat() { leave(); }

    explicit operator bool() const noexcept { return m_slot != nullptr; }
    [[nodiscard]] const command_ptr& owner() const noexcept;
    [[nodiscard]] distribution& work() const noexcept;
    /// Nobody can join any more.
    void close() noexcept;
    void leave() noexcept;

  private:
    friend class open_launches;
    seat(open_launches& home, slot& taken) noexcept : m_home(&home), m_slot(&taken) {}
    open_launches* m_home = nullptr;
    slot* m_slot = nullptr;
  };

  /// Opens the launch of a running command for as many threads as it has shares, and takes the first seat. None is left
  /// if as many launches are open as there can be. `threads` is always the same. Throws std::bad_alloc.
  seat open(const command_ptr& running, std::size_t first, std::size_t threads, const group_cost& cost);
  /// Takes a seat in the launch of `wanted`, or of a command of `queue`, or in any if both are null; none if there is
  /// none.
  seat join(const command* wanted, const queue_account* queue) noexcept;

  /// Returns whether seats are left in some launch.
  [[nodiscard]] bool any() const noexcept { return m_with_seats.load(std::memory_order_seq_cst) != 0; }
  /// Returns how many seats are left.
  [[nodiscard]] std::size_t seats() const noexcept;

private:
  // One word holds the threads inside, in its lower half, and the seats that are left.
  static constexpr std::uint64_t one_seat = std::uint64_t{1} << 32;
  static constexpr std::uint64_t inside(std::uint64_t word) noexcept { return word & (one_seat - 1); }
  static constexpr std::uint64_t seats(std::uint64_t word) noexcept { return word >> 32; }

  struct alignas(64) slot {
    std::atomic<std::uint64_t> word{0};
    // Those who look for a certain launch read these two before they join it.
    std::atomic<const command*> command_inside{nullptr};
    std::atomic<const queue_account*> queue_inside{nullptr};
    // Only those inside use these.
    command_ptr owner;
    std::optional<distribution> work;
    std::unique_ptr<distribution::share[]> shares; // of the work, for any number of launches
  };

  [[nodiscard]] std::uint64_t bit(const slot& of) const noexcept {
    return std::uint64_t{1} << static_cast<unsigned>(&of - m_slots.data());
  }
  static bool matches(const slot& found, const command* wanted, const queue_account* queue) noexcept;
  void leave(slot& left) noexcept;

  /// A bit for each slot: idle threads look here. It is cleared before its slot is free again.
  alignas(64) std::atomic<std::uint64_t> m_with_seats{0};
  alignas(64) std::atomic<std::uint64_t> m_free{~std::uint64_t{0}};
  std::array<slot, 64> m_slots;
};

inline const command_ptr& open_launches::seat::owner() const noexcept { return m_slot->owner; }
inline distribution& open_launches::seat::work() const noexcept { return *m_slot->work; }

} // namespace detail
LANEFOLD_END_NAMESPACE
