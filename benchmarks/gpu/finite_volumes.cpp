// SPDX-License-Identifier: Apache-2.0
// A step of the patches of examples/finite_volumes on the device, in its realisations, against CUDA by hand.
#include "sides.hpp"

#include "device_steps.hpp"
#include "problems.hpp"

#include <algorithm>
#include <cmath>

namespace lanefold_gpu_benchmarks {
namespace {

namespace fv = finite_volumes;
namespace lf = lanefold;

constexpr double scale = 0.5 * 1e-4 / 0.1;

template <int D, fv::layout L>
class patches final : public lanefold_cuda::work {
public:
  patches(const lf::device& on, std::size_t p, std::size_t count, fv::realisation how)
      : m_queue(on, lf::property::queue::in_order()), m_shape{p}, m_count(count), m_how(how),
        m_states(count * m_shape.cells() * (D + 2)), m_from(m_queue, m_states.size()), m_to(m_queue, m_states.size()),
        m_fastest(m_queue, count), m_inside(m_queue, m_shape.cells()), m_scale(m_queue, 1),
        m_waves(m_queue,
                how == fv::realisation::batched ? count * m_shape.cells() * fv::step_data<D, L>::temporaries : 1),
        m_speeds(m_queue, how == fv::realisation::batched ? count * m_shape.cells() : 1) {
    std::vector<double> inside(m_shape.cells());
    for (std::size_t c = 0; c < m_shape.cells(); ++c) {
      inside[c] = m_shape.is_inner(c) ? 1 : 0;
      for (std::size_t t = 0; t < count; ++t) {
        const double phase = 0.01 * static_cast<double>(c % 7) + 0.03 * static_cast<double>(t % 5);
        const auto q = fv::conserved<D>({1 + phase, 0.2 - phase, 1 + 0.5 * phase});
        for (std::size_t v = 0; v < D + 2; ++v)
          m_states[fv::value_at<L>(m_shape, t, c, v)] = q[v];
      }
    }
    m_inside.write(inside);
    m_from.write(m_states);
    m_to.write(m_states);
    m_scale.write(std::span(&scale, 1));
  }

  [[nodiscard]] const std::vector<double>& states() const { return m_states; }
  double run(unsigned rounds) override {
    m_queue.wait_and_throw();
    const auto begin = std::chrono::steady_clock::now();
    const fv::step_data<D, L> data{m_shape,         m_count,        m_from.all(), m_to.all(),
                                   m_fastest.all(), m_inside.all(), m_scale.all()};
    for (unsigned r = 0; r < rounds; ++r) {
      if (m_how == fv::realisation::patch_wise)
        fv::submit_patch_wise(m_queue, data);
      else if (m_how == fv::realisation::batched)
        fv::submit_batched(m_queue, data, m_waves.all(), m_speeds.all());
      else
        fv::submit_scoped_for_devices(m_queue, data);
    }
    m_queue.wait_and_throw();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  void fetch(void* to) override {
    auto* const values = static_cast<double*>(to);
    m_to.read({values, m_states.size()});
    m_fastest.read({values + m_states.size(), m_count});
  }

private:
  lf::queue m_queue;
  fv::patch_shape<D> m_shape;
  std::size_t m_count;
  fv::realisation m_how;
  std::vector<double> m_states;
  fv::device_array<double> m_from, m_to, m_fastest, m_inside, m_scale, m_waves, m_speeds;
};

/// Says what differs between results, or nothing.
std::string difference(lanefold_cuda::work& a, lanefold_cuda::work& b, std::size_t results) {
  std::vector<double> found(results), wanted(results);
  a.run(1);
  a.fetch(found.data());
  b.run(1);
  b.fetch(wanted.data());
  for (std::size_t i = 0; i < results; ++i)
    if (!(std::abs(found[i] - wanted[i]) <= 1e-12 * (1 + std::abs(wanted[i]))))
      return "result " + std::to_string(i) + ": " + std::to_string(found[i]) + ", not " + std::to_string(wanted[i]);
  return "";
}

template <int D, fv::layout L>
void measure(const gpu::queue& q, std::size_t p, std::size_t count) {
  constexpr bool soa = L == fv::layout::soa;
  const std::string name = "finite_volumes/" + std::to_string(D) + "d/" + (soa ? "soa" : "aos") + "/p" +
                           std::to_string(p) + "/T" + std::to_string(count);
  const lf::device on = q.get_device();
  patches<D, L> by_patch(on, p, count, fv::realisation::patch_wise);
  patches<D, L> in_batches(on, p, count, fv::realisation::batched);
  std::vector<lanefold_cuda::work*> works{&by_patch, &in_batches};
  std::vector<work_ptr> peers;
  if (lanefold_cuda::absent().empty())
    for (const auto what : {lanefold_cuda::patches_share::fluxes, lanefold_cuda::patches_share::motions,
                            lanefold_cuda::patches_share::nothing}) {
      peers.push_back(
          lanefold_cuda::finite_volumes(D, static_cast<int>(p), soa, what, count, by_patch.states().data(), scale));
      works.push_back(peers.back().get());
    }
  for (std::size_t i = 1; i < works.size(); ++i)
    if (const std::string wrong = difference(*works[i], by_patch, by_patch.states().size() + count); !wrong.empty())
      return say_wrong(name + "/cuda", "side " + std::to_string(i) + ", " + wrong);
  const unsigned rounds = on.is_gpu() ? 100 : 6;
  const std::vector<double> t = seconds_per_round(works, 1, rounds);
  std::string text = name + ": patch-wise " + std::to_string(t[0] * 1e6) + " us, batched " + std::to_string(t[1] * 1e6);
  if (!peers.empty()) {
    text += ", CUDA with fluxes in shared memory " + std::to_string(t[2] * 1e6) + ", with motions there " +
            std::to_string(t[3] * 1e6) + ", by neighbours " + std::to_string(t[4] * 1e6);
    say(name + "/cuda", *std::min_element(t.begin() + 2, t.end()) / t[0]);
  } else {
    say_skipped(name + "/cuda", lanefold_cuda::absent());
  }
  note(text);
}

} // namespace

void measure_finite_volumes(const gpu::queue& q) {
  for (const std::size_t p : {4, 6, 8})
    for (const std::size_t count : {64, 1024, 4096}) {
      measure<2, fv::layout::soa>(q, p, count);
      measure<3, fv::layout::soa>(q, p, count);
    }
  measure<2, fv::layout::aos>(q, 8, 1024);
  measure<3, fv::layout::aos>(q, 8, 1024);
}

} // namespace lanefold_gpu_benchmarks
