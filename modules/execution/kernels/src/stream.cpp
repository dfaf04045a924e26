// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/stream.hpp>

#include <lanefold/execution/detail/stream_state.hpp>
#include <lanefold/simd/lane_context.hpp>

#include <cstdio>
#include <memory>
#include <new>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
stream::stream(std::size_t total_buffer_size, std::size_t work_item_buffer_size, const property_list& properties)
    : m_state(std::make_shared<detail::stream_state>(total_buffer_size, work_item_buffer_size, properties)) {}

std::shared_ptr<detail::command_attachment> stream::attachment() const { return m_state.share(); }

stream::stream(const stream& other) : m_state(other.m_state), m_note(other.m_note) {
  const detail::kernel_binding* const binding = detail::kernel_binding::current();
  if (binding != nullptr && binding->note != nullptr) {
    m_note = binding->note;
  }
  // A function of the kernel that gets the stream by value goes on where its caller has stopped.
  other.commit();
  m_item = other.m_item;
  copy_statements(other);
}

stream& stream::operator=(const stream& other) {
  if (this != &other) {
    commit();
    other.commit();
    m_state = other.m_state;
    m_note = other.m_note;
    m_item = other.m_item;
    copy_statements(other);
  }
  return *this;
}

stream::~stream() { commit(); }

void stream::copy_statements(const stream& other) {
  using statements = std::vector<detail::stream_statement>;
  m_statements = other.m_statements ? std::make_shared<statements>(*other.m_statements) : nullptr;
}

std::size_t stream::size() const noexcept { return m_state->total_size; }
std::size_t stream::get_work_item_buffer_size() const noexcept { return m_state->statement_size; }
const property_list& stream::properties() const noexcept { return m_state->properties; }

/// Other work-items begin with empty statements and the default format.
void stream::begin() const {
  const std::size_t count = m_note == nullptr || m_note->unit == nullptr ? 1 : m_note->unit->lanes;
  if (!m_statements) {
    m_statements = std::make_shared<std::vector<detail::stream_statement>>();
  }
  if (m_note != nullptr && m_note->position != m_item) {
    commit();
    m_item = m_note->position;
    m_statements->assign(count, {});
  } else if (m_statements->size() != count) {
    m_statements->resize(count);
  }
}

bool stream::runs(std::size_t lane) const noexcept {
  if (m_lane != all_lanes) {
    return lane == m_lane;
  }
  if (m_note == nullptr || m_note->unit == nullptr) {
    return true;
  }
  const detail::divergent_lanes& divergent = detail::current_divergent_lanes;
  return divergent.lanes != m_note->unit->lanes || m_note->unit->runs(divergent.active, lane);
}

void stream::commit(std::size_t lane) const noexcept {
  detail::stream_statement& ended = (*m_statements)[lane];
  if (!ended.has_output()) {
    return;
  }
  std::size_t item = m_item;
  if (m_note != nullptr && m_note->unit != nullptr) {
    item += lane / m_note->unit->columns * m_note->pitch + lane % m_note->unit->columns;
  }
  try {
    m_state->add(item, ended);
  } catch (const std::bad_alloc&) {
    std::fputs("lanefold: there is no memory for the output of a stream\n", stderr);
    ended.begin_next();
  }
}

void stream::commit() const noexcept {
  for (std::size_t lane = 0; m_statements && lane < m_statements->size(); ++lane) {
    commit(lane);
  }
}

void stream::put(const detail::stream_piece& piece) const {
  if (detail::stream_recorder* const kept = recorder()) {
    kept->put(*m_state, piece);
    return;
  }
  begin();
  for (std::size_t lane = 0; lane < m_statements->size(); ++lane) {
    if (runs(lane)) {
      (*m_statements)[lane].add(piece, m_state->statement_size);
      if (detail::ends_statement(piece)) {
        commit(lane);
      }
    }
  }
}

bool stream::has_lanes(std::size_t count) const {
  begin();
  return m_statements->size() == count;
}

LANEFOLD_END_NAMESPACE
