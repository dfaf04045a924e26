// SPDX-License-Identifier: Apache-2.0
/// Kernels from OpenCL C source, and what can be given to them.
#pragma once

#include <lanefold/gpu/buffer.hpp>
#include <lanefold/gpu/device_library.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
class half;

namespace gpu {

/// Says how a kernel is built.
struct build_options : library_options {
  /// Macros, as by `-D name=value`; a value may have spaces, and is one line (else errc::invalid).
  std::map<std::string, std::string> definitions;
  /// Further options of the device's compiler, for example "-cl-fast-relaxed-math".
  std::string compiler_options;
  /// Messages call the kernel so; empty: by its name.
  std::string title;
};

namespace opencl {
struct kernel_state;
} // namespace opencl

/// A kernel of an OpenCL C program: a cheap handle. The program is built for a device when it is first launched there
/// (or by queue::build), and kept in memory and on disk (program_cache.hpp). Where the source mentions functions lf_*
/// of the device library, they are printed before it.
class kernel {
public:
  /// Throws errc::invalid if the source has no such kernel. Where the preprocessor may give it one, by macros or
  /// includes, the first launch does.
  kernel(std::string source, std::string name, build_options options = {});

  [[nodiscard]] const std::string& name() const noexcept;
  [[nodiscard]] const std::string& title() const noexcept;
  [[nodiscard]] const build_options& options() const noexcept;
  /// The OpenCL C text that the device gets.
  [[nodiscard]] std::string text_for(const device& on) const;

  friend bool operator==(const kernel&, const kernel&) = default;

  /// Only the library calls these.
  [[nodiscard]] opencl::kernel_state& state() const noexcept { return *m_state; }
  [[nodiscard]] std::shared_ptr<opencl::kernel_state> shared_state() && noexcept { return std::move(m_state); }

private:
  std::shared_ptr<opencl::kernel_state> m_state;
};

/// The argument for a parameter `local T*`: room for `count` elements in the local memory of each work-group.
template <class T>
struct local {
  std::size_t count;
};

namespace opencl {

/// Holds what a launch knows of an argument.
struct kernel_argument {
  enum class kind { value, memory, pointer, local };
  kind what;
  /// OpenCL C's name of the (pointed to) type; empty for class types, of which only the size is compared.
  std::string_view type;
  std::size_t element_bytes;
  const void* data;  // value: its bytes; pointer: the pointer itself
  std::size_t bytes; // value, local
  memory_state* memory = nullptr;
};

template <class T>
constexpr std::string_view opencl_name() {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, float>)
    return "float";
  else if constexpr (std::is_same_v<U, double>)
    return "double";
  else if constexpr (std::is_same_v<U, half>)
    return "half";
  else if constexpr (std::is_integral_v<U> && !std::is_same_v<U, bool>) {
    constexpr std::string_view names[] = {"uchar", "char", "ushort", "short", "uint", "int", "ulong", "long"};
    constexpr int place = sizeof(U) == 1 ? 0 : sizeof(U) == 2 ? 2 : sizeof(U) == 4 ? 4 : 6;
    return names[place + std::is_signed_v<U>];
  } else
    return {};
}

template <class T>
kernel_argument argument_of(const buffer<T>& b) {
  return {kernel_argument::kind::memory, opencl_name<T>(), sizeof(T), nullptr, 0, b.memory().get()};
}
template <class T>
kernel_argument argument_of(const local<T>& l) {
  return {kernel_argument::kind::local, opencl_name<T>(), sizeof(T), nullptr, checked_bytes(l.count, sizeof(T))};
}
template <class T>
kernel_argument argument_of(T* const& pointer) {
  if constexpr (std::is_void_v<T>)
    return {kernel_argument::kind::pointer, {}, 0, pointer, 0};
  else
    return {kernel_argument::kind::pointer, opencl_name<T>(), sizeof(T), pointer, 0};
}
template <class T>
kernel_argument argument_of(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>, "kernel arguments are values, gpu::buffer, gpu::local, USM pointers");
  static_assert(!std::is_same_v<T, bool>, "OpenCL C has no kernel parameters of type bool; pass an int");
  return {kernel_argument::kind::value, opencl_name<T>(), sizeof(T), &value, sizeof(T)};
}

} // namespace opencl
} // namespace gpu
LANEFOLD_END_NAMESPACE
