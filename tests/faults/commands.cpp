// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/group_algorithms.hpp>
#include <lanefold/memory/usm.hpp>
#include <lanefold/scoped.hpp>

#include <array>
#include <cstddef>
#include <new>
#include <stdexcept>
#include <vector>

namespace faults {
namespace {

constexpr std::size_t size = 96;
constexpr std::size_t group_size = 16;

void check(bool right, const char* what) {
  if (!right) {
    throw wrong_result{what};
  }
}

/// Waits for what still uses memory of the program, whatever has been thrown.
class waits_at_end {
public:
  explicit waits_at_end(lf::queue& q) : m_queue(q) {}
  waits_at_end(const waits_at_end&) = delete;
  waits_at_end& operator=(const waits_at_end&) = delete;
  ~waits_at_end() {
    try {
      m_queue.wait_and_throw();
    } catch (const std::exception&) { // NOLINT: the program is over, or has another error
    }
  }

private:
  lf::queue& m_queue;
};

/// Unified shared memory of `size` elements.
struct shared_elements {
  explicit shared_elements(lf::queue& its) : owner(its), at(lf::malloc_shared<int>(size, its)) {
    if (at == nullptr) {
      throw std::bad_alloc();
    }
  }
  shared_elements(const shared_elements&) = delete;
  shared_elements& operator=(const shared_elements&) = delete;
  ~shared_elements() { lf::free(at, owner); }
  lf::queue& owner;
  int* at;
};

void buffers(lf::queue& q) {
  std::array<int, size> host{};
  {
    lf::buffer<int> a(host.data(), size);
    lf::buffer<int> b((lf::range<1>(size)));
    q.submit([&](lf::handler& h) {
      const lf::accessor to(b, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::range<1>(size), [=](lf::id<1> i) { to[i] = static_cast<int>(i[0]); });
    });
    q.submit([&](lf::handler& h) {
      const lf::accessor from(b, h, lf::read_only);
      const lf::accessor to(a, h, lf::read_write);
      h.parallel_for(lf::range<1>(size), [=](lf::id<1> i) { to[i] += 2 * from[i]; });
    });
    for (int reader = 0; reader < 4; ++reader) {
      q.submit([&](lf::handler& h) {
        const lf::accessor from(a, h, lf::read_only);
        h.single_task([=] { static_cast<void>(from[0]); });
      });
    }
    q.submit([&](lf::handler& h) {
      const lf::accessor to(a, h, lf::read_write);
      h.single_task([=] { to[0] = 7; });
    });
    q.wait_and_throw();
    const lf::host_accessor seen(a, lf::read_only);
    check(seen[0] == 7 && seen[size - 1] == 2 * (size - 1), "a buffer");
  }
  check(host[0] == 7 && host[size - 1] == 2 * (size - 1), "host memory of a buffer");
}

void write_back(lf::queue& q) {
  std::vector<int> target(size);
  try {
    lf::buffer<int> a((lf::range<1>(size)));
    a.set_final_data(target.data());
    q.submit([&](lf::handler& h) {
      const lf::accessor to(a, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::range<1>(size), [=](lf::id<1> i) { to[i] = 5; });
    });
  } catch (...) {
    q.wait_and_throw();
    throw;
  }
  q.wait_and_throw();
  check(target[0] == 5 && target[size - 1] == 5, "final data");
}

void local_memory(lf::queue& q) {
  std::vector<int> out(size);
  const waits_at_end until(q);
  const lf::view<int> y(out.data(), size);
  q.submit([&](lf::handler& h) {
     const lf::local_accessor<int> tile(group_size, h);
     h.parallel_for(lf::nd_range<1>(size, group_size), [=](lf::nd_item<1> it) {
       tile[it.get_local_id(0)] = static_cast<int>(it.get_global_id(0));
       lf::group_barrier(it.get_group());
       y[it.get_global_id(0)] = tile[group_size - 1 - it.get_local_id(0)];
     });
   }).wait();
  check(out[0] == group_size - 1, "local memory of work-items");
  q.submit([&](lf::handler& h) {
     const lf::local_accessor<int> tile(group_size, h);
     h.parallel_for(lf::nd_range<1>(size, group_size), lf::property::strategy<lf::simd<4>>(), [=](auto it) {
       tile[it.get_local_id(0)] = lf::convert<int>(it.get_global_id(0));
       lf::group_barrier(it.get_group());
       y[it.get_global_id(0)] =
           tile[group_size - 1 - it.get_local_id(0)] + lf::reduce_over_group(it.get_group(), 1, lf::plus<>());
     });
   }).wait();
  check(out[0] == 2 * group_size - 1, "local memory of lanes");
}

void reductions(lf::queue& q) {
  const shared_elements total(q);
  const waits_at_end until(q);
  *total.at = 1;
  lf::buffer<int> sum((lf::range<1>(1)));
  q.submit([&](lf::handler& h) {
    h.parallel_for(lf::range<1>(size), lf::reduction(total.at, lf::plus<>()), [=](lf::id<1>, auto& t) { t += 1; });
  });
  q.submit([&](lf::handler& h) {
    h.parallel_for(lf::nd_range<1>(size, group_size),
                   lf::reduction(sum, h, lf::plus<>(), lf::property::reduction::initialize_to_identity{}),
                   [=](lf::nd_item<1>, auto& t) { t += 2; });
  });
  q.wait_and_throw();
  check(*total.at == size + 1, "a reduction");
  const lf::host_accessor seen(sum, lf::read_only);
  check(seen[0] == 2 * size, "a reduction into a buffer");
}

void streams(lf::queue& q) {
  q.submit([&](lf::handler& h) {
    const lf::stream out(1024, 64, h);
    h.parallel_for(lf::range<1>(3), [=](lf::id<1> i) { out << "work-item number " << i[0] << " of some\n"; });
  });
  q.wait_and_throw();
}

void host_tasks(lf::queue& q) {
  int calls = 0;
  const waits_at_end until(q);
  const lf::event first = q.submit([&](lf::handler& h) { h.host_task([&] { ++calls; }); });
  const lf::event second = q.submit([&](lf::handler& h) {
    h.depends_on(first);
    h.host_task([&] { calls *= 10; });
  });
  lf::event third = q.submit([&](lf::handler& h) {
    h.depends_on({first, second});
    h.host_task([&] { calls += 5; });
  });
  third.wait();
  check(calls == 15, "host tasks");
  q.ext_oneapi_submit_barrier();
  q.wait_and_throw();
}

void shared_memory(lf::queue& q) {
  const shared_elements a(q);
  const shared_elements b(q);
  const waits_at_end until(q);
  const lf::event filled = q.fill(a.at, 3, size);
  q.memcpy(b.at, a.at, size * sizeof(int), filled).wait();
  check(b.at[size - 1] == 3, "memcpy");
  int* const y = b.at;
  q.parallel_for(lf::range<2>(8, size / 8), [=](lf::item<2> it) { y[it.get_linear_id()] += 1; }).wait();
  check(b.at[0] == 4 && b.at[size - 1] == 4, "a kernel over a range");
}

void scoped_kernels(lf::queue& q) {
  std::vector<int> out(size);
  const waits_at_end until(q);
  const lf::view<int> y(out.data(), size);
  q.parallel(lf::range<1>(size / group_size), lf::range<1>(group_size), [=](auto group) {
    lf::memory_environment(group, lf::require_local_mem<int[group_size]>(), [&](const auto& tile) {
      lf::distribute_items_and_wait(group, [&](auto it) { tile[it.get_local_id(group, 0)] = 4; });
      lf::distribute_items_and_wait(
          group, [&](auto it) { y[it.get_global_id(0)] = tile[group_size - 1 - it.get_local_id(group, 0)]; });
    });
  });
  q.submit([&](lf::handler& h) {
    h.parallel_for_work_group(lf::range<1>(2), lf::range<1>(4),
                              [=](lf::group<1> group) { group.parallel_for_work_item([&](lf::h_item<1>) {}); });
  });
  q.wait_and_throw();
  check(out[0] == 4 && out[size - 1] == 4, "scoped kernels");
}

/// Kernels that fail: their errors come, and what depends on them does not run.
void failing_kernels(lf::queue& q) {
  bool ran = false;
  const waits_at_end until(q);
  const lf::event bad = q.parallel_for(lf::nd_range<1>(size, group_size), [=](lf::nd_item<1> it) {
    lf::group_barrier(it.get_group());
    if (it.get_global_id(0) == 17) {
      throw std::runtime_error("an error of a kernel, whose text is not short");
    }
  });
  q.submit([&](lf::handler& h) {
    h.depends_on(bad);
    h.host_task([&] { ran = true; });
  });
  bool failed = false;
  try {
    q.wait_and_throw();
  } catch (const lf::exception&) {
    failed = true;
  }
  check(failed && !ran, "the error of a kernel");
}

void algorithms_of_groups(lf::queue& q) {
  std::vector<int> out(size);
  const waits_at_end until(q);
  const lf::view<int> y(out.data(), size);
  q.parallel_for(lf::nd_range<1>(size, group_size), [=](lf::nd_item<1> it) {
    const int before = lf::exclusive_scan_over_group(it.get_group(), 1, lf::plus<>());
    const int other = lf::permute_group_by_xor(it.get_sub_group(), before, 1);
    y[it.get_global_id(0)] = lf::group_broadcast(it.get_group(), other, 0);
  });
  q.wait_and_throw();
  check(out[0] == 1 && out[size - 1] == 1, "group algorithms");
}

void queues_of_their_own(lf::queue&) {
  int calls = 0;
  {
    // It has no more threads than there are: oneTBB ends the process if it has no memory for one more.
    lf::queue q{
        lf::property_list{lf::property::in_order(), lf::property::queue::enable_profiling(), lf::property::threads(1)}};
    const waits_at_end until(q);
    q.submit([&](lf::handler& h) { h.host_task([&] { ++calls; }); });
    lf::event last = q.submit([&](lf::handler& h) { h.host_task([&] { ++calls; }); });
    static_cast<void>(last.get_profiling_info<lf::info::event_profiling::command_end>());
    q.wait_and_throw();
  }
  check(calls == 2, "a queue of its own");
}

/// Two nodes have one parameter; an executable graph has the change in both or in none.
void graphs(lf::queue& q) {
  int a = 0;
  int b = 0;
  const waits_at_end until(q);
  lf::graph::command_graph g(q);
  lf::graph::dynamic_parameter value(g, 1);
  lf::buffer<int> used((lf::range<1>(1)));
  const auto set = [&](int& to) {
    return g.add([&](lf::handler& h) {
      const lf::accessor also(used, h, lf::read_only); // updates have requirements to collect
      h.parallel_for(lf::range<1>(1), [to = &to, value, also](lf::id<1>) { *to = value.get(); });
    });
  };
  const std::vector<lf::graph::node> nodes{set(a), set(b)};
  auto exec = g.finalize(lf::graph::property::graph::updatable());
  q.ext_oneapi_graph(exec).wait();
  check(a == 1 && b == 1, "a graph");
  try {
    value.update(2);
    exec.update(nodes);
  } catch (const std::exception&) {
    q.ext_oneapi_graph(exec).wait();
    check(a == 1 && b == 1, "an executable graph after a failed update");
    throw;
  }
  q.ext_oneapi_graph(exec).wait();
  check(a == 2 && b == 2, "an updated graph");
}

/// Graphs as parts of graphs, with memory of their own.
void parts_of_graphs(lf::queue& q) {
  std::vector<int> out(size);
  const waits_at_end until(q);
  lf::graph::command_graph part(q), whole(q);
  lf::queue ordered(q.get_context(), q.get_device(),
                    lf::property_list{lf::property::in_order(), lf::property::threads(1)});
  part.begin_recording(ordered);
  auto* const x = static_cast<int*>(lf::async_malloc(ordered, lf::usm::alloc::shared, size * sizeof(int)));
  lf::event filled = ordered.fill(x, 3, size);
  lf::queue joins(q.get_context(), q.get_device(), lf::property_list{lf::property::threads(1)});
  joins.memcpy(out.data(), x, size * sizeof(int), filled);
  part.end_recording();
  lf::graph::node before = whole.add([&](lf::handler& h) { h.ext_oneapi_graph(part.finalize()); });
  whole.add([&](lf::handler& h) { h.single_task([at = out.data()] { ++*at; }); },
            lf::graph::property::node::depends_on(before));
  q.ext_oneapi_graph(whole.finalize()).wait();
  check(out[0] == 4 && out[size - 1] == 3, "a graph in a graph");
}

/// Pools do not count memory that they could not allocate.
void pools(lf::queue& q) {
  const waits_at_end until(q);
  const lf::memory_pool pool(q, lf::usm::alloc::shared, lf::property::memory_pool::zero_init());
  for (int i = 0; i < 2; ++i) {
    const lf::memory_pool_statistics before = pool.get_statistics();
    void* memory = nullptr;
    try {
      memory = lf::async_malloc_from_pool(q, size, pool);
    } catch (const std::exception&) {
      const lf::memory_pool_statistics after = pool.get_statistics();
      check(pool.get_used_size_current() == 0 && after.allocations == before.allocations &&
                after.reused == before.reused && after.used_high == before.used_high,
            "statistics after an allocation that has failed");
      throw;
    }
    q.wait();
    check(*static_cast<int*>(memory) == 0, "memory of a pool");
    lf::async_free(q, memory);
  }
}

} // namespace

const std::vector<program>& programs() {
  static const std::vector<program> all{{"buffers", &buffers},
                                        {"write_back", &write_back},
                                        {"local_memory", &local_memory},
                                        {"reductions", &reductions},
                                        {"streams", &streams},
                                        {"host_tasks", &host_tasks},
                                        {"shared_memory", &shared_memory},
                                        {"scoped_kernels", &scoped_kernels},
                                        {"failing_kernels", &failing_kernels},
                                        {"algorithms_of_groups", &algorithms_of_groups},
                                        {"queues_of_their_own", &queues_of_their_own},
                                        {"graphs", &graphs},
                                        {"parts_of_graphs", &parts_of_graphs},
                                        {"pools", &pools}};
  return all;
}

} // namespace faults
