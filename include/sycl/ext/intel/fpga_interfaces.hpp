// SPDX-License-Identifier: Apache-2.0
/// Programs say this to a compiler for FPGAs about interfaces of kernels, of their arguments and of pipes. On a CPU an
/// annotated argument is that argument, and properties mean nothing. (sycl_ext_oneapi_annotated_arg,
/// sycl_ext_oneapi_annotated_ptr, sycl_ext_intel_fpga_kernel_interface_properties)
#pragma once

#include <sycl/sycl.hpp>

#include <lanefold/detail/macros_of_programs_begin.hpp>

#if __has_include(<lanefold/execution.hpp>)
#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// A property that `properties{…}` takes and nothing asks for. `Key` tells its kinds apart.
template <class Key, auto... Values>
struct silent_property : launch_property {
  using key_t = Key;
};

} // namespace detail

namespace ext::intel::experimental {

#define LANEFOLD_DETAIL_PROPERTY(name)                                                                                 \
  struct name##_key {};                                                                                                \
  inline constexpr lanefold::detail::silent_property<name##_key> name;
#define LANEFOLD_DETAIL_PROPERTY_OF(name, type)                                                                        \
  struct name##_key {};                                                                                                \
  template <type Value>                                                                                                \
  inline constexpr lanefold::detail::silent_property<name##_key, Value> name;

// Of arguments.
LANEFOLD_DETAIL_PROPERTY(conduit)
LANEFOLD_DETAIL_PROPERTY(register_map)
LANEFOLD_DETAIL_PROPERTY(stable)
LANEFOLD_DETAIL_PROPERTY(read_write_mode_read)
LANEFOLD_DETAIL_PROPERTY(read_write_mode_write)
LANEFOLD_DETAIL_PROPERTY(read_write_mode_readwrite)
LANEFOLD_DETAIL_PROPERTY(wait_request_requested)
LANEFOLD_DETAIL_PROPERTY(wait_request_not_requested)
LANEFOLD_DETAIL_PROPERTY_OF(buffer_location, int)
LANEFOLD_DETAIL_PROPERTY_OF(awidth, int)
LANEFOLD_DETAIL_PROPERTY_OF(dwidth, int)
LANEFOLD_DETAIL_PROPERTY_OF(latency, int)
LANEFOLD_DETAIL_PROPERTY_OF(maxburst, int)

// Of pipes.
enum class protocol_name { avalon_streaming, avalon_streaming_uses_ready, avalon_mm, avalon_mm_uses_ready };
LANEFOLD_DETAIL_PROPERTY_OF(ready_latency, int)
LANEFOLD_DETAIL_PROPERTY_OF(bits_per_symbol, int)
LANEFOLD_DETAIL_PROPERTY_OF(uses_valid, bool)
LANEFOLD_DETAIL_PROPERTY_OF(first_symbol_in_high_order_bits, bool)
LANEFOLD_DETAIL_PROPERTY_OF(protocol, protocol_name)
inline constexpr auto uses_valid_on = uses_valid<true>;
inline constexpr auto uses_valid_off = uses_valid<false>;
inline constexpr auto first_symbol_in_high_order_bits_on = first_symbol_in_high_order_bits<true>;
inline constexpr auto first_symbol_in_high_order_bits_off = first_symbol_in_high_order_bits<false>;
inline constexpr auto protocol_avalon_streaming = protocol<protocol_name::avalon_streaming>;
inline constexpr auto protocol_avalon_streaming_uses_ready = protocol<protocol_name::avalon_streaming_uses_ready>;
inline constexpr auto protocol_avalon_mm = protocol<protocol_name::avalon_mm>;
inline constexpr auto protocol_avalon_mm_uses_ready = protocol<protocol_name::avalon_mm_uses_ready>;

// Of kernels.
enum class streaming_interface_options_enum { accept_downstream_stall, remove_downstream_stall };
enum class register_map_interface_options_enum { do_not_wait_for_done_write, wait_for_done_write };
struct streaming_interface_key {};
template <streaming_interface_options_enum Stall = streaming_interface_options_enum::accept_downstream_stall>
inline constexpr lanefold::detail::silent_property<streaming_interface_key, Stall> streaming_interface;
inline constexpr auto streaming_interface_accept_downstream_stall = streaming_interface<>;
inline constexpr auto streaming_interface_remove_downstream_stall =
    streaming_interface<streaming_interface_options_enum::remove_downstream_stall>;
struct register_map_interface_key {};
template <register_map_interface_options_enum Wait = register_map_interface_options_enum::do_not_wait_for_done_write>
inline constexpr lanefold::detail::silent_property<register_map_interface_key, Wait> register_map_interface;
inline constexpr auto register_map_interface_do_not_wait_for_done_write = register_map_interface<>;
inline constexpr auto register_map_interface_wait_for_done_write =
    register_map_interface<register_map_interface_options_enum::wait_for_done_write>;
struct pipelined_key {};
template <int Interval = -1>
inline constexpr lanefold::detail::silent_property<pipelined_key, Interval> pipelined;
// Of loads and stores.
enum class latency_control_type { none, exact, max, min };
LANEFOLD_DETAIL_PROPERTY_OF(latency_anchor_id, int)
struct latency_constraint_key {};
template <int Anchor, latency_control_type Type, int Cycles>
inline constexpr lanefold::detail::silent_property<latency_constraint_key, Anchor, Type, Cycles> latency_constraint;
#undef LANEFOLD_DETAIL_PROPERTY
#undef LANEFOLD_DETAIL_PROPERTY_OF

/// What a pipe of Avalon's streams carries: a value, whether it is the first or the last of a packet, and how many of
/// its symbols are empty.
template <class T, bool UsesPackets, bool UsesEmpty>
struct StreamingBeat {
  T data{};
  bool sop = false;
  bool eop = false;
  int empty = 0;

  constexpr StreamingBeat() = default;
  constexpr StreamingBeat(T value, bool first, bool last, int empty_symbols = 0)
      : data(value), sop(first), eop(last), empty(empty_symbols) {}
};

/// A property of allocations: the memory of an FPGA in which they lie.
namespace property::usm {
struct buffer_location : lanefold::detail::runtime_property {
  using usm_properties = void; // it may stand behind the arguments of allocations
  int location;
  constexpr explicit buffer_location(int where) noexcept : location(where) {}
  [[nodiscard]] constexpr int get_buffer_location() const noexcept { return location; }
};
} // namespace property::usm

} // namespace ext::intel::experimental

namespace ext::intel {

/// Says how additions and multiplications of floats are built; calls the function.
enum class Preference { DSP, Softlogic, Compiler_default };
enum class Propagate { On, Off };
template <Preference Prefer = Preference::DSP, Propagate ToCalls = Propagate::On, class Function>
void math_dsp_control(const Function& f) {
  f();
}
/// Says that the loops of the function may become one; calls it.
template <int Depth = 1, class Function>
void fpga_loop_fuse(const Function& f) {
  f();
}
template <int Depth = 1, class Function>
void fpga_loop_fuse_independent(const Function& f) {
  f();
}

} // namespace ext::intel

namespace ext::oneapi::experimental {

#if !__has_include(<lanefold/group_algorithms/ext_group_load_store.hpp>) // which has it
template <int Bytes>
inline constexpr lanefold::detail::silent_property<struct alignment_key, Bytes> alignment;
#endif

// Of a device_global, beside device_image_scope.
enum class host_access_enum { read, write, read_write, none };
enum class init_mode_enum { reprogram, reset };
struct host_access_key {};
template <host_access_enum Access>
inline constexpr lanefold::detail::silent_property<host_access_key, Access> host_access;
inline constexpr auto host_access_read = host_access<host_access_enum::read>;
inline constexpr auto host_access_write = host_access<host_access_enum::write>;
inline constexpr auto host_access_read_write = host_access<host_access_enum::read_write>;
inline constexpr auto host_access_none = host_access<host_access_enum::none>;
struct init_mode_key {};
template <init_mode_enum Mode>
inline constexpr lanefold::detail::silent_property<init_mode_key, Mode> init_mode;
inline constexpr auto init_mode_reprogram = init_mode<init_mode_enum::reprogram>;
inline constexpr auto init_mode_reset = init_mode<init_mode_enum::reset>;
struct implement_in_csr_key {};
template <bool Enable>
inline constexpr lanefold::detail::silent_property<implement_in_csr_key, Enable> implement_in_csr;
inline constexpr auto implement_in_csr_on = implement_in_csr<true>;
inline constexpr auto implement_in_csr_off = implement_in_csr<false>;

/// An argument of a kernel, which converts to it; a pointer is indexed as that. Uniform.
template <class T, class Properties = empty_properties_t>
class annotated_arg {
public:
  constexpr annotated_arg() noexcept = default;
  constexpr annotated_arg(const T& value) noexcept : m_value(value) {}
  template <class... More>
  constexpr annotated_arg(const T& value, const More&...) noexcept : m_value(value) {}
  template <class Other>
  explicit constexpr annotated_arg(const annotated_arg<T, Other>& other) noexcept : m_value(other) {}

  constexpr operator T&() noexcept { return m_value; }
  constexpr operator const T&() const noexcept { return m_value; }
  template <class Index>
  constexpr decltype(auto) operator[](Index i) const {
    return m_value[i];
  }
  constexpr decltype(auto) operator*() const
    requires std::is_pointer_v<T>
  {
    return *m_value;
  }
  constexpr T operator->() const noexcept
    requires std::is_pointer_v<T>
  {
    return m_value;
  }

private:
  T m_value{};
};

/// A pointer to T that is annotated. Uniform.
template <class T, class Properties = empty_properties_t>
class annotated_ptr {
public:
  using difference_type = std::ptrdiff_t;

  constexpr annotated_ptr() noexcept = default;
  template <class... More>
  explicit constexpr annotated_ptr(T* to, const More&...) noexcept : m_to(to) {}
  template <class Other, class... More>
  explicit constexpr annotated_ptr(const annotated_ptr<T, Other>& other, const More&...) noexcept : m_to(other.get()) {}

  [[nodiscard]] constexpr T* get() const noexcept { return m_to; }
  constexpr T& operator*() const noexcept { return *m_to; }
  constexpr T* operator->() const noexcept { return m_to; }
  constexpr T& operator[](std::ptrdiff_t i) const noexcept { return m_to[i]; }
  constexpr annotated_ptr operator+(std::size_t n) const noexcept { return annotated_ptr(m_to + n); }
  constexpr std::ptrdiff_t operator-(annotated_ptr other) const noexcept { return m_to - other.m_to; }
  constexpr explicit operator bool() const noexcept { return m_to != nullptr; }
  constexpr operator T*() const noexcept { return m_to; }
  constexpr annotated_ptr& operator=(T* to) noexcept {
    m_to = to;
    return *this;
  }
  constexpr annotated_ptr& operator++() noexcept {
    ++m_to;
    return *this;
  }
  constexpr annotated_ptr operator++(int) noexcept { return annotated_ptr(m_to++); }
  constexpr annotated_ptr& operator--() noexcept {
    --m_to;
    return *this;
  }
  constexpr annotated_ptr operator--(int) noexcept { return annotated_ptr(m_to--); }

private:
  T* m_to = nullptr;
};

} // namespace ext::oneapi::experimental
LANEFOLD_END_NAMESPACE
#endif

#include <lanefold/detail/macros_of_programs_end.hpp>
