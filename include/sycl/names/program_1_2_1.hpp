// SPDX-License-Identifier: Apache-2.0
/// The class `program` of SYCL 1.2.1, for programs that include <CL/sycl.hpp>.
#pragma once

#if __has_include(<lanefold/execution.hpp>)
#include <lanefold/execution.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace info {
/// How far a `program` is.
enum class program_state { none, compiled, linked };
} // namespace info

/// Kernels of SYCL 1.2.1, to be asked about: a kernel_bundle that is told when it is built. Kernels are compiled with
/// the program, so that building is remembering and options of compilers mean nothing. A cheap handle; copies stand for
/// one object. Not there: what comes of OpenCL (source, binaries, built-in kernels), since kernels are functions.
class program {
public:
  explicit program(const context& where, const property_list& /*properties*/ = {})
      : program(where, where.get_devices()) {}
  program(const context& where, std::vector<device> devices, const property_list& /*properties*/ = {})
      : m_contents(std::make_shared<contents>(contents{where, std::move(devices), {}, {}, {}})) {}

  /// The program has this kernel, too, from here on, and is built. Errors: those of get_kernel_bundle.
  template <class Name>
  void build_with_kernel_type(const std::string& options = {}) {
    compile_with_kernel_type<Name>(options);
    link();
  }
  template <class Name>
  void compile_with_kernel_type(const std::string& options = {}) {
    std::vector<kernel_id> kernels = m_contents->kernels;
    kernels.push_back(get_kernel_id<Name>());
    m_contents->bundle = lanefold::get_kernel_bundle<bundle_state::executable>(get_context(), get_devices(), kernels);
    m_contents->kernels = std::move(kernels);
    m_contents->options = options;
    m_contents->state = info::program_state::compiled;
  }
  /// Errors: errc::invalid for a program that is not compiled.
  void link(const std::string& /*options*/ = {}) {
    if (get_state() == info::program_state::none) {
      throw exception(make_error_code(errc::invalid), "program::link: it is not compiled");
    }
    m_contents->state = info::program_state::linked;
  }

  template <class Name>
  [[nodiscard]] bool has_kernel() const {
    return m_contents->bundle && m_contents->bundle->has_kernel<Name>();
  }
  /// Errors: errc::invalid for a kernel that it does not have, and before it is linked.
  template <class Name>
  [[nodiscard]] kernel get_kernel() const {
    if (get_state() != info::program_state::linked) {
      throw exception(make_error_code(errc::invalid), "program::get_kernel: it is not linked");
    }
    return m_contents->bundle->get_kernel<Name>();
  }

  [[nodiscard]] context get_context() const { return m_contents->where; }
  [[nodiscard]] std::vector<device> get_devices() const { return m_contents->devices; }
  [[nodiscard]] info::program_state get_state() const noexcept { return m_contents->state; }
  [[nodiscard]] std::string get_compile_options() const { return m_contents->options; }
  [[nodiscard]] std::string get_build_options() const { return m_contents->options; }
  [[nodiscard]] bool is_host() const noexcept { return false; }

  friend bool operator==(const program& a, const program& b) noexcept { return a.m_contents == b.m_contents; }

private:
  struct contents {
    context where;
    std::vector<device> devices;
    std::vector<kernel_id> kernels;
    std::optional<kernel_bundle<bundle_state::executable>> bundle;
    std::string options;
    info::program_state state = info::program_state::none;
  };

  std::shared_ptr<contents> m_contents;
};
LANEFOLD_END_NAMESPACE

namespace sycl {
using lanefold::program;
} // namespace sycl

#endif
