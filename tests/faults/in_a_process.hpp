// SPDX-License-Identifier: Apache-2.0
/// Runs functions in processes of their own, so that a hang, a crash or std::terminate is one failed test.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace faults {

/// Says how a process ended, and what it wrote to stderr (its first 64 KiB).
struct outcome {
  int status;
  std::string text;
  [[nodiscard]] bool is_exit(int code) const noexcept { return WIFEXITED(status) && WEXITSTATUS(status) == code; }
  [[nodiscard]] std::string describe() const {
    return (WIFEXITED(status)             ? "exit " + std::to_string(WEXITSTATUS(status))
            : WTERMSIG(status) == SIGALRM ? std::string("it hangs")
                                          : "signal " + std::to_string(WTERMSIG(status))) +
           ": " + text;
  }
};

/// Calls `function` in a child of this process, which must have no other threads. What it returns is the exit status.
/// A child that takes longer than `seconds` gets SIGALRM.
template <class Function>
outcome in_a_process(Function function, unsigned seconds = 60) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) {
    return {-1, "no pipe"};
  }
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    dup2(ends[1], STDERR_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY); // NOLINT(cppcoreguidelines-pro-type-vararg)
    dup2(nowhere, STDOUT_FILENO);
    alarm(seconds);
    std::exit(function());
  }
  close(ends[1]);
  outcome result{-1, {}};
  std::array<char, 4096> part{};
  for (ssize_t got = 0; (got = read(ends[0], part.data(), part.size())) > 0;) {
    result.text.append(part.data(), result.text.size() < 65536 ? static_cast<std::size_t>(got) : 0);
  }
  close(ends[0]);
  waitpid(child, &result.status, 0);
  return result;
}

} // namespace faults
