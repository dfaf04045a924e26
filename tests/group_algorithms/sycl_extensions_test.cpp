// SPDX-License-Identifier: Apache-2.0
/// Extensions that plain SYCL programs use, those of Khronos and of oneAPI.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

namespace {

namespace khr = sycl::khr;
namespace experimental = sycl::ext::oneapi::experimental;

// ---- sizes of sub-groups

int size_in_kernel(sycl::nd_item<1> it) { return static_cast<int>(it.get_sub_group().get_max_local_range()[0]); }

struct asks_by_get {
  int* out;
  void operator()(sycl::nd_item<1> it) const { *out = size_in_kernel(it); }
  auto get(experimental::properties_tag) const { return experimental::properties{experimental::sub_group_size<8>}; }
};

TEST(sycl_extensions, sub_groups_have_32_work_items_unless_asked) {
  sycl::queue q;
  const sycl::nd_range<1> space(64, 64);
  int size = 0;
  int* const out = &size;
  q.parallel_for(space, [=](sycl::nd_item<1> it) { *out = size_in_kernel(it); }).wait();
  EXPECT_EQ(size, 32);
  q.parallel_for(space, asks_by_get{out}).wait();
  EXPECT_EQ(size, 8);
  q.parallel_for(space, experimental::properties{experimental::sub_group_size<4>, experimental::work_group_size<64>},
                 [=](sycl::nd_item<1> it) { *out = size_in_kernel(it); })
      .wait();
  EXPECT_EQ(size, 4);
  EXPECT_THROW(q.parallel_for(space, experimental::work_group_size<32>, [](sycl::nd_item<1>) {}), sycl::exception);
}

// ---- groups

TEST(sycl_extensions, group_interface) {
  constexpr int groups = 4, size = 48;
  std::vector<int> sums(groups), leaders(groups), ranks(groups * size);
  int *const s = sums.data(), *const l = leaders.data(), *const r = ranks.data();
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(groups * size, size), [=](sycl::nd_item<1> it) {
     const khr::work_group<1> g = it.get_group();
     const khr::sub_group sub = it.get_sub_group();
     const khr::member_item me = get_member_item(g);
     const int sum =
         sycl::reduce_over_group(static_cast<sycl::group<1>>(g), static_cast<int>(me.linear_id()), sycl::plus<>());
     if (khr::leader_of(g)) {
       s[g.id()[0]] = sum;
     }
     if (khr::leader_of(sub)) {
       sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group>(l[g.linear_id()])
           .fetch_add(static_cast<int>(sub.size()));
     }
     r[it.get_global_id(0)] = static_cast<int>(get_member_item(sub).id()[0] + sub.linear_id() * sub.max_size());
   }).wait();
  for (int g = 0; g < groups; ++g) {
    EXPECT_EQ(sums[static_cast<std::size_t>(g)], size * (size - 1) / 2);
    EXPECT_EQ(leaders[static_cast<std::size_t>(g)], size); // the sub-groups have 32 and 16 work-items
  }
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    EXPECT_EQ(ranks[i], static_cast<int>(i % size));
  }
}

// ---- commands

TEST(sycl_extensions, free_function_commands) {
  sycl::queue q;
  constexpr std::size_t n = 64;
  int* const v = sycl::malloc_shared<int>(n, q);
  int* const total = sycl::malloc_shared<int>(1, q);
  khr::memset(q, v, 0, n * sizeof(int));
  khr::command_barrier(q);
  khr::launch(q, n, [=](sycl::id<1> i) { v[i] += static_cast<int>(i); });
  khr::command_barrier(q);
  khr::launch_grouped(q, sycl::range<1>(n), sycl::range<1>(16),
                      [=](sycl::nd_item<1> it) { v[it.get_global_id(0)] += 100 * static_cast<int>(it.get_group(0)); });
  khr::command_barrier(q);
  khr::fill(q, total, 1, 1);
  khr::command_barrier(q);
  khr::launch_reduce(
      q, sycl::range<1>(n), [=](sycl::id<1> i, auto& sum) { sum += v[i]; }, sycl::reduction(total, sycl::plus<>()));
  const sycl::event done = khr::submit_tracked(q, [&](sycl::handler& h) { khr::command_barrier(h); });
  khr::event_barrier(q, {done});
  khr::submit(q, [&](sycl::handler& h) { khr::launch_task(h, [=] { v[0] = 7; }); });
  khr::launch_grouped_reduce(
      q, sycl::range<2>(4, 4), sycl::range<2>(2, 2), [=](sycl::nd_item<2>, auto& sum) { sum++; },
      sycl::reduction(total, sycl::plus<>()));
  q.wait();
  EXPECT_EQ(v[0], 7);
  EXPECT_EQ(v[63], 363);
  EXPECT_EQ(*total, 1 + 63 * 64 / 2 + 16 * (100 + 200 + 300) + 16);

  sycl::buffer<int> b(sycl::range<1>(4));
  const sycl::accessor placeholder(b, sycl::write_only);
  khr::fill(q, placeholder, 9);
  std::vector<int> copied(4);
  khr::copy(q, sycl::accessor(b, sycl::read_only), copied.data());
  q.wait();
  EXPECT_EQ(copied, std::vector<int>(4, 9));
  sycl::free(v, q);
  sycl::free(total, q);
}

TEST(sycl_extensions, enqueue_functions) {
  namespace ext = sycl::ext::oneapi::experimental;
  static_assert(ext::is_property_value_v<decltype(ext::sub_group_size<8>)> && !ext::is_property_value_v<int>);
  static_assert(ext::is_property_list_v<ext::empty_properties_t> && !ext::is_property_list_v<int>);
  sycl::queue q;
  constexpr std::size_t n = 60;
  int* const v = sycl::malloc_shared<int>(n, q);
  int* const total = sycl::malloc_shared<int>(1, q);
  ext::parallel_for(q, sycl::range<1>(n), [=](sycl::id<1> i) { v[i] = static_cast<int>(i); });
  ext::barrier(q);
  const ext::launch_config how(sycl::nd_range<1>(n, 20), ext::properties{ext::sub_group_size<8>});
  ext::nd_launch(q, how, [=](sycl::nd_item<1> it) {
    v[it.get_global_id(0)] += 100 * static_cast<int>(it.get_sub_group().get_max_local_range()[0]);
  });
  ext::barrier(q);
  ext::fill(q, total, 1, 1);
  ext::barrier(q);
  ext::parallel_for(
      q, sycl::range<1>(n), [=](sycl::id<1> i, auto& sum) { sum += v[i]; }, sycl::reduction(total, sycl::plus<>()));
  const sycl::event done = ext::submit_with_event(q, ext::properties{}, [&](sycl::handler& h) { ext::barrier(h); });
  ext::partial_barrier(q, {done});
  ext::submit(q, [&](sycl::handler& h) {
    ext::nd_launch(
        h, sycl::nd_range<2>({4, 4}, {2, 2}), [=](sycl::nd_item<2>, auto& sum) { sum++; },
        sycl::reduction(total, sycl::plus<>()));
  });
  ext::single_task(q, [=] { v[0] = 7; });
  q.wait();
  EXPECT_EQ(v[0], 7);
  EXPECT_EQ(v[59], 859);
  EXPECT_EQ(*total, 1 + 59 * 60 / 2 + 60 * 800 + 16);

  ext::command_graph<ext::graph_state::modifiable> graph(q);
  graph.add([=](sycl::handler& h) { h.single_task([=] { v[0]++; }); });
  ext::execute_graph(q, graph.finalize());
  q.wait();
  EXPECT_EQ(v[0], 8);
  sycl::free(v, q);
  sycl::free(total, q);
}

TEST(sycl_extensions, queue_that_is_flushed_gets_empty) {
  for (const std::size_t threads : {std::size_t{1}, std::size_t{2}}) {
    sycl::queue q(sycl::property_list{sycl::property::threads(threads)});
    EXPECT_TRUE(q.khr_empty());
    std::atomic<bool> go{false};
    q.submit([&](sycl::handler& h) {
      h.host_task([&] {
        while (!go) {
          std::this_thread::yield();
        }
      });
    });
    q.khr_flush();
    EXPECT_FALSE(q.khr_empty());
    go = true;
    const auto begin = std::chrono::steady_clock::now();
    while (!q.khr_empty() && std::chrono::steady_clock::now() - begin < std::chrono::seconds(60)) {
      std::this_thread::yield();
    }
    EXPECT_TRUE(q.khr_empty());
  }
}

TEST(sycl_extensions, queries) {
  const sycl::device d;
  const sycl::range<3> most = d.get_info<khr::info::device::max_work_group_range<3>>();
  EXPECT_GE(most[0], std::size_t{1} << 40);
  EXPECT_EQ(most[2], d.get_info<khr::info::device::max_work_group_range_size>());
  EXPECT_EQ(d.get_platform().khr_get_default_context(), sycl::queue().get_context());
  EXPECT_EQ(d.get_info<sycl::ext::oneapi::info::device::num_compute_units>(),
            d.get_info<sycl::info::device::max_compute_units>());
}

TEST(sycl_extensions, static_addrspace_cast) {
  int value = 1;
  *khr::static_addrspace_cast<sycl::access::address_space::global_space>(&value) += 2;
  const sycl::raw_generic_ptr<int> generic(&value);
  *khr::static_addrspace_cast<sycl::access::address_space::global_space>(generic) += 4;
  EXPECT_EQ(value, 7);
}

// ---- what programs of others do with SYCL's own classes

TEST(sycl_extensions, pointers_are_indexed_by_items_and_convert) {
  std::vector<int> data(8, 1);
  {
    sycl::buffer b(data);
    sycl::queue().submit([&](sycl::handler& h) {
      const sycl::accessor a(b, h);
      h.parallel_for(8, [=](auto i) {
        sycl::multi_ptr p(a);
        p[i] *= 2;
        *(a.get_multi_ptr<sycl::access::decorated::yes>() + i) += 1;
      });
    });
  }
  EXPECT_EQ(data, std::vector<int>(8, 3));
  const sycl::multi_ptr<int, sycl::access::address_space::generic_space, sycl::access::decorated::no> p(data.data());
  int* const plain = p;
  EXPECT_EQ(plain, data.data());
}

TEST(sycl_extensions, free_waits_for_the_commands_of_its_queue) {
  sycl::queue q;
  int* const memory = sycl::malloc_shared<int>(1, q);
  std::atomic<bool> done{false};
  q.submit([&](sycl::handler& h) {
    h.host_task([&done, memory] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      *memory = 1;
      done = true;
    });
  });
  sycl::free(memory, q);
  EXPECT_TRUE(done);

  // A host task does not wait for itself.
  int* const other = sycl::malloc_shared<int>(1, q);
  q.submit([&](sycl::handler& h) { h.host_task([=] { sycl::free(other, q); }); }).wait();
  EXPECT_EQ(sycl::get_pointer_type(other, q.get_context()), sycl::usm::alloc::unknown);
}

TEST(sycl_extensions, host_accessors_of_one_thread_do_not_wait_for_each_other) {
  sycl::buffer<std::uint32_t> b(sycl::range<1>(4));
  auto as_float = b.reinterpret<float>(sycl::range<1>(4));
  auto as_bytes = b.reinterpret<std::uint8_t>(sycl::range<1>(16));
  sycl::queue q;
  std::uint32_t seen = 0;
  {
    sycl::host_accessor words(b);
    {
      sycl::host_accessor reals(as_float);
      const sycl::host_accessor bytes(as_bytes, sycl::read_only);
      reals[1] = 1.f;
      EXPECT_EQ(words[1], 0x3f800000U);
      EXPECT_EQ(bytes[7], 0x3f);
    }
    // Those that are gone do not let commands pass by the one that is left.
    const sycl::event later = q.submit([&](sycl::handler& h) {
      const sycl::accessor a(b, h, sycl::read_only);
      h.single_task([=, &seen] { seen = a[1]; });
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_NE(later.get_info<sycl::info::event::command_execution_status>(),
              sycl::info::event_command_status::complete);
    words[1] = 5;
  }
  q.wait();
  EXPECT_EQ(seen, 5U);
}

// ---- the work-item that runs

/// Programs that ask for the running work-item anywhere give work-items stacks from the start. This program does so in
/// these tests only.
class work_item_queries : public ::testing::Test {
public:
  static inline bool before_main = false;
  static std::atomic<bool>& asked() { return lanefold::detail::work_items_are_asked_for; }

protected:
  work_item_queries() { asked() = true; }
  ~work_item_queries() override { asked() = false; }
};
struct no_queries_elsewhere : ::testing::Environment {
  void SetUp() override { work_item_queries::before_main = work_item_queries::asked().exchange(false); }
};
const ::testing::Environment* const added = ::testing::AddGlobalTestEnvironment(new no_queries_elsewhere);

namespace this_work_item = sycl::ext::oneapi::this_work_item;

/// Does what a kernel that is given no item can do: exchanges global ids with its mirror image in the group.
void mirror(int* out, int* tile) {
  const auto it = this_work_item::get_nd_item<2>();
  tile[it.get_local_linear_id()] = static_cast<int>(it.get_global_linear_id());
  sycl::group_barrier(this_work_item::get_work_group<2>());
  const auto again = khr::this_nd_item<2>();
  EXPECT_EQ(it, again);
  EXPECT_EQ(khr::this_sub_group(), it.get_sub_group());
  out[again.get_global_linear_id()] =
      tile[khr::this_group<2>().get_local_linear_range() - 1 - it.get_local_linear_id()];
}

TEST_F(work_item_queries, around_a_barrier) {
  EXPECT_TRUE(before_main);
  std::vector<int> asked(24 * 32), given(24 * 32);
  int *const a = asked.data(), *const g = given.data();
  sycl::queue q;
  const sycl::nd_range<2> space({24, 32}, {6, 8});
  q.submit([&](sycl::handler& h) {
     const sycl::local_accessor<int> tile(48, h);
     h.parallel_for(space,
                    [=](sycl::nd_item<2>) { mirror(a, tile.get_multi_ptr<sycl::access::decorated::no>().get()); });
   }).wait();
  q.submit([&](sycl::handler& h) {
     const sycl::local_accessor<int> tile(48, h);
     h.parallel_for(space, [=](sycl::nd_item<2> it) {
       tile[it.get_local_linear_id()] = static_cast<int>(it.get_global_linear_id());
       sycl::group_barrier(it.get_group());
       g[it.get_global_linear_id()] = tile[47 - it.get_local_linear_id()];
     });
   }).wait();
  EXPECT_EQ(asked, given);
}

TEST_F(work_item_queries, without_a_barrier_and_alone_in_a_group) {
  sycl::queue q;
  for (const std::size_t local : {1, 5, 100}) {
    std::vector<int> seen(1000, 0);
    int* const s = seen.data();
    q.parallel_for(sycl::nd_range<1>(1000, local), [=](sycl::nd_item<1> it) {
       s[khr::this_nd_item<1>().get_global_id(0)] += static_cast<int>(it.get_global_id(0));
       EXPECT_EQ(khr::this_sub_group().get_local_linear_id(), it.get_sub_group().get_local_linear_id());
     }).wait();
    for (int i = 0; i < 1000; ++i) {
      ASSERT_EQ(seen[static_cast<std::size_t>(i)], i) << local;
    }
  }
  int sum = 0;
  {
    sycl::buffer<int> b(&sum, 1);
    q.submit([&](sycl::handler& h) {
      h.parallel_for(
          sycl::nd_range<1>(100, 10), sycl::reduction(b, h, sycl::plus<int>()),
          [](sycl::nd_item<1>, auto& s) { s += static_cast<int>(experimental::this_nd_item<1>().get_global_id(0)); });
    });
  }
  EXPECT_EQ(sum, 4950);
}

TEST_F(work_item_queries, an_opportunistic_group_is_one_work_item) {
  std::vector<int> alone(48);
  int* const out = alone.data();
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(48, 24), [=](sycl::nd_item<1> it) {
     const std::size_t i = it.get_global_linear_id();
     if (i % 2 == 0) {
       const auto some = experimental::this_kernel::get_opportunistic_group();
       out[i] = sycl::reduce_over_group(some, 7, sycl::plus<>()) + (some.leader() ? 1 : 0);
     }
     sycl::group_barrier(it.get_group());
   }).wait_and_throw();
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(alone[i], i % 2 == 0 ? 8 : 0) << i;
  }
}

/// Others of the sub-group may wait in a group function meanwhile.
TEST_F(work_item_queries, an_opportunistic_group_disturbs_nobody) {
  std::vector<int> sums(32);
  int* const out = sums.data();
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(32, 32), [=](sycl::nd_item<1> it) {
     const std::size_t i = it.get_global_linear_id();
     const auto part = experimental::get_ballot_group(it.get_sub_group(), i % 2 == 1);
     int own = static_cast<int>(i);
     if (i % 2 == 1) {
       const auto alone = experimental::this_kernel::get_opportunistic_group();
       own = sycl::reduce_over_group(alone, own, sycl::plus<>());
       own = sycl::exclusive_scan_over_group(alone, own, own, sycl::plus<>());
     }
     out[i] = sycl::reduce_over_group(part, own, sycl::plus<>());
   }).wait_and_throw();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    EXPECT_EQ(sums[i], i % 2 == 1 ? 256 : 240) << i;
  }
}

TEST(sycl_extensions, sub_groups_store_vectors_to_pointers_to_them) {
  std::vector<sycl::float4> to(32);
  sycl::float4* const out = to.data();
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(32, 32), [=](sycl::nd_item<1> it) {
     const sycl::float4 value(static_cast<float>(it.get_global_linear_id()));
     it.get_sub_group().store(out, value);
   }).wait_and_throw();
  EXPECT_EQ(to[31][3], 31);
}

TEST_F(work_item_queries, are_refused_elsewhere) {
  sycl::queue q;
  const auto code_of = [](const auto& run) {
    try {
      run();
    } catch (const sycl::exception& error) {
      return error.code();
    }
    return make_error_code(sycl::errc::success);
  };
  EXPECT_EQ(code_of([] { khr::this_nd_item<1>(); }), sycl::errc::invalid);
  EXPECT_EQ(code_of([] { khr::this_sub_group(); }), sycl::errc::invalid);
  EXPECT_EQ(code_of([&] { q.parallel_for(sycl::range<1>(4), [](sycl::id<1>) { khr::this_sub_group(); }).wait(); }),
            sycl::errc::invalid);
  EXPECT_EQ(
      code_of([&] { q.parallel_for(sycl::nd_range<1>(4, 2), [](sycl::nd_item<1>) { khr::this_group<2>(); }).wait(); }),
      sycl::errc::invalid);
}

// ---- dot products of bytes

TEST(sycl_extensions, dot_products_of_bytes) {
  namespace oneapi = sycl::ext::oneapi;
  const std::int32_t a = 0x80ff017f;  // 127, 1, -1, -128
  const std::uint32_t b = 0x02ff0301; // 1, 3, 255, 2
  EXPECT_EQ(oneapi::dot_acc(a, a, 0), 127 * 127 + 1 + 1 + 128 * 128);
  EXPECT_EQ(oneapi::dot_acc(a, b, 10), 10 + 127 + 3 - 255 - 256);
  EXPECT_EQ(oneapi::dot_acc(b, a, 10), oneapi::dot_acc(a, b, 10));
  EXPECT_EQ(oneapi::dot_acc(b, b, -1), -1 + 1 + 9 + 255 * 255 + 4);
  const sycl::vec<std::int8_t, 4> c(127, 1, -1, -128);
  const sycl::vec<std::uint8_t, 4> d(1, 3, 255, 2);
  EXPECT_EQ(oneapi::dot_acc(c, d, 10), oneapi::dot_acc(a, b, 10));
  EXPECT_EQ(oneapi::dot_acc(c, c, std::numeric_limits<std::int32_t>::max()),
            std::numeric_limits<std::int32_t>::min() + (127 * 127 + 1 + 1 + 128 * 128) - 1);
}

TEST(sycl_extensions, printf_in_kernels) {
  testing::internal::CaptureStdout();
  sycl::queue q;
  q.single_task([] { experimental::printf("%d of %s\n", 7, "eight"); }).wait();
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "7 of eight\n");
}

TEST(sycl_extensions, local_memory_is_found_by_the_group) {
  std::array<int, 8> out{};
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(8, 8), [=, to = out.data()](sycl::nd_item<1> it) {
     int(&values)[8] = *group_local_memory_for_overwrite<int[8]>(it.get_group());
     int& start = *sycl::group_local_memory<int>(it.get_group(), 100);
     values[7 - it.get_local_id(0)] = start + static_cast<int>(it.get_local_id(0));
     sycl::group_barrier(it.get_group());
     to[it.get_local_id(0)] = values[it.get_local_id(0)];
   }).wait();
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(out[static_cast<std::size_t>(i)], 107 - i);
  }
}

// ---- work-group memory

struct pair_of_numbers {
  int a;
  float b;
};

TEST(sycl_extensions, work_group_memory_is_an_object_or_an_array) {
  constexpr int groups = 3, size = 64;
  std::vector<int> out(groups * size, -1);
  int* const o = out.data();
  sycl::queue q;
  q.submit([&](sycl::handler& h) {
     const experimental::work_group_memory<int> one(h);
     const experimental::work_group_memory<int[size]> row(h);
     const experimental::work_group_memory<short[2][size]> plane(h);
     const experimental::work_group_memory<int[][2]> pairs(size, h);
     const experimental::work_group_memory<pair_of_numbers> record(h);
     experimental::work_group_memory<int[]> unbounded(experimental::indeterminate);
     unbounded = experimental::work_group_memory<int[]>(size, h);
     h.parallel_for(sycl::nd_range<1>(groups * size, size), [=](sycl::nd_item<1> it) {
       const int i = static_cast<int>(it.get_local_id(0));
       const int g = static_cast<int>(it.get_group(0));
       if (i == 0) {
         one = 100 * g;
         (&record)->a = 7;
         static_cast<pair_of_numbers&>(record).b = 0.5F;
       }
       row[i] = i;
       plane[1][i] = static_cast<short>(2 * i);
       pairs[i][1] = 3 * i;
       unbounded.get_multi_ptr<sycl::access::decorated::no>()[i] = 4 * i;
       sycl::group_barrier(it.get_group());
       const int other = size - 1 - i;
       const pair_of_numbers& seen = record;
       const bool is_right = seen.a == 7 && seen.b == 0.5F;
       o[it.get_global_id(0)] = is_right ? one + row[other] + plane[1][other] + pairs[other][1] + unbounded[other] : -2;
     });
   }).wait();
  for (int n = 0; n < groups * size; ++n) {
    ASSERT_EQ(out[static_cast<std::size_t>(n)], 100 * (n / size) + 10 * (size - 1 - n % size)) << n;
  }
}

// ---- reductions with operators of the program

/// Keeps the larger square.
struct larger_square {
  int operator()(int a, int b) const { return a * a > b * b ? a : b; }
};

TEST(sycl_extensions, user_defined_reductions) {
  constexpr int size = 48;
  std::vector<int> in(size), out(4);
  std::iota(in.begin(), in.end(), -30);
  const int* const x = in.data();
  int* const o = out.data();
  sycl::queue q;
  q.submit([&](sycl::handler& h) {
     const sycl::local_accessor<std::byte, 1> scratch(sycl::range<1>(size * sizeof(int)), h);
     h.parallel_for(sycl::nd_range<1>(size, size), [=](sycl::nd_item<1> it) {
       const experimental::group_with_scratchpad helper(it.get_group(), sycl::span(scratch.begin(), scratch.size()));
       const int mine = x[it.get_local_id(0)];
       const int most = experimental::reduce_over_group(helper, mine, larger_square());
       const int with_init = experimental::reduce_over_group(helper, mine, 99, larger_square());
       const int joint = experimental::joint_reduce(helper, x, x + size, larger_square());
       const int joint_with_init = experimental::joint_reduce(helper, x, x + size, -77, larger_square());
       if (it.get_local_id(0) == 0) {
         o[0] = most;
         o[1] = with_init;
         o[2] = joint;
         o[3] = joint_with_init;
       }
     });
   }).wait();
  EXPECT_EQ(out, (std::vector<int>{-30, 99, -30, -77}));
}

// ---- variables of work-groups

experimental::work_group_static<int> in_namespace;

template <class T>
struct holder {
  static inline experimental::work_group_static<int> number;
};

/// Returns memory that each instance of the template has for itself.
template <int Which>
int* of_a_function() {
  experimental::work_group_static<int[4]> numbers;
  return numbers;
}

/// All work-items of a group see what one of them has written; each variable, each instance of a template and each
/// thread has memory of its own.
TEST(sycl_extensions, variables_of_work_groups) {
  constexpr std::size_t size = 16, groups = 100, kinds = 8;
  std::vector<int> out(size * groups * kinds, -1);
  std::atomic<int> shared = 0;
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(groups * size, size), [=, to = out.data(), &shared](sycl::nd_item<1> it) {
     experimental::work_group_static<int> a, b;
     static experimental::work_group_static<int[size]> one_each;
     const std::size_t me = it.get_local_id(0);
     const int group = static_cast<int>(it.get_group(0));
     if (me == 3) {
       a = group;
       *&b = group + 1;
       in_namespace = group + 2;
       holder<int>::number = group + 3;
       holder<float>::number = group + 4;
       of_a_function<1>()[3] = group + 5;
       of_a_function<2>()[3] = group + 6;
     }
     one_each[size - 1 - me] = group + static_cast<int>(me);
     sycl::group_barrier(it.get_group());
     if (&a == &b || &in_namespace == &holder<int>::number || one_each + 0 == of_a_function<1>()) {
       ++shared;
     }
     int* const mine = to + it.get_global_id(0) * kinds;
     mine[0] = a;
     mine[1] = b;
     mine[2] = in_namespace;
     mine[3] = holder<int>::number;
     mine[4] = holder<float>::number;
     mine[5] = of_a_function<1>()[3];
     mine[6] = of_a_function<2>()[3];
     mine[7] = one_each[me];
     sycl::group_barrier(it.get_group());
   }).wait();
  EXPECT_EQ(shared, 0);
  for (std::size_t i = 0; i < size * groups; ++i) {
    const int group = static_cast<int>(i / size);
    for (int k = 0; k < 7; ++k) {
      EXPECT_EQ(out[i * kinds + static_cast<std::size_t>(k)], group + k) << i;
    }
    EXPECT_EQ(out[i * kinds + 7], group + static_cast<int>(size - 1 - i % size)) << i;
  }
}

/// Each launch chooses how much memory a work-group has; what it cannot have is refused when the property is made.
TEST(sycl_extensions, scratch_memory_of_work_groups) {
  constexpr std::size_t groups = 50;
  sycl::queue q;
  const auto most = static_cast<std::size_t>(q.get_device().get_info<sycl::info::device::local_mem_size>());
  for (const std::size_t size : {std::size_t{4}, std::size_t{64}, most / sizeof(int) / 256}) {
    std::vector<int> out(groups * 16, -1);
    const std::size_t all = size * 16; // ints of a group
    experimental::launch_config config(
        sycl::nd_range<1>(groups * 16, 16),
        experimental::properties(experimental::work_group_scratch_size(all * sizeof(int))));
    q.submit([&](sycl::handler& h) {
       experimental::nd_launch(h, config, [=, to = out.data()](sycl::nd_item<1> it) {
         auto* const scratch = static_cast<int*>(experimental::get_work_group_scratch_memory());
         const std::size_t me = it.get_local_id(0);
         for (std::size_t i = me; i < all; i += 16) {
           scratch[i] = static_cast<int>(it.get_group(0) + i);
         }
         sycl::group_barrier(it.get_group());
         to[it.get_global_id(0)] = scratch[all - 1 - me];
         sycl::group_barrier(it.get_group());
       });
     }).wait();
    for (std::size_t i = 0; i < out.size(); ++i) {
      ASSERT_EQ(out[i], static_cast<int>(i / 16 + all - 1 - i % 16)) << size;
    }
  }
  try {
    experimental::work_group_scratch_size too_much(most + 1);
    FAIL() << "not refused";
  } catch (const sycl::exception& e) {
    EXPECT_EQ(e.code(), sycl::errc::memory_allocation);
    EXPECT_NE(std::string(e.what()).find("work_group_scratch_size"), std::string::npos) << e.what();
  }
}

} // namespace
