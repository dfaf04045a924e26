// SPDX-License-Identifier: Apache-2.0
#include "files.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include <unistd.h>

namespace finite_volumes {
namespace {

constexpr char magic[8] = {'l', 'f', 'e', 'u', 'l', 'e', 'r', '\0'};
constexpr std::uint32_t version = 3; // checksums: of 1 by the order of the cells, of 2 without the header

/// Stands before the states in a checkpoint.
struct header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t dimensions;
  std::uint64_t cells[3];
  std::uint32_t sides[3];
  std::uint32_t pictures; ///< written before this state
  double cell_size;
  double time;
  std::uint64_t steps;
  std::uint64_t checksum; ///< of all the rest
};
static_assert(sizeof(header) == 88);

/// Returns a hash of a value and its place: the finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014).
std::uint64_t hash_of(std::uint64_t bits, std::uint64_t place) {
  std::uint64_t h = bits + (place + 1) * 0x9e3779b97f4a7c15ULL;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
  return h ^ (h >> 31);
}

/// Returns the checksum of a checkpoint: the sum of the hashes of its values, so that each rank can add those of its
/// own rows, and of what else is in the header, whose places count down.
template <int D>
std::uint64_t checksum_of(const header& head, const snapshot<D>& what, ranks& among) {
  const std::size_t of_row = what.rows.empty() ? 0 : what.states.size() / what.rows.size();
  std::uint64_t sum = 0;
  for (std::size_t row = 0; row < what.rows.size(); ++row) {
    for (std::size_t i = 0; i < of_row; ++i) {
      const std::uint64_t place = what.rows[row] * (D + 2) + i;
      sum += hash_of(std::bit_cast<std::uint64_t>(what.states[row * of_row + i]), place);
    }
  }
  sum = among.sum(sum);
  std::array<std::uint64_t, offsetof(header, checksum) / sizeof(std::uint64_t)> words{};
  std::memcpy(words.data(), &head, sizeof(words));
  for (std::size_t i = 0; i < words.size(); ++i) {
    sum += hash_of(words[i], ~std::uint64_t{i});
  }
  return sum;
}

template <int D>
header header_of(const box<D>& where, const snapshot<D>& what) {
  header h{};
  std::memcpy(h.magic, magic, sizeof(magic));
  h.version = version;
  h.dimensions = D;
  for (std::size_t d = 0; d < D; ++d) {
    h.cells[d] = where.cells(d);
    h.sides[d] = static_cast<std::uint32_t>(where.sides[d]);
  }
  h.cell_size = where.cell_size;
  h.time = what.time;
  h.steps = what.steps;
  h.pictures = what.pictures;
  return h;
}

std::string digits_of(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.17g", value);
  return text;
}

void append(std::string& to, float value) {
  auto bits = std::bit_cast<std::uint32_t>(value);
  for (int byte = 3; byte >= 0; --byte) { // VTK's order
    to.push_back(static_cast<char>(bits >> (8 * byte) & 0xff));
  }
}

/// Returns a piece that the first rank writes.
file_pieces text_at(std::uint64_t offset, std::string text, const ranks& among) {
  const std::size_t length = text.size();
  return among.rank() == 0 ? file_pieces{length, {offset}, std::move(text)} : file_pieces{length, {}, {}};
}

/// Returns the places of rows of p cells in a part of a file, which has so many bytes for each cell of the box.
file_pieces rows_at(std::uint64_t offset, const std::vector<std::uint64_t>& rows, std::size_t p, std::size_t bytes) {
  file_pieces result{p * bytes, rows, {}};
  for (std::uint64_t& row : result.offsets) {
    row = offset + row * bytes;
  }
  return result;
}

/// Writes to a file beside it, which then takes its place.
void write_whole(const std::string& path, std::span<const file_pieces> pieces, ranks& among) {
  const std::string beside = path + ".new";
  among.write(beside, pieces);
  if (among.rank() == 0 && std::rename(beside.c_str(), path.c_str()) != 0) {
    const bad_file why = not_written(path);
    ::unlink(beside.c_str());
    throw why;
  }
}

} // namespace

template <int D>
void write_picture(const std::string& path, const box<D>& where, const snapshot<D>& what, ranks& among) {
  constexpr std::size_t variables = D + 2;
  using state = typename euler<D>::template state<double>;
  std::vector<file_pieces> pieces;
  std::uint64_t end = 0; // of what there is yet
  const auto add_text = [&](const std::string& text) {
    pieces.push_back(text_at(end, text, among));
    end += text.size();
  };
  /// `values(q)` are the values of a cell.
  const auto add_field = [&](const std::string& text, const auto& values) {
    add_text(text);
    constexpr std::size_t bytes = sizeof(float) * std::tuple_size_v<decltype(values(state()))>;
    file_pieces field = rows_at(end, what.rows, where.p, bytes);
    field.bytes.reserve(what.states.size() / variables * bytes);
    for (auto q0 = what.states.begin(); q0 != what.states.end(); q0 += variables) {
      state q;
      std::copy_n(q0, variables, q.begin());
      for (const double value : values(q)) {
        append(field.bytes, static_cast<float>(value));
      }
    }
    pieces.push_back(std::move(field));
    end += where.cells() * bytes;
  };
  // VTK's first dimension is the fastest one, here the last one is.
  std::string head = "# vtk DataFile Version 3.0\nlanefold_euler, time " + std::to_string(what.time) +
                     "\nBINARY\nDATASET STRUCTURED_POINTS\nDIMENSIONS";
  for (std::size_t d = D; d-- > 0;) {
    head += " " + std::to_string(where.cells(d));
  }
  const std::string half = digits_of(0.5 * where.cell_size);
  const std::string edge = digits_of(where.cell_size);
  head += std::string(D == 2 ? " 1" : "") + "\nORIGIN " + half + " " + half + " " + (D == 3 ? half : "0") +
          "\nSPACING " + edge + " " + edge + " " + edge + "\nPOINT_DATA " + std::to_string(where.cells()) + "\n";
  add_field(head + "SCALARS density float 1\nLOOKUP_TABLE default\n", [](const state& q) { return std::array{q[0]}; });
  add_field("\nSCALARS pressure float 1\nLOOKUP_TABLE default\n",
            [](const state& q) { return std::array{euler<D>::pressure(q)}; });
  add_field("\nVECTORS velocity float\n", [](const state& q) {
    std::array<double, 3> along{};
    for (std::size_t d = 0; d < D; ++d) {
      along[D - 1 - d] = q[d + 1] / q[0];
    }
    return along;
  });
  add_text("\n");
  write_whole(path, pieces, among);
}

template <int D>
void write_checkpoint(const std::string& path, const box<D>& where, const snapshot<D>& what, ranks& among) {
  header h = header_of(where, what);
  h.checksum = checksum_of(h, what, among);
  const file_pieces head = text_at(0, std::string(reinterpret_cast<const char*>(&h), sizeof(h)), among);
  file_pieces states = rows_at(sizeof(h), what.rows, where.p, (D + 2) * sizeof(double));
  states.bytes.assign(reinterpret_cast<const char*>(what.states.data()), what.states.size() * sizeof(double));
  write_whole(path, std::array{head, std::move(states)}, among);
}

template <int D>
snapshot<D> read_checkpoint(const std::string& path, const box<D>& where, ranks& among) {
  std::error_code ignored; // what is no file, such as a pipe, might never end
  std::ifstream file;
  if (std::filesystem::is_regular_file(path, ignored)) {
    file.open(path, std::ios::binary);
  }
  const std::streamoff size = file.seekg(0, std::ios::end).tellg();
  if (!file) {
    throw bad_file("checkpoint '" + path + "' cannot be read");
  }
  header h{};
  file.seekg(0).read(reinterpret_cast<char*>(&h), sizeof(h));
  if (!file || std::memcmp(h.magic, magic, sizeof(magic)) != 0) {
    throw bad_file("'" + path + "' is no checkpoint of lanefold_euler");
  }
  if (h.version != version) {
    throw bad_file("checkpoint '" + path + "' is of version " + std::to_string(h.version) + ", this program reads " +
                   std::to_string(version));
  }
  snapshot<D> result{h.time, h.steps, h.pictures, {}, {}};
  const header wanted = header_of(where, result);
  if (h.dimensions != wanted.dimensions || std::memcmp(h.cells, wanted.cells, sizeof(h.cells)) != 0 ||
      std::memcmp(h.sides, wanted.sides, sizeof(h.sides)) != 0 || h.cell_size != wanted.cell_size) {
    throw bad_file("checkpoint '" + path +
                   "' is of another problem, or of a box of other dimensions, cells or boundaries");
  }
  constexpr std::size_t of_cell = (D + 2) * sizeof(double);
  const std::uint64_t expected = sizeof(h) + where.cells() * of_cell;
  if (static_cast<std::uint64_t>(size) != expected) {
    throw bad_file("checkpoint '" + path + "' is cut short, or too long: it has " + std::to_string(size) +
                   " bytes instead of " + std::to_string(expected));
  }
  for (const patch_row& row : rows_of(where, shares<D>(where, among.count()).patches_of(among.rank()))) {
    result.rows.push_back(row.begin);
  }
  result.states.resize(result.rows.size() * where.p * (D + 2));
  char* to = reinterpret_cast<char*>(result.states.data());
  std::uint64_t at = 0; // the row that the file stands at
  file.seekg(sizeof(h));
  for (const std::uint64_t row : result.rows) {
    if (row != at) {
      file.seekg(static_cast<std::streamoff>(sizeof(h) + row * of_cell));
    }
    file.read(to, static_cast<std::streamsize>(where.p * of_cell));
    to += where.p * of_cell;
    at = row + where.p;
  }
  if (!file) {
    throw bad_file("checkpoint '" + path + "' cannot be read");
  }
  if (checksum_of(h, result, among) != h.checksum) {
    throw bad_file("checkpoint '" + path + "' is damaged: its checksum is wrong");
  }
  return result;
}

template void write_picture(const std::string&, const box<2>&, const snapshot<2>&, ranks&);
template void write_picture(const std::string&, const box<3>&, const snapshot<3>&, ranks&);
template void write_checkpoint(const std::string&, const box<2>&, const snapshot<2>&, ranks&);
template void write_checkpoint(const std::string&, const box<3>&, const snapshot<3>&, ranks&);
template snapshot<2> read_checkpoint(const std::string&, const box<2>&, ranks&);
template snapshot<3> read_checkpoint(const std::string&, const box<3>&, ranks&);

} // namespace finite_volumes
