// SPDX-License-Identifier: Apache-2.0
#include "repeat.hpp"

namespace lanefold_benchmarks::ours {

template std::vector<work> repeat<function::reduce>(const repeated<std::uint32_t, std::uint32_t>&, version, unsigned);
template std::vector<work> repeat<function::reduce>(const repeated<std::uint64_t, std::uint64_t>&, version, unsigned);

} // namespace lanefold_benchmarks::ours
