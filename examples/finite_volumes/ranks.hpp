// SPDX-License-Identifier: Apache-2.0
/// The processes that simulate one box together, each a share of its patches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace finite_volumes {

/// Thrown where a file cannot be written or read, or is no checkpoint of this program; the message names it.
struct bad_file : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Returns the error of a file that cannot be written, with the reason that `errno` has, if any.
[[nodiscard]] bad_file not_written(const std::string& path);

/// Values for another rank, or from it.
struct message {
  std::size_t rank;
  std::span<double> values;
};

/// Pieces of a file, all of `length` bytes. Piece i begins at `offsets[i]` of the file and at i * length of `bytes`.
struct file_pieces {
  std::size_t length;
  std::vector<std::uint64_t> offsets; ///< rising
  std::string bytes;
};

/// The ranks of a simulation. All functions that change something are collective: every rank calls them, in the same
/// order and from one thread at a time.
class ranks {
public:
  ranks() = default;
  ranks(const ranks&) = delete;
  ranks& operator=(const ranks&) = delete;
  virtual ~ranks() = default;

  /// This process, from 0.
  [[nodiscard]] virtual std::size_t rank() const = 0;
  [[nodiscard]] virtual std::size_t count() const = 0;
  /// This process among those of its host, from 0.
  [[nodiscard]] virtual std::size_t rank_on_host() const = 0;
  /// The threads that this rank may have where several share a machine; 0: as many as a queue takes.
  [[nodiscard]] virtual std::size_t threads() const = 0;

  /// Replaces each value by its largest one of all ranks, bit by bit the same on all of them. No value may be NaN.
  virtual void maximum(std::span<double> values) = 0;
  /// Replaces each value by its sum over all ranks.
  virtual void sum(std::span<double> values) = 0;
  /// Returns the sum over all ranks, modulo 2^64.
  [[nodiscard]] virtual std::uint64_t sum(std::uint64_t value) = 0;

  /// Returns the texts of all ranks to the first one, and nothing to the other ones.
  [[nodiscard]] virtual std::vector<std::string> gather(const std::string& text) = 0;

  /// Begins to send and to receive; the values belong to the messages until end_exchange has returned. At most one
  /// message goes from a rank to another one.
  virtual void begin_exchange(std::span<const message> sent, std::span<const message> received) = 0;
  virtual void end_exchange() = 0;

  /// Writes a new file of which each rank has some pieces. Throws bad_file on every rank where one of them fails.
  virtual void write(const std::string& path, std::span<const file_pieces> pieces) = 0;

  /// Says on standard error what stops this rank, and ends all other ones. Returns the exit status where it is the only
  /// one; else it does not return.
  virtual int fail(const std::string& what) = 0;
};

/// Makes the one rank of a program that has no other ones.
std::unique_ptr<ranks> make_only_rank();

} // namespace finite_volumes
