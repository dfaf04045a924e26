// SPDX-License-Identifier: Apache-2.0
#include "lanefold_queues.hpp"

namespace lanefold_benchmarks::ours {

namespace {

template <class Index>
work with_ids_as(id_space over, const triad_arrays& of, const std::string& name) {
  lf::queue& q = queue_with(1);
  const auto [a, b, c, s, count] = of;
  const auto width = static_cast<Index>(256);
  const std::size_t rows = count / 256;
  switch (over) {
  case id_space::range:
    return {name,
            [=, &q] {
              q.parallel_for(lf::range<1>(count), [=](lf::id<1> at) {
                 const Index i = at[0];
                 a[i] = b[i] + s * c[i];
               }).wait();
            },
            {}};
  case id_space::range_2d:
    return {name,
            [=, &q] {
              q.parallel_for(lf::range<2>(rows, 256), [=](lf::id<2> at) {
                 const Index y = at[0], x = at[1];
                 a[y * width + x] = b[y * width + x] + s * c[y * width + x];
               }).wait();
            },
            {}};
  case id_space::nd_range:
    return {name,
            [=, &q] {
              q.parallel_for(lf::nd_range<1>(count, 256), [=](lf::nd_item<1> it) {
                 const Index i = it.get_global_id(0);
                 a[i] = b[i] + s * c[i];
               }).wait();
            },
            {}};
  case id_space::guarded: { // what is added to an id behind the condition
    const Index half = static_cast<Index>(count / 2);
    return {name,
            [=, &q] {
              q.parallel_for(lf::nd_range<1>(count / 2, 256), [=](lf::nd_item<1> it) {
                 const Index i = it.get_global_id(0);
                 if (i < half) {
                   a[i] = b[i] + s * c[i];
                   a[i + half] = b[i + half] + s * c[i + half];
                 }
               }).wait();
            },
            {}};
  }
  default: // as programs that came from CUDA
    return {name,
            [=, &q] {
              q.parallel_for(lf::nd_range<3>({1, 1, count}, {1, 1, 256}), [=](lf::nd_item<3> it) {
                 const Index i = it.get_group(2) * it.get_local_range(2) + it.get_local_id(2);
                 if (i < static_cast<Index>(count)) {
                   a[i] = b[i] + s * c[i];
                 }
               }).wait();
            },
            {}};
  }
}

} // namespace

work int_ids(id_space over, const triad_arrays& of) { return with_ids_as<int>(over, of, "int"); }
work size_ids(id_space over, const triad_arrays& of) { return with_ids_as<std::size_t>(over, of, "size_t"); }

} // namespace lanefold_benchmarks::ours
