// SPDX-License-Identifier: Apache-2.0
/// Programs say this to a compiler for FPGAs about loads, stores and registers. On a CPU they are loads, stores and
/// values. (sycl_ext_intel_fpga_lsu, sycl_ext_intel_fpga_reg)
#pragma once

#include <sycl/sycl.hpp>

#include <lanefold/detail/macros_of_programs_begin.hpp>

#if __has_include(<lanefold/execution.hpp>)
#include <cstdint>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::intel {

// How an lsu is to be built: nothing follows from these.
template <bool Value>
struct burst_coalesce {};
template <bool Value>
struct statically_coalesce {};
template <bool Value>
struct prefetch {};
template <std::int32_t Bytes>
struct cache {};

/// Loads and stores elements of global memory. `Parameters`: the types above.
template <class... Parameters>
class lsu {
public:
  lsu() = delete;

  /// Returns the element that the pointer or multi_ptr points to. Varies by work-item, as the pointer does.
  template <class Pointer>
  [[nodiscard]] static auto load(const Pointer& from) {
    return static_cast<std::remove_cvref_t<decltype(*from)>>(*from);
  }
  /// Writes the element that the pointer or multi_ptr points to.
  template <class Pointer>
  static void store(const Pointer& to, const std::remove_cvref_t<decltype(*std::declval<Pointer>())>& value) {
    *to = value;
  }
};

namespace experimental {

using intel::burst_coalesce;
using intel::cache;
using intel::prefetch;
using intel::statically_coalesce;

/// An lsu whose calls may say how many cycles they take (sycl_ext_intel_latency_control), of which nothing follows.
template <class... Parameters>
class lsu : public intel::lsu<Parameters...> {
public:
  template <class Pointer, class... Latency>
  [[nodiscard]] static auto load(const Pointer& from, const Latency&...) {
    return intel::lsu<Parameters...>::load(from);
  }
  template <class Pointer, class Value, class... Latency>
  static void store(const Pointer& to, const Value& value, const Latency&...) {
    intel::lsu<Parameters...>::store(to, value);
  }
};

} // namespace experimental

/// Returns the value.
template <class T>
[[nodiscard]] constexpr T fpga_reg(const T& value) {
  return value;
}

} // namespace ext::intel
LANEFOLD_END_NAMESPACE

namespace sycl::INTEL {
using lanefold::ext::intel::burst_coalesce;
using lanefold::ext::intel::cache;
using lanefold::ext::intel::fpga_reg;
using lanefold::ext::intel::lsu;
using lanefold::ext::intel::prefetch;
using lanefold::ext::intel::statically_coalesce;
} // namespace sycl::INTEL

#endif

#include <lanefold/detail/macros_of_programs_end.hpp>
