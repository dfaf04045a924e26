// SPDX-License-Identifier: Apache-2.0
/// Platforms, devices and what these can do; a device chosen by its aspects, errors that arrive later, and how long a
/// kernel took.
///
///     devices [elements]
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <vector>

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100000;

  for (const sycl::platform& platform : sycl::platform::get_platforms()) {
    std::cout << platform.get_info<sycl::info::platform::name>() << '\n';
    for (const sycl::device& device : platform.get_devices()) {
      std::cout << "  " << device.get_info<sycl::info::device::name>() << ": "
                << device.get_info<sycl::info::device::max_compute_units>() << " compute units, "
                << device.get_info<sycl::info::device::local_mem_size>() / 1024
                << " KiB of local memory, work-groups of at most "
                << device.get_info<sycl::info::device::max_work_group_size>() << '\n';
    }
  }

  // Any device that computes with doubles and shares memory with the host; queues of one context share its memory.
  const sycl::device device(sycl::aspect_selector(sycl::aspect::fp64, sycl::aspect::usm_shared_allocations));
  const sycl::context context(device);
  int errors = 0;
  const auto note = [&errors](const sycl::exception_list& all) { errors += static_cast<int>(all.size()); };
  sycl::queue q(context, device, note, sycl::property::queue::enable_profiling());
  if (!device.has(sycl::aspect::fp64) || q.get_context() != context) {
    std::cout << "this is not what was asked for\n";
    return 1;
  }

  double* const x = sycl::malloc_shared<double>(n, q);
  q.fill(x, 1.0, n).wait();
  sycl::event scaled = q.parallel_for(sycl::range(n), [=](sycl::id<1> i) { x[i] = 2 * x[i] + 1; });
  scaled.wait();
  const auto begin = scaled.get_profiling_info<sycl::info::event_profiling::command_start>();
  const auto end = scaled.get_profiling_info<sycl::info::event_profiling::command_end>();
  std::cout << "the kernel took " << static_cast<double>(end - begin) / 1e3 << " us on "
            << device.get_info<sycl::info::device::name>() << '\n';

  // The queue's handler gets what a host task throws, when somebody waits for it.
  q.submit([](sycl::handler& cgh) { cgh.host_task([] { throw std::runtime_error("the disk is full"); }); });
  q.wait_and_throw();

  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    wrong += x[i] != 3.0;
  }
  sycl::free(x, q);
  std::cout << wrong << " wrong, " << errors << " error of a host task\n";
  return wrong == 0 && errors == 1 && end >= begin ? 0 : 1;
}
