// SPDX-License-Identifier: Apache-2.0
/// <sycl/ext/intel/fpga_extensions.hpp>: pipes between kernels and with the host, selectors, loads and stores.
#include <CL/sycl/INTEL/fpga_extensions.hpp>
#include <sycl/ext/intel/fpga_extensions.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

namespace intel = sycl::ext::intel;

sycl::queue on_threads(std::size_t count) {
  return sycl::queue(sycl::property_list{lanefold::property::threads(count)});
}

/// A chain of kernels, of which each one reads what the one before it writes. They are submitted from the last to the
/// first, so that each waits for one that is not there yet.
template <int Stage>
using stage_pipe = intel::pipe<std::integral_constant<int, Stage>, int>;

template <int Stage>
void submit_stages(sycl::queue& q, int count) {
  q.single_task([=] {
    for (int i = 0; i < count; ++i) {
      stage_pipe<Stage>::write(stage_pipe<Stage - 1>::read() + 1);
    }
  });
  if constexpr (Stage > 1) {
    submit_stages<Stage - 1>(q, count);
  }
}

class pipes : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(threads, pipes, testing::Values(1, 2, 5));

TEST_P(pipes, kernels_wait_for_those_that_come_later) {
  constexpr int stages = 12;
  constexpr int count = 5000; // more than a pipe takes: writers wait, too
  sycl::queue q = on_threads(GetParam());
  std::vector<int> read(count);
  int* const out = read.data();
  q.single_task([=] {
    for (int i = 0; i < count; ++i) {
      out[i] = stage_pipe<stages>::read();
    }
  });
  submit_stages<stages>(q, count);
  q.single_task([=] {
    for (int i = 0; i < count; ++i) {
      stage_pipe<0>::write(i);
    }
  });
  q.wait();
  for (int i = 0; i < count; ++i) {
    ASSERT_EQ(read[static_cast<std::size_t>(i)], i + stages);
  }
}

TEST_P(pipes, questions_and_answers) {
  using question = intel::pipe<class question_id, int>;
  using answer = intel::pipe<class answer_id, int>;
  constexpr int count = 500;
  sycl::queue q = on_threads(GetParam());
  int sum = 0;
  int* const s = &sum;
  q.single_task([=] {
    for (int i = 1; i <= count; ++i) {
      question::write(i);
      *s += answer::read();
    }
    question::write(0);
  });
  q.single_task([] {
    while (const int asked = question::read()) {
      answer::write(2 * asked);
    }
  });
  q.wait();
  EXPECT_EQ(sum, count * (count + 1));
}

TEST_P(pipes, kernels_that_try_again_let_others_run) {
  using values = intel::pipe<class values_id, long, 4>;
  constexpr long count = 3000;
  sycl::queue q = on_threads(GetParam());
  std::vector<long> read(count);
  long* const out = read.data();
  q.single_task([=] {
    for (long i = 0; i < count; ++i) {
      bool success = false;
      while (!success) {
        out[i] = values::read(success);
      }
    }
  });
  q.single_task([] {
    for (long i = 0; i < count; ++i) {
      bool success = false;
      while (!success) {
        values::write(3 * i, success);
      }
    }
  });
  q.wait();
  for (long i = 0; i < count; ++i) {
    ASSERT_EQ(read[static_cast<std::size_t>(i)], 3 * i);
  }
}

/// A chain of kernels that ask again and again, with pauses, and never wait.
template <int Stage>
using asked_pipe = intel::pipe<std::integral_constant<int, -Stage>, int, 2>;

int asked(bool (*get)(int&)) {
  int value = 0;
  while (!get(value)) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return value;
}
template <int Stage>
int asked_value() {
  return asked([](int& value) {
    bool success = false;
    value = asked_pipe<Stage>::read(success);
    return success;
  });
}
template <int Stage>
void submit_asking_stages(sycl::queue& q, int count) {
  q.single_task([=] {
    for (int i = 0; i < count; ++i) {
      asked_pipe<Stage>::write(asked_value<Stage - 1>() + 1);
    }
  });
  if constexpr (Stage > 2) {
    submit_asking_stages<Stage - 1>(q, count);
  }
}

TEST_P(pipes, chains_of_kernels_that_try_again_let_others_run) {
  constexpr int stages = 9;
  constexpr int count = 20;
  sycl::queue q = on_threads(GetParam());
  std::vector<int> read(count);
  int* const out = read.data();
  q.single_task([=] {
    for (int i = 0; i < count; ++i) {
      out[i] = asked_value<stages>();
    }
  });
  submit_asking_stages<stages>(q, count);
  q.single_task([=] {
    for (int i = 0; i < count; ++i) {
      asked_pipe<1>::write(i);
    }
  });
  q.wait();
  for (int i = 0; i < count; ++i) {
    ASSERT_EQ(read[static_cast<std::size_t>(i)], i + stages - 1);
  }
}

/// A queue that may be made before it is known that the program has pipes.
sycl::queue of_the_namespace{sycl::property_list{lanefold::property::threads(1)}};

TEST(pipes_of_queues, made_before_main) {
  using values = intel::pipe<class before_main_id, int>;
  int read = 0;
  int* const out = &read;
  of_the_namespace.single_task([=] { *out = values::read(); });
  of_the_namespace.single_task([] { values::write(7); });
  of_the_namespace.wait();
  EXPECT_EQ(read, 7);
}

TEST_P(pipes, between_in_order_queues) {
  using values = intel::pipe<class queues_id, int>;
  const sycl::property_list how{sycl::property::queue::in_order(), lanefold::property::threads(GetParam())};
  sycl::queue reads(how);
  sycl::queue writes(how);
  int sum = 0;
  int* const s = &sum;
  reads.single_task([=] { *s = values::read(); });
  reads.single_task([=] { *s += 10 * values::read(); });
  writes.single_task([] { values::write(1); });
  writes.single_task([] { values::write(2); });
  reads.wait();
  EXPECT_EQ(sum, 21);
}

TEST_P(pipes, of_work_items) {
  using values = intel::pipe<class items_id, std::size_t>;
  constexpr std::size_t count = 4096;
  sycl::queue q = on_threads(GetParam());
  sycl::buffer<std::size_t> sum(sycl::range(1));
  q.submit([&](sycl::handler& h) {
    const sycl::accessor out(sum, h, sycl::write_only, sycl::no_init);
    h.single_task([=] {
      std::size_t all = 0;
      for (std::size_t i = 0; i < count; ++i) {
        all += values::read();
      }
      out[0] = all;
    });
  });
  q.parallel_for(sycl::nd_range<1>(count, 64), [](sycl::nd_item<1> it) {
    sycl::group_barrier(it.get_group());
    values::write(it.get_global_linear_id());
  });
  EXPECT_EQ(sycl::host_accessor(sum)[0], count * (count - 1) / 2);
}

TEST(pipe, takes_what_was_promised) {
  using small = intel::pipe<class small_id, int>;
  using large = intel::pipe<class large_id, int, 3000>;
  static_assert(large::min_capacity == 3000 && std::is_same_v<large::value_type, int>);
  sycl::queue q;
  int written[2] = {0, 0};
  int* const w = written;
  const auto fill = [=](auto write, int& count) {
    for (bool success = true; success; count += success ? 1 : 0) {
      write(count, success);
    }
  };
  q.single_task([=] {
     fill([](int i, bool& success) { small::write(i, success); }, w[0]);
     fill([](int i, bool& success) { large::write(i, success); }, w[1]);
   }).wait();
  EXPECT_EQ(written[0], 1024);
  EXPECT_EQ(written[1], 3000);
  // The values outlive the kernel.
  int wrong = 0;
  int* const bad = &wrong;
  q.single_task([=] {
     for (int i = 0; i < 1024; ++i) {
       *bad += small::read() != i ? 1 : 0;
     }
     bool success = true;
     *bad += small::read(success) != 0 || success ? 1 : 0;
   }).wait();
  EXPECT_EQ(wrong, 0);
  for (int i = 0; i < 3000; ++i) { // the host may call it, too
    ASSERT_EQ(large::read(), i);
  }
}

TEST(pipe, with_the_host) {
  using to_kernel = intel::experimental::pipe<class to_kernel_id, int>;
  using to_host = intel::experimental::pipe<class to_host_id, int>;
  sycl::queue q;
  q.single_task([] {
    while (const int x = to_kernel::read()) {
      to_host::write(x * x);
    }
  });
  for (int i = 1; i < 100; ++i) {
    to_kernel::write(q, i);
    ASSERT_EQ(to_host::read(q), i * i);
  }
  bool success = false;
  to_kernel::write(q, 0, success);
  EXPECT_TRUE(success);
  q.wait();
  EXPECT_EQ(to_host::read(q, success), 0);
  EXPECT_FALSE(success);
}

TEST(pipe, says_who_waits) {
  using never_yet = intel::pipe<class nobody_writes, int>;
  sycl::queue q;
  int got = 0;
  int* const g = &got;
  testing::internal::CaptureStderr();
  const sycl::event reads = q.single_task([=] { *g = never_yet::read() + never_yet::read(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  q.single_task([] {
    never_yet::write(20);
    std::this_thread::sleep_for(std::chrono::milliseconds(2500)); // it says so once
    never_yet::write(22);
  });
  q.wait();
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(got, 42);
  const std::string words = "has waited for two seconds to read from pipe '";
  ASSERT_NE(said.find(words), std::string::npos) << said;
  EXPECT_NE(said.find("nobody_writes', which is empty"), std::string::npos) << said;
  EXPECT_EQ(said.find(words), said.rfind(words)) << said;
}

TEST(fpga_extensions, selectors_choose_the_cpu) {
  for (const sycl::device& d :
       {sycl::device(intel::fpga_selector_v), sycl::device(intel::fpga_emulator_selector_v),
        sycl::device(intel::fpga_simulator_selector_v), sycl::device(intel::fpga_emulator_selector{}),
        sycl::device(sycl::INTEL::fpga_selector{}), sycl::device(sycl::INTEL::fpga_emulator_selector{}),
        sycl::queue(intel::fpga_selector{}).get_device()}) {
    EXPECT_TRUE(d.is_cpu());
  }
}

TEST(fpga_extensions, loads_and_stores) {
  using loads = intel::lsu<intel::prefetch<true>, intel::statically_coalesce<false>>;
  using stores = sycl::INTEL::lsu<sycl::INTEL::burst_coalesce<true>, sycl::INTEL::cache<1024>>;
  std::vector<float> x{1.5F, 2.5F, 3.5F};
  std::vector<float> y(3);
  {
    sycl::buffer from(x.data(), sycl::range(x.size()));
    sycl::buffer to(y.data(), sycl::range(y.size()));
    sycl::queue q;
    q.submit([&](sycl::handler& h) {
      const auto in = from.get_access<sycl::access_mode::read>(h);
      const auto out = to.get_access<sycl::access_mode::write>(h);
      h.single_task([=] {
        for (int i = 0; i < 3; ++i) {
          stores::store(out.get_pointer() + i, intel::fpga_reg(2 * loads::load(in.get_pointer() + i)));
        }
      });
    });
  }
  EXPECT_EQ(y, (std::vector<float>{3, 5, 7}));
  const float* const plain = x.data();
  EXPECT_EQ(loads::load(plain + 1), 2.5F);
}

} // namespace
