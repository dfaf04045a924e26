// SPDX-License-Identifier: Apache-2.0
#include "step_on_cpus.hpp"

namespace finite_volumes {

template bool patch_wise_of_known_size(lf::handler&, const step_data<2, layout::soa>&);
template bool patch_wise_of_known_size(lf::handler&, const step_data<2, layout::aos>&);
template lf::event submit_scoped(lf::queue&, const step_data<2, layout::soa>&);
template lf::event submit_scoped(lf::queue&, const step_data<2, layout::aos>&);
template void patch_command(lf::handler&, const step_data<2, layout::soa>&, std::size_t);
template void patch_command(lf::handler&, const step_data<2, layout::aos>&, std::size_t);

} // namespace finite_volumes
