// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/tuning.hpp>

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/environment_variable.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

using seconds = std::chrono::duration<double>;

/// A candidate must be this much faster than one that stands before it.
constexpr double clearly_faster = 0.98;
constexpr int rounds = 7;
constexpr seconds of_sample{5e-4};

seconds time_of(const std::function<void()>& run, int times) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) {
    run();
  }
  return (std::chrono::steady_clock::now() - begin) / static_cast<double>(times);
}

/// Holds what was found, by key. A line of the file is a position, a tab, and a key.
class tuned_choices {
public:
  static tuned_choices& get() {
    static auto& all = *new tuned_choices; // never destroyed
    return all;
  }

  std::optional<std::size_t> find(const std::string& key) {
    const std::lock_guard lock(m_guard);
    read_file();
    const auto found = m_known.find(key);
    return found == m_known.end() ? std::nullopt : std::optional(found->second);
  }

  void add(const std::string& key, std::size_t choice) {
    const std::lock_guard lock(m_guard);
    m_known[key] = choice;
    if (m_path.empty()) {
      return;
    }
    std::ofstream file(m_path, std::ios::app);
    file << std::to_string(choice) + "\t" + key + "\n"; // at once, as other processes may write, too
    file.close();
    if (!file) {
      std::fprintf(stderr, "lanefold: LANEFOLD_TUNE_FILE cannot be written: %s: %s\n", m_path.c_str(),
                   std::strerror(errno));
    }
  }

private:
  /// Reads it when its name is new. Lines that are no choices are not read.
  void read_file() {
    const std::string path = value_of(environment_variables::tune_file).value_or("");
    if (path == m_path) {
      return;
    }
    m_path = path;
    std::ifstream file(m_path);
    for (std::string line; std::getline(file, line);) {
      const std::size_t tab = line.find('\t');
      std::size_t choice = 0;
      if (tab == std::string::npos) {
        continue;
      }
      const auto [end, error] = std::from_chars(line.data(), line.data() + tab, choice);
      if (error == std::errc() && end == line.data() + tab) {
        m_known[line.substr(tab + 1)] = choice;
      }
    }
  }

  std::mutex m_guard;
  std::string m_path;
  std::map<std::string, std::size_t> m_known;
};

std::size_t measure(const std::vector<std::function<void()>>& candidates) {
  struct entrant {
    std::size_t position;
    int times;
    seconds least;
  };
  std::vector<entrant> entrants;
  std::exception_ptr refused;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    try {
      candidates[i](); // fills caches and pools
      const seconds once = time_of(candidates[i], 1);
      entrants.push_back({i, static_cast<int>(std::clamp(of_sample / once, 1.0, 100.0)), once});
    } catch (const exception& e) {
      if (e.code() != errc::nd_range) {
        throw;
      }
      if (!refused) {
        refused = std::current_exception();
      }
    }
  }
  if (entrants.empty()) {
    std::rethrow_exception(refused);
  }
  for (int round = 0; round < rounds; ++round) { // in turn, so that what disturbs the machine disturbs all of them
    for (entrant& e : entrants) {
      e.least = std::min(e.least, time_of(candidates[e.position], e.times));
    }
  }
  const entrant* best = &entrants.front();
  for (const entrant& e : entrants) {
    if (e.least < clearly_faster * best->least) {
      best = &e;
    }
  }
  return best->position;
}

} // namespace

std::size_t fastest_of(const std::string& key, std::size_t count, void (*run)(const void*, std::size_t),
                       const void* argument) {
  tuned_choices& known = tuned_choices::get();
  const std::optional<std::size_t> before = known.find(key);
  if (before && *before < count) {
    return *before;
  }
  std::vector<std::function<void()>> candidates;
  for (std::size_t i = 0; i < count; ++i) {
    candidates.emplace_back([=] { run(argument, i); });
  }
  const std::size_t found = measure(candidates);
  known.add(key, found);
  return found;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
