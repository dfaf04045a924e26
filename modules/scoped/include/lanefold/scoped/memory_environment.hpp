// SPDX-License-Identifier: Apache-2.0
/// Local and private memory of scoped groups.
#pragma once

#include <lanefold/memory/view.hpp>
#include <lanefold/scoped/distribute.hpp>
#include <lanefold/scoped/s_group.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <class T>
concept ScopedMemory = std::is_trivially_copyable_v<std::remove_all_extents_t<T>> &&
                       std::is_trivially_destructible_v<std::remove_all_extents_t<T>>;

/// The extents of an array type of one to three dimensions.
template <class T>
constexpr auto array_extents() {
  if constexpr (std::rank_v<T> == 1) {
    return range<1>(std::extent_v<T, 0>);
  } else if constexpr (std::rank_v<T> == 2) {
    return range<2>(std::extent_v<T, 0>, std::extent_v<T, 1>);
  } else {
    static_assert(std::rank_v<T> == 3, "lanefold: arrays in local memory have one, two or three dimensions");
    return range<3>(std::extent_v<T, 0>, std::extent_v<T, 1>, std::extent_v<T, 2>);
  }
}

/// The elements of an array of any rank as one sequence.
template <class T>
LANEFOLD_ALWAYS_INLINE std::remove_all_extents_t<T>* first_element(T& x) {
  return reinterpret_cast<std::remove_all_extents_t<T>*>(std::addressof(x));
}
template <class T>
inline constexpr std::size_t element_count = sizeof(T) / sizeof(std::remove_all_extents_t<T>);

/// Memory of no more bytes lies in the frame of the kernel, where the optimiser can follow what is stored in it.
inline constexpr std::size_t largest_in_frame = 8192;

/// Memory in the frame has as many elements more, so that the masked access of a partial unit, which touches none of
/// them, is no access out of bounds in the eyes of the compiler.
inline constexpr std::size_t most_lanes = 256;

/// Memory for a T for each item of a group of `Size` whose private memory is small enough for the frame of the kernel,
/// where registers can hold it. An object of its own, without anything else in it: g++ does not see otherwise that what
/// is stored in it changes nothing else, and keeps it in memory.
template <class T, class Size>
struct frame_block {
  static constexpr bool used = false;
};
template <class T, std::size_t... Extents>
  requires((Extents * ...) * sizeof(T) <= largest_in_frame)
struct frame_block<T, static_range<Extents...>> {
  static constexpr bool used = true;
  alignas(64) T elements[(Extents * ...) + most_lanes];
};

} // namespace detail

/// One T in the local memory of a scoped group, shared by its items. Made on the group, outside of the code of its
/// items: `local_memory<float[16][16], decltype(group)> tile(group);`. Uninitialised (checked builds: 0xA5). Copies,
/// for instance in callables that capture by value, are the same memory; it is gone with the first of them. Arrays are
/// indexed as views are, by uniform and by lane indices: `tile[y][x]`. T is trivially copyable, an array of one to
/// three dimensions or not an array. Errors: more than the device's local memory in one work-group throws
/// errc::memory_allocation.
template <class T, class Group = void>
class local_memory {
  static_assert(detail::ScopedMemory<T>, "lanefold: what lies in local memory is trivially copyable");

public:
  using value_type = T;
  /// The type of the elements of an array, or T.
  using scalar_type = std::remove_all_extents_t<T>;

  /// In the local memory of the work-group that runs; errc::invalid outside of kernels.
  local_memory() : local_memory(detail::running_arena()) {}
  template <class Scope>
  explicit local_memory(const s_group<Scope>& g) : local_memory(*g.frame().arena) {
    detail::check_scope(g.frame(), Scope::depth, "local_memory");
  }
  /// Only the library calls this: the memory lies elsewhere, but counts.
  template <class Scope>
  LANEFOLD_ALWAYS_INLINE local_memory(const s_group<Scope>& g, T& memory) : local_memory(*g.frame().arena) {
    m_data = std::addressof(memory);
  }
  LANEFOLD_ALWAYS_INLINE local_memory(const local_memory& other) : m_data(other.m_data) {}
  local_memory& operator=(const local_memory&) = delete;
  LANEFOLD_ALWAYS_INLINE ~local_memory() {
    if (m_arena != nullptr) {
      m_arena->local.release(m_used_before);
    }
  }

  /// The memory. Uniform.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE T& operator()() const { return *m_data; }
  LANEFOLD_ALWAYS_INLINE operator T&() const { return *m_data; }

  /// One index a dimension. An integer gives an element (uniform), a lane index or a varying integer the varying value,
  /// which can also be assigned to; see view.
  template <detail::one_index<std::rank_v<T>> I>
    requires(std::is_array_v<T>)
  LANEFOLD_ALWAYS_INLINE decltype(auto) operator[](const I& i) const {
    constexpr auto extents = detail::array_extents<T>();
    return detail::view_element(detail::first_element(*m_data), extents, detail::as_index(i));
  }
  template <int D, class Lanes>
    requires(std::rank_v<T> == D)
  LANEFOLD_ALWAYS_INLINE decltype(auto) operator[](const lane_id<D, Lanes>& i) const {
    constexpr auto extents = detail::array_extents<T>();
    return detail::view_element(detail::first_element(*m_data), extents, i);
  }
  template <int D>
    requires(std::rank_v<T> == D)
  LANEFOLD_ALWAYS_INLINE scalar_type& operator[](const id<D>& i) const {
    constexpr auto extents = detail::array_extents<T>();
    return detail::watched(begin(), begin()[detail::linear_offset(extents, i)]);
  }

  [[nodiscard]] static constexpr std::size_t size() { return detail::element_count<T>; }
  /// All elements, in row-major order. Uniform.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE scalar_type* begin() const { return detail::first_element(*m_data); }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE scalar_type* end() const { return begin() + size(); }

private:
  LANEFOLD_ALWAYS_INLINE explicit local_memory(detail::memory_arena& arena)
      : m_arena(&arena), m_used_before(arena.local.used()), m_data(reinterpret_cast<T*>(arena.local.take(sizeof(T)))) {
    static_assert(alignof(T) <= detail::memory_stack::alignment,
                  "lanefold: what lies in local memory is aligned to 64 bytes at most");
  }

  detail::memory_arena* m_arena = nullptr; ///< null in copies
  std::size_t m_used_before = 0;
  T* m_data;
};

/// One T for each logical item of a scoped group that lives from one distribute_items to the next. Made by
/// memory_environment, or on the group outside of the code of its items. `m(it)` is the T of the item: a T& for one
/// item, what `x[i]` is for the items of a lane-generic callable (a varying that can be assigned to; T is then
/// arithmetic). A contiguous block in the linear order of the items; in groups of a static size it can live in
/// registers. T is trivially copyable and not an array. Not copyable: capture it by reference. Errors: more than 4 MiB
/// in one work-group throws errc::memory_allocation.
template <class T, class Group>
class s_private_memory;

template <class T, class Scope>
class s_private_memory<T, s_group<Scope>> {
  static_assert(detail::ScopedMemory<T> && !std::is_array_v<T>,
                "lanefold: what lies in private memory is trivially copyable and no array");

public:
  using value_type = T;

  /// Uninitialised (checked builds: 0xA5).
  LANEFOLD_ALWAYS_INLINE explicit s_private_memory(const s_group<Scope>& g)
      : m_group(g), m_arena(g.frame().arena), m_used_before(m_arena->priv.used()),
        m_data(reinterpret_cast<T*>(m_arena->priv.take(g.get_logical_local_linear_range() * sizeof(T)))) {
    detail::check_scope(g.frame(), Scope::depth, "private_memory");
  }
  /// `init` for every item.
  LANEFOLD_ALWAYS_INLINE s_private_memory(const s_group<Scope>& g, const T& init) : s_private_memory(g) { fill(init); }
  /// Only the library calls this: the memory lies elsewhere.
  LANEFOLD_ALWAYS_INLINE s_private_memory(const s_group<Scope>& g, T* data) : m_group(g), m_data(data) {}
  s_private_memory(const s_private_memory&) = delete;
  s_private_memory& operator=(const s_private_memory&) = delete;
  LANEFOLD_ALWAYS_INLINE ~s_private_memory() {
    if (m_arena != nullptr) {
      m_arena->priv.release(m_used_before);
    }
  }

  /// The T of an item of the group or of a tile of it.
  template <class Item>
  LANEFOLD_ALWAYS_INLINE decltype(auto) operator()(const Item& item) {
    static_assert(std::is_same_v<typename Item::lanes, scalar> || Element<T>,
                  "lanefold: with lanes, what lies in private memory is an arithmetic type other than bool");
    const auto position = item.get_local_linear_id(m_group);
    detail::check_index(position, size());
    return detail::element(begin(), position);
  }

  /// Stores the value for every item.
  LANEFOLD_ALWAYS_INLINE void fill(const T& value) {
    if constexpr (Element<T>) {
      const auto set = [&](const auto& item) LANEFOLD_INLINE_LAMBDA { (*this)(item) = value; };
      distribute_items(m_group, set);
    } else {
      std::fill(begin(), end(), value);
    }
  }

  /// The Ts of all items, in their linear order. Uniform.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE T* begin() const { return m_data; }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE T* end() const { return m_data + size(); }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE std::size_t size() const { return m_group.get_logical_local_linear_range(); }
  /// The group that it belongs to.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE const s_group<Scope>& get_group() const { return m_group; }

private:
  s_group<Scope> m_group;
  detail::memory_arena* m_arena = nullptr; ///< null where the memory is somebody else's
  std::size_t m_used_before = 0;
  T* m_data;
};

/// The names of the wrappers in the publications. (lanefold::private_memory is SYCL's, of hierarchical kernels.)
namespace scoped {
template <class T, class Group = void>
using local_memory = lanefold::local_memory<T, Group>;
template <class T, class Group>
using private_memory = s_private_memory<T, Group>;
} // namespace scoped

namespace detail {

/// Are what require_local_mem and require_private_mem return.
struct no_init {};
template <class T, class Init>
struct local_request {
  [[no_unique_address]] Init init;
};
template <class T, class Init>
struct private_request {
  [[no_unique_address]] Init init;
};

/// Calls `f` with what a request asks for.
template <class Scope, class T, class Init, class F>
LANEFOLD_ALWAYS_INLINE void with_memory(const s_group<Scope>& g, const local_request<T, Init>& request, F&& f) {
  const auto run = [&](const auto& memory) LANEFOLD_INLINE_LAMBDA {
    if constexpr (!std::is_array_v<T>) {
      if constexpr (!std::is_same_v<Init, no_init>) {
        memory() = request.init;
      }
      f(memory());
    } else {
      if constexpr (!std::is_same_v<Init, no_init>) {
        for (auto& each : memory) {
          each = request.init;
        }
      }
      f(memory);
    }
  };
  if constexpr (sizeof(T) <= largest_in_frame && !checked_build) {
    alignas(64) std::byte block[sizeof(T) + most_lanes * sizeof(std::remove_all_extents_t<T>)];
    run(local_memory<T, s_group<Scope>>(g, *reinterpret_cast<T*>(block)));
  } else {
    run(local_memory<T, s_group<Scope>>(g));
  }
}

template <class Scope, class T, class Init, class F>
LANEFOLD_ALWAYS_INLINE void with_memory(const s_group<Scope>& g, const private_request<T, Init>& request, F&& f) {
  using block_type = frame_block<T, typename Scope::size_type>;
  const auto run = [&](auto& memory) LANEFOLD_INLINE_LAMBDA {
    if constexpr (!std::is_same_v<Init, no_init>) {
      memory.fill(request.init);
    }
    f(memory);
  };
  if constexpr (block_type::used) {
    block_type block;
    s_private_memory<T, s_group<Scope>> memory(g, block.elements);
    run(memory);
  } else {
    s_private_memory<T, s_group<Scope>> memory(g);
    run(memory);
  }
}

template <class G, class Request>
concept MemoryRequest =
    requires(const G& g, const Request& request) { with_memory(g, request, [](auto&) LANEFOLD_INLINE_LAMBDA {}); };

/// Makes the memory of the requests from number `I` on, then calls the last of `arguments` with all of it.
template <std::size_t I, class G, class... Arguments, class... Made>
LANEFOLD_ALWAYS_INLINE void in_environment(const G& g, const std::tuple<Arguments&...>& arguments, Made&... made) {
  using argument = std::tuple_element_t<I, std::tuple<Arguments...>>;
  if constexpr (I + 1 < sizeof...(Arguments)) {
    static_assert(MemoryRequest<G, argument>, "lanefold: memory_environment takes a group, what require_local_mem and "
                                              "require_private_mem return, and a callable");
    with_memory(g, std::get<I>(arguments),
                [&](auto& memory) LANEFOLD_INLINE_LAMBDA { in_environment<I + 1>(g, arguments, made..., memory); });
  } else {
    static_assert(std::is_invocable_v<argument&, Made&...>,
                  "lanefold: the last argument of memory_environment is a callable that takes the memory, in the order "
                  "of the requests, by reference");
    if constexpr (!std::is_void_v<std::invoke_result_t<argument&, Made&...>>) {
      static_assert(is_range_v<argument>, "lanefold: the callable of memory_environment returns nothing");
    } else {
      call_whole(std::get<I>(arguments), made...);
    }
  }
}

} // namespace detail

/// A request for a T in local memory, uninitialised.
template <class T>
[[nodiscard]] constexpr detail::local_request<T, detail::no_init> require_local_mem() {
  return {};
}
/// Requests a T in local memory, initialised: every element of an array with `init`, otherwise the T.
template <class T>
[[nodiscard]] constexpr auto require_local_mem(const std::remove_all_extents_t<T>& init) {
  return detail::local_request<T, std::remove_all_extents_t<T>>{init};
}
/// A request for a T for every logical item, uninitialised.
template <class T>
[[nodiscard]] constexpr detail::private_request<T, detail::no_init> require_private_mem() {
  return {};
}
/// Requests a T for every logical item, initialised with `init`.
template <class T>
[[nodiscard]] constexpr detail::private_request<T, T> require_private_mem(const std::type_identity_t<T>& init) {
  return {init};
}

/// `memory_environment(group, requests…, f)` calls `f` with the memory that is asked for, in the order of the requests:
/// for an array in local memory a const local_memory& (which converts to the array), for other local memory a T&, for
/// private memory an s_private_memory&, to be asked for the T of an item: `m(it)`. The memory belongs to `group` and is
/// free again when `f` returns. To be called on the innermost group, outside of the code of its items (errc::kernel).
/// Errors: errc::memory_allocation beyond the limits, see local_memory and s_private_memory.
template <class Scope, class... Arguments>
LANEFOLD_ALWAYS_INLINE void memory_environment(const s_group<Scope>& g, Arguments&&... arguments) {
  detail::check_scope(g.frame(), Scope::depth, "memory_environment");
  static_assert(sizeof...(Arguments) > 0, "lanefold: memory_environment needs a callable");
  detail::in_environment<0>(g, std::tuple<std::remove_reference_t<Arguments>&...>(arguments...));
}
/// memory_environment(g, require_local_mem<T>(), f).
template <class T, class Scope, class F>
LANEFOLD_ALWAYS_INLINE void local_memory_environment(const s_group<Scope>& g, F&& f) {
  memory_environment(g, require_local_mem<T>(), f);
}
/// memory_environment(g, require_private_mem<T>(), f).
template <class T, class Scope, class F>
LANEFOLD_ALWAYS_INLINE void private_memory_environment(const s_group<Scope>& g, F&& f) {
  memory_environment(g, require_private_mem<T>(), f);
}

LANEFOLD_END_NAMESPACE
