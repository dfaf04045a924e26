// SPDX-License-Identifier: Apache-2.0
/// Declares what benchmarks of recorded kernels share: work of such kernels, and buffers for it.
#pragma once

#include "sides.hpp"

#include <lanefold/recorded.hpp>

#include <cstdint>
#include <cstring>

namespace lanefold_gpu_benchmarks {

namespace lf = lanefold;

/// Work that is submitted to a queue of the command graph; `result` is fetched.
template <class T, int D>
class recorded_work final : public lanefold_cuda::work {
public:
  recorded_work(lf::queue q, std::function<void(lf::queue&, unsigned)> submit, lf::buffer<T, D> result)
      : m_queue(std::move(q)), m_submit(std::move(submit)), m_result(std::move(result)) {}

  double run(unsigned rounds) override {
    m_queue.wait_and_throw();
    const auto begin = std::chrono::steady_clock::now();
    m_submit(m_queue, rounds);
    m_queue.wait_and_throw();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  void fetch(void* to) override {
    const lf::host_accessor from(m_result, lf::read_only);
    std::memcpy(to, from.get_pointer(), m_result.byte_size());
  }

private:
  lf::queue m_queue;
  std::function<void(lf::queue&, unsigned)> m_submit;
  lf::buffer<T, D> m_result;
};

/// Submits once a round.
template <class T, int D>
work_ptr recorded_launches(const gpu::queue& beside, std::function<void(lf::queue&)> submit, lf::buffer<T, D> result) {
  return std::make_unique<recorded_work<T, D>>(
      lf::queue(beside.get_device(), lf::property::queue::in_order()),
      [submit](lf::queue& q, unsigned rounds) {
        for (unsigned r = 0; r < rounds; ++r)
          submit(q);
      },
      result);
}

/// A buffer that has its elements before anything is measured.
template <class T>
lf::buffer<T> filled(const std::vector<T>& values) {
  lf::buffer<T> result{lf::range<1>(values.size())};
  const lf::host_accessor to(result, lf::write_only, lf::no_init);
  std::copy(values.begin(), values.end(), to.begin());
  return result;
}
template <class T>
gpu::buffer<T> filled(gpu::queue q, const std::vector<T>& values) {
  gpu::buffer<T> result(q, values.size());
  q.copy(values.data(), result, values.size()).wait();
  return result;
}

/// Rounds in one kernel: `round(item, first value, variable)` for each, on a value for each element of `start`.
template <class T, class Round>
work_ptr recorded_rounds(const gpu::queue& q, std::size_t group, const std::vector<T>& start, Round round) {
  lf::buffer<T> in = filled(start), out{lf::range<1>(start.size())};
  const auto submit = [=](lf::queue& to, unsigned count) mutable {
    to.submit([&](lf::handler& h) {
      const lf::accessor first(in, h, lf::read_only);
      const lf::accessor last(out, h, lf::write_only, lf::no_init);
      const lf::uniform<std::uint32_t> rounds(count);
      h.parallel_for(lf::nd_range<1>(first.size(), group), [=](auto it) {
        const auto i = it.get_global_id(0);
        const auto mine = it.var(first[i]);
        auto x = it.var(mine);
        it.for_(0U, rounds.get(), [&](auto) { round(it, mine, x); });
        last[i] = x;
      });
    });
  };
  return std::make_unique<recorded_work<T, 1>>(lf::queue(q.get_device(), lf::property::queue::in_order()), submit, out);
}

} // namespace lanefold_gpu_benchmarks
