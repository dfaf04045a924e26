// SPDX-License-Identifier: Apache-2.0
#include "halos.hpp"

#include <algorithm>

namespace finite_volumes {
namespace {

/// Calls f with the number of each value of a layer of cells across dimension d, and with its place: without the
/// layer's own place along d, and the variable. The order is the same for all layers.
template <int D, class F>
void for_layer(const patch_shape<D>& shape, std::size_t d, const F& f) {
  const std::size_t first = shape.stride((d + 1) % D);
  const std::size_t second = D == 3 ? shape.stride((d + 2) % D) : 0;
  std::size_t number = 0;
  for (std::size_t v = 0; v < D + 2; ++v) {
    for (std::size_t a = 1; a <= (D == 3 ? shape.p : 1); ++a) {
      for (std::size_t b = 1; b <= shape.p; ++b) {
        f(number++, a * second + b * first, v);
      }
    }
  }
}

/// The halo's layer of a face, and the one inside, next to it.
std::size_t outside(bool above, std::size_t p) { return above ? p + 1 : 0; }
std::size_t inside(bool above, std::size_t p) { return above ? p : 1; }

} // namespace

template <int D, layout L>
halos<D, L>::halos(const box<D>& where, const shares<D>& all, const std::vector<std::size_t>& patches)
    : m_box(where), m_shape{where.p}, m_neighbours(patches.size() * 2 * D) {
  std::vector<std::size_t> slot_of(where.count(), elsewhere);
  for (std::size_t slot = 0; slot < patches.size(); ++slot) {
    slot_of[patches[slot]] = slot;
    m_border += all.has_neighbour_elsewhere(patches[slot]) ? 1 : 0;
  }
  m_places.resize(m_border * 2 * D);
  std::vector<face> sent;
  std::vector<face> received;
  for (std::size_t i = 0; i < m_neighbours.size(); ++i) {
    const std::size_t patch = patches[i / (2 * D)];
    const std::size_t direction = i % (2 * D);
    const std::size_t other = where.neighbour(patch, direction / 2, direction % 2 != 0);
    m_neighbours[i] = other == none ? none : slot_of[other];
    if (m_neighbours[i] == elsewhere) {
      received.push_back({all.rank_of(other), patch, direction, i});
      sent.push_back({all.rank_of(other), other, direction ^ 1U, i});
    }
  }
  place_messages(sent, m_sent_values, m_sent, &places::sent);
  place_messages(received, m_received_values, m_received, &places::received);
}

template <int D, layout L>
void halos<D, L>::place_messages(std::vector<face>& faces, std::vector<double>& values, std::vector<message>& messages,
                                 std::size_t places::* place) {
  const std::size_t of_face = (D == 2 ? m_shape.p : m_shape.p * m_shape.p) * (D + 2);
  std::ranges::sort(faces);
  values.resize(faces.size() * of_face);
  for (std::size_t i = 0; i < faces.size();) {
    const std::size_t begin = i;
    for (; i < faces.size() && faces[i].rank == faces[begin].rank; ++i) {
      m_places[faces[i].mine].*place = i * of_face;
    }
    messages.push_back({faces[begin].rank, std::span(values).subspan(begin * of_face, (i - begin) * of_face)});
  }
}

/// Calls f(d, to, from_slot, from, turned) for each layer of the halo that does not come as a message: `to` and `from`
/// are the first cells of layers across d, `turned` is the variable whose sign changes, or `none`.
template <int D, layout L>
template <class F>
void halos<D, L>::for_copied_layers(std::size_t slot, const F& f) const {
  const std::span<const std::size_t> near = neighbours(slot);
  for (std::size_t d = 0; d < D; ++d) {
    const std::size_t along = m_shape.stride(d);
    for (const bool above : {false, true}) {
      const std::size_t other = near[2 * d + (above ? 1 : 0)];
      if (other != elsewhere) {
        // The layer next to the side: that of the neighbour, or the patch's own one.
        f(d, outside(above, m_shape.p) * along, other == none ? slot : other,
          inside(other == none ? above : !above, m_shape.p) * along,
          other == none && m_box.sides[d] == boundary::wall ? d + 1 : none);
      }
    }
  }
}

template <int D, layout L>
void halos<D, L>::fill(double* values, std::size_t slot) const {
  for_copied_layers(slot, [&](std::size_t d, std::size_t to, std::size_t other, std::size_t from, std::size_t turned) {
    for_layer(m_shape, d, [&](std::size_t, std::size_t cell, std::size_t v) {
      const double sign = v == turned ? -1 : 1;
      values[value_at<L>(m_shape, slot, cell + to, v)] = sign * values[value_at<L>(m_shape, other, cell + from, v)];
    });
  });
}

template <int D, layout L>
std::vector<halo_cell> halos<D, L>::cells() const {
  std::vector<halo_cell> result;
  const auto number = [&](std::size_t slot, std::size_t cell) {
    return static_cast<std::uint32_t>(slot * m_shape.cells() + cell);
  };
  for (std::size_t slot = 0; slot < m_neighbours.size() / (2 * D); ++slot) {
    for_copied_layers(slot,
                      [&](std::size_t d, std::size_t to, std::size_t other, std::size_t from, std::size_t turned) {
                        for_layer(m_shape, d, [&](std::size_t, std::size_t cell, std::size_t v) {
                          if (v == 0) {
                            result.push_back({number(slot, cell + to), number(other, cell + from),
                                              turned == none ? 0U : static_cast<std::uint32_t>(turned)});
                          }
                        });
                      });
  }
  return result;
}

/// Calls f for each face of a slot of the border that lies between ranks.
template <int D, layout L>
template <class F>
void halos<D, L>::for_exchanged_faces(std::size_t slot, const F& f) const {
  for (std::size_t direction = 0; direction < 2 * D; ++direction) {
    if (neighbours(slot)[direction] == elsewhere) {
      const std::size_t d = direction / 2;
      const bool above = direction % 2 != 0;
      const places& at = m_places[slot * 2 * D + direction];
      f(d, exchanged_layer{inside(above, m_shape.p) * m_shape.stride(d), at.sent},
        exchanged_layer{outside(above, m_shape.p) * m_shape.stride(d), at.received});
    }
  }
}

template <int D, layout L>
void halos<D, L>::pack(const double* values, std::size_t slot) {
  for_exchanged_faces(slot, [&](std::size_t d, exchanged_layer sent, exchanged_layer) {
    for_layer(m_shape, d, [&](std::size_t number, std::size_t cell, std::size_t v) {
      m_sent_values[sent.place + number] = values[value_at<L>(m_shape, slot, cell + sent.cell, v)];
    });
  });
}

template <int D, layout L>
void halos<D, L>::unpack(double* values, std::size_t slot) const {
  for_exchanged_faces(slot, [&](std::size_t d, exchanged_layer, exchanged_layer received) {
    for_layer(m_shape, d, [&](std::size_t number, std::size_t cell, std::size_t v) {
      values[value_at<L>(m_shape, slot, cell + received.cell, v)] = m_received_values[received.place + number];
    });
  });
}

template <int D, layout L>
exchanged_cells halos<D, L>::exchanged() const {
  exchanged_cells result{std::vector<std::uint32_t>(m_sent_values.size() / (D + 2)),
                         std::vector<std::uint32_t>(m_received_values.size() / (D + 2))};
  for (std::size_t slot = 0; slot < m_border; ++slot) {
    for_exchanged_faces(slot, [&](std::size_t d, exchanged_layer sent, exchanged_layer received) {
      for_layer(m_shape, d, [&](std::size_t number, std::size_t cell, std::size_t v) {
        if (v == 0) {
          const std::size_t first = slot * m_shape.cells() + cell;
          result.sent[sent.place / (D + 2) + number] = static_cast<std::uint32_t>(first + sent.cell);
          result.received[received.place / (D + 2) + number] = static_cast<std::uint32_t>(first + received.cell);
        }
      });
    });
  }
  return result;
}

template class halos<2, layout::soa>;
template class halos<2, layout::aos>;
template class halos<3, layout::soa>;
template class halos<3, layout::aos>;

} // namespace finite_volumes
