// SPDX-License-Identifier: Apache-2.0
/// Functions of values in ND-range kernels. The versions baseline, stack, omp_simd and simd have a Boost.Fiber for each
/// work-item, as the thesis' have; work_items is what Lanefold does with the same kernel, lanes with a lane-generic
/// one.
#include "thesis.hpp"

#include <memory>

namespace thesis {

namespace {

enum class function { reduce, inclusive_scan, exclusive_scan, any_of };

struct data {
  std::vector<element> in = numbers(work_items), out = std::vector<element>(work_items);
};

data& shared() {
  static data d;
  return d;
}

template <function F, lf::algorithm A, class Item, class T>
LANEFOLD_ALWAYS_INLINE auto call(const Item& it, const T& x) {
  const auto g = it.get_group();
  if constexpr (F == function::reduce) {
    return lf::reduce_over_group<A>(g, x, lf::plus<>{});
  } else if constexpr (F == function::inclusive_scan) {
    return lf::inclusive_scan_over_group<A>(g, x, lf::plus<>{});
  } else if constexpr (F == function::exclusive_scan) {
    return lf::exclusive_scan_over_group<A>(g, x, lf::plus<>{});
  } else {
    return lf::any_of_group(g, is_sought(x)) ? sought() : element();
  }
}

template <function F>
bool right(std::size_t group) {
  const data& d = shared();
  for (std::size_t first = 0; first < work_items; first += group) {
    element total{}, sum{};
    for (std::size_t i = first; i < first + group; ++i) {
      total = static_cast<element>(total + d.in[i]);
    }
    for (std::size_t i = first; i < first + group; ++i) {
      const element before = sum;
      sum = static_cast<element>(sum + d.in[i]);
      const element expected = F == function::reduce           ? total
                               : F == function::inclusive_scan ? sum
                               : F == function::exclusive_scan ? before
                                                               : element();
      if (!same(d.out[i], expected)) {
        return false;
      }
    }
  }
  return true;
}

template <function F, lf::algorithm A, class Strategy>
void add(const std::string& name, const char* version, std::size_t group, lf::fiber_engine engine) {
  measure(
      name, version, group,
      [=] {
        data& d = shared();
        const lf::view<const element> x(d.in.data(), work_items);
        const lf::view<element> y(d.out.data(), work_items);
        queue()
            .parallel_for(lf::nd_range<1>(work_items, group), how<Strategy>(engine),
                          [=](auto it) {
                            const auto i = it.get_global_id(0);
                            y[i] = call<F, A>(it, x[i]);
                          })
            .wait();
      },
      [=] { return right<F>(group); });
}

template <function F>
void add_all(const std::string& name) {
  constexpr auto fiber = lf::fiber_engine::boost_fiber, native = lf::fiber_engine::native;
  for (const std::size_t group : group_sizes) {
    add<F, lf::algorithm::serial_heap, lf::scalar>(name, "baseline", group, fiber);
    if constexpr (F != function::any_of) { // which is the same in all these versions
      add<F, lf::algorithm::serial, lf::scalar>(name, "stack", group, fiber);
      add<F, lf::algorithm::omp_simd, lf::scalar>(name, "omp_simd", group, fiber);
      add<F, lf::algorithm::simd, lf::scalar>(name, "simd", group, fiber);
    }
    add<F, lf::algorithm::automatic, lf::scalar>(name, "work_items", group, native);
    if (group < wide_lanes) {
      add<F, lf::algorithm::automatic, lf::simd<narrow_lanes>>(name, "lanes", group, native);
    } else {
      add<F, lf::algorithm::automatic, lf::simd<wide_lanes>>(name, "lanes", group, native);
    }
  }
}

const bool registered = [] {
  add_all<function::reduce>("group_reduce");
  add_all<function::inclusive_scan>("group_inclusive_scan");
  add_all<function::exclusive_scan>("group_exclusive_scan");
  add_all<function::any_of>("group_any_of");
  return true;
}();

} // namespace

} // namespace thesis
