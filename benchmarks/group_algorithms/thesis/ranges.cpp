// SPDX-License-Identifier: Apache-2.0
/// Pointer-based functions: in four groups of an ND-range kernel, each over all elements, and in a plain loop (a group
/// of one unit: no work-item has to wait).
#include "thesis.hpp"

namespace thesis {

namespace {

enum class function { reduce, inclusive_scan, exclusive_scan, any_of_early, any_of_full };

constexpr std::size_t groups = 4;

struct data {
  std::vector<element> in = numbers(loop_elements), out = std::vector<element>(groups * loop_elements);
  std::vector<element> results = std::vector<element>(groups);
};

data& shared() {
  static data d;
  return d;
}

template <function F, lf::algorithm A, class G>
LANEFOLD_ALWAYS_INLINE element call(const G& g, const element* first, std::size_t n, element* out) {
  const element* const last = first + n;
  if constexpr (F == function::reduce) {
    return lf::joint_reduce<A>(g, first, last, lf::plus<>{});
  } else if constexpr (F == function::inclusive_scan) {
    lf::joint_inclusive_scan<A>(g, first, last, out, lf::plus<>{});
    return element();
  } else if constexpr (F == function::exclusive_scan) {
    lf::joint_exclusive_scan<A>(g, first, last, out, lf::plus<>{});
    return element();
  } else {
    const auto condition = [](const auto& x) { return is_sought(x); };
    return lf::joint_any_of<A>(g, first, last, condition) ? sought() : element();
  }
}

template <function F>
bool right(std::size_t n, std::size_t of_groups) {
  const data& d = shared();
  for (std::size_t g = 0; g < of_groups; ++g) {
    element sum{};
    for (std::size_t i = 0; i < n; ++i) {
      const element before = sum;
      sum = static_cast<element>(sum + d.in[i]);
      if (F == function::inclusive_scan || F == function::exclusive_scan) {
        if (!same(d.out[g * n + i], F == function::inclusive_scan ? sum : before)) {
          return false;
        }
      }
    }
    if ((F == function::reduce && !same(d.results[g], sum)) ||
        (F == function::any_of_early && !same(d.results[g], sought())) ||
        (F == function::any_of_full && !same(d.results[g], element()))) {
      return false;
    }
  }
  return true;
}

/// Writes the first element: for `any_of_early` it is the one that is looked for.
template <function F>
void prepare() {
  shared().in[0] = F == function::any_of_early ? sought() : number(0);
}

template <function F, lf::algorithm A, class Strategy>
void add(const std::string& name, const char* version, std::size_t n, std::size_t of_groups, std::size_t group,
         lf::fiber_engine engine) {
  measure(
      name, version, group,
      [=] {
        prepare<F>();
        data& d = shared();
        const element* const in = d.in.data();
        element* const out = d.out.data();
        element* const results = d.results.data();
        queue()
            .parallel_for(lf::nd_range<1>(of_groups * group, group), how<Strategy>(engine),
                          [=](auto it) {
                            const auto g = it.get_group();
                            const std::size_t k = g.get_group_linear_id();
                            results[k] = call<F, A>(g, in, n, out + k * n);
                          })
            .wait();
      },
      [=] { return right<F>(n, of_groups); });
}

template <function F>
void add_all(const std::string& name) {
  constexpr auto fiber = lf::fiber_engine::boost_fiber, native = lf::fiber_engine::native;
  for (const std::size_t group : group_sizes) {
    const std::string in_groups = "group_" + name + "_pointer";
    add<F, lf::algorithm::serial, lf::scalar>(in_groups, "baseline", range_elements, groups, group, fiber);
    add<F, lf::algorithm::omp_simd, lf::scalar>(in_groups, "omp_simd", range_elements, groups, group, fiber);
    add<F, lf::algorithm::simd, lf::scalar>(in_groups, "simd", range_elements, groups, group, fiber);
    add<F, lf::algorithm::automatic, lf::scalar>(in_groups, "work_items", range_elements, groups, group, native);
    add<F, lf::algorithm::automatic, lf::simd<32>>(in_groups, "lanes", range_elements, groups, group, native);
  }
  const std::string in_loop = "loop_" + name + "_pointer";
  add<F, lf::algorithm::serial, lf::simd<32>>(in_loop, "baseline", loop_elements, 1, 32, native);
  add<F, lf::algorithm::omp_simd, lf::simd<32>>(in_loop, "omp_simd", loop_elements, 1, 32, native);
  add<F, lf::algorithm::simd, lf::simd<32>>(in_loop, "simd", loop_elements, 1, 32, native);
}

const bool registered = [] {
  add_all<function::reduce>("reduce");
  add_all<function::inclusive_scan>("inclusive_scan");
  add_all<function::exclusive_scan>("exclusive_scan");
  add_all<function::any_of_early>("any_of_early");
  add_all<function::any_of_full>("any_of_full");
  return true;
}();

} // namespace

} // namespace thesis
