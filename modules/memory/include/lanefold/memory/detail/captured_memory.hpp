// SPDX-License-Identifier: Apache-2.0
/// Which memory the accessors of a kernel reach, and pointers to it that no other pointer equals. Internal.
///
/// Compilers vectorise a loop over work-items that has another one inside only if they know that no two of its accesses
/// meet; g++ makes no checks at run time there, and at most ten of a simple loop. The memory of two accessors of a
/// command is nearly always apart, but only the library sees that. So a launch asks it while it copies its kernel, and
/// loops over the work-items of a kernel whose accessors are apart have a copy of the kernel that was moved: what
/// accessors of numbers do when they are moved with it is to take a pointer of which g++ knows that nothing else leads
/// there (docs/decisions/072 has the figures). Copies that kernels make do not, so that functions may get one accessor
/// twice.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// While it lives, accessors that the calling thread copies for a command add their memory.
class captured_memory {
public:
  captured_memory() noexcept : m_outer(s_current) { s_current = this; }
  captured_memory(const captured_memory&) = delete;
  captured_memory& operator=(const captured_memory&) = delete;
  ~captured_memory() { s_current = m_outer; }

  void add(const void* begin, const void* end, bool writes) noexcept;
  /// Returns whether no two accessors have memory in common, or only such as read. More than `most` are not compared.
  [[nodiscard]] bool is_apart() const noexcept { return m_is_apart; }
  /// The innermost one of the calling thread, or null.
  [[nodiscard]] static captured_memory* current() noexcept { return s_current; }

private:
  static constexpr std::size_t most = 32;
  struct part {
    const void* begin;
    const void* end;
    bool writes;
  };

  static inline constinit thread_local captured_memory* s_current = nullptr;

  captured_memory* m_outer;
  part m_parts[most]; // not initialised: the first m_count are there
  std::size_t m_count = 0;
  bool m_is_apart = true;
};

/// Adds local memory, by the place that its accessor has, to what a kernel captures, where the calling thread copies
/// one for a command: local accessors have places of their own, but for copies of them.
LANEFOLD_COLD void note_captured_local_memory(std::size_t place) noexcept;

/// Is true for numbers, vectors of them and complex numbers: values in which there is no pointer to a buffer.
template <class T>
inline constexpr bool holds_numbers = std::is_arithmetic_v<T> || sizeof(T) < sizeof(void*);
template <template <class, auto> class Vector, class T, auto N>
inline constexpr bool holds_numbers<Vector<T, N>> =
    holds_numbers<T> && sizeof(Vector<T, N>) == sizeof(T) * (N == 3 && alignof(Vector<T, N>) > alignof(T) ? 4 : N);
/// A value of which a number of four bytes can be made, and nothing else.
struct any_short_number {
  template <class T>
    requires(std::is_arithmetic_v<T> && sizeof(T) == 4)
  operator T() const noexcept;
};
/// A value of which everything can be made.
struct anything {
  template <class T>
  operator T() const noexcept;
};
/// Is true for structs that as many numbers of four bytes fill as have room in them: no pointer has.
template <class T, std::size_t... K>
constexpr bool is_filled_by_short_numbers(std::index_sequence<K...>) {
  return requires { T{(static_cast<void>(K), any_short_number())...}; } &&
         !requires { T{(static_cast<void>(K), any_short_number())..., anything()}; };
}
template <class T>
  requires(std::is_class_v<T> && std::is_aggregate_v<T> && std::is_trivially_copyable_v<T> &&
           sizeof(T) >= sizeof(void*) && sizeof(T) % 4 == 0 && sizeof(T) <= 64)
inline constexpr bool holds_numbers<T> = is_filled_by_short_numbers<T>(std::make_index_sequence<sizeof(T) / 4>());
template <class T>
  requires requires(const T& z) {
    z.real();
    z.imag();
  }
inline constexpr bool holds_numbers<T> = sizeof(T) == 2 * sizeof(std::declval<const T&>().real());

/// Returns the pointer. g++ takes the result for one to memory to which nothing else points.
#if defined(__GNUC__) && !defined(__clang__)
[[gnu::malloc]]
#endif
void* only_pointer_to(const volatile void* memory) noexcept;

/// Makes a pointer to numbers the only one that leads to its memory, as far as g++ knows, for as long as the caller's
/// frame lives. (clang vectorises no loop that has another one inside, and checks at run time what other loops need.)
template <class T>
LANEFOLD_ALWAYS_INLINE void make_only_pointer([[maybe_unused]] T*& memory) noexcept {
#if defined(__GNUC__) && !defined(__clang__)
  if constexpr (holds_numbers<std::remove_cv_t<T>>) {
    memory = static_cast<T*>(only_pointer_to(memory));
    // The asm lets the pointer escape: others read later what is stored there, and have stored what is read.
    asm volatile("" : : "r"(memory) : "memory");
  }
#endif
}

/// While it lives, the calling thread moves a kernel for the loop that runs it.
class kernel_move {
public:
  LANEFOLD_ALWAYS_INLINE kernel_move() noexcept { s_goes_on = true; }
  kernel_move(const kernel_move&) = delete;
  kernel_move& operator=(const kernel_move&) = delete;
  LANEFOLD_ALWAYS_INLINE ~kernel_move() { s_goes_on = false; }

  /// Where a kernel is moved, makes the pointer the only one that leads to its memory, and returns true.
  template <class T>
  LANEFOLD_ALWAYS_INLINE static bool make_only_pointer([[maybe_unused]] T*& memory) noexcept {
#if defined(__GNUC__) && !defined(__clang__)
    if constexpr (holds_numbers<std::remove_cv_t<T>>) {
      if (s_goes_on) {
        detail::make_only_pointer(memory);
        s_goes_on = true; // as g++ knows no more behind a call: the next accessor's pointer is taken without a test
      }
    }
#endif
    return s_goes_on;
  }
  /// Does the same for copies where the compiler sees that a kernel is moved: what is const in it, and what has no move
  /// constructor, is copied. Copies that a kernel makes itself are left as they are, without a test, which would keep
  /// loops scalar.
  template <class T>
  LANEFOLD_ALWAYS_INLINE static bool make_only_pointer_of_copy([[maybe_unused]] T*& memory) noexcept {
#if defined(__GNUC__) && !defined(__clang__)
    if (__builtin_constant_p(s_goes_on) && s_goes_on) {
      return make_only_pointer(memory);
    }
#endif
    return false;
  }

private:
  static inline constinit thread_local bool s_goes_on = false;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
