// SPDX-License-Identifier: Apache-2.0
/// Affine arithmetic of lane indices, and what it costs in types.
#include <lanefold/simd/lane_index.hpp>
#include <lanefold/simd/wrapped_index.hpp>

#include "simd/lane_testing.hpp"

#include <utility>

namespace {

using namespace lane_testing;
using lf::stride;

template <std::size_t R, std::size_t C>
struct shape {
  using lanes = lf::simd<R, C>;
  using context = lf::detail::lane_context<lanes>;
  using column_index = lf::lane_index<lanes, stride::zero, stride::one>;
  using row_index = lf::lane_index<lanes, stride::one, stride::zero>;
  static constexpr std::size_t n = R * C;
};

template <class F>
void for_shapes(F f) {
  f(shape<1, 1>{});
  f(shape<1, 16>{});
  f(shape<4, 4>{});
  if constexpr (thorough) {
    f(shape<1, 4>{});
    f(shape<1, 64>{});
    f(shape<2, 8>{});
    f(shape<8, 2>{});
    f(shape<4, 64>{});
  }
}

template <class Index>
constexpr bool has_strides(stride row, stride column) {
  return Index::row_kind == (Index::lanes::rows == 1 ? stride::zero : row) && Index::column_kind == column;
}

TEST(lane_index, stays_affine) {
  for_shapes([]<class S>(S) {
    constexpr std::size_t columns = S::lanes::columns;
    typename S::context context{lf::mask<S::n>(true), true, false};
    const typename S::column_index x(&context, 100, 0, 1);
    const typename S::row_index y(&context, 7, 1, 0);
    const auto cx = [](std::size_t l) { return 100 + l % columns; };
    const auto cy = [](std::size_t l) { return 7 + l / columns; };
    const auto expect = [](const auto& index, auto expected) {
      EXPECT_LANES(index.value(), expected);
      for (std::size_t l = 0; l < S::n; ++l)
        EXPECT_EQ(index.lane(l), expected(l)) << l;
    };
    expect(x, cx);
    expect(y, cy);
    expect(x[0], cx);
    expect(x + 5, [=](auto l) { return cx(l) + 5; });
    expect(5U + x, [=](auto l) { return cx(l) + 5; });
    expect(x - 200, [=](auto l) { return cx(l) - 200; });
    expect(x * 3, [=](auto l) { return cx(l) * 3; });
    expect(3L * x + 1, [=](auto l) { return cx(l) * 3 + 1; });
    expect(y * 1000 + x, [=](auto l) { return cy(l) * 1000 + cx(l); });
    expect(x + x, [=](auto l) { return cx(l) * 2; });
    static_assert(has_strides<decltype(x + 5)>(stride::zero, stride::one));
    static_assert(has_strides<decltype(x + y)>(stride::one, stride::one));
    static_assert(has_strides<decltype(y * 7 + x)>(stride::dynamic, stride::one));
    static_assert(has_strides<decltype(x * 7)>(stride::zero, stride::dynamic));
  });
}

TEST(lane_index, becomes_values) {
  for_shapes([]<class S>(S) {
    constexpr std::size_t columns = S::lanes::columns;
    typename S::context context{lf::mask<S::n>(true), true, false};
    for (const std::ptrdiff_t base :
         {std::ptrdiff_t(0), std::ptrdiff_t(1000), (std::ptrdiff_t(1) << 24) - 1, (std::ptrdiff_t(1) << 24) + 1,
          (std::ptrdiff_t(1) << 40) + 3, (std::ptrdiff_t(1) << 53) + 1, std::ptrdiff_t(-3)}) {
      const typename S::column_index x(&context, base, 0, 1);
      const auto i = [=](std::size_t l) { return static_cast<std::size_t>(base) + l % columns; };
      EXPECT_LANES(lf::convert<float>(x), [=](std::size_t l) { return static_cast<float>(i(l)); });
      EXPECT_LANES(lf::convert<double>(x), [=](std::size_t l) { return static_cast<double>(i(l)); });
      EXPECT_LANES(lf::convert<float>(x * 3), [=](std::size_t l) { return static_cast<float>(i(l) * 3); });
      EXPECT_LANES(lf::convert<int>(x), [=](std::size_t l) { return static_cast<int>(i(l)); });
      EXPECT_LANES(lf::convert<unsigned char>(x), [=](std::size_t l) { return static_cast<unsigned char>(i(l)); });
      EXPECT_LANES(x / 3, [=](std::size_t l) { return i(l) / 3; });
      EXPECT_LANES(x % 16, [=](std::size_t l) { return i(l) % 16; });
      EXPECT_LANES(x & 15, [=](std::size_t l) { return i(l) & 15; });
      EXPECT_LANES(x * 0.5F, [=](std::size_t l) { return static_cast<float>(i(l)) * 0.5F; });
      EXPECT_LANES(2.0 - x, [=](std::size_t l) { return 2.0 - static_cast<double>(i(l)); });
      EXPECT_LANES(x * x, [=](std::size_t l) { return i(l) * i(l); });
    }
  });
}

/// Indices are std::size_t: sums and products wrap around (and under a sanitizer nothing overflows).
TEST(lane_index, wraps_around) {
  for_shapes([]<class S>(S) {
    constexpr std::size_t columns = S::lanes::columns;
    typename S::context context{lf::mask<S::n>(true), true, false};
    constexpr std::size_t golden = 0x9E3779B97F4A7C15U, half = std::size_t{1} << 63;
    for (const std::size_t base : {std::size_t(0), std::size_t(1000), half - 2, half + 5, ~std::size_t(0) - 1}) {
      const auto expect = [](const auto& index, auto expected) {
        EXPECT_LANES(index.value(), expected);
        for (std::size_t l = 0; l < S::n; ++l) {
          EXPECT_EQ(index.lane(l), expected(l)) << l;
        }
      };
      const typename S::column_index x(&context, static_cast<std::ptrdiff_t>(base), 0, 1);
      const typename S::row_index y(&context, static_cast<std::ptrdiff_t>(base), 1, 0);
      const auto cx = [=](std::size_t l) { return base + l % columns; };
      const auto cy = [=](std::size_t l) { return base + l / columns; };
      expect(x * golden, [=](auto l) { return cx(l) * golden; });
      expect(golden * y, [=](auto l) { return cy(l) * golden; });
      expect(x * golden * golden + half, [=](auto l) { return cx(l) * golden * golden + half; });
      expect(x + half, [=](auto l) { return cx(l) + half; });
      expect(x + half + half, cx);
      expect(x - half, [=](auto l) { return cx(l) - half; });
      expect(x - 0x7FFFFFFF - half, [=](auto l) { return cx(l) - 0x7FFFFFFF - half; });
      expect(x * -3, [=](auto l) { return cx(l) * static_cast<std::size_t>(-3); });
      expect(x * 0xFFFFFFFFU, [=](auto l) { return cx(l) * 0xFFFFFFFFU; });
      expect(x + std::int8_t(-5), [=](auto l) { return cx(l) - 5; });
      expect(x * golden + y * golden, [=](auto l) { return (cx(l) + cy(l)) * golden; });
      expect(x * half + x * half, [=](auto l) { return cx(l) * half * 2; });
      expect(~x, [=](auto l) { return ~cx(l); });
      expect(-y, [=](auto l) { return -cy(l); });
      expect(+x, cx);
      EXPECT_LANES(!x, [=](auto l) { return cx(l) == 0; });
      EXPECT_LANES((x * golden) >> 40, [=](auto l) { return cx(l) * golden >> 40; });
      EXPECT_LANES(half - x, [=](auto l) { return half - cx(l); });
      EXPECT_LANES(lf::convert<unsigned>(x * golden), [=](auto l) { return static_cast<unsigned>(cx(l) * golden); });
      EXPECT_LANES(lf::convert<int>(x * golden), [=](auto l) { return static_cast<int>(cx(l) * golden); });
      EXPECT_LANES(lf::convert<short>(x), [=](auto l) { return static_cast<short>(cx(l)); });
      EXPECT_LANES(lf::convert<float>(x * golden), [=](auto l) { return static_cast<float>(cx(l) * golden); });
      EXPECT_LANES(lf::convert<double>(x), [=](auto l) { return static_cast<double>(cx(l)); });
      EXPECT_LANES(x * golden < half, [=](auto l) { return cx(l) * golden < half; });
      EXPECT_LANES(x + half < half, [=](auto l) { return cx(l) + half < half; });
    }
  });
}

TEST(lane_index, compares) {
  for_shapes([]<class S>(S) {
    constexpr std::size_t columns = S::lanes::columns;
    typename S::context context{lf::mask<S::n>(true), true, false};
    for (const std::ptrdiff_t base : {-3, 0, 5, 100}) {
      const typename S::column_index x(&context, base, 0, 1);
      const auto i = [=](std::size_t l) { return static_cast<std::size_t>(base) + l % columns; };
      for (const std::size_t u : {std::size_t(0), std::size_t(1), std::size_t(5), std::size_t(7), std::size_t(101),
                                  std::size_t(5000), ~std::size_t(0), ~std::size_t(0) - 2}) {
        EXPECT_LANES(x < u, [=](std::size_t l) { return i(l) < u; });
        EXPECT_LANES(x <= u, [=](std::size_t l) { return i(l) <= u; });
        EXPECT_LANES(x > u, [=](std::size_t l) { return i(l) > u; });
        EXPECT_LANES(x >= u, [=](std::size_t l) { return i(l) >= u; });
        EXPECT_LANES(x == u, [=](std::size_t l) { return i(l) == u; });
        EXPECT_LANES(x != u, [=](std::size_t l) { return i(l) != u; });
        EXPECT_LANES(u > x, [=](std::size_t l) { return u > i(l); });
      }
      EXPECT_LANES(x < x + 1, [=](std::size_t l) { return i(l) < i(l) + 1; });
    }
  });
}

/// Ids in a dimension that is given as a plain integer: only their strides say how they vary.
TEST(lane_index, compares_by_strides) {
  for_shapes([]<class S>(S) {
    constexpr std::size_t columns = S::lanes::columns;
    using index = lf::lane_index<typename S::lanes, stride::dynamic, stride::dynamic>;
    typename S::context context{lf::mask<S::n>(true), true, false};
    for (const auto& strides : {std::pair{0, 0}, {0, 1}, {1, 0}, {1, 1}, {3, 1}, {0, 2}}) {
      const int row = strides.first, column = strides.second;
      for (const std::ptrdiff_t base : {-3, 0, 5, 100}) {
        const index x(&context, base, row, column);
        const auto i = [=](std::size_t l) {
          const std::size_t rows_down = S::lanes::rows == 1 ? 0 : l / columns * static_cast<std::size_t>(row);
          return static_cast<std::size_t>(base) + rows_down + l % columns * static_cast<std::size_t>(column);
        };
        for (const std::size_t u : {std::size_t(0), std::size_t(1), std::size_t(5), std::size_t(6), std::size_t(7),
                                    std::size_t(101), std::size_t(5000), ~std::size_t(0), ~std::size_t(0) - 2}) {
          EXPECT_LANES(x < u, [=](std::size_t l) { return i(l) < u; });
          EXPECT_LANES(x <= u, [=](std::size_t l) { return i(l) <= u; });
          EXPECT_LANES(x > u, [=](std::size_t l) { return i(l) > u; });
          EXPECT_LANES(x >= u, [=](std::size_t l) { return i(l) >= u; });
          EXPECT_LANES(x == u, [=](std::size_t l) { return i(l) == u; });
          EXPECT_LANES(x != u, [=](std::size_t l) { return i(l) != u; });
          EXPECT_LANES(u < x, [=](std::size_t l) { return u < i(l); });
          EXPECT_LANES(u >= x, [=](std::size_t l) { return u >= i(l); });
        }
        EXPECT_LANES(x < 6, [=](std::size_t l) { return i(l) < 6; });
      }
    }
  });
}

} // namespace
