// SPDX-License-Identifier: Apache-2.0
// Copies of many blocks as one command.

#include "thrown.hpp"

#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

namespace lf = lanefold;

namespace {

TEST(copy_blocks, gathers_and_scatters) {
  constexpr std::size_t blocks = 300, count = 37;
  std::vector<std::vector<double>> patches(blocks, std::vector<double>(count));
  std::vector<double*> addresses;
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::size_t i = 0; i < count; ++i) {
      patches[b][i] = static_cast<double>(b * count + i);
    }
    addresses.push_back(patches[b].data());
  }
  std::vector<double> all(blocks * count);
  double* const x = all.data();
  const std::span<double* const> scattered(addresses);
  for (const unsigned threads : {1U, 4U}) {
    lf::queue q(lf::property_list{lf::property::threads(threads)});
    const lf::event gathered = lf::copy_blocks(q, lf::gather_blocks(scattered, count, x));
    const lf::event changed = q.submit([&](lf::handler& h) {
      h.depends_on(gathered);
      h.parallel_for(lf::range<1>(all.size()), [=](lf::id<1> i) { x[i] += 1; });
    });
    lf::copy_blocks(q, lf::scatter_blocks(x, count, scattered), {changed}).wait();
  }
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(patches[b][i], static_cast<double>(b * count + i) + 2) << b << ' ' << i;
    }
  }
}

TEST(copy_blocks, of_several_sizes_and_shared_lists) {
  const std::vector<char> from(100, 'x');
  std::vector<char> to(100, '.');
  const auto list = std::make_shared<const std::vector<lf::block_copy>>(std::vector<lf::block_copy>{
      {from.data(), to.data(), 1}, {from.data() + 50, to.data() + 50, 20}, {nullptr, nullptr, 0}});
  lf::queue q(lf::property_list{lf::property::queue::in_order()});
  lf::copy_blocks(q, list);
  lf::copy_blocks(q, list);
  lf::copy_blocks(q, std::vector<lf::block_copy>());
  q.wait();
  EXPECT_EQ(std::count(to.begin(), to.end(), 'x'), 21);
}

TEST(copy_blocks, refuses_null_pointers) {
  lf::queue q;
  char c = 0;
  const std::vector<lf::block_copy> bad{{&c, &c, 0}, {&c, nullptr, 1}};
  EXPECT_EQ(code_thrown_by([&] { lf::copy_blocks(q, bad); }), lf::errc::invalid);
  const std::shared_ptr<const std::vector<lf::block_copy>> none;
  EXPECT_EQ(code_thrown_by([&] { lf::copy_blocks(q, none); }), lf::errc::invalid);
}

} // namespace
