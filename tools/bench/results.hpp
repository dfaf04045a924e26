// SPDX-License-Identifier: Apache-2.0
/// What lanefold-bench has measured, and the file in which it stands.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lanefold_bench {

/// One form of a program.
struct result {
  std::string program; ///< "triad/l1"
  std::string form;    ///< "1x64 lanes"
  bool is_ours;
  std::string unit; ///< of the rate, or of the time
  double scale;     ///< times seconds is the value in `unit`; negative: -scale / seconds is
  double flops;     ///< of one run; 0: not known
  double bytes;
  std::vector<double> samples;     ///< seconds of one run each
  std::vector<std::size_t> rounds; ///< how many of them each round through all programs has taken
};

/// A form that could not be measured, or has wrong results.
struct missing {
  std::string program;
  std::string why;
  bool is_wrong;
};

struct results {
  bool quick = true;
  unsigned threads = 1;
  bool interrupted = false;
  std::vector<result> measured;
  std::vector<missing> absent;
};

/// The file that results go to. It comes into being as a whole, at last.
class results_file {
public:
  /// Errors: std::runtime_error if it cannot be written.
  explicit results_file(std::string path);
  results_file(const results_file&) = delete;
  results_file& operator=(const results_file&) = delete;
  ~results_file();

  void write(const results& all);

private:
  std::string m_path;
  std::string m_unfinished; ///< the name that it has until it is whole
};

double median_of(std::vector<double> samples);
/// "12.3 GB/s".
std::string value_of(const result& r);

} // namespace lanefold_bench
