// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <lanefold/execution/detail/environment.hpp>
#include <lanefold/execution/detail/environment_variable.hpp>
#include <lanefold/execution/detail/machine.hpp>
#include <lanefold/execution/fiber/worker.hpp>
#include <lanefold/execution/parallel_for.hpp>
#include <lanefold/simd/isa.hpp>
#include <lanefold/version.hpp>
#if defined(LANEFOLD_INFO_OPENCL)
#include <lanefold/gpu.hpp>
#endif

#include <cstdint>
#include <exception>

namespace lanefold_info {
namespace {

namespace lf = lanefold;

/// The part of the report that `tell` makes, or why there is none.
template <class Tell>
json part(const Tell& tell) {
  try {
    return tell();
  } catch (const std::exception& e) {
    return json{{"error", e.what()}};
  }
}

json library() {
  json told{{"version", LANEFOLD_VERSION_STRING}};
#if defined(__clang__)
  told["compiler"] = "clang " __clang_version__;
#else
  told["compiler"] = "g++ " __VERSION__;
#endif
  told["c++"] = __cplusplus;
#if defined(LANEFOLD_CHECKED)
  told["checked"] = true;
#else
  told["checked"] = false;
#endif
#if defined(LANEFOLD_INFO_OPENCL)
  told["opencl"] = true;
#else
  told["opencl"] = false;
#endif
  return told;
}

template <class T>
std::size_t lanes() {
  return lf::detail::register_bytes() / sizeof(T);
}

json processor() {
  json told{{"name", lf::detail::cpuinfo("model name")},
            {"cores", lf::detail::available_cores()},
            {"megahertz", lf::detail::clock_megahertz()},
            {"memory_bytes", lf::detail::memory_bytes()}};
  for (const lf::detail::data_cache& cache : lf::detail::data_caches()) {
    told["caches"].push_back({{"level", cache.level}, {"bytes", cache.bytes}, {"line_bytes", cache.line}});
  }
  return told;
}

json instruction_sets() {
  json supported = json::array();
  for (const lf::isa_id id :
       {lf::isa_id::generic, lf::isa_id::sse2, lf::isa_id::avx2, lf::isa_id::avx512, lf::isa_id::neon}) {
    if (lf::supports(id)) {
      supported.push_back(lf::isa_name(id));
    }
  }
  return {{"of_this_program", lf::isa_name(lf::isa_of_translation_unit())},
          {"of_this_cpu", lf::isa_name(lf::cpu_isa())},
          {"this_cpu_runs", supported}};
}

json lanes_of_registers() {
  return {{"int8", lanes<std::int8_t>()},
          {"int16", lanes<std::int16_t>()},
          {"int32", lanes<std::int32_t>()},
          {"int64", lanes<std::int64_t>()},
          {"float", lanes<float>()},
          {"double", lanes<double>()},
          {"kernels_of_this_program", lf::detail::native_lanes}};
}

json fibers() {
  json told{{"asked_for", lf::to_string(lf::detail::environment::read().engine)}};
  for (const lf::fiber_engine engine : lf::detail::fiber_engines()) {
    told["engines"].push_back(lf::to_string(engine));
  }
  told["automatic_is"] = lf::to_string(lf::detail::fiber_engines().front());
  return told;
}

json threads() { return {{"of_a_queue", lf::detail::environment::read().threads}}; }

json environment() {
  json told = json::array();
  for (const lf::detail::environment_description& variable : lf::detail::describe_environment()) {
    json line{
        {"name", variable.name}, {"value", nullptr}, {"meaning", variable.meaning}, {"allowed", variable.allowed}};
    if (variable.value) {
      line["value"] = *variable.value;
    }
    if (variable.refused) {
      line["error"] = "this value is not allowed";
    }
    told.push_back(line);
  }
  return told;
}

#if defined(LANEFOLD_INFO_OPENCL)
const char* name_of(lf::gpu::flavour flavour) {
  switch (flavour) {
  case lf::gpu::flavour::automatic: return "automatic";
  case lf::gpu::flavour::khr: return "khr";
  case lf::gpu::flavour::intel: return "intel";
  case lf::gpu::flavour::nv: return "nv";
  case lf::gpu::flavour::local: return "local";
  }
  return "unknown";
}

const char* name_of(lf::gpu::usm_support support) {
  switch (support) {
  case lf::gpu::usm_support::none: return "none";
  case lf::gpu::usm_support::handles: return "handles";
  case lf::gpu::usm_support::svm: return "svm";
  case lf::gpu::usm_support::intel: return "intel";
  }
  return "unknown";
}

json opencl_device(const lf::gpu::device& device) {
  const lf::gpu::library_target& target = device.library_target();
  json flavours = json::array();
  const std::pair<bool, const char*> offered[] = {{target.khr, "khr"}, {target.intel, "intel"}, {target.nv, "nv"}};
  for (const auto& [there, name] : offered) {
    if (there) {
      flavours.push_back(name);
    }
  }
  flavours.push_back("local");
  return {{"name", device.get_name()},
          {"platform", device.get_platform_name()},
          {"driver", device.get_driver_version()},
          {"kind", device.is_gpu()   ? "gpu"
                   : device.is_cpu() ? "cpu"
                                     : "accelerator"},
          {"compute_units", device.max_compute_units()},
          {"max_work_group_size", device.max_work_group_size()},
          {"local_memory_bytes", device.local_memory_bytes()},
          {"global_memory_bytes", device.global_memory_bytes()},
          {"fp16", device.has_fp16()},
          {"fp64", device.has_fp64()},
          {"sub_group_functions", flavours},
          {"sub_group_functions_used", name_of(target.flavour)},
          {"sub_group_sizes", target.sub_group_sizes},
          {"usm", name_of(device.get_usm_support())}};
}

json opencl() {
  json told = json::array();
  for (const lf::gpu::device& device : lf::gpu::devices()) {
    told.push_back(part([&] { return opencl_device(device); }));
  }
  return told;
}
#else
json opencl() { return {{"error", "this build is without the module gpu: it found no OpenCL loader and headers"}}; }
#endif

/// A number of bytes as people write it; anything else as it is.
std::string in_words(const std::string& key, const json& value) {
  if (key.ends_with("bytes") && value.is_number_unsigned()) {
    std::uint64_t number = value.get<std::uint64_t>();
    const char* const units[] = {"B", "KiB", "MiB", "GiB"};
    std::size_t unit = 0;
    while (unit < 3 && number >= 1024 && (number % 1024 == 0 || number >= 10240)) {
      number /= 1024;
      ++unit;
    }
    return std::to_string(number) + " " + units[unit];
  }
  if (value.is_null()) {
    return "not set";
  }
  if (value.is_boolean()) {
    return value.get<bool>() ? "yes" : "no";
  }
  return value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string label(std::string key) {
  for (char& c : key) {
    c = c == '_' ? ' ' : c;
  }
  return key;
}

void write(std::string& text, const std::string& key, const json& value, std::size_t depth) {
  const std::string indent(2 * depth, ' ');
  if (value.is_object()) {
    text += indent + label(key) + "\n";
    for (const auto& [name, inner] : value.items()) {
      write(text, name, inner, depth + 1);
    }
  } else if (value.is_array() && !value.empty() && value.front().is_object()) {
    text += indent + label(key) + "\n";
    for (const json& element : value) {
      std::string lines;
      for (const auto& [name, inner] : element.items()) {
        write(lines, name, inner, depth + 2);
      }
      lines[2 * depth + 2] = '-';
      text += lines;
    }
  } else if (value.is_array()) {
    std::string list;
    for (const json& element : value) {
      list += (list.empty() ? "" : ", ") + in_words(key, element);
    }
    text += indent + label(key) + ": " + (list.empty() ? "none" : list) + "\n";
  } else {
    text += indent + label(key) + ": " + in_words(key, value) + "\n";
  }
}

} // namespace

json report() {
  return {{"lanefold", part(library)},
          {"processor", part(processor)},
          {"instruction_sets", part(instruction_sets)},
          {"lanes_of_a_register", part(lanes_of_registers)},
          {"threads", part(threads)},
          {"fibers", part(fibers)},
          {"opencl_devices", part(opencl)},
          {"environment", part(environment)}};
}

std::string as_text(const json& what) {
  std::string text;
  for (const auto& [name, value] : what.items()) {
    write(text, name, value, 0);
  }
  return text;
}

} // namespace lanefold_info
