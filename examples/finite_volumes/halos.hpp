// SPDX-License-Identifier: Apache-2.0
/// The halos of a rank's patches.
#pragma once

#include "box.hpp"
#include "patches.hpp"
#include "ranks.hpp"
#include "shares.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace finite_volumes {

/// A cell of a halo: which one, and which one it copies, as slot times the cells of a patch plus the cell; and the
/// momentum that a wall turns round, 1 for the first, or 0.
struct halo_cell {
  std::uint32_t to;
  std::uint32_t from;
  std::uint32_t turned;
};

/// The cells that messages are made of, in their order, as slot times the cells of a patch plus the cell: those of this
/// rank that are sent, and those of halos that are received. A face of n = p^(D-1) cells has n values of the first
/// variable in a message, then n of the second one, …
struct exchanged_cells {
  std::vector<std::uint32_t> sent;
  std::vector<std::uint32_t> received;
};

/// Fills halos, one layer of cells behind each face of a patch: from neighbours of the same rank, from what lies behind
/// the sides of the box, and from messages of other ranks, which are faces: p^(D-1) cells. A patch is named by its
/// slot, its number among the patches of this rank.
template <int D, layout L>
class halos {
public:
  /// Stands for a neighbour that another rank has.
  static constexpr std::size_t elsewhere = none - 1;

  halos(const box<D>& where, const shares<D>& all, const std::vector<std::size_t>& patches);

  /// How many of the slots, the first ones, have a neighbour elsewhere.
  [[nodiscard]] std::size_t border() const noexcept { return m_border; }
  /// Returns the slots below and above along each dimension, `none` or `elsewhere`.
  [[nodiscard]] std::span<const std::size_t> neighbours(std::size_t slot) const {
    return std::span(m_neighbours).subspan(slot * 2 * D, 2 * D);
  }

  /// Fills the halo but for the faces that come as messages.
  void fill(double* values, std::size_t slot) const;
  /// Returns what `fill` does for all slots, cell by cell.
  [[nodiscard]] std::vector<halo_cell> cells() const;
  /// Copies the faces of a slot of the border that other ranks need to the messages; and from messages to the halo.
  void pack(const double* values, std::size_t slot);
  void unpack(double* values, std::size_t slot) const;

  /// Returns what `pack` and `unpack` do for all slots, cell by cell.
  [[nodiscard]] exchanged_cells exchanged() const;

  /// The messages, and all of their values, one message behind the other.
  [[nodiscard]] std::span<const message> sent() const noexcept { return m_sent; }
  [[nodiscard]] std::span<const message> received() const noexcept { return m_received; }
  [[nodiscard]] std::span<double> sent_values() noexcept { return m_sent_values; }
  [[nodiscard]] std::span<const double> received_values() const noexcept { return m_received_values; }

private:
  /// The first cell of a layer of a patch, and the place of its first value among those of the messages.
  struct exchanged_layer {
    std::size_t cell;
    std::size_t place;
  };
  template <class F>
  void for_copied_layers(std::size_t slot, const F& f) const;
  template <class F>
  void for_exchanged_faces(std::size_t slot, const F& f) const;

  struct places {
    std::size_t sent;
    std::size_t received;
  };
  /// A face between ranks, ordered as both of them order it.
  struct face {
    std::size_t rank;      ///< the other one
    std::size_t patch;     ///< the one whose halo it fills
    std::size_t direction; ///< of the halo, seen from there
    std::size_t mine;      ///< where its place is kept: an index of m_places
    auto operator<=>(const face&) const = default;
  };
  void place_messages(std::vector<face>& faces, std::vector<double>& values, std::vector<message>& messages,
                      std::size_t places::* place);

  box<D> m_box;
  patch_shape<D> m_shape;
  std::size_t m_border = 0;
  std::vector<std::size_t> m_neighbours;
  std::vector<places> m_places; ///< of the faces of the border's slots in the messages, by slot and direction
  std::vector<double> m_sent_values;
  std::vector<double> m_received_values;
  std::vector<message> m_sent;
  std::vector<message> m_received;
};

} // namespace finite_volumes
