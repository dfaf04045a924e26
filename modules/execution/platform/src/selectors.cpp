// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/selectors.hpp>

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/environment_variable.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

int default_score(const device& candidate) { return candidate.is_cpu() ? 100 : 50; }

namespace {

/// Returns whether the environment lets the CPU of this process take the place of GPUs and accelerators.
bool cpu_takes_their_place() { return value_of(environment_variables::selector).has_value(); }
bool runs_here(const device& candidate) { return candidate.get_backend() == backend::lanefold_cpu; }

int score_for(const device& candidate, aspect kind) {
  if (cpu_takes_their_place()) {
    return runs_here(candidate) ? 100 : -1;
  }
  if (candidate.has(kind)) {
    return 100;
  }
  const std::vector<device> all = device::get_devices();
  if (std::any_of(all.begin(), all.end(), [kind](const device& d) { return d.has(kind); })) {
    return -1;
  }
  const std::string wanted = kind == aspect::gpu ? "GPU" : kind == aspect::cpu ? "CPU" : "accelerator";
  throw exception(
      make_error_code(errc::runtime),
      "there is no " + wanted +
          ": C++ kernels run on the CPU (default_selector_v, cpu_selector_v); OpenCL devices are found in "
          "programs that include <lanefold/gpu.hpp> and link lanefold::gpu, where a driver is installed"
          " and LANEFOLD_GPU_DEVICE does not hide them; with LANEFOLD_SELECTOR=cpu in the environment this program "
          "takes the CPU in place of a GPU or an accelerator");
}

} // namespace

int cpu_score(const device& candidate) { return score_for(candidate, aspect::cpu); }
int gpu_score(const device& candidate) { return score_for(candidate, aspect::gpu); }
int accelerator_score(const device& candidate) { return score_for(candidate, aspect::accelerator); }

device select_device(int (*score)(const void*, const device&), const void* selector) {
  int best_score = -1;
  device best;
  for (const device& candidate : device::get_devices()) {
    const int its_score = score(selector, candidate);
    if (its_score > best_score) {
      best_score = its_score;
      best = candidate;
    }
  }
  if (best_score < 0) {
    throw exception(make_error_code(errc::runtime), "no device suits the device selector: it scores all of them below "
                                                    "zero; there is the CPU '" +
                                                        device().get_name() + "'");
  }
  return best;
}

} // namespace detail

struct aspects_selector::aspects {
  std::vector<aspect> required;
  std::vector<aspect> denied;
};

aspects_selector::aspects_selector(std::vector<aspect> required, std::vector<aspect> denied)
    : m_aspects(std::make_shared<const aspects>(aspects{std::move(required), std::move(denied)})) {}

aspects_selector aspect_selector(const std::vector<aspect>& required, const std::vector<aspect>& denied) {
  return {required, denied};
}

device device_selector::select_device() const { return device(*this); }

int default_selector::operator()(const device& d) const { return default_selector_v(d); }
int cpu_selector::operator()(const device& d) const { return cpu_selector_v(d); }
int gpu_selector::operator()(const device& d) const { return gpu_selector_v(d); }
int accelerator_selector::operator()(const device& d) const { return accelerator_selector_v(d); }
int host_selector::operator()(const device& d) const { return cpu_selector_v(d); }

int aspects_selector::operator()(const device& candidate) const {
  const auto& [required, denied] = *m_aspects;
  const bool in_place = detail::cpu_takes_their_place() && detail::runs_here(candidate);
  const auto has = [&](aspect a) {
    return candidate.has(a) || (in_place && (a == aspect::gpu || a == aspect::accelerator));
  };
  const bool suits = std::all_of(required.begin(), required.end(), has) &&
                     std::none_of(denied.begin(), denied.end(), [&](aspect a) { return candidate.has(a); });
  return suits ? detail::default_score(candidate) : -1;
}

namespace ext::oneapi {
namespace {

/// The parts of a text between separators.
std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

constexpr std::pair<const char*, backend> backend_names[] = {
    {"lanefold_cpu", backend::lanefold_cpu},
    {"opencl", backend::opencl},
    {"level_zero", backend::ext_oneapi_level_zero},
    {"ext_oneapi_level_zero", backend::ext_oneapi_level_zero},
    {"cuda", backend::ext_oneapi_cuda},
    {"ext_oneapi_cuda", backend::ext_oneapi_cuda},
    {"hip", backend::ext_oneapi_hip},
    {"ext_oneapi_hip", backend::ext_oneapi_hip},
    {"native_cpu", backend::ext_oneapi_native_cpu},
    {"ext_oneapi_native_cpu", backend::ext_oneapi_native_cpu},
};
constexpr std::pair<const char*, aspect> kind_names[] = {
    {"cpu", aspect::cpu}, {"gpu", aspect::gpu}, {"accelerator", aspect::accelerator}};

template <class Names>
auto find_name(const Names& names, const std::string& name) {
  return std::find_if(std::begin(names), std::end(names), [&](const auto& known) { return name == known.first; });
}

/// Holds what one text of a filter_selector asks for.
struct filter {
  std::optional<backend> on;
  std::optional<aspect> kind;
  std::optional<std::size_t> number;
};

filter parse_filter(const std::string& text) {
  filter result;
  for (const std::string& part : parts_of(text, ':')) {
    const auto* const on = find_name(backend_names, part);
    const auto* const kind = find_name(kind_names, part);
    const bool is_number =
        !part.empty() && part.size() < 10 && part.find_first_not_of("0123456789") == std::string::npos;
    // The order is that of the format.
    if (on != std::end(backend_names) && !result.on && !result.kind && !result.number) {
      result.on = on->second;
    } else if (part == "host" && !result.on && !result.kind && !result.number) {
      result.on = backend::lanefold_cpu;
      result.kind = aspect::cpu;
    } else if (kind != std::end(kind_names) && !result.kind && !result.number) {
      result.kind = kind->second;
    } else if (is_number && !result.number) {
      result.number = std::stoul(part);
    } else {
      throw exception(
          make_error_code(errc::runtime),
          "filter_selector: '" + text +
              "' is no filter BACKEND:TYPE:NUMBER, of which each part may be "
              "missing: the backend is lanefold_cpu, opencl, level_zero, cuda, hip or native_cpu, the type cpu, "
              "gpu, accelerator or host, the number that of a device, from 0");
    }
  }
  return result;
}

bool matches(const filter& asked, const device& candidate) {
  const auto suits = [&](const device& d) {
    return (!asked.on || d.get_backend() == *asked.on) && (!asked.kind || d.has(*asked.kind));
  };
  if (!suits(candidate)) {
    return false;
  }
  std::vector<device> suiting = device::get_devices();
  std::erase_if(suiting, [&](const device& d) { return !suits(d); });
  return !asked.number || (*asked.number < suiting.size() && suiting[*asked.number] == candidate);
}

} // namespace

filter_selector::filter_selector(const std::string& filters) : m_filters(filters) {
  for (const std::string& text : parts_of(filters, ',')) {
    parse_filter(text); // throws
  }
}

int filter_selector::operator()(const device& candidate) const {
  if (lanefold::detail::cpu_takes_their_place()) {
    return cpu_selector_v(candidate);
  }
  const std::vector<std::string> filters = parts_of(m_filters, ',');
  const bool matching = std::any_of(filters.begin(), filters.end(),
                                    [&](const std::string& text) { return matches(parse_filter(text), candidate); });
  return matching ? lanefold::detail::default_score(candidate) : -1;
}

} // namespace ext::oneapi
LANEFOLD_END_NAMESPACE
