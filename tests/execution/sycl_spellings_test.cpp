// SPDX-License-Identifier: Apache-2.0
/// Names, types and conversions that SYCL programs use, as they spell them.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <numeric>
#include <sstream>
#include <thread>
#include <utility>

namespace {

// ---- names and types

static_assert(sycl::target::host_buffer != sycl::target::device &&
              sycl::target::constant_buffer != sycl::target::device);
static_assert(sycl::bit_cast<std::uint32_t>(1.f) == 0x3f800000U);
static_assert(std::is_same_v<sycl::byte, std::uint8_t>);
static_assert(std::is_same_v<sycl::cl_float4, sycl::float4> && sizeof(sycl::cl_int) == 4);
static_assert(sycl::is_property_v<sycl::property::no_init> && !sycl::is_property_v<int>);
static_assert(sycl::is_property_of_v<sycl::property::queue::in_order, sycl::queue>);
static_assert(sycl::is_property_of_v<sycl::property::buffer::context_bound, sycl::buffer<int>>);
static_assert(!sycl::is_property_of_v<sycl::property::queue::in_order, sycl::buffer<int>>);

// A sub-group is a type, its local id is an id.
static_assert(std::is_same_v<decltype(std::declval<const sycl::sub_group&>().get_local_id()), sycl::id<1>>);
static_assert(std::is_same_v<decltype(std::declval<sycl::nd_item<2>>().get_sub_group()), sycl::sub_group>);

template <class T>
using read_accessor = sycl::accessor<T, 1, sycl::access_mode::read>;
static_assert(std::is_convertible_v<sycl::accessor<int, 1>, read_accessor<int>>);
static_assert(std::is_convertible_v<sycl::accessor<int, 1>, read_accessor<const int>>);
static_assert(std::is_convertible_v<read_accessor<int>, read_accessor<const int>>);
static_assert(std::is_convertible_v<read_accessor<const int>, read_accessor<int>>);
static_assert(!std::is_convertible_v<read_accessor<int>, sycl::accessor<int, 1>>);
static_assert(!std::is_convertible_v<sycl::accessor<int, 1, sycl::access_mode::write>, read_accessor<int>>);
static_assert(std::is_convertible_v<sycl::host_accessor<int>, sycl::host_accessor<const int>>);
static_assert(std::is_convertible_v<sycl::local_accessor<int>, sycl::local_accessor<const int>>);

using sycl::access::decorated;
static_assert(std::is_same_v<decltype(std::declval<sycl::accessor<int>>().get_pointer()), sycl::global_ptr<int>>);
static_assert(std::is_same_v<decltype(std::declval<sycl::local_accessor<int>>().get_pointer()), sycl::local_ptr<int>>);
static_assert(std::is_same_v<decltype(std::declval<sycl::host_accessor<int>>().get_pointer()), int*>);
static_assert(std::is_same_v<sycl::accessor<int>::accessor_ptr<decorated::no>, sycl::raw_global_ptr<int>>);
static_assert(
    std::is_same_v<decltype(sycl::multi_ptr(std::declval<const sycl::accessor<int>&>())), sycl::raw_global_ptr<int>>);
static_assert(std::is_same_v<decltype(sycl::multi_ptr(std::declval<const sycl::local_accessor<int>&>())),
                             sycl::raw_local_ptr<int>>);

std::size_t rank_in(const sycl::sub_group& g) { return g.get_local_id()[0]; }

TEST(sycl_spellings, sub_group_as_a_parameter) {
  std::vector<std::size_t> ranks(64);
  std::size_t* const out = ranks.data();
  std::size_t size = 0;
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(64, 64), [=, &size](sycl::nd_item<1> it) {
     const sycl::sub_group g = it.get_sub_group();
     out[it.get_local_id(0)] = rank_in(g);
     if (it.get_local_id(0) == 0) {
       size = g.get_max_local_range()[0];
     }
   }).wait();
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    EXPECT_EQ(ranks[i], i % size);
  }
  // Kernels that ask for nothing get the size that the device names.
  EXPECT_EQ(q.get_device().get_info<sycl::info::device::sub_group_sizes>(), std::vector<std::size_t>{size});
}

// DPC++ divides ranges into work-groups where kernels ask for them.
TEST(sycl_spellings, kernels_over_ranges_take_an_nd_item) {
  sycl::queue q;
  std::vector<std::size_t> group_of(900), local_of(900);
  sycl::buffer<std::size_t> groups(group_of.data(), group_of.size());
  q.submit([&](sycl::handler& h) {
    sycl::accessor group(groups, h);
    h.parallel_for<class nd_item_of_a_range>(sycl::range<1>(900), [=, out = local_of.data()](sycl::nd_item<1> it) {
      group[it.get_global_id(0)] = it.get_group(0);
      out[it.get_global_linear_id()] = it.get_local_id(0);
    });
  });
  const sycl::host_accessor group(groups);
  for (std::size_t i = 0; i < group_of.size(); ++i) {
    ASSERT_EQ(group[i] * 225 + local_of[i], i); // the largest part of 900 up to 256
  }
  int seen = 0;
  sycl::range<2> local(0, 0);
  q.parallel_for(sycl::range<2>(1, 257),
                 [&](const sycl::nd_item<2>& it) { // a prime number
                   sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(seen).fetch_add(1);
                   local = it.get_local_range();
                 })
      .wait();
  EXPECT_EQ(seen, 257);
  EXPECT_EQ(local, sycl::range<2>(1, 1));
  q.parallel_for(sycl::range<1>(0), [&](sycl::nd_item<1>) { ++seen; }).wait();
  EXPECT_EQ(seen, 257);
}

// Libraries as portFFT call these members of an older extension.
TEST(sycl_spellings, sub_groups_load_and_store) {
  constexpr int size = 8, groups = 2, each = 3;
  std::vector<int> in(groups * size * each), out(in.size()), ones(groups * size);
  std::iota(in.begin(), in.end(), 100);
  const int* const from = in.data();
  int* const to = out.data();
  int* const one = ones.data();
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(groups * size, size), sycl::property::sub_group_size(size),
                 [=](sycl::nd_item<1> it) {
                   const sycl::sub_group g = it.get_sub_group();
                   const std::size_t first = it.get_group(0) * size;
                   const sycl::vec<int, each> v = g.load<each>(sycl::global_ptr<const int>(from + first * each));
                   if (it.get_group(0) == 0) {
                     g.store(sycl::global_ptr<int>(to + first * each), v + 1);
                   } else {
                     g.store<each>(sycl::global_ptr<int>(to + first * each), v + 1);
                   }
                   g.store(one + first, g.load(from + first));
                 })
      .wait();
  for (std::size_t i = 0; i < in.size(); ++i) {
    EXPECT_EQ(out[i], in[i] + 1) << i;
  }
  for (std::size_t i = 0; i < ones.size(); ++i) {
    EXPECT_EQ(ones[i], in[i]) << i;
  }
}

TEST(sycl_spellings, loads_of_vec_name_the_address_space) {
  using sycl::access::address_space;
  const float in[] = {1, 2, 3, 4};
  float out[4] = {};
  sycl::vec<float, 2> v;
  v.load<address_space::global_space>(1, sycl::global_ptr<const float>(in));
  v.store<address_space::private_space, sycl::access::decorated::legacy>(0, sycl::private_ptr<float>(out));
  v.swizzle<1, 0>().store<address_space::private_space>(1, sycl::private_ptr<float>(out));
  EXPECT_EQ(std::vector<float>(out, out + 4), (std::vector<float>{3, 4, 4, 3}));
}

// submit() takes its argument by value.
TEST(sycl_spellings, a_command_group_may_be_const_and_its_call_not) {
  int calls = 0;
  const auto group = [&calls, first = true](sycl::handler& h) mutable {
    EXPECT_TRUE(std::exchange(first, false));
    h.single_task([&calls] { ++calls; });
  };
  sycl::queue q;
  q.submit(group).wait();
  q.submit(group, q).wait();
  EXPECT_EQ(calls, 2);
}

TEST(sycl_spellings, work_item_sizes_without_dimensions) {
  const sycl::device d;
  const sycl::id<3> sizes = d.get_info<sycl::info::device::max_work_item_sizes>();
  EXPECT_EQ(sizes, sycl::id<3>(d.get_info<sycl::info::device::max_work_item_sizes<3>>()));
}

// ---- accessors of no dimensions

TEST(sycl_spellings, accessors_of_no_dimensions) {
  int value = 3;
  {
    sycl::buffer<int> b(&value, 1);
    sycl::queue q;
    q.submit([&](sycl::handler& h) {
      sycl::accessor<int, 0> a(b, h);
      EXPECT_FALSE(a.is_placeholder());
      sycl::local_accessor<int, 0> shared(h);
      h.parallel_for(sycl::nd_range<1>(4, 4), [=](sycl::nd_item<1> it) {
        if (it.get_local_id(0) == 0) {
          shared = 5;
        }
        sycl::group_barrier(it.get_group());
        if (it.get_local_id(0) == 3) {
          int& element = a;
          element += shared;
        }
      });
    });
    q.submit([&](sycl::handler& h) {
      sycl::accessor<int, 0, sycl::access_mode::write> a(b, h, sycl::write_only, {sycl::no_init});
      EXPECT_TRUE(a.has_property<sycl::property::no_init>());
      h.single_task([=] { a = 20; });
    });
    {
      const sycl::host_accessor<const int, 0> read(b, sycl::read_only);
      EXPECT_EQ(read, 20);
    }
    const sycl::host_accessor<int, 0> write(b);
    write = 21;
  }
  EXPECT_EQ(value, 21);
}

TEST(sycl_spellings, buffers_of_const_elements) {
  const std::vector<int> from{1, 2, 3};
  sycl::buffer<const int, 1> b(from.data(), from.size());
  int sum = 0;
  {
    sycl::buffer<int> result(&sum, 1);
    sycl::queue().submit([&](sycl::handler& h) {
      sycl::accessor<const int, 1> a(b, h);
      sycl::accessor r(result, h, sycl::write_only);
      h.single_task([=] { r[0] = a[0] + a[1] + a[2]; });
    });
  }
  EXPECT_EQ(sum, 6);
  EXPECT_EQ(sycl::host_accessor<const int>(b)[2], 3);
}

TEST(sycl_spellings, accessors_say_how_they_were_made) {
  sycl::buffer<int> b(sycl::range<1>(8));
  sycl::accessor<int, 1> placeholder(b);
  EXPECT_TRUE(placeholder.is_placeholder());
  EXPECT_THROW(static_cast<void>(placeholder.get_property<sycl::property::no_init>()), sycl::exception);
  EXPECT_NE(std::hash<sycl::accessor<int>>()(placeholder), 0U);
  sycl::host_accessor part(b, sycl::range<1>(2), sycl::id<1>(3));
  EXPECT_EQ(part.get_pointer() + 3, &part[0]);
  sycl::accessor<int, 1, sycl::access_mode::read_write, sycl::target::host_buffer> of_old =
      sycl::host_accessor<int>(part);
  EXPECT_EQ(of_old.size(), 2U);
}

TEST(sycl_spellings, local_accessors_need_work_groups) {
  sycl::queue q;
  const auto code_of = [&](auto launch) {
    try {
      q.submit([&](sycl::handler& h) {
        sycl::local_accessor<int> tile(sycl::range<1>(4), h);
        launch(h, tile);
      });
    } catch (const sycl::exception& e) {
      return e.code();
    }
    return std::error_code();
  };
  EXPECT_EQ(code_of([](sycl::handler& h, auto tile) { h.single_task([=] { tile[0] = 1; }); }),
            sycl::errc::kernel_argument);
  EXPECT_EQ(code_of([](sycl::handler& h, auto tile) {
              h.parallel_for(sycl::range<1>(4), [=](sycl::id<1> i) { tile[i] = 1; });
            }),
            sycl::errc::kernel_argument);
  EXPECT_EQ(code_of([](sycl::handler& h, auto) { h.single_task([] {}); }), std::error_code()) << "it is not used";
}

// ---- buffers

struct copyable {
  copyable() = default;
  copyable(const copyable& other) : value(other.value) {} // not trivial
  copyable& operator=(const copyable&) = default;
  int value = 0;
};

} // namespace

template <>
struct sycl::is_device_copyable<copyable> : std::true_type {};

namespace {

TEST(sycl_spellings, buffers_of_device_copyable_types) {
  static_assert(sycl::is_device_copyable_v<std::pair<int, float>>);
  static_assert(sycl::is_device_copyable_v<std::tuple<int, std::pair<int, copyable>>>);
  static_assert(!sycl::is_device_copyable_v<std::string>);
  std::pair<int, float> pairs[2] = {{1, 2.f}, {3, 4.f}};
  copyable object;
  {
    sycl::buffer<std::pair<int, float>> b(pairs, 2);
    sycl::buffer<copyable> c(&object, 1);
    sycl::queue().submit([&](sycl::handler& h) {
      sycl::accessor a(b, h);
      sycl::accessor o(c, h);
      h.single_task([=] {
        a[1].first += a[0].first;
        o[0].value = 7;
      });
    });
  }
  EXPECT_EQ(pairs[1].first, 4);
  EXPECT_EQ(object.value, 7);
}

TEST(sycl_spellings, where_the_contents_of_a_buffer_go) {
  std::vector<int> host{1, 2, 3};
  {
    sycl::buffer<int> b(host.data(), host.size());
    b.set_final_data(static_cast<int*>(nullptr));
    b.get_host_access()[0] = 5;
  }
  EXPECT_EQ(host[0], 1);
  const std::shared_ptr<int[]> shared(new int[3]{});
  {
    sycl::buffer<int> b(host.data(), host.size());
    b.set_final_data(shared);
  }
  EXPECT_EQ(shared[2], 3);
  sycl::buffer<int> own(std::shared_ptr<int>(), sycl::range<1>(3));
  own.get_host_access()[2] = 5;
  const sycl::context where;
  sycl::buffer<int, 2> bound(sycl::range<2>(2, 3), {sycl::property::buffer::context_bound(where)});
  EXPECT_EQ(bound.get_property<sycl::property::buffer::context_bound>().get_context(), where);
  static_assert(std::is_same_v<decltype(bound.reinterpret<float>()), sycl::buffer<float, 2>>);
}

// ---- queues, events, host tasks

TEST(sycl_spellings, the_end_of_a_queue_does_not_wait) {
  std::promise<void> go;
  std::atomic<bool> ran{false};
  sycl::event last;
  last = sycl::queue().submit([&](sycl::handler& h) {
    h.host_task([&] {
      go.get_future().wait();
      ran = true;
    });
  });
  EXPECT_FALSE(ran);
  go.set_value();
  last.wait();
  EXPECT_TRUE(ran);
}

TEST(sycl_spellings, events_without_command_are_different) {
  const sycl::event a, b;
  const sycl::event c = a; // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_NE(a, b);
  EXPECT_EQ(a, c);
  EXPECT_EQ(std::hash<sycl::event>()(a), std::hash<sycl::event>()(c));
}

struct error_of_a_program {
  int number;
};

TEST(sycl_spellings, exceptions_of_host_tasks_keep_their_type) {
  int seen = 0;
  sycl::queue q([&](const sycl::exception_list& errors) {
    for (const std::exception_ptr& e : errors) {
      try {
        std::rethrow_exception(e);
      } catch (const error_of_a_program& error) {
        seen = error.number;
      }
    }
  });
  q.submit([](sycl::handler& h) { h.host_task([] { throw error_of_a_program{7}; }); });
  q.wait_and_throw();
  EXPECT_EQ(seen, 7);
}

TEST(sycl_spellings, a_second_queue_takes_what_the_first_refuses) {
  sycl::queue q, other;
  int calls = 0;
  bool ran = false;
  q.submit(
       [&](sycl::handler& h) {
         if (++calls == 1) {
           throw sycl::exception(sycl::errc::invalid);
         }
         h.single_task([&] { ran = true; });
       },
       other)
      .wait();
  EXPECT_EQ(calls, 2);
  EXPECT_TRUE(ran);
}

TEST(sycl_spellings, host_tasks_ask_for_the_backend) {
  sycl::backend seen{};
  sycl::queue q;
  q.submit([&](sycl::handler& h) { h.host_task([&](sycl::interop_handle ih) { seen = ih.get_backend(); }); }).wait();
  EXPECT_EQ(seen, q.get_backend());
}

// CloverLeaf asks so for the memory that it gives to MPI.
TEST(sycl_spellings, host_tasks_ask_for_native_memory) {
  sycl::buffer<int> values(sycl::range(4));
  std::ostringstream text;
  sycl::queue q;
  q.submit([&](sycl::handler& h) {
     const sycl::accessor a(values, h, sycl::write_only_host_task, sycl::no_init);
     h.host_task([=, &text](const sycl::interop_handle& ih) {
       switch (ih.get_backend()) {
       case sycl::backend::ext_oneapi_level_zero:
         text << ih.get_native_mem<sycl::backend::ext_oneapi_level_zero>(a);
         break;
       default: text << ih.get_backend(); break;
       }
       int* const memory = ih.get_native_mem<sycl::backend::lanefold_cpu>(a);
       std::iota(memory, memory + a.size(), 7);
     });
   }).wait();
  EXPECT_EQ(text.str(), "lanefold_cpu");
  EXPECT_EQ(sycl::host_accessor(values)[3], 10);
  sycl::event other = q.submit([&](sycl::handler& h) {
    const sycl::accessor a(values, h, sycl::read_only_host_task);
    h.host_task(
        [=](const sycl::interop_handle& ih) { static_cast<void>(ih.get_native_mem<sycl::backend::opencl>(a)); });
  });
  try {
    other.wait();
    q.throw_asynchronous();
    ADD_FAILURE() << "memory of another backend";
  } catch (const sycl::exception& e) {
    EXPECT_EQ(e.code(), sycl::errc::backend_mismatch) << e.what();
  }
}

// ---- kernel bundles

class some_kernel;

TEST(sycl_spellings, kernel_bundles_with_braces) {
  sycl::queue q;
  q.single_task<some_kernel>([] {}).wait();
  const sycl::context c = q.get_context();
  constexpr auto executable = sycl::bundle_state::executable;
  EXPECT_TRUE(sycl::has_kernel_bundle<executable>(c, {sycl::get_kernel_id<some_kernel>()}));
  EXPECT_TRUE((sycl::has_kernel_bundle<some_kernel, executable>(c, {q.get_device()})));
  EXPECT_TRUE(sycl::has_kernel_bundle<sycl::bundle_state::input>(c));
  const auto with = [](bool yes) { return [=](const sycl::device_image<executable>&) { return yes; }; };
  EXPECT_FALSE(sycl::get_kernel_bundle<executable>(c, with(true)).empty());
  EXPECT_TRUE(sycl::get_kernel_bundle<executable>(c, with(false)).empty());
  const auto bundle = sycl::get_kernel_bundle<some_kernel, executable>(c);
  EXPECT_EQ(bundle.end() - bundle.begin(), 1);
  EXPECT_TRUE(bundle.begin()->has_kernel(sycl::get_kernel_id<some_kernel>(), q.get_device()));
}

// ---- groups

TEST(sycl_spellings, the_names_of_1_2_1_in_groups) {
  std::size_t id = 0, linear = 0, global = 0;
  sycl::queue()
      .parallel_for(sycl::nd_range<2>({2, 2}, {1, 2}),
                    [&](sycl::nd_item<2> it) {
                      if (it.get_group(0) == 1 && it.get_local_linear_id() == 0) {
                        id = it.get_group().get_id(0);
                        linear = it.get_group().get_linear_id();
                        global = it.get_group().get_global_range(1);
                      }
                    })
      .wait();
  EXPECT_EQ(id, 1U);
  EXPECT_EQ(linear, 1U);
  EXPECT_EQ(global, 2U);
  EXPECT_FALSE(sycl::device().is_host() || sycl::queue().is_host() || sycl::platform().is_host());
}

static_assert(sycl::has_known_identity_v<sycl::minimum<sycl::half>, sycl::half>);
static_assert(sycl::known_identity_v<sycl::maximum<>, sycl::half> == -std::numeric_limits<sycl::half>::infinity());

// ---- selectors and items of SYCL 1.2.1

class private_selector : public sycl::device_selector {
  int operator()(const sycl::device& d) const override { return d.is_cpu() ? 1 : -1; }
};

TEST(sycl_spellings, selectors_with_a_private_operator) {
  EXPECT_TRUE(sycl::queue(private_selector()).get_device().is_cpu());
  EXPECT_TRUE(sycl::device(private_selector()).is_cpu());
}

static_assert(!std::is_convertible_v<decltype(sycl::cpu_selector_v), sycl::queue>);

TEST(sycl_spellings, selectors_of_1_2_1_convert_to_queues) {
  sycl::queue q;
  q = sycl::cpu_selector{};
  EXPECT_TRUE(q.get_device().is_cpu());
}

static_assert(std::is_same_v<sycl::item<2, true>, sycl::item<2>>);

TEST(sycl_spellings, items_say_that_they_have_an_offset) {
  std::vector<int> seen(3);
  int* const out = seen.data();
  sycl::queue().parallel_for(sycl::range<1>(3), [=](sycl::item<1, false> it) { out[it.get_id(0)] = 1; }).wait();
  EXPECT_EQ(seen, std::vector<int>(3, 1));
}

TEST(sycl_spellings, update_host_of_guarded_memory) {
  std::mutex guard;
  const std::shared_ptr<int> host(new int[2]{1, 2}, std::default_delete<int[]>());
  sycl::buffer<int> b(host, sycl::range<1>(2), {sycl::property::buffer::use_mutex(guard)});
  sycl::queue q;
  q.submit([&](sycl::handler& h) {
    sycl::accessor a(b, h);
    h.single_task([=] { a[1] = 5; });
  });
  q.submit([&](sycl::handler& h) {
     sycl::accessor a(b, h, sycl::read_only);
     h.update_host(a);
   }).wait();
  const std::lock_guard lock(guard);
  EXPECT_EQ(host.get()[1], 5);
}

TEST(sycl_spellings, update_host_after_set_final_data_of_nothing) {
  std::vector<int> host{1, 2};
  {
    sycl::buffer<int> b(host.data(), sycl::range<1>(2), {sycl::property::buffer::use_host_ptr()});
    b.set_final_data(nullptr);
    sycl::queue q;
    const auto write = [&](int value) {
      q.submit([&](sycl::handler& h) {
        sycl::accessor a(b, h);
        h.single_task([=] { a[1] = value; });
      });
    };
    write(5);
    q.submit([&](sycl::handler& h) {
       sycl::accessor a(b, h, sycl::read_only);
       h.update_host(a);
     }).wait();
    EXPECT_EQ(host[1], 5);
    write(6);
  }
  EXPECT_EQ(host[1], 5) << "the end of the buffer writes nothing";
}

TEST(sycl_spellings, accessors_are_deduced_beside_properties_in_braces) {
  sycl::buffer<int> b(10);
  sycl::queue q;
  q.submit([&](sycl::handler& h) {
     const sycl::accessor all{b, h, {sycl::no_init}};
     const sycl::accessor written{b, h, sycl::write_only, {sycl::no_init}};
     const sycl::accessor some{b, h, sycl::range<1>(5), {sycl::no_init}};
     const sycl::accessor middle{b, h, sycl::range<1>(5), sycl::id<1>(1), {sycl::property::no_init{}}};
     const sycl::accessor first{b, h, sycl::range<1>(5), sycl::write_only, {sycl::no_init}};
     const sycl::accessor last{b, h, sycl::range<1>(5), sycl::id<1>(5), sycl::write_only, {sycl::no_init}};
     const sycl::accessor braces{b, h, {5}, {2}, sycl::write_only, {sycl::no_init}};
     static_assert(std::is_same_v<decltype(all), const sycl::accessor<int, 1>>);
     static_assert(std::is_same_v<decltype(some), decltype(all)> && std::is_same_v<decltype(middle), decltype(all)>);
     static_assert(std::is_same_v<decltype(written), const sycl::accessor<int, 1, sycl::access_mode::write>>);
     static_assert(std::is_same_v<decltype(first), decltype(written)> &&
                   std::is_same_v<decltype(last), decltype(written)>);
     static_assert(std::is_same_v<decltype(braces), decltype(written)>);
     h.single_task([=] {
       for (int i = 0; i < 10; ++i) {
         all[i] = i;
       }
       last[0] = 55;
     });
   }).wait();
  const sycl::accessor read_later{b, sycl::read_only, {}};
  static_assert(std::is_same_v<decltype(read_later), const sycl::accessor<int, 1, sycl::access_mode::read>>);
  const sycl::host_accessor a(b);
  EXPECT_EQ(a[4], 4);
  EXPECT_EQ(a[5], 55);
}

} // namespace
