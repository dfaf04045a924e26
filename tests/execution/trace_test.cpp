// SPDX-License-Identifier: Apache-2.0
// LANEFOLD_TRACE=FILE. Each program that is traced is a process of its own, because a trace ends with its process.
#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace lf = lanefold;

namespace {

/// The value of a key of an event; empty if it has none. Each event is a line.
std::string value_of(const std::string& event, const std::string& key) {
  const std::size_t at = event.find("\"" + key + "\":");
  if (at == std::string::npos) {
    return {};
  }
  const std::size_t begin = at + key.size() + 3;
  if (event[begin] == '"') {
    return event.substr(begin + 1, event.find('"', begin + 1) - begin - 1);
  }
  return event.substr(begin, event.find_first_of(",}", begin) - begin);
}
double number_of(const std::string& event, const std::string& key) { return std::atof(value_of(event, key).c_str()); }

class trace : public testing::Test {
protected:
  void SetUp() override {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    m_path = testing::TempDir() + "lanefold_trace_" + test->name() + ".json";
  }
  void TearDown() override { std::filesystem::remove(m_path); }

  /// A process that runs this and ends.
  template <class Program>
  [[noreturn]] void run(const Program& program) const {
    setenv("LANEFOLD_TRACE", m_path.c_str(), 1);
    program();
    std::exit(0);
  }

  /// The events that it has left, once it is known that the file is an array.
  [[nodiscard]] std::vector<std::string> events() const {
    std::ifstream file(m_path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) {
      lines.push_back(line);
    }
    EXPECT_GE(lines.size(), 2U);
    EXPECT_EQ(lines.front(), "[");
    EXPECT_EQ(lines.back(), "]");
    lines.pop_back();
    lines.erase(lines.begin());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      EXPECT_TRUE(lines[i].ends_with(i + 1 == lines.size() ? "}" : "},")) << lines[i];
    }
    return lines;
  }

  std::string m_path;
};

std::vector<std::string> with(const std::vector<std::string>& events, const std::string& key,
                              const std::string& value) {
  std::vector<std::string> found;
  std::copy_if(events.begin(), events.end(), std::back_inserter(found),
               [&](const std::string& event) { return value_of(event, key) == value; });
  return found;
}

/// Commands of every kind, one after the other.
void run_commands() {
  lf::queue q{lf::property_list{lf::property::threads{2}}};
  std::vector<float> data(1 << 16, 1.f);
  lf::buffer<float> b(data.data(), lf::range<1>(data.size()));
  q.submit([&](lf::handler& h) {
    const lf::accessor a(b, h, lf::read_write);
    h.fill(a, 2.f);
  });
  q.submit([&](lf::handler& h) {
    const lf::accessor a(b, h, lf::read_write);
    h.parallel_for<class doubled>(lf::nd_range<1>(data.size(), 64), [=](auto it) { a[it.get_global_id(0)] *= 2.f; });
  });
  q.submit([&](lf::handler& h) {
    const lf::accessor a(b, h, lf::read_only);
    h.copy(a, data.data());
  });
  q.submit([&](lf::handler& h) {
    const lf::accessor a(b, h, lf::read_write_host_task);
    h.host_task([=] { a[0] = 1.f; });
  });
  EXPECT_EQ(lf::host_accessor(b)[0], 1.f);
  q.ext_oneapi_submit_barrier().wait();
}

TEST_F(trace, tells_of_every_kind_of_command) {
  EXPECT_EXIT(run(run_commands), testing::ExitedWithCode(0), "");
  const std::vector<std::string> all = events();
  for (const char* const kind : {"fill", "kernel", "copy", "host task", "host_accessor", "barrier"}) {
    EXPECT_FALSE(with(with(all, "ph", "X"), "cat", kind).empty()) << kind;
  }
  std::size_t groups = 0;
  for (const std::string& kernel : with(all, "cat", "kernel")) {
    EXPECT_NE(value_of(kernel, "name").find("doubled"), std::string::npos) << kernel;
    EXPECT_NE(value_of(kernel, "how").find("in 1024 groups of (64), simd<"), std::string::npos) << kernel;
    EXPECT_EQ(value_of(kernel, "of"), "1024");
    groups += static_cast<std::size_t>(number_of(kernel, "groups"));
  }
  EXPECT_EQ(groups, 1024U);
  // Each thread is named.
  for (const std::string& event : with(all, "ph", "X")) {
    EXPECT_EQ(with(with(all, "ph", "M"), "tid", value_of(event, "tid")).size(), 1U) << event;
  }
}

TEST_F(trace, draws_an_arrow_for_what_a_command_waited_for) {
  EXPECT_EXIT(run([] {
                lf::queue q{lf::property_list{lf::property::threads{2}}};
                const lf::event first = q.submit([](lf::handler& h) {
                  h.host_task([] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });
                });
                q.single_task<class second>(first, [] {});
                q.wait();
              }),
              testing::ExitedWithCode(0), "");
  const std::vector<std::string> all = events();
  const std::vector<std::string> starts = with(all, "ph", "s");
  const std::vector<std::string> ends = with(all, "ph", "f");
  ASSERT_EQ(starts.size(), 1U);
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(value_of(starts[0], "id"), value_of(ends[0], "id"));
  const auto lies_in = [](const std::string& point, const std::string& event) {
    return value_of(point, "tid") == value_of(event, "tid") && number_of(point, "ts") >= number_of(event, "ts") &&
           number_of(point, "ts") <= number_of(event, "ts") + number_of(event, "dur");
  };
  EXPECT_TRUE(lies_in(starts[0], with(all, "cat", "host task").at(0))) << starts[0];
  EXPECT_TRUE(lies_in(ends[0], with(all, "cat", "kernel").at(0))) << ends[0];
}

TEST_F(trace, is_written_when_the_program_ends_by_an_exception) {
  EXPECT_DEATH(run([]() noexcept {
                 lf::queue q;
                 q.parallel_for(lf::range<1>(8), [](lf::item<1> it) {
                   if (it.get_id(0) == 5) {
                     throw std::runtime_error("line 1\nsaid \"no\"");
                   }
                 });
                 q.wait();
               }),
               "");
  const std::vector<std::string> kernels = with(events(), "cat", "kernel");
  ASSERT_FALSE(kernels.empty());
  EXPECT_NE(kernels[0].find("work-item (5): line 1\\nsaid \\\"no\\\"\""), std::string::npos) << kernels[0];
}

TEST_F(trace, is_named_after_its_process) {
  const std::string whole = m_path;
  m_path.insert(m_path.size() - 5, "_%p");
  EXPECT_EXIT(run([] { lf::queue().single_task([] {}).wait(); }), testing::ExitedWithCode(0), "");
  std::vector<std::filesystem::path> found;
  for (const auto& file : std::filesystem::directory_iterator(testing::TempDir())) {
    const std::string name = file.path().filename().string();
    if (name.starts_with("lanefold_trace_is_named_after_its_process_") && name.find('%') == std::string::npos) {
      found.push_back(file.path());
    }
  }
  EXPECT_EQ(found.size(), 1U);
  for (const auto& file : found) {
    std::filesystem::remove(file);
  }
}

TEST_F(trace, does_not_make_queues_profile) {
  EXPECT_EXIT(run([] {
                lf::queue q;
                lf::event e = q.single_task([] {});
                e.wait();
                try {
                  static_cast<void>(e.get_profiling_info<lf::info::event_profiling::command_end>());
                } catch (const lf::exception& refused) {
                  std::exit(refused.code() == lf::errc::invalid ? 7 : 8);
                }
              }),
              testing::ExitedWithCode(7), "");
}

TEST_F(trace, must_have_a_file_that_can_be_written) {
  setenv("LANEFOLD_TRACE", "/nowhere/trace.json", 1);
  std::string text;
  try {
    const lf::queue q;
  } catch (const lf::exception& e) {
    EXPECT_EQ(e.code(), lf::errc::invalid);
    text = e.what();
  }
  unsetenv("LANEFOLD_TRACE");
  EXPECT_EQ(text,
            "the environment variable LANEFOLD_TRACE is \"/nowhere/trace.json\", a file that cannot be written: No "
            "such file or directory");
}

} // namespace
