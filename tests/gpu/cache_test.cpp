// SPDX-License-Identifier: Apache-2.0
// Programs on disk.
#include "testing.hpp"

#include "disk_cache.hpp"

#include <lanefold/gpu/program_cache.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

namespace {

using namespace gpu_testing;
using gpu::opencl::disk_cache;
namespace fs = std::filesystem;

/// A folder that goes with the test.
class folder {
public:
  folder() : m_path(fs::temp_directory_path() / ("lanefold-test-" + std::to_string(std::random_device{}()))) {}
  ~folder() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
  }
  const fs::path& path() const { return m_path; }

private:
  fs::path m_path;
};

std::size_t files_in(const fs::path& path) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
}

/// Reading a pipe would wait for somebody who writes.
TEST(gpu_disk_cache, replaces_what_is_no_file) {
  const folder f;
  const disk_cache cache(f.path(), 1 << 20);
  ASSERT_TRUE(cache.store("key", "value"));
  const fs::path file = fs::directory_iterator(f.path())->path();
  const auto make = [&](auto what) {
    fs::remove_all(file);
    what();
    ASSERT_TRUE(fs::exists(file));
    EXPECT_EQ(cache.load("key").what, disk_cache::outcome::bad);
    ASSERT_TRUE(cache.store("key", "value"));
    EXPECT_EQ(cache.load("key").value, "value");
  };
  make([&] { ASSERT_EQ(mkfifo(file.c_str(), 0600), 0); });
  make([&] { fs::create_directory(file); });
  make([&] { fs::create_symlink("/dev/null", file); });
}

TEST(gpu_disk_cache, has_a_limit_that_is_a_size) {
  for (const char* nonsense : {"lots", "-1", "1.5G", "12KB", "2000G"}) {
    setenv("LANEFOLD_CACHE_SIZE", nonsense, 1);
    try {
      ADD_FAILURE() << nonsense << " is " << gpu::opencl::cache_limit();
    } catch (const lanefold::exception& e) {
      EXPECT_EQ(e.code(), lanefold::errc::invalid);
      EXPECT_NE(std::string(e.what()).find("LANEFOLD_CACHE_SIZE is \"" + std::string(nonsense)), std::string::npos);
      EXPECT_NE(std::string(e.what()).find("it must be a number of bytes"), std::string::npos);
    }
  }
  setenv("LANEFOLD_CACHE_SIZE", "3M", 1);
  EXPECT_EQ(gpu::opencl::cache_limit(), 3U << 20);
  setenv("LANEFOLD_CACHE_SIZE", "0", 1);
  EXPECT_EQ(gpu::opencl::cache_limit(), 0U);
  unsetenv("LANEFOLD_CACHE_SIZE");
  EXPECT_EQ(gpu::opencl::cache_limit(), 256U << 20);
}

TEST(gpu_disk_cache, returns_what_was_stored) {
  const folder f;
  const disk_cache cache(f.path(), 1 << 20);
  EXPECT_EQ(cache.load("key").what, disk_cache::outcome::missing);
  ASSERT_TRUE(cache.store("key", std::string("value\0with zero", 15)));
  ASSERT_TRUE(cache.store("another", ""));
  EXPECT_EQ(cache.load("key").value, std::string("value\0with zero", 15));
  EXPECT_EQ(cache.load("another").what, disk_cache::outcome::found);
  EXPECT_EQ(files_in(f.path()), 2u); // nothing temporary
}

TEST(gpu_disk_cache, removes_damaged_files) {
  const folder f;
  const disk_cache cache(f.path(), 1 << 20);
  const fs::path file = cache.file_of("key");
  const std::string value(1000, 'x');
  for (const std::size_t length : {0u, 5u, 31u, 40u, 900u}) { // truncated
    ASSERT_TRUE(cache.store("key", value));
    fs::resize_file(file, length);
    EXPECT_EQ(cache.load("key").what, disk_cache::outcome::bad) << length;
    EXPECT_FALSE(fs::exists(file));
  }
  for (const std::size_t place : {0u, 9u, 20u, 28u, 33u, 500u}) { // one byte is wrong
    ASSERT_TRUE(cache.store("key", value));
    {
      std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
      stream.seekp(static_cast<std::streamoff>(place));
      stream.put('\x7f');
    }
    EXPECT_EQ(cache.load("key").what, disk_cache::outcome::bad) << place;
  }
  // The file of another key.
  ASSERT_TRUE(cache.store("other", value));
  fs::rename(cache.file_of("other"), file);
  EXPECT_EQ(cache.load("key").what, disk_cache::outcome::bad);
}

TEST(gpu_disk_cache, keeps_to_its_limit) {
  const folder f;
  const disk_cache cache(f.path(), 3500);
  const std::string value(1000, 'x');
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(cache.store("key" + std::to_string(i), value));
    // Older than what comes; key0 was used last.
    fs::last_write_time(cache.file_of("key" + std::to_string(i)),
                        fs::file_time_type::clock::now() - std::chrono::hours(10 - i));
    EXPECT_EQ(cache.load("key0").what, disk_cache::outcome::found) << i;
  }
  EXPECT_EQ(files_in(f.path()), 3u);
  EXPECT_EQ(cache.load("key1").what, disk_cache::outcome::missing);
  EXPECT_EQ(cache.load("key4").what, disk_cache::outcome::found);
}

TEST(gpu_disk_cache, a_folder_that_cannot_be_is_no_error) {
  const folder f;
  std::ofstream(f.path()) << "a file, not a folder";
  const disk_cache cache(f.path(), 1 << 20);
  EXPECT_FALSE(cache.store("key", "value"));
  EXPECT_EQ(cache.load("key").what, disk_cache::outcome::missing);
}

TEST(gpu_disk_cache, a_full_disk_is_no_error_and_leaves_nothing) {
  const folder f;
  const disk_cache cache(f.path(), 1 << 20);
  ASSERT_TRUE(cache.store("before", "value"));
  // No file may grow beyond 100 bytes, which ends writing as a full disk does.
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{100, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const bool stored = cache.store("key", std::string(10000, 'x'));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_FALSE(stored);
  EXPECT_EQ(cache.load("key").what, disk_cache::outcome::missing);
  EXPECT_EQ(cache.load("before").value, "value");
  EXPECT_EQ(files_in(f.path()), 1u);
}

TEST(gpu_disk_cache, writers_and_readers_at_once) {
  const folder f;
  const std::string value(20000, 'v');
  std::atomic<int> wrong = 0;
  const auto work = [&] {
    const disk_cache cache(f.path(), 1 << 20);
    for (int i = 0; i < 50; ++i) {
      cache.store("key", value);
      const auto found = cache.load("key");
      wrong += found.what == disk_cache::outcome::found && found.value == value ? 0 : 1;
    }
  };
  std::thread first(work), second(work);
  work();
  first.join();
  second.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(files_in(f.path()), 1u);
}

gpu::kernel program(int number) {
  return {"kernel void k(global int* out) { out[0] = " + std::to_string(number) + "; }\n", "k"};
}

int run(gpu::queue& q, const gpu::kernel& k) {
  const gpu::buffer<int> out(q, 1);
  q.launch(k, lanefold::nd_range<1>(1, 1), out).wait();
  int result = 0;
  q.copy(out, &result, 1).wait();
  return result;
}

/// With the cache's folder elsewhere.
class gpu_program_cache : public testing::Test {
protected:
  gpu_program_cache() { setenv("LANEFOLD_CACHE_DIR", m_folder.path().c_str(), 1); }
  ~gpu_program_cache() override { unsetenv("LANEFOLD_CACHE_DIR"); }

  folder m_folder;
};

TEST_F(gpu_program_cache, finds_programs_in_memory) {
  LANEFOLD_NEED_OPENCL();
  gpu::queue q(gpu::devices().front());
  const auto before = gpu::get_program_cache_counters();
  EXPECT_EQ(run(q, program(41)), 41);
  EXPECT_EQ(run(q, program(41)), 41);
  const auto after = gpu::get_program_cache_counters();
  EXPECT_EQ(after.builds, before.builds + 1);
  EXPECT_EQ(after.memory_hits, before.memory_hits + 1);
  EXPECT_EQ(gpu::program_cache_directory(), m_folder.path().string());
}

TEST_F(gpu_program_cache, works_where_nothing_can_be_written) {
  LANEFOLD_NEED_OPENCL();
  std::ofstream(m_folder.path()) << "a file, not a folder";
  gpu::queue q(gpu::devices().front());
  const auto before = gpu::get_program_cache_counters();
  EXPECT_EQ(run(q, program(3)), 3);
  EXPECT_EQ(gpu::get_program_cache_counters().failed_writes, before.failed_writes + 1);
  // Not even the superuser can write here.
  setenv("LANEFOLD_CACHE_DIR", "/proc/self", 1);
  EXPECT_EQ(run(q, program(4)), 4);
  EXPECT_EQ(gpu::get_program_cache_counters().failed_writes, before.failed_writes + 2);
  EXPECT_EQ(gpu::get_program_cache_counters().builds, before.builds + 2);
}

/// With options for all builds, until the test ends.
class build_options {
public:
  explicit build_options(const char* options) {
    if (const char* before = std::getenv(name))
      m_before = before;
    setenv(name, options, 1);
  }
  ~build_options() { m_before ? setenv(name, m_before->c_str(), 1) : unsetenv(name); }
  build_options(const build_options&) = delete;
  build_options& operator=(const build_options&) = delete;

private:
  static constexpr const char* name = "LANEFOLD_GPU_BUILD_OPTIONS";
  std::optional<std::string> m_before;
};

TEST_F(gpu_program_cache, options_of_the_environment_belong_to_a_program) {
  LANEFOLD_NEED_OPENCL();
  // A kernel keeps its program: each run has one of its own.
  const auto run_one = [](gpu::queue& q) {
    return run(q, gpu::kernel("kernel void k(global int* out) { out[0] = VALUE; }\n", "k"));
  };
  for (const gpu::device& device : gpu::devices()) {
    gpu::queue q(device);
    const auto before = gpu::get_program_cache_counters();
    for (int twice = 0; twice < 2; ++twice) {
      for (const int value : {7, 8}) {
        const build_options define(("-DVALUE=" + std::to_string(value)).c_str());
        EXPECT_EQ(run_one(q), value) << device.get_platform_name();
      }
    }
    EXPECT_EQ(gpu::get_program_cache_counters().builds, before.builds + 2) << device.get_platform_name();
    const build_options other("-DOTHER");
    std::string message;
    EXPECT_EQ(code_thrown_by([&] { run_one(q); }, &message), lanefold::errc::build) << device.get_platform_name();
    EXPECT_NE(message.find("-DOTHER"), std::string::npos) << message;
  }
}

TEST_F(gpu_program_cache, programs_that_include_files_are_not_kept) {
  LANEFOLD_NEED_OPENCL();
  fs::create_directory(m_folder.path());
  const fs::path file = m_folder.path() / "value.h";
  const auto run_with = [&](gpu::queue& q, int value, const std::string& include, const std::string& option) {
    std::ofstream(file) << "#define VALUE " << value << "\n";
    gpu::build_options options;
    options.compiler_options = "-I" + m_folder.path().string() + option;
    return run(q, gpu::kernel(include + "kernel void k(global int* out) { out[0] = VALUE; }\n", "k", options));
  };
  for (const gpu::device& device : gpu::devices()) {
    gpu::queue q(device);
    const auto before = gpu::get_program_cache_counters();
    const std::string ways[] = {"#include \"value.h\"\n",
                                "#/* of */ \\\n include \"value.h\"\n",
                                "#import \"value.h\"\n",
                                "#include_next \"value.h\"\n",
                                "#inc\\ \nlude \"value.h\"\n",
                                "#inc?\?/\nlude \"value.h\"\n",
                                "?\?=include \"value.h\"\n",
                                "%: include \"value.h\"\n",
                                "#define FILE \"value.h\"\n#include FILE\n"};
    for (const std::string& include : ways) {
      EXPECT_EQ(run_with(q, 5, include, ""), 5) << device.get_platform_name() << "\n" << include;
      EXPECT_EQ(run_with(q, 6, include, ""), 6) << device.get_platform_name() << "\n" << include;
    }
    EXPECT_EQ(gpu::get_program_cache_counters().builds, before.builds + 2 * std::size(ways))
        << device.get_platform_name();
    fs::remove(file);
    for (const std::string there : {"__has_include(\"value.h\")", "HAS(include)(\"value.h\")"}) {
      const std::string text = "#define HAS(what) __has_##what\n#if " + there + "\n#define VALUE 3\n#else\n" +
                               "#define VALUE 4\n#endif\nkernel void k(global int* out) { out[0] = VALUE; }\n";
      gpu::build_options options;
      options.compiler_options = "-I" + m_folder.path().string();
      EXPECT_EQ(run(q, gpu::kernel(text, "k", options)), 4) << device.get_platform_name() << "\n" << text;
      std::ofstream(file) << "\n";
      const auto kept = gpu::get_program_cache_counters();
      const int now = run(q, gpu::kernel(text, "k", options));
      EXPECT_EQ(gpu::get_program_cache_counters().builds, kept.builds + 1) << device.get_platform_name() << "\n"
                                                                           << text;
      if (device.get_platform_name() != "NVIDIA CUDA") { // whose driver has a cache of its own, and keeps the text
        EXPECT_EQ(now, 3) << device.get_platform_name() << "\n" << text;
      }
      fs::remove(file);
    }
    const std::string option = " -include " + file.string(); // which PoCL 3.1 refuses
    if (int found = 0; code_thrown_by([&] { found = run_with(q, 7, "", option); }) == lanefold::errc::success) {
      EXPECT_EQ(found, 7) << device.get_platform_name();
      EXPECT_EQ(run_with(q, 8, "", option), 8) << device.get_platform_name();
    }
    // The word alone is no directive.
    const std::string comment = "// The sums include the element.\n#define VALUE 9\n";
    const auto other = gpu::get_program_cache_counters();
    EXPECT_EQ(run_with(q, 1, comment, "") + run_with(q, 2, comment, ""), 18) << device.get_platform_name();
    EXPECT_EQ(gpu::get_program_cache_counters().builds, other.builds + 1) << device.get_platform_name();
  }
}

/// build_process.cpp on one device.
class build_process {
public:
  explicit build_process(const gpu::device& on) {
    int in[2] = {}, out[2] = {};
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "pipe2");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    std::string name = LANEFOLD_TEST_BUILD_PROCESS, device = "LANEFOLD_GPU_DEVICE=" + on.get_platform_name();
    std::vector<char*> environment = {device.data()};
    for (char** variable = environ; *variable != nullptr; ++variable)
      if (!std::string_view(*variable).starts_with("LANEFOLD_GPU_DEVICE="))
        environment.push_back(*variable);
    environment.push_back(nullptr);
    char* const arguments[] = {name.data(), nullptr};
    const int error = posix_spawn(&m_process, name.c_str(), &actions, nullptr, arguments, environment.data());
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    m_to = fdopen(in[1], "w");
    m_from = fdopen(out[0], "r");
    if (error != 0)
      throw std::system_error(error, std::generic_category(), name);
  }
  ~build_process() {
    std::fclose(m_to);
    std::fclose(m_from);
    waitpid(m_process, nullptr, 0);
  }
  build_process(const build_process&) = delete;
  build_process& operator=(const build_process&) = delete;

  bool is_ready() { return word() == "ready"; }
  /// Returns what the process says first.
  std::string word() {
    char word[16] = {};
    return std::fscanf(m_from, "%15s", word) == 1 ? word : "";
  }
  void go() {
    std::fputc('\n', m_to);
    std::fflush(m_to);
  }
  /// Returns what became of the program; checks that it computed what it should.
  gpu::program_cache_counters counters() {
    gpu::program_cache_counters c;
    int result = 0;
    double milliseconds = 0;
    EXPECT_EQ(std::fscanf(m_from, "%zu %zu %zu %zu %d %lf", &c.builds, &c.disk_hits, &c.bad_files, &c.failed_writes,
                          &result, &milliseconds),
              6);
    EXPECT_EQ(result, 63 * 64 / 2 + 64);
    EXPECT_EQ(c.failed_writes, 0u);
    return c;
  }

private:
  pid_t m_process = 0;
  std::FILE* m_to = nullptr;
  std::FILE* m_from = nullptr;
};

gpu::program_cache_counters counters_of_a_process(const gpu::device& on) {
  build_process process(on);
  if (!process.is_ready()) {
    ADD_FAILURE() << "the process has ended";
    return {};
  }
  process.go();
  return process.counters();
}

/// Returns whether another process finds the device: a GPU may be for one process alone.
bool is_shared(const gpu::device& on) { return !on.is_gpu() || build_process(on).word() != "none"; }

TEST_F(gpu_program_cache, two_processes_build_at_once_and_a_third_does_not) {
  LANEFOLD_NEED_OPENCL();
  std::size_t files = 0;
  for (const gpu::device& device : gpu::devices()) {
    SCOPED_TRACE(device.get_platform_name());
    if (!is_shared(device)) {
      continue;
    }
    {
      build_process first(device), second(device);
      ASSERT_TRUE(first.is_ready() && second.is_ready());
      first.go();
      second.go();
      for (const gpu::program_cache_counters& c : {first.counters(), second.counters()}) {
        EXPECT_EQ(c.builds + c.disk_hits, 1u); // the slower one may find the other's file
        EXPECT_EQ(c.bad_files, 0u);
      }
    }
    EXPECT_EQ(files_in(m_folder.path()), ++files); // nothing temporary
    const gpu::program_cache_counters third = counters_of_a_process(device);
    EXPECT_EQ(third.disk_hits, 1u);
    EXPECT_EQ(third.builds, 0u);
  }
}

/// Replaces the binary in a file of the cache by something that is none, with the right checksum.
void store_nonsense(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::uint64_t key_bytes = 0;
  std::memcpy(&key_bytes, text.data() + 8, sizeof(key_bytes));
  const std::string key = text.substr(32, key_bytes);
  const disk_cache cache(file.parent_path(), 1 << 20);
  ASSERT_EQ(cache.file_of(key), file);
  ASSERT_TRUE(cache.store(key, "no program of any device"));
}

TEST_F(gpu_program_cache, damaged_files_cost_a_build) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices()) {
    SCOPED_TRACE(device.get_platform_name());
    if (!is_shared(device)) {
      continue;
    }
    fs::remove_all(m_folder.path());
    EXPECT_EQ(counters_of_a_process(device).builds, 1u);
    ASSERT_EQ(files_in(m_folder.path()), 1u);
    const fs::path file = fs::directory_iterator(m_folder.path())->path();
    for (const bool truncated : {true, false}) {
      truncated ? fs::resize_file(file, fs::file_size(file) / 2) : store_nonsense(file);
      const gpu::program_cache_counters damaged = counters_of_a_process(device);
      EXPECT_EQ(damaged.bad_files, 1u) << truncated;
      EXPECT_EQ(damaged.builds, 1u) << truncated;
      EXPECT_EQ(counters_of_a_process(device).disk_hits, 1u) << truncated; // it was written again
    }
  }
}

} // namespace
