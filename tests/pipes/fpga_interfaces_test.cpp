// SPDX-License-Identifier: Apache-2.0
/// What programs for FPGAs say of interfaces: arguments and pointers with annotations, properties, packets of streams.
#include <sycl/ext/intel/experimental/fpga_kernel_properties.hpp>
#include <sycl/ext/intel/experimental/pipes.hpp>
#include <sycl/ext/intel/fpga_extensions.hpp>
#include <sycl/ext/intel/prototype/host_pipes.hpp>
#include <sycl/ext/intel/prototype/interfaces.hpp>
#include <sycl/ext/intel/prototype/pipes_ext.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <type_traits>
#include <vector>

namespace {

namespace intel = sycl::ext::intel;
namespace exp_intel = sycl::ext::intel::experimental;
namespace exp_oneapi = sycl::ext::oneapi::experimental;

static_assert(CL_SUCCESS == 0 && CL_DEVICE_NOT_FOUND == -1);

constexpr int size = 16;

using input_argument =
    exp_oneapi::annotated_arg<const int*,
                              decltype(exp_oneapi::properties{
                                  exp_intel::buffer_location<1>, exp_intel::awidth<32>, exp_intel::dwidth<64>,
                                  exp_intel::latency<0>, exp_intel::maxburst<8>, exp_intel::read_write_mode_read,
                                  exp_intel::wait_request_requested, exp_oneapi::alignment<4>})>;
using number_argument =
    exp_oneapi::annotated_arg<int, decltype(exp_oneapi::properties{exp_intel::conduit, exp_intel::stable})>;
using output_pointer = exp_oneapi::annotated_ptr<int, decltype(exp_oneapi::properties{exp_intel::buffer_location<2>})>;
static_assert(std::is_trivially_copyable_v<input_argument> && std::is_trivially_copyable_v<output_pointer>);

/// A component as such programs write it: arguments are members.
struct component {
  input_argument in;
  number_argument factor;
  int* to;

  auto get(exp_oneapi::properties_tag) const {
    return exp_oneapi::properties{exp_intel::streaming_interface_accept_downstream_stall, exp_intel::pipelined<1>};
  }
  void operator()() const {
    output_pointer out(to);
    for (int i = 0; i < size; ++i) {
      *out++ = factor * in[i] + (i == 0 ? *in : 0);
    }
    to[0] += static_cast<int>(out - output_pointer(to));
  }
};

TEST(fpga_interfaces, arguments_are_what_they_annotate) {
  sycl::queue q{intel::fpga_emulator_selector_v};
  const exp_intel::property::usm::buffer_location first(1);
  int* const in = sycl::malloc_shared<int>(size, q, sycl::property_list{first});
  int* const out = sycl::malloc_shared<int>(size, q, first);
  std::iota(in, in + size, 5);
  q.single_task(component{in, 3, out}).wait();
  EXPECT_EQ(out[0], 3 * 5 + 5 + size);
  for (int i = 1; i < size; ++i) {
    EXPECT_EQ(out[i], 3 * (i + 5)) << i;
  }
  sycl::free(in, q);
  sycl::free(out, q);
}

using beat = exp_intel::StreamingBeat<int, true, true>;
using packets = exp_intel::pipe<class packets_id, beat, 0,
                                decltype(exp_oneapi::properties{exp_intel::ready_latency<0>,
                                                                exp_intel::bits_per_symbol<8>, exp_intel::uses_valid_on,
                                                                exp_intel::first_symbol_in_high_order_bits<true>,
                                                                exp_intel::protocol_avalon_streaming_uses_ready})>;

TEST(fpga_interfaces, pipes_carry_packets) {
  sycl::queue q;
  std::vector<int> seen(4);
  const sycl::event reads = q.single_task([to = seen.data()] {
    for (bool last = false; !last;) {
      const beat b = packets::read();
      to[0] += b.data;
      to[1] += b.sop ? 1 : 0;
      to[2] += 1;
      to[3] = b.empty;
      last = b.eop;
    }
  });
  packets::write(q, beat(10, true, false));
  packets::write(q, beat(20, false, false));
  packets::write(q, beat(30, false, true, 2));
  sycl::event(reads).wait();
  EXPECT_EQ(seen, (std::vector<int>{60, 1, 3, 2}));
}

exp_oneapi::device_global<int[2], decltype(exp_oneapi::properties(
                                      exp_oneapi::device_image_scope, exp_oneapi::host_access_write,
                                      exp_oneapi::init_mode_reset, exp_oneapi::implement_in_csr_on))>
    weights;

TEST(fpga_interfaces, functions_run_as_they_are) {
  sycl::queue q;
  std::vector<int> values{1, 2, 3, 4};
  const std::vector<int> given{7, 9};
  q.memcpy(weights, given.data()).wait();
  q.single_task([x = values.data()] {
     intel::math_dsp_control<intel::Preference::Softlogic, intel::Propagate::Off>([&] { x[0] += weights[0]; });
     intel::fpga_loop_fuse([&] { x[1] += weights[1]; });
     intel::fpga_loop_fuse_independent<2>([&] { x[2] += 1; });
     using unit = exp_intel::lsu<exp_intel::burst_coalesce<false>, exp_intel::statically_coalesce<false>>;
     const int loaded = unit::load(x + 3, exp_oneapi::properties(exp_intel::latency_anchor_id<0>));
     unit::store(x + 3, loaded * 2,
                 exp_oneapi::properties(exp_intel::latency_constraint<0, exp_intel::latency_control_type::exact, 5>));
   }).wait();
  EXPECT_EQ(values, (std::vector<int>{8, 11, 4, 8}));
}

} // namespace
