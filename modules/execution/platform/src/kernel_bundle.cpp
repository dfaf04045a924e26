// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/kernel_bundle.hpp>

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/machine.hpp>

#include <algorithm>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

[[noreturn]] void refuse(const char* why) { throw exception(make_error_code(errc::invalid), why); }

} // namespace

bool bundle_contents::contains(const kernel_id& kernel) const noexcept {
  return std::find(kernels.begin(), kernels.end(), kernel) != kernels.end();
}

bool bundle_contents::contains(const std::type_info& kernel) const noexcept {
  return std::any_of(kernels.begin(), kernels.end(), [&](const kernel_id& k) { return *k.entry()->type == kernel; });
}

bool bundle_contents::is_for(const device& on) const noexcept {
  return std::find(devices.begin(), devices.end(), on) != devices.end();
}

bool can_compile(const std::vector<device>& devices) {
  return std::any_of(devices.begin(), devices.end(), [](const device& d) { return d.has(aspect::online_compiler); });
}

std::shared_ptr<bundle_contents> make_bundle(const context& where, const std::vector<device>& devices,
                                             const std::vector<kernel_id>& kernels) {
  if (devices.empty()) {
    refuse("a kernel bundle needs at least one device");
  }
  const std::vector<device> of_context = where.get_devices();
  for (const device& d : devices) {
    if (std::find(of_context.begin(), of_context.end(), d) == of_context.end()) {
      refuse("the devices of a kernel bundle must belong to its context");
    }
  }
  auto made =
      std::make_shared<bundle_contents>(bundle_contents{where, devices, {}, std::make_shared<specialization_values>()});
  for (const kernel_id& k : kernels) {
    if (!made->contains(k)) {
      made->kernels.push_back(k);
    }
  }
  return made;
}

std::shared_ptr<bundle_contents> copy_bundle(const bundle_contents& from) {
  auto made = std::make_shared<bundle_contents>(from);
  made->values = std::make_shared<specialization_values>(*from.values);
  return made;
}

std::shared_ptr<bundle_contents> join_bundles(const std::vector<std::shared_ptr<bundle_contents>>& all) {
  if (all.empty()) {
    refuse("join: there is no kernel bundle");
  }
  const std::shared_ptr<bundle_contents> made = copy_bundle(*all.front());
  for (const std::shared_ptr<bundle_contents>& part : all) {
    if (part->where != made->where) {
      refuse("join: the kernel bundles belong to different contexts");
    }
    for (const kernel_id& k : part->kernels) {
      if (!made->contains(k)) {
        made->kernels.push_back(k);
      }
    }
    made->values->set_all(*part->values);
    made->has_set_values = made->has_set_values || part->has_set_values;
  }
  return made;
}

kernel kernel_of(const std::shared_ptr<bundle_contents>& bundle, const kernel_id& id) {
  if (!bundle->contains(id)) {
    throw exception(make_error_code(errc::invalid),
                    std::string("get_kernel: the kernel bundle does not have the kernel '") + id.get_name() + "'");
  }
  return {bundle, id};
}

} // namespace detail

const char* kernel_id::get_name() const noexcept { return m_entry->name.c_str(); }

std::vector<kernel_id> get_kernel_ids() {
  std::vector<kernel_id> all;
  for (const detail::kernel_entry* const entry : detail::registered_kernels()) {
    all.emplace_back(entry);
  }
  return all;
}

// ---- kernel

backend kernel::get_backend() const noexcept { return m_bundle->where.get_backend(); }

context kernel::get_context() const { return m_bundle->where; }

kernel_bundle<bundle_state::executable> kernel::get_kernel_bundle() const {
  return kernel_bundle<bundle_state::executable>(m_bundle);
}

namespace detail {
namespace {

namespace query = info::kernel_device_specific;

std::size_t answer(query::work_group_size) { return device::max_work_group_size(); }
/// One register of float; lane-generic kernels take up to four.
std::size_t answer(query::preferred_work_group_size_multiple) {
  return std::max<std::size_t>(register_bytes() / sizeof(float), 1);
}
/// It is on the stack, and nobody counts it.
std::size_t answer(query::private_mem_size) { return 0; }
std::uint32_t answer(query::max_num_sub_groups) { return device::max_work_group_size(); }
std::uint32_t answer(query::max_sub_group_size) { return 256; }
// Launch properties say these for a launch, nothing does for a kernel.
range<3> answer(query::compile_work_group_size) { return {0, 0, 0}; }
std::uint32_t answer(query::compile_num_sub_groups) { return 0; }
std::uint32_t answer(query::compile_sub_group_size) { return 0; }
range<3> answer(query::global_work_size) {
  refuse("info::kernel_device_specific::global_work_size: this is no built-in kernel");
}

} // namespace
} // namespace detail

template <class Query>
typename Query::return_type kernel::answer() const {
  if constexpr (std::is_same_v<Query, info::kernel::function_name>) {
    return m_id.get_name();
  } else if constexpr (std::is_same_v<Query, info::kernel::context>) {
    return get_context();
  } else if constexpr (std::is_same_v<Query, info::kernel::reference_count>) {
    return static_cast<std::uint32_t>(m_bundle.use_count());
  } else if constexpr (std::is_same_v<Query, info::kernel::attributes>) {
    return {};
  } else {
    detail::refuse("info::kernel::num_args: the arguments of this kernel are what it captures");
  }
}
template std::string kernel::answer<info::kernel::function_name>() const;
template std::string kernel::answer<info::kernel::attributes>() const;
template context kernel::answer<info::kernel::context>() const;
template std::uint32_t kernel::answer<info::kernel::reference_count>() const;
template std::uint32_t kernel::answer<info::kernel::num_args>() const;

template <class Query>
typename Query::return_type kernel::answer(const device& on) const {
  if (std::find(m_bundle->devices.begin(), m_bundle->devices.end(), on) == m_bundle->devices.end()) {
    detail::refuse("kernel::get_info: the kernel's bundle is not for this device");
  }
  return detail::answer(Query());
}
#define LANEFOLD_DETAIL_ANSWER(query)                                                                                  \
  template info::kernel_device_specific::query::return_type kernel::answer<info::kernel_device_specific::query>(       \
      const device&) const
LANEFOLD_DETAIL_ANSWER(global_work_size);
LANEFOLD_DETAIL_ANSWER(work_group_size);
LANEFOLD_DETAIL_ANSWER(compile_work_group_size);
LANEFOLD_DETAIL_ANSWER(preferred_work_group_size_multiple);
LANEFOLD_DETAIL_ANSWER(private_mem_size);
LANEFOLD_DETAIL_ANSWER(max_num_sub_groups);
LANEFOLD_DETAIL_ANSWER(compile_num_sub_groups);
LANEFOLD_DETAIL_ANSWER(max_sub_group_size);
LANEFOLD_DETAIL_ANSWER(compile_sub_group_size);
#undef LANEFOLD_DETAIL_ANSWER

LANEFOLD_END_NAMESPACE
