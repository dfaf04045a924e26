// SPDX-License-Identifier: Apache-2.0
#include "ranks.hpp"

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <system_error>

#include <unistd.h>

namespace finite_volumes {
namespace {

class only_rank final : public ranks {
public:
  [[nodiscard]] std::size_t rank() const override { return 0; }
  [[nodiscard]] std::size_t count() const override { return 1; }
  [[nodiscard]] std::size_t rank_on_host() const override { return 0; }
  [[nodiscard]] std::size_t threads() const override { return 0; }

  void maximum(std::span<double> /*values*/) override {}
  void sum(std::span<double> /*values*/) override {}
  [[nodiscard]] std::uint64_t sum(std::uint64_t value) override { return value; }
  [[nodiscard]] std::vector<std::string> gather(const std::string& text) override { return {text}; }

  void begin_exchange(std::span<const message> /*sent*/, std::span<const message> /*received*/) override {}
  void end_exchange() override {}

  void write(const std::string& path, std::span<const file_pieces> pieces) override {
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    const bool is_ours = file.is_open();
    for (const file_pieces& some : pieces) {
      for (std::size_t i = 0; i < some.offsets.size();) {
        std::size_t end = i + 1; // pieces that follow one another are one
        while (end < some.offsets.size() && some.offsets[end] == some.offsets[end - 1] + some.length) {
          ++end;
        }
        file.seekp(static_cast<std::streamoff>(some.offsets[i]));
        file.write(some.bytes.data() + i * some.length, static_cast<std::streamsize>((end - i) * some.length));
        i = end;
      }
    }
    file.close();
    if (!file) {
      const bad_file why = not_written(path);
      if (is_ours) {
        ::unlink(path.c_str());
      }
      throw why;
    }
  }

  int fail(const std::string& what) override {
    std::fprintf(stderr, "lanefold_euler: %s\n", what.c_str());
    return 1;
  }
};

} // namespace

bad_file not_written(const std::string& path) {
  const int reason = errno;
  return bad_file("'" + path + "' cannot be written" +
                  (reason == 0 ? "" : ": " + std::generic_category().message(reason)));
}

std::unique_ptr<ranks> make_only_rank() { return std::make_unique<only_rank>(); }

} // namespace finite_volumes
