// SPDX-License-Identifier: Apache-2.0
/// Defines what step.hpp and device_halos.hpp declare for any device; step_on_any_device_2d.cpp and _3d.cpp instantiate
/// it. With the module `recorded`, where OpenCL is, every kernel here is recorded for the queue of a device.
#pragma once

#if __has_include(<lanefold/recorded.hpp>)
#include <lanefold/recorded.hpp>
#endif

#include "device_halos.hpp"
#include "step.hpp"

namespace finite_volumes {

template <int D, layout L>
lf::event submit_patch_wise(lf::queue& q, const step_data<D, L>& data) {
  return q.submit([&](lf::handler& h) {
    if (q.get_backend() == lf::backend::opencl || !patch_wise_of_known_size(h, data)) {
      patch_wise(h, data);
    }
  });
}

template <int D, layout L>
lf::event submit_batched(lf::queue& q, const step_data<D, L>& data, lf::view<double> waves, lf::view<double> speeds) {
  q.submit([&](lf::handler& h) { batched_waves(h, data, waves); });
  q.submit([&](lf::handler& h) { batched_update<D, L>(h, data, waves, speeds); });
  return q.submit([&](lf::handler& h) { batched_fastest<D, L>(h, data, speeds); });
}

template <int D, layout L>
lf::event submit_scoped_for_devices(lf::queue& q, const step_data<D, L>& data) {
  return q.submit([&](lf::handler& h) { scoped_for_devices(h, data); });
}

template <int D, layout L>
void fill_halos(lf::queue& q, const device_halo<D, L>& halo) {
  const std::size_t cells = halo.shape.cells();
  q.parallel_for(lf::range<1>(halo.to.size()), [=](auto it) {
    const auto i = it.get_id(0);
    const auto to = lf::convert<std::size_t>(halo.to[i]);
    const auto from = lf::convert<std::size_t>(halo.from[i]);
    const auto turned = it.var(halo.turned[i]);
    for (std::size_t v = 0; v < D + 2; ++v) {
      const auto value = it.var(halo.values[value_at<L>(halo.shape, from / cells, from % cells, v)]);
      halo.values[value_at<L>(halo.shape, to / cells, to % cells, v)] =
          lf::select(turned == static_cast<std::uint32_t>(v) && turned != 0U, -value, value);
    }
  });
}

/// Calls f(place, position) for each value of the faces: its places among those of the messages and of the patches.
template <int D, layout L, class F>
void for_faces(lf::queue& q, const device_faces<D, L>& faces, const F& f) {
  const std::size_t cells = faces.shape.cells();
  const std::size_t of_face = faces.shape.inner_cells() / faces.shape.p;
  q.parallel_for(lf::range<1>(faces.cells.size()), [=](auto it) {
    const auto i = it.get_id(0);
    const auto cell = lf::convert<std::size_t>(faces.cells[i]);
    const auto first = i / of_face * (of_face * (D + 2)) + i % of_face;
    for (std::size_t v = 0; v < D + 2; ++v) {
      f(first + v * of_face, value_at<L>(faces.shape, cell / cells, cell % cells, v));
    }
  });
}

template <int D, layout L>
void pack_faces(lf::queue& q, const device_faces<D, L>& faces) {
  for_faces(q, faces, [values = faces.values, messages = faces.messages](const auto& place, const auto& position) {
    messages[place] = values[position];
  });
}

template <int D, layout L>
void unpack_faces(lf::queue& q, const device_faces<D, L>& faces) {
  for_faces(q, faces, [values = faces.values, messages = faces.messages](const auto& place, const auto& position) {
    values[position] = messages[place];
  });
}

} // namespace finite_volumes
