// SPDX-License-Identifier: Apache-2.0
/// Bitonic sort: exchanges between elements that lie close together are done in local memory with barriers, many steps
/// in one kernel; the others have a kernel each, in an in-order queue.
///
///     bitonic_sort [log2 of the number of elements]
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <vector>

using key = std::uint32_t;

/// Exchanges `a` and `b` if they are not in the order asked for.
inline void put_in_order(key& a, key& b, bool ascending) {
  if ((a > b) == ascending) {
    const key t = a;
    a = b;
    b = t;
  }
}

/// The lower of the two elements that work-item `i` compares at a distance (a power of two).
inline std::size_t lower_of_pair(std::size_t i, std::size_t distance) { return 2 * i - (i & (distance - 1)); }

/// The steps with distances below the size of a block; `from` and `to` are the lengths of the runs that are merged.
class sort_in_blocks {
public:
  sort_in_blocks(key* data, sycl::local_accessor<key, 1> block, std::size_t from, std::size_t to)
      : m_data(data), m_block(block), m_from(from), m_to(to) {}

  void operator()(sycl::nd_item<1> it) const {
    const std::size_t half = it.get_local_range(0);
    const std::size_t me = it.get_local_id(0);
    const std::size_t first = it.get_group(0) * 2 * half;
    m_block[me] = m_data[first + me];
    m_block[me + half] = m_data[first + me + half];
    for (std::size_t run = m_from; run <= m_to; run *= 2) {
      for (std::size_t distance = std::min(run / 2, half); distance > 0; distance /= 2) {
        sycl::group_barrier(it.get_group());
        const std::size_t low = lower_of_pair(me, distance);
        put_in_order(m_block[low], m_block[low + distance], ((first + low) & run) == 0);
      }
    }
    sycl::group_barrier(it.get_group());
    m_data[first + me] = m_block[me];
    m_data[first + me + half] = m_block[me + half];
  }

private:
  key* m_data;
  sycl::local_accessor<key, 1> m_block;
  std::size_t m_from, m_to;
};

void sort(sycl::queue& q, key* data, std::size_t n) {
  const std::size_t half = std::min<std::size_t>(n / 2, 128);
  const auto in_blocks = [&](std::size_t from, std::size_t to) {
    q.submit([&](sycl::handler& h) {
      sycl::local_accessor<key, 1> block(sycl::range<1>(2 * half), h);
      h.parallel_for(sycl::nd_range<1>(n / 2, half), sort_in_blocks(data, block, from, to));
    });
  };
  in_blocks(2, 2 * half);
  for (std::size_t run = 4 * half; run <= n; run *= 2) {
    for (std::size_t distance = run / 2; distance > half; distance /= 2) {
      q.parallel_for(sycl::range<1>(n / 2), [=](sycl::id<1> i) {
        const std::size_t low = lower_of_pair(i, distance);
        put_in_order(data[low], data[low + distance], (low & run) == 0);
      });
    }
    in_blocks(run, run);
  }
}

int main(int argc, char** argv) {
  const int log2n = argc > 1 ? std::atoi(argv[1]) : 15;
  if (log2n < 1 || log2n > 30) {
    std::cerr << "2 to 2^30 elements\n";
    return 2;
  }
  const std::size_t n = std::size_t{1} << log2n;

  sycl::queue q(sycl::default_selector_v, sycl::property::queue::in_order{});
  key* data = sycl::malloc_shared<key>(n, q);
  key state = 1;
  for (std::size_t i = 0; i < n; ++i) {
    state = state * 747796405u + 2891336453u;
    data[i] = state >> 4;
  }
  std::vector<key> expected(data, data + n);

  sort(q, data, n);
  q.wait();

  std::sort(expected.begin(), expected.end());
  const bool right = std::equal(expected.begin(), expected.end(), data);
  sycl::free(data, q);
  std::cout << n << " elements are " << (right ? "" : "not ") << "sorted\n";
  return right ? 0 : 1;
}
