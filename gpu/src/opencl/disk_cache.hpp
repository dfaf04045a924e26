// SPDX-License-Identifier: Apache-2.0
/// Files of built programs.
#pragma once

#include <lanefold/version.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

/// A folder of files, each of which holds a key, a value and a checksum. Nothing here throws: what cannot be read is
/// missing, what cannot be written is not. Several processes may use one folder: files are written under a name of
/// their own and renamed.
class disk_cache {
public:
  /// An empty path: nothing is kept. All files together take at most `limit` bytes.
  disk_cache(std::filesystem::path folder, std::uintmax_t limit);

  enum class outcome { found, missing, bad };
  struct lookup {
    outcome what;
    std::string value;
  };
  /// A bad file is removed.
  lookup load(std::string_view key) const noexcept;
  /// Returns whether the value was written. Then the files unused for longest go until the rest fits the limit.
  bool store(std::string_view key, std::string_view value) const noexcept;

  std::filesystem::path file_of(std::string_view key) const;

private:
  void shrink(const std::filesystem::path& keep) const;

  std::filesystem::path m_folder;
  std::uintmax_t m_limit;
};

/// 64 bits of FNV-1a.
std::uint64_t checksum_of(std::string_view text, std::uint64_t seed = 14695981039346656037u) noexcept;

/// These follow the environment as program_cache.hpp says.
std::filesystem::path cache_folder();
std::uintmax_t cache_limit();

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
