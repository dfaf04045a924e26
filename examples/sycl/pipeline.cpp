// SPDX-License-Identifier: Apache-2.0
/// A pipeline over three queues: frames are read (by a host task), filtered and summed up (by kernels), and checked (by
/// another host task). Several frames are under way at the same time; buffers and events say what waits for what.
///
///     pipeline [frames] [pixels]
#include <sycl/sycl.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <vector>

namespace {

/// Returns what the camera sees.
std::uint16_t pixel(std::size_t frame, std::size_t i) {
  return static_cast<std::uint16_t>((i * 31 + frame * 17) % 1000);
}

struct stage_buffers {
  explicit stage_buffers(std::size_t pixels) : raw(sycl::range<1>(pixels)), smooth(sycl::range<1>(pixels)) {}
  sycl::buffer<std::uint16_t> raw;
  sycl::buffer<std::uint32_t> smooth;
  sycl::buffer<std::uint64_t> sum{sycl::range<1>(1)};
};

} // namespace

int main(int argc, char** argv) {
  const std::size_t frames = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 40;
  const std::size_t pixels = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 10'000;
  if (pixels < 3) {
    std::cerr << "a frame has at least 3 pixels\n";
    return 2;
  }

  sycl::queue reader, filter, checker;
  std::vector<stage_buffers> slots; // frames under way
  for (int i = 0; i < 3; ++i) {
    slots.emplace_back(pixels);
  }
  std::atomic<std::size_t> checked{0}, wrong{0};
  std::vector<sycl::event> done;

  for (std::size_t frame = 0; frame < frames; ++frame) {
    stage_buffers& slot = slots[frame % slots.size()];

    reader.submit([&](sycl::handler& h) {
      sycl::accessor raw{slot.raw, h, sycl::write_only_host_task, sycl::no_init};
      h.host_task([=] {
        for (std::size_t i = 0; i < pixels; ++i) {
          raw[i] = pixel(frame, i);
        }
      });
    });

    filter.submit([&](sycl::handler& h) {
      sycl::accessor raw{slot.raw, h, sycl::read_only};
      sycl::accessor smooth{slot.smooth, h, sycl::write_only, sycl::no_init};
      h.parallel_for(sycl::range{pixels}, [=](sycl::item<1> it) {
        const std::size_t i = it;
        const std::size_t left = i == 0 ? 0 : i - 1, right = i + 1 == pixels ? i : i + 1;
        smooth[i] = (raw[left] + 2u * raw[i] + raw[right]) / 4;
      });
    });
    filter.submit([&](sycl::handler& h) {
      sycl::accessor smooth{slot.smooth, h, sycl::read_only};
      h.parallel_for(
          sycl::range{pixels},
          sycl::reduction(slot.sum, h, sycl::plus<>(), {sycl::property::reduction::initialize_to_identity{}}),
          [=](sycl::id<1> i, auto& sum) { sum += smooth[i]; });
    });

    done.push_back(checker.submit([&](sycl::handler& h) {
      sycl::accessor sum{slot.sum, h, sycl::read_only_host_task};
      h.host_task([=, &checked, &wrong] {
        std::uint64_t expected = 0;
        for (std::size_t i = 0; i < pixels; ++i) {
          const std::size_t left = i == 0 ? 0 : i - 1, right = i + 1 == pixels ? i : i + 1;
          expected += (pixel(frame, left) + 2u * pixel(frame, i) + pixel(frame, right)) / 4;
        }
        ++checked;
        wrong += sum[0] != expected;
      });
    }));
  }
  sycl::event::wait(done);

  std::cout << checked << " frames, " << wrong << " wrong\n";
  return checked == frames && wrong == 0 ? 0 : 1;
}
