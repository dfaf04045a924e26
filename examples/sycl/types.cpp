// SPDX-License-Identifier: Apache-2.0
/// Types of SYCL beside vec: marray, half, pointers that know their address space, memory of the program's own (USM
/// through an allocator, buffers over it), counters that atomic operations order.
///
///     types [elements]
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <vector>

using triple = sycl::marray<float, 3>;
static_assert(sycl::is_device_copyable_v<triple>);

/// The length of what a pointer of any address space leads to: a function for global, local and private memory.
template <sycl::access::address_space Space>
float length(sycl::multi_ptr<const triple, Space, sycl::access::decorated::no> at) {
  const triple& t = *at;
  return sycl::sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
}

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 4096;
  constexpr std::size_t local = 64;
  const std::size_t groups = n / local;

  sycl::queue q;
  // A container of the standard library whose elements kernels can reach.
  using shared = sycl::usm_allocator<triple, sycl::usm::alloc::shared>;
  std::vector<triple, shared> vectors(groups * local, shared(q));
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    vectors[i] = triple(1, 2, 2) * static_cast<float>(i % 7);
  }
  std::vector<sycl::half> lengths(vectors.size());
  int long_ones = 0;
  {
    // The buffer works in the vector's own memory, and may be gone before the vector is.
    sycl::buffer results(lengths, {sycl::property::buffer::use_host_ptr()});
    sycl::buffer count(&long_ones, sycl::range(1));
    const triple* const from = vectors.data();
    q.submit([&](sycl::handler& cgh) {
      const sycl::accessor out(results, cgh, sycl::write_only);
      const sycl::accessor total(count, cgh, sycl::read_write);
      const sycl::local_accessor<triple, 1> tile(local, cgh);
      cgh.parallel_for(sycl::nd_range<1>(groups * local, local), [=](sycl::nd_item<1> it) {
        using space = sycl::access::address_space;
        const std::size_t i = it.get_global_id(0);
        tile[it.get_local_id(0)] = from[i];
        const triple mine = from[i] * 2.0F;
        sycl::group_barrier(it.get_group());
        const float in_global =
            length(sycl::address_space_cast<space::global_space, sycl::access::decorated::no>(from + i));
        const float in_local = length(sycl::address_space_cast<space::local_space, sycl::access::decorated::no>(
            static_cast<const triple*>(&tile[it.get_local_id(0)])));
        const float in_private =
            length(sycl::address_space_cast<space::private_space, sycl::access::decorated::no>(&mine));
        out[i] = sycl::half(in_global + in_local + in_private);
        if (in_global > 9) {
          sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> counter(total[0]);
          ++counter;
        }
      });
    });
  }

  std::size_t wrong = 0;
  int expected = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    wrong += static_cast<float>(lengths[i]) != static_cast<float>(4 * 3 * (i % 7));
    expected += 3 * (i % 7) > 9;
  }
  std::cout << wrong << " wrong lengths, " << long_ones << " of " << expected << " long ones counted\n";
  return wrong == 0 && long_ones == expected ? 0 : 1;
}
