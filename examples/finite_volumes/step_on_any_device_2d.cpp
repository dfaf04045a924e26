// SPDX-License-Identifier: Apache-2.0
#include "step_on_any_device.hpp"

namespace finite_volumes {

template lf::event submit_patch_wise(lf::queue&, const step_data<2, layout::soa>&);
template lf::event submit_patch_wise(lf::queue&, const step_data<2, layout::aos>&);
template lf::event submit_batched(lf::queue&, const step_data<2, layout::soa>&, lf::view<double>, lf::view<double>);
template lf::event submit_batched(lf::queue&, const step_data<2, layout::aos>&, lf::view<double>, lf::view<double>);
template lf::event submit_scoped_for_devices(lf::queue&, const step_data<2, layout::soa>&);
template lf::event submit_scoped_for_devices(lf::queue&, const step_data<2, layout::aos>&);
template void fill_halos(lf::queue&, const device_halo<2, layout::soa>&);
template void fill_halos(lf::queue&, const device_halo<2, layout::aos>&);
template void pack_faces(lf::queue&, const device_faces<2, layout::soa>&);
template void pack_faces(lf::queue&, const device_faces<2, layout::aos>&);
template void unpack_faces(lf::queue&, const device_faces<2, layout::soa>&);
template void unpack_faces(lf::queue&, const device_faces<2, layout::aos>&);

} // namespace finite_volumes
