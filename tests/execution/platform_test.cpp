// SPDX-License-Identifier: Apache-2.0
/// Platforms, devices, contexts, selectors, and the queues made from them.
#include "thrown.hpp"

#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>

namespace lf = lanefold;

namespace {

TEST(platform, there_is_the_cpu) {
  const std::vector<lf::platform> all = lf::platform::get_platforms();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0], lf::platform());
  EXPECT_EQ(all[0], lf::platform(lf::cpu_selector_v));
  EXPECT_EQ(all[0].get_backend(), lf::backend::lanefold_cpu);
  EXPECT_TRUE(all[0].has(lf::aspect::cpu));
  EXPECT_FALSE(all[0].has(lf::aspect::gpu));
  EXPECT_EQ(all[0].get_devices(), std::vector{lf::device()});
  EXPECT_EQ(all[0].get_info<lf::info::platform::name>(), "Lanefold");
  EXPECT_EQ(all[0].get_info<lf::info::platform::vendor>(), "Lanefold");
  EXPECT_NE(all[0].get_info<lf::info::platform::version>().find(LANEFOLD_VERSION_STRING), std::string::npos);
  EXPECT_EQ(all[0].get_info<lf::info::platform::profile>(), "FULL_PROFILE");
  for (const std::string& name : all[0].get_info<lf::info::platform::extensions>()) {
    EXPECT_TRUE(all[0].has_extension(name)) << name;
  }
  EXPECT_FALSE(all[0].has_extension("cl_khr_no_such_thing"));
}

TEST(device, is_found_by_type) {
  using lf::info::device_type;
  const std::vector one{lf::device()};
  for (const device_type type : {device_type::all, device_type::cpu, device_type::automatic, device_type::host}) {
    EXPECT_EQ(lf::device::get_devices(type), one);
    EXPECT_EQ(lf::platform().get_devices(type), one);
  }
  for (const device_type type : {device_type::gpu, device_type::accelerator, device_type::custom}) {
    EXPECT_TRUE(lf::device::get_devices(type).empty());
  }
  EXPECT_EQ(lf::device().get_platform(), lf::platform());
}

TEST(device, says_what_it_is) {
  const lf::device d;
  EXPECT_TRUE(d.is_cpu());
  EXPECT_FALSE(d.is_gpu());
  EXPECT_FALSE(d.is_accelerator());
  EXPECT_TRUE(d.has(lf::aspect::fp64));
  EXPECT_TRUE(d.has(lf::aspect::usm_shared_allocations));
  EXPECT_TRUE(d.has(lf::aspect::image));
  EXPECT_FALSE(d.has(lf::aspect::emulated));
  static_assert(lf::any_device_has_v<lf::aspect::cpu> && lf::all_devices_have_v<lf::aspect::cpu>);
  static_assert(!lf::any_device_has_v<lf::aspect::gpu> && !lf::all_devices_have<lf::aspect::gpu>::value);
}

TEST(device, cannot_be_divided) {
  std::string text;
  const lf::errc code = code_thrown_by(
      [] { std::ignore = lf::device().create_sub_devices<lf::info::partition_property::partition_equally>(2); }, &text);
  EXPECT_EQ(code, lf::errc::feature_not_supported);
  EXPECT_NE(text.find("property::threads"), std::string::npos) << text;
}

TEST(selectors, of_the_standard) {
  EXPECT_EQ(lf::device(lf::default_selector_v), lf::device());
  EXPECT_EQ(lf::device(lf::cpu_selector_v), lf::device());
  EXPECT_TRUE(lf::queue(lf::default_selector_v).get_device().is_cpu());
  EXPECT_TRUE((lf::queue{lf::cpu_selector_v, lf::property::queue::in_order()}.is_in_order()));
  for (const auto& choose : std::vector<std::function<void()>>{
           [] { lf::device{lf::gpu_selector_v}; }, [] { const lf::queue q{lf::gpu_selector_v}; },
           [] { lf::platform{lf::gpu_selector_v}; }, [] { const lf::queue q{lf::gpu_selector{}}; }}) {
    std::string text;
    const lf::errc code = code_thrown_by(choose, &text);
    EXPECT_EQ(code, lf::errc::runtime);
    EXPECT_NE(text.find("GPU"), std::string::npos) << text;
    EXPECT_NE(text.find("cpu_selector_v"), std::string::npos) << text;
  }
  EXPECT_EQ(code_thrown_by([] { lf::device{lf::accelerator_selector_v}; }), lf::errc::runtime);
  for (const bool any : {true, false}) { // they have one type
    EXPECT_EQ(lf::queue(any ? lf::default_selector_v : lf::cpu_selector_v).get_device(), lf::device());
  }
}

TEST(selectors, take_the_cpu_where_the_environment_says_so) {
  setenv("LANEFOLD_SELECTOR", "cpu", 1);
  EXPECT_TRUE(lf::device(lf::gpu_selector_v).is_cpu());
  EXPECT_TRUE(lf::device(lf::gpu_selector{}).is_cpu());
  EXPECT_TRUE(lf::queue(lf::accelerator_selector_v).get_device().is_cpu());
  EXPECT_TRUE(lf::device(lf::default_selector_v).is_cpu());
  EXPECT_TRUE(lf::device(lf::aspect_selector<lf::aspect::gpu>()).is_cpu());
  setenv("LANEFOLD_SELECTOR", "gpu", 1);
  std::string text;
  const lf::errc code = code_thrown_by([] { lf::device{lf::gpu_selector_v}; }, &text);
  unsetenv("LANEFOLD_SELECTOR");
  EXPECT_EQ(code, lf::errc::invalid);
  EXPECT_NE(text.find("LANEFOLD_SELECTOR"), std::string::npos) << text;
}

TEST(selectors, of_sycl_1) {
  struct mine final : lf::device_selector {
    int operator()(const lf::device& d) const override { return d.is_cpu() ? 7 : -1; }
  };
  EXPECT_TRUE(lf::queue(lf::default_selector()).get_device().is_cpu());
  EXPECT_TRUE(lf::queue(lf::cpu_selector{}).get_device().is_cpu());
  EXPECT_TRUE(lf::queue(lf::host_selector{}).get_device().is_cpu());
  EXPECT_EQ(mine().select_device(), lf::device());
  const lf::device_selector& base = mine();
  EXPECT_EQ(lf::device(base), lf::device());
}

int plain_function(const lf::device& d) { return d.has(lf::aspect::cpu) ? 1 : -1; }

TEST(selectors, may_be_anything_that_can_be_called) {
  EXPECT_EQ(lf::device(plain_function), lf::device());
  EXPECT_EQ(lf::device(&plain_function), lf::device());
  EXPECT_EQ(lf::queue([](const lf::device&) { return 0; }).get_device(), lf::device());
  std::string text;
  const lf::errc code = code_thrown_by([] { const lf::queue q([](const lf::device&) { return -1; }); }, &text);
  EXPECT_EQ(code, lf::errc::runtime);
  EXPECT_NE(text.find(lf::device().get_name()), std::string::npos) << text;
  EXPECT_THROW(lf::device([](const lf::device&) -> int { throw std::logic_error("mine"); }), std::logic_error);
}

TEST(selectors, by_aspect) {
  using lf::aspect;
  EXPECT_EQ(lf::device(lf::aspect_selector(aspect::cpu, aspect::fp64)), lf::device());
  EXPECT_EQ(lf::device(lf::aspect_selector<aspect::cpu>()), lf::device());
  EXPECT_EQ(lf::device(lf::aspect_selector(std::vector{aspect::cpu}, {aspect::gpu})), lf::device());
  EXPECT_EQ(lf::device(lf::aspect_selector()), lf::device());
  EXPECT_EQ(code_thrown_by([] { lf::device{lf::aspect_selector(aspect::cpu, aspect::ext_intel_esimd)}; }),
            lf::errc::runtime);
  EXPECT_EQ(code_thrown_by([] { lf::device{lf::aspect_selector(std::vector{aspect::cpu}, {aspect::fp64})}; }),
            lf::errc::runtime);
}

TEST(selectors, by_a_filter) {
  using lf::ext::oneapi::filter_selector;
  for (const char* const text : {"cpu", "host", "0", "cpu:0", "lanefold_cpu", "lanefold_cpu:cpu", "lanefold_cpu:cpu:0",
                                 "lanefold_cpu:0", "gpu,cpu", "cuda:gpu,level_zero,host"}) {
    EXPECT_EQ(lf::device(filter_selector(text)), lf::device()) << text;
    EXPECT_EQ(filter_selector(text).select_device(), lf::device()) << text;
  }
  for (const char* const text :
       {"gpu", "accelerator", "cuda", "hip:gpu", "level_zero:gpu:1", "cpu:1000", "native_cpu"}) {
    EXPECT_EQ(code_thrown_by([&] { lf::device{filter_selector(text)}; }), lf::errc::runtime) << text;
  }
  for (const char* const text :
       {"", "cpus", "cpu:", "0:cpu", "cpu:lanefold_cpu", "cpu,", "cpu:cpu", "1:2", "-1", "host:cpu"}) {
    std::string message;
    const lf::errc code = code_thrown_by([&] { filter_selector{text}; }, &message);
    EXPECT_EQ(code, lf::errc::runtime) << text;
    EXPECT_NE(message.find("BACKEND:TYPE:NUMBER"), std::string::npos) << message;
  }
  setenv("LANEFOLD_SELECTOR", "cpu", 1);
  for (const char* const text : {"gpu:0", "opencl:gpu", "level_zero:gpu:1", "cuda"}) {
    EXPECT_EQ(lf::device(filter_selector(text)), lf::device()) << text;
  }
  unsetenv("LANEFOLD_SELECTOR");
}

TEST(context, each_construction_is_another_one) {
  const lf::context a;
  const lf::context b{lf::device()};
  const lf::context copy = a;
  EXPECT_EQ(a, copy);
  EXPECT_NE(a, b);
  EXPECT_NE(lf::context(lf::platform()), lf::context(std::vector{lf::device()}));
  EXPECT_EQ(a.get_devices(), std::vector{lf::device()});
  EXPECT_EQ(a.get_platform(), lf::platform());
  EXPECT_EQ(a.get_backend(), lf::backend::lanefold_cpu);
  EXPECT_EQ(a.get_info<lf::info::context::devices>(), a.get_devices());
  EXPECT_EQ(a.get_info<lf::info::context::platform>(), lf::platform());
  EXPECT_EQ(a.get_info<lf::info::context::reference_count>(), 2U);
  EXPECT_EQ(code_thrown_by([] { lf::context{std::vector<lf::device>()}; }), lf::errc::invalid);
}

TEST(context, of_a_queue) {
  const lf::queue plain;
  EXPECT_EQ(plain.get_context(), lf::queue().get_context()); // the default context
  EXPECT_EQ(plain.get_context(), lf::platform().khr_get_default_context());
  const lf::context mine;
  EXPECT_NE(plain.get_context(), mine);
  const lf::queue by_device(mine, lf::device());
  const lf::queue by_selector(mine, lf::cpu_selector_v, lf::property::queue::in_order());
  EXPECT_EQ(by_device.get_context(), mine);
  EXPECT_EQ(by_selector.get_context(), mine);
  EXPECT_TRUE(by_selector.is_in_order());
  EXPECT_EQ(by_device.get_info<lf::info::queue::context>(), mine);
  EXPECT_EQ(by_device.get_info<lf::info::queue::device>(), lf::device());
  EXPECT_EQ(by_device.get_info<lf::info::queue::reference_count>(), 1U);
  const lf::queue copy = by_device; // NOLINT: a second handle
  EXPECT_EQ(copy.get_info<lf::info::queue::reference_count>(), 2U);
  EXPECT_EQ(by_device.get_backend(), lf::backend::lanefold_cpu);
}

TEST(context, its_handler_gets_errors_of_queues_without_one) {
  std::atomic<int> of_context = 0;
  std::atomic<int> of_queue = 0;
  const auto count = [](std::atomic<int>& n) {
    return [&n](lf::exception_list errors) { n += static_cast<int>(errors.size()); };
  };
  const lf::context where(lf::device(), count(of_context));
  const auto fail = [](lf::queue q) {
    q.single_task([] { throw std::runtime_error("thrown on purpose"); });
    q.wait_and_throw();
  };
  fail(lf::queue(where, lf::device()));
  EXPECT_EQ(of_context, 1);
  fail(lf::queue(where, lf::default_selector_v, count(of_queue)));
  EXPECT_EQ(of_context, 1);
  EXPECT_EQ(of_queue, 1);
}

/// Handlers that take `auto` are no selectors.
TEST(queue_construction, generic_handler) {
  int errors = 0;
  lf::queue q([&](auto list) { errors += static_cast<int>(list.size()); });
  q.single_task([] { throw std::runtime_error("thrown on purpose"); });
  q.wait_and_throw();
  EXPECT_EQ(errors, 1);
}

TEST(handles, can_be_keys) {
  const lf::context a, b;
  EXPECT_EQ((std::unordered_set<lf::context>{a, b, a}.size()), 2U);
  const lf::queue p, q;
  EXPECT_EQ((std::unordered_set<lf::queue>{p, q, q}.size()), 2U);
  EXPECT_EQ((std::unordered_set<lf::device>{lf::device(), p.get_device()}.size()), 1U);
  EXPECT_EQ((std::unordered_set<lf::platform>{lf::platform(), lf::device().get_platform()}.size()), 1U);
  EXPECT_EQ((std::unordered_set<lf::event>{lf::event(), lf::event()}.size()), 2U);
}

TEST(event_info, handles_and_backend) {
  EXPECT_EQ(lf::event().get_info<lf::info::event::reference_count>(), 0U);
  lf::queue q;
  const lf::event e = q.single_task([] {});
  q.wait();
  const std::uint32_t before = e.get_info<lf::info::event::reference_count>();
  EXPECT_GE(before, 1U);
  const lf::event copy = e; // NOLINT: a second handle
  EXPECT_EQ(copy.get_info<lf::info::event::reference_count>(), before + 1);
  EXPECT_EQ(e.get_info<lf::info::event::command_execution_status>(), lf::info::event_command_status::complete);
  EXPECT_EQ(e.get_backend(), q.get_backend());
}

TEST(exceptions, may_have_a_context) {
  const lf::context where;
  const lf::exception with(where, lf::errc::nd_range, "in a context");
  EXPECT_TRUE(with.has_context());
  EXPECT_EQ(with.get_context(), where);
  EXPECT_EQ(with.code(), lf::errc::nd_range);
  EXPECT_STREQ(with.what(), "in a context");
  EXPECT_EQ(lf::exception(where, make_error_code(lf::errc::build)).code(), lf::errc::build);
  EXPECT_EQ(lf::exception(where, 3, lf::sycl_category(), std::string("x")).code().value(), 3);
  const lf::exception without(lf::errc::runtime, "nowhere");
  EXPECT_FALSE(without.has_context());
  EXPECT_EQ(code_thrown_by([&] { without.get_context(); }), lf::errc::invalid);
  static_assert(std::is_nothrow_copy_constructible_v<lf::exception>);
}

} // namespace
