// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/machine.hpp>

#include <lanefold/execution/detail/processors.hpp>
#include <lanefold/simd/isa.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// The first word of a file; empty if it cannot be read.
std::string first_word(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
}

/// "32K", "260M", "123" as a number of bytes; 0 if it is none.
std::uint64_t bytes_of(const std::string& text) {
  char* suffix = nullptr;
  const std::uint64_t number = std::strtoull(text.c_str(), &suffix, 10);
  switch (*suffix) {
  case 'K': return number << 10;
  case 'M': return number << 20;
  case 'G': return number << 30;
  default: return number;
  }
}

std::uint64_t known_or_zero(long value) { return value > 0 ? static_cast<std::uint64_t>(value) : 0; }

} // namespace

std::string cpuinfo(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(key)) {
      const std::size_t colon = line.find(": ");
      return colon == std::string::npos ? std::string() : line.substr(colon + 2);
    }
  }
  return {};
}

std::vector<data_cache> data_caches() {
  std::vector<data_cache> found;
  for (int index = 0; index < 8; ++index) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    const std::uint64_t bytes = bytes_of(first_word(folder + "size"));
    if (bytes != 0 && first_word(folder + "type") != "Instruction") {
      found.push_back({static_cast<unsigned>(bytes_of(first_word(folder + "level"))), bytes,
                       static_cast<std::uint32_t>(bytes_of(first_word(folder + "coherency_line_size")))});
    }
  }
  std::sort(found.begin(), found.end(), [](const data_cache& a, const data_cache& b) { return a.level < b.level; });
  return found;
}

data_cache largest_cache() {
  data_cache found;
  for (const data_cache& cache : data_caches()) {
    if (cache.bytes > found.bytes) {
      found = cache;
    }
  }
#if defined(_SC_LEVEL1_DCACHE_LINESIZE)
  if (found.bytes == 0) {
    for (const int level : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL1_DCACHE_SIZE}) {
      found.bytes = std::max(found.bytes, known_or_zero(sysconf(level)));
    }
  }
  if (found.line == 0) {
    found.line = static_cast<std::uint32_t>(known_or_zero(sysconf(_SC_LEVEL1_DCACHE_LINESIZE)));
  }
#endif
  return found;
}

std::size_t available_cores() {
  const std::size_t allowed = processors_of_process();
  return std::min(allowed, processors_of_control_group().value_or(allowed));
}

std::uint64_t memory_bytes() {
  const std::uint64_t installed = known_or_zero(sysconf(_SC_PHYS_PAGES)) * known_or_zero(sysconf(_SC_PAGE_SIZE));
  for (const char* const limit : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    const std::uint64_t allowed = bytes_of(first_word(limit)); // the word "max" is no number: 0
    if (allowed != 0 && allowed < installed) {
      return allowed;
    }
  }
  return installed;
}

std::uint32_t clock_megahertz() {
  const std::uint64_t kilohertz = bytes_of(first_word("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"));
  return static_cast<std::uint32_t>(kilohertz != 0 ? kilohertz / 1000 : bytes_of(cpuinfo("cpu MHz")));
}

std::uint32_t vendor_number() {
  const std::string vendor = cpuinfo("vendor_id");
  if (vendor == "GenuineIntel") {
    return 0x8086;
  }
  if (vendor == "AuthenticAMD") {
    return 0x1022;
  }
  return cpuinfo("CPU implementer") == "0x41" ? 0x13b5 : 0; // Arm
}

std::size_t register_bytes() {
  switch (cpu_isa()) {
  case isa_id::avx512: return 64;
  case isa_id::avx2: return 32;
  case isa_id::sse2:
  case isa_id::neon: return 16;
  case isa_id::generic: break;
  }
  return 1;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
