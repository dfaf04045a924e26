// SPDX-License-Identifier: Apache-2.0
/// Numbers that kernels capture and that change from launch to launch.
#pragma once

#include <lanefold/memory/detail/kernel_binding.hpp>

#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

/// A number that a kernel captures by value. On the CPU it is like one that is captured plainly. In kernels that are
/// recorded for a device (docs/gpu.md) it is an argument, so that another value needs no other program, whereas a plain
/// number becomes part of the program. The kernel says `factor.get()` where it computes: `x[i] * factor.get()`. What is
/// copied to a plain variable first (`const float f = factor.get()`) counts as a plain number. Uniform.
template <class T>
class uniform {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>, "lanefold: uniform<T> holds a number");

public:
  using value_type = T;

  constexpr uniform(T value) noexcept : m_value(value) {}
  LANEFOLD_ALWAYS_INLINE uniform(const uniform& other) noexcept : m_value(other.m_value) {
    if (detail::kernel_binding* const binding = detail::kernel_binding::current();
        binding != nullptr && binding->uniforms != nullptr) [[unlikely]] {
      binding->uniforms->add(&m_value);
    }
  }
  uniform& operator=(const uniform&) noexcept = default;

  [[nodiscard]] constexpr const T& get() const noexcept { return m_value; }

private:
  T m_value;
};

LANEFOLD_END_NAMESPACE
