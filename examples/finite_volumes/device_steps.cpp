// SPDX-License-Identifier: Apache-2.0
#if __has_include(<lanefold/recorded.hpp>)
#include <lanefold/recorded.hpp> // the kernel of this file is recorded
#endif

#include "device_steps.hpp"

#include <limits>
#include <stdexcept>
#include <string>

namespace finite_volumes {
namespace {

/// Returns one field of each cell of a halo.
std::vector<std::uint32_t> each_of(const std::vector<halo_cell>& halo, std::uint32_t halo_cell::* field) {
  std::vector<std::uint32_t> result;
  result.reserve(halo.size());
  for (const halo_cell& c : halo) {
    result.push_back(c.*field);
  }
  return result;
}

/// Chooses the length of the next step, as simulation::choose_step does.
void choose_step(lf::queue& q, lf::view<const double> speeds, lf::view<double> clock, double longest,
                 double half_by_cell) {
  constexpr std::size_t items = 256;
  const std::size_t count = speeds.size();
  q.parallel_for(lf::nd_range<1>(items, items), [=](auto it) {
    const auto item = it.get_local_id(0);
    auto fastest = it.var(0.0);
    auto lost = it.var(0.0);
    it.for_(item, count, items, [&](auto i) {
      const auto speed = it.var(speeds[i]);
      const auto is_finite = speed < std::numeric_limits<double>::infinity(); // and a number
      fastest = lf::select(is_finite, lf::max(fastest, speed), fastest);
      lost = lf::select(is_finite, lost, 1.0);
    });
    const auto fastest_of_all = lf::reduce_over_group(it.get_group(), fastest, lf::maximum<double>());
    const auto lost_of_all = lf::reduce_over_group(it.get_group(), lost, lf::maximum<double>());
    it.if_(it.get_group().leader(), [&] { // item is 0
      const auto time = it.var(clock[item]);
      const auto end = it.var(clock[item + 5]);
      const auto most = it.var(longest / fastest_of_all);
      const auto gone = it.var(lf::max(clock[item + 3], lost_of_all));
      const auto step = it.var(lf::select(gone > 0.0, 0.0, lf::max(lf::min(end - time, most), 0.0)));
      clock[item] = lf::select(step < most && gone == 0.0, lf::max(time, end), time + step);
      clock[item + 1] = step;
      clock[item + 2] += lf::select(step > 0.0, 1.0, 0.0);
      clock[item + 3] = gone;
      clock[item + 4] = step * half_by_cell;
    });
  });
}

/// Returns a queue whose device can step such patches.
template <int D>
lf::queue& checked(lf::queue& q, const patch_shape<D>& shape, std::size_t patches, realisation how) {
  using step = step_data<D, layout::soa>;
  const lf::device on = q.get_device();
  if (!on.has(lf::aspect::fp64)) {
    throw std::invalid_argument("the device has no double");
  }
  if (patches * shape.cells() > std::numeric_limits<std::uint32_t>::max()) {
    throw std::invalid_argument("more than 4,294,967,295 cells, with halos, are too many for one device");
  }
  if (how == realisation::batched) {
    return q;
  }
  const std::size_t items = on.get_info<lf::info::device::max_work_group_size>();
  const std::size_t memory = on.get_info<lf::info::device::local_mem_size>();
  const std::size_t temporaries = shape.cells() * step::temporaries * sizeof(double);
  const std::size_t needed = (how == realisation::scoped ? temporaries : temporaries / D) + step::more_memory;
  const auto refuse = [](const std::string& what, std::size_t wanted, std::size_t there) {
    throw std::invalid_argument("a patch needs " + std::to_string(wanted) + " " + what + ", the device has " +
                                std::to_string(there) + ": --kernel batched needs none, or take a smaller --patch");
  };
  if (items < shape.cells()) {
    refuse("work-items in a group", shape.cells(), items);
  }
  if (memory < needed) {
    refuse("bytes of local memory", needed, memory);
  }
  return q;
}

} // namespace

template <int D, layout L>
device_steps<D, L>::device_steps(lf::queue& q, const patch_shape<D>& shape, std::size_t patches,
                                 const std::vector<halo_cell>& halo, std::span<const double> inside, double cell_size,
                                 double longest, realisation how)
    : m_queue(checked<D>(q, shape, patches, how)), m_shape(shape), m_patches(patches), m_cell_size(cell_size),
      m_longest(longest), m_how(how),
      m_local_memory(q.get_device().template get_info<lf::info::device::local_mem_size>()),
      m_halo_to(q, each_of(halo, &halo_cell::to)), m_halo_from(q, each_of(halo, &halo_cell::from)),
      m_halo_turned(q, each_of(halo, &halo_cell::turned)), m_inside(q, inside), m_fastest(q, patches),
      m_clock(q, device_clock::values), m_first(q, patches * shape.cells() * (D + 2)),
      m_second(q, patches * shape.cells() * (D + 2)) {
  if (how == realisation::batched) {
    m_waves.emplace(q, patches * shape.cells() * step_data<D, L>::temporaries);
    m_speeds.emplace(q, patches * shape.cells());
  }
}

template <int D, layout L>
step_data<D, L> device_steps<D, L>::data(std::size_t parity) const {
  return {m_shape,
          m_patches,
          (parity == 0 ? m_first : m_second).all(),
          (parity == 0 ? m_second : m_first).all(),
          m_fastest.all(),
          m_inside.all(),
          lf::view<const double>(m_clock.all().data() + 4, 1)};
}

template <int D, layout L>
void device_steps<D, L>::submit_step(std::size_t parity) {
  if (m_how == realisation::batched) {
    finite_volumes::submit_batched(m_queue, data(parity), m_waves->all(), m_speeds->all());
  } else if (m_how == realisation::scoped) {
    submit_scoped_for_devices(m_queue, data(parity));
  } else {
    submit_patch_wise(m_queue, data(parity), m_local_memory);
  }
}

template <int D, layout L>
void device_steps<D, L>::submit_whole_step(std::size_t parity) {
  const device_array<double>& values = parity == 0 ? m_first : m_second;
  fill_halos(m_queue,
             device_halo<D, L>{m_shape, m_halo_to.all(), m_halo_from.all(), m_halo_turned.all(), values.all()});
  choose_step(m_queue, m_fastest.all(), m_clock.all(), m_longest, 0.5 / m_cell_size);
  submit_step(parity);
}

template <int D, layout L>
void device_steps<D, L>::submit_two() {
  if (m_how != realisation::graph) {
    submit_whole_step(0);
    submit_whole_step(1);
    return;
  }
  if (!m_two_steps) {
    lf::graph::command_graph g(m_queue);
    g.begin_recording(m_queue);
    submit_whole_step(0);
    submit_whole_step(1);
    g.end_recording();
    m_two_steps = g.finalize();
  }
  m_queue.ext_oneapi_graph(*m_two_steps);
}

template <int D, layout L>
void device_steps<D, L>::submit_bare() {
  submit_step(0);
}

template <int D, layout L>
void device_steps<D, L>::write(std::span<const double> states, std::span<const double> fastest) {
  m_first.write(states);
  m_second.write(states);
  m_fastest.write(fastest);
}

template <int D, layout L>
void device_steps<D, L>::write(const device_clock& now) {
  const double clock[] = {now.time, now.step, now.steps, now.gone, now.scale, now.end};
  m_clock.write(clock);
}

template <int D, layout L>
void device_steps<D, L>::read(std::span<double> states, std::span<double> fastest, device_clock& now) {
  m_queue.wait_and_throw();
  m_first.read(states);
  m_fastest.read(fastest);
  double clock[device_clock::values];
  m_clock.read(clock);
  now = {clock[0], clock[1], clock[2], clock[3], clock[4], clock[5]};
}

template class device_steps<2, layout::soa>;
template class device_steps<2, layout::aos>;
template class device_steps<3, layout::soa>;
template class device_steps<3, layout::aos>;

} // namespace finite_volumes
