// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/property.hpp>

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE

struct property_list::contents {
  struct property {
    const std::type_info* type;
    std::shared_ptr<const void> value;
  };

  std::vector<property> each;
  std::atomic<std::size_t> lists = 1;

  /// Adds to a list that may be empty so far, which is a null pointer.
  static void add(contents*& to, property one) {
    if (to == nullptr) {
      to = new contents;
    }
    to->each.push_back(std::move(one));
  }
};

property_list property_list::joined(std::initializer_list<property_list> lists) {
  property_list all;
  for (const property_list& list : lists) {
    if (list.m_held != nullptr) {
      for (const contents::property& one : list.m_held->each) {
        contents::add(all.m_held, one);
      }
    }
  }
  return all;
}

void property_list::add(const std::type_info& type, const void* property, void (*deleter)(const void*)) {
  contents::add(m_held, {&type, std::shared_ptr<const void>(property, deleter)});
}

const void* property_list::find(const std::type_info& type) const noexcept {
  if (m_held == nullptr) {
    return nullptr;
  }
  for (const contents::property& each : m_held->each) {
    if (*each.type == type) {
      return each.value.get();
    }
  }
  return nullptr;
}

void property_list::retain() const noexcept { m_held->lists.fetch_add(1, std::memory_order_relaxed); }

void property_list::release() const noexcept {
  if (m_held->lists.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    delete m_held;
  }
}

LANEFOLD_END_NAMESPACE
