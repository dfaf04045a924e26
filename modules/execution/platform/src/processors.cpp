// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/processors.hpp>

#if defined(__linux__)
#include <sched.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string_view>
#include <thread>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Returns the words of the first line of a file; none if it cannot be read.
std::vector<std::string> words_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> words;
  for (std::string word; words.size() < 2 && file >> word;) {
    words.push_back(word);
  }
  return words;
}

std::optional<std::size_t> number_in(const std::string& word) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size() ? std::optional(number) : std::nullopt;
}

/// Returns a time that may be used in each period, in processors; nothing where one of them is no number ("max", -1).
std::optional<std::size_t> processors_of(const std::string& quota, const std::string& period) {
  const std::optional<std::size_t> used = number_in(quota), all = number_in(period);
  if (!used || !all || *all == 0 || *used == 0) {
    return std::nullopt;
  }
  return (*used - 1) / *all + 1;
}

/// Returns the limit that the files of one folder set.
std::optional<std::size_t> limit_of(const std::string& folder) {
  if (const std::vector<std::string> both = words_of(folder + "/cpu.max"); both.size() == 2) {
    return processors_of(both[0], both[1]);
  }
  const std::vector<std::string> quota = words_of(folder + "/cpu.cfs_quota_us");
  const std::vector<std::string> period = words_of(folder + "/cpu.cfs_period_us");
  return quota.empty() || period.empty() ? std::nullopt : processors_of(quota[0], period[0]);
}

/// Returns the least limit of a control group and of those that it lies in. Containers often see the path that their
/// group has outside, and find its files in `root`: folders that are missing say nothing.
std::optional<std::size_t> limit_above(const std::string& root, std::string path) {
  std::optional<std::size_t> least;
  for (;;) {
    const std::optional<std::size_t> here = limit_of(root + path);
    if (here) {
      least = std::min(least.value_or(*here), *here);
    }
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) {
      return least;
    }
    path.resize(slash);
  }
}

bool names_controller(std::string_view names, std::string_view wanted) {
  for (;;) {
    const std::size_t comma = names.find(',');
    if (names.substr(0, comma) == wanted) {
      return true;
    }
    if (comma == std::string_view::npos) {
      return false;
    }
    names.remove_prefix(comma + 1);
  }
}

} // namespace

std::optional<std::size_t> processors_of_control_group(const std::string& groups, const std::string& root) {
  std::ifstream file(groups);
  std::optional<std::size_t> least;
  for (std::string line; std::getline(file, line);) { // "0::/path", or "4:cpu,cpuacct:/path"
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string names = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
    if (!names.empty() && !names_controller(names, "cpu")) {
      continue;
    }
    const std::optional<std::size_t> limit = limit_above(names.empty() ? root : root + "/cpu", path);
    if (limit) {
      least = std::min(least.value_or(*limit), *limit);
    }
  }
  return least;
}

std::vector<int> cores_first(const std::vector<int>& processors, const std::string& sysfs) {
  struct thread_of_core {
    std::size_t rank;  ///< among the threads of its core that are given
    std::size_t place; ///< among all that are given
    int processor;
  };
  std::vector<thread_of_core> all;
  std::vector<std::string> siblings;
  for (const int processor : processors) {
    const std::vector<std::string> text =
        words_of(sysfs + "/cpu" + std::to_string(processor) + "/topology/thread_siblings_list");
    siblings.push_back(text.empty() ? std::to_string(processor) : text[0]);
    const auto before = std::count(siblings.begin(), siblings.end() - 1, siblings.back());
    all.push_back({static_cast<std::size_t>(before), all.size(), processor});
  }
  std::sort(all.begin(), all.end(), [](const thread_of_core& a, const thread_of_core& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.place < b.place;
  });
  std::vector<int> ordered;
  for (const thread_of_core& each : all) {
    ordered.push_back(each.processor);
  }
  return ordered;
}

std::size_t processors_of_process() {
#if defined(__linux__)
  cpu_set_t allowed;
  if (sched_getaffinity(getpid(), sizeof(allowed), &allowed) == 0) {
    return static_cast<std::size_t>(std::max(CPU_COUNT(&allowed), 1));
  }
#endif
  return std::max(std::thread::hardware_concurrency(), 1U);
}

#if defined(__linux__)

std::vector<int> processors_to_pin() {
  cpu_set_t allowed;
  std::vector<int> processors;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) {
    for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
      if (CPU_ISSET(processor, &allowed)) {
        processors.push_back(processor);
      }
    }
  }
  return cores_first(processors);
}

bool pin_this_thread(int processor) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(processor, &only);
  return sched_setaffinity(0, sizeof(only), &only) == 0;
}

#else

std::vector<int> processors_to_pin() { return {}; }
bool pin_this_thread(int) { return false; }

#endif

} // namespace detail
LANEFOLD_END_NAMESPACE
