// SPDX-License-Identifier: Apache-2.0
#include "repeat.hpp"

namespace lanefold_benchmarks::ours {

template std::vector<work> repeat<function::reduce>(const repeated<float, float>&, version, unsigned);
template std::vector<work> repeat<function::reduce>(const repeated<double, double>&, version, unsigned);
template std::vector<work> repeat<function::reduce>(const repeated<numbers4, float>&, version, unsigned);

} // namespace lanefold_benchmarks::ours
