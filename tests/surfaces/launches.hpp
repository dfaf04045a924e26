// SPDX-License-Identifier: Apache-2.0
/// The launches of both source files. A macro: a function of a header would be one function with two meanings.
#pragma once

#define LAUNCH_ALL_KERNELS(lanes)                                                                                      \
  lanefold::queue q;                                                                                                   \
  int* const result = &(lanes)[10];                                                                                    \
  std::size_t sum = 0;                                                                                                 \
  q.parallel_for(lanefold::nd_range<1>(64, 64), note_lanes{&(lanes)[0]}).wait();                                       \
  q.parallel_for(lanefold::range<1>(1), note_lanes{&(lanes)[1]}).wait();                                               \
  q.parallel_for(lanefold::range<1>(1), lanefold::reduction(&sum, lanefold::plus<>()), note_lanes{&(lanes)[2]})        \
      .wait();                                                                                                         \
  q.parallel_for(lanefold::nd_range<1>(64, 64), lanefold::reduction(&sum, lanefold::plus<>()),                         \
                 note_lanes{&(lanes)[3]})                                                                              \
      .wait();                                                                                                         \
  q.submit([&](lanefold::handler& h) {                                                                                 \
     h.parallel_for(lanefold::range<2>(1, 1), lanefold::id<2>(1, 1), note_lanes{&(lanes)[4]});                         \
   }).wait();                                                                                                          \
  q.single_task(note_lanes{&(lanes)[5]}).wait();                                                                       \
  q.parallel(lanefold::range<1>(1), lanefold::range<1>(64), note_lanes_of_groups{&(lanes)[6]}).wait();                 \
  q.submit([&](lanefold::handler& h) {                                                                                 \
     h.parallel_for_work_group(lanefold::range<1>(1), lanefold::range<1>(64), note_lanes_of_groups{&(lanes)[7]});      \
   }).wait();                                                                                                          \
  lanefold::khr::launch(q, lanefold::range<1>(1), note_lanes{&(lanes)[8]});                                            \
  q.wait();                                                                                                            \
  (lanes)[9] = static_cast<int>(q.get_device().get_info<lanefold::info::device::sub_group_sizes>().front());           \
  q.parallel_for(lanefold::nd_range<1>(64, 64), [=](lanefold::nd_item<1> it) {                                         \
     const auto g = it.get_group();                                                                                    \
     static const float x[3] = {1, 4, 9};                                                                              \
     static float y[3];                                                                                                \
     lanefold::joint_exclusive_scan(g, x, x + 3, y, 0.f, sum_of{});                                                    \
     const float reduced = lanefold::joint_reduce(g, x, x + 3, 0.f, sum_of{});                                         \
     const bool any = lanefold::joint_any_of(g, x, x + 3, is_nine{});                                                  \
     const lanefold::vec<float, 4> roots = lanefold::sqrt(lanefold::vec<float, 4>(x[0], x[1], x[2], 16));              \
     *result = static_cast<int>(reduced + y[2] + roots[2] + roots[3]) + static_cast<int>(any);                         \
   }).wait()
