// SPDX-License-Identifier: Apache-2.0
#include "disk_cache.hpp"

#include <lanefold/execution/detail/environment_variable.hpp>
#include <lanefold/gpu/program_cache.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <system_error>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {
namespace opencl {
namespace {

namespace fs = std::filesystem;

// A file: the header, the key, the value.
struct file_header {
  std::array<char, 8> magic;
  std::uint64_t key_bytes;
  std::uint64_t value_bytes;
  std::uint64_t checksum; // of key and value
};
constexpr std::array<char, 8> magic = {'l', 'f', 'c', 'a', 'c', 'h', 'e', '1'};
constexpr const char* extension = ".lfprogram";

file_header header_of(std::string_view key, std::string_view value) {
  return {magic, key.size(), value.size(), checksum_of(value, checksum_of(key))};
}

std::string hexadecimal(std::uint64_t number) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  return {digits.data(), end};
}

/// The value, if the whole file is right.
std::optional<std::string> value_in(const std::string& file, std::string_view key) {
  file_header header;
  if (file.size() < sizeof(header) + key.size())
    return std::nullopt;
  std::memcpy(&header, file.data(), sizeof(header));
  const std::string_view body = std::string_view(file).substr(sizeof(header));
  const std::string_view value = body.substr(key.size());
  const file_header right = header_of(key, value);
  if (body.substr(0, key.size()) != key || std::memcmp(&header, &right, sizeof(header)) != 0)
    return std::nullopt;
  return std::string(value);
}

/// A name that no other thread or process uses.
std::string unique_suffix() {
  static const std::uint64_t process = [] {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
  }();
  static std::atomic<std::uint64_t> count = 0;
  return hexadecimal(process) + "-" + hexadecimal(++count);
}

bool write_whole(const fs::path& to, std::string_view key, std::string_view value) {
  const file_header header = header_of(key, value);
  std::ofstream out(to, std::ios::binary);
  out.write(reinterpret_cast<const char*>(&header), sizeof(header));
  out.write(key.data(), static_cast<std::streamsize>(key.size()));
  out.write(value.data(), static_cast<std::streamsize>(value.size()));
  out.close();
  return out.good();
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

} // namespace

std::uint64_t checksum_of(std::string_view text, std::uint64_t seed) noexcept {
  for (const char c : text)
    seed = (seed ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return seed;
}

disk_cache::disk_cache(fs::path folder, std::uintmax_t limit) : m_folder(std::move(folder)), m_limit(limit) {}

fs::path disk_cache::file_of(std::string_view key) const {
  return m_folder / (hexadecimal(checksum_of(key)) + hexadecimal(checksum_of(key, 1)) + extension);
}

disk_cache::lookup disk_cache::load(std::string_view key) const noexcept {
  try {
    if (m_folder.empty())
      return {outcome::missing, {}};
    const fs::path file = file_of(key);
    std::error_code ignored;
    const fs::file_status found = fs::status(file, ignored);
    if (fs::exists(found) && !fs::is_regular_file(found)) { // opening a pipe would wait for somebody who writes
      fs::remove(file, ignored);
      return {outcome::bad, {}};
    }
    std::ifstream in(file, std::ios::binary);
    if (!in)
      return {outcome::missing, {}};
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (auto value = value_in(text, key)) {
      fs::last_write_time(file, fs::file_time_type::clock::now(), ignored); // it was used
      return {outcome::found, std::move(*value)};
    }
    fs::remove(file, ignored);
    return {outcome::bad, {}};
  } catch (...) {
    return {outcome::missing, {}};
  }
}

bool disk_cache::store(std::string_view key, std::string_view value) const noexcept {
  try {
    if (m_folder.empty())
      return true;
    std::error_code error;
    fs::create_directories(m_folder, error);
    const fs::path file = file_of(key);
    fs::path temporary = file;
    temporary += '.';
    temporary += unique_suffix();
    bool written = write_whole(temporary, key, value);
    if (written) {
      fs::rename(temporary, file, error);
      written = !error;
    }
    if (!written)
      fs::remove(temporary, error);
    else
      shrink(file);
    return written;
  } catch (...) {
    return false;
  }
}

void disk_cache::shrink(const fs::path& keep) const {
  struct entry {
    fs::file_time_type used;
    std::uintmax_t bytes;
    fs::path path;
  };
  std::vector<entry> entries;
  std::uintmax_t total = 0;
  std::error_code error; // files may go while we look
  for (const fs::directory_entry& file : fs::directory_iterator(m_folder, error)) {
    const std::uintmax_t bytes = file.file_size(error);
    if (error || file.path().filename().string().find(extension) == std::string::npos)
      continue;
    const fs::file_time_type used = file.last_write_time(error);
    if (!error) {
      total += bytes;
      entries.push_back({used, bytes, file.path()});
    }
  }
  std::sort(entries.begin(), entries.end(), [](const entry& a, const entry& b) { return a.used < b.used; });
  for (const entry& e : entries) {
    if (total <= m_limit)
      return;
    if (e.path == keep)
      continue;
    fs::remove(e.path, error);
    total -= e.bytes;
  }
}

fs::path cache_folder() {
  if (const char* const named = std::getenv(lanefold::detail::environment_variables::cache_dir.name)) // empty: no files
    return named;
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty())
    return fs::path(cache) / "lanefold";
  if (const std::string home = variable("HOME"); !home.empty())
    return fs::path(home) / ".cache" / "lanefold";
  return {};
}

std::uintmax_t cache_limit() {
  constexpr std::uintmax_t usual = std::uintmax_t{256} << 20;
  return lanefold::detail::value_of(lanefold::detail::environment_variables::cache_size).value_or(usual);
}

} // namespace opencl

std::string program_cache_directory() { return opencl::cache_folder().string(); }

} // namespace gpu
LANEFOLD_END_NAMESPACE
