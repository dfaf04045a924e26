// SPDX-License-Identifier: Apache-2.0
#if __has_include(<lanefold/recorded.hpp>)
#include <lanefold/recorded.hpp> // the kernels of this file are recorded
#endif

#include "device_steps.hpp"

#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace finite_volumes {
namespace {

/// Finds the speed of the fastest wave; infinite where a speed is not finite.
void find_fastest(lf::queue& q, lf::view<const double> speeds, lf::view<double> fastest_of_all) {
  constexpr std::size_t items = 256;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::size_t count = speeds.size();
  q.parallel_for(lf::nd_range<1>(items, items), [=](auto it) {
    const auto item = it.get_local_id(0);
    auto fastest = it.var(0.0);
    it.for_(item, count, items, [&](auto i) {
      const auto speed = it.var(speeds[i]);
      fastest = lf::max(fastest, lf::select(speed < infinity, speed, infinity)); // not a number is infinite, too
    });
    const auto of_all = lf::reduce_over_group(it.get_group(), fastest, lf::maximum<double>());
    it.if_(it.get_group().leader(), [&] { fastest_of_all[item] = of_all; }); // item is 0
  });
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
  const std::size_t needed = shape.pitch() * step::temporaries * sizeof(double) + step::more_memory;
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
device_steps<D, L>::device_steps(lf::queue& q, const patch_shape<D>& shape, std::size_t patches, halos<D, L>& of,
                                 std::span<const double> inside, double cell_size, double longest, realisation how,
                                 std::shared_ptr<ranks> among)
    : m_queue(checked<D>(q, shape, patches, how)), m_ranks(std::move(among)), m_of(of), m_shape(shape),
      m_patches(patches), m_cell_size(cell_size), m_longest(longest), m_how(how), m_halos(q, shape, of),
      m_inside(q, inside), m_fastest(q, patches), m_clock(q, device_clock::values),
      m_states{device_array<double>(q, patches * shape.cells() * (D + 2)),
               device_array<double>(q, patches * shape.cells() * (D + 2))},
      m_fastest_of_all(q, 1) {
  if (m_ranks->count() > 1) {
    // The thread that waits for other ranks is not to be the only one that starts commands of the device: a queue of
    // three threads has two beside the one that submits.
    m_exchanges.emplace(lf::property_list{lf::property::in_order(), lf::property::threads(3)});
  }
  if (how == realisation::batched) {
    m_waves.emplace(q, patches * shape.cells() * step_data<D, L>::temporaries);
    m_speeds.emplace(q, patches * shape.cells());
  }
}

/// Returns what a step of `count` patches needs, from one of the two arrays to the other one.
template <int D, layout L>
step_data<D, L> device_steps<D, L>::data(std::size_t parity, std::size_t first, std::size_t count) const {
  const std::size_t of_patch = m_shape.cells() * (D + 2);
  return {m_shape,
          count,
          {values(parity).data() + first * of_patch, count * of_patch},
          {values(1 - parity).data() + first * of_patch, count * of_patch},
          {m_fastest.all().data() + first, count},
          m_inside.all(),
          lf::view<const double>(m_clock.all().data() + 4, 1)};
}

template <int D, layout L>
lf::event device_steps<D, L>::submit_step(std::size_t parity, std::size_t first, std::size_t count) {
  if (count == 0) {
    return {};
  }
  const step_data<D, L> of_these = data(parity, first, count);
  if (m_how == realisation::batched) {
    return finite_volumes::submit_batched(m_queue, of_these, m_waves->all(), m_speeds->all());
  }
  if (m_how == realisation::scoped) {
    return submit_scoped_for_devices(m_queue, of_these);
  }
  return submit_patch_wise(m_queue, of_these);
}

template <int D, layout L>
lf::event device_steps<D, L>::submit_whole_step(std::size_t parity) {
  m_halos.fill(values(parity));
  choose_step(m_queue, m_fastest.all(), m_clock.all(), m_longest, 0.5 / m_cell_size);
  return submit_step(parity, 0, m_patches);
}

/// Submits commands, in the realisation `graph` as one that is recorded the first time: the piece of that number. Their
/// first one comes after `after`. Returns the event of the last one.
template <int D, layout L>
template <class F>
lf::event device_steps<D, L>::submit_piece(std::size_t piece, const std::vector<lf::event>& after, const F& commands) {
  if (m_how != realisation::graph) {
    return commands(after);
  }
  if (!m_pieces[piece]) {
    lf::graph::command_graph g(m_queue);
    g.begin_recording(m_queue);
    commands(std::vector<lf::event>());
    g.end_recording();
    m_pieces[piece] = g.finalize();
  }
  return m_queue.ext_oneapi_graph(*m_pieces[piece], after);
}

template <int D, layout L>
void device_steps<D, L>::submit_two() {
  if (m_exchanges) {
    submit_two_among_ranks();
    return;
  }
  submit_piece(0, {}, [this](const auto&) {
    submit_whole_step(0);
    return submit_whole_step(1);
  });
}

/// Submits what brings to the host what other ranks need before a step.
template <int D, layout L>
lf::event device_steps<D, L>::submit_before_exchange(std::size_t parity) {
  m_halos.pack(values(parity));
  find_fastest(m_queue, m_fastest.all(), m_fastest_of_all.all());
  return m_fastest_of_all.submit_read({&m_fastest_of_ranks, 1});
}

/// Two steps with messages. The host takes part in each twice, in a queue of its own, so that the device steps the
/// inner patches meanwhile. The pieces are what a device does without the host.
template <int D, layout L>
void device_steps<D, L>::submit_two_among_ranks() {
  const std::size_t border = m_of.border();
  const auto submit_to_host = [this](const std::vector<lf::event>& after, const auto& task) {
    return m_exchanges->submit([&](lf::handler& h) {
      h.depends_on(after);
      h.host_task(task);
    });
  };
  lf::event packed = submit_piece(0, {}, [this](const auto&) { return submit_before_exchange(0); });
  for (const std::size_t parity : {0, 1}) {
    const lf::event agreed = submit_to_host({packed}, [this] {
      m_ranks->begin_exchange(m_of.sent(), m_of.received());
      m_ranks->maximum({&m_fastest_of_ranks, 1});
    });
    m_halos.fill(values(parity));
    submit_piece(1 + 2 * parity, {agreed}, [&](const auto& after) {
      m_fastest_of_all.submit_write({&m_fastest_of_ranks, 1}, after);
      choose_step(m_queue, m_fastest_of_all.all(), m_clock.all(), m_longest, 0.5 / m_cell_size);
      return submit_step(parity, border, m_patches - border);
    });
    const lf::event received = submit_to_host({}, [this] { m_ranks->end_exchange(); });
    packed = submit_piece(2 + 2 * parity, {received}, [&](const auto& after) {
      m_halos.unpack(values(parity), after);
      const lf::event stepped = submit_step(parity, 0, border);
      return parity == 0 ? submit_before_exchange(1) : stepped;
    });
  }
}

template <int D, layout L>
void device_steps<D, L>::submit_bare() {
  submit_step(0, 0, m_patches);
}

template <int D, layout L>
device_steps<D, L>::~device_steps() {
  if (m_exchanges) {
    try {
      m_exchanges->wait();
    } catch (const std::exception&) { // who has waited before knows of it
    }
  }
}

template <int D, layout L>
void device_steps<D, L>::write(std::span<const double> states, std::span<const double> fastest) {
  for (device_array<double>& of_parity : m_states) {
    of_parity.write(states);
  }
  m_fastest.write(fastest);
}

template <int D, layout L>
void device_steps<D, L>::write(const device_clock& now) {
  const double clock[] = {now.time, now.step, now.steps, now.gone, now.scale, now.end};
  m_clock.write(clock);
}

template <int D, layout L>
void device_steps<D, L>::read(std::span<double> states, std::span<double> fastest, device_clock& now) {
  if (m_exchanges) {
    m_exchanges->wait_and_throw();
  }
  m_queue.wait_and_throw();
  m_states[0].read(states);
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
