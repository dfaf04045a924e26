// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/launch.hpp>

#include <lanefold/exception.hpp>

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string_view>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

void erase_all(std::string& text, std::string_view part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
    text.erase(at, part.size());
  }
}

} // namespace

std::string type_name(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> readable(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                        &std::free);
  std::string name = status == 0 ? readable.get() : type.name();
  if (!name.empty() && name.back() == '*') {
    name.pop_back();
  }
  erase_all(name, "(anonymous namespace)::");
  erase_all(name,
            LANEFOLD_DETAIL_STRING(LANEFOLD_DETAIL_INTERFACE(LANEFOLD_VERSION_MAJOR, LANEFOLD_VERSION_MINOR)) "::");
  return name;
}

launch::launch(std::size_t size, std::size_t grain, std::size_t local_bytes, fiber_engine engine,
               const std::type_info& kernel, const std::type_info* name) noexcept
    : m_size(size), m_grain(grain == 0 ? 1 : grain), m_local_bytes(local_bytes), m_engine(engine),
      m_kernel(name != nullptr ? name : &kernel) {}

launch::launch(std::size_t size, std::size_t grain, const launch_settings& settings,
               const std::type_info& kernel) noexcept
    : launch(size, grain, settings.local_bytes, settings.engine, kernel, settings.name) {
  m_stack_bytes = settings.stack_bytes;
  m_lenient_barriers = settings.lenient_barriers;
  m_why = settings.why;
  m_checks = settings.checks;
}

launch::launch(std::size_t size, std::size_t grain, const launch_settings& settings, const std::string& name)
    : launch(size, grain, settings, typeid(launch*)) {
  m_name = name;
}

launch::~launch() {
  if (m_attachments) {
    for (const std::shared_ptr<command_attachment>& thing : *m_attachments) {
      thing->command_ends();
    }
  }
}

void launch::divide_groups(std::size_t /*pieces*/, bool /*few*/) {}

void launch::run_each(std::span<launch* const> those) { run_each_as<launch>(those); }

std::string launch::place(std::size_t position) const { return "group " + std::to_string(position); }
std::string launch::place(std::size_t position, unsigned /*unit*/) const { return place(position); }

launch_description launch::describe() const { return {}; }

void launch::rewind() {
#if defined(LANEFOLD_CHECKED)
  m_shared.reset();
#endif
}

float launch::known_nanoseconds() const noexcept { return 0; }

device_launch* launch::on_device() noexcept { return nullptr; }

void launch::attach(shared_part<const std::vector<std::shared_ptr<command_attachment>>> things) noexcept {
  m_attachments = std::move(things);
}

bool launch::has_attachments() const noexcept { return static_cast<bool>(m_attachments); }

const std::string& launch::kernel_name() const {
  std::call_once(m_named, [this] {
    if (m_name.empty()) {
      m_name = type_name(*m_kernel);
    }
  });
  return m_name;
}

void kernel_error(const std::string& kernel, const std::string& place) {
  const std::string where = "kernel '" + kernel + (place.empty() ? "'" : "', " + place);
  try {
    throw;
  } catch (const exception& e) {
    std::throw_with_nested(exception(e.code(), where + ": " + e.what()));
  } catch (const std::exception& e) {
    std::throw_with_nested(exception(make_error_code(errc::kernel), where + ": " + e.what()));
  } catch (...) {
    std::throw_with_nested(exception(make_error_code(errc::kernel), where + ": an exception of unknown type"));
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
