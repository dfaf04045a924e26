// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/property.hpp>

#include <atomic>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE

struct property_list::contents {
  std::vector<std::any> each;
  std::atomic<std::size_t> lists = 1;
};

property_list property_list::joined(std::initializer_list<property_list> lists) {
  property_list all;
  for (const property_list& list : lists) {
    for (const std::any& property : list.held()) {
      all.add(property);
    }
  }
  return all;
}

void property_list::add(std::any property) {
  if (m_held == nullptr) {
    m_held = new contents;
  }
  m_held->each.push_back(std::move(property));
}

std::span<const std::any> property_list::held() const noexcept {
  return m_held == nullptr ? std::span<const std::any>() : m_held->each;
}

void property_list::retain() const noexcept { m_held->lists.fetch_add(1, std::memory_order_relaxed); }

void property_list::release() const noexcept {
  if (m_held->lists.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    delete m_held;
  }
}

LANEFOLD_END_NAMESPACE
