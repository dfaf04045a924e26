// SPDX-License-Identifier: Apache-2.0
/// Data types, atomics and functions as plain SYCL programs write them.
#include <lanefold/execution.hpp>
#include <lanefold/memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace {

namespace sycl = lanefold;

TEST(sycl_data_types, atomics_of_an_accessor) {
  std::vector<int> data(1000), counts(4);
  std::iota(data.begin(), data.end(), 0);
  int sum = 0, greatest = 0;
  {
    sycl::queue q;
    sycl::buffer<int> in(data.data(), data.size()), out(counts.data(), counts.size()), total(&sum, 1),
        top(&greatest, 1);
    q.submit([&](sycl::handler& h) {
      sycl::accessor x(in, h, sycl::read_only);
      sycl::accessor c(out, h, sycl::read_write);
      sycl::accessor t(total, h, sycl::read_write);
      sycl::accessor m(top, h, sycl::read_write);
      h.parallel_for(sycl::range<1>(data.size()), [=](sycl::id<1> i) {
        sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device,
                         sycl::access::address_space::global_space>
            count(c[static_cast<std::size_t>(x[i] % 4)]);
        count++;
        sycl::atomic_ref<int, sycl::memory_order::acq_rel, sycl::memory_scope::device>(t[0]) += x[i];
        auto greatest_of_all = sycl::atomic_ref<int, sycl::memory_order_relaxed, sycl::memory_scope_system>(m[0]);
        greatest_of_all.fetch_max(x[i]);
        sycl::atomic_fence(sycl::memory_order::acq_rel, sycl::memory_scope::device);
      });
    });
  }
  EXPECT_EQ(counts, std::vector<int>(4, 250));
  EXPECT_EQ(sum, 999 * 500);
  EXPECT_EQ(greatest, 999);
}

// An edge of a graph that copies itself by functions of its own, as many programs have.
struct edge {
  int from = 0, to = 0;
  float weight = 0;
  edge() = default;
  edge(int a, int b, float w) : from(a), to(b), weight(w) {}
  edge(const edge& other) : from(other.from), to(other.to), weight(other.weight) {}
  edge& operator=(const edge& other) {
    from = other.from;
    to = other.to;
    weight = other.weight;
    return *this;
  }
};

TEST(sycl_data_types, classes_that_copy_themselves) {
  static_assert(!sycl::is_device_copyable_v<edge>);
  std::vector<edge> edges(1000), kept(1000, edge(0, 0, 1)), given(1000);
  for (int i = 0; i < 1000; ++i) {
    edges[static_cast<std::size_t>(i)] = edge(i, i + 1, 0.5F);
  }
  sycl::queue q;
  {
    sycl::buffer<edge> in(edges.data(), edges.size()), out(kept.data(), kept.size()), own(edges.size());
    q.submit([&](sycl::handler& h) {
      sycl::accessor e(in, h, sycl::read_only);
      sycl::accessor k(own, h, sycl::write_only);
      h.parallel_for(edges.size(), [=](sycl::id<1> i) {
        const edge x = e[i];
        k[i] = edge(x.to, x.from, 2 * x.weight);
      });
    });
    q.submit([&](sycl::handler& h) { h.copy(sycl::accessor(own, h), sycl::accessor(out, h)); });
  }
  auto* shared = sycl::malloc_shared<edge>(kept.size(), q);
  q.copy(kept.data(), shared, kept.size()).wait();
  q.fill(given.data(), shared[7], given.size()).wait();
  for (std::size_t i = 0; i < 1000; ++i) {
    ASSERT_TRUE(kept[i].from == edges[i].to && kept[i].to == edges[i].from && kept[i].weight == 1.0F) << i;
    ASSERT_TRUE(given[i].from == 8 && given[i].to == 7) << i;
  }
  sycl::free(shared, q);
}

TEST(sycl_data_types, vectors_in_buffers) {
  std::vector<sycl::float4> bodies(64);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto f = static_cast<float>(i);
    bodies[i] = {f, 2 * f, -f, 1};
  }
  std::vector<float> lengths(64), raw(64 * 4);
  std::vector<sycl::half> halves(64, 1.5F);
  {
    sycl::queue q;
    sycl::buffer<sycl::float4> in(bodies.data(), bodies.size());
    sycl::buffer<float> out(lengths.data(), lengths.size()), memory(raw.data(), raw.size());
    sycl::buffer<sycl::half> small(halves.data(), halves.size());
    q.submit([&](sycl::handler& h) {
      sycl::accessor x(in, h, sycl::read_write);
      sycl::accessor y(out, h, sycl::write_only);
      sycl::accessor z(memory, h, sycl::read_write);
      sycl::accessor s(small, h, sycl::read_write);
      h.parallel_for(sycl::range<1>(bodies.size()), [=](sycl::id<1> i) {
        sycl::float4 v = x[i];
        const sycl::float3 p = v.swizzle<0, 1, 2>();
        y[i] = sycl::length(p) + sycl::dot(v.swizzle<2, 1, 0>(), p) * 0.0F;
        v.w() = sycl::max(v.x(), 3.0F);
        v.swizzle<0, 1>() = v.swizzle<1, 0>();
        v.store(i[0], z.get_multi_ptr<sycl::access::decorated::no>());
        x[i] = sycl::clamp(v * 2 - 1.0F, 0, 100);
        s[i] = s[i] * sycl::half(2) + static_cast<sycl::half>(v.x());
      });
    });
  }
  for (std::size_t i = 0; i < 64; ++i) {
    const auto f = static_cast<float>(i);
    EXPECT_FLOAT_EQ(lengths[i], std::sqrt(6 * f * f));
    EXPECT_EQ(raw[4 * i], 2 * f);
    EXPECT_EQ(raw[4 * i + 1], f);
    EXPECT_EQ(raw[4 * i + 3], std::max(f, 3.0F));
    EXPECT_EQ(bodies[i][0], std::min(std::max(4 * f - 1, 0.0F), 100.0F));
    EXPECT_EQ(bodies[i][2], 0.0F);
    EXPECT_EQ(halves[i], 3 + 2 * f);
  }
}

TEST(sycl_data_types, functions) {
  sycl::queue q;
  float* x = sycl::malloc_shared<float>(8, q);
  q.single_task([=] {
     float whole = 0, cosine = 0;
     int exponent = 0;
     x[0] = sycl::modf(2.75F, &whole) + whole;
     x[1] = sycl::sincos(
         0.0F,
         sycl::address_space_cast<sycl::access::address_space::private_space, sycl::access::decorated::no>(&cosine));
     x[1] += cosine;
     x[2] = sycl::frexp(8.0F, sycl::private_ptr<int>(&exponent)) + static_cast<float>(exponent);
     x[3] = sycl::native::sqrt(16.0F) + sycl::half_precision::recip(4.0F);
     x[4] = sycl::min<float>(3.0F, 2) + sycl::max<int>(1, 2);
     x[5] = sycl::mix(1.0F, 3.0F, 0.5F) + sycl::step(1.0F, 2.0F) + sycl::sign(-3.0F);
     sycl::int4 bits{1, 2, 3, 4};
     bits = sycl::select(bits, sycl::popcount(bits), bits > 2);
     x[6] = static_cast<float>(bits[0] + bits[1] + bits[2] + bits[3]);
     sycl::marray<float, 3> m{1.0F, 4.0F, 9.0F};
     m = sycl::sqrt(m) * 2.0F;
     const sycl::vec<std::uint8_t, 4> rounded = sycl::float4(2.5F).convert<std::uint8_t, sycl::rounding_mode::rte>();
     x[7] = m[2] + static_cast<float>(rounded.x());
   }).wait();
  const float right[] = {2.75F, 1.0F, 4.5F, 4.25F, 4.0F, 2.0F, 6.0F, 8.0F};
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(x[i], right[i]) << i;
  }
  sycl::free(x, q);
}

TEST(sycl_data_types, bfloat16) {
  using sycl::ext::oneapi::bfloat16;
  const bfloat16 a = 1.0F, b = 0.00390625F; // half a unit of the last place of a
  EXPECT_EQ(a + b, 1.0F);
  EXPECT_EQ(a + b * 3, 1.015625F);
  EXPECT_EQ(sizeof(bfloat16), 2U);
}

} // namespace
