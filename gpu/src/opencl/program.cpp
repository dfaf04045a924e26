// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include "device_blocks.hpp"
#include "disk_cache.hpp"

#include <lanefold/execution/detail/environment_variable.hpp>
#include <lanefold/gpu/program_cache.hpp>

#include <array>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {
namespace {

struct atomic_counters {
  std::atomic<std::size_t> memory_hits = 0, disk_hits = 0, builds = 0, bad_files = 0, failed_writes = 0;
};
atomic_counters counters;

} // namespace

program_cache_counters get_program_cache_counters() {
  return {counters.memory_hits, counters.disk_hits, counters.builds, counters.bad_files, counters.failed_writes};
}

namespace opencl {
namespace {

// Goes up when files of older versions of the library must not be used.
constexpr const char* generation = "1";

std::string key_of(const device_state& device, const std::string& text, const std::string& options) {
  std::string key;
  for (const std::string& part :
       {std::string(generation), device.platform.getInfo<CL_PLATFORM_VERSION>(),
        device.handle.getInfo<CL_DEVICE_NAME>(), device.handle.getInfo<CL_DRIVER_VERSION>(), options, text})
    key += part + '\0';
  return key;
}

std::string numbered(const std::string& text) {
  std::istringstream in(text);
  std::string result, line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    const std::string digits = std::to_string(number);
    result += std::string(digits.size() < 5 ? 5 - digits.size() : 0, ' ') + digits + " | " + line + "\n";
  }
  return result;
}

std::string build_log(const device_state& device, const cl::Program& program) {
  std::string log;
  std::size_t bytes = 0;
  if (clGetProgramBuildInfo(program(), device.handle(), CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes) == CL_SUCCESS) {
    log.resize(bytes);
    clGetProgramBuildInfo(program(), device.handle(), CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
    log.resize(log.find_last_not_of(std::string_view("\0\n", 2)) + 1);
  }
  return log;
}

/// Writes a program, and what its compiler said, into the folder that LANEFOLD_DUMP names. What cannot be written is
/// not: the program runs all the same.
void dump(const device_state& device, const std::string& text, const std::string& options, const std::string& log) {
  const auto folder = lanefold::detail::value_of(lanefold::detail::environment_variables::dump);
  if (!folder)
    return;
  std::array<char, 17> name{};
  std::snprintf(name.data(), name.size(), "%016llx",
                static_cast<unsigned long long>(checksum_of(options + '\0' + text)));
  const std::filesystem::path file = std::filesystem::path(*folder) / name.data();
  std::error_code ignored;
  std::filesystem::create_directories(*folder, ignored);
  std::ofstream(file.string() + ".cl") << "// " << device.handle.getInfo<CL_DEVICE_NAME>() << ", options '" << options
                                       << "'\n"
                                       << text;
  std::ofstream(file.string() + ".log") << log << '\n';
}

[[noreturn]] void refuse_build(const device_state& device, const cl::Program& program, cl_int code,
                               const std::string& text, const std::string& options) {
  const std::string log = build_log(device, program);
  dump(device, text, options, log);
  throw exception(make_error_code(errc::build),
                  "building an OpenCL program for " + device.handle.getInfo<CL_DEVICE_NAME>() + " failed (" +
                      opencl_error_name(code) + ", options '" + options + "')\n" + log + "\n" + numbered(text));
}

cl::Program build(device_state& device, const std::string& text, const std::string& options) {
  const cl::Program program =
      guarded("making an OpenCL program", [&] { return cl::Program(device.context(), text, false); });
  const cl_device_id handle = device.handle();
  const cl_int code = clBuildProgram(program(), 1, &handle, options.c_str(), nullptr, nullptr);
  if (code != CL_SUCCESS)
    refuse_build(device, program, code, text, options);
  ++counters.builds;
  return program;
}

/// Nothing if the device does not take the binary.
std::optional<cl::Program> load(device_state& device, const std::string& binary, const std::string& options) {
  const cl_device_id handle = device.handle();
  const auto* data = reinterpret_cast<const unsigned char*>(binary.data());
  const std::size_t bytes = binary.size();
  cl_int status = CL_SUCCESS, code = CL_SUCCESS;
  cl::Program program(clCreateProgramWithBinary(device.context()(), 1, &handle, &bytes, &data, &status, &code));
  if (code != CL_SUCCESS || status != CL_SUCCESS ||
      clBuildProgram(program(), 1, &handle, options.c_str(), nullptr, nullptr) != CL_SUCCESS)
    return std::nullopt;
  return program;
}

std::string binary_of(const cl::Program& program) {
  std::size_t bytes = 0;
  if (clGetProgramInfo(program(), CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, nullptr) != CL_SUCCESS || bytes == 0)
    return {};
  std::string binary(bytes, '\0');
  auto* data = reinterpret_cast<unsigned char*>(binary.data());
  if (clGetProgramInfo(program(), CL_PROGRAM_BINARIES, sizeof(data), &data, nullptr) != CL_SUCCESS)
    return {};
  return binary;
}

cl::Program load_or_build(device_state& device, const std::string& text, const std::string& options) {
  const disk_cache files(cache_folder(), cache_limit());
  const std::string key = key_of(device, text, options);
  const disk_cache::lookup file = files.load(key);
  if (file.what == disk_cache::outcome::found) {
    if (const std::optional<cl::Program> program = load(device, file.value, options)) {
      ++counters.disk_hits;
      return *program;
    }
  }
  if (file.what != disk_cache::outcome::missing)
    ++counters.bad_files;
  const cl::Program program = build(device, text, options);
  const std::string binary = binary_of(program);
  if (binary.empty() || !files.store(key, binary))
    ++counters.failed_writes;
  return program;
}

/// Returns where the white space and comments that end before `end` begin.
std::size_t begin_of_blanks(std::string_view text, std::size_t end) {
  while (end > 0) {
    if (text.substr(0, end).ends_with("*/")) {
      const std::size_t open = text.rfind("/*", end - 2);
      if (open == text.npos)
        return end;
      end = open;
    } else if (std::string_view(" \t\\\r\n").find(text[end - 1]) != std::string_view::npos) {
      --end;
    } else {
      return end;
    }
  }
  return end;
}

/// Puts lines together that go on behind a backslash (a trigraph may stand for it), as the preprocessor does first of
/// all. Compilers take one with blanks behind it, too.
std::string without_line_ends(std::string_view text) {
  std::string whole;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t behind = text[i] == '\\' ? i + 1 : text.substr(i, 3) == "?\?/" ? i + 3 : text.npos;
    const std::size_t end = behind == text.npos ? behind : text.find_first_not_of(" \t\r", behind);
    if (end != text.npos && text[end] == '\n')
      i = end;
    else
      whole += text[i];
  }
  return whole;
}

/// Returns whether a directive is called `part`, or has it in its name as `#include_next` has.
bool has_directive(std::string_view text, std::string_view part) {
  for (std::size_t i = text.find(part); i != text.npos; i = text.find(part, i + part.size())) {
    std::size_t begin = i;
    while (begin > 0 && is_letter(text[begin - 1]))
      --begin;
    const std::string_view before = text.substr(0, begin_of_blanks(text, begin));
    if (before.ends_with('#') || before.ends_with("%:") || before.ends_with("?\?="))
      return true;
  }
  return false;
}

/// Returns whether the program depends on files: what these hold is no part of a key. Such directives count in comments
/// too: rather a program more that is not kept.
bool reads_files(const std::string& text, std::string_view options) {
  if (options.find("-include") != options.npos || options.find("-imacros") != options.npos)
    return true;
  const std::string whole = without_line_ends(text);
  const bool asks = whole.find("__has_") != whole.npos; // a macro may put together what for
  const auto reads = [&](std::string_view word) {
    return asks ? whole.find(word) != whole.npos : has_directive(whole, word);
  };
  return reads("include") || reads("import") || reads("embed");
}

/// Adds what the environment asks of all programs.
std::string with_options_of_environment(const std::string& options) {
  const auto more = lanefold::detail::value_of(lanefold::detail::environment_variables::gpu_build_options);
  return more ? options + " " + *more : options;
}

} // namespace

cl::Program program_for(device_state& device, const std::string& text, const std::string& of_program) {
  const std::string options = with_options_of_environment(of_program);
  const std::lock_guard lock(device.programs_mutex);
  if (reads_files(text, options)) {
    cl::Program made = build(device, text, options);
    dump(device, text, options, build_log(device, made));
    return made;
  }
  const std::string key = options + '\0' + text;
  if (const auto found = device.programs.find(key); found != device.programs.end()) {
    ++counters.memory_hits;
    return found->second;
  }
  const cl::Program& made = device.programs.emplace(key, load_or_build(device, text, options)).first->second;
  dump(device, text, options, build_log(device, made));
  return made;
}

} // namespace opencl
} // namespace gpu
LANEFOLD_END_NAMESPACE
