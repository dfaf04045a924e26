// SPDX-License-Identifier: Apache-2.0
/// Says how commands use the memory of a buffer: modes, targets, and the tags from which accessors deduce them.
#pragma once

#include <lanefold/execution/property.hpp>
#include <lanefold/version.hpp>

LANEFOLD_BEGIN_NAMESPACE

/// Says what an accessor does with the elements [sycl.4.7.6.2]. The deprecated modes of SYCL 1.2.1 are there, too:
/// those that discard are as if `no_init` were given, `atomic` is as `read_write`.
enum class access_mode { read, write, read_write, discard_write, discard_read_write, atomic };

/// Says who uses an accessor [sycl.4.7.6.3]: kernels, or host tasks. The targets of SYCL 1.2.1 are there, too: constant
/// memory is memory, an accessor of target local is a local_accessor, one of host_buffer a host_accessor, and those of
/// images give pixels (<lanefold/execution/image_1_2_1.hpp>).
enum class target {
  device,
  host_task,
  constant_buffer,
  local,
  host_buffer,
  image,
  host_image,
  image_array,
  global_buffer = device
};

namespace access {
/// Is an argument of nd_item::barrier of SYCL 1.2.1: a barrier orders all memory.
enum class fence_space { local_space, global_space, global_and_local };
using mode = access_mode;
using target = lanefold::target;
/// Accessors do not depend on it (deprecated in SYCL 2020).
enum class placeholder { false_t, true_t };
} // namespace access

namespace property {
/// The command writes without having read: what the accessor's elements were before does not matter, and the command
/// does not need those that have written them to succeed.
struct no_init : detail::runtime_property {};
/// An accessor to a part of a buffer is ordered against the whole buffer [sycl.4.7.6.9]; commands whose accessors have
/// this property are ordered among each other by their parts, so that those on different parts may run at once.
struct own_part : detail::runtime_property {};
} // namespace property
/// The property, for arguments of accessors: `accessor out(b, h, write_only, no_init)`.
inline const property::no_init no_init;

/// The type of the tags from which an accessor of a kernel deduces its mode [sycl.4.7.6.4].
template <access_mode Mode>
struct mode_tag_t {
  explicit mode_tag_t() = default;
};
/// The type of the tags from which an accessor of a host task deduces its mode and target.
template <access_mode Mode, target Target>
struct mode_target_tag_t {
  explicit mode_target_tag_t() = default;
};

/// The kernel reads the elements.
inline constexpr mode_tag_t<access_mode::read> read_only{};
/// The kernel reads and writes the elements.
inline constexpr mode_tag_t<access_mode::read_write> read_write{};
/// The kernel writes elements; those that it does not write keep their values, unless `no_init` is given, too.
inline constexpr mode_tag_t<access_mode::write> write_only{};
/// A host task reads the elements.
inline constexpr mode_target_tag_t<access_mode::read, target::host_task> read_only_host_task{};
/// A host task reads and writes the elements.
inline constexpr mode_target_tag_t<access_mode::read_write, target::host_task> read_write_host_task{};
/// A host task writes elements; the other ones keep their values, unless `no_init` is given, too.
inline constexpr mode_target_tag_t<access_mode::write, target::host_task> write_only_host_task{};

namespace detail {

/// Holds what a tag says.
template <class Tag>
struct access_tag;
template <access_mode Mode>
struct access_tag<mode_tag_t<Mode>> {
  static constexpr access_mode mode = Mode;
  static constexpr target where = target::device;
};
template <access_mode Mode, target Target>
struct access_tag<mode_target_tag_t<Mode, Target>> {
  static constexpr access_mode mode = Mode;
  static constexpr target where = Target;
};
template <class Tag>
concept AccessTag = requires { access_tag<Tag>::mode; };

/// Says what an accessor does to the elements.
struct access_kind {
  bool writes;
  bool needs_old; ///< is set if the command needs the values that the elements had before
};
constexpr access_kind kind_of(access_mode mode, bool without_init) noexcept {
  const bool discards = mode == access_mode::discard_write || mode == access_mode::discard_read_write;
  return {mode != access_mode::read, !discards && !without_init};
}

} // namespace detail
LANEFOLD_END_NAMESPACE
