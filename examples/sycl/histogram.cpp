// SPDX-License-Identifier: Apache-2.0
/// A histogram of bytes: each work-group counts in local memory with atomics of its own scope, and then adds its counts
/// to those of the device.
///
///     histogram [bytes]
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <vector>

constexpr std::size_t bins = 256;
constexpr std::size_t group_size = 256;
constexpr std::size_t per_item = 64;

template <sycl::memory_scope Scope, sycl::access::address_space Space>
using counter = sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, Scope, Space>;

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1'000'003;

  std::vector<std::uint8_t> data(n);
  std::vector<std::uint32_t> expected(bins, 0);
  std::uint32_t state = 12345;
  for (std::uint8_t& byte : data) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<std::uint8_t>((state >> 24) * (state >> 16 & 0xff) >> 8); // small values are frequent
    ++expected[byte];
  }

  std::vector<std::uint32_t> counts(bins, 0);
  sycl::queue q;
  {
    sycl::buffer data_buffer(data.data(), sycl::range{n});
    sycl::buffer counts_buffer(counts);
    const std::size_t per_group = group_size * per_item;
    const std::size_t groups = (n + per_group - 1) / per_group;

    q.submit([&](sycl::handler& h) {
      sycl::accessor bytes(data_buffer, h, sycl::read_only);
      sycl::accessor total(counts_buffer, h, sycl::read_write);
      sycl::local_accessor<std::uint32_t> local(bins, h);
      h.parallel_for(sycl::nd_range<1>(groups * group_size, group_size), [=](sycl::nd_item<1> it) {
        const std::size_t me = it.get_local_id(0);
        local[me] = 0;
        sycl::group_barrier(it.get_group());
        const std::size_t first = it.get_group(0) * per_group;
        const std::size_t last = sycl::min(first + per_group, n);
        for (std::size_t i = first + me; i < last; i += group_size) {
          counter<sycl::memory_scope::work_group, sycl::access::address_space::local_space>(local[bytes[i]])
              .fetch_add(1);
        }
        sycl::group_barrier(it.get_group());
        counter<sycl::memory_scope::device, sycl::access::address_space::global_space>(total[me]) += local[me];
      });
    });
  }

  std::size_t wrong = 0;
  for (std::size_t k = 0; k < bins; ++k) {
    wrong += counts[k] != expected[k];
  }
  std::cout << n << " bytes, " << counts[0] << " zeros, " << wrong << " wrong bins\n";
  return wrong == 0 ? 0 : 1;
}
