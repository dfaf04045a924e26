// SPDX-License-Identifier: Apache-2.0
/// The halos of a rank's patches on an OpenCL device.
#pragma once

#include "device_array.hpp"
#include "halos.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace finite_volumes {

/// Halos that are filled on a device: `halo_cell`s, field by field, and the values of all patches.
template <int D, layout L>
struct device_halo {
  patch_shape<D> shape;
  lf::view<const std::uint32_t> to;
  lf::view<const std::uint32_t> from;
  lf::view<const std::uint32_t> turned;
  lf::view<double> values;
};

/// Faces between patches and messages: their cells as `exchanged_cells` has them, the values of all patches, and those
/// of all messages.
template <int D, layout L>
struct device_faces {
  patch_shape<D> shape;
  lf::view<const std::uint32_t> cells;
  lf::view<double> values;
  lf::view<double> messages;
};

// These submit a command to an in-order queue (step_on_any_device.hpp): it fills halos; copies faces to messages; and
// from messages to halos.
template <int D, layout L>
void fill_halos(lf::queue& q, const device_halo<D, L>& halo);
template <int D, layout L>
void pack_faces(lf::queue& q, const device_faces<D, L>& faces);
template <int D, layout L>
void unpack_faces(lf::queue& q, const device_faces<D, L>& faces);

/// Does on a device what `halos` does: what goes to other ranks, and comes from them, are the values of its messages on
/// the host.
template <int D, layout L>
class device_halos {
public:
  /// `of` outlives this; `q` is in order.
  device_halos(lf::queue& q, const patch_shape<D>& shape, halos<D, L>& of);

  // All of these submit commands. `values` are those of all patches.
  void fill(lf::view<double> values);
  /// Copies faces to the messages that are sent.
  void pack(lf::view<double> values);
  /// Copies faces from the messages that have come when the commands `after` have ended.
  void unpack(lf::view<double> values, const std::vector<lf::event>& after);

private:
  /// The faces of the messages that go to other ranks, or of those that come.
  struct exchanged {
    exchanged(lf::queue& q, const std::vector<std::uint32_t>& of) : cells(q, of), values(q, of.size() * (D + 2)) {}
    device_array<std::uint32_t> cells;
    device_array<double> values;
  };

  device_halos(lf::queue& q, const patch_shape<D>& shape, halos<D, L>& of, const std::vector<halo_cell>& copied,
               const exchanged_cells& cells);

  lf::queue m_queue;
  patch_shape<D> m_shape;
  halos<D, L>& m_of;
  device_array<std::uint32_t> m_to, m_from, m_turned;
  exchanged m_sent, m_received;
};

} // namespace finite_volumes
