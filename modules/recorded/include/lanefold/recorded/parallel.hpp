// SPDX-License-Identifier: Apache-2.0
/// Scoped kernels for the queues of OpenCL devices: in source files that include it before their kernels, `parallel`
/// records them.
#pragma once

#include <lanefold/recorded/detail/kernel_recording.hpp>
#include <lanefold/recorded/kernels.hpp>
#include <lanefold/recorded/scoped_algorithms.hpp>
#include <lanefold/scoped/parallel.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The group that a scoped kernel is recorded with.
template <class Size>
using recorded_work_group = s_group<scope<Size, recorded, 0, scope_kind::work_group>>;

/// Is a scoped kernel that takes any group.
template <unsigned PlainSize, class Kernel, class Size>
concept RecordableScopedKernel = PlainSize == 0 && std::is_invocable_v<Kernel&, recorded_work_group<Size>>;

/// Records a scoped kernel, whose accessors have that much local memory.
template <class Size, int D, class Kernel>
void record_scoped_kernel(kernel_recording& to, std::size_t local_bytes, const range<D>& groups, const Size& size,
                          const Kernel& kernel) {
  recorder& r = to.record();
  recorded_scope_frame<D> frame(r, nd_range_of_groups(groups, range<D>(size)), local_bytes);
  recorded_group_place<D> place{{}, {}, {}, groups, no_node, 1};
  for (int d = 0; d < D; ++d) {
    const auto at = static_cast<std::size_t>(d);
    place.id[at] = recorded_id(r, "get_group_id", frame.space, d, true).node();
    place.local[at] = recorded_id(r, "get_local_id", frame.space, d, false).node();
    place.first[at] = no_node;
  }
  r.allow_stores(false);
  detail::record_call(to, kernel, recorded_work_group<Size>(frame, size, place), true);
  to.check_local_memory_unchanged();
  to.reserve_local_memory(frame.blocks.used());
}

template <unsigned PlainSize>
struct launch_maker<recorded_scoped_kernels<PlainSize>> {
  /// Behind the size of a group stand launch properties and at last the kernel.
  template <class Name, int D, class Size, class... Rest>
  static std::unique_ptr<launch> make(handler& command, const launch_settings& settings, const range<D>& groups,
                                      const Size& size, const Rest&... rest) {
    static_assert(Extents<Size, D>, "lanefold: parallel takes the number of groups, a group size of as many dimensions "
                                    "(a range or a static_range), launch properties and a kernel");
    return with_properties(
        [&]<class Properties, class Kernel>(const Properties& how, const Kernel& kernel) -> std::unique_ptr<launch> {
          using size_type = typename promised_size<Size, typename strategies_of<Properties>::size>::type;
          if constexpr (RecordableScopedKernel<PlainSize, Kernel, size_type>) {
            const nd_range<D> space = nd_range_of_groups(groups, range<D>(size));
            std::apply([&](const auto&... each) { (check_work_group_size(space, each), ...); }, how.values());
            const size_type its_size = made_size<size_type>(size);
            const recorded_launch_space where{typeid(Kernel), gpu::opencl::space_of(space)};
            check_local_range(where.space);
            static auto& all = *new known_launches(); // never destroyed: kernels may run when the program ends
            return detail::known_or_recorded_launch(all, command, settings, where, kernel, [&](kernel_recording& to) {
              detail::record_scoped_kernel(to, settings.local_bytes, groups, its_size, kernel);
            });
          } else {
            refuse_work_item_kernel();
          }
        },
        rest...);
  }
};

} // namespace detail

namespace gpu {

/// The OpenCL C that a scoped kernel `[=](auto group) {…}` becomes. See source of kernels over ND-ranges.
template <class Kernel, int D, class Size>
  requires lanefold::detail::Extents<Size, D>
std::string source(const Kernel& kernel, const range<D>& groups, const Size& size) {
  const lanefold::detail::launch_settings settings;
  lanefold::detail::kernel_recording recording(nullptr, settings, lanefold::detail::local_filling);
  lanefold::detail::name_kernel_in_errors(
      settings, typeid(Kernel), [&] { lanefold::detail::record_scoped_kernel(recording, 0, groups, size, kernel); });
  return recording.source(opencl::space_of(lanefold::detail::nd_range_of_groups(groups, range<D>(size))));
}

} // namespace gpu
LANEFOLD_END_NAMESPACE
