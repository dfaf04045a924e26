// SPDX-License-Identifier: Apache-2.0
#include "device_halos.hpp"

namespace finite_volumes {
namespace {

/// Returns one field of each cell of a halo.
std::vector<std::uint32_t> each_of(const std::vector<halo_cell>& halo, std::uint32_t halo_cell::* field) {
  std::vector<std::uint32_t> result;
  result.reserve(halo.size());
  for (const halo_cell& c : halo) {
    result.push_back(c.*field);
  }
  return result;
}

} // namespace

template <int D, layout L>
device_halos<D, L>::device_halos(lf::queue& q, const patch_shape<D>& shape, halos<D, L>& of)
    : device_halos(q, shape, of, of.cells(), of.exchanged()) {}

template <int D, layout L>
device_halos<D, L>::device_halos(lf::queue& q, const patch_shape<D>& shape, halos<D, L>& of,
                                 const std::vector<halo_cell>& copied, const exchanged_cells& cells)
    : m_queue(q), m_shape(shape), m_of(of), m_to(q, each_of(copied, &halo_cell::to)),
      m_from(q, each_of(copied, &halo_cell::from)), m_turned(q, each_of(copied, &halo_cell::turned)),
      m_sent(q, cells.sent), m_received(q, cells.received) {}

template <int D, layout L>
void device_halos<D, L>::fill(lf::view<double> values) {
  if (m_to.all().size() != 0) { // a rank may have patches whose neighbours are all elsewhere
    fill_halos(m_queue, device_halo<D, L>{m_shape, m_to.all(), m_from.all(), m_turned.all(), values});
  }
}

template <int D, layout L>
void device_halos<D, L>::pack(lf::view<double> values) {
  pack_faces(m_queue, device_faces<D, L>{m_shape, m_sent.cells.all(), values, m_sent.values.all()});
  m_sent.values.submit_read(m_of.sent_values());
}

template <int D, layout L>
void device_halos<D, L>::unpack(lf::view<double> values, const std::vector<lf::event>& after) {
  m_received.values.submit_write(m_of.received_values(), after);
  unpack_faces(m_queue, device_faces<D, L>{m_shape, m_received.cells.all(), values, m_received.values.all()});
}

template class device_halos<2, layout::soa>;
template class device_halos<2, layout::aos>;
template class device_halos<3, layout::soa>;
template class device_halos<3, layout::aos>;

} // namespace finite_volumes
