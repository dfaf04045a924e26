// SPDX-License-Identifier: Apache-2.0
/// Writes what a program behind `scripts/targets` prints. Standard output is for that script, one line per target:
///
///   name TAB value
///   name TAB skipped TAB why
///   name TAB wrong TAB why          a result was not what it should be
///
/// Lines that start with '#' are for readers.
#pragma once

#include "peers.hpp"
#include "ratio.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lanefold_benchmarks {

using lanefold_peers::work;

struct options {
  unsigned threads = 2;
  bool absolute_times = false;   ///< measure times instead of the targets, which are ratios
  bool quick = false;            ///< of these, take smaller sizes
  bool verify_only = false;      ///< run and check every form of the work once, measure nothing
  std::vector<std::string> only; ///< the programs to run; all when empty
  sampling how;
};
options parse_options(int argc, char** argv);

/// One side of a comparison.
struct side {
  std::vector<work> candidates;       ///< forms of the same work: the fastest is compared
  std::function<void()> clear;        ///< spoils what an earlier run left in the results
  std::function<std::string()> check; ///< returns what is wrong with the results; empty when nothing is
  std::string absent;                 ///< why there is no candidate
  mutable bool verified = false;      ///< every candidate has been run and checked
  bool is_ours = false;               ///< it is Lanefold's
};

/// Counts what one run of the work computes and moves, as the textbook does: a roofline needs both. 0: not known.
struct cost {
  double flops = 0;
  double bytes = 0;
};

/// Checks every candidate once, unless that was done: throws std::runtime_error for a wrong result.
void verify(const side& which);

enum class quantity {
  time, ///< (time of ours) / (time of theirs): small is good
  speed ///< (speed of ours) / (speed of theirs): large is good
};

class report {
public:
  explicit report(const options& given) : m_options(given) {}
  report(const report&) = delete;
  report& operator=(const report&) = delete;
  virtual ~report() = default;

  void value(const std::string& name, double measured);
  void skipped(const std::string& name, const std::string& why);
  void wrong(const std::string& name, const std::string& why);
  void note(const std::string& text);
  /// Notes the threads and the lines of lanefold_peers::describe_environment(), which not every program links.
  void note_environment(const std::vector<std::string>& lines);

  /// Checks every candidate of both sides once, then compares the fastest ones. Returns the value, 0 if there is none.
  double compare(const std::string& name, quantity what, const side& ours, const side& theirs);

  /// Notes the time of every candidate, its least one also as `scale` × seconds in `unit` (a negative scale: -scale /
  /// seconds, a rate). `of_run` is what one run costs.
  virtual void absolute(const std::string& name, const side& of, double scale, const std::string& unit,
                        const cost& of_run = {});

  /// Runs a program unless the options leave it out; what it throws becomes a note and a non-zero exit status.
  void run(const std::string& program, const std::function<void(report&, const options&)>& measure);
  int exit_status() const { return m_failed ? 1 : 0; }

private:
  const work& fastest(const side&) const;

  const options& m_options;
  bool m_failed = false;
};

} // namespace lanefold_benchmarks
