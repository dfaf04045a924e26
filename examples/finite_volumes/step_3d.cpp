// SPDX-License-Identifier: Apache-2.0
#include "step_kernels.hpp"

namespace finite_volumes {

template void submit_step(lf::queue&, realisation, const step_data<3, layout::soa>&, batch_memory&);
template void submit_step(lf::queue&, realisation, const step_data<3, layout::aos>&, batch_memory&);
template void patch_command(lf::handler&, const step_data<3, layout::soa>&, std::size_t);
template void patch_command(lf::handler&, const step_data<3, layout::aos>&, std::size_t);

} // namespace finite_volumes
