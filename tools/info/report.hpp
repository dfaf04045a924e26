// SPDX-License-Identifier: Apache-2.0
/// What lanefold-info tells of this build and this machine.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace lanefold_info {

using json = nlohmann::ordered_json;

/// Returns all there is to tell, one object for each subject. What cannot be found out is a text under "error" in its
/// place.
json report();

/// Returns it as indented lines for people.
std::string as_text(const json& what);

} // namespace lanefold_info
