// SPDX-License-Identifier: Apache-2.0
/// Sparse matrix times vector, compressed rows: once with a work-item for each row, once with a sub-group for each row.
///
///     spmv [rows]
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <vector>

struct csr_matrix {
  std::size_t rows = 0;
  std::vector<std::uint32_t> row_begin;
  std::vector<std::uint32_t> column;
  std::vector<double> value;
};

/// A band, and rows of very different lengths.
csr_matrix make_matrix(std::size_t rows) {
  csr_matrix m;
  m.rows = rows;
  m.row_begin.push_back(0);
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t entries = 1 + r % 3 * (r % 31);
    for (std::size_t e = 0; e < entries; ++e) {
      m.column.push_back(static_cast<std::uint32_t>((r + e * e) % rows));
      m.value.push_back(1.0 / static_cast<double>(1 + e));
    }
    m.row_begin.push_back(static_cast<std::uint32_t>(m.column.size()));
  }
  return m;
}

int main(int argc, char** argv) {
  const std::size_t rows = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 20'000;
  if (rows == 0) {
    std::cerr << "a matrix has rows\n";
    return 2;
  }
  csr_matrix m = make_matrix(rows);
  std::vector<double> x(rows), by_item(rows), by_sub_group(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    x[i] = static_cast<double>(i % 17) - 8;
  }

  try {
    sycl::queue q;
    sycl::buffer row_begin(m.row_begin);
    sycl::buffer column(m.column);
    sycl::buffer value(m.value);
    sycl::buffer x_buffer(x);
    sycl::buffer<double> y1(by_item.data(), rows);
    sycl::buffer<double> y2(by_sub_group.data(), rows);

    q.submit([&](sycl::handler& h) {
      auto begin = row_begin.get_access<sycl::access_mode::read>(h);
      auto columns = column.get_access<sycl::access_mode::read>(h);
      auto values = value.get_access<sycl::access_mode::read>(h);
      auto v = x_buffer.get_access<sycl::access_mode::read>(h);
      auto y = y1.get_access<sycl::access_mode::discard_write>(h);
      h.parallel_for(rows, [=](sycl::item<1> row) {
        double sum = 0;
        for (std::uint32_t e = begin[row]; e < begin[row.get_id(0) + 1]; ++e) {
          sum += values[e] * v[columns[e]];
        }
        y[row] = sum;
      });
    });

    q.submit([&](sycl::handler& h) {
      sycl::accessor begin(row_begin, h, sycl::read_only);
      sycl::accessor columns(column, h, sycl::read_only);
      sycl::accessor values(value, h, sycl::read_only);
      sycl::accessor v(x_buffer, h, sycl::read_only);
      sycl::accessor y(y2, h, sycl::write_only, sycl::no_init);
      constexpr std::size_t group_size = 64;
      const std::size_t groups = (rows + 15) / 16; // of 16 rows, whatever the sub-groups
      h.parallel_for(sycl::nd_range{sycl::range{groups * group_size}, sycl::range{group_size}},
                     [=](sycl::nd_item<1> it) {
                       const auto sg = it.get_sub_group();
                       const std::size_t first = it.get_group_linear_id() * 16;
                       for (std::size_t row = first + sg.get_group_linear_id(); row < first + 16 && row < rows;
                            row += sg.get_group_linear_range()) {
                         double sum = 0;
                         for (std::uint32_t e = begin[row] + sg.get_local_linear_id(); e < begin[row + 1];
                              e += sg.get_local_linear_range()) {
                           sum += values[e] * v[columns[e]];
                         }
                         sum = sycl::reduce_over_group(sg, sum, sycl::plus<>());
                         if (sg.leader()) {
                           y[row] = sum;
                         }
                       }
                     });
    });
  } catch (const sycl::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }

  double difference = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    double expected = 0;
    for (std::uint32_t e = m.row_begin[r]; e < m.row_begin[r + 1]; ++e) {
      expected += m.value[e] * x[m.column[e]];
    }
    difference = std::fmax(difference, std::fabs(by_item[r] - expected));
    difference = std::fmax(difference, std::fabs(by_sub_group[r] - expected));
  }
  std::cout << m.value.size() << " entries, largest difference " << difference << '\n';
  return difference < 1e-10 ? 0 : 1;
}
