// SPDX-License-Identifier: Apache-2.0
/// Small matrices that the work-items of a sub-group multiply together, in work-item kernels, by the names of
/// sycl_ext_oneapi_matrix. Programs for matrix units of GPUs run with them; they are not fast on a CPU, where lanes and
/// plain loops are (examples/programs/matrix_product.hpp).
#pragma once

#include <lanefold/execution/device.hpp>
#include <lanefold/execution/sub_group.hpp>
#include <lanefold/memory/bfloat16.hpp>
#include <lanefold/memory/half.hpp>
#include <lanefold/memory/multi_ptr.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::oneapi::experimental::matrix {

enum class use { a, b, accumulator };
/// How a matrix lies in memory. `ext_intel_packed`: as many rows as make four bytes are interleaved.
enum class layout { row_major, col_major, ext_intel_packed, dynamic };
namespace precision {
/// Elements are floats of which 10 bits of the fraction count.
class tf32 {};
} // namespace precision

/// A matrix of a sub-group. Of an accumulator each work-item has the elements i with i % size == its position, in the
/// order of rows; of the factors each has all, so that no work-item waits for another. Rows and Cols: any. Elements are
/// not set at first.
template <class Group, class T, use Use, std::size_t Rows, std::size_t Cols, layout Layout = layout::dynamic>
class joint_matrix {
public:
  using value_type = std::conditional_t<std::is_same_v<T, precision::tf32>, float, T>;
  static constexpr std::size_t rows = Rows;
  static constexpr std::size_t cols = Cols;

  joint_matrix() = default;
  joint_matrix(const joint_matrix&) = delete; // joint_matrix_copy copies
  joint_matrix& operator=(const joint_matrix&) = delete;

  /// Only the library calls these: they return an element, and which ones the calling work-item has: `first`, and every
  /// `step`-th from there on.
  [[nodiscard]] value_type& at(std::size_t row, std::size_t col) { return m_elements[row * Cols + col]; }
  [[nodiscard]] const value_type& at(std::size_t row, std::size_t col) const { return m_elements[row * Cols + col]; }
  [[nodiscard]] static std::size_t first(const Group& g) {
    return Use == use::accumulator ? g.get_local_linear_id() : 0;
  }
  [[nodiscard]] static std::size_t step(const Group& g) {
    return Use == use::accumulator ? g.get_local_linear_range() : 1;
  }

private:
  std::array<value_type, Rows * Cols> m_elements;
};

} // namespace ext::oneapi::experimental::matrix

namespace detail {

/// Returns where an element is from the beginning of a matrix whose rows (columns, packed rows) are `stride` apart.
template <class T>
constexpr std::size_t place_in_matrix(ext::oneapi::experimental::matrix::layout how, std::size_t stride,
                                      std::size_t row, std::size_t col) {
  using ext::oneapi::experimental::matrix::layout;
  constexpr std::size_t packed = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
  switch (how) {
  case layout::col_major: return col * stride + row;
  case layout::ext_intel_packed: return row / packed * stride + col * packed + row % packed;
  default: return row * stride + col;
  }
}

/// Calls f(element, row, column) with the elements that the calling work-item has.
template <class Group, class Matrix, class F>
void for_own(const Group& g, Matrix& of, F f) {
  for (std::size_t i = Matrix::first(g); i < Matrix::rows * Matrix::cols; i += Matrix::step(g)) {
    const std::size_t row = i / Matrix::cols;
    const std::size_t col = i % Matrix::cols;
    f(of.at(row, col), row, col);
  }
}

template <class Matrix, class Group, class T>
void load_matrix(const Group& g, Matrix& to, const T* from, std::size_t stride,
                 ext::oneapi::experimental::matrix::layout how) {
  for_own(g, to, [&](auto& element, std::size_t row, std::size_t col) {
    element = static_cast<typename Matrix::value_type>(from[place_in_matrix<T>(how, stride, row, col)]);
  });
}

/// Numbers that are multiplied: small reals as float.
template <class Sum, class T>
Sum factor(const T& x) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<Sum>(x);
  } else {
    return static_cast<Sum>(static_cast<float>(x));
  }
}

} // namespace detail

// To be called by all work-items of the sub-group, which wait for nothing: what one of them stores, others see behind a
// barrier.
namespace ext::oneapi::experimental::matrix {

template <class Group, class T, class S, std::size_t M, std::size_t N, access::address_space Space,
          access::decorated Decorated>
void joint_matrix_load(Group g, joint_matrix<Group, S, use::accumulator, M, N, layout::dynamic>& to,
                       multi_ptr<T, Space, Decorated> from, std::size_t stride, layout how) {
  lanefold::detail::load_matrix(g, to, from.get_raw(), stride, how);
}
template <class Group, class T, class S, use Use, std::size_t M, std::size_t N, layout Layout,
          access::address_space Space, access::decorated Decorated>
  requires(Layout != layout::dynamic)
void joint_matrix_load(Group g, joint_matrix<Group, S, Use, M, N, Layout>& to, multi_ptr<T, Space, Decorated> from,
                       std::size_t stride) {
  lanefold::detail::load_matrix(g, to, from.get_raw(), stride, Layout);
}

template <class Group, class T, std::size_t M, std::size_t N, access::address_space Space, access::decorated Decorated>
void joint_matrix_store(Group g, const joint_matrix<Group, T, use::accumulator, M, N, layout::dynamic>& from,
                        multi_ptr<T, Space, Decorated> to, std::size_t stride, layout how) {
  T* const memory = to.get_raw();
  lanefold::detail::for_own(g, from, [&](const T& element, std::size_t row, std::size_t col) {
    memory[lanefold::detail::place_in_matrix<T>(how, stride, row, col)] = element;
  });
}

template <class Group, class T, use Use, std::size_t M, std::size_t N, layout Layout, class V>
void joint_matrix_fill(Group g, joint_matrix<Group, T, Use, M, N, Layout>& to, const V& value) {
  lanefold::detail::for_own(g, to, [&](auto& element, std::size_t, std::size_t) {
    element = static_cast<std::remove_reference_t<decltype(element)>>(value);
  });
}

/// Between matrices of one shape; their uses may differ only between the factors.
template <class Group, class T, class S, use From, use To, std::size_t M, std::size_t N, layout L, layout K>
  requires((From == use::accumulator) == (To == use::accumulator))
void joint_matrix_copy(Group g, joint_matrix<Group, T, From, M, N, L>& from, joint_matrix<Group, S, To, M, N, K>& to) {
  lanefold::detail::for_own(g, to, [&](auto& element, std::size_t row, std::size_t col) {
    element = static_cast<std::remove_reference_t<decltype(element)>>(from.at(row, col));
  });
}

/// Calls f with the elements: of an accumulator once each; of a factor in each work-item, so that `f` must do the same
/// in all. f(element), or f(element, row, column) with `joint_matrix_apply` of Intel's extension.
template <class Group, class T, use Use, std::size_t M, std::size_t N, layout Layout, class F>
void joint_matrix_apply(Group g, joint_matrix<Group, T, Use, M, N, Layout>& to, F&& f) {
  lanefold::detail::for_own(g, to, [&](auto& element, std::size_t row, std::size_t col) {
    if constexpr (std::is_invocable_v<F&, decltype(element), std::size_t, std::size_t>) {
      f(element, row, col);
    } else {
      f(element);
    }
  });
}
template <class Group, class T, class S, use Use, std::size_t M, std::size_t N, layout L, layout K, class F>
void joint_matrix_apply(Group g, joint_matrix<Group, T, Use, M, N, L>& from, joint_matrix<Group, S, Use, M, N, K>& to,
                        F&& f) {
  lanefold::detail::for_own(g, to,
                            [&](auto& element, std::size_t row, std::size_t col) { f(from.at(row, col), element); });
}

/// d = a b + c, with sums of d's type. Cost: M N K / size multiplications for each work-item.
template <class Group, class Td, class Ta, class Tb, class Tc, std::size_t M, std::size_t K, std::size_t N, layout La,
          layout Lb>
void joint_matrix_mad(Group g, joint_matrix<Group, Td, use::accumulator, M, N, layout::dynamic>& d,
                      const joint_matrix<Group, Ta, use::a, M, K, La>& a,
                      const joint_matrix<Group, Tb, use::b, K, N, Lb>& b,
                      const joint_matrix<Group, Tc, use::accumulator, M, N, layout::dynamic>& c) {
  using sum_type = std::conditional_t<std::is_arithmetic_v<Td>, Td, float>;
  lanefold::detail::for_own(g, d, [&](Td& element, std::size_t row, std::size_t col) {
    auto sum = lanefold::detail::factor<sum_type>(c.at(row, col));
    for (std::size_t k = 0; k < K; ++k) {
      sum += lanefold::detail::factor<sum_type>(a.at(row, k)) * lanefold::detail::factor<sum_type>(b.at(k, col));
    }
    element = static_cast<Td>(sum);
  });
}

/// A hint, of which nothing follows.
template <std::size_t M, std::size_t N, class Group, class T, class... Rest>
void joint_matrix_prefetch(Group, T*, std::size_t, layout, Rest&&...) {}

/// Rounds to the 10 bits of the fraction that count, to nearest, ties away from zero.
inline float round_to_tf32(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return (bits & 0x7f800000U) == 0x7f800000U ? x : std::bit_cast<float>((bits + 0x1000U) & 0xffffe000U);
}

/// The types of elements, as a device tells of them.
enum class matrix_type { bf16, fp16, tf32, fp32, fp64, sint8, sint16, sint32, sint64, uint8, uint16, uint32, uint64 };

/// Shapes and types that a device multiplies: any number of rows, columns and terms up to max_msize, max_nsize and
/// max_ksize where the exact ones are 0.
struct combination {
  std::size_t max_msize;
  std::size_t max_nsize;
  std::size_t max_ksize;
  std::size_t msize;
  std::size_t nsize;
  std::size_t ksize;
  matrix_type atype;
  matrix_type btype;
  matrix_type ctype;
  matrix_type dtype;
};

} // namespace ext::oneapi::experimental::matrix

namespace ext::oneapi::experimental::info::device {

/// Asks for the types that joint_matrix_mad multiplies and adds: on the CPU those that matrix units have, in any shape
/// (up to 64, beyond which copies of factors in each work-item grow large); none on other devices.
struct matrix_combinations : lanefold::detail::device_query<std::vector<matrix::combination>> {
  static return_type of(const lanefold::device& asked);
};

} // namespace ext::oneapi::experimental::info::device

namespace ext::intel::experimental::matrix {

using oneapi::experimental::matrix::layout;
using oneapi::experimental::matrix::use;

/// The elements that the calling work-item has: of a factor all.
template <class Group, class T, use Use, std::size_t M, std::size_t N, layout Layout>
class wi_data {
  using matrix_type = oneapi::experimental::matrix::joint_matrix<Group, T, Use, M, N, Layout>;

public:
  wi_data(const Group& g, matrix_type& of) : m_of(&of), m_first(of.first(g)), m_step(of.step(g)) {}

  [[nodiscard]] std::size_t length() const { return M * N > m_first ? (M * N - m_first + m_step - 1) / m_step : 0; }
  [[nodiscard]] typename matrix_type::value_type& operator[](std::size_t i) const {
    const std::size_t at = m_first + i * m_step;
    return m_of->at(at / N, at % N);
  }

private:
  matrix_type* m_of;
  std::size_t m_first;
  std::size_t m_step;
};

template <class Group, class T, use Use, std::size_t M, std::size_t N, layout Layout>
[[nodiscard]] wi_data<Group, T, Use, M, N, Layout>
get_wi_data(Group g, oneapi::experimental::matrix::joint_matrix<Group, T, Use, M, N, Layout>& of) {
  return {g, of};
}

/// Calls f(element, row, column) with the elements that the calling work-item has.
template <class Group, class T, use Use, std::size_t M, std::size_t N, layout Layout, class F>
void joint_matrix_apply(Group g, oneapi::experimental::matrix::joint_matrix<Group, T, Use, M, N, Layout>& to, F&& f) {
  oneapi::experimental::matrix::joint_matrix_apply(g, to, f);
}

} // namespace ext::intel::experimental::matrix

namespace ext::oneapi::detail { // where headers of SYCLomatic look for it
using intel::experimental::matrix::get_wi_data;
} // namespace ext::oneapi::detail
LANEFOLD_END_NAMESPACE
