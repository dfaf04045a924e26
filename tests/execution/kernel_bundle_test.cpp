// SPDX-License-Identifier: Apache-2.0
// Kernel bundles: how they are made of each other, for which devices; what kernels ask of devices.

#include "thrown.hpp"

#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

namespace lf = lanefold;

namespace {

using lf::bundle_state;

class first_kernel;
class second_kernel;
class wide_kernel;
class huge_kernel;
class odd_kernel;

constexpr lf::specialization_id<int> read_constant{3};
constexpr lf::specialization_id<int> unread_constant{4};

} // namespace

template <>
inline constexpr auto lanefold::kernel_properties<wide_kernel> =
    lanefold::properties(lanefold::property::sub_group_size(32), lanefold::property::work_group_size<2, 64>());
template <>
inline constexpr auto lanefold::kernel_properties<huge_kernel> =
    lanefold::properties(lanefold::property::work_group_size<1'000'000>());
template <>
inline constexpr auto lanefold::kernel_properties<odd_kernel> =
    lanefold::properties(lanefold::property::sub_group_size(4099));

namespace {

TEST(kernel_bundles, are_built_for_devices_of_their_source) {
  const lf::context c;
  const std::vector<lf::device> devices = c.get_devices();
  const lf::property_list none;
  const auto input = lf::get_kernel_bundle<first_kernel, bundle_state::input>(c);
  const auto object = lf::compile(input, devices, none);
  EXPECT_EQ(object.get_devices(), devices);
  EXPECT_TRUE(lf::build(input, devices, none).has_kernel<first_kernel>(devices[0]));
  EXPECT_TRUE(lf::build(input, none).has_kernel<first_kernel>());
  EXPECT_EQ(lf::build(input, {devices[0], devices[0]}).get_devices().size(), 1U);
  const auto other = lf::compile(lf::get_kernel_bundle<second_kernel, bundle_state::input>(c), none);
  const auto both = lf::link({object, other}, devices, none);
  EXPECT_TRUE(both.has_kernel<first_kernel>() && both.has_kernel<second_kernel>());
  EXPECT_EQ(lf::link({object, other}).get_kernel_ids(), both.get_kernel_ids());
  EXPECT_TRUE(lf::link(object, devices).has_kernel<first_kernel>());
  const std::vector<lf::device> nothing;
  for (const std::function<void()>& wrong : std::vector<std::function<void()>>{
           [&] { std::ignore = lf::compile(input, nothing); }, [&] { std::ignore = lf::build(input, nothing); },
           [&] { std::ignore = lf::link(object, nothing); },
           [&] { std::ignore = lf::link(std::vector<lf::kernel_bundle<bundle_state::object>>(), nothing); },
           [&] { std::ignore = lf::link({object, lf::get_kernel_bundle<bundle_state::object>(lf::context())}); }}) {
    EXPECT_EQ(code_thrown_by(wrong), lf::errc::invalid);
  }
}

/// Programs that launch kernel objects compile, and are told why they cannot.
TEST(kernel_bundles, kernel_objects_cannot_be_launched) {
  lf::queue q;
  const lf::kernel k =
      lf::get_kernel_bundle<bundle_state::executable>(q.get_context()).get_kernel(lf::get_kernel_id<first_kernel>());
  const int number = 3;
  for (const std::function<void(lf::handler&)>& group : std::vector<std::function<void(lf::handler&)>>{
           [&](lf::handler& h) { h.set_arg(0, number); }, [&](lf::handler& h) { h.set_args(number, 2.F); },
           [&](lf::handler& h) { h.single_task(k); }, [&](lf::handler& h) { h.parallel_for(lf::range<1>(4), k); },
           [&](lf::handler& h) { h.parallel_for(lf::nd_range<2>({4, 4}, {2, 2}), k); }}) {
    EXPECT_EQ(code_thrown_by([&] { q.submit(group); }), lf::errc::feature_not_supported);
  }
}

TEST(kernel_bundles, joined_have_the_images_of_all) {
  const lf::context c;
  const auto one = lf::get_kernel_bundle<first_kernel, bundle_state::executable>(c);
  const auto two = lf::get_kernel_bundle<second_kernel, bundle_state::executable>(c);
  const auto none = lf::get_kernel_bundle<bundle_state::executable>(c, [](const auto&) { return false; });
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.begin(), none.end());
  const auto images = [](const auto& bundle) { return std::vector(bundle.begin(), bundle.end()); };
  ASSERT_EQ(images(one).size(), 1U);
  EXPECT_EQ(images(lf::join(std::vector{one, none})), images(one));
  EXPECT_EQ(images(lf::join(std::vector{one, one})), images(one));
  const auto all = lf::join(std::vector{none, one, two});
  EXPECT_EQ(images(all), (std::vector{*one.begin(), *two.begin()}));
  EXPECT_EQ(all.get_devices(), c.get_devices());
  EXPECT_TRUE(all.begin()[1].has_kernel(lf::get_kernel_id<second_kernel>()));
  using image = lf::device_image<bundle_state::executable>;
  static_assert(noexcept(std::declval<const image&>().has_kernel(std::declval<const lf::kernel_id&>(),
                                                                 std::declval<const lf::device&>())));
  EXPECT_FALSE(all.begin()[1].has_kernel(lf::get_kernel_id<first_kernel>(), c.get_devices()[0]));
  EXPECT_TRUE(lf::join(std::vector<lf::kernel_bundle<bundle_state::executable>>()).empty());
}

TEST(kernel_bundles, exist_in_all_states_on_the_cpu) {
  const lf::context c;
  const lf::device d = c.get_devices()[0];
  EXPECT_TRUE(d.has(lf::aspect::online_compiler));
  EXPECT_TRUE(d.has(lf::aspect::online_linker));
  EXPECT_TRUE(d.get_info<lf::info::device::is_compiler_available>());
  EXPECT_TRUE(d.get_info<lf::info::device::is_linker_available>());
  EXPECT_TRUE(lf::has_kernel_bundle<bundle_state::input>(c));
  EXPECT_TRUE((lf::has_kernel_bundle<first_kernel, bundle_state::object>(c)));
  EXPECT_TRUE(lf::has_kernel_bundle<bundle_state::executable>(c, std::vector<lf::kernel_id>()));
  EXPECT_EQ(code_thrown_by(
                [&] { std::ignore = lf::has_kernel_bundle<bundle_state::executable>(c, std::vector<lf::device>()); }),
            lf::errc::invalid);
}

TEST(kernel_bundles, know_which_constants_kernels_read) {
  lf::queue q;
  int got = 0;
  q.single_task<first_kernel>([&got](lf::kernel_handler h) { got = h.get_specialization_constant<read_constant>(); });
  q.wait();
  EXPECT_EQ(got, 3);
  const auto bundle = lf::get_kernel_bundle<bundle_state::executable>(q.get_context());
  EXPECT_TRUE(bundle.has_specialization_constant<read_constant>());
  EXPECT_FALSE(bundle.has_specialization_constant<unread_constant>());
  EXPECT_TRUE(bundle.contains_specialization_constants()); // whether or not a value was set
  const auto none = lf::get_kernel_bundle<bundle_state::executable>(q.get_context(), [](const auto&) { return false; });
  EXPECT_FALSE(none.has_specialization_constant<read_constant>());
  EXPECT_FALSE(none.contains_specialization_constants());
}

TEST(kernel_properties, hold_for_every_launch_of_the_kernel) {
  lf::queue q;
  unsigned size = 0;
  const auto launch = [&](lf::range<2> local) {
    q.parallel_for<wide_kernel>(lf::nd_range<2>(local, local), [&size](lf::nd_item<2> it) {
       if (it.get_global_linear_id() == 0) {
         size = it.get_sub_group().get_max_local_range()[0];
       }
     }).wait();
  };
  launch({2, 64});
  EXPECT_EQ(size, 32U);
  EXPECT_EQ(code_thrown_by([&] { launch({1, 128}); }), lf::errc::nd_range);
  namespace query = lf::info::kernel_device_specific;
  const auto bundle = lf::get_kernel_bundle<wide_kernel, bundle_state::executable>(q.get_context());
  const lf::kernel k = bundle.get_kernel<wide_kernel>();
  EXPECT_EQ(k.get_info<query::compile_sub_group_size>(q.get_device()), 32U);
  EXPECT_EQ(k.get_info<query::compile_work_group_size>(q.get_device()), lf::range<3>(1, 2, 64));
  namespace counts = lf::ext::oneapi::experimental::info::kernel_queue_specific;
  EXPECT_EQ(k.ext_oneapi_get_info<counts::max_num_work_groups>(q, lf::range<3>(1, 2, 64), 1024),
            q.get_device().get_info<lf::info::device::max_compute_units>());
}

TEST(kernel_properties, make_kernels_incompatible) {
  lf::queue q;
  const lf::context c = q.get_context();
  const lf::device d = q.get_device();
  EXPECT_TRUE(lf::is_compatible<wide_kernel>(d));
  EXPECT_FALSE(lf::is_compatible<odd_kernel>(d));
  EXPECT_FALSE(lf::is_compatible({lf::get_kernel_id<wide_kernel>(), lf::get_kernel_id<huge_kernel>()}, d));
  EXPECT_TRUE(lf::is_compatible(std::vector<lf::kernel_id>(), d));
  EXPECT_FALSE((lf::has_kernel_bundle<huge_kernel, bundle_state::executable>(c)));
  EXPECT_EQ(code_thrown_by([&] { std::ignore = lf::get_kernel_bundle<odd_kernel, bundle_state::executable>(c); }),
            lf::errc::invalid);
  EXPECT_FALSE(lf::get_kernel_bundle<bundle_state::executable>(c).has_kernel<huge_kernel>());
  EXPECT_EQ(code_thrown_by(
                [&] { q.parallel_for<huge_kernel>(lf::nd_range<1>(1'000'000, 1'000'000), [](lf::nd_item<1>) {}); }),
            lf::errc::kernel_not_supported);
  EXPECT_EQ(code_thrown_by([&] { q.parallel_for<odd_kernel>(lf::nd_range<1>(64, 64), [](lf::nd_item<1>) {}); }),
            lf::errc::kernel_not_supported);
}

} // namespace
