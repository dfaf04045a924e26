// SPDX-License-Identifier: Apache-2.0
#include "launch_explanation.hpp"

#include <algorithm>
#include <cstdio>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

/// "1 group", "2 groups".
std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string extents_of(const std::size_t (&extents)[most_dimensions], int dimensions) {
  std::string text;
  for (int d = 0; d < dimensions; ++d) {
    text += (d == 0 ? "(" : ", ") + std::to_string(extents[d]);
  }
  return text + ")";
}

bool has_groups(const launch_description& told) { return told.local[0] != 0; }

std::string strategy_of(const launch_description& told) {
  if (told.columns == 0) {
    return told.is_omp_simd ? "omp_simd" : "scalar";
  }
  return "simd<" + (told.rows == 1 ? "" : std::to_string(told.rows) + ", ") + std::to_string(told.columns) + ">";
}

std::string reason_of(const launch_description& told) {
  switch (told.why) {
  case strategy_reason::asked: return ", as the launch asks";
  case strategy_reason::spelled: return ", as the kernel spells its item";
  case strategy_reason::size_is_static: return ", by the group size known at compile time";
  case strategy_reason::width:
    return ", the default for rows of " + counted(told.local[told.dimensions - 1], "work-item");
  case strategy_reason::range: return ", the default for ranges";
  case strategy_reason::fixed: break;
  }
  return {};
}

/// Says what the units of the groups met, when the launch has run.
std::string barriers_of(const launch& work, const launch_description& told) {
  if (!has_groups(told)) {
    return {};
  }
  if (told.units == 1) {
    return told.one_unit ? "; barriers are gone, as a group is always one unit"
                         : "; barriers cost nothing, as a group is one unit";
  }
  return work.start_nanoseconds() > 0 ? "; units met at barriers, on stacks of their own" : "; no barrier was met";
}

/// Says how often units of lanes accessed elements that do not lie side by side.
std::string accesses_of(const lane_counts& counts) {
  return counted(counts.gathers.load(std::memory_order_relaxed), "gather") + " and " +
         counted(counts.scatters.load(std::memory_order_relaxed), "scatter");
}

std::string shares_of(const std::vector<stretch>& stretches, const char* what) {
  std::vector<stretch> by_thread; // one may have run groups before others were called, and more with them
  std::uint64_t begin = stretches.front().begin;
  std::uint64_t end = 0;
  for (const stretch& s : stretches) {
    begin = std::min(begin, s.begin);
    end = std::max(end, s.end);
    const auto known = std::find_if(by_thread.begin(), by_thread.end(),
                                    [&](const stretch& other) { return other.thread == s.thread; });
    if (known == by_thread.end()) {
      by_thread.push_back(s);
    } else {
      known->groups += s.groups;
    }
  }
  std::string text = "; " + counted(by_thread.size(), "thread") + " ran ";
  if (by_thread.size() <= 4) {
    for (std::size_t i = 0; i < by_thread.size(); ++i) {
      text += (i == 0 ? "" : " + ") + std::to_string(by_thread[i].groups);
    }
  } else {
    const auto [least, most] = std::minmax_element(by_thread.begin(), by_thread.end(),
                                                   [](const auto& a, const auto& b) { return a.groups < b.groups; });
    text += std::to_string(least->groups) + " to " + std::to_string(most->groups);
  }
  const double microseconds = static_cast<double>(end - begin) / 1e3;
  char time[32];
  std::snprintf(time, sizeof time, microseconds < 1000 ? " in %.3g us" : " in %.4g ms",
                microseconds < 1000 ? microseconds : microseconds / 1e3);
  return text + " " + what + time;
}

} // namespace

std::string describe_strategy(const launch_description& told) {
  if (told.dimensions == 0) {
    return told.what == launch_description::action::kernel && told.one_unit ? "as a single task" : "";
  }
  std::string text;
  if (has_groups(told)) {
    std::size_t groups = 1;
    for (int d = 0; d < told.dimensions; ++d) {
      groups *= told.extents[d] / told.local[d];
    }
    text = "in " + counted(groups, "group") + " of " + extents_of(told.local, told.dimensions);
  } else {
    text = "over the range " + extents_of(told.extents, told.dimensions);
  }
  text += ", " + strategy_of(told) + reason_of(told);
  if (told.in_tiles) {
    text += "; in tiles, in which earlier launches were faster than in rows";
  }
  if (has_groups(told)) {
    text += "; " + counted(told.units, "unit") + " a group";
    if (told.masked_units != 0) {
      text += ", " + std::to_string(told.masked_units) + " of them masked";
    }
  }
  if (told.chunk != 0) {
    text += "; reduced in chunks of " + counted(told.chunk, has_groups(told) ? "group" : "work-item");
  }
  return text;
}

std::string explain(const launch& work, observation& notes) {
  const launch_description told = work.describe();
  const std::string how = describe_strategy(told);
  const std::string begin = "lanefold: kernel '" + work.kernel_name() + "' ";
  const lane_counts& counts = *notes.counts();
  if (how.empty()) { // the levels of scoped kernels have been told
    return counts.gathers + counts.scatters != 0 ? begin + "made " + accesses_of(counts) + "\n" : std::string();
  }
  const char* const shared = told.chunk != 0    ? "chunks"
                             : work.parts() > 1 ? "parts of groups"
                             : has_groups(told) ? "groups"
                                                : "units";
  return begin + how + barriers_of(work, told) +
         (checked_build && told.columns != 0 ? "; " + accesses_of(counts) : std::string()) +
         shares_of(notes.stretches(), told.dimensions == 0 ? "task" : shared) + "\n";
}

} // namespace detail
LANEFOLD_END_NAMESPACE
