// SPDX-License-Identifier: Apache-2.0
/// The bits of half and bfloat16.
#pragma once

#include <bit>
#include <cstdint>

template <class T>
std::uint16_t bits(T x) {
  return std::bit_cast<std::uint16_t>(x);
}
template <class T>
T of_bits(unsigned b) {
  return std::bit_cast<T>(static_cast<std::uint16_t>(b));
}
