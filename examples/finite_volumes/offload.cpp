// SPDX-License-Identifier: Apache-2.0
#include "offload.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace finite_volumes {
namespace {

lf::usm::alloc kind_of(memory_way way) {
  return way == memory_way::usm ? lf::usm::alloc::shared : lf::usm::alloc::device;
}

/// Returns a queue whose device has memory of the kind.
lf::queue& checked(lf::queue& q, realisation how, memory_way way) {
  if (how == realisation::graph) {
    throw std::invalid_argument("the commands of a graph name their memory: --kernel graph is for --memory resident");
  }
  if (way == memory_way::usm && !q.get_device().has(lf::aspect::usm_shared_allocations)) {
    throw std::invalid_argument("the device has no memory that it shares with the host: take --memory managed");
  }
  return q;
}

} // namespace

/// The arrays of a step, which go back with this.
template <int D, layout L>
class offload<D, L>::lent {
public:
  lent(offload& of, std::size_t most) : patches(most), m_of(of) {
    const std::size_t cells = patches * of.m_shape.cells();
    try {
      at.from = take(cells * (D + 2));
      at.to = take(cells * (D + 2));
      at.fastest = take(patches);
      at.scale = take(1);
      if (of.m_how == realisation::batched) {
        at.waves = take(cells * step_data<D, L>::temporaries);
        at.speeds = take(cells);
      }
    } catch (...) {
      give_back();
      throw;
    }
  }
  lent(const lent&) = delete;
  lent& operator=(const lent&) = delete;
  ~lent() { give_back(); }

  const std::size_t patches;
  arrays at;

private:
  double* take(std::size_t count) {
    m_all.push_back(nullptr);
    return m_all.back() = m_of.allocate(count);
  }
  void give_back() {
    for (double* const memory : m_all) {
      m_of.free(memory);
    }
  }

  offload& m_of;
  std::vector<double*> m_all;
};

template <int D, layout L>
offload<D, L>::offload(lf::queue& q, const patch_shape<D>& shape, std::span<const double> inside, realisation how,
                       memory_way way)
    : m_queue(checked(q, how, way)), m_is_cpu(q.get_backend() != lf::backend::opencl), m_shape(shape), m_how(how),
      m_way(way) {
  if (m_is_cpu) {
    m_host = m_queue;
  }
  if (way == memory_way::managed) {
    m_pool.emplace(q, lf::usm::alloc::device);
  }
  m_inside = lf::malloc<double>(inside.size(), q, kind_of(way));
  if (m_inside == nullptr) {
    throw std::runtime_error("there is no memory for a patch");
  }
  m_queue.memcpy(m_inside, inside.data(), inside.size_bytes()).wait_and_throw();
}

template <int D, layout L>
offload<D, L>::~offload() {
  m_kept.reset();
  lf::free(m_inside, m_queue);
}

template <int D, layout L>
double* offload<D, L>::allocate(std::size_t count) {
  if (m_way == memory_way::managed) {
    return static_cast<double*>(lf::async_malloc_from_pool(m_queue, count * sizeof(double), *m_pool));
  }
  double* const memory = lf::malloc<double>(count, m_queue, kind_of(m_way));
  if (memory == nullptr) {
    throw std::runtime_error("there is no memory for " + std::to_string(count * sizeof(double)) + " bytes more");
  }
  return memory;
}

template <int D, layout L>
void offload<D, L>::free(double* memory) {
  if (m_way == memory_way::managed) {
    lf::async_free(m_queue, memory);
  } else {
    lf::free(memory, m_queue);
  }
}

/// Submits the kernels of a step.
template <int D, layout L>
void offload<D, L>::submit(const arrays& at, std::size_t patches) {
  const std::size_t cells = patches * m_shape.cells();
  const step_data<D, L> data{m_shape,
                             patches,
                             {at.from, cells * (D + 2)},
                             {at.to, cells * (D + 2)},
                             {at.fastest, patches},
                             {m_inside, m_shape.cells()},
                             {at.scale, 1}};
  if (m_how == realisation::batched) {
    submit_batched<D, L>(m_queue, data, lf::view<double>(at.waves, cells * step_data<D, L>::temporaries),
                         lf::view<double>(at.speeds, cells));
  } else if (m_how == realisation::patch_wise) {
    submit_patch_wise(m_queue, data);
  } else if (m_is_cpu) {
    submit_scoped(m_queue, data);
  } else {
    submit_scoped_for_devices(m_queue, data);
  }
}

template <int D, layout L>
void offload<D, L>::gather(std::span<const double* const> from, double* to) {
  lf::copy_blocks(m_host, lf::gather_blocks<const double>(from, m_shape.cells() * (D + 2), to));
}

template <int D, layout L>
void offload<D, L>::scatter(const double* from, std::span<double* const> to) {
  lf::copy_blocks(m_host, lf::scatter_blocks<double>(from, m_shape.cells() * (D + 2), to));
}

/// With memory of the device. A CPU has the host's memory: what is gathered is there, and no block is copied twice.
template <int D, layout L>
void offload<D, L>::step_copies(const arrays& at, std::span<const double* const> from, std::span<double* const> to,
                                std::span<double> fastest) {
  const std::size_t values = from.size() * m_shape.cells() * (D + 2);
  if (!m_is_cpu) {
    m_staging.resize(values);
  }
  double* const gathered = m_is_cpu ? at.from : m_staging.data();
  gather(from, gathered);
  if (!m_is_cpu) {
    m_host.wait_and_throw();
    m_queue.memcpy(at.from, gathered, values * sizeof(double));
  }
  m_queue.memcpy(at.scale, &m_scale, sizeof(double));
  submit(at, from.size());
  m_queue.memcpy(fastest.data(), at.fastest, fastest.size_bytes());
  if (!m_is_cpu) {
    m_queue.memcpy(m_staging.data(), at.to, values * sizeof(double));
    m_queue.wait_and_throw();
  }
  scatter(m_is_cpu ? at.to : m_staging.data(), to);
  m_host.wait_and_throw();
}

/// With memory that the device shares with the host.
template <int D, layout L>
void offload<D, L>::step_shared(const arrays& at, std::span<const double* const> from, std::span<double* const> to,
                                std::span<double> fastest) {
  const std::size_t bytes = from.size() * m_shape.cells() * (D + 2) * sizeof(double);
  *at.scale = m_scale;
  gather(from, at.from);
  if (!m_is_cpu) {
    m_host.wait_and_throw();
    m_queue.prefetch(at.from, bytes);
  }
  submit(at, from.size());
  if (!m_is_cpu) {
    m_queue.wait_and_throw();
  }
  scatter(at.to, to);
  m_host.wait_and_throw();
  std::copy_n(at.fastest, fastest.size(), fastest.begin());
}

template <int D, layout L>
void offload<D, L>::step(std::span<const double* const> from, std::span<double* const> to, std::span<double> fastest,
                         double scale) {
  m_scale = scale;
  if (from.empty()) {
    return;
  }
  if (m_way != memory_way::usm) {
    const lent memory(*this, from.size());
    step_copies(memory.at, from, to, fastest);
    return;
  }
  if (!m_kept || m_kept->patches < from.size()) {
    m_kept.reset(); // there may not be memory for both
    m_kept = std::make_unique<lent>(*this, from.size());
  }
  step_shared(m_kept->at, from, to, fastest);
}

template class offload<2, layout::soa>;
template class offload<2, layout::aos>;
template class offload<3, layout::soa>;
template class offload<3, layout::aos>;

} // namespace finite_volumes
