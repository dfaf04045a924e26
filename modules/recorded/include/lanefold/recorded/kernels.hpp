// SPDX-License-Identifier: Apache-2.0
/// Kernels over ranges and ND-ranges for the queues of OpenCL devices: in source files that include it before their
/// kernels, parallel_for records those that take `auto it`.
#pragma once

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/work_item_note.hpp>
#include <lanefold/execution/kernels.hpp>
#include <lanefold/execution/launch.hpp>
#include <lanefold/execution/specialization.hpp>
#include <lanefold/memory/detail/kernel_binding.hpp>
#include <lanefold/memory/uniform.hpp>
#include <lanefold/recorded/detail/kernel_recording.hpp>
#include <lanefold/recorded/detail/known_launches.hpp>
#include <lanefold/recorded/items.hpp>
#include <lanefold/recorded/reduction.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Records a call of a kernel, of which local accessors and uniform numbers learn.
template <class Item, class Kernel, class... Reducers>
void record_call(kernel_recording& recording, const Kernel& kernel, const Item& it, bool has_work_groups,
                 Reducers&... reducers) {
  kernel_binding binding;
  const work_item_note note{0, nullptr, 0, &recording.streams()};
  binding.note = &note;
  binding.local_memory = recording.local_memory();
  binding.uniforms = &recording.record();
  Kernel recorded_kernel(kernel);
  recording.note_copy(&kernel, &recorded_kernel, sizeof(Kernel));
  binding.uniforms = nullptr; // copies that the kernel makes may be gone when their address is another number's
  if (binding.has_bound_local_memory) {
    recording.check_local_memory(has_work_groups);
  }
  recorded_kernel(it, reducers...);
  recording.streams().record();
}

/// Is a kernel that takes these items, and a reducer for each reduction.
template <unsigned PlainSize, class Kernel, class Item, class... Rs>
concept RecordableKernel = PlainSize == 0 && std::is_invocable_v<Kernel&, Item, recorded_reducer<Rs>&...>;

/// Is true if the kernel takes a kernel_handler behind its item and reducers, and not these alone.
template <class Kernel, class Item, class... Rs>
inline constexpr bool takes_recorded_handler =
    std::conjunction_v<std::is_invocable<Kernel&, Item, recorded_reducer<Rs>&..., kernel_handler>,
                       std::negation<std::is_invocable<Kernel&, Item, recorded_reducer<Rs>&...>>>;

/// Returns the kernel; one that takes a kernel_handler is given it, with the values of the command: what it reads is
/// plain. Launches of such kernels are never known, because these values lie behind a pointer.
template <class Item, class Kernel, class... Rs>
decltype(auto) with_constants(handler& command, const Kernel& kernel, const std::tuple<Rs...>&) {
  return give_handler_if<takes_recorded_handler<Kernel, Item, Rs...>>([&]() -> const auto& { return command.values(); },
                                                                      kernel);
}

/// Calls `record` with the reducers of a kernel, and combines behind it what they got.
template <class Record, class... Rs>
void record_reductions(kernel_recording& recording, const std::tuple<Rs...>& reductions, Record record) {
  std::apply(
      [&](const Rs&... each) {
        std::tuple<recorded_reduction<Rs>...> parts(recorded_reduction_of<Rs>{recording, each}...);
        std::apply(
            [&](recorded_reduction<Rs>&... part) {
              std::tuple<recorded_reducer<Rs>...> reducers(typename recorded_reduction<Rs>::source_type{part}...);
              std::apply(record, reducers);
              (part.finish(), ...);
            },
            parts);
      },
      reductions);
}

/// Fillings of local memory: numbers of all types are positive, 0 and, if they can be, negative. The first one is that
/// of kernels which are recorded once: what a kernel reads there is a number that it would hardly have by itself.
inline constexpr std::byte local_filling{0x3c}, other_local_fillings[] = {std::byte{0x00}, std::byte{0xbf}};

/// Records a kernel with local memory for each of the other fillings: what it reads there meanwhile shows by what that
/// was filled with, and what it writes there by a changed filling. `first` is what `record` has recorded with
/// local_filling.
template <class Record>
void check_other_fillings(kernel_recording& first, handler& command, const launch_settings& settings,
                          const Record& record) {
  for (const std::byte filling : other_local_fillings) {
    kernel_recording again(&command, settings, filling);
    record(again);
    first.check_same(again);
  }
}

/// Calls what records a kernel of that type; what it throws names the kernel, as on the CPU.
template <class Work>
void name_kernel_in_errors(const launch_settings& settings, const std::type_info& kernel, const Work& work) {
  try {
    work();
  } catch (...) {
    kernel_error(type_name(settings.name != nullptr ? *settings.name : kernel), "while it is recorded");
  }
}

/// The launch of what `record` records. A kernel with local memory is recorded for all fillings, but if the first of
/// these recordings is that of a kernel which was: decision 024.
template <class Record>
std::unique_ptr<launch> launch_of_recording(handler& command, const launch_settings& settings,
                                            const recorded_launch_space& where, kernel_recording& first,
                                            const Record& record) {
  detail::name_kernel_in_errors(settings, where.kernel, [&] { record(first); });
  if (settings.local_bytes != 0) {
    if (std::unique_ptr<launch> known = first.make_known_launch(where)) {
      return known;
    }
    detail::name_kernel_in_errors(settings, where.kernel,
                                  [&] { detail::check_other_fillings(first, command, settings, record); });
  }
  return first.make_launch(where);
}
template <class Record>
std::unique_ptr<launch> launch_of_recording(handler& command, const launch_settings& settings,
                                            const recorded_launch_space& where, const Record& record) {
  kernel_recording first(&command, settings, local_filling);
  return detail::launch_of_recording(command, settings, where, first, record);
}

/// A copy of a kernel whose bytes tell what it has captured: those between its members are 0, where in the program's
/// object they are whatever was there.
template <class Kernel>
class comparable_kernel {
public:
  explicit comparable_kernel(const Kernel& kernel) {
    std::memset(m_room, 0, sizeof(m_room));
    asm volatile("" : : "r"(m_room) : "memory"); // compilers take what was there before an object for lost
    Kernel* const copy = ::new (static_cast<void*>(m_room)) Kernel(kernel);
    if constexpr (std::is_trivially_copyable_v<Kernel>) {
#if __has_builtin(__builtin_clear_padding)
      __builtin_clear_padding(copy);
#endif
    }
    asm volatile("" : : "r"(copy) : "memory");
  }
  comparable_kernel(const comparable_kernel&) = delete;
  comparable_kernel& operator=(const comparable_kernel&) = delete;
  ~comparable_kernel() { std::launder(reinterpret_cast<Kernel*>(m_room))->~Kernel(); }

  [[nodiscard]] const std::byte* bytes() const noexcept { return m_room; }

private:
  alignas(Kernel) std::byte m_room[sizeof(Kernel)];
};

/// Makes the same launch of a kernel whose launches are in `all`: nothing is recorded if the launch is known, or has no
/// work-items.
template <class Kernel, class Record>
std::unique_ptr<launch> known_or_recorded_launch(known_launches& all, handler& command, const launch_settings& settings,
                                                 const recorded_launch_space& where, const Kernel& kernel,
                                                 const Record& record) {
  if (detail::has_no_work_items(where.space)) {
    return gpu::opencl::make_empty_command(settings,
                                           type_name(settings.name != nullptr ? *settings.name : where.kernel));
  }
  const comparable_kernel<Kernel> captured(kernel);
  captured_launch asked(all, command, settings, where, captured.bytes(), sizeof(Kernel));
  if (std::unique_ptr<launch> known = asked.find()) {
    return known;
  }
  kernel_recording first(&command, settings, local_filling);
  std::unique_ptr<launch> made = detail::launch_of_recording(command, settings, where, first, record);
  asked.learn(first);
  return made;
}

/// Records a kernel over an ND-range.
template <int D, class Kernel, class... Rs>
void record_nd_kernel(kernel_recording& to, const nd_range<D>& space, const Kernel& kernel,
                      const std::tuple<Rs...>& reductions = {}) {
  const nd_item<D, recorded> it(recorded_place<D>{&to.record(), space});
  detail::record_reductions(to, reductions,
                            [&](auto&... reducers) { detail::record_call(to, kernel, it, true, reducers...); });
  to.check_local_memory_unchanged();
}

/// Records a kernel over a range. With reductions all work-items of a group come to its end, so that it takes care
/// itself of those beyond the range.
template <int D, class Kernel, class... Rs>
void record_range_kernel(kernel_recording& recording, const range<D>& extents, const id<D>& offset,
                         const Kernel& kernel, const std::tuple<Rs...>& reductions) {
  recorder& r = recording.record();
  const item_of<D, recorded> it(r, extents, offset);
  if constexpr (sizeof...(Rs) == 0) {
    detail::record_call(recording, kernel, it, false);
  } else {
    recording.guards_itself();
    detail::record_reductions(recording, reductions, [&](auto&... reducers) {
      recorded_value<bool> inside = detail::is_in_range<D>(r, 0);
      if constexpr (D == 1) {
        r.begin_if(inside.node());
      } else if constexpr (D == 2) {
        r.begin_if((inside && detail::is_in_range<D>(r, 1)).node());
      } else {
        r.begin_if((inside && detail::is_in_range<D>(r, 1) && detail::is_in_range<D>(r, 2)).node());
      }
      detail::record_call(recording, kernel, it, false, reducers...);
      r.end();
    });
  }
}

template <unsigned PlainSize>
struct launch_maker<recorded_kernels<PlainSize>> {
  /// Behind the index space stand launch properties and at last the kernel.
  template <class Name, int D, class... Rest>
  static std::unique_ptr<launch> make(handler& command, const launch_settings& settings, const nd_range<D>& space,
                                      const Rest&... rest) {
    const auto reductions = std::tuple_cat(reductions_in(rest)...);
    decltype(auto) kernel = detail::with_constants<nd_item<D, recorded>>(command, kernel_in(rest...), reductions);
    using Kernel = std::remove_cvref_t<decltype(kernel)>;
    if constexpr (is_recordable<Kernel, nd_item<D, recorded>>(reductions)) {
      check_kernel_properties<Name>();
      const auto how = merged(std::tie(kernel_properties<Name>, rest...), std::make_index_sequence<sizeof...(Rest)>());
      std::apply([&](const auto&... each) { (check_work_group_size(space, each), ...); }, how.values());
      const recorded_launch_space where{kernel_type<Kernel>(), gpu::opencl::space_of(space),
                                        how.get_or(property::sub_group_size(0)).value};
      check_local_range(where.space);
      return launch_of<Name, Rest...>(command, settings, where, kernel, reductions, [&](kernel_recording& to) {
        detail::record_nd_kernel(to, space, kernel, reductions);
      });
    } else {
      refuse_work_item_kernel();
    }
  }
  template <class Name, int D, class... Rest>
  static std::unique_ptr<launch> make(handler& command, const launch_settings& settings, const range<D>& extents,
                                      const Rest&... rest) {
    return make<Name>(command, settings, extents, id<D>(), rest...);
  }
  /// The ids of the range begin at `offset`.
  template <class Name, int D, class... Rest>
  static std::unique_ptr<launch> make(handler& command, const launch_settings& settings, const range<D>& extents,
                                      const id<D>& offset, const Rest&... rest) {
    const auto reductions = std::tuple_cat(reductions_in(rest)...);
    decltype(auto) kernel = detail::with_constants<item_of<D, recorded>>(command, kernel_in(rest...), reductions);
    using Kernel = std::remove_cvref_t<decltype(kernel)>;
    if constexpr (is_recordable<Kernel, item_of<D, recorded>>(reductions)) {
      check_range(extents);
      static_cast<void>(merged(std::tie(rest...), std::make_index_sequence<sizeof...(Rest) - 1>()));
      launch_settings without_groups = settings;
      without_groups.local_bytes = 0;
      std::array<std::size_t, 3> sizes{}, first{}, behind{}; // as OpenCL counts
      constexpr int dimensions = std::min(D, 3);             // more are planes, and have no offset
      for (int to = 0; to < dimensions; ++to) {
        const auto at = static_cast<std::size_t>(to);
        sizes[at] = D > 3 && to == 2 ? planes_of(extents) : extents[D - 1 - to];
        first[at] = D > 3 ? 0 : offset[D - 1 - to];
        behind[at] = first[at] + sizes[at];
      }
      const recorded_launch_space where{kernel_type<Kernel>(), space_of_range(sizes.data(), first.data(), dimensions),
                                        0, dimensions, behind};
      return launch_of<Name, Rest...>(command, without_groups, where, kernel, reductions, [&](kernel_recording& to) {
        detail::record_range_kernel(to, extents, offset, kernel, reductions);
      });
    } else {
      refuse_work_item_kernel();
    }
  }

private:
  /// Kernels with reductions are always recorded: what these capture is not looked at.
  template <class Name, class... Rest, class Kernel, class... Rs, class Record>
  static std::unique_ptr<launch> launch_of(handler& command, const launch_settings& settings,
                                           const recorded_launch_space& where, const Kernel& kernel,
                                           const std::tuple<Rs...>&, const Record& record) {
    if constexpr (sizeof...(Rs) == 0) {
      static auto& all = *new known_launches(); // never destroyed: kernels may run when the program ends
      return detail::known_or_recorded_launch(all, command, settings, where, kernel, record);
    } else {
      return detail::launch_of_recording(command, settings, where, record);
    }
  }
  template <class... Rest>
  static const auto& kernel_in(const Rest&... rest) {
    return std::get<sizeof...(Rest) - 1>(std::tie(rest...));
  }
  template <class Kernel, class Item, class... Rs>
  static constexpr bool is_recordable(const std::tuple<Rs...>&) {
    return RecordableKernel<PlainSize, Kernel, Item, Rs...>;
  }
  /// The launch properties that stand before the kernel, besides reductions.
  template <class... Rest, std::size_t... I>
  static auto merged(const std::tuple<const Rest&...>& rest, std::index_sequence<I...>) {
    using arguments = std::tuple<std::remove_cvref_t<Rest>...>;
    static_assert(
        ((LaunchArgument<std::tuple_element_t<I, arguments>> || Reduction<std::tuple_element_t<I, arguments>>) && ...),
        "between range and kernel, parallel_for takes launch properties and reductions only");
    return properties_from(std::tuple_cat(properties_in(std::get<I>(rest))...));
  }
};

} // namespace detail
LANEFOLD_END_NAMESPACE
