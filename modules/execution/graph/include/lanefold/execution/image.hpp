// SPDX-License-Identifier: Apache-2.0
/// Images: memory of pixels. [sycl.4.7.3]
#pragma once

#include <lanefold/execution/buffer.hpp>
#include <lanefold/execution/detail/image_pixels.hpp>
#include <lanefold/execution/image_format.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE

/// The properties of buffers, for images.
namespace property::image {
using buffer::context_bound;
using buffer::use_host_ptr;
using buffer::use_mutex;
} // namespace property::image

using image_allocator = buffer_allocator<std::byte>;

template <class Pixel, int D, access_mode Mode, image_target Target = image_target::device>
class unsampled_image_accessor;
template <class Pixel, int D, image_target Target = image_target::device>
class sampled_image_accessor;
template <class Pixel, int D = 1,
          access_mode Mode = std::is_const_v<Pixel> ? access_mode::read : access_mode::read_write>
class host_unsampled_image_accessor;
template <class Pixel, int D = 1>
class host_sampled_image_accessor;

namespace detail {

/// Holds what sampled and unsampled images have in common: a buffer of their bytes, which orders who uses them.
template <int D, class Allocator>
class image_memory {
  static_assert(D >= 1 && D <= 3, "lanefold: an image has one to three dimensions");
  static_assert(std::is_same_v<typename Allocator::value_type, std::byte>, "lanefold: images consist of std::byte");

public:
  static constexpr int dimensions = D;

  /// Pixels: width, height, depth.
  [[nodiscard]] range<D> get_range() const noexcept { return m_range; }
  [[nodiscard]] std::size_t size() const noexcept { return m_layout.size(); }
  [[nodiscard]] std::size_t byte_size() const noexcept { return m_layout.byte_size(); }

  template <class P>
  [[nodiscard]] bool has_property() const noexcept {
    return m_bytes.template has_property<P>();
  }
  template <class P>
  [[nodiscard]] P get_property() const {
    return m_bytes.template get_property<P>();
  }

  /// Only the library calls these.
  const image_layout& layout() const noexcept { return m_layout; }
  const buffer<std::byte, 1, Allocator>& bytes() const noexcept { return m_bytes; }

protected:
  template <class... Memory>
  image_memory(const range<D>& extents, const image_layout& layout, Memory&&... memory)
      : m_range(extents), m_layout(layout), m_bytes(std::forward<Memory>(memory)...) {}

  /// Bytes from row to row (pitch[0]) and from plane to plane (pitch[1]).
  template <int P>
  static image_layout layout_of(pixel_format format, const range<D>& extents, const range<P>& pitch) {
    std::array<std::size_t, 3> all{1, 1, 1};
    std::array<std::size_t, 2> gaps{0, 0};
    for (int d = 0; d < D; ++d) {
      all[static_cast<std::size_t>(d)] = extents[d];
    }
    for (int d = 0; d + 1 < D; ++d) {
      gaps[static_cast<std::size_t>(d)] = pitch[d];
    }
    return make_layout(format, all, gaps);
  }
  static image_layout layout_of(image_format format, const range<D>& extents) {
    return layout_of(pixels_of(format), extents, range<3>(0, 0, 0));
  }
  template <int P>
  static image_layout layout_of(image_format format, const range<D>& extents, const range<P>& pitch) {
    return layout_of(pixels_of(format), extents, pitch);
  }

  range<D> m_range;
  image_layout m_layout;
  buffer<std::byte, 1, Allocator> m_bytes;
};

// (Byte is a parameter, so that programs that call none of this do not compile std::shared_ptr<std::byte>.)
template <class T, class Byte = std::byte>
std::shared_ptr<Byte> as_bytes(const std::shared_ptr<T>& memory) {
  return std::shared_ptr<Byte>(memory, static_cast<Byte*>(static_cast<void*>(memory.get())));
}

/// The pitch of images of more than one dimension. (A type of its own, so that the others have no such constructors.)
template <int D>
using image_pitch = range<(D > 1 ? D - 1 : 1)>;

/// Has what images have in common that programs write to: pitches, an allocator, and where the bytes go at the end.
template <int D, class Allocator>
class writable_image : public image_memory<D, Allocator> {
  using base = image_memory<D, Allocator>;
  using pitch_type = image_pitch<D>;

public:
  [[nodiscard]] pitch_type get_pitch() const
    requires(D > 1)
  {
    pitch_type pitch;
    for (int d = 0; d + 1 < D; ++d) {
      pitch[d] = this->m_layout.pitch[static_cast<std::size_t>(d)];
    }
    return pitch;
  }
  [[nodiscard]] Allocator get_allocator() const { return this->m_bytes.get_allocator(); }

  /// Says where the bytes go when the last handle does: a pointer, a shared_ptr or weak_ptr, or nowhere.
  void set_final_data(std::nullptr_t = nullptr) { this->m_bytes.set_final_data(nullptr); }
  void set_final_data(void* destination) { this->m_bytes.set_final_data(static_cast<std::byte*>(destination)); }
  template <class T>
  void set_final_data(const std::shared_ptr<T>& destination) {
    this->m_bytes.set_final_data(as_bytes(destination));
  }
  template <class T>
  void set_final_data(const std::weak_ptr<T>& destination) {
    set_final_data(destination.lock());
  }
  void set_write_back(bool flag = true) { this->m_bytes.set_write_back(flag); }

protected:
  writable_image(const image_layout& layout, const range<D>& extents, Allocator allocator,
                 const property_list& properties)
      : base(extents, layout, range<1>(layout.byte_size()), allocator, properties) {}
  template <class Memory>
  writable_image(const image_layout& layout, const range<D>& extents, const Memory& memory, Allocator allocator,
                 const property_list& properties)
      : base(extents, layout, memory, range<1>(layout.byte_size()), allocator, properties) {}
};

} // namespace detail

/// An image whose pixels programs read and write at integer positions. Like a buffer it works in the host memory that
/// it is made over, or in memory of its own, and orders the commands that use it; copies stand for the same image.
/// Kernels on the CPU, host tasks and the host use it, see image_accessor.hpp. Pitches are bytes from row to row and
/// from plane to plane. Errors, errc::invalid: no pixels, a pitch that is too small, a null pointer.
// [sycl.4.7.3.1]
template <int D = 1, class Allocator = image_allocator>
class unsampled_image : public detail::writable_image<D, Allocator> {
  using base = detail::writable_image<D, Allocator>;
  using pitch_type = detail::image_pitch<D>;

public:
  unsampled_image(image_format format, const range<D>& extents, const property_list& properties = {})
      : unsampled_image(format, extents, Allocator(), properties) {}
  unsampled_image(image_format format, const range<D>& extents, Allocator allocator,
                  const property_list& properties = {})
      : base(base::layout_of(format, extents), extents, allocator, properties) {}
  unsampled_image(image_format format, const range<D>& extents, const pitch_type& pitch,
                  const property_list& properties = {})
    requires(D > 1)
      : unsampled_image(format, extents, pitch, Allocator(), properties) {}
  unsampled_image(image_format format, const range<D>& extents, const pitch_type& pitch, Allocator allocator,
                  const property_list& properties = {})
    requires(D > 1)
      : base(base::layout_of(format, extents, pitch), extents, allocator, properties) {}

  unsampled_image(void* host, image_format format, const range<D>& extents, const property_list& properties = {})
      : unsampled_image(host, format, extents, Allocator(), properties) {}
  unsampled_image(void* host, image_format format, const range<D>& extents, Allocator allocator,
                  const property_list& properties = {})
      : base(base::layout_of(format, extents), extents, static_cast<std::byte*>(host), allocator, properties) {}
  unsampled_image(void* host, image_format format, const range<D>& extents, const pitch_type& pitch,
                  const property_list& properties = {})
    requires(D > 1)
      : unsampled_image(host, format, extents, pitch, Allocator(), properties) {}
  unsampled_image(void* host, image_format format, const range<D>& extents, const pitch_type& pitch,
                  Allocator allocator, const property_list& properties = {})
    requires(D > 1)
      : base(base::layout_of(format, extents, pitch), extents, static_cast<std::byte*>(host), allocator, properties) {}

  unsampled_image(const std::shared_ptr<void>& host, image_format format, const range<D>& extents,
                  const property_list& properties = {})
      : unsampled_image(host, format, extents, Allocator(), properties) {}
  unsampled_image(const std::shared_ptr<void>& host, image_format format, const range<D>& extents, Allocator allocator,
                  const property_list& properties = {})
      : base(base::layout_of(format, extents), extents, detail::as_bytes(host), allocator, properties) {}
  unsampled_image(const std::shared_ptr<void>& host, image_format format, const range<D>& extents,
                  const pitch_type& pitch, const property_list& properties = {})
    requires(D > 1)
      : unsampled_image(host, format, extents, pitch, Allocator(), properties) {}
  unsampled_image(const std::shared_ptr<void>& host, image_format format, const range<D>& extents,
                  const pitch_type& pitch, Allocator allocator, const property_list& properties = {})
    requires(D > 1)
      : base(base::layout_of(format, extents, pitch), extents, detail::as_bytes(host), allocator, properties) {}

  template <class Pixel, access_mode Mode = std::is_const_v<Pixel> ? access_mode::read : access_mode::read_write,
            image_target Target = image_target::device, class... Rest>
  auto get_access(handler& command, const Rest&... rest) {
    return unsampled_image_accessor<Pixel, D, Mode, Target>(*this, command, rest...);
  }
  template <class Pixel, access_mode Mode = std::is_const_v<Pixel> ? access_mode::read : access_mode::read_write,
            class... Rest>
  auto get_host_access(const Rest&... rest) {
    return host_unsampled_image_accessor<Pixel, D, Mode>(*this, rest...);
  }

  friend bool operator==(const unsampled_image& a, const unsampled_image& b) noexcept { return a.m_bytes == b.m_bytes; }
};

/// An image that programs only read, at coordinates between pixels, as its sampler says. It has a copy of the host
/// memory; over a null pointer all is zero. As unsampled_image otherwise.
// [sycl.4.7.3.2]
template <int D = 1, class Allocator = image_allocator>
class sampled_image : public detail::image_memory<D, Allocator> {
  using base = detail::image_memory<D, Allocator>;
  using pitch_type = detail::image_pitch<D>;

public:
  sampled_image(const void* host, image_format format, image_sampler sampler, const range<D>& extents,
                const property_list& properties = {})
      : sampled_image(base::layout_of(format, extents), extents, sampler, host, properties) {}
  sampled_image(const void* host, image_format format, image_sampler sampler, const range<D>& extents,
                const pitch_type& pitch, const property_list& properties = {})
    requires(D > 1)
      : sampled_image(base::layout_of(format, extents, pitch), extents, sampler, host, properties) {}
  sampled_image(const std::shared_ptr<const void>& host, image_format format, image_sampler sampler,
                const range<D>& extents, const property_list& properties = {})
      : sampled_image(host.get(), format, sampler, extents, properties) {}
  sampled_image(const std::shared_ptr<const void>& host, image_format format, image_sampler sampler,
                const range<D>& extents, const pitch_type& pitch, const property_list& properties = {})
    requires(D > 1)
      : sampled_image(host.get(), format, sampler, extents, pitch, properties) {}

  template <class Pixel, image_target Target = image_target::device, class... Rest>
  auto get_access(handler& command, const Rest&... rest) {
    return sampled_image_accessor<Pixel, D, Target>(*this, command, rest...);
  }
  template <class Pixel, class... Rest>
  auto get_host_access(const Rest&... rest) {
    return host_sampled_image_accessor<Pixel, D>(*this, rest...);
  }

  /// Only the library calls this.
  const image_sampler& sampler() const noexcept { return m_sampler; }

  friend bool operator==(const sampled_image& a, const sampled_image& b) noexcept { return a.m_bytes == b.m_bytes; }

private:
  sampled_image(const detail::image_layout& layout, const range<D>& extents, const image_sampler& sampler,
                const void* host, const property_list& properties)
      : base(extents, layout, range<1>(layout.byte_size()), properties), m_sampler(sampler) {
    std::byte* const memory = this->m_bytes.owner()->fresh_memory();
    if (host == nullptr) {
      std::memset(memory, 0, layout.byte_size());
    } else {
      std::memcpy(memory, host, layout.byte_size());
    }
  }

  image_sampler m_sampler;
};

template <class P, int D, class Allocator>
struct is_property_of<P, unsampled_image<D, Allocator>> : is_property_of<P, buffer<std::byte, 1, Allocator>> {};
template <class P, int D, class Allocator>
struct is_property_of<P, sampled_image<D, Allocator>> : is_property_of<P, buffer<std::byte, 1, Allocator>> {};

LANEFOLD_END_NAMESPACE

template <int D, class Allocator>
struct std::hash<lanefold::unsampled_image<D, Allocator>> {
  std::size_t operator()(const lanefold::unsampled_image<D, Allocator>& image) const noexcept {
    return std::hash<std::remove_cvref_t<decltype(image.bytes())>>()(image.bytes());
  }
};
template <int D, class Allocator>
struct std::hash<lanefold::sampled_image<D, Allocator>> {
  std::size_t operator()(const lanefold::sampled_image<D, Allocator>& image) const noexcept {
    return std::hash<std::remove_cvref_t<decltype(image.bytes())>>()(image.bytes());
  }
};
