// SPDX-License-Identifier: Apache-2.0
#include "parsers.hpp"

#include "occupancy_command.hpp"

#include <lanefold/exception.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

void fuzz_parsers::command_lines(std::string_view input) {
  std::vector<std::string> arguments;
  for (std::size_t begin = 0; begin < input.size();) {
    const std::size_t end = std::min(input.find('\n', begin), input.size());
    arguments.emplace_back(input.substr(begin, end - begin));
    begin = end + 1;
  }
  try {
    const lanefold_info::json told = lanefold_info::occupancy_report(arguments);
    if (told.contains("launch")) {
      for (const char* const share : {"sub_slice_utilisation_percent", "sub_slice_occupancy_percent",
                                      "occupancy_of_a_full_round_percent", "occupancy_of_the_rest_percent"}) {
        const double percent = told["launch"][share];
        require(percent >= 0 && percent <= 100, share);
      }
    }
    require(!told.dump(2, ' ', false, lanefold_info::json::error_handler_t::replace).empty(), "a report is JSON");
  } catch (const lanefold_info::usage_error& e) {
    require(!e.text.empty(), "an error says why");
  } catch (const lanefold::exception& e) {
    require(*e.what() != '\0', "an error says why");
  }
}
