// SPDX-License-Identifier: Apache-2.0
/// Images, samplers and their accessors as they were in SYCL 1.2.1: a sampler belongs to a read, not to an image, and
/// pixels have any channels. Programs that were ported from CUDA have them (SYCL 1.2.1,
/// sections 4.7.3, 4.7.6.10, 4.7.7).
#pragma once

#include <lanefold/execution/image_accessor.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

/// Says how images are read between pixels, and outside of them.
class sampler {
public:
  sampler(coordinate_normalization_mode coordinates, addressing_mode addressing, filtering_mode filtering,
          const property_list& = {})
      : m_settings{addressing, coordinates, filtering} {}

  [[nodiscard]] addressing_mode get_addressing_mode() const noexcept { return m_settings.addressing; }
  [[nodiscard]] filtering_mode get_filtering_mode() const noexcept { return m_settings.filtering; }
  [[nodiscard]] coordinate_normalization_mode get_coordinate_normalization_mode() const noexcept {
    return m_settings.coordinate;
  }

  /// Only the library calls this.
  [[nodiscard]] const image_sampler& settings() const noexcept { return m_settings; }

  friend bool operator==(const sampler&, const sampler&) = default;

private:
  image_sampler m_settings;
};

namespace detail {

/// Is a pointer, an array or a shared_ptr.
template <class Host>
concept ImageMemory = std::is_pointer_v<std::decay_t<const Host>> || is_shared_ptr<Host>;

} // namespace detail

/// An image whose pixels kernels on the CPU, and the host, read at integer positions or through a sampler, and write.
/// In host memory (a pointer, one to const, or a shared_ptr) or its own. Pitches are bytes from row to row and from
/// plane to plane. Errors: errc::invalid as those of unsampled_image; errc::feature_not_supported for channel types
/// that are several channels in one integer.
template <int D = 1, class Allocator = image_allocator>
class image : public detail::writable_image<D, Allocator> {
  using base = detail::writable_image<D, Allocator>;
  using pitch_type = detail::image_pitch<D>;

public:
  image(image_channel_order order, image_channel_type type, const range<D>& extents,
        const property_list& properties = {})
      : image(order, type, extents, Allocator(), properties) {}
  image(image_channel_order order, image_channel_type type, const range<D>& extents, Allocator allocator,
        const property_list& properties = {})
      : base(layout_as(order, type, extents), extents, allocator, properties) {}
  image(image_channel_order order, image_channel_type type, const range<D>& extents, const pitch_type& pitch,
        const property_list& properties = {})
    requires(D > 1)
      : image(order, type, extents, pitch, Allocator(), properties) {}
  image(image_channel_order order, image_channel_type type, const range<D>& extents, const pitch_type& pitch,
        Allocator allocator, const property_list& properties = {})
    requires(D > 1)
      : base(layout_as(order, type, extents, pitch), extents, allocator, properties) {}

  template <detail::ImageMemory Host>
  image(const Host& host, image_channel_order order, image_channel_type type, const range<D>& extents,
        const property_list& properties = {})
      : image(host, order, type, extents, Allocator(), properties) {}
  template <detail::ImageMemory Host>
  image(const Host& host, image_channel_order order, image_channel_type type, const range<D>& extents,
        Allocator allocator, const property_list& properties = {})
      : base(layout_as(order, type, extents), extents, bytes_of(host), allocator, properties) {}
  template <detail::ImageMemory Host>
  image(const Host& host, image_channel_order order, image_channel_type type, const range<D>& extents,
        const pitch_type& pitch, const property_list& properties = {})
    requires(D > 1)
      : image(host, order, type, extents, pitch, Allocator(), properties) {}
  template <detail::ImageMemory Host>
  image(const Host& host, image_channel_order order, image_channel_type type, const range<D>& extents,
        const pitch_type& pitch, Allocator allocator, const property_list& properties = {})
    requires(D > 1)
      : base(layout_as(order, type, extents, pitch), extents, bytes_of(host), allocator, properties) {}

  /// Bytes; pixels.
  [[nodiscard]] std::size_t get_size() const noexcept { return this->byte_size(); }
  [[nodiscard]] std::size_t get_count() const noexcept { return this->size(); }

  template <class Pixel, access_mode Mode>
  auto get_access(handler& command) {
    return accessor<Pixel, D, Mode, target::image>(*this, command);
  }
  template <class Pixel, access_mode Mode>
  auto get_access() {
    return accessor<Pixel, D, Mode, target::host_image>(*this);
  }

  friend bool operator==(const image& a, const image& b) noexcept { return a.m_bytes == b.m_bytes; }

private:
  template <class... Pitch>
  static detail::image_layout layout_as(image_channel_order order, image_channel_type type, const range<D>& extents,
                                        const Pitch&... pitch) {
    if constexpr (sizeof...(Pitch) == 0) {
      return base::layout_of(detail::pixel_format{order, type}, extents, range<3>(0, 0, 0));
    } else {
      return base::layout_of(detail::pixel_format{order, type}, extents, pitch...);
    }
  }
  template <class Host>
  static auto bytes_of(const Host& host) {
    if constexpr (detail::is_shared_ptr<Host>) {
      return detail::as_bytes(host);
    } else if constexpr (std::is_const_v<std::remove_pointer_t<std::decay_t<Host>>>) {
      return static_cast<const std::byte*>(static_cast<const void*>(host));
    } else {
      return static_cast<std::byte*>(const_cast<void*>(static_cast<const void*>(host)));
    }
  }
};

namespace detail {

/// Says what accessors of these images have in common.
template <class Pixel, int D, access_mode Mode, class Bytes>
class image_access_1_2_1 : public image_access<Pixel, D, Bytes> {
  using base = image_access<Pixel, D, Bytes>;

public:
  [[nodiscard]] std::size_t get_count() const noexcept { return this->size(); }
  [[nodiscard]] range<D> get_range() const noexcept {
    range<D> extents;
    for (int d = 0; d < D; ++d) {
      extents[d] = this->layout().extents[static_cast<std::size_t>(d)];
    }
    return extents;
  }

  template <class Position>
  [[nodiscard]] Pixel read(const Position& at) const
    requires(Mode == access_mode::read || Mode == access_mode::read_write)
  {
    return this->read_at(at);
  }
  template <class Position>
  [[nodiscard]] Pixel read(const Position& at, const sampler& how) const
    requires(Mode == access_mode::read)
  {
    return this->sample_at(at, how.settings());
  }
  template <class Position>
  void write(const Position& at, const Pixel& value) const
    requires(Mode != access_mode::read)
  {
    this->write_at(at, value);
  }

protected:
  using base::base;
};

} // namespace detail

/// Says what a kernel does with an image: reads (an int or float of one dimension, vectors of two, or of four: x, y, z)
/// or writes. Errors: those of unsampled_image_accessor.
template <class Pixel, int D, access_mode Mode, access::placeholder P>
class accessor<Pixel, D, Mode, target::image, P>
    : public detail::image_access_1_2_1<Pixel, D, Mode, detail::bytes_of_command<Mode, false>> {
  using base = detail::image_access_1_2_1<Pixel, D, Mode, detail::bytes_of_command<Mode, false>>;

public:
  template <class A, std::same_as<handler> Handler>
  accessor(const image<D, A>& of, Handler& command, const property_list& properties = {})
      : base((detail::refuse_on_devices(command), of.layout()), of.bytes(), command, properties) {}
};

/// The host's use of an image.
template <class Pixel, int D, access_mode Mode, access::placeholder P>
class accessor<Pixel, D, Mode, target::host_image, P>
    : public detail::image_access_1_2_1<Pixel, D, Mode, host_accessor<std::byte, 1, Mode>> {
  using base = detail::image_access_1_2_1<Pixel, D, Mode, host_accessor<std::byte, 1, Mode>>;

public:
  template <class A>
  explicit(false) accessor(const image<D, A>& of, const property_list& properties = {})
      : base(of.layout(), of.bytes(), properties) {}
};

/// Says what a kernel does with an image of D + 1 dimensions as an array of images: `a[i]` is the i-th row or plane, of
/// which it reads or writes pixels.
template <class Pixel, int D, access_mode Mode, access::placeholder P>
class accessor<Pixel, D, Mode, target::image_array, P>
    : public detail::image_access<Pixel, D + 1, detail::bytes_of_command<Mode, false>> {
  using base = detail::image_access<Pixel, D + 1, detail::bytes_of_command<Mode, false>>;
  static_assert(D == 1 || D == 2, "lanefold: an array is of images of one or two dimensions");

public:
  template <class A, std::same_as<handler> Handler>
  accessor(const image<D + 1, A>& of, Handler& command, const property_list& properties = {})
      : base((detail::refuse_on_devices(command), of.layout()), of.bytes(), command, properties) {}

  class slice {
  public:
    template <class Position>
    [[nodiscard]] Pixel read(const Position& at) const
      requires(Mode == access_mode::read || Mode == access_mode::read_write)
    {
      return detail::pixels<Pixel, D>::read(m_layout, m_memory, at);
    }
    template <class Position>
    [[nodiscard]] Pixel read(const Position& at, const sampler& how) const
      requires(Mode == access_mode::read)
    {
      return detail::pixels<Pixel, D>::sample(m_layout, m_memory, at, how.settings());
    }
    template <class Position>
    void write(const Position& at, const Pixel& value) const
      requires(Mode != access_mode::read)
    {
      detail::pixels<Pixel, D>::write(m_layout, m_memory, at, value);
    }

  private:
    friend class accessor;
    using byte = std::conditional_t<Mode == access_mode::read, const std::byte, std::byte>;
    slice(const detail::image_layout& layout, byte* memory) : m_layout(layout), m_memory(memory) {}

    detail::image_layout m_layout;
    byte* m_memory;
  };

  /// Images of the array. Errors of operator[]: errc::invalid if there is no such image.
  [[nodiscard]] std::size_t get_count() const noexcept { return this->layout().extents[D]; }
  [[nodiscard]] slice operator[](std::size_t i) const {
    detail::image_layout of_one = this->layout();
    const std::size_t offset = detail::offset_of_slice(of_one, D, i);
    of_one.extents[D] = 1;
    return slice(of_one, this->memory() + offset);
  }
};

template <class P, int D, class Allocator>
struct is_property_of<P, image<D, Allocator>> : is_property_of<P, buffer<std::byte, 1, Allocator>> {};

LANEFOLD_END_NAMESPACE

template <>
struct std::hash<lanefold::sampler> {
  std::size_t operator()(const lanefold::sampler& s) const noexcept {
    return static_cast<std::size_t>(s.get_addressing_mode()) * 16 +
           static_cast<std::size_t>(s.get_filtering_mode()) * 4 +
           static_cast<std::size_t>(s.get_coordinate_normalization_mode());
  }
};
template <int D, class Allocator>
struct std::hash<lanefold::image<D, Allocator>> {
  std::size_t operator()(const lanefold::image<D, Allocator>& image) const noexcept {
    return std::hash<std::remove_cvref_t<decltype(image.bytes())>>()(image.bytes());
  }
};
