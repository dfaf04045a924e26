// SPDX-License-Identifier: Apache-2.0
#include "mpi_ranks.hpp"

#define OMPI_SKIP_MPICXX 1 // the C++ bindings are no part of MPI any more
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <thread>
#include <unistd.h>

namespace finite_volumes {
namespace {

int as_count(std::size_t n) {
  if (n > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw std::length_error("more values between two ranks than MPI counts: use more ranks");
  }
  return static_cast<int>(n);
}

/// Returns what MPI says about an error.
std::string text_of(int error) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(error, text, &length);
  return std::string(text, static_cast<std::size_t>(length));
}

/// A type of MPI that ends with its scope.
class data_type {
public:
  explicit data_type(MPI_Datatype type) : m_type(type) { MPI_Type_commit(&m_type); }
  data_type(const data_type&) = delete;
  data_type& operator=(const data_type&) = delete;
  ~data_type() { MPI_Type_free(&m_type); }
  [[nodiscard]] MPI_Datatype get() const { return m_type; }

private:
  MPI_Datatype m_type;
};

MPI_Datatype bytes(std::size_t length) {
  MPI_Datatype type{};
  MPI_Type_contiguous(as_count(length), MPI_BYTE, &type);
  return type;
}

MPI_Datatype at_offsets(const std::vector<std::uint64_t>& offsets, MPI_Datatype piece) {
  const std::vector<MPI_Aint> places(offsets.begin(), offsets.end());
  MPI_Datatype type{};
  MPI_Type_create_hindexed_block(as_count(places.size()), 1, places.data(), piece, &type);
  return type;
}

/// Other errors than those of files end the program with MPI's message, which is what MPI does by default.
class mpi_ranks final : public ranks {
public:
  explicit mpi_ranks(MPI_Comm all) {
    // Messages of one object never meet those of another one.
    MPI_Comm_dup(all, &m_all);
    MPI_Comm here{};
    MPI_Comm_split_type(m_all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    int here_count = 0;
    MPI_Comm_size(here, &here_count);
    MPI_Comm_rank(here, &m_rank_on_host);
    MPI_Comm_free(&here);
    MPI_Comm_rank(m_all, &m_rank);
    MPI_Comm_size(m_all, &m_count);
    const auto cores = static_cast<std::size_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
    const std::size_t allowed = std::max(1U, std::thread::hardware_concurrency()); // mpirun may have chosen cores
    m_threads =
        here_count == 1 ? 0 : std::min(allowed, std::max<std::size_t>(1, cores / static_cast<std::size_t>(here_count)));
  }
  ~mpi_ranks() override { MPI_Comm_free(&m_all); }

  [[nodiscard]] std::size_t rank() const override { return static_cast<std::size_t>(m_rank); }
  [[nodiscard]] std::size_t count() const override { return static_cast<std::size_t>(m_count); }
  [[nodiscard]] std::size_t rank_on_host() const override { return static_cast<std::size_t>(m_rank_on_host); }
  [[nodiscard]] std::size_t threads() const override { return m_threads; }

  void maximum(std::span<double> values) override {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), as_count(values.size()), MPI_DOUBLE, MPI_MAX, m_all);
  }
  void sum(std::span<double> values) override {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), as_count(values.size()), MPI_DOUBLE, MPI_SUM, m_all);
  }
  [[nodiscard]] std::uint64_t sum(std::uint64_t value) override {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_SUM, m_all);
    return value;
  }

  [[nodiscard]] std::vector<std::string> gather(const std::string& text) override {
    double longest = static_cast<double>(text.size());
    maximum({&longest, 1});
    const auto length = static_cast<std::size_t>(longest) + 1; // each ends with zeros
    std::string mine = text;
    mine.resize(length);
    std::string all(m_rank == 0 ? length * count() : 0, '\0');
    MPI_Gather(mine.data(), as_count(length), MPI_CHAR, all.data(), as_count(length), MPI_CHAR, 0, m_all);
    std::vector<std::string> result;
    for (std::size_t begin = 0; begin < all.size(); begin += length) {
      result.emplace_back(all.c_str() + begin);
    }
    return result;
  }

  void begin_exchange(std::span<const message> sent, std::span<const message> received) override {
    m_requests.resize(sent.size() + received.size());
    MPI_Request* request = m_requests.data();
    for (const message& m : received) {
      MPI_Irecv(m.values.data(), as_count(m.values.size()), MPI_DOUBLE, static_cast<int>(m.rank), 0, m_all, request++);
    }
    for (const message& m : sent) {
      MPI_Isend(m.values.data(), as_count(m.values.size()), MPI_DOUBLE, static_cast<int>(m.rank), 0, m_all, request++);
    }
  }
  void end_exchange() override {
    MPI_Waitall(static_cast<int>(m_requests.size()), m_requests.data(), MPI_STATUSES_IGNORE);
  }

  void write(const std::string& path, std::span<const file_pieces> pieces) override {
    MPI_File file{};
    if (const int error = MPI_File_open(m_all, path.c_str(), MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
        error != MPI_SUCCESS) {
      throw bad_file("'" + path + "' cannot be written: " + text_of(error));
    }
    bool holds = MPI_File_set_size(file, 0) == MPI_SUCCESS; // what a run that died has left
    for (const file_pieces& some : pieces) {
      const data_type piece(bytes(some.length));
      const data_type places(at_offsets(some.offsets, piece.get()));
      char native[] = "native";
      MPI_Status status{};
      int written = 0;
      holds = MPI_File_set_view(file, 0, piece.get(), places.get(), native, MPI_INFO_NULL) == MPI_SUCCESS && holds;
      holds = MPI_File_write_all(file, some.bytes.data(), as_count(some.offsets.size()), piece.get(), &status) ==
                  MPI_SUCCESS &&
              holds;
      MPI_Get_count(&status, piece.get(), &written);
      holds = written == as_count(some.offsets.size()) && holds;
    }
    holds = MPI_File_close(&file) == MPI_SUCCESS && holds;
    if (sum(std::uint64_t{holds ? 0U : 1U}) != 0) {
      if (m_rank == 0) {
        std::remove(path.c_str());
      }
      throw bad_file("'" + path + "' cannot be written");
    }
  }

  int fail(const std::string& what) override {
    if (m_rank != 0) { // where all fail alike, the first one says it and ends the other ones
      std::this_thread::sleep_for(std::chrono::milliseconds(700 + 300 * m_rank));
    }
    std::fprintf(stderr, "lanefold_euler: rank %d: %s\n", m_rank, what.c_str());
    std::fflush(nullptr);
    std::this_thread::sleep_for(std::chrono::milliseconds(200)); // MPICH may lose what it has not passed on yet
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::abort();
  }

private:
  MPI_Comm m_all{};
  int m_rank = 0;
  int m_count = 1;
  int m_rank_on_host = 0;
  std::size_t m_threads = 0;
  std::vector<MPI_Request> m_requests;
};

} // namespace

mpi_library::mpi_library(int& argc, char**& argv) {
  int given = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &given);
  if (given < MPI_THREAD_SERIALIZED) { // host tasks run on threads of the queue
    std::fprintf(stderr, "lanefold_euler: this MPI cannot be called from several threads, not even in turns\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}
mpi_library::~mpi_library() { MPI_Finalize(); }

std::unique_ptr<ranks> make_all_ranks() { return std::make_unique<mpi_ranks>(MPI_COMM_WORLD); }
std::unique_ptr<ranks> make_own_rank() { return std::make_unique<mpi_ranks>(MPI_COMM_SELF); }

} // namespace finite_volumes
