// SPDX-License-Identifier: Apache-2.0
/// Vectors of each lane come from memory and go there as they would one by one: contiguous, in rows, at indices, under
/// masks; what lies between and around them stays as it is.
#include "simd/lane_testing.hpp"

#include <lanefold/memory/varying_vec.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace lane_testing {
namespace {

/// An array of vectors, of which no element is like another, between the ends of an allocation.
template <class T, int M>
class vectors {
public:
  using vec = lf::vec<T, M>;
  static constexpr std::size_t stored = sizeof(vec) / sizeof(T);

  explicit vectors(std::size_t count, int first) : m_all(count) {
    std::iota(elements(), elements() + count * stored, static_cast<T>(first));
  }
  vec* at(std::size_t i) { return m_all.data() + i; }
  T element(std::size_t i, std::size_t k) const { return elements()[i * stored + k]; }
  /// Makes vector i what a store of `from` makes of it: gaps stay.
  void set(std::size_t i, const vectors& from, std::size_t j) {
    std::copy_n(from.elements() + j * stored, M, elements() + i * stored);
  }
  friend bool operator==(const vectors& a, const vectors& b) {
    return std::equal(a.elements(), a.elements() + a.m_all.size() * stored, b.elements());
  }

private:
  T* elements() { return reinterpret_cast<T*>(m_all.data()); }
  const T* elements() const { return reinterpret_cast<const T*>(m_all.data()); }

  std::vector<vec> m_all;
};

template <class T, int Elements>
struct element_and_count {
  using element = T;
  static constexpr int count = Elements;
};

template <class>
struct vec_memory : ::testing::Test {};
#if defined(LANEFOLD_TEST_THOROUGH)
using types = ::testing::Types<element_and_count<float, 2>, element_and_count<float, 3>, element_and_count<float, 4>,
                               element_and_count<float, 8>, element_and_count<float, 16>, element_and_count<double, 2>,
                               element_and_count<double, 3>, element_and_count<double, 4>, element_and_count<double, 8>,
                               element_and_count<int, 4>, element_and_count<std::int64_t, 2>,
                               element_and_count<short, 4>, element_and_count<unsigned char, 4>>;
#else
using types = ::testing::Types<element_and_count<float, 3>, element_and_count<float, 4>, element_and_count<float, 8>,
                               element_and_count<double, 2>, element_and_count<double, 4>, element_and_count<short, 4>>;
#endif
TYPED_TEST_SUITE(vec_memory, types);

/// f(integral_constant<N>, isa) for lanes below, of and beyond a register.
template <class F>
void for_some_lanes(F f) {
#if defined(LANEFOLD_TEST_THOROUGH)
  for_each_n<lf::native_isa, 1, 2, 4, 8, 16, 32>(f);
  for_each_n<lf::isa::generic, 8>(f);
#else
  for_each_n<lf::native_isa, 4, 16>(f);
#endif
}

/// Checks each lane: where it is on it is vector place(i) of `from`, else zeros.
template <class V, class Vectors, class Place>
void expect_vectors(const char* what, const V& v, const Vectors& from, const std::array<bool, V::size()>& on,
                    Place place) {
  for (std::size_t i = 0; i < V::size(); ++i) {
    for (std::size_t k = 0; k < V::components_type::size; ++k) {
      ASSERT_EQ(v.lane(i)[static_cast<int>(k)], on[i] ? from.element(place(i), k) : 0)
          << what << ", element " << k << " of lane " << i << " of " << V::size();
    }
  }
}

/// Calls f(on, m…) without a mask, with masks at random, and with that of no lane.
template <std::size_t N, class Isa, class F>
void for_masks(F f) {
  std::array<bool, N> on;
  on.fill(true);
  f(on);
  for (int round = 0; round < 5; ++round) {
    const auto some = random_bools<N>();
    f(some, mask_of<N, Isa>(some));
  }
  on.fill(false);
  f(on, mask_of<N, Isa>(on));
}

TYPED_TEST(vec_memory, one_behind_the_other) {
  using array = vectors<typename TypeParam::element, TypeParam::count>;
  for_some_lanes([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using V = lf::varying<typename array::vec, N, Isa>;
    for_masks<N, Isa>([](const auto& on, const auto&... m) {
      array from(N, 1);
      const V v = V::load(from.at(0), m...);
      expect_vectors("load", v, from, on, [](std::size_t i) { return i; });
      array to(N + 2, 50);
      array expected = to;
      v.store(to.at(1), m...);
      for (std::size_t i = 0; i < N; ++i) {
        if (on[i]) {
          expected.set(i + 1, from, i);
        }
      }
      EXPECT_EQ(to, expected) << N << " lanes";
    });
  });
}

TYPED_TEST(vec_memory, in_rows) {
  using array = vectors<typename TypeParam::element, TypeParam::count>;
  for_some_lanes([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using V = lf::varying<typename array::vec, N, Isa>;
    const auto with_columns = [&]<std::size_t C>(std::integral_constant<std::size_t, C>) {
      if constexpr (C <= N) {
        for (const std::ptrdiff_t stride : {static_cast<std::ptrdiff_t>(C), static_cast<std::ptrdiff_t>(C) + 3}) {
          const auto place = [=](std::size_t i) { return i / C * static_cast<std::size_t>(stride) + i % C; };
          for_masks<N, Isa>([&](const auto& on, const auto&... m) {
            array from(place(N - 1) + 1, 1);
            const V v = V::template load_rows<C>(from.at(0), stride, m...);
            expect_vectors("load_rows", v, from, on, place);
            array to(place(N - 1) + 1, 60);
            array expected = to;
            v.template store_rows<C>(to.at(0), stride, m...);
            for (std::size_t i = 0; i < N; ++i) {
              if (on[i]) {
                expected.set(place(i), from, place(i));
              }
            }
            EXPECT_EQ(to, expected) << N << " lanes in rows of " << C;
          });
        }
      }
    };
#if defined(LANEFOLD_TEST_THOROUGH)
    with_columns(std::integral_constant<std::size_t, 1>());
    with_columns(std::integral_constant<std::size_t, 8>());
#endif
    with_columns(std::integral_constant<std::size_t, 2>());
    with_columns(std::integral_constant<std::size_t, 4>());
  });
}

TYPED_TEST(vec_memory, at_indices) {
  using array = vectors<typename TypeParam::element, TypeParam::count>;
  for_some_lanes([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using V = lf::varying<typename array::vec, N, Isa>;
    const auto with_indices = []<class I>(I) {
      for_masks<N, Isa>([](const auto& on, const auto&... m) {
        std::array<I, N> places;
        std::iota(places.begin(), places.end(), I(0));
        std::shuffle(places.begin(), places.end(), engine());
        if (N > 2 && on[0] && on[N - 1]) {
          places[N - 1] = places[0]; // the last lane stays
        }
        const auto place = [&](std::size_t i) { return static_cast<std::size_t>(places[i]); };
        std::array<I, N> indices = places;
        for (std::size_t i = 0; i < N; ++i) {
          if (!on[i]) {
            indices[i] = std::numeric_limits<I>::max() / 2; // not accessed
          }
        }
        const auto i = lf::varying<I, N, Isa>::load(indices.data());
        array from(N, 1);
        const V v = V::gather(from.at(0), i, m...);
        expect_vectors("gather", v, from, on, place);
        array to(N, 70);
        array expected = to;
        v.scatter(to.at(0), i, m...);
        for (std::size_t lane = 0; lane < N; ++lane) {
          if (on[lane]) {
            expected.set(place(lane), from, place(lane));
          }
        }
        EXPECT_EQ(to, expected) << N << " lanes at indices";
      });
    };
    with_indices(int{});
#if defined(LANEFOLD_TEST_THOROUGH)
    with_indices(std::size_t{});
#endif
  });
}

} // namespace
} // namespace lane_testing
