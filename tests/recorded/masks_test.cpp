// SPDX-License-Identifier: Apache-2.0
// Masks of sub-groups in recorded kernels: they are asked and changed in the words of those of the CPU.
#include "testing.hpp"

#include <algorithm>
#include <cstdint>

namespace {

using namespace recorded_testing;

constexpr std::size_t local = 8, n = 6 * local; // each work-group is one sub-group, everywhere

std::vector<std::int32_t> numbers() {
  std::vector<std::int32_t> all(n);
  for (std::size_t i = 0; i < n; ++i) {
    all[i] = static_cast<std::int32_t>(i * 37 % 101) - 40;
  }
  return all;
}

/// kernel(item, x, put): `put(column, v)` of each work-item is the same everywhere.
template <std::size_t Columns, class Kernel>
void check(Kernel kernel) {
  LANEFOLD_NEED_OPENCL();
  const std::vector<std::int32_t> in = numbers();
  expect_same_everywhere<std::int64_t>(n * Columns, [&](lf::queue& q, auto how, lf::buffer<std::int64_t>& out) {
    lf::buffer<std::int32_t> in_buffer(in.data(), lf::range<1>(n));
    q.submit([&](lf::handler& h) {
      const lf::accessor x(in_buffer, h, lf::read_only);
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::nd_range<1>(n, local), how, [=](auto it) {
        const auto i = it.get_global_id(0);
        kernel(it, it.var(x[i]),
               [&](std::size_t column, const auto& v) { y[i * Columns + column] = lf::convert<std::int64_t>(v); });
      });
    });
  });
}

/// Everything that a mask says.
constexpr std::size_t answers = 6;
template <class It, class Mask, class Put>
void put_answers(const It& it, const Mask& mask, std::size_t first, Put put) {
  auto bits = it.var(std::uint16_t(0));
  mask.extract_bits(bits);
  put(first, bits);
  put(first + 1, mask.count());
  put(first + 2, mask.find_low()[0]);
  put(first + 3, mask.find_high().get(0));
  put(first + 4, lf::select(mask.any(), 1, 0) + lf::select(mask.all(), 2, 0) + lf::select(mask.none(), 4, 0));
  put(first + 5, lf::select(mask[3], 1, 0) + lf::select(mask.test(lf::id<1>(5)), 2, 0) + lf::select(mask[250], 4, 0));
}

/// The answers behind each of the changes, which begin with the same mask.
template <class... Changes>
void check_changes(Changes... changes) {
  check<answers * sizeof...(Changes)>([=](const auto& it, const auto& x, const auto& put) {
    const auto sg = it.get_sub_group();
    const auto mask = lf::group_ballot(sg, x > 5);
    const auto other = lf::group_ballot(sg, x % 3 == 0);
    std::size_t column = 0;
    const auto check_one = [&](const auto& change) {
      auto changed = mask;
      change(changed, other);
      put_answers(it, changed, column, put);
      column += answers;
    };
    (check_one(changes), ...);
  });
}

TEST(recorded_masks, single_bits_change) {
  check_changes([](auto& m, const auto&) { m.set(3); }, [](auto& m, const auto&) { m.set(lf::id<1>(2), false); },
                [](auto& m, const auto&) { m.set(200); }, [](auto& m, const auto&) { m.reset(1); },
                [](auto& m, const auto&) { m.flip(5); }, [](auto& m, const auto&) { m.reset_low(); },
                [](auto& m, const auto&) { m.reset_high(); },
                [](auto& m, const auto&) {
                  m.reset();
                  m.reset_low();
                  m.reset_high();
                },
                [](auto& m, const auto& other) {
                  m[4] = true;
                  m[1].flip();
                  m[2] = m[3];
                  m[0] = ~m[6];
                  m[7] = other[1];
                },
                [](auto& m, const auto&) {
                  m.reset(m.find_low());
                  m.flip(m.find_high());
                });
}

TEST(recorded_masks, all_bits_change) {
  check_changes([](auto& m, const auto&) { m.set(); }, [](auto& m, const auto&) { m.reset(); },
                [](auto& m, const auto&) { m.flip(); }, [](auto& m, const auto& other) { m &= other; },
                [](auto& m, const auto& other) { m |= other; }, [](auto& m, const auto& other) { m ^= other; },
                [](auto& m, const auto& other) { m = (~m & other) | (m ^ other); },
                [](auto& m, const auto& other) { m = other; });
}

TEST(recorded_masks, bits_move) {
  check_changes([](auto& m, const auto&) { m <<= 2; }, [](auto& m, const auto&) { m >>= 3; },
                [](auto& m, const auto&) { m = (m << 1) | (m >> 5); }, [](auto& m, const auto&) { m <<= 0; },
                [](auto& m, const auto&) { m <<= 100; }, [](auto& m, const auto&) { m >>= std::size_t(1) << 40; },
                [](auto& m, const auto&) { m >>= m.count(); });
}

TEST(recorded_masks, bits_are_inserted) {
  check_changes([](auto& m, const auto&) { m.insert_bits(std::uint8_t(0x5a)); },
                [](auto& m, const auto&) { m.insert_bits(std::uint8_t(0x5a), 3); },
                [](auto& m, const auto&) { m.insert_bits(std::uint64_t(0xa), lf::id<1>(4)); },
                [](auto& m, const auto&) { m.insert_bits(std::int8_t(-2)); },
                [](auto& m, const auto&) { m.insert_bits(lf::marray<std::uint8_t, 2>(std::uint8_t(0x33)), 2); });
}

TEST(recorded_masks, are_compared_and_extracted) {
  check<7>([](const auto& it, const auto& x, const auto& put) {
    const auto mask = lf::group_ballot(it.get_sub_group(), x > 5), all = lf::group_ballot(it.get_sub_group());
    auto copy = mask;
    put(0, lf::select(copy == mask, 1, 0) + lf::select(copy != all, 2, 0));
    copy.flip(0);
    put(1, lf::select(copy == mask, 1, 0) + lf::select((copy ^ mask).count() == 1U, 2, 0));
    auto bits = it.var(std::uint64_t(0));
    auto few = it.var(std::int8_t(0));
    mask.extract_bits(bits, 2);
    mask.extract_bits(few, lf::id<1>(1));
    put(2, bits);
    put(3, few);
    put(4, all.size());
    // Each work-item asks for its own bit, and for that of the item across.
    const auto lane = it.get_sub_group().get_local_linear_id();
    put(5, lf::select(mask[lane], 1, 0) + lf::select(copy[lane ^ 1U], 2, 0));
    put(6, lf::select(mask.test(it.var(lf::convert<std::int32_t>(lane)) + 6), 1, 0));
  });
}

/// A loop over the bits that are set, which is one of the device, and changes in divergent code.
TEST(recorded_masks, change_in_loops_and_branches) {
  check<2>([](const auto& it, const auto& x, const auto& put) {
    auto mask = lf::group_ballot(it.get_sub_group(), x > 5);
    auto sum = it.var(0), rounds = it.var(0);
    it.while_([&] { return mask.any(); },
              [&] {
                sum = sum * 10 + lf::convert<std::int32_t>(mask.find_low()[0]);
                rounds += 1;
                mask.reset_low();
              });
    put(0, sum);
    put(1, rounds);
  });
}

/// Masks of all four words: sub-groups of 128 work-items, where there are such.
TEST(recorded_masks, of_many_work_items) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t size = 128, columns = 7;
  for (const gpu::device& device : gpu::devices()) {
    if (device.library_target().flavour != gpu::flavour::local) {
      continue;
    }
    std::vector<std::int64_t> out(size * columns);
    {
      lf::queue q(device);
      lf::buffer<std::int64_t> buffer(out.data(), lf::range<1>(out.size()));
      q.submit([&](lf::handler& h) {
        const lf::accessor y(buffer, h, lf::write_only, lf::no_init);
        h.parallel_for(lf::nd_range<1>(size, size), lf::property::strategy<lf::simd<128>>(), [=](auto it) {
          const auto i = it.get_global_id(0);
          const auto sg = it.get_sub_group();
          static_cast<void>(lf::chunked_partition<128>(sg)); // asks for sub-groups as large
          const auto put = [&](std::size_t column, const auto& v) {
            y[i * columns + column] = lf::convert<std::int64_t>(v);
          };
          auto mask = lf::group_ballot(sg, i % std::size_t(3) == std::size_t(1)); // 1, 4 … 127
          put(0, mask.size());
          put(1, mask.count());
          put(2, mask.find_high()[0]);
          auto bits = it.var(std::uint64_t(0));
          mask.extract_bits(bits, 40);
          put(3, bits);
          mask >>= 60;
          put(4, mask.find_low()[0] + mask.find_high()[0] * 1000U); // 1 and 67
          mask <<= 62;
          mask.insert_bits(std::uint16_t(0xffff), 56);
          put(5, mask.count());
          mask.reset();
          mask.set(77);
          put(6, mask.find_low()[0]);
        });
      });
    }
    for (std::size_t i = 0; i < size; ++i) {
      const std::int64_t* const found = &out[i * columns];
      std::uint64_t bits = 0;
      std::int64_t inserted = 16;
      for (std::size_t k = 0; k < 64; ++k) {
        bits |= std::uint64_t{(k + 40) % 3 == 1} << k;
      }
      for (std::size_t k = 62; k < size; ++k) { // bit k was bit k - 2 of the first mask
        inserted += k >= 72 && (k - 2) % 3 == 1 ? 1 : 0;
      }
      ASSERT_EQ(found[0], 128) << i;
      ASSERT_EQ(found[1], 43) << i;
      ASSERT_EQ(found[2], 127) << i;
      ASSERT_EQ(static_cast<std::uint64_t>(found[3]), bits) << i;
      ASSERT_EQ(found[4], 1 + 67 * 1000) << i;
      ASSERT_EQ(found[5], inserted) << i;
      ASSERT_EQ(found[6], 77) << i;
    }
  }
}

/// Parts of sub-groups have masks of their own.
TEST(recorded_masks, of_parts) {
  LANEFOLD_NEED_OPENCL();
  const std::vector<std::int32_t> in = numbers();
  for (const gpu::device& device : gpu::devices()) {
    SCOPED_TRACE(device.get_platform_name());
    std::vector<std::int32_t> out(4 * n);
    {
      lf::queue q(device);
      lf::buffer<std::int32_t> from(in.data(), lf::range<1>(n)), to(out.data(), lf::range<1>(out.size()));
      q.submit([&](lf::handler& h) {
        const lf::accessor x(from, h, lf::read_only);
        const lf::accessor y(to, h, lf::write_only, lf::no_init);
        h.parallel_for(lf::nd_range<1>(n, local), lf::property::strategy<lf::simd<8>>(), [=](auto it) {
          if constexpr (std::is_same_v<decltype(it), lf::nd_item<1, lf::recorded>>) {
            const auto i = it.get_global_id(0);
            const auto chunk = lf::group_ballot(lf::chunked_partition<4>(it.get_sub_group()), x[i] > 5);
            const auto part = lf::group_ballot(lf::binary_partition(it.get_sub_group(), x[i] % 2 == 0), x[i] > 5);
            auto bits = it.var(0);
            chunk.extract_bits(bits);
            y[i] = bits;
            part.extract_bits(bits);
            y[i + n] = bits;
            y[i + 2 * n] = lf::convert<std::int32_t>((~chunk).count() + chunk.size() * 10U);
            y[i + 3 * n] = lf::convert<std::int32_t>((~part).count() + part.size() * 10U);
          }
        });
      });
    }
    for (std::size_t i = 0; i < n; ++i) {
      std::int32_t chunk = 0, part = 0, chunk_count = 0, part_count = 0, part_size = 0;
      for (std::size_t k = i / 4 * 4; k < i / 4 * 4 + 4; ++k) {
        chunk |= in[k] > 5 ? 1 << (k % 4) : 0;
        chunk_count += in[k] > 5 ? 1 : 0;
      }
      for (std::size_t k = i / local * local; k < i / local * local + local; ++k) {
        if ((in[k] % 2 == 0) == (in[i] % 2 == 0)) {
          part |= in[k] > 5 ? 1 << part_size : 0;
          part_count += in[k] > 5 ? 1 : 0;
          ++part_size;
        }
      }
      ASSERT_EQ(out[i], chunk) << i;
      ASSERT_EQ(out[i + n], part) << i;
      ASSERT_EQ(out[i + 2 * n], 40 + 4 - chunk_count) << i;
      ASSERT_EQ(out[i + 3 * n], 10 * part_size + part_size - part_count) << i;
    }
  }
}

} // namespace
