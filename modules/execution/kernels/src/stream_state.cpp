// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/stream_state.hpp>

#include <algorithm>
#include <cstdio>
#include <new>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void stream_state::add(std::size_t item, stream_statement& ended) {
  const std::lock_guard lock(m_guard);
  const std::size_t fits = std::min(ended.text().size(), total_size - m_used);
  m_dropped += ended.dropped() + ended.text().size() - fits;
  if (fits != 0) {
    m_statements.push_back({item, m_statements.size(), ended.text().substr(0, fits)});
    m_used += fits;
  }
  ended.begin_next();
}

void stream_state::command_ends() noexcept {
  try {
    if (m_source) {
      m_source->read_to(*this);
    }
  } catch (const std::bad_alloc&) {
    std::fputs("lanefold: there is no memory for the output of a stream\n", stderr);
  }
  const std::lock_guard lock(m_guard);
  // Those of one work-item have come in order: they have one writer.
  std::sort(m_statements.begin(), m_statements.end(), [](const statement& a, const statement& b) {
    return a.item != b.item ? a.item < b.item : a.arrival < b.arrival;
  });
  flockfile(stdout); // the output of one command in one piece
  for (const statement& s : m_statements) {
    std::fwrite(s.text.data(), 1, s.text.size(), stdout);
  }
  std::fflush(stdout);
  funlockfile(stdout);
  if (m_dropped != 0 || m_lost) {
    std::fprintf(stderr,
                 "lanefold: a stream of %zu characters, %zu a work-item, was too small: %zu characters of its kernel's "
                 "output%s are lost\n",
                 total_size, statement_size, m_dropped, m_lost ? " and more that a device has not kept" : "");
  }
  m_statements.clear();
  m_dropped = 0;
  m_lost = false;
}

} // namespace detail

LANEFOLD_END_NAMESPACE
