// SPDX-License-Identifier: Apache-2.0
// Kernels that a number chooses: expressions, variables, nested control flow, local memory, group algorithms. They give
// the same by work-items, by lanes and recorded. LANEFOLD_TEST_KERNELS says how many, LANEFOLD_TEST_SEED from where on.
#include "testing.hpp"

#include <cstdint>
#include <cstdlib>

namespace {

using namespace recorded_testing;
using number = std::uint32_t;

constexpr std::size_t n = 96, local = 32;

/// What stands at a place of a kernel follows from the place alone: loops run a body often, lanes may skip it.
constexpr std::uint64_t hash(std::uint64_t place, std::uint64_t step) {
  std::uint64_t x = place * 0x9e3779b97f4a7c15U + step * 0xbf58476d1ce4e5b9U + 1;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Calls `use` with an expression of the variables.
template <class A, class B, class Use>
void expression(std::uint64_t place, const A& a, const B& b, Use use) {
  const auto literal = static_cast<number>(hash(place, 1) >> 40);
  switch (hash(place, 2) % 14) {
  case 0: return use(a + b);
  case 1: return use(a - literal);
  case 2: return use(a * b + literal);
  case 3: return use(a / (b % 97U + 1U));
  case 4: return use(a % (b | 1U));
  case 5: return use((a << (b & 7U)) ^ (b >> 3));
  case 6: return use(~a & (b | literal));
  case 7: return use(lf::select(a < b, a * 3U, b + 5U));
  case 8: return use(lf::select(a == b || a > literal, literal, b));
  case 9: return use(lf::convert<number>(lf::convert<std::int8_t>(a)) + b);
  case 10: return use(lf::convert<number>(lf::convert<std::uint16_t>(a) * 7 - 3));
  case 11: return use(lf::convert<number>((lf::convert<std::uint64_t>(a) * b) >> 20));
  case 12: return use(lf::convert<number>(lf::convert<std::int32_t>(a) / 5 - lf::convert<std::int16_t>(b)));
  default: return use(lf::min(a, b) ^ lf::max(a, literal));
  }
}

template <class It, class V, class Tile, class Local>
void statements(std::uint64_t place, int depth, const It& it, V& a, V& b, const Tile& tile, const Local& l) {
  const std::uint64_t count = 1 + hash(place, 0) % 4;
  for (std::uint64_t s = 0; s < count; ++s) {
    const std::uint64_t here = hash(place, 10 + s);
    const auto assign = [&] {
      expression(here, a, b, [&](const auto& x) {
        if (here % 2 == 0) {
          a = x;
        } else {
          b += x;
        }
      });
    };
    const std::uint64_t what = depth == 0 ? 0 : (here >> 8) % 8;
    if (what == 1) {
      it.if_(a > b, [&] { statements(here, depth - 1, it, a, b, tile, l); });
    } else if (what == 2) {
      it.if_((a & 3U) != 0U, [&] { statements(here, depth - 1, it, a, b, tile, l); },
             [&] { statements(here + 1, depth - 1, it, b, a, tile, l); });
    } else if (what == 3) {
      it.for_(number(0), b % 5U, [&](auto k) {
        a += k;
        statements(here, depth - 1, it, a, b, tile, l);
      });
    } else if (what == 4) {
      auto rounds = it.var(a % 6U);
      it.while_([&] { return rounds > 0U; },
                [&] {
                  statements(here, depth - 1, it, a, b, tile, l);
                  rounds = rounds - 1U;
                });
    } else if (what == 5) {
      for (int k = 0; k < 2; ++k) {
        statements(here + static_cast<std::uint64_t>(k), depth - 1, it, b, a, tile, l);
      }
    } else {
      assign();
    }
  }
}

/// What all work-items of a group do together.
template <class It, class V, class Tile, class Local>
void together(std::uint64_t place, const It& it, V& a, V& b, const Tile& tile, const Local& l) {
  const auto g = it.get_group();
  switch (hash(place, 3) % 5) {
  case 0:
    tile[l] = a;
    lf::group_barrier(g);
    b = b ^ tile[(l * 5U + 3U) % local];
    lf::group_barrier(g);
    break;
  case 1: a = a + lf::reduce_over_group(g, b, lf::plus<>()); break;
  case 2: b = lf::inclusive_scan_over_group(g, a, lf::maximum<>()); break;
  case 3: a = lf::exclusive_scan_over_group(g, b, number(7), lf::bit_xor<>()); break;
  default:
    it.for_(0, 3, [&](auto) {
      tile[l] = b;
      lf::group_barrier(g);
      a = a * 3U + tile[(local - 1U) - l];
      lf::group_barrier(g);
    });
  }
}

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(recorded_generated, kernels_give_the_same_everywhere) {
  LANEFOLD_NEED_OPENCL();
  const std::uint64_t first = from_environment("LANEFOLD_TEST_SEED", 1);
  const std::uint64_t count = from_environment("LANEFOLD_TEST_KERNELS", 6);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("LANEFOLD_TEST_SEED=" + std::to_string(seed) + " LANEFOLD_TEST_KERNELS=1");
    expect_same_everywhere<number>(2 * n, [&](lf::queue& q, auto how, lf::buffer<number>& out) {
      q.submit([&](lf::handler& h) {
        const lf::accessor y(out, h, lf::write_only, lf::no_init);
        const lf::local_accessor<number> tile(local, h);
        h.parallel_for(lf::nd_range<1>(n, local), how, [=](auto it) {
          const auto i = it.get_global_id(0);
          const auto l = it.get_local_id(0);
          auto a = it.var(lf::convert<number>(i * 2654435761U));
          auto b = it.var(lf::convert<number>(l) * 40503U + 11U);
          for (std::uint64_t part = 0; part < 3; ++part) {
            statements(hash(seed, part), 3, it, a, b, tile, l);
            together(hash(seed, 100 + part), it, a, b, tile, l);
          }
          y[i] = a;
          y[i + n] = b;
        });
      });
    });
    if (HasFatalFailure() || HasFailure()) {
      return;
    }
  }
}

} // namespace
