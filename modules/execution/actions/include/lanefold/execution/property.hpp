// SPDX-License-Identifier: Apache-2.0
/// Properties of queues (known at run time) and of launches (known at compile time).
#pragma once

#include <lanefold/exception.hpp>
#include <lanefold/execution/fiber_engine.hpp>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Base of everything that a property_list may hold.
struct runtime_property {};
/// Base of everything that `parallel_for` takes between its range and its kernel.
struct launch_property {};

template <class P, class... Ps>
inline constexpr std::size_t count_of = (std::size_t{std::is_same_v<P, Ps>} + ... + 0);

} // namespace detail

/// A property of a queue, a buffer, an allocation.
template <class P>
concept RuntimeProperty = std::derived_from<P, detail::runtime_property> && std::copy_constructible<P>;

/// Is true for properties that a property_list may hold. [sycl.4.5.4.2]
template <class P>
struct is_property : std::bool_constant<std::is_base_of_v<detail::runtime_property, P>> {};
/// Is `is_property<P>::value`.
template <class P>
inline constexpr bool is_property_v = is_property<P>::value;
/// Is true for the properties of objects of that class; the classes say which.
template <class P, class Object>
struct is_property_of : std::false_type {};
/// Is `is_property_of<P, Object>::value`.
template <class P, class Object>
inline constexpr bool is_property_of_v = is_property_of<P, Object>::value;

/// A property of one launch.
template <class P>
concept LaunchProperty = std::derived_from<P, detail::launch_property> && std::copy_constructible<P>;

namespace property {

namespace queue {
/// Commands run one after the other, in the order of their submission [sycl.4.6.5.2].
struct in_order : detail::runtime_property {};
/// The events of the queue's commands know when these were submitted, began and ended [sycl.4.6.6.1].
struct enable_profiling : detail::runtime_property {};
} // namespace queue
using queue::in_order;

/// The fiber engine of a queue's launches, or of one launch.
struct fiber_engine : detail::runtime_property, detail::launch_property {
  lanefold::fiber_engine value;
  constexpr explicit fiber_engine(lanefold::fiber_engine engine) noexcept : value(engine) {}
};

/// The most threads that run the commands of a queue at the same time, a waiting host thread included; at least 1.
/// Default: LANEFOLD_NUM_THREADS, else every core that the process may use. With 1 thread the commands of an
/// out-of-order queue run in the order in which they were submitted.
struct threads : detail::runtime_property {
  std::size_t count;
  constexpr explicit threads(std::size_t n) noexcept : count(n) {}
};

} // namespace property

/// oneAPI's hints for queues (sycl_ext_oneapi_queue_priority, sycl_ext_oneapi_discard_queue_events): nothing follows
/// from them on a CPU.
namespace ext::oneapi::property::queue {
struct priority_low : lanefold::detail::runtime_property {};
struct priority_normal : lanefold::detail::runtime_property {};
struct priority_high : lanefold::detail::runtime_property {};
struct discard_events : lanefold::detail::runtime_property {};
} // namespace ext::oneapi::property::queue

/// oneAPI's hint for buffers (sycl_ext_oneapi_use_pinned_host_memory_property): a CPU reads all memory alike.
namespace ext::oneapi::property::buffer {
struct use_pinned_host_memory : lanefold::detail::runtime_property {};
} // namespace ext::oneapi::property::buffer

/// Hints for queues of Level Zero (sycl_ext_intel_queue_immediate_command_list): nothing follows from them here.
namespace ext::intel::property::queue {
struct immediate_command_list : lanefold::detail::runtime_property {};
struct no_immediate_command_list : lanefold::detail::runtime_property {};
} // namespace ext::intel::property::queue

/// Properties known at run time, at most one of each type [sycl.4.5.4]. Uniform, cheap when empty; copies share what
/// they hold.
class property_list {
public:
  /// It may stand behind the arguments of USM allocations.
  using usm_properties = void;

  /// An empty list.
  property_list() = default;
  property_list(const property_list& other) noexcept : m_held(other.m_held) {
    if (m_held != nullptr) {
      retain();
    }
  }
  property_list(property_list&& other) noexcept : m_held(std::exchange(other.m_held, nullptr)) {}
  property_list& operator=(property_list other) noexcept {
    std::swap(m_held, other.m_held);
    return *this;
  }
  ~property_list() {
    if (m_held != nullptr) {
      release();
    }
  }

  /// A list of copies of these properties. Two of one type do not compile.
  template <RuntimeProperty... Ps>
    requires(sizeof...(Ps) > 0)
  property_list(Ps... properties) : property_list() {
    static_assert(((detail::count_of<Ps, Ps...> == 1) && ...), "a property_list holds each property once");
    (add(typeid(Ps), new Ps(std::move(properties)), &destroy<Ps>), ...);
  }

  /// Only the library calls this: it returns null for an empty list. (Then programs compile nothing that destroys it.)
  [[nodiscard]] const property_list* if_any() const noexcept { return m_held != nullptr ? this : nullptr; }
  /// Only queue calls this: all properties of several lists.
  static property_list joined(std::initializer_list<property_list> lists);

  /// Returns whether the list holds a property of type P.
  template <class P>
  bool has_property() const noexcept {
    return m_held != nullptr && find<P>() != nullptr;
  }

  /// Returns a copy of the property of type P. Errors: errc::invalid if the list does not hold one.
  template <class P>
  P get_property() const {
    if (const P* property = find<P>())
      return *property;
    throw exception(errc::invalid, "property_list::get_property: the list does not have this property");
  }

private:
  template <class P>
  const P* find() const noexcept {
    return static_cast<const P*>(find(typeid(P)));
  }
  template <class P>
  static void destroy(const void* property) {
    delete static_cast<const P*>(property);
  }

  struct contents;
  /// While the list is made: keeps a property, which the function deletes. Throws std::bad_alloc.
  void add(const std::type_info& type, const void* property, void (*deleter)(const void*));
  /// Returns null if the list holds no property of the type.
  [[nodiscard]] const void* find(const std::type_info& type) const noexcept;
  void retain() const noexcept;
  void release() const noexcept;

  contents* m_held = nullptr; ///< null: none
};

/// Properties of one launch, known at compile time: `properties{property::fiber_engine(fiber_engine::native)}`.
/// At most one of each type.
template <LaunchProperty... Ps>
class properties {
  static_assert(((detail::count_of<Ps, Ps...> == 1) && ...), "each launch property may be given once");

public:
  constexpr properties()
    requires(sizeof...(Ps) > 0 && (std::default_initializable<Ps> && ...))
  = default;
  constexpr explicit(false) properties(Ps... values) : m_values(std::move(values)...) {}
  constexpr explicit properties(std::tuple<Ps...> values)
    requires(sizeof...(Ps) > 0)
      : m_values(std::move(values)) {}

  /// Is true if one of the properties is a P.
  template <class P>
  static constexpr bool has = detail::count_of<P, Ps...> == 1;

  /// The property of type P, which must be there.
  template <class P>
    requires(has<P>)
  constexpr const P& get() const {
    return std::get<P>(m_values);
  }

  /// The property of type P, or `otherwise`.
  template <class P>
  constexpr P get_or(P otherwise) const {
    if constexpr (has<P>) {
      return std::get<P>(m_values);
    } else {
      return otherwise;
    }
  }

  /// All of them, in the order in which they were given.
  constexpr const std::tuple<Ps...>& values() const { return m_values; }

private:
  std::tuple<Ps...> m_values;
};

/// The launch properties that every launch of the kernel `Name` by parallel_for over an nd_range gets. Programs
/// specialise it, before they name the kernel otherwise; it says what attributes such as [[sycl::reqd_sub_group_size]]
/// say, which a library cannot read:
/// `template <> inline constexpr auto lanefold::kernel_properties<my_kernel> =
/// properties(property::sub_group_size(32));`
template <class Name>
inline constexpr auto kernel_properties = properties<>();

namespace detail {

template <class T>
inline constexpr bool is_properties = false;
template <class... Ps>
inline constexpr bool is_properties<properties<Ps...>> = true;

/// Is an argument that may stand between range and kernel: a launch property or a `properties` of several.
template <class T>
concept LaunchArgument = LaunchProperty<std::remove_cvref_t<T>> || is_properties<std::remove_cvref_t<T>>;

template <class P>
constexpr auto as_tuple(const P& argument) {
  if constexpr (is_properties<P>) {
    return argument.values();
  } else {
    return std::tuple<P>(argument);
  }
}

template <class... Ps>
constexpr properties<Ps...> properties_from(std::tuple<Ps...> values) {
  return std::apply([](Ps&... each) { return properties<Ps...>(std::move(each)...); }, values);
}

/// One `properties` of launch properties and `properties`.
template <LaunchArgument... Arguments>
constexpr auto merge_properties(const Arguments&... arguments) {
  return properties_from(std::tuple_cat(as_tuple(arguments)...));
}

} // namespace detail
LANEFOLD_END_NAMESPACE
