// SPDX-License-Identifier: Apache-2.0
/// Describes what results depend on beside the programs.
#pragma once

#include <nlohmann/json.hpp>

namespace lanefold_bench {

/// Commit, compiler, flags, versions of libraries; the processor, its caches, threads and governor; the time.
nlohmann::json describe_machine();

} // namespace lanefold_bench
