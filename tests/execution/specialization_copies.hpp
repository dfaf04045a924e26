// SPDX-License-Identifier: Apache-2.0
/// Constants that are made from a template, and functions that read them: two tests of one program include this.
#pragma once

#include <lanefold/execution.hpp>

#include <array>

namespace specialization_copies {

template <class T, int Default>
constexpr lanefold::specialization_id<T> constant{Default};

/// The program has one function for all its files, in which g++ names the constants of one file.
template <class T>
[[gnu::noinline]] std::array<T, 3> read(const lanefold::kernel_handler& h) {
  return {h.get_specialization_constant<constant<T, 1>>(), h.get_specialization_constant<constant<T, 2>>(),
          h.get_specialization_constant<constant<T, 3>>()};
}

/// What a kernel reads that gets 10 and 20 for the first two, through a bundle or a command group.
template <class Kernel, class T>
static std::array<T, 3> read_after_set(bool by_bundle) {
  std::array<T, 3> found{};
  std::array<T, 3>* const to = &found;
  lanefold::queue q;
  q.submit([&](lanefold::handler& h) {
     if (by_bundle) {
       auto bundle = lanefold::get_kernel_bundle<Kernel, lanefold::bundle_state::input>(q.get_context());
       bundle.template set_specialization_constant<constant<T, 1>>(T(10));
       bundle.template set_specialization_constant<constant<T, 2>>(T(20));
       h.use_kernel_bundle(lanefold::build(bundle));
     } else {
       h.set_specialization_constant<constant<T, 1>>(T(10));
       h.set_specialization_constant<constant<T, 2>>(T(20));
     }
     h.single_task<Kernel>([=](lanefold::kernel_handler kh) { *to = read<T>(kh); });
   }).wait_and_throw();
  return found;
}

} // namespace specialization_copies
