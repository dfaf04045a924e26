// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/selectors.hpp>

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/environment_variable.hpp>

#include <algorithm>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

int default_score(const device& candidate) noexcept { return candidate.is_cpu() ? 100 : 50; }

int score_for(const device& candidate, aspect kind) {
  if (value_of(environment_variables::selector)) {
    kind = aspect::cpu;
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

device select_device(const std::function<int(const device&)>& score) {
  int best_score = -1;
  device best;
  for (const device& candidate : device::get_devices()) {
    const int its_score = score(candidate);
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

int aspects_selector::operator()(const device& candidate) const noexcept {
  const auto has = [&](aspect a) { return candidate.has(a); };
  return std::all_of(m_required.begin(), m_required.end(), has) && std::none_of(m_denied.begin(), m_denied.end(), has)
             ? detail::default_score(candidate)
             : -1;
}

LANEFOLD_END_NAMESPACE
