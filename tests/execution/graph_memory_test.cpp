// SPDX-License-Identifier: Apache-2.0
// Memory that nodes of graphs allocate and free.

#include "thrown.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/memory.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace lf = lanefold;
namespace graph = lf::graph;
using lf::errc;

namespace {

constexpr std::size_t n = 1000;
constexpr std::size_t bytes = n * sizeof(int);

class graph_memory : public ::testing::Test {
protected:
  lf::queue q{lf::property_list{lf::property::in_order()}};
  lf::memory_pool pool{q, lf::usm::alloc::device};
  graph::command_graph<> g{q};
  std::vector<int> out = std::vector<int>(n);
};

TEST_F(graph_memory, is_allocated_and_freed_by_nodes) {
  void* memory = nullptr;
  const graph::node allocated = g.add([&](lf::handler& h) { memory = lf::async_malloc_from_pool(h, bytes, pool); });
  int* const x = static_cast<int*>(memory);
  const graph::node filled = g.add(
      [&](lf::handler& h) { h.parallel_for(lf::range<1>(n), [=](lf::id<1> i) { x[i] = static_cast<int>(i[0]); }); },
      graph::property::node::depends_on(allocated));
  const graph::node copied =
      g.add([&](lf::handler& h) { h.memcpy(out.data(), x, bytes); }, graph::property::node::depends_on(filled));
  const graph::node freed =
      g.add([&](lf::handler& h) { lf::async_free(h, x); }, graph::property::node::depends_on(copied));
  EXPECT_EQ(allocated.get_type(), graph::node_type::async_malloc);
  EXPECT_EQ(freed.get_type(), graph::node_type::async_free);
  EXPECT_EQ(lf::get_pointer_type(x, q.get_context()), lf::usm::alloc::device);
  EXPECT_EQ(pool.get_reserved_size_current(), 0U); // it is none of the pool's
  auto exec = g.finalize(graph::property::graph::updatable());
  EXPECT_EQ(exec.get_required_mem_size(), bytes);
  for (int run = 0; run < 3; ++run) {
    out.assign(n, -1);
    q.ext_oneapi_graph(exec).wait();
    EXPECT_EQ(out[n - 1], static_cast<int>(n) - 1);
  }
  EXPECT_EQ(code_thrown_by([&] { exec.update({allocated}); }), errc::invalid);
  graph::node(filled).update_range(lf::range<1>(n / 2));
  exec.update(g); // allocations stay as they are
  out.assign(n, -1);
  q.fill(x, 7, n).wait();
  q.ext_oneapi_graph(exec).wait();
  EXPECT_EQ(out[n / 2 - 1], static_cast<int>(n / 2) - 1);
  EXPECT_EQ(out[n / 2], 7);
}

TEST_F(graph_memory, of_a_recording_queue_is_used_again) {
  g.begin_recording(q);
  auto* const x = static_cast<int*>(lf::async_malloc(q, lf::usm::alloc::device, bytes));
  q.fill(x, 7, n);
  q.memcpy(out.data(), x, bytes);
  lf::async_free(q, x);
  auto* const again = static_cast<int*>(lf::async_malloc(q, lf::usm::alloc::device, bytes / 2));
  auto* const more = static_cast<int*>(lf::async_malloc(q, lf::usm::alloc::device, bytes));
  auto* const shared = static_cast<int*>(lf::async_malloc(q, lf::usm::alloc::shared, bytes));
  q.fill(again, 9, n / 2);
  q.memcpy(out.data(), again, bytes / 2);
  for (int* const each : {again, more, shared}) {
    lf::async_free(q, each);
  }
  g.end_recording();
  EXPECT_EQ(again, x);
  EXPECT_NE(more, x);
  EXPECT_NE(shared, x);
  const auto exec = g.finalize();
  EXPECT_EQ(exec.get_required_mem_size(), 3 * bytes);
  for (int run = 0; run < 2; ++run) {
    out.assign(n, -1);
    q.ext_oneapi_graph(exec).wait();
    EXPECT_EQ(out[0], 9);
    EXPECT_EQ(out[n - 1], 7);
  }
}

TEST_F(graph_memory, of_a_queue_without_order_is_not_used_again) {
  lf::queue unordered;
  graph::command_graph of(unordered);
  of.begin_recording(unordered);
  void* const x = lf::async_malloc(unordered, lf::usm::alloc::device, bytes);
  lf::async_free(unordered, x);
  void* const y = lf::async_malloc(unordered, lf::usm::alloc::device, bytes);
  of.end_recording();
  EXPECT_NE(x, y);
}

TEST_F(graph_memory, lives_as_long_as_what_is_finalized) {
  const std::size_t before = lf::detail::usm_in_use().bytes;
  {
    std::optional<graph::command_graph<graph::graph_state::executable>> kept;
    {
      graph::command_graph inner(q), outer(q);
      inner.begin_recording(q);
      auto* const x = static_cast<int*>(lf::async_malloc_from_pool(q, bytes, pool));
      q.fill(x, 5, n);
      q.memcpy(out.data(), x, bytes);
      inner.end_recording();
      outer.add([&](lf::handler& h) { h.ext_oneapi_graph(inner.finalize()); });
      kept = outer.finalize();
    }
    EXPECT_EQ(kept->get_required_mem_size(), bytes);
    EXPECT_EQ(lf::detail::usm_in_use().bytes, before + bytes);
    q.ext_oneapi_graph(*kept).wait();
    EXPECT_EQ(out[n - 1], 5);
  }
  EXPECT_EQ(lf::detail::usm_in_use().bytes, before);
}

TEST_F(graph_memory, is_zero_at_first_where_it_is_asked_for) {
  const lf::memory_pool zeros(q, lf::usm::alloc::shared, lf::property::memory_pool::zero_init());
  std::vector<int*> all;
  g.begin_recording(q);
  for (int i = 0; i < 2; ++i) {
    all.push_back(static_cast<int*>(lf::async_malloc_from_pool(q, bytes, zeros)));
    q.parallel_for(lf::range<1>(n), [x = all.back()](lf::id<1> at) { ++x[at]; });
    q.memcpy(out.data(), all.back(), bytes);
    lf::async_free(q, all.back());
  }
  g.end_recording();
  const auto exec = g.finalize();
  for (int run = 1; run <= 2; ++run) {
    q.ext_oneapi_graph(exec).wait();
    EXPECT_EQ(out, std::vector<int>(n, run)); // the second run goes on with what the first one left
  }
}

TEST_F(graph_memory, of_a_recording_that_ends_too_early_is_given_back) {
  const std::size_t before = lf::detail::usm_in_use().bytes;
  g.begin_recording(q);
  EXPECT_EQ(code_thrown_by([&] {
              q.submit([&](lf::handler& h) {
                (void)lf::async_malloc_from_pool(h, bytes, pool);
                g.end_recording(); // as another thread may do
              });
            }),
            errc::invalid);
  EXPECT_TRUE(g.empty());
  EXPECT_EQ(lf::detail::usm_in_use().bytes, before);
  g.begin_recording(q);
  void* const kept = lf::async_malloc_from_pool(q, bytes, pool);
  EXPECT_EQ(code_thrown_by([&] {
              q.submit([&](lf::handler& h) {
                lf::async_free(h, kept);
                g.end_recording();
              });
            }),
            errc::invalid);
  EXPECT_EQ(g.get_nodes().size(), 1U);
  g.begin_recording(q);
  lf::async_free(q, kept); // it is there still
  g.end_recording();
  EXPECT_EQ(g.get_nodes().size(), 2U);
}

TEST_F(graph_memory, is_of_the_graph_that_the_command_is_known_to_belong_to) {
  lf::queue other;
  g.begin_recording(q);
  const lf::event node = q.single_task([] {});
  EXPECT_EQ(code_thrown_by([&] {
              other.submit([&](lf::handler& h) {
                lf::async_free(q, lf::async_malloc_from_pool(h, bytes, pool)); // of the pool
                h.depends_on(node);
              });
            }),
            errc::invalid);
  other.submit([&](lf::handler& h) {
    h.depends_on(node);
    (void)lf::async_malloc_from_pool(h, bytes, pool);
  });
  g.end_recording();
  EXPECT_EQ(g.finalize().get_required_mem_size(), bytes);
}

TEST_F(graph_memory, misuse_is_refused) {
  const std::size_t before = lf::detail::usm_in_use().bytes;
  void* const elsewhere = lf::async_malloc_from_pool(q, bytes, pool);
  void* x = nullptr;
  g.add([&](lf::handler& h) { x = lf::async_malloc_from_pool(h, bytes, pool); });
  EXPECT_EQ(code_thrown_by([&] { lf::async_free(q, x); }), errc::invalid); // not by a node
  EXPECT_EQ(code_thrown_by([&] { g.add([&](lf::handler& h) { lf::async_free(h, elsewhere); }); }), errc::invalid);
  g.add([&](lf::handler& h) { lf::async_free(h, x); });
  EXPECT_EQ(code_thrown_by([&] { g.add([&](lf::handler& h) { lf::async_free(h, x); }); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] {
              g.add([&](lf::handler& h) {
                (void)lf::async_malloc_from_pool(h, bytes, pool);
                h.single_task([] {});
              });
            }),
            errc::invalid);
  EXPECT_EQ(code_thrown_by([&] {
              g.add([&](lf::handler& h) {
                (void)lf::async_malloc_from_pool(h, bytes, pool);
                (void)lf::async_malloc_from_pool(h, bytes, pool);
              });
            }),
            errc::invalid);
  g.add([&](lf::handler& h) {
    EXPECT_EQ(lf::async_malloc_from_pool(h, 0, pool), nullptr);
    lf::async_free(h, nullptr);
  });
  const std::vector<std::function<void(lf::handler&)>> groups{
      [&](lf::handler& h) { (void)lf::async_malloc_from_pool(h, bytes, pool); }};
  EXPECT_EQ(code_thrown_by([&] { graph::dynamic_command_group(g, groups); }), errc::invalid);
  EXPECT_EQ(g.get_nodes().size(), 3U);
  EXPECT_EQ(g.finalize().get_required_mem_size(), bytes);
  const lf::context where;
  const lf::memory_pool stranger(where, q.get_device(), lf::usm::alloc::device);
  g.begin_recording(q);
  EXPECT_EQ(code_thrown_by([&] { (void)lf::async_malloc_from_pool(q, 1, stranger); }), errc::invalid);
  g.end_recording();
  lf::async_free(q, elsewhere);
  q.wait();
  pool.trim_to(0);
  EXPECT_EQ(lf::detail::usm_in_use().bytes, before + bytes);
}

} // namespace
