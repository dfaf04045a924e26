// SPDX-License-Identifier: Apache-2.0
/// Structs of the user by value, on every kind of kernel: order is kept.
#include "testing.hpp"

#include <array>

namespace {

/// 2 × 2 matrices under multiplication: associative, not commutative.
struct matrix {
  std::uint32_t a = 1, b = 0, c = 0, d = 1;
  friend matrix operator*(const matrix& x, const matrix& y) {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
  }
  friend bool operator==(const matrix&, const matrix&) = default;
};

/// The first and the last letters of a word: what is kept of concatenation in a small struct.
struct word {
  std::array<char, 3> first{}, last{};
  unsigned char length = 0; // up to 6

  /// The letters of x and then those of y, of which the first and the last three are kept.
  friend word operator+(const word& x, const word& y) {
    word r;
    std::array<char, 12> all{};
    std::size_t n = 0;
    for (const word* w : {&x, &y}) {
      for (std::size_t i = 0; i < std::min<std::size_t>(w->length, 3); ++i) {
        all[n++] = w->first[i];
      }
      for (std::size_t i = 0; w->length > 3 && i < std::min<std::size_t>(w->length - 3U, 3); ++i) {
        all[n++] = w->last[3 - std::min<std::size_t>(w->length - 3U, 3) + i];
      }
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(n, 3); ++i) {
      r.first[i] = all[i];
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(n, 3); ++i) {
      r.last[3 - std::min<std::size_t>(n, 3) + i] = all[n - std::min<std::size_t>(n, 3) + i];
    }
    r.length = static_cast<unsigned char>(std::min<std::size_t>(n, 6));
    return r;
  }
  friend bool operator==(const word&, const word&) = default;
};

} // namespace

template <>
struct lanefold::known_identity<std::multiplies<>, matrix> {
  static constexpr matrix value{};
};

namespace {

template <class Strategy>
class record_values : public seeded {};
#if defined(LANEFOLD_TEST_THOROUGH)
using record_strategies = ::testing::Types<lf::scalar, lf::simd<4>, lf::simd<16>, lf::simd<256>>;
inline constexpr std::size_t record_groups[] = {1, 7, 31, 33, 1000};
#else
using record_strategies = ::testing::Types<lf::scalar, lf::simd<16>>;
inline constexpr std::size_t record_groups[] = {7, 33};
#endif
TYPED_TEST_SUITE(record_values, record_strategies, strategy_names);

template <class Strategy, class T, class Op>
void check(const std::vector<T>& in, std::size_t local, const T& init, Op op, lf::fiber_engine engine) {
  const std::size_t n = in.size();
  std::vector<T> out[4];
  for (auto& each : out) {
    each.resize(n);
  }
  const lf::view<const T> x(in.data(), n);
  const lf::view<T> total(out[0].data(), n), inclusive(out[1].data(), n), exclusive(out[2].data(), n),
      from(out[3].data(), n);
  run_groups<Strategy>(
      n / local, local,
      [=](auto it) {
        const auto g = it.get_group();
        const auto i = it.get_global_id(0);
        total[i] = lf::reduce_over_group(g, x[i], init, op);
        inclusive[i] = lf::inclusive_scan_over_group(g, x[i], op);
        exclusive[i] = lf::exclusive_scan_over_group(g, x[i], init, op);
        from[i] = lf::group_broadcast(g, x[i], local / 2);
      },
      engine);
  for (std::size_t first = 0; first < n; first += local) {
    T sum = in[first], before = init;
    for (std::size_t i = first; i < first + local; ++i) {
      sum = i == first ? sum : op(sum, in[i]);
      ASSERT_EQ(out[1][i], sum) << local << " " << i << " " << to_string(engine);
      ASSERT_EQ(out[2][i], before) << local << " " << i << " " << to_string(engine);
      ASSERT_EQ(out[3][i], in[first + local / 2]) << local << " " << i << " " << to_string(engine);
      before = op(before, in[i]);
    }
    for (std::size_t i = first; i < first + local; ++i) {
      ASSERT_EQ(out[0][i], op(init, sum)) << local << " " << i << " " << to_string(engine);
    }
  }
}

std::ostream& operator<<(std::ostream& to, const matrix& m) {
  return to << m.a << " " << m.b << " " << m.c << " " << m.d;
}
std::ostream& operator<<(std::ostream& to, const word& w) {
  return to << unsigned{w.length} << w.first[0] << w.last[2];
}

TYPED_TEST(record_values, keep_their_order) {
  for (const std::size_t local : record_groups) {
    std::vector<matrix> matrices(2 * local);
    std::vector<word> words(2 * local);
    for (matrix& m : matrices) {
      m = {static_cast<std::uint32_t>(this->random()), static_cast<std::uint32_t>(this->random()), 3, 5};
    }
    for (word& w : words) {
      w.first[0] = w.last[2] = static_cast<char>('a' + this->random() % 26);
      w.length = 1;
    }
    for (const auto engine : engines) {
      check<TypeParam>(matrices, local, matrix{2, 1, 1, 1}, std::multiplies<>{}, engine);
      check<TypeParam>(words, local, word{}, std::plus<>{}, engine);
    }
  }
}

TYPED_TEST(record_values, moved_and_mapped) {
  constexpr std::size_t lanes = std::is_same_v<TypeParam, lf::scalar> ? lf::detail::native_lanes : TypeParam::size;
  const std::size_t local = 33;
  std::vector<matrix> in(local), out(local), mapped(local);
  for (matrix& m : in) {
    m.a = static_cast<std::uint32_t>(this->random());
  }
  std::vector<std::uint32_t> doubled(local);
  const lf::view<const matrix> x(in.data(), local);
  const lf::view<matrix> y(out.data(), local), z(mapped.data(), local);
  const lf::view<std::uint32_t> d(doubled.data(), local);
  run_groups<TypeParam>(1, local, [=](auto it) {
    const auto i = it.get_local_linear_id();
    y[i] = lf::shift_group_right(it.get_sub_group(), x[i], 1);
    d[i] = lf::lane_wise([](const matrix& m, std::uint32_t k) { return m.a * k; }, x[i], 2U);
    auto value = it.var(x[i]);
    it.if_(lf::lane_wise([](const matrix& m) { return m.a % 2 == 0; }, value), [&] { value = matrix{7, 7, 7, 7}; });
    z[i] = value;
  });
  for (std::size_t i = 0; i < local; ++i) {
    ASSERT_TRUE(i % lanes == 0 || out[i] == in[i - 1]) << i;
    ASSERT_EQ(doubled[i], in[i].a * 2) << i;
    ASSERT_EQ(mapped[i], (in[i].a % 2 == 0 ? matrix{7, 7, 7, 7} : in[i])) << i;
  }
}

} // namespace
