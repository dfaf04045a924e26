// SPDX-License-Identifier: Apache-2.0
// Kernels that a number chooses: expressions, variables, nested control flow, local memory, group algorithms. They give
// the same by work-items, by lanes and recorded. They are data: another kernel is another walk of the same code, so
// that none of them costs compile time here. LANEFOLD_TEST_KERNELS says how many, LANEFOLD_TEST_SEED from where on.
#include "testing.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace recorded_testing;
using number = std::uint32_t;

constexpr std::size_t n = 96, local = 32;
/// So many kernels are one for the device: most of the time goes into building programs.
constexpr std::uint64_t at_once = 10;

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
  switch (hash(place, 3) % 12) {
  case 0:
    tile[l] = a;
    lf::group_barrier(g);
    b = b ^ tile[(l * 5U + 3U) % local];
    lf::group_barrier(g);
    break;
  case 1: a = a + lf::reduce_over_group(g, b, lf::plus<>()); break;
  case 2: b = lf::inclusive_scan_over_group(g, a, lf::maximum<>()); break;
  case 3: a = lf::exclusive_scan_over_group(g, b, number(7), lf::bit_xor<>()); break;
  case 4: b += lf::group_broadcast(g, a, hash(place, 4) % local); break;
  case 5: it.if_(lf::any_of_group(g, (a & 63U) == 5U), [&] { b = b * 5U; }, [&] { a ^= b; }); break;
  case 6: a ^= lf::reduce_over_group(g, b, [](auto x, auto y) { return x * y; }); break;
  case 7: {
    auto own = it.template array<number, 8>();
    for (number k = 0; k < 8; ++k) {
      own[k] = a * k + b;
    }
    it.for_(number(0), 8U, [&](auto k) { own[(k + b) & 7U] += own[(a + k) & 7U]; });
    b = own[a & 7U];
    break;
  }
  case 8: {
    const auto chunk = lf::chunked_partition<4>(it.get_sub_group());
    b += lf::inclusive_scan_over_group(chunk, lf::reduce_over_group(chunk, a, lf::bit_xor<>()), lf::plus<>());
    break;
  }
  case 9: a = lf::sort_over_group(g, b); break;
  case 10:
    b ^= lf::permute_group_by_xor(lf::chunked_partition<8>(it.get_sub_group()), a, number(hash(place, 4) % 8));
    break;
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

/// One kernel: `write(a, b)` gets what it computes.
template <class It, class Tile, class Write>
void generated(std::uint64_t seed, const It& it, const Tile& tile, Write write) {
  const auto i = it.get_global_id(0);
  const auto l = it.get_local_id(0);
  auto a = it.var(lf::convert<number>(i * 2654435761U));
  auto b = it.var(lf::convert<number>(l) * 40503U + 11U);
  statements(hash(seed, 0), 2, it, a, b, tile, l);
  together(hash(seed, 100), it, a, b, tile, l);
  write(a, b);
}

/// The kernels in parts, which ctest runs side by side.
class recorded_generated : public ::testing::TestWithParam<std::uint64_t> {};
constexpr std::uint64_t parts = 4;
INSTANTIATE_TEST_SUITE_P(parts, recorded_generated, ::testing::Range(std::uint64_t(0), parts));

bool every_device(const gpu::device&) { return true; }
/// PoCL takes four times as long as others to build these kernels.
bool builds_fast(const gpu::device& d) {
  return d.get_platform_name().find("Portable Computing Language") == std::string::npos;
}

// Without LANEFOLD_TEST_KERNELS these are 300, of which PoCL gets a quarter.
TEST_P(recorded_generated, kernels_give_the_same_everywhere) {
  LANEFOLD_NEED_OPENCL();
  const bool is_asked_for = std::getenv("LANEFOLD_TEST_KERNELS") != nullptr;
  const std::uint64_t begin = from_environment("LANEFOLD_TEST_SEED", 1);
  const std::uint64_t end = begin + from_environment("LANEFOLD_TEST_KERNELS", 300);
  std::uint64_t turn = 0;
  for (std::uint64_t first = begin + GetParam() * at_once; first < end; first += parts * at_once) {
    const auto takes = is_asked_for || turn++ % 4 == 0 ? every_device : builds_fast;
    const std::uint64_t count = std::min(at_once, end - first);
    SCOPED_TRACE("LANEFOLD_TEST_SEED=" + std::to_string(first) + " LANEFOLD_TEST_KERNELS=" + std::to_string(count) +
                 ", " + std::to_string(2 * n) + " elements a kernel");
    const auto program = [&](lf::queue& q, auto how, lf::buffer<number>& out) {
      q.submit([&](lf::handler& h) {
        const lf::accessor y(out, h, lf::write_only, lf::no_init);
        const lf::local_accessor<number> tile(local, h);
        h.parallel_for(lf::nd_range<1>(n, local), how, [=](auto it) {
          for (std::uint64_t k = 0; k < count; ++k) {
            generated(first + k, it, tile, [&](const auto& a, const auto& b) {
              const auto i = it.get_global_id(0);
              y[i + 2 * k * n] = a;
              y[i + (2 * k + 1) * n] = b;
            });
          }
        });
      });
    };
    expect_same_everywhere<number>(2 * n * count, program, 0, takes);
    if (HasFatalFailure() || HasFailure()) {
      return;
    }
  }
}

} // namespace
