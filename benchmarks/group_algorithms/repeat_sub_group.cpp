// SPDX-License-Identifier: Apache-2.0
#include "repeat.hpp"

namespace lanefold_benchmarks::ours {

template std::vector<work> repeat<function::sub_group_reduce>(const repeated<std::uint32_t, std::uint32_t>&, version,
                                                              unsigned);
template std::vector<work> repeat<function::sub_group_reduce>(const repeated<float, float>&, version, unsigned);
template std::vector<work> repeat<function::sub_group_scan>(const repeated<std::uint32_t, std::uint32_t>&, version,
                                                            unsigned);
template std::vector<work> repeat<function::sub_group_scan>(const repeated<float, float>&, version, unsigned);
template std::vector<work> repeat<function::sub_group_butterfly>(const repeated<std::uint32_t, std::uint32_t>&, version,
                                                                 unsigned);
template std::vector<work> repeat<function::sub_group_butterfly>(const repeated<float, float>&, version, unsigned);
template std::vector<work> repeat<function::sub_group_exchange>(const repeated<std::uint32_t, std::uint32_t>&, version,
                                                                unsigned);
template std::vector<work> repeat<function::sub_group_exchange>(const repeated<float, float>&, version, unsigned);

} // namespace lanefold_benchmarks::ours
