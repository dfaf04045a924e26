// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/property.hpp>

LANEFOLD_BEGIN_NAMESPACE

property_list property_list::joined(std::initializer_list<property_list> lists) {
  property_list all;
  for (const property_list& list : lists) {
    all.m_properties.insert(all.m_properties.end(), list.m_properties.begin(), list.m_properties.end());
  }
  return all;
}

LANEFOLD_END_NAMESPACE
