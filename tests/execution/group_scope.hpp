// SPDX-License-Identifier: Apache-2.0
/// Says for a time whether the program has what keeps groups, or sub-groups, on a thread each.
#pragma once

#include <lanefold/memory/memory_order.hpp>

/// Other tests of this program have atomic operations with these scopes.
class group_scope_is_used {
public:
  explicit group_scope_is_used(bool by_groups, bool by_sub_groups = false)
      : m_groups(lanefold::detail::work_groups_stay_on_threads.exchange(by_groups)),
        m_sub_groups(lanefold::detail::sub_groups_stay_on_threads.exchange(by_sub_groups)) {}
  group_scope_is_used(const group_scope_is_used&) = delete;
  group_scope_is_used& operator=(const group_scope_is_used&) = delete;
  ~group_scope_is_used() {
    lanefold::detail::work_groups_stay_on_threads = m_groups;
    lanefold::detail::sub_groups_stay_on_threads = m_sub_groups;
  }

private:
  bool m_groups;
  bool m_sub_groups;
};
