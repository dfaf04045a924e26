// SPDX-License-Identifier: Apache-2.0
/// Specialization constants, and kernel_handler, through which kernels read them.
#pragma once

#include <lanefold/execution/detail/launch_maker.hpp>
#include <lanefold/execution/detail/shared_part.hpp>
#include <lanefold/version.hpp>

#include <concepts>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE

/// A constant of kernels whose value is known when the command is submitted: a constexpr variable of static storage,
/// which stands for the constant, `constexpr specialization_id<int> size{64};`. The arguments make its default.
// [sycl.4.9.5.1]
template <class T>
class specialization_id {
public:
  using value_type = T;

  template <class... Arguments>
    requires std::constructible_from<T, Arguments...>
  explicit constexpr specialization_id(Arguments&&... arguments) : m_default(std::forward<Arguments>(arguments)...) {}
  specialization_id(const specialization_id&) = delete;
  specialization_id& operator=(const specialization_id&) = delete;

  /// Only the library calls this.
  [[nodiscard]] constexpr const T& default_value() const noexcept { return m_default; }

private:
  T m_default;
};

namespace detail {

/// Says which constant is meant. Its address does, but g++ makes one copy of `template <class T> constexpr
/// specialization_id<T> size{…}` for each source file where C++ has one for the program (CWG 2387), and a function that
/// several files have names the copy of one of them: such constants are the same if their names are.
struct constant_key {
  const void* address;
  const char* name; ///< null for a constant that only its address tells from others

  [[nodiscard]] bool operator==(const constant_key& other) const noexcept {
    return address == other.address || (name != nullptr && other.name != nullptr && has_name(other.name));
  }
  [[nodiscard]] bool has_name(const char* other) const noexcept;
};

/// Returns `type`, the name of a class template whose first argument is the constant, if the constant may have copies:
/// if it is made from a template and is not of an unnamed namespace. Else returns null.
const char* name_of_copies(const char* type) noexcept;

template <auto& Id, class T>
struct named_constant;
template <auto& Id>
struct constant_key_of {
  static const char* find_name() noexcept {
#if defined(__GNUC__) && !defined(__clang__)
    return name_of_copies(typeid(named_constant<Id, specialization_value<Id>>*).name());
#else
    return nullptr;
#endif
  }
  static constant_key get() noexcept { return {&Id, name}; }

  static inline const char* const name = find_name(); ///< null until the program has started
};

/// Values of specialization constants. Written while a command group or a kernel bundle is made, then only read.
class specialization_values {
public:
  specialization_values() = default;
  specialization_values(const specialization_values& other);
  specialization_values& operator=(const specialization_values&) = delete;

  /// The value that was set last; null if none was.
  [[nodiscard]] const void* find(const constant_key& id) const noexcept {
    for (const entry* e = m_first; e != m_end; ++e) {
      if (e->id == id) {
        return e->value;
      }
    }
    return nullptr;
  }
  void set(const constant_key& id, std::shared_ptr<const void> value);
  /// Sets what the other has set.
  void set_all(const specialization_values& from);

  template <auto& Id>
  [[nodiscard]] const specialization_value<Id>& get() const noexcept {
    const void* const found = find(constant_key_of<Id>::get());
    return found == nullptr ? Id.default_value() : *static_cast<const specialization_value<Id>*>(found);
  }
  template <auto& Id>
  void set(const specialization_value<Id>& value) {
    set(constant_key_of<Id>::get(), std::make_shared<const specialization_value<Id>>(value));
  }

private:
  struct entry {
    constant_key id;
    const void* value;
  };
  struct contents;

  const entry* m_first = nullptr; ///< in the contents
  const entry* m_end = nullptr;
  shared_part<contents> m_contents; ///< not shared; null: nothing is set
};

template <auto& Id>
void set_value(specialization_values& values, const specialization_value<Id>& value) {
  values.set<Id>(value);
}
template <auto& Id>
const specialization_value<Id>& get_value(const specialization_values& values) noexcept {
  return values.get<Id>();
}

/// Notes, when the program starts, that a kernel reads the constant; returns true.
bool note_constant(const constant_key& id);
/// Returns whether that was noted.
bool is_read_by_kernels(const constant_key& id) noexcept;
/// Returns whether it was noted of any constant.
bool are_constants_read_by_kernels() noexcept;
template <auto& Id>
struct constant_of_kernels {
  static inline const bool noted = note_constant({&Id, constant_key_of<Id>::find_name()});
};

} // namespace detail

/// Reads specialization constants; a kernel may take it as its last parameter: `[=](item<1> it, kernel_handler h)`.
/// Uniform, cheap to copy. The value is the one that the command group or the kernel bundle has set, or the default.
// [sycl.4.9.5.2]
class kernel_handler {
public:
  template <auto& Id>
  [[nodiscard]] detail::specialization_value<Id> get_specialization_constant() const {
    static_cast<void>(detail::constant_of_kernels<Id>::noted);
    return m_values->get<Id>();
  }

  /// Only the library calls this.
  explicit kernel_handler(const detail::specialization_values* values) noexcept : m_values(values) {}

private:
  const detail::specialization_values* m_values;
};

namespace detail {

/// A kernel that takes a kernel_handler, as one that takes none.
template <class Kernel>
struct handled_kernel {
  Kernel kernel;
  shared_part<specialization_values> values;

  template <class... Arguments>
    requires std::is_invocable_v<Kernel&, Arguments..., kernel_handler>
  LANEFOLD_ALWAYS_INLINE void operator()(Arguments&&... arguments) {
    kernel(std::forward<Arguments>(arguments)..., kernel_handler(values.get()));
  }
};

template <class Kernel>
struct unwrapped_kernel<handled_kernel<Kernel>> : unwrapped_kernel<Kernel> {};

/// Is true if the kernel takes a kernel_handler behind one of `Items`, and not that alone. (In this order: a generic
/// kernel is not compiled for an item with which it may never run.)
template <class Kernel, class... Items>
inline constexpr bool takes_kernel_handler =
    std::disjunction_v<std::conjunction<std::is_invocable<Kernel&, Items, kernel_handler>,
                                        std::negation<std::is_invocable<Kernel&, Items>>>...>;

/// Returns the kernel; one that takes a kernel_handler is given it, with what `values` returns.
template <bool Takes, class Values, class Kernel>
decltype(auto) give_handler_if(const Values& values, const Kernel& kernel) {
  if constexpr (Takes) {
    return handled_kernel<Kernel>{kernel, values()};
  } else {
    return (kernel);
  }
}
template <class... Items, class Values, class Kernel>
decltype(auto) give_handler_behind(const Values& values, const Kernel& kernel) {
  return give_handler_if<takes_kernel_handler<Kernel, Items...>>(values, kernel);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
