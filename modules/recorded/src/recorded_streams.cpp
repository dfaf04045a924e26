// SPDX-License-Identifier: Apache-2.0
#include <lanefold/recorded/detail/recorded_streams.hpp>

#include <lanefold/exception.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Words of a record before its values.
constexpr std::size_t head_words = 3;

/// Words of the memory in which a device keeps what it writes: a record has a character at least, and five words for
/// one at most, unless all it does is to set the format.
std::size_t words_of(const stream_state& state) {
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max() / sizeof(std::uint32_t);
  return std::min(state.total_size, most / 5) * 5 + 256;
}

std::size_t values_of(const recorded_format& format) {
  std::size_t words = 0;
  for (const recorded_piece& p : format) {
    words += p.words;
  }
  return words;
}

/// The bits of a value as stream_piece has them.
std::uint64_t bits_of_words(const recorded_piece& what, const std::uint32_t* words) {
  if (what.words == 2) {
    return words[0] | std::uint64_t{words[1]} << 32;
  }
  switch (what.piece.what) {
  case stream_piece::kind::real: return std::bit_cast<std::uint64_t>(double{std::bit_cast<float>(words[0])});
  case stream_piece::kind::signed_number:
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(words[0])});
  default: return words[0];
  }
}

} // namespace

// ---- what a command has written

std::vector<stream_records::record> stream_records::all_records(stream_state& to) const {
  std::vector<record> records;
  const std::size_t behind = 1 + std::size_t{m_words[0]}, end = std::min(behind, m_words.size());
  if (end != behind) { // there was no room for all; the last that there was may be unused
    to.lose_statements();
  }
  for (std::size_t at = 1; at < end && m_words[at] != 0;) {
    const recorded_format& format = m_formats[m_words[at] - 1];
    records.push_back({m_words[at + 1] | std::uint64_t{m_words[at + 2]} << 32, at + head_words, &format});
    at += head_words + values_of(format);
  }
  std::sort(records.begin(), records.end(),
            [](const record& a, const record& b) { // those of one item have come in order
              return a.item != b.item ? a.item < b.item : a.at < b.at;
            });
  return records;
}

void stream_records::read_to(stream_state& to) {
  stream_statement statement;
  std::uint64_t item = 0;
  for (const record& r : all_records(to)) {
    if (r.item != item) {
      to.add(item, statement);
      statement = {};
      item = r.item;
    }
    std::size_t at = r.at;
    for (const recorded_piece& p : *r.format) {
      stream_piece piece = p.piece;
      piece.text = p.text;
      if (p.words != 0) {
        piece.bits = bits_of_words(p, m_words.data() + at);
        at += p.words;
      }
      statement.add(piece, to.statement_size);
      if (ends_statement(piece)) {
        to.add(item, statement);
      }
    }
  }
  to.add(item, statement);
}

// ---- what a kernel writes

void refuse_stream() {
  throw exception(
      make_error_code(errc::kernel),
      "a recorded kernel writes to a stream that it has not captured: make the stream in the command group, "
      "and capture it by value, [=]");
}

recorded_streams::stream_of_kernel& recorded_streams::of(stream_state& state) {
  m_recorder.check_may_store();
  const auto found = std::find_if(m_streams.begin(), m_streams.end(),
                                  [&](const stream_of_kernel& each) { return each.state == &state; });
  if (found != m_streams.end()) {
    return *found;
  }
  const std::size_t argument = m_memory.add_stream(&state);
  m_streams.push_back({&state, argument, m_recorder.array_at(&state, recorded_type::u32, false), {}, {}, {}});
  return m_streams.back();
}

void recorded_streams::put(stream_state& to, const stream_piece& piece) {
  recorded_format& pending = of(to).pending;
  pending.push_back({{piece.what, piece.bytes, piece.bits, {}}, std::string(piece.text)});
}

void recorded_streams::put_number(stream_state& to, stream_piece::kind what, std::size_t bytes, const void* place) {
  const auto plain = [&]<class T>(std::type_identity<T>) {
    const recorded_value<T> value(m_recorder, m_recorder.plain(*static_cast<const T*>(place)));
    if (m_recorder.node(value.node()).op == recorded_op::literal) {
      T number{};
      std::memcpy(static_cast<void*>(&number), &m_recorder.node(value.node()).detail, sizeof(T));
      put(to, number_piece(number));
    } else {
      put_value(to, value);
    }
  };
  using kind = stream_piece::kind;
  switch (what) {
  case kind::character: plain(std::type_identity<std::uint8_t>()); break;
  case kind::signed_number:
    bytes == 1   ? plain(std::type_identity<bool>())
    : bytes == 2 ? plain(std::type_identity<std::int16_t>())
    : bytes == 4 ? plain(std::type_identity<std::int32_t>())
                 : plain(std::type_identity<std::int64_t>());
    break;
  case kind::unsigned_number:
    bytes == 2   ? plain(std::type_identity<std::uint16_t>())
    : bytes == 4 ? plain(std::type_identity<std::uint32_t>())
                 : plain(std::type_identity<std::uint64_t>());
    break;
  default:
    bytes == 2   ? plain(std::type_identity<half>())
    : bytes == 4 ? plain(std::type_identity<float>())
    : bytes == 8 ? plain(std::type_identity<double>())
                 : put(to, number_piece(*static_cast<const long double*>(place)));
  }
}

void recorded_streams::record() {
  if (m_records) {
    return;
  }
  m_records = true;
  for (stream_of_kernel& each : m_streams) {
    if (!each.pending.empty()) {
      record(each);
    }
  }
  m_records = false;
}

void recorded_streams::record(stream_of_kernel& stream) {
  recorder& r = m_recorder;
  const auto format = std::exchange(stream.pending, {});
  const auto values = std::exchange(stream.values, {});
  auto found = std::find(stream.formats.begin(), stream.formats.end(), format);
  if (found == stream.formats.end()) {
    found = stream.formats.insert(found, format);
  }
  const auto number = static_cast<std::uint32_t>(found - stream.formats.begin() + 1);
  const auto words = static_cast<std::uint32_t>(head_words + values.size());
  const auto room = static_cast<std::uint32_t>(words_of(*stream.state) - 1);
  const auto word = [&](std::uint32_t x) { return r.literal(recorded_type::u32, x); };

  const bool could_store = r.allow_stores(true);
  const recorded_value<std::uint32_t> first(
      r, r.add_atomic(stream.array, "atomic_add", recorded_type::u32, r.literal(recorded_type::u64, 0), word(words)));
  r.begin_if((first <= room - words).node());
  std::uint32_t at = 1;
  const auto store = [&](node_number value) { r.store(stream.array, (first + at++).node(), value); };
  const recorded_value<std::uint64_t> item(
      r, r.add_query("(get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) * "
                     "get_global_id(2)))",
                     recorded_type::u64, false));
  store(word(number));
  store(node_as<std::uint32_t>(r, item));
  store(node_as<std::uint32_t>(r, item >> 32));
  for (const node_number value : values) {
    store(value);
  }
  r.end();
  r.allow_stores(could_store);
}

bool recorded_streams::is_same(const recorded_streams& other) const {
  return std::equal(m_streams.begin(), m_streams.end(), other.m_streams.begin(), other.m_streams.end(),
                    [](const stream_of_kernel& a, const stream_of_kernel& b) { return a.formats == b.formats; });
}

std::vector<stream_output> recorded_streams::outputs() const {
  std::vector<stream_output> all;
  for (const stream_of_kernel& each : m_streams) {
    all.push_back({each.argument, std::make_shared<stream_records>(words_of(*each.state), each.formats)});
    each.state->set_source(all.back().to);
  }
  return all;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
