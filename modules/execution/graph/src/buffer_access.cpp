// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/buffer_access.hpp>

#include <lanefold/execution/detail/buffer_state.hpp>

#include <string>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

buffer_requirement requirement_of(std::shared_ptr<buffer_state> state, std::span<const std::byte> part) {
  const auto begin = static_cast<std::size_t>(part.data() - state->fresh_memory());
  const std::size_t bytes = state->bytes();
  return {.buffer = std::move(state),
          .begin = begin,
          .end = begin + part.size(),
          .kind = {},
          .object_begin = 0,
          .object_end = bytes};
}

} // namespace

used_buffer use_buffer(const buffer_owner& owner) { return {owner.state->memory(), owner.state->id()}; }

buffer_requirement requirement_by(const buffer_owner& owner, std::span<const std::byte> part) {
  return requirement_of(owner.state, part);
}

buffer_requirement requirement_by_placeholder(std::uint64_t id, std::span<const std::byte> part) {
  std::shared_ptr<buffer_state> found = buffer_state::find(id);
  if (!found) {
    throw exception(errc::accessor, "the buffer of a placeholder accessor is gone, or there never was one");
  }
  return requirement_of(std::move(found), part);
}

accessor_properties accessor_properties_in(const property_list& properties) noexcept {
  return {properties.has_property<property::no_init>(), properties.has_property<property::own_part>()};
}

template <int D>
void check_part(const range<D>& buffer, const range<D>& part, const id<D>& from, bool reads_without_init) {
  for (int d = 0; d < D; ++d) {
    if (from[d] > buffer[d] || part[d] > buffer[d] - from[d]) {
      throw exception(errc::invalid, "an accessor to " + describe_id(part) + " elements from " + describe_id(from) +
                                         " on is not within the buffer's " + describe_id(buffer));
    }
  }
  if (reads_without_init) {
    throw exception(errc::invalid, "an accessor that only reads cannot have the property no_init");
  }
}
template void check_part(const range<1>&, const range<1>&, const id<1>&, bool);
template void check_part(const range<2>&, const range<2>&, const id<2>&, bool);
template void check_part(const range<3>&, const range<3>&, const id<3>&, bool);

} // namespace detail
LANEFOLD_END_NAMESPACE
