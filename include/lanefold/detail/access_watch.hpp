// SPDX-License-Identifier: Apache-2.0
/// Checked builds see by this which elements a kernel reads and writes. Internal.
#pragma once

#include <lanefold/detail/checked_build.hpp>
#include <lanefold/version.hpp>

#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Says what is known of an access when it happens.
enum class element_use : unsigned char {
  read,
  write,
  reference,      ///< a `T&` was given away: whether it was written through shows in the element later
  reference_part, ///< the same for a class, of which a member may be meant
  load,           ///< what `x[i]` loads for lanes, which counts unless the same expression stores there
  made_atomic,    ///< the reference or the load before went to an atomic_ref: it does not count
  atomic          ///< by an atomic_ref: whether it writes shows in the element later
};

/// The element that one lane accesses.
struct lane_access {
  const void* element;
  unsigned lane;
};

/// Is told of every access that a unit of a kernel makes through an accessor, a view or local memory. These cannot be
/// handed anything, as kernel_binding explains, so the thread has a pointer to it while a unit runs.
class access_watch {
public:
  access_watch() = default;
  access_watch(const access_watch&) = delete;
  access_watch& operator=(const access_watch&) = delete;

  /// By a work-item, or once for all lanes of a sub-group. `base` is where the array begins.
  virtual void element(const void* base, const void* element, std::size_t bytes, element_use kind) = 0;
  /// By `count` lanes, an element each. `code` is where in the program they do that.
  virtual void lanes(const void* base, const lane_access* first, std::size_t count, std::size_t bytes, element_use kind,
                     const void* code) = 0;

  /// The unit has made a view of this memory, which may be its own: allocated by it, and freed before it meets others.
  virtual void made_view(const void* data, std::size_t bytes) = 0;

  /// The watch of the unit that the thread runs, null where nobody watches.
  [[nodiscard]] static access_watch*& current() noexcept { return s_current; }

protected:
  ~access_watch() = default;

private:
  static inline constinit thread_local access_watch* s_current = nullptr;
};

/// Counts accesses of lanes to elements that do not lie side by side, for LANEFOLD_EXPLAIN. The thread has a pointer to
/// it for the reason that it has one to the watch. Either may be off: a watch is that of a unit, a counter that of a
/// launch.
class access_counter {
public:
  access_counter() = default;
  access_counter(const access_counter&) = delete;
  access_counter& operator=(const access_counter&) = delete;

  /// By `count` lanes, in rows of `columns` of a shape.
  virtual void lanes(const lane_access* first, std::size_t count, std::size_t columns, std::size_t bytes,
                     element_use kind) = 0;
  /// The kernel uses what `x[i]` has loaded last.
  virtual void use_load() = 0;

  /// The counter of the launch that the thread runs, null where nobody counts.
  [[nodiscard]] static access_counter*& current() noexcept { return s_current; }

protected:
  ~access_counter() = default;

private:
  static inline constinit thread_local access_counter* s_current = nullptr;
};

/// Is true for types that programs read and write as a whole. Members of other classes may belong to several
/// work-items.
template <class T>
inline constexpr bool is_one_value = std::is_scalar_v<T> || sizeof(T) <= 2;

/// Returns `element`, an element of the array at `base` that a kernel gets a reference to.
template <class T>
LANEFOLD_ALWAYS_INLINE constexpr T& watched([[maybe_unused]] T* base, T& element) {
  if constexpr (checked_build) {
    constexpr bool whole = is_one_value<std::remove_cv_t<T>>;
    if constexpr (whole || !std::is_const_v<T>) {
      if (!std::is_constant_evaluated()) {
        if (access_watch* const watch = access_watch::current()) {
          using plain = const std::remove_cv_t<T>*; // elements may be volatile
          watch->element(const_cast<plain>(base), const_cast<plain>(__builtin_addressof(element)), sizeof(T),
                         std::is_const_v<T> ? element_use::read
                         : whole            ? element_use::reference
                                            : element_use::reference_part);
        }
      }
    }
  }
  return element;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
