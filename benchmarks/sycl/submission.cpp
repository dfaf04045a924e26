// SPDX-License-Identifier: Apache-2.0
/// Measures what a command costs beyond its work: 100,000 dependent ones through accessors of one buffer, against as
/// many calls through a thread pool; independent small kernels on two threads; a buffer's life around one kernel.
#include "programs.hpp"
#include "queues.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <unistd.h>
#include <vector>

namespace lanefold_benchmarks {

namespace {

sycl::queue in_order_queue_of(unsigned threads) {
  return sycl::queue{sycl::property_list{lanefold::property::threads(threads), sycl::property::queue::in_order{}}};
}

/// Adds 1 to the element of the buffer in each of so many commands, which depend on each other through it.
void submit_dependent(sycl::queue& q, sycl::buffer<std::uint64_t>& counter, std::size_t commands) {
  for (std::size_t i = 0; i < commands; ++i) {
    q.submit([&](sycl::handler& h) {
      sycl::accessor count(counter, h, sycl::read_write);
      h.single_task([=] { ++count[0]; });
    });
  }
}

std::size_t resident_bytes() {
  std::size_t total = 0, resident = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%zu %zu", &total, &resident) != 2)
      resident = 0;
    std::fclose(file);
  }
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

constexpr std::size_t dependent_commands = 100'000;

} // namespace

void measure_submission(report& to, const options& given) {
  if (given.absolute_times)
    return;
  sycl::queue q = queue_of(given.threads);
  std::uint64_t count = 0;
  const auto commands = [&] {
    sycl::buffer<std::uint64_t> counter(&count, sycl::range(1));
    submit_dependent(q, counter, dependent_commands);
  };
  volatile std::uint64_t called = 0;
  const work calls = by_hand::chained_calls([&called] { called = called + 1; }, dependent_commands, given.threads);
  commands();
  if (count != dependent_commands)
    return to.wrong("submission/dependent", std::to_string(count) + " commands ran");
  calls.run();
  if (called != dependent_commands)
    return to.wrong("submission/dependent", std::to_string(called) + " calls ran");

  sampling how = given.how;
  how.repetitions = 11;
  const comparison found = compare(commands, calls.run, how);
  const double scale = 1e6 / dependent_commands;
  to.note("a dependent command takes " + std::to_string(scale * found.seconds_a) + " us, a call through the pool " +
          std::to_string(scale * found.seconds_b) + " us");
  to.value("submission/dependent", scale * (found.seconds_a - found.seconds_b));

  // Finished commands leave nothing. Never more than 1,000 are unfinished: those are what it takes to be fast.
  sycl::buffer<std::uint64_t> counter{sycl::range(1)};
  counter.get_host_access()[0] = 0;
  constexpr std::size_t batch = 1000;
  std::size_t after_first = 0;
  for (std::size_t submitted = batch; submitted <= 10 * dependent_commands; submitted += batch) {
    submit_dependent(q, counter, batch);
    if (counter.get_host_access(sycl::read_only)[0] != submitted)
      return to.wrong("submission/memory", "commands are missing");
    if (submitted == dependent_commands)
      after_first = resident_bytes();
  }
  const std::size_t after_last = resident_bytes();
  to.value("submission/memory",
           after_last > after_first ? static_cast<double>(after_last - after_first) / 1024 / 1024 : 0);
}

/// Each kernel is one group of 64 work-items that iterate for some ten microseconds in all.
void measure_independent(report& to, const options& given) {
  constexpr std::size_t kernels = 10'000, items = 64;
  if (given.absolute_times)
    return;
  std::vector<float> result(kernels * items);
  const auto run_on = [&](sycl::queue& q) {
    for (std::size_t k = 0; k < kernels; ++k) {
      float* const out = result.data() + k * items;
      q.parallel_for(sycl::nd_range<1>(items, items), [=](sycl::nd_item<1> it) {
        float x = static_cast<float>(it.get_local_id(0)) / items;
        for (int round = 0; round < 400; ++round)
          x = 3.5f * x * (1 - x);
        out[it.get_local_id(0)] = x;
      });
    }
    q.wait();
  };
  sycl::queue any_order = queue_of(given.threads);
  sycl::queue one_by_one = in_order_queue_of(given.threads);
  const auto side_of = [&](const char* name, sycl::queue& q) {
    return side{{work{name, [&] { run_on(q); }, {}}},
                [&] { std::fill(result.begin(), result.end(), -1.f); },
                [&]() -> std::string {
                  for (const float x : result) {
                    if (!(x >= 0 && x <= 1))
                      return "a kernel did not run";
                  }
                  return {};
                },
                {},
                false};
  };
  to.compare("independent/in_order", quantity::speed, side_of("out of order", any_order),
             side_of("in order", one_by_one));
}

void measure_buffers(report& to, const options& given) {
  if (given.absolute_times)
    return;
  sycl::queue q = queue_of(given.threads);
  std::vector<float> host(256, 0.f);
  const auto once = [&] {
    sycl::buffer b(host);
    q.submit([&](sycl::handler& h) {
      sycl::accessor x(b, h, sycl::read_write);
      h.parallel_for(sycl::range(host.size()), [=](sycl::id<1> i) { x[i] += 1.f; });
    });
  };
  once();
  if (host.front() != 1.f || host.back() != 1.f)
    return to.wrong("buffers/round_trip", "the host does not see what the kernel wrote");
  to.value("buffers/round_trip", 1e6 * timed(once, given.how).median);
}

} // namespace lanefold_benchmarks
