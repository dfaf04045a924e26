// SPDX-License-Identifier: Apache-2.0
/// A barrier with a shift through local memory, over and over.
#include "programs.hpp"

namespace lanefold_benchmarks {

namespace {

using lanefold_peers::array;
namespace opencl = lanefold_peers::opencl;

struct shifted {
  shifted(std::size_t item_count, std::size_t group_size, unsigned round_count)
      : items(item_count), group(group_size), rounds(round_count), values(item_count) {}

  std::size_t items, group;
  unsigned rounds;
  array<std::uint32_t> values;

  expectation expected() {
    return {[this] { std::fill(values.begin(), values.end(), 0xdeadbeefu); },
            [this]() -> std::string {
              for (std::size_t first = 0; first < items; first += group) {
                const auto right =
                    lanefold_peers::barrier_shift_reference(static_cast<std::uint32_t>(first), group, rounds);
                for (std::size_t i = 0; i < group; ++i)
                  if (values[first + i] != right[i])
                    return "item " + std::to_string(first + i) + " is wrong";
              }
              return {};
            }};
  }
};

} // namespace

void measure_barrier(report& to, const options& given) {
  for (const std::size_t group : {std::size_t{32}, std::size_t{256}, std::size_t{1024}}) {
    shifted data(std::size_t{1} << (given.quick ? 16 : 18), group, 100);
    const auto expected = data.expected();
    const auto peer = [&](const opencl::device_ptr& on) {
      return opencl::barrier_shift(on, data.values.data(), data.items, data.group, data.rounds);
    };
    const std::string name = "barrier/shift/" + std::to_string(group);
    if (given.absolute_times) {
      const double nanoseconds = 1e9 / (static_cast<double>(data.items) * data.rounds);
      const auto forms_of = [&](ours::model model, ours::engine which) {
        return ours::barrier_shift(data.values.data(), data.items, data.group, data.rounds, model, which,
                                   given.threads);
      };
      to.absolute(name, expected.ours(forms_of(ours::model::lanes, ours::engine::native)), nanoseconds, "ns/item");
      to.absolute(name, expected.ours(forms_of(ours::model::work_item, ours::engine::native), ", native"), nanoseconds,
                  "ns/item");
      to.absolute(name, expected.ours(forms_of(ours::model::work_item, ours::engine::boost_fiber), ", boost_fiber"),
                  nanoseconds, "ns/item");
      if (group == 256)
        to.absolute(name,
                    expected.of(lanefold_peers::by_hand::barrier_shift(data.values.data(), data.items, data.rounds,
                                                                       given.threads)),
                    nanoseconds, "ns/item");
      to.absolute(name, expected.on(opencl::intel, peer), nanoseconds, "ns/item");
      to.absolute(name, expected.on(opencl::pocl, peer), nanoseconds, "ns/item");
    } else if (group != 32) {
      const auto lanes = ours::barrier_shift(data.values.data(), data.items, data.group, data.rounds,
                                             ours::model::lanes, ours::engine::native, given.threads);
      to.compare(name + "/intel", quantity::time, expected.of(lanes), expected.on(opencl::intel, peer));
      if (group == 256)
        to.compare(name + "/by_hand", quantity::speed, expected.of(lanes),
                   expected.of(lanefold_peers::by_hand::barrier_shift(data.values.data(), data.items, data.rounds,
                                                                      given.threads)));
    }
  }
  if (given.absolute_times)
    return;

  shifted data(std::size_t{1} << 13, 256, 100);
  const auto expected = data.expected();
  const auto engine = [&](ours::engine which) {
    return expected.of(ours::barrier_shift(data.values.data(), data.items, data.group, data.rounds,
                                           ours::model::work_item, which, given.threads));
  };
  to.compare("barrier/native/boost_fiber", quantity::speed, engine(ours::engine::native),
             engine(ours::engine::boost_fiber));
}

} // namespace lanefold_benchmarks
