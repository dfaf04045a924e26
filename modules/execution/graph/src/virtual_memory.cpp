// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/virtual_memory.hpp>

#include <lanefold/exception.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::oneapi::experimental {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw exception(make_error_code(errc::invalid), why); }
[[noreturn]] void no_memory(const std::string& what) {
  throw exception(make_error_code(errc::memory_allocation), what + ": " + std::strerror(errno));
}

void check_device(const device& of) {
  if (!of.has(aspect::ext_oneapi_virtual_mem)) {
    throw exception(make_error_code(errc::feature_not_supported),
                    "virtual memory: the device does not have aspect::ext_oneapi_virtual_mem, the CPU does");
  }
}

std::size_t granularity() {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return page;
}

void check_size(const char* function, std::size_t bytes, std::uintptr_t start) {
  if (bytes == 0 || bytes % granularity() != 0 || start % granularity() != 0) {
    refuse(std::string(function) + ": " + std::to_string(bytes) + " bytes from address " + std::to_string(start) +
           " on are not a positive multiple of the granularity, " + std::to_string(granularity()));
  }
}

int protection_of(address_access_mode mode) {
  switch (mode) {
  case address_access_mode::none: return PROT_NONE;
  case address_access_mode::read: return PROT_READ;
  case address_access_mode::read_write: break;
  }
  return PROT_READ | PROT_WRITE;
}

/// Knows which addresses are reserved, and which of these have memory. Thread-safe.
class addresses {
public:
  static addresses& all() {
    static addresses& known = *new addresses;
    return known;
  }

  std::uintptr_t reserve(std::uintptr_t start, std::size_t bytes) {
    const std::lock_guard lock(m_guard);
    void* const wanted = reinterpret_cast<void*>(start); // NOLINT: the program's address
    void* const found = reserve_pages(wanted, bytes, start != 0 ? MAP_FIXED_NOREPLACE : 0);
    if (found == MAP_FAILED) {
      no_memory("reserve_virtual_mem: there are no " + std::to_string(bytes) + " bytes of addresses");
    }
    const auto begin = reinterpret_cast<std::uintptr_t>(found);
    try {
      if (start != 0 && begin != start) { // a kernel that does not know MAP_FIXED_NOREPLACE
        errno = EEXIST;
        no_memory("reserve_virtual_mem: the addresses are in use");
      }
      m_reserved.emplace(begin, reservation{bytes, {}});
    } catch (...) {
      munmap(found, bytes);
      throw;
    }
    return begin;
  }

  void free(std::uintptr_t start, std::size_t bytes) {
    const std::lock_guard lock(m_guard);
    const auto found = m_reserved.find(start);
    if (found == m_reserved.end() || found->second.bytes != bytes) {
      refuse("free_virtual_mem: no call of reserve_virtual_mem has reserved these addresses");
    }
    if (!found->second.mapped.empty()) {
      refuse("free_virtual_mem: memory is mapped there: call unmap first");
    }
    munmap(reinterpret_cast<void*>(start), bytes); // NOLINT
    m_reserved.erase(found);
  }

  void map(std::uintptr_t start, std::size_t bytes, address_access_mode mode, int file, std::size_t offset) {
    const std::lock_guard lock(m_guard);
    auto after = m_reserved.upper_bound(start);
    if (after == m_reserved.begin() || bytes > std::prev(after)->second.bytes ||
        start - std::prev(after)->first > std::prev(after)->second.bytes - bytes) {
      refuse("physical_mem::map: the addresses are not reserved");
    }
    std::map<std::uintptr_t, mapping>& mapped = std::prev(after)->second.mapped;
    const auto next = mapped.lower_bound(start);
    if ((next != mapped.end() && next->first < start + bytes) ||
        (next != mapped.begin() && std::prev(next)->first + std::prev(next)->second.bytes > start)) {
      refuse("physical_mem::map: memory is mapped there already");
    }
    const auto added = mapped.emplace(start, mapping{bytes, mode}).first;
    if (mmap(reinterpret_cast<void*>(start), bytes, protection_of(mode), MAP_SHARED | MAP_FIXED, file, // NOLINT
             static_cast<off_t>(offset)) == MAP_FAILED) {
      mapped.erase(added);
      no_memory("physical_mem::map");
    }
  }

  void unmap(const void* start, std::size_t bytes) {
    const std::lock_guard lock(m_guard);
    const auto [home, found] = find("unmap", start, bytes);
    if (reserve_pages(const_cast<void*>(start), bytes, MAP_FIXED) == MAP_FAILED) {
      no_memory("unmap");
    }
    home->erase(found);
  }

  address_access_mode mode(const void* start, std::size_t bytes) {
    const std::lock_guard lock(m_guard);
    return find("get_access_mode", start, bytes).second->second.mode;
  }

  void set_mode(const void* start, std::size_t bytes, address_access_mode mode) {
    const std::lock_guard lock(m_guard);
    const auto found = find("set_access_mode", start, bytes).second;
    if (mprotect(const_cast<void*>(start), bytes, protection_of(mode)) != 0) {
      no_memory("set_access_mode");
    }
    found->second.mode = mode;
  }

private:
  struct mapping {
    std::size_t bytes;
    address_access_mode mode;
  };
  struct reservation {
    std::size_t bytes;
    std::map<std::uintptr_t, mapping> mapped; // by their beginning
  };

  static void* reserve_pages(void* start, std::size_t bytes, int how) {
    return mmap(start, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | how, -1, 0);
  }

  /// Under m_guard.
  std::pair<std::map<std::uintptr_t, mapping>*, std::map<std::uintptr_t, mapping>::iterator>
  find(const char* function, const void* start, std::size_t bytes) {
    const auto at = reinterpret_cast<std::uintptr_t>(start);
    const auto after = m_reserved.upper_bound(at);
    if (after != m_reserved.begin()) {
      std::map<std::uintptr_t, mapping>& mapped = std::prev(after)->second.mapped;
      const auto found = mapped.find(at);
      if (found != mapped.end() && found->second.bytes == bytes) {
        return {&mapped, found};
      }
    }
    refuse(std::string(function) + ": no call of physical_mem::map has mapped these addresses");
  }

  std::mutex m_guard;
  std::map<std::uintptr_t, reservation> m_reserved; // by their beginning
};

} // namespace

std::size_t get_mem_granularity(const device& of, const context& where, granularity_mode) {
  const std::vector<device> all = where.get_devices();
  if (std::find(all.begin(), all.end(), of) == all.end()) {
    refuse("get_mem_granularity: the device is not one of the context");
  }
  check_device(of);
  return granularity();
}
std::size_t get_mem_granularity(const context& where, granularity_mode) {
  for (const device& each : where.get_devices()) {
    check_device(each);
  }
  return granularity();
}

std::uintptr_t reserve_virtual_mem(std::uintptr_t start, std::size_t bytes, const context& where) {
  static_cast<void>(get_mem_granularity(where));
  check_size("reserve_virtual_mem", bytes, start);
  return addresses::all().reserve(start, bytes);
}
std::uintptr_t reserve_virtual_mem(std::size_t bytes, const context& where) {
  return reserve_virtual_mem(0, bytes, where);
}
void free_virtual_mem(std::uintptr_t start, std::size_t bytes, const context&) { addresses::all().free(start, bytes); }

/// A file in memory, without a name.
class physical_mem::state {
public:
  state(device of, context where, std::size_t bytes) : m_of(std::move(of)), m_where(std::move(where)), m_bytes(bytes) {
    static_cast<void>(get_mem_granularity(m_of, m_where));
    check_size("physical_mem", bytes, 0);
    m_file = memfd_create("lanefold physical_mem", MFD_CLOEXEC);
    if (m_file < 0 || ftruncate(m_file, static_cast<off_t>(bytes)) != 0) {
      const int error = errno;
      close();
      errno = error;
      no_memory("physical_mem of " + std::to_string(bytes) + " bytes");
    }
  }
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state() { close(); }

  [[nodiscard]] const device& of() const noexcept { return m_of; }
  [[nodiscard]] const context& where() const noexcept { return m_where; }
  [[nodiscard]] std::size_t bytes() const noexcept { return m_bytes; }
  [[nodiscard]] int file() const noexcept { return m_file; }

private:
  void close() const noexcept {
    if (m_file >= 0) {
      ::close(m_file);
    }
  }

  device m_of;
  context m_where;
  std::size_t m_bytes;
  int m_file = -1;
};

physical_mem::physical_mem(const device& of, const context& where, std::size_t bytes)
    : m_state(std::make_shared<const state>(of, where, bytes)) {}
physical_mem::physical_mem(const queue& of, std::size_t bytes)
    : physical_mem(of.get_device(), of.get_context(), bytes) {}

void* physical_mem::map(std::uintptr_t start, std::size_t bytes, address_access_mode mode, std::size_t offset) const {
  check_size("physical_mem::map", bytes, start);
  if (offset % granularity() != 0 || bytes > size() || offset > size() - bytes) {
    refuse("physical_mem::map: " + std::to_string(bytes) + " bytes from offset " + std::to_string(offset) +
           " on are not within the memory of " + std::to_string(size()) + " bytes, or no multiple of the granularity");
  }
  addresses::all().map(start, bytes, mode, m_state->file(), offset);
  return reinterpret_cast<void*>(start); // NOLINT
}

context physical_mem::get_context() const { return m_state->where(); }
device physical_mem::get_device() const { return m_state->of(); }
std::size_t physical_mem::size() const noexcept { return m_state->bytes(); }

void unmap(const void* start, std::size_t bytes, const context&) { addresses::all().unmap(start, bytes); }
void set_access_mode(const void* start, std::size_t bytes, address_access_mode mode, const context&) {
  addresses::all().set_mode(start, bytes, mode);
}
address_access_mode get_access_mode(const void* start, std::size_t bytes, const context&) {
  return addresses::all().mode(start, bytes);
}

} // namespace ext::oneapi::experimental
LANEFOLD_END_NAMESPACE
