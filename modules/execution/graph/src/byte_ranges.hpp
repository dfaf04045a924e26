// SPDX-License-Identifier: Apache-2.0
/// A set of bytes, as ranges.
#pragma once

#include <lanefold/version.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

struct byte_range {
  std::size_t begin;
  std::size_t end;
  [[nodiscard]] std::size_t size() const noexcept { return end - begin; }
  friend bool operator==(const byte_range&, const byte_range&) = default;
};

/// The ranges are sorted, not empty, and do not touch. Linear in their number, which is small: one for each part of a
/// buffer that commands use on its own.
class byte_ranges {
public:
  void add(byte_range r) {
    if (r.begin >= r.end) {
      return;
    }
    const auto first = std::find_if(m_all.begin(), m_all.end(), [&](const byte_range& x) { return x.end >= r.begin; });
    const auto last = std::find_if(first, m_all.end(), [&](const byte_range& x) { return x.begin > r.end; });
    if (first != last) {
      r.begin = std::min(r.begin, first->begin);
      r.end = std::max(r.end, (last - 1)->end);
    }
    m_all.insert(m_all.erase(first, last), r);
  }

  void remove(byte_range r) {
    std::vector<byte_range> kept;
    kept.reserve(m_all.size() + 1);
    for (const byte_range& x : m_all) {
      if (x.begin < std::min(x.end, r.begin)) {
        kept.push_back({x.begin, std::min(x.end, r.begin)});
      }
      if (std::max(x.begin, r.end) < x.end) {
        kept.push_back({std::max(x.begin, r.end), x.end});
      }
    }
    m_all.swap(kept);
  }

  /// Returns what of `r` is in the set.
  [[nodiscard]] std::vector<byte_range> within(byte_range r) const {
    std::vector<byte_range> found;
    for (const byte_range& x : m_all) {
      if (std::max(x.begin, r.begin) < std::min(x.end, r.end)) {
        found.push_back({std::max(x.begin, r.begin), std::min(x.end, r.end)});
      }
    }
    return found;
  }

  /// Returns what of `r` is not in the set.
  [[nodiscard]] std::vector<byte_range> missing(byte_range r) const {
    byte_ranges rest;
    rest.add(r);
    for (const byte_range& x : m_all) {
      rest.remove(x);
    }
    return rest.m_all;
  }

private:
  std::vector<byte_range> m_all;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
