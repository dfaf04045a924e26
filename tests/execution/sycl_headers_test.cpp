// SPDX-License-Identifier: Apache-2.0
/// <CL/sycl.hpp> and <sycl/sycl.hpp>: the names of SYCL 1.2.1 and of SYCL 2020 for one library.
#undef NDEBUG
// Programs have macros of such names before they include the header.
#define m_entry(matrix, i, j) ((matrix)->rows[i][j])
#define for_ for
#include <CL/sycl.hpp>
#include <CL/sycl/ONEAPI/dot_product.hpp>
#include <CL/sycl/access.hpp>
#include <CL/sycl/access/access.hpp>
#include <CL/sycl/accessor.hpp>
#include <CL/sycl/backend_types.hpp>
#include <CL/sycl/buffer.hpp>
#include <CL/sycl/builtins.hpp>
#include <CL/sycl/context.hpp>
#include <CL/sycl/device.hpp>
#include <CL/sycl/event.hpp>
#include <CL/sycl/exception.hpp>
#include <CL/sycl/handler.hpp>
#include <CL/sycl/id.hpp>
#include <CL/sycl/item.hpp>
#include <CL/sycl/nd_item.hpp>
#include <CL/sycl/nd_range.hpp>
#include <CL/sycl/platform.hpp>
#include <CL/sycl/properties/accessor_properties.hpp>
#include <CL/sycl/queue.hpp>
#include <CL/sycl/range.hpp>
#include <CL/sycl/types.hpp>
#include <sycl.hpp>
#include <sycl/aspects.hpp>
#include <sycl/atomic.hpp>
#include <sycl/backend.hpp>
#include <sycl/backend_types.hpp>
#include <sycl/bit_cast.hpp>
#include <sycl/detail/core.hpp>
#include <sycl/detail/defines_elementary.hpp>
#include <sycl/ext/oneapi/bfloat16.hpp>
#include <sycl/ext/oneapi/dot_product.hpp>
#include <sycl/ext/oneapi/experimental/bfloat16.hpp>
#include <sycl/ext/oneapi/experimental/builtins.hpp>
#include <sycl/ext/oneapi/experimental/complex/complex.hpp>
#include <sycl/ext/oneapi/experimental/device_architecture.hpp>
#include <sycl/ext/oneapi/experimental/enqueue_functions.hpp>
#include <sycl/ext/oneapi/experimental/graph.hpp>
#include <sycl/ext/oneapi/filter_selector.hpp>
#include <sycl/ext/oneapi/free_function_queries.hpp>
#include <sycl/ext/oneapi/matrix/matrix.hpp>
#include <sycl/ext/oneapi/properties/properties.hpp>
#include <sycl/ext/oneapi/work_group_memory.hpp>
#include <sycl/ext/oneapi/work_group_scratch_memory.hpp>
#include <sycl/ext/oneapi/work_group_static.hpp>
#include <sycl/functional.hpp>
#include <sycl/half_type.hpp>
#include <sycl/interop_handle.hpp>
#include <sycl/kernel.hpp>
#include <sycl/kernel_handler.hpp>
#include <sycl/nd_item.hpp>
#include <sycl/pointers.hpp>
#include <sycl/queue.hpp>
#include <sycl/types.hpp>
#include <sycl/usm.hpp>

#if defined(XSIMD_HPP) || defined(_IMMINTRIN_H_INCLUDED) || defined(__IMMINTRIN_H)
#error "plain SYCL programs read xsimd or the compiler's intrinsics, a fifth of what their compilation takes"
#endif

#include <gtest/gtest.h>

#include <cassert>
#include <iterator>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

// Programs open SYCL 1.2.1's namespace again. (Clang takes it for an alias.)
#if defined(__clang__)
#define OLDER_NAMESPACE sycl
#else
#define OLDER_NAMESPACE cl::sycl
namespace sycl = cl::sycl;
#endif
struct of_program {
  int value;
  ~of_program() {}
};
namespace OLDER_NAMESPACE {
template <>
struct is_device_copyable<of_program> : std::true_type {};
namespace helpers {
struct also_of_program {};
} // namespace helpers
} // namespace OLDER_NAMESPACE
static_assert(sycl::is_device_copyable_v<of_program> && std::is_class_v<cl::sycl::helpers::also_of_program>);

namespace {

static_assert(std::is_same_v<cl::sycl::queue, sycl::queue> && std::is_same_v<sycl::queue, lanefold::queue>);
static_assert(SYCL_LANGUAGE_VERSION == 202012L);

SYCL_EXTERNAL int checked(int i) {
  assert(i < 50);
  return 2 * i;
}

TEST(sycl_headers, a_plain_program) {
  cl::sycl::queue q{cl::sycl::default_selector{}};
  std::vector<int> out(40, 0);
  int* const o = out.data();
  q.submit([&](sycl::handler& h) {
     h.parallel_for<class doubles>(sycl::range<1>(out.size()),
                                   [=](sycl::id<1> i) { o[i] = checked(static_cast<int>(i)); });
   }).wait();
  for (std::size_t i = 0; i < out.size(); ++i) {
    ASSERT_EQ(out[i], 2 * static_cast<int>(i));
  }
}

TEST(sycl_headers, assert_names_the_work_item) {
  std::string text;
  sycl::queue q{[&](sycl::exception_list errors) {
    for (const std::exception_ptr& error : errors) {
      try {
        std::rethrow_exception(error);
      } catch (const sycl::exception& e) {
        text += e.what();
      }
    }
  }};
  q.parallel_for<class fails>(sycl::range<1>(51), [](sycl::id<1> i) { checked(static_cast<int>(i)); });
  q.wait_and_throw();
  EXPECT_NE(text.find("fails', work-item (50): "), std::string::npos) << text;
  EXPECT_NE(text.find("Assertion `i < 50' failed."), std::string::npos) << text;
}

TEST(sycl_headers, names_of_intels_headers_for_migrated_programs) {
  static_assert(std::is_same_v<sycl::detail::auto_name, lanefold::detail::unnamed>);
  std::ostringstream text;
  std::streambuf* const before = std::cerr.rdbuf(text.rdbuf());
  __SYCL_REPORT_EXCEPTION_TO_STREAM("in a destructor", sycl::exception(sycl::errc::runtime, "why"));
  std::cerr.rdbuf(before);
  EXPECT_EQ(text.str(), "in a destructor: why\n");
}

TEST(sycl_headers, errors_and_properties_of_others) {
  EXPECT_EQ(sycl::exception(sycl::errc::nd_range).get_cl_code(), static_cast<int>(sycl::errc::nd_range));
  namespace hints = sycl::ext::intel::property::queue;
  EXPECT_TRUE(sycl::queue(hints::immediate_command_list()).has_property<hints::immediate_command_list>());
  EXPECT_FALSE(sycl::queue(hints::no_immediate_command_list()).has_property<hints::immediate_command_list>());
  int memory[4] = {1, 2, 3, 4};
  sycl::queue q;
  sycl::ext::oneapi::experimental::prepare_for_device_copy(memory, sizeof(memory), q);
  q.fill(memory, 5, 4).wait();
  sycl::ext::oneapi::experimental::release_from_device_copy(memory, q.get_context());
  EXPECT_EQ(memory[3], 5);
  std::ostringstream name;
  name << sycl::backend::ext_oneapi_native_cpu;
  EXPECT_EQ(name.str(), "ext_oneapi_native_cpu");
}

/// Of oneAPI's extensions: parameters of graphs, and pools of memory.
TEST(sycl_headers, parameters_of_graphs_and_pools) {
  namespace experimental = sycl::ext::oneapi::experimental;
  constexpr std::size_t n = 40;
  sycl::queue q{sycl::property::queue::in_order()};
  experimental::memory_pool pool(q, sycl::usm::alloc::shared, experimental::property::memory_pool::zero_init());
  int* const x = static_cast<int*>(experimental::async_malloc_from_pool(q, n * sizeof(int), pool));
  experimental::command_graph graph(q);
  experimental::dynamic_parameter<int> step(graph, 1);
  experimental::node node = graph.add([&](sycl::handler& h) {
    h.parallel_for(sycl::nd_range<1>(n, 8), [=](sycl::nd_item<1> it) { x[it.get_global_id(0)] += step.get(); });
  });
  auto executable = graph.finalize(experimental::property::graph::updatable());
  q.ext_oneapi_graph(executable);
  step.update(10);
  node.update_nd_range(sycl::nd_range<1>(n / 2, 4));
  executable.update(node);
  q.ext_oneapi_graph(executable).wait();
  EXPECT_EQ(x[n / 2 - 1], 11);
  EXPECT_EQ(x[n / 2], 1);
  experimental::async_free(q, x);
}

// ---- names of SYCL 1.2.1, which <CL/sycl.hpp> brings

static_assert(std::is_same_v<cl::sycl::vector_class<cl::sycl::string_class>, std::vector<std::string>>);
static_assert(std::is_same_v<cl::sycl::ONEAPI::peer_access, sycl::ext::oneapi::peer_access>);
static_assert(std::is_same_v<cl::sycl::cl_half, sycl::half>);

TEST(sycl_headers, errors_of_1_2_1) {
  cl::sycl::queue q;
  try {
    q.parallel_for(cl::sycl::nd_range<1>(10, 3), [](cl::sycl::nd_item<1>) {});
    ADD_FAILURE() << "no error";
  } catch (const cl::sycl::nd_range_error& error) {
    EXPECT_EQ(error.code(), sycl::errc::nd_range);
  }
}

TEST(sycl_headers, accessors_of_a_part_in_braces) {
  std::vector<int> data(12, 0);
  {
    cl::sycl::buffer<int, 2> b(data.data(), {3, 4});
    cl::sycl::queue q;
    q.submit([&](cl::sycl::handler& h) {
      auto a = b.get_access<cl::sycl::access::mode::write>(h, {1, 2}, {2, 1});
      h.fill(a, 7);
    });
  }
  EXPECT_EQ(data, (std::vector<int>{0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 7, 0}));
}

// The accessor says how many bytes are copied, whatever the host memory is called.
TEST(sycl_headers, copies_of_bytes) {
  const std::vector<int> values{1, 2, 3, 4};
  std::vector<int> back(4, 0), part(2, 0);
  sycl::queue q;
  sycl::buffer<int> b{sycl::range<1>(4)};
  q.submit([&](sycl::handler& h) {
    h.copy(static_cast<const void*>(values.data()), sycl::accessor(b, h, sycl::write_only));
  });
  q.submit(
      [&](sycl::handler& h) { h.copy(sycl::accessor(b, h, sycl::read_only), reinterpret_cast<char*>(back.data())); });
  q.submit([&](sycl::handler& h) {
    h.copy(sycl::accessor(b, h, sycl::range<1>(2), sycl::id<1>(1), sycl::read_only), static_cast<void*>(part.data()));
  });
  q.wait();
  EXPECT_EQ(back, values);
  EXPECT_EQ(part, (std::vector<int>{2, 3}));
}

// Group algorithms over ranges take iterators.
static_assert(std::random_access_iterator<sycl::global_ptr<const int>>);
static_assert(std::random_access_iterator<sycl::raw_local_ptr<float>>);

TEST(sycl_headers, a_reduction_into_a_buffer_of_two_dimensions) {
  int sum = 5;
  {
    sycl::buffer<int, 2> b(&sum, {1, 1});
    sycl::queue q;
    q.submit([&](sycl::handler& h) {
      h.parallel_for(sycl::range<2>(3, 4), sycl::reduction(b, h, sycl::plus<int>()),
                     [](sycl::id<2> i, auto& total) { total += static_cast<int>(i[0] * 10 + i[1]); });
    });
  }
  EXPECT_EQ(sum, 5 + 120 + 18);
}

TEST(sycl_headers, usm_of_a_device_as_it_was_asked_for) {
  const sycl::device d;
  EXPECT_EQ(d.get_info<sycl::info::device::usm_shared_allocations>(), d.has(sycl::aspect::usm_shared_allocations));
  EXPECT_EQ(d.get_info<sycl::info::device::usm_system_allocations>(), d.has(sycl::aspect::usm_system_allocations));
}

TEST(sycl_headers, peers) {
  const sycl::device d;
  EXPECT_TRUE(d.ext_oneapi_can_access_peer(d));
  EXPECT_TRUE(d.ext_oneapi_can_access_peer(d, sycl::ext::oneapi::peer_access::atomics_supported));
  d.ext_oneapi_enable_peer_access(d);
  d.ext_oneapi_disable_peer_access(d);
}

/// Returns the name of an aspect, as the helper headers of SYCLomatic do.
std::string name_of(sycl::aspect of) {
#define __SYCL_ASPECT(name, number)                                                                                    \
  case sycl::aspect::name: static_assert(static_cast<int>(sycl::aspect::name) == (number)); return #name;
#define __SYCL_ASPECT_DEPRECATED(name, number, text) __SYCL_ASPECT(name, number)
#define __SYCL_ASPECT_DEPRECATED_ALIAS(name, number, text)
  switch (of) { // without a default: the compiler warns of one that is missing
#include <sycl/info/aspects.def>
#include <sycl/info/aspects_deprecated.def>
  }
#undef __SYCL_ASPECT_DEPRECATED_ALIAS
#undef __SYCL_ASPECT_DEPRECATED
#undef __SYCL_ASPECT
  return "unknown";
}

TEST(sycl_headers, aspects_have_a_list) {
  EXPECT_EQ(name_of(sycl::aspect::fp64), "fp64");
  EXPECT_EQ(name_of(sycl::aspect::ext_oneapi_is_component), "ext_oneapi_is_component");
}

} // namespace
