// SPDX-License-Identifier: Apache-2.0
#include "repeat.hpp"

namespace lanefold_benchmarks::ours {

template std::vector<work> repeat<function::inclusive_scan>(const repeated<std::uint32_t, std::uint32_t>&, version,
                                                            unsigned);
template std::vector<work> repeat<function::inclusive_scan>(const repeated<float, float>&, version, unsigned);

} // namespace lanefold_benchmarks::ours
