// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/kernel_bundle.hpp>

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/bundle_contents.hpp>
#include <lanefold/execution/detail/machine.hpp>

#include <algorithm>
#include <iterator>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

[[noreturn]] void refuse(const char* why) { throw exception(make_error_code(errc::invalid), why); }

bool runs(const device& on, const kernel_id& kernel) noexcept {
  return on.is_cpu() && can_run(kernel.entry()->asked_for);
}

} // namespace

bool image_contents::contains(const kernel_id& kernel) const noexcept {
  return std::find(kernels.begin(), kernels.end(), kernel) != kernels.end();
}

bool image_contents::contains(const kernel_id& kernel, const device& on) const noexcept {
  return contains(kernel) && std::find(devices.begin(), devices.end(), on) != devices.end() && runs(on, kernel);
}

std::vector<kernel_id> bundle_contents::kernels() const {
  std::vector<kernel_id> all;
  for (const auto& image : images) {
    std::copy_if(image->kernels.begin(), image->kernels.end(), std::back_inserter(all),
                 [&](const kernel_id& k) { return std::find(all.begin(), all.end(), k) == all.end(); });
  }
  return all;
}

bool bundle_contents::contains(const kernel_id& kernel) const noexcept {
  return std::any_of(images.begin(), images.end(), [&](const auto& image) { return image->contains(kernel); });
}

bool bundle_contents::contains(const kernel_id& kernel, const device& on) const noexcept {
  return std::any_of(images.begin(), images.end(), [&](const auto& image) { return image->contains(kernel, on); });
}

bool bundle_contents::contains(const std::type_info& kernel) const noexcept {
  return std::any_of(images.begin(), images.end(), [&](const auto& image) {
    return std::any_of(image->kernels.begin(), image->kernels.end(),
                       [&](const kernel_id& k) { return *k.entry()->type == kernel; });
  });
}

namespace {

/// Throws errc::invalid if there is no device, or one that is not among `allowed`, for which `whose` is the message.
void check_devices(const std::vector<device>& devices, const std::vector<device>& allowed, const char* whose) {
  if (devices.empty()) {
    refuse("a kernel bundle needs at least one device");
  }
  for (const device& d : devices) {
    if (std::find(allowed.begin(), allowed.end(), d) == allowed.end()) {
      refuse(whose);
    }
  }
}

void check_devices(const context& where, const std::vector<device>& devices) {
  check_devices(devices, where.get_devices(), "the devices of a kernel bundle must belong to its context");
}

bool take(bundle_state state, const std::vector<device>& devices) {
  return state == bundle_state::executable || std::all_of(devices.begin(), devices.end(), [&](const device& d) {
           return d.has(state == bundle_state::input ? aspect::online_compiler : aspect::online_linker);
         });
}

bool run(const std::vector<device>& devices, const kernel_id& kernel) {
  return std::any_of(devices.begin(), devices.end(), [&](const device& d) { return runs(d, kernel); });
}

void check_state(bundle_state state, const std::vector<device>& devices) {
  if (!take(state, devices)) {
    refuse(state == bundle_state::input
               ? "kernels in bundle_state::input are for devices that have aspect::online_compiler"
               : "kernels in bundle_state::object are for devices that have aspect::online_linker");
  }
}

std::vector<device> each_once(const std::vector<device>& devices) {
  std::vector<device> unique;
  std::copy_if(devices.begin(), devices.end(), std::back_inserter(unique),
               [&](const device& d) { return std::find(unique.begin(), unique.end(), d) == unique.end(); });
  return unique;
}

std::shared_ptr<bundle_contents> bundle_of(const context& where, const std::vector<device>& devices,
                                           const std::vector<kernel_id>& kernels) {
  image_contents image{{}, each_once(devices)};
  for (const kernel_id& k : kernels) {
    if (!image.contains(k)) {
      image.kernels.push_back(k);
    }
  }
  auto made = std::make_shared<bundle_contents>(
      bundle_contents{where, image.devices, {}, std::make_shared<specialization_values>()});
  if (!image.kernels.empty()) {
    made->images.push_back(std::make_shared<const image_contents>(std::move(image)));
  }
  return made;
}

/// All kernels that one of the devices runs.
std::vector<kernel_id> kernels_for(const std::vector<device>& devices) {
  std::vector<kernel_id> all = get_kernel_ids();
  std::erase_if(all, [&](const kernel_id& k) { return !run(devices, k); });
  return all;
}

} // namespace

bundle_ptr make_bundle(bundle_state state, const context& where, const std::vector<device>& devices) {
  check_devices(where, devices);
  check_state(state, devices);
  return bundle_of(where, devices, kernels_for(devices));
}

bundle_ptr make_bundle(bundle_state state, const context& where, const std::vector<device>& devices,
                       const std::vector<kernel_id>& kernels) {
  check_devices(where, devices);
  check_state(state, devices);
  for (const kernel_id& k : kernels) {
    if (!run(devices, k)) {
      throw exception(make_error_code(errc::invalid),
                      std::string("get_kernel_bundle: none of the devices runs the kernel '") + k.get_name() + "'");
    }
  }
  return bundle_of(where, devices, kernels);
}

bundle_ptr make_empty_bundle(bundle_state state, const context& where, const std::vector<device>& devices) {
  return make_bundle(state, where, devices, {});
}

bool has_bundle(bundle_state state, const context& where, const std::vector<device>& devices) {
  check_devices(where, devices);
  return take(state, devices) && !kernels_for(devices).empty();
}

bool has_bundle(bundle_state state, const context& where, const std::vector<device>& devices,
                const std::vector<kernel_id>& kernels) {
  check_devices(where, devices);
  return kernels.empty() || (take(state, devices) && std::all_of(kernels.begin(), kernels.end(),
                                                                 [&](const kernel_id& k) { return run(devices, k); }));
}

bundle_ptr copy_bundle(const bundle_contents& from, const std::vector<device>& devices) {
  check_devices(devices, from.devices, "a kernel bundle is built for devices that its source is for");
  auto made = std::make_shared<bundle_contents>(from);
  made->devices = each_once(devices);
  made->values = std::make_shared<specialization_values>(*from.values);
  for (std::shared_ptr<const image_contents>& image : made->images) {
    image = std::make_shared<const image_contents>(image_contents{image->kernels, made->devices});
  }
  return made;
}

kernel kernel_of(const bundle_ptr& bundle, const kernel_id& id) {
  if (!bundle->contains(id)) {
    throw exception(make_error_code(errc::invalid),
                    std::string("get_kernel: the kernel bundle does not have the kernel '") + id.get_name() + "'");
  }
  return {bundle, id};
}

} // namespace detail

const char* kernel_id::get_name() const noexcept { return m_kernel->name.c_str(); }

std::vector<kernel_id> get_kernel_ids() {
  std::vector<kernel_id> all;
  for (const detail::kernel_entry* const entry : detail::registered_kernels()) {
    all.emplace_back(entry);
  }
  return all;
}

bool is_compatible(const std::vector<kernel_id>& kernels, const device& on) {
  return std::all_of(kernels.begin(), kernels.end(), [&](const kernel_id& k) { return detail::runs(on, k); });
}

// ---- kernel

kernel::kernel(detail::bundle_ptr bundle, kernel_id id) noexcept : m_bundle(std::move(bundle)), m_id(id) {}

backend kernel::get_backend() const noexcept { return m_bundle->where.get_backend(); }

context kernel::get_context() const { return m_bundle->where; }

kernel_bundle<bundle_state::executable> kernel::get_kernel_bundle() const {
  return kernel_bundle<bundle_state::executable>(m_bundle);
}

namespace detail {
namespace {

namespace kernel_query = info::kernel_device_specific;

std::size_t answer(kernel_query::work_group_size) { return device::max_work_group_size(); }
/// One register of float; lane-generic kernels take up to four.
std::size_t answer(kernel_query::preferred_work_group_size_multiple) {
  return std::max<std::size_t>(register_bytes() / sizeof(float), 1);
}
/// It is on the stack, and nobody counts it.
std::size_t answer(kernel_query::private_mem_size) { return 0; }
std::uint32_t answer(kernel_query::max_num_sub_groups) {
  return static_cast<std::uint32_t>(device::max_work_group_size());
}
std::uint32_t answer(kernel_query::compile_num_sub_groups) { return 0; }
range<3> answer(kernel_query::global_work_size) {
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
  if constexpr (std::is_same_v<Query, info::kernel_device_specific::compile_work_group_size>) {
    return m_id.entry()->asked_for.work_group;
  } else if constexpr (std::is_same_v<Query, info::kernel_device_specific::compile_sub_group_size>) {
    return m_id.entry()->asked_for.sub_group;
  } else {
    return detail::answer(Query());
  }
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
LANEFOLD_DETAIL_ANSWER(compile_sub_group_size);
#undef LANEFOLD_DETAIL_ANSWER

// ---- handles

template <bundle_state State>
bool device_image<State>::has_kernel(const kernel_id& id) const noexcept {
  return m_of->contains(id);
}
template <bundle_state State>
bool device_image<State>::has_kernel(const kernel_id& id, const device& on) const noexcept {
  return m_of->contains(id, on);
}

namespace detail {

bundle_handle::bundle_handle(bundle_ptr contents) noexcept : m_contents(std::move(contents)) {}
bool bundle_handle::empty() const noexcept { return m_contents->images.empty(); }
backend bundle_handle::get_backend() const noexcept { return m_contents->where.get_backend(); }
context bundle_handle::get_context() const { return m_contents->where; }
std::vector<device> bundle_handle::get_devices() const { return m_contents->devices; }
bool bundle_handle::has_kernel(const kernel_id& id) const noexcept { return m_contents->contains(id); }
bool bundle_handle::has_kernel(const kernel_id& id, const device& on) const noexcept {
  return m_contents->contains(id, on);
}
std::vector<kernel_id> bundle_handle::get_kernel_ids() const { return m_contents->kernels(); }
bool bundle_handle::contains_specialization_constants() const noexcept {
  return !empty() && are_constants_read_by_kernels();
}
const specialization_values& bundle_handle::values() const noexcept { return *m_contents->values; }
specialization_values& bundle_handle::set_values() noexcept { return *m_contents->values; }

} // namespace detail

template <bundle_state State>
kernel_bundle<State>::kernel_bundle(detail::bundle_ptr contents) : bundle_handle(std::move(contents)) {
  const auto& images = m_contents->images;
  m_images = std::make_shared<const std::vector<device_image<State>>>(images.begin(), images.end());
}
template <bundle_state State>
const device_image<State>* kernel_bundle<State>::begin() const noexcept {
  return m_images->data();
}
template <bundle_state State>
const device_image<State>* kernel_bundle<State>::end() const noexcept {
  return begin() + m_images->size();
}

template class device_image<bundle_state::input>;
template class device_image<bundle_state::object>;
template class device_image<bundle_state::executable>;
template class kernel_bundle<bundle_state::input>;
template class kernel_bundle<bundle_state::object>;
template class kernel_bundle<bundle_state::executable>;

// ---- building

namespace detail {
namespace {

/// The images and values of all, for the devices that all of them have; of none, an empty bundle. Throws errc::invalid
/// for different contexts.
bundle_ptr join_bundles(const std::vector<bundle_ptr>& all) {
  if (all.empty()) {
    return std::make_shared<bundle_contents>(
        bundle_contents{context(), {}, {}, std::make_shared<specialization_values>()});
  }
  const bundle_contents& first = *all.front();
  auto made = std::make_shared<bundle_contents>(
      bundle_contents{first.where, first.devices, {}, std::make_shared<specialization_values>()});
  for (const bundle_ptr& part : all) {
    if (part->where != made->where) {
      refuse("join: the kernel bundles belong to different contexts");
    }
    std::erase_if(made->devices, [&](const device& d) {
      return std::find(part->devices.begin(), part->devices.end(), d) == part->devices.end();
    });
    for (const auto& image : part->images) {
      if (std::find(made->images.begin(), made->images.end(), image) == made->images.end()) {
        made->images.push_back(image);
      }
    }
    made->values->set_all(*part->values);
  }
  return made;
}

} // namespace
} // namespace detail

template <bundle_state State>
kernel_bundle<State> join(const std::vector<kernel_bundle<State>>& bundles) {
  std::vector<detail::bundle_ptr> all;
  for (const kernel_bundle<State>& bundle : bundles) {
    all.push_back(bundle.contents());
  }
  return kernel_bundle<State>(detail::join_bundles(all));
}
template kernel_bundle<bundle_state::input> join(const std::vector<kernel_bundle<bundle_state::input>>&);
template kernel_bundle<bundle_state::object> join(const std::vector<kernel_bundle<bundle_state::object>>&);
template kernel_bundle<bundle_state::executable> join(const std::vector<kernel_bundle<bundle_state::executable>>&);

kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input>& from,
                                            const std::vector<device>& devices, const property_list& /*properties*/) {
  return kernel_bundle<bundle_state::object>(detail::copy_bundle(*from.contents(), devices));
}
kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input>& from,
                                            const property_list& properties) {
  return compile(from, from.get_devices(), properties);
}
kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input>& from,
                                              const std::vector<device>& devices, const property_list& /*properties*/) {
  return kernel_bundle<bundle_state::executable>(detail::copy_bundle(*from.contents(), devices));
}
kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input>& from,
                                              const property_list& properties) {
  return build(from, from.get_devices(), properties);
}

kernel_bundle<bundle_state::executable> link(const std::vector<kernel_bundle<bundle_state::object>>& from,
                                             const std::vector<device>& devices, const property_list& /*properties*/) {
  return kernel_bundle<bundle_state::executable>(detail::copy_bundle(*join(from).contents(), devices));
}
kernel_bundle<bundle_state::executable> link(const std::vector<kernel_bundle<bundle_state::object>>& from,
                                             const property_list& /*properties*/) {
  const kernel_bundle<bundle_state::object> joined = join(from);
  return kernel_bundle<bundle_state::executable>(detail::copy_bundle(*joined.contents(), joined.get_devices()));
}
kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object>& from,
                                             const std::vector<device>& devices, const property_list& properties) {
  return link(std::vector{from}, devices, properties);
}
kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object>& from,
                                             const property_list& properties) {
  return link(std::vector{from}, properties);
}

LANEFOLD_END_NAMESPACE
