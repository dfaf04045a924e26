// SPDX-License-Identifier: Apache-2.0
/// Chooses the lane shape and the group size of a kernel by measuring them.
#pragma once

#include <lanefold/execution/detail/tuning.hpp>
#include <lanefold/execution/device.hpp>
#include <lanefold/execution/event.hpp>
#include <lanefold/execution/info.hpp>
#include <lanefold/execution/property.hpp>
#include <lanefold/execution/queue.hpp>
#include <lanefold/execution/strategy.hpp>
#include <lanefold/range.hpp>

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE

/// A way to run a kernel: by a strategy, in work-groups of that many work-items.
template <execution_strategy Strategy, int D>
struct tuning_candidate {
  range<D> local;
};

/// Makes one: `candidate<simd<64>>(256)`, `candidate<simd<4, 16>>(16, 16)`.
template <execution_strategy Strategy, class... Extents>
tuning_candidate<Strategy, sizeof...(Extents)> candidate(Extents... local) {
  return {range<sizeof...(Extents)>(static_cast<std::size_t>(local)...)};
}

/// The candidate that `tune` has chosen. Calling it launches the kernel that way.
template <class... Candidates>
class tuned_launch {
public:
  tuned_launch(std::size_t index, const Candidates&... candidates) : m_index(index), m_candidates(candidates...) {}

  /// The position of the chosen one among the candidates.
  [[nodiscard]] std::size_t index() const noexcept { return m_index; }

  /// Returns what `launch(properties, local size)` returns for the chosen one.
  template <class Launch>
  event operator()(Launch&& launch) const {
    event result;
    call(launch, result, std::index_sequence_for<Candidates...>());
    return result;
  }

private:
  template <class Launch, std::size_t... I>
  void call(Launch& launch, event& result, std::index_sequence<I...>) const {
    static_cast<void>(((I == m_index && (result = run(launch, std::get<I>(m_candidates)), true)) || ...));
  }
  template <class Launch, class Strategy, int D>
  static event run(Launch& launch, const tuning_candidate<Strategy, D>& how) {
    return launch(properties{property::strategy<Strategy>{}}, how.local);
  }

  std::size_t m_index;
  std::tuple<Candidates...> m_candidates;
};

namespace detail {

template <class Strategy, int D>
void append_candidate(std::string& text, const tuning_candidate<Strategy, D>& how) {
  text += typeid(Strategy).name();
  for (int d = 0; d < D; ++d) {
    text += ',';
    text += std::to_string(how.local[d]);
  }
  text += ';';
}

} // namespace detail

/// Measures the candidates and returns the fastest. `launch(properties, local size)` submits the kernel to `q` and
/// returns its event; it is called about ten times or more for each candidate, so running the kernel again must do no
/// harm. It is measured once in a process: the choice is remembered for the type of `launch` (a lambda is a type of its
/// own), the candidates, the number of threads and the processor, and also for later processes if LANEFOLD_TUNE_FILE
/// names a file, which belongs to one version of the program. Of candidates that are equally fast, the first is taken.
///
/// Errors: candidates whose local size does not fit (errc::nd_range) are left out; if none fits, that error. What the
/// kernel throws is thrown.
template <class Launch, class... Candidates>
tuned_launch<Candidates...> tune(queue& q, Launch&& launch, const Candidates&... candidates) {
  static_assert(sizeof...(Candidates) > 0, "lanefold: tune needs candidates");
  std::string key = typeid(std::remove_cvref_t<Launch>).name();
  key += ' ';
  (detail::append_candidate(key, candidates), ...);
  key += ' ';
  key += std::to_string(q.threads());
  key += ' ';
  key += q.get_device().get_info<info::device::name>();
  const auto run = [&](std::size_t which) {
    tuned_launch<Candidates...>(which, candidates...)(launch).wait_and_throw();
  };
  const auto call = [](const void* what, std::size_t which) { (*static_cast<decltype(run)*>(what))(which); };
  return {detail::fastest_of(key, sizeof...(Candidates), call, &run), candidates...};
}

LANEFOLD_END_NAMESPACE
