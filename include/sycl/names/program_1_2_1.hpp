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
      : m_contents(std::make_shared<contents>(contents{where, std::move(devices), {}, {}})) {}

  /// The program has this kernel from here on. Errors: errc::invalid for a program that is compiled or linked already,
  /// and those of get_kernel_bundle.
  template <class Name>
  void build_with_kernel_type(const std::string& options = {}) {
    compile_with_kernel_type<Name>(options);
    link();
  }
  template <class Name>
  void compile_with_kernel_type(const std::string& options = {}) {
    expect(info::program_state::none, "compile");
    m_contents->kernels = lanefold::get_kernel_bundle<Name, bundle_state::executable>(get_context(), get_devices());
    m_contents->state = info::program_state::compiled;
    m_contents->options = options;
  }
  /// Errors: errc::invalid for a program that is not compiled, or linked already.
  void link(const std::string& /*options*/ = {}) {
    expect(info::program_state::compiled, "link");
    m_contents->state = info::program_state::linked;
  }

  template <class Name>
  [[nodiscard]] bool has_kernel() const {
    return m_contents->kernels && m_contents->kernels->has_kernel<Name>();
  }
  /// Errors: errc::invalid for a kernel that it does not have, and before it is linked.
  template <class Name>
  [[nodiscard]] kernel get_kernel() const {
    expect(info::program_state::linked, "get_kernel");
    return m_contents->kernels->get_kernel<Name>();
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
    std::optional<kernel_bundle<bundle_state::executable>> kernels;
    std::string options;
    info::program_state state = info::program_state::none;
  };

  void expect(info::program_state state, const char* call) const {
    if (get_state() != state) {
      throw exception(make_error_code(errc::invalid),
                      std::string("program::") + call +
                          (state == info::program_state::none       ? ": it is compiled already"
                           : state == info::program_state::compiled ? ": it is not compiled, or linked already"
                                                                    : ": it is not linked"));
    }
  }

  std::shared_ptr<contents> m_contents;
};
LANEFOLD_END_NAMESPACE

namespace sycl {
using lanefold::program;
} // namespace sycl

#endif
