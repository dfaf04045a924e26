// SPDX-License-Identifier: Apache-2.0
/// Records what kernels for devices write to streams.
///
/// A work-item puts a record into memory of the device, where an atomic counter says where there is room: the number of
/// a format, its own place in the range, and the bits of the values that differ from one work-item to the next. The
/// format, which the host keeps, has the texts and says what the bits are. When the command ends, the host makes text
/// of the records as the CPU does.
#pragma once

#include <lanefold/execution/detail/stream_state.hpp>
#include <lanefold/recorded/value.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// A piece of a record's format: something that is the same in all work-items, or a value of 1 or 2 words.
struct recorded_piece {
  stream_piece piece; ///< whose text is empty
  std::string text;
  unsigned words = 0;

  friend bool operator==(const recorded_piece&, const recorded_piece&) = default;
};
using recorded_format = std::vector<recorded_piece>;

/// The records that a command has written for one stream. Words: the counter, which does not count itself, and records.
class stream_records final : public stream_source {
public:
  stream_records(std::size_t words, std::vector<recorded_format> formats)
      : m_words(words), m_formats(std::move(formats)) {}

  [[nodiscard]] std::uint32_t* begin() noexcept { return m_words.data(); }
  [[nodiscard]] std::size_t bytes() const noexcept { return m_words.size() * sizeof(m_words[0]); }
  void read_to(stream_state& to) override;

private:
  struct record {
    std::uint64_t item;
    std::size_t at; ///< of its values
    const recorded_format* format;
  };
  std::vector<record> all_records(stream_state& to) const;

  std::vector<std::uint32_t> m_words;
  std::vector<recorded_format> m_formats;
};

/// The argument of a kernel through which it writes to a stream.
struct stream_output {
  std::size_t argument;
  std::shared_ptr<stream_records> to;
};

/// Gives streams their arguments.
class stream_memory {
public:
  /// Returns the number of the argument; `stream` then is its address for memory_map::place_of.
  virtual std::size_t add_stream(const void* stream) = 0;

protected:
  ~stream_memory() = default;
};

/// The streams of one recording.
class recorded_streams final : public stream_recorder, public delayed_nodes {
public:
  recorded_streams(recorder& r, stream_memory& memory) : m_recorder(r), m_memory(memory) { r.set_delayed(*this); }

  void put(stream_state& to, const stream_piece& piece) override;
  void put_number(stream_state& to, stream_piece::kind what, std::size_t bytes, const void* place) override;
  /// A value of each work-item, of a type of that many bytes.
  template <class T>
  void put_value(stream_state& to, const recorded_value<T>& value);
  /// Records what was put since the block has begun.
  void record() override;

  [[nodiscard]] bool empty() const noexcept { return m_streams.empty(); }
  [[nodiscard]] bool is_same(const recorded_streams& other) const;
  /// The launch's kernel writes there; the streams read it when the command ends.
  [[nodiscard]] std::vector<stream_output> outputs() const;

private:
  struct stream_of_kernel {
    stream_state* state;
    std::size_t argument;
    std::uint32_t array;
    std::vector<recorded_format> formats;
    recorded_format pending; ///< was put, and is not recorded
    std::vector<node_number> values;
  };

  stream_of_kernel& of(stream_state& state);
  void record(stream_of_kernel& stream);

  recorder& m_recorder;
  stream_memory& m_memory;
  std::vector<stream_of_kernel> m_streams;
  bool m_records = false; ///< it is recording what was put
};

/// Throws errc::kernel: the stream is not one that the kernel has captured by value.
[[noreturn]] void refuse_stream();

template <class T>
void recorded_streams::put_value(stream_state& to, const recorded_value<T>& value) {
  recorder& r = m_recorder;
  stream_of_kernel& stream = of(to);
  using bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  const recorded_value<bits> word = [&] {
    if constexpr (std::is_same_v<T, double>) {
      return recorded_call<bits, T>("as_ulong", value);
    } else if constexpr (std::is_integral_v<T>) {
      return recorded_value<bits>(r, node_as<bits>(r, value));
    } else {
      return recorded_call<bits, float>("as_uint", value);
    }
  }();
  stream.values.push_back(node_as<std::uint32_t>(r, word));
  if constexpr (sizeof(T) == 8) {
    stream.values.push_back(node_as<std::uint32_t>(r, word >> 32));
  }
  stream.pending.push_back(
      {{number_kind_of<T>(), static_cast<unsigned char>(sizeof(T)), 0, {}}, {}, sizeof(T) == 8 ? 2U : 1U});
}

} // namespace detail
LANEFOLD_END_NAMESPACE
