// SPDX-License-Identifier: Apache-2.0
#include "files.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

namespace finite_volumes {
namespace {

constexpr char magic[8] = {'l', 'f', 'e', 'u', 'l', 'e', 'r', '\0'};
constexpr std::uint32_t version = 1;

/// Stands before the states in a checkpoint.
struct header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t dimensions;
  std::uint64_t cells[3];
  std::uint32_t sides[3];
  std::uint32_t reserved;
  double cell_size;
  double time;
  std::uint64_t steps;
  std::uint64_t checksum; ///< of the states
};
static_assert(sizeof(header) == 88);

/// FNV-1a, a word at a time.
std::uint64_t checksum_of(const std::vector<double>& values) {
  std::uint64_t sum = 14695981039346656037ULL;
  for (const double v : values) {
    sum = (sum ^ std::bit_cast<std::uint64_t>(v)) * 1099511628211ULL;
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
  h.checksum = checksum_of(what.states);
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

void write_whole(const std::string& path, const std::string& begin, const void* rest, std::size_t bytes) {
  const std::string beside = path + ".new";
  std::ofstream file(beside, std::ios::binary);
  file.write(begin.data(), static_cast<std::streamsize>(begin.size()));
  file.write(static_cast<const char*>(rest), static_cast<std::streamsize>(bytes));
  file.close();
  if (!file || std::rename(beside.c_str(), path.c_str()) != 0) {
    std::remove(beside.c_str());
    throw bad_file("'" + path + "' cannot be written");
  }
}

} // namespace

template <int D>
void write_picture(const std::string& path, const box<D>& where, const snapshot<D>& what) {
  constexpr std::size_t variables = D + 2;
  // VTK's first dimension is the fastest one, here the last one is.
  std::string text = "# vtk DataFile Version 3.0\nlanefold_euler, time " + std::to_string(what.time) +
                     "\nBINARY\nDATASET STRUCTURED_POINTS\nDIMENSIONS";
  for (std::size_t d = D; d-- > 0;) {
    text += " " + std::to_string(where.cells(d));
  }
  text += D == 2 ? " 1" : "";
  const std::string half = digits_of(0.5 * where.cell_size);
  const std::string edge = digits_of(where.cell_size);
  const std::size_t cells = what.states.size() / variables;
  text += "\nORIGIN " + half + " " + half + (D == 3 ? " " + half : " 0") + "\nSPACING " + edge + " " + edge + " " +
          edge + "\nPOINT_DATA " + std::to_string(cells) + "\n";
  const auto state = [&](std::size_t cell) {
    typename euler<D>::template state<double> q;
    std::copy_n(what.states.begin() + static_cast<std::ptrdiff_t>(cell * variables), variables, q.begin());
    return q;
  };
  const auto scalars = [&](const char* name, auto value) {
    text += "SCALARS " + std::string(name) + " float 1\nLOOKUP_TABLE default\n";
    for (std::size_t c = 0; c < cells; ++c) {
      append(text, static_cast<float>(value(state(c))));
    }
    text += "\n";
  };
  scalars("density", [](const auto& q) { return q[0]; });
  scalars("pressure", [](const auto& q) { return euler<D>::pressure(q); });
  text += "VECTORS velocity float\n";
  for (std::size_t c = 0; c < cells; ++c) {
    const auto q = state(c);
    for (std::size_t d = 3; d-- > 0;) {
      const std::size_t from = d - (3 - D); // the last dimension is VTK's first one
      append(text, d >= 3 - D ? static_cast<float>(q[from + 1] / q[0]) : 0.F);
    }
  }
  text += "\n";
  write_whole(path, text, nullptr, 0);
}

template <int D>
void write_checkpoint(const std::string& path, const box<D>& where, const snapshot<D>& what) {
  const header h = header_of(where, what);
  write_whole(path, std::string(reinterpret_cast<const char*>(&h), sizeof(h)), what.states.data(),
              what.states.size() * sizeof(double));
}

template <int D>
snapshot<D> read_checkpoint(const std::string& path, const box<D>& where) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw bad_file("checkpoint '" + path + "' cannot be read");
  }
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  header h{};
  if (bytes.size() < sizeof(h) || std::memcmp(bytes.data(), magic, sizeof(magic)) != 0) {
    throw bad_file("'" + path + "' is no checkpoint of lanefold_euler");
  }
  std::memcpy(&h, bytes.data(), sizeof(h));
  if (h.version != version) {
    throw bad_file("checkpoint '" + path + "' is of version " + std::to_string(h.version) + ", this program reads " +
                   std::to_string(version));
  }
  snapshot<D> result{h.time, h.steps, {}};
  const header wanted = header_of(where, result);
  if (h.dimensions != wanted.dimensions || std::memcmp(h.cells, wanted.cells, sizeof(h.cells)) != 0 ||
      std::memcmp(h.sides, wanted.sides, sizeof(h.sides)) != 0 || h.cell_size != wanted.cell_size) {
    throw bad_file("checkpoint '" + path +
                   "' is of another problem, or of a box of other dimensions, cells or boundaries");
  }
  std::size_t values = D + 2;
  for (std::size_t d = 0; d < D; ++d) {
    values *= where.cells(d);
  }
  result.states.resize(values);
  if (bytes.size() != sizeof(h) + values * sizeof(double)) {
    throw bad_file("checkpoint '" + path + "' is cut short, or too long: it has " + std::to_string(bytes.size()) +
                   " bytes instead of " + std::to_string(sizeof(h) + values * sizeof(double)));
  }
  std::memcpy(result.states.data(), bytes.data() + sizeof(h), values * sizeof(double));
  if (checksum_of(result.states) != h.checksum) {
    throw bad_file("checkpoint '" + path + "' is damaged: its checksum is wrong");
  }
  return result;
}

template void write_picture(const std::string&, const box<2>&, const snapshot<2>&);
template void write_picture(const std::string&, const box<3>&, const snapshot<3>&);
template void write_checkpoint(const std::string&, const box<2>&, const snapshot<2>&);
template void write_checkpoint(const std::string&, const box<3>&, const snapshot<3>&);
template snapshot<2> read_checkpoint(const std::string&, const box<2>&);
template snapshot<3> read_checkpoint(const std::string&, const box<3>&);

} // namespace finite_volumes
