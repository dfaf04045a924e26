// SPDX-License-Identifier: Apache-2.0
/// Runs every function of the device library for one type and operator, and compares with sequential loops.
#pragma once

#include "testing.hpp"

#include <lanefold/memory/half.hpp>

#include <functional>

namespace gpu_testing {

/// A kernel with all functions. T and OP are replaced.
inline constexpr const char* every_function = R"(
kernel void every_function(global const T* in, global T* out, global uint* places, uint from, uint distance) {
  LANEFOLD_SCRATCH(s);
  const uint id = lf_local_id(), at = get_group_id(0) * (uint)LF_WORK_GROUP_SIZE + id;
  const uint items = get_num_groups(0) * (uint)LF_WORK_GROUP_SIZE;
  const T x = in[at];
  global T* to = out + at;
  *to = lf_reduce_OP_T(x, &s);                        to += items;
  *to = lf_inclusive_scan_OP_T(x, &s);                to += items;
  *to = lf_exclusive_scan_init_OP_T(x, in[0], &s);    to += items;
  *to = lf_inclusive_scan_init_OP_T(x, in[0], &s);    to += items;
  *to = lf_reduce_OP_T(x, &s);                        to += items;
  *to = lf_broadcast_T(x, from, &s);                  to += items;
  *to = lf_sub_group_reduce_OP_T(x, &s);              to += items;
  *to = lf_sub_group_inclusive_scan_OP_T(x, &s);      to += items;
  *to = lf_sub_group_broadcast_T(x, 0, &s);           to += items;
  const uint last = lf_sub_group_items() - 1;
  *to = lf_shuffle_T(x, last - lf_lane(), &s);        to += items;
  *to = lf_shuffle_up_T(x, distance, &s);             to += items;
  *to = lf_shuffle_down_T(x, distance, &s);           to += items;
  *to = lf_shuffle_xor_T(x, distance, &s);            to += items;
  places[2 * at] = lf_sub_group_id();
  places[2 * at + 1] = lf_lane();
}
)";
inline constexpr std::size_t functions = 13;

/// Values and their reductions on the host.
template <class T>
struct algebra {
  std::string type, op;
  std::function<T(T, T)> apply;
  std::function<T(std::mt19937&)> draw;
  std::vector<gpu::type_description> types = {};
  std::vector<gpu::operator_description> operators = {};
};

template <class T>
class function_checker {
public:
  function_checker(const side& where, const algebra<T>& what, gpu::variant variant, std::size_t group, bool known)
      : m_what(what), m_group(group), m_groups(2), m_kernel(make(where, what, variant, group, known)),
        m_in(m_groups * group), m_out(functions * m_in.size()), m_places(2 * m_in.size()) {
    std::mt19937 random(seed());
    for (T& x : m_in)
      x = what.draw(random);
  }

  void run(gpu::queue& q) {
    const gpu::device on = q.get_device();
    const gpu::buffer<T> in(on, m_in.size()), out(on, m_out.size());
    const gpu::buffer<std::uint32_t> places(on, m_places.size());
    q.copy(m_in.data(), in, m_in.size());
    q.launch(m_kernel, lanefold::nd_range<1>(m_in.size(), m_group), in, out, places, from(), distance);
    q.copy(out, m_out.data(), m_out.size());
    q.copy(places, m_places.data(), m_places.size());
    q.wait();
  }

  void check() const {
    for (std::size_t g = 0; g < m_groups; ++g)
      check_group(g * m_group);
  }

private:
  static constexpr std::uint32_t distance = 1;

  static gpu::kernel make(const side& where, const algebra<T>& what, gpu::variant variant, std::size_t group,
                          bool known) {
    gpu::build_options options;
    options.flavour = where.flavour;
    options.variant = variant;
    options.types = what.types;
    options.operators = what.operators;
    if (known)
      options.work_group = {group, 1, 1};
    std::string text = replaced(every_function, "_OP_T", "_" + what.op + "_" + what.type);
    for (const char* const name : {"lf_broadcast_T", "lf_sub_group_broadcast_T", "lf_shuffle_T", "lf_shuffle_up_T",
                                   "lf_shuffle_down_T", "lf_shuffle_xor_T"})
      text = replaced(text, name, std::string(name, std::string_view(name).size() - 1) + what.type);
    text = replaced(replaced(text, "const T", "const " + what.type), "global T", "global " + what.type);
    return gpu::kernel(text, "every_function", options);
  }

  std::uint32_t from() const { return static_cast<std::uint32_t>(m_group / 2); }

  const T& result(std::size_t function, std::size_t at) const { return m_out[function * m_in.size() + at]; }

  T fold(std::size_t begin, std::size_t end) const {
    T sum = m_in[begin];
    for (std::size_t i = begin + 1; i < end; ++i)
      sum = m_what.apply(sum, m_in[i]);
    return sum;
  }

  /// The sub-group of a work-item: it is a slice of the linear order.
  std::pair<std::size_t, std::size_t> sub_group_of(std::size_t at, std::size_t group_begin) const {
    const std::size_t begin = at - m_places[2 * at + 1];
    std::size_t end = at;
    while (end < group_begin + m_group && m_places[2 * end] == m_places[2 * at])
      ++end;
    return {begin, end};
  }

  void check_group(std::size_t begin) const {
    const T total = fold(begin, begin + m_group);
    T below = m_in[0], inclusive = m_in[begin];
    for (std::size_t at = begin; at < begin + m_group; ++at) {
      inclusive = at == begin ? m_in[at] : m_what.apply(inclusive, m_in[at]);
      ASSERT_EQ(result(0, at), total) << "reduce, item " << at - begin;
      ASSERT_EQ(result(1, at), inclusive) << "inclusive_scan, item " << at - begin;
      ASSERT_EQ(result(2, at), below) << "exclusive_scan_init, item " << at - begin;
      below = m_what.apply(m_in[0], inclusive);
      ASSERT_EQ(result(3, at), below) << "inclusive_scan_init, item " << at - begin;
      ASSERT_EQ(result(4, at), total) << "reduce again, item " << at - begin;
      ASSERT_EQ(result(5, at), m_in[begin + from()]) << "broadcast, item " << at - begin;
      check_sub_group(at, begin);
    }
  }

  void check_sub_group(std::size_t at, std::size_t group_begin) const {
    const auto [begin, end] = sub_group_of(at, group_begin);
    const std::size_t lane = at - begin, items = end - begin;
    ASSERT_EQ(result(6, at), fold(begin, end)) << "sub_group_reduce, item " << at - group_begin;
    ASSERT_EQ(result(7, at), fold(begin, at + 1)) << "sub_group_inclusive_scan, item " << at - group_begin;
    ASSERT_EQ(result(8, at), m_in[begin]) << "sub_group_broadcast, item " << at - group_begin;
    ASSERT_EQ(result(9, at), m_in[begin + items - 1 - lane]) << "shuffle, item " << at - group_begin;
    if (lane >= distance) {
      ASSERT_EQ(result(10, at), m_in[at - distance]) << "shuffle_up, item " << at - group_begin;
    }
    if (lane + distance < items) {
      ASSERT_EQ(result(11, at), m_in[at + distance]) << "shuffle_down, item " << at - group_begin;
    }
    if ((lane ^ distance) < items) {
      ASSERT_EQ(result(12, at), m_in[begin + (lane ^ distance)]) << "shuffle_xor, item " << at - group_begin;
    }
  }

  const algebra<T>& m_what;
  std::size_t m_group, m_groups;
  gpu::kernel m_kernel;
  std::vector<T> m_in, m_out;
  std::vector<std::uint32_t> m_places;
};

/// Checks the functions, and that a device which lacks the type says so.
template <class T>
void check_functions(const algebra<T>& what, const std::vector<std::size_t>& sizes,
                     gpu::variant variant = gpu::variant::automatic, bool unknown_too = true) {
  for (const side& where : all_sides()) {
    gpu::queue q(where.device, lanefold::property::queue::in_order());
    for (const std::size_t group : sizes)
      for (const bool known : {true, false}) {
        // PoCL compiles a kernel with barriers for seconds, and for every size again.
        const bool one_suffices = where.flavour == gpu::flavour::local && where.device.is_cpu();
        if (group > where.device.max_work_group_size() || (!known && !unknown_too) ||
            (one_suffices && known && unknown_too) || (is_simulator(where.device) && group > 40))
          continue;
        SCOPED_TRACE(where.name + ", " + what.op + " of " + what.type + ", groups of " + std::to_string(group) +
                     (known ? ", known" : "") + ", seed " + std::to_string(seed()));
        // Functions by sub-groups are not the fastest on a CPU, but are to be right there too.
        const bool by_sub_groups = where.device.is_cpu() && has_free_sub_groups(where) &&
                                   variant == gpu::variant::automatic && (where.flavour == gpu::flavour::khr) == known;
        function_checker<T> checker(where, what, by_sub_groups ? gpu::variant::sub_group : variant, group, known);
        if (!has_type(where.device, what.type)) {
          EXPECT_EQ(code_thrown_by([&] { checker.run(q); }), lanefold::errc::kernel_not_supported);
          continue;
        }
        checker.run(q);
        checker.check();
        if (testing::Test::HasFatalFailure())
          return;
      }
  }
}

} // namespace gpu_testing
