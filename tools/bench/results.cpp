// SPDX-License-Identifier: Apache-2.0
#include "results.hpp"

#include "machine.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <unistd.h>
#include <utility>

namespace lanefold_bench {

double median_of(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const std::size_t half = samples.size() / 2;
  return samples.size() % 2 != 0 ? samples[half] : (samples[half - 1] + samples[half]) / 2;
}

std::string value_of(const result& r) {
  const double seconds = median_of(r.samples);
  char text[32];
  std::snprintf(text, sizeof text, "%.4g ", r.scale < 0 ? -r.scale / seconds : r.scale * seconds);
  return text + r.unit;
}

results_file::results_file(std::string path)
    : m_path(std::move(path)), m_unfinished(m_path + "." + std::to_string(getpid()) + ".part") {
  if (std::filesystem::is_directory(m_path)) {
    throw std::runtime_error(m_path + " is a folder");
  }
  if (!std::ofstream(m_unfinished)) {
    throw std::runtime_error(m_path + " cannot be written: " + std::strerror(errno));
  }
}

results_file::~results_file() {
  std::error_code ignored; // it is gone when it was written
  std::filesystem::remove(m_unfinished, ignored);
}

void results_file::write(const results& all) {
  using nlohmann::json;
  json measured = json::array();
  for (const result& r : all.measured) {
    measured.push_back({{"program", r.program},
                        {"form", r.form},
                        {"ours", r.is_ours},
                        {"unit", r.unit},
                        {"scale", r.scale},
                        {"flops", r.flops},
                        {"bytes", r.bytes},
                        {"seconds", r.samples},
                        {"rounds", r.rounds}});
  }
  json absent = json::array();
  for (const missing& m : all.absent) {
    absent.push_back({{"program", m.program}, {"why", m.why}, {"wrong", m.is_wrong}});
  }
  const json whole = {{"lanefold_bench", 1},
                      {"mode", all.quick ? "quick" : "full"},
                      {"threads", all.threads},
                      {"interrupted", all.interrupted},
                      {"context", describe_machine()},
                      {"results", measured},
                      {"missing", absent}};
  std::ofstream file(m_unfinished);
  file << whole.dump(1, ' ', false, json::error_handler_t::replace) << '\n';
  file.close();
  if (!file || std::rename(m_unfinished.c_str(), m_path.c_str()) != 0) {
    throw std::runtime_error(m_path + " cannot be written: " + std::strerror(errno));
  }
}

} // namespace lanefold_bench
