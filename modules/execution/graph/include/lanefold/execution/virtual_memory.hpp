// SPDX-License-Identifier: Apache-2.0
/// Addresses that are reserved first and given memory later, piece by piece: arrays that grow without being copied.
/// (sycl_ext_oneapi_virtual_mem) There for the CPU under Linux, which has aspect::ext_oneapi_virtual_mem.
#pragma once

#include <lanefold/execution/context.hpp>
#include <lanefold/execution/device.hpp>
#include <lanefold/execution/queue.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::oneapi::experimental {

enum class granularity_mode { minimum, recommended };
enum class address_access_mode { none, read, read_write };

/// Returns the bytes of which sizes, offsets and addresses of the functions below are multiples. Errors, here and
/// below: errc::feature_not_supported if a device lacks the aspect.
[[nodiscard]] std::size_t get_mem_granularity(const device& of, const context& where,
                                              granularity_mode mode = granularity_mode::recommended);
[[nodiscard]] std::size_t get_mem_granularity(const context& where,
                                              granularity_mode mode = granularity_mode::recommended);

/// Reserves addresses, at `start` if they are free there (0: anywhere). There is no memory yet: access ends the
/// program. Errors: errc::invalid for a size or address that is no multiple of the granularity, or 0 bytes;
/// errc::memory_allocation if no such addresses are left.
[[nodiscard]] std::uintptr_t reserve_virtual_mem(std::uintptr_t start, std::size_t bytes, const context& where);
[[nodiscard]] std::uintptr_t reserve_virtual_mem(std::size_t bytes, const context& where);
/// Gives back what one call has reserved. Errors: errc::invalid if it was not, or if memory is mapped there.
void free_virtual_mem(std::uintptr_t start, std::size_t bytes, const context& where);

/// Memory of a device without an address; copies stand for the same memory, which goes with the last of them and what
/// is mapped. Zero at first.
class physical_mem {
public:
  /// Errors: errc::invalid for a size that is no multiple of the granularity, or 0; errc::memory_allocation.
  physical_mem(const device& of, const context& where, std::size_t bytes);
  physical_mem(const queue& of, std::size_t bytes);

  /// Puts `bytes` of the memory, from `offset` on, at reserved addresses from `start` on. Returns the address as a
  /// pointer. Errors: errc::invalid if they are not reserved, or mapped already, or not within the memory.
  void* map(std::uintptr_t start, std::size_t bytes, address_access_mode mode, std::size_t offset = 0) const;

  [[nodiscard]] context get_context() const;
  [[nodiscard]] device get_device() const;
  /// Bytes.
  [[nodiscard]] std::size_t size() const noexcept;

  friend bool operator==(const physical_mem&, const physical_mem&) = default;

private:
  friend struct std::hash<physical_mem>;
  class state;
  lanefold::detail::shared_part<const state> m_state;
};

// Of one call of map, all its bytes. Errors: errc::invalid if nothing is mapped there.
/// Takes the memory away; the addresses stay reserved.
void unmap(const void* start, std::size_t bytes, const context& where);
void set_access_mode(const void* start, std::size_t bytes, address_access_mode mode, const context& where);
[[nodiscard]] address_access_mode get_access_mode(const void* start, std::size_t bytes, const context& where);

} // namespace ext::oneapi::experimental
LANEFOLD_END_NAMESPACE

template <>
struct std::hash<lanefold::ext::oneapi::experimental::physical_mem> {
  std::size_t operator()(const lanefold::ext::oneapi::experimental::physical_mem& memory) const noexcept {
    return std::hash<const void*>()(memory.m_state.get());
  }
};
