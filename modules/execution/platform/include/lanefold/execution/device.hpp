// SPDX-License-Identifier: Apache-2.0
/// device: what kernels run on.
#pragma once

#include <lanefold/execution/aspect.hpp>
#include <lanefold/execution/async_handler.hpp>
#include <lanefold/execution/backend.hpp>
#include <lanefold/execution/detail/query.hpp>
#include <lanefold/simd/isa.hpp>
#include <lanefold/version.hpp>

#include <concepts>
#include <cstddef>
#include <functional> // std::hash
#include <string>
#include <type_traits>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE

class device;
class device_selector;
class platform;

namespace detail {

struct device_entry;

/// A device selector: the device with the highest score that is not negative is taken.
template <class S>
concept device_selector =
    !std::convertible_to<const S&, async_handler> && !std::convertible_to<const S&, const device&> &&
    (std::is_invocable_r_v<int, S&, const device&> || std::is_base_of_v<lanefold::device_selector, S>);

/// The score that a selector gives. The call operator of SYCL 1.2.1's classes is often private, and that of others not
/// const: these are copied for each device.
template <class S>
int score_of(const S& selector, const device& d) {
  if constexpr (std::is_base_of_v<lanefold::device_selector, S>) {
    return S::score_by(selector, d);
  } else if constexpr (std::is_invocable_v<const S&, const device&>) {
    return selector(d);
  } else {
    return S(selector)(d);
  }
}

/// Returns the device to which `score(selector, device)` gives most. Throws errc::runtime if every score is negative.
/// (With std::function each program that names a device would compile one: a hundredth of what a small one takes.)
device select_device(int (*score)(const void*, const device&), const void* selector);
template <class S>
device select_device_by(const S& selector);

} // namespace detail

namespace ext::oneapi {
/// Says what of a peer's memory is asked for [sycl_ext_oneapi_peer_access].
enum class peer_access { access_supported, atomics_supported };
namespace experimental {
enum class architecture;
enum class arch_category;
} // namespace experimental
} // namespace ext::oneapi

/// A device [sycl.4.6.4]: a cheap handle, copies stand for the same device. Host only, callable from any thread.
///
/// There is the CPU that the process runs on, and with <lanefold/gpu.hpp> each OpenCL device (docs/gpu.md).
class device {
public:
  /// A device is a place for USM, beside a context.
  using usm_place = void;

  /// The CPU.
  device() noexcept;
  /// The device that a selector scores highest; errc::runtime if it scores all of them below zero. An exception of the
  /// selector passes through.
  template <detail::device_selector Selector>
  explicit device(const Selector& selector) : device(detail::select_device_by(selector)) {}

  /// Each of these returns whether the device has the aspect of its name.
  bool is_cpu() const noexcept { return has(aspect::cpu); }
  bool is_gpu() const noexcept { return has(aspect::gpu); }
  bool is_accelerator() const noexcept { return has(aspect::accelerator); }
  /// There is no host device since SYCL 2020.
  static constexpr bool is_host() noexcept { return false; }
  /// Returns whether the device has an aspect [sycl.4.6.4.5].
  bool has(aspect asked) const noexcept;
  /// Of the vendor's extensions, see info::device::extensions.
  bool has_extension(const std::string& name) const;

  /// The platform that lists it.
  platform get_platform() const;
  /// backend::lanefold_cpu for the CPU, backend::opencl for OpenCL devices.
  backend get_backend() const noexcept;
  /// get_info<info::device::name>(). Values come from the operating system and the processor; see docs/sycl.md.
  template <detail::query_in<detail::device_query> Query, unsigned PlainSize = detail::plain_sub_group_size>
  LANEFOLD_ALWAYS_INLINE typename Query::return_type get_info() const {
    // Kernels that do not ask for a size get this one: it depends on what they are compiled for.
    if constexpr (std::is_same_v<Query, info::device::sub_group_sizes>) {
      if (get_backend() == backend::lanefold_cpu) {
        if constexpr (PlainSize != 0) {
          return {PlainSize};
        }
        constexpr isa_id isa = isa_of_translation_unit();
        return {isa == isa_id::avx512 ? std::size_t{16} : isa == isa_id::avx2 ? std::size_t{8} : std::size_t{4}};
      }
    }
    if constexpr (requires { Query::asked; }) {
      return has(Query::asked);
    } else if constexpr (requires { Query::of(*this); }) {
      return Query::of(*this);
    } else if constexpr (requires { Query::needed; }) {
      refuse_query();
    } else {
      return answer<Query>();
    }
  }
  /// Returns SYCL 1.2.1's max_work_item_sizes, without a number of dimensions: three.
  template <template <int> class Query>
    requires detail::query_in<Query<3>, detail::device_query>
  typename Query<3>::return_type get_info() const {
    return get_info<Query<3>>();
  }

  /// Every device of every platform, the default device first.
  static std::vector<device> get_devices(info::device_type type = info::device_type::all);

  /// Devices cannot be divided: throws errc::feature_not_supported. (A queue takes property::threads.)
  template <info::partition_property Property, class Devices = std::vector<device>, class... Arguments>
  [[noreturn]] Devices create_sub_devices(const Arguments&...) const {
    refuse_partition();
  }

  /// Returns whether kernels of this device reach memory of `peer`: those of the CPU reach the CPU's. OpenCL devices
  /// reach no other's. (sycl_ext_oneapi_peer_access)
  bool ext_oneapi_can_access_peer(const device& peer, ext::oneapi::peer_access /*asked*/ =
                                                          ext::oneapi::peer_access::access_supported) const noexcept {
    return is_cpu() && *this == peer;
  }
  /// There is nothing to switch on or off. Errors: errc::invalid for a peer whose memory this device cannot reach.
  void ext_oneapi_enable_peer_access(const device& peer) const { check_peer(peer); }
  void ext_oneapi_disable_peer_access(const device& peer) const { check_peer(peer); }

  /// Returns whether it has this architecture, or one of this kind: <lanefold/execution/architecture.hpp>.
  // (sycl_ext_oneapi_device_architecture)
  bool ext_oneapi_architecture_is(ext::oneapi::experimental::architecture asked) const noexcept;
  bool ext_oneapi_architecture_is(ext::oneapi::experimental::arch_category asked) const noexcept;

  /// Of the CPU, the model name that the operating system reports.
  std::string get_name() const;
  /// Of the CPU, cores that the process may use.
  std::size_t max_compute_units() const;
  // Limits of the CPU; get_info tells those of any device.
  /// Work-items per work-group that programs are told of: 1024, or what LANEFOLD_MAX_WORK_GROUP_SIZE says. Launches may
  /// have up to 8192. Errors: errc::invalid for a variable that is not 1 to 8192.
  static std::size_t max_work_group_size();
  /// Bytes of local memory per work-group.
  static constexpr std::size_t local_memory_bytes() noexcept { return 256 * 1024; }

  friend bool operator==(const device&, const device&) noexcept = default;

  /// Only the library calls these.
  const detail::device_entry* entry() const noexcept { return m_device; }
  explicit device(const detail::device_entry* entry) noexcept : m_device(entry) {}

private:
  // Without a constraint: compilers do not agree on the names of functions that have one.
  template <class Query>
  typename Query::return_type answer() const;

  [[noreturn]] void refuse_partition() const;
  [[noreturn]] void refuse_query() const;
  void check_peer(const device& peer) const;

  const detail::device_entry* m_device; // lives as long as the process
};

namespace detail {

template <class S>
device select_device_by(const S& selector) {
  const auto score = [&selector](const device& d) -> int { return score_of(selector, d); };
  return select_device([](const void* s, const device& d) { return (*static_cast<decltype(&score)>(s))(d); }, &score);
}

} // namespace detail
LANEFOLD_END_NAMESPACE

template <>
struct std::hash<lanefold::device> {
  std::size_t operator()(const lanefold::device& d) const noexcept {
    return std::hash<const lanefold::detail::device_entry*>()(d.entry());
  }
};
