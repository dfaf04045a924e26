// SPDX-License-Identifier: Apache-2.0
#include "parsers.hpp"

#include "disk_cache.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using lanefold::gpu::opencl::disk_cache;

/// A folder of this process.
class folder {
public:
  folder() { fs::create_directories(m_path); }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  ~folder() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
  }
  [[nodiscard]] const fs::path& path() const noexcept { return m_path; }

private:
  fs::path m_path = fs::temp_directory_path() / ("lanefold-fuzz-" + std::to_string(getpid()));
};

} // namespace

void fuzz_parsers::cache_files(std::string_view input) {
  static const folder home;
  const disk_cache cache(home.path(), 1 << 20);
  const std::string key = "a program";
  const fs::path file = cache.file_of(key);
  {
    std::ofstream out(file, std::ios::binary);
    out.write(input.data(), static_cast<std::streamsize>(input.size()));
  }
  const disk_cache::lookup found = cache.load(key);
  require(found.what != disk_cache::outcome::missing, "the file is there");
  if (found.what == disk_cache::outcome::found) {
    require(input.size() > found.value.size() && input.ends_with(found.value), "a value is what the file ends with");
  } else {
    require(found.value.empty() && !fs::exists(file), "a bad file is removed");
  }
  const std::string value(input);
  require(cache.store(key, value), "any value is stored");
  const disk_cache::lookup again = cache.load(key);
  require(again.what == disk_cache::outcome::found && again.value == value, "a stored value is found");
}
