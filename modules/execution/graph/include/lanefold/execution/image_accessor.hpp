// SPDX-License-Identifier: Apache-2.0
/// Pixels of images are read and written by kernels on the CPU, host tasks and the host. [sycl.4.7.6.12]
/// [sycl.4.7.6.13]
#pragma once

#include <lanefold/execution/accessor.hpp>
#include <lanefold/execution/host_accessor.hpp>
#include <lanefold/execution/image.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <limits>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Returns element `d` of a position: a number, or a vector of them.
template <class Position>
auto coordinate(const Position& at, std::size_t d) {
  if constexpr (std::is_arithmetic_v<Position>) {
    static_cast<void>(d);
    return at;
  } else {
    return at[static_cast<int>(d)];
  }
}

/// Converts between the pixels of programs and those of images, of D dimensions.
template <class Pixel, int D>
class pixels {
  using element = typename std::remove_const_t<Pixel>::element_type;
  /// half converts through float.
  using in_memory = std::conditional_t<std::is_arithmetic_v<element>, element, float>;

public:
  template <class Position>
  static Pixel read(const image_layout& layout, const std::byte* memory, const Position& at) {
    return to_program(read_pixel(layout, memory, position(at)));
  }
  template <class Position>
  static Pixel sample(const image_layout& layout, const std::byte* memory, const Position& at,
                      const image_sampler& how) {
    std::array<double, 3> all{0.5, 0.5, 0.5};
    for (std::size_t d = 0; d < D; ++d) {
      all[d] = static_cast<double>(coordinate(at, d));
    }
    return to_program(detail::sample(layout, memory, how, all));
  }
  template <class Position>
  static void write(const image_layout& layout, std::byte* memory, const Position& at, const Pixel& value) {
    pixel all;
    for (std::size_t i = 0; i < 4; ++i) {
      all[i] = static_cast<double>(static_cast<in_memory>(static_cast<element>(value[static_cast<int>(i)])));
    }
    write_pixel(layout, memory, position(at), all);
  }

private:
  template <class Position>
  static pixel_position position(const Position& at) {
    pixel_position all{0, 0, 0};
    for (std::size_t d = 0; d < D; ++d) {
      all[d] = static_cast<std::ptrdiff_t>(coordinate(at, d));
    }
    return all;
  }
  static Pixel to_program(const pixel& value) {
    std::remove_const_t<Pixel> result;
    for (std::size_t i = 0; i < 4; ++i) {
      result[static_cast<int>(i)] = static_cast<element>(static_cast<in_memory>(value[i]));
    }
    return result;
  }
};

template <access_mode Mode, bool IsHostTask>
using bytes_of_command = accessor<std::byte, 1, Mode, IsHostTask ? target::host_task : target::device>;

/// Reads and writes pixels through `Access`, an accessor of the bytes of an image. `Pixel` is a vector of four: of
/// int32_t, uint32_t, float or half.
template <class Pixel, int D, class Access>
class image_access {
  using element = typename std::remove_const_t<Pixel>::element_type;

public:
  using value_type = Pixel;
  using reference = Pixel&;
  using const_reference = const Pixel&;
  static constexpr int dimensions = D;

  [[nodiscard]] std::size_t size() const noexcept { return m_layout.size(); }

  friend bool operator==(const image_access& a, const image_access& b) noexcept { return a.m_bytes == b.m_bytes; }
  [[nodiscard]] std::size_t hash() const noexcept { return std::hash<Access>()(m_bytes); }

  template <class P>
  [[nodiscard]] bool has_property() const noexcept {
    return m_bytes.template has_property<P>();
  }
  template <class P>
  [[nodiscard]] P get_property() const {
    return m_bytes.template get_property<P>();
  }

protected:
  template <class... Arguments>
  explicit image_access(const image_layout& layout, const Arguments&... arguments)
      : m_layout(checked(layout)), m_bytes(arguments...) {}
  template <class Bytes, class Handler, class... Rest>
  image_access(const image_layout& layout, const Bytes& bytes, Handler& command, const Rest&... rest)
    requires std::same_as<Handler, handler>
      : m_layout(checked(layout)), m_bytes(bytes, command, rest...) {}

  [[nodiscard]] const image_layout& layout() const noexcept { return m_layout; }
  /// The first byte.
  auto memory() const { return &*m_bytes.begin(); }

  template <class Position>
  Pixel read_at(const Position& at) const {
    return pixels<Pixel, D>::read(m_layout, memory(), at);
  }
  template <class Position>
  Pixel sample_at(const Position& at, const image_sampler& how) const {
    return pixels<Pixel, D>::sample(m_layout, memory(), at, how);
  }
  template <class Position>
  void write_at(const Position& at, const Pixel& value) const {
    pixels<Pixel, D>::write(m_layout, memory(), at, value);
  }

private:
  static const image_layout& checked(const image_layout& layout) {
    check_kind(layout.format, !std::numeric_limits<element>::is_integer ? channel_kind::real
                              : std::is_signed_v<element>               ? channel_kind::signed_integer
                                                                        : channel_kind::unsigned_integer);
    return layout;
  }

  image_layout m_layout;
  Access m_bytes;
};

} // namespace detail

/// Says what a command does with an unsampled image: kernels of work-items and host tasks read or write its pixels (an
/// int of one dimension, int2 or int4: x, y, z). Errors: errc::feature_not_supported on OpenCL devices; errc::invalid
/// if the elements of Pixel are not those of the format, and, from read and write, outside of the image.
template <class Pixel, int D, access_mode Mode, image_target Target>
class unsampled_image_accessor
    : public detail::image_access<Pixel, D, detail::bytes_of_command<Mode, Target == image_target::host_task>> {
  using base = detail::image_access<Pixel, D, detail::bytes_of_command<Mode, Target == image_target::host_task>>;
  static_assert(Mode == access_mode::read || Mode == access_mode::write, "lanefold: images are read, or written");

public:
  template <class A, std::same_as<handler> Handler, class... Rest>
  unsampled_image_accessor(const unsampled_image<D, A>& image, Handler& command, const Rest&... rest)
      : base((detail::refuse_on_devices(command), image.layout()), image.bytes(), command, rest...) {}

  template <class Position>
  [[nodiscard]] Pixel read(const Position& at) const
    requires(Mode == access_mode::read)
  {
    return this->read_at(at);
  }
  template <class Position>
  void write(const Position& at, const Pixel& value) const
    requires(Mode == access_mode::write)
  {
    this->write_at(at, value);
  }
};

/// Says what a command does with a sampled image: kernels and host tasks read it at coordinates (float, float2 or
/// float4). Errors are those of unsampled_image_accessor, but none for coordinates.
template <class Pixel, int D, image_target Target>
class sampled_image_accessor
    : public detail::image_access<Pixel, D,
                                  detail::bytes_of_command<access_mode::read, Target == image_target::host_task>> {
  using base =
      detail::image_access<Pixel, D, detail::bytes_of_command<access_mode::read, Target == image_target::host_task>>;

public:
  template <class A, std::same_as<handler> Handler>
  sampled_image_accessor(const sampled_image<D, A>& image, Handler& command, const property_list& properties = {})
      : base((detail::refuse_on_devices(command), image.layout()), image.bytes(), command, properties),
        m_sampler(image.sampler()) {}

  template <class Position>
  [[nodiscard]] Pixel read(const Position& at) const {
    return this->sample_at(at, m_sampler);
  }

private:
  image_sampler m_sampler;
};

/// The host's use of an unsampled image, as host_accessor.
template <class Pixel, int D, access_mode Mode>
class host_unsampled_image_accessor : public detail::image_access<Pixel, D, host_accessor<std::byte, 1, Mode>> {
  using base = detail::image_access<Pixel, D, host_accessor<std::byte, 1, Mode>>;

public:
  template <class A, class... Rest>
  explicit(false) host_unsampled_image_accessor(const unsampled_image<D, A>& image, const Rest&... rest)
      : base(image.layout(), image.bytes(), rest...) {}

  template <class Position>
  [[nodiscard]] Pixel read(const Position& at) const
    requires(Mode == access_mode::read || Mode == access_mode::read_write)
  {
    return this->read_at(at);
  }
  template <class Position>
  void write(const Position& at, const Pixel& value) const
    requires(Mode != access_mode::read)
  {
    this->write_at(at, value);
  }
};

/// The host's use of a sampled image.
template <class Pixel, int D>
class host_sampled_image_accessor
    : public detail::image_access<Pixel, D, host_accessor<std::byte, 1, access_mode::read>> {
  using base = detail::image_access<Pixel, D, host_accessor<std::byte, 1, access_mode::read>>;

public:
  template <class A>
  explicit(false) host_sampled_image_accessor(const sampled_image<D, A>& image, const property_list& properties = {})
      : base(image.layout(), image.bytes(), properties), m_sampler(image.sampler()) {}

  template <class Position>
  [[nodiscard]] Pixel read(const Position& at) const {
    return this->sample_at(at, m_sampler);
  }

private:
  image_sampler m_sampler;
};

template <class Pixel, int D, access_mode Mode, image_target Target>
struct is_property_of<property::no_init, unsampled_image_accessor<Pixel, D, Mode, Target>> : std::true_type {};
template <class Pixel, int D, access_mode Mode>
struct is_property_of<property::no_init, host_unsampled_image_accessor<Pixel, D, Mode>> : std::true_type {};

LANEFOLD_END_NAMESPACE

template <class Pixel, int D, lanefold::access_mode Mode, lanefold::image_target Target>
struct std::hash<lanefold::unsampled_image_accessor<Pixel, D, Mode, Target>> {
  std::size_t operator()(const auto& a) const noexcept { return a.hash(); }
};
template <class Pixel, int D, lanefold::image_target Target>
struct std::hash<lanefold::sampled_image_accessor<Pixel, D, Target>> {
  std::size_t operator()(const auto& a) const noexcept { return a.hash(); }
};
template <class Pixel, int D, lanefold::access_mode Mode>
struct std::hash<lanefold::host_unsampled_image_accessor<Pixel, D, Mode>> {
  std::size_t operator()(const auto& a) const noexcept { return a.hash(); }
};
template <class Pixel, int D>
struct std::hash<lanefold::host_sampled_image_accessor<Pixel, D>> {
  std::size_t operator()(const auto& a) const noexcept { return a.hash(); }
};
