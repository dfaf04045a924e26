// SPDX-License-Identifier: Apache-2.0
/// Kernels that source files of both surfaces launch: function objects, whose types are the same in both.
#pragma once

#include <cstddef>
#include <vector>

namespace surfaces {

/// The lanes that an item stands for; 0 where it is none.
template <template <int, class> class Item, int D, class Lanes>
int lanes_of(const Item<D, Lanes>&) {
  return static_cast<int>(Lanes::size);
}
template <class Other>
  requires(!requires { typename Other::lanes; })
int lanes_of(const Other&) {
  return 0;
}

/// Notes how many lanes its item has.
struct note_lanes {
  int* lanes;
  template <class Item>
  void operator()(Item it) const {
    *lanes = lanes_of(it);
  }
  template <class Item, class Reducer>
  void operator()(Item it, Reducer& sum) const {
    *lanes = lanes_of(it);
    sum += std::size_t{1};
  }
};

/// A kernel of groups, which notes how many lanes their items have.
struct note_lanes_of_groups {
  int* lanes;
  template <class Group>
  void operator()(Group g) const {
    if constexpr (requires { g.get_physical_local_id(); }) {
      distribute_items(g, note_lanes{lanes});
    } else {
      g.parallel_for_work_item(note_lanes{lanes});
    }
  }
};

/// An operator and a predicate that take registers, too.
struct sum_of {
  template <class A, class B>
  auto operator()(const A& a, const B& b) const {
    return a + b;
  }
};
struct is_nine {
  template <class X>
  auto operator()(const X& x) const {
    return x == 9.f;
  }
};

/// What a source file made of these kernels, each in its own way.
std::vector<int> lanes_by_lanefold();
std::vector<int> lanes_by_sycl();

} // namespace surfaces
