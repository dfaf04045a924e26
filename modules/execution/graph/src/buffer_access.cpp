// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/buffer_access.hpp>

#include <lanefold/execution/detail/buffer_state.hpp>

#include <string>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

buffer_requirement requirement_of(shared_part<buffer_state> state, const accessed_part& part) {
  const auto begin = static_cast<std::size_t>(part.first - state->fresh_memory());
  return {std::move(state), begin, begin + part.bytes, part.kind, part.object_begin, part.object_end, part.by_part};
}

} // namespace

used_buffer use_buffer(const buffer_owner& owner) { return {owner.state->memory(), owner.state->id()}; }

buffer_requirement requirement_by(const buffer_owner& owner, const accessed_part& part) {
  return requirement_of(owner.state, part);
}

buffer_requirement requirement_by_placeholder(std::uint64_t id, const accessed_part& part) {
  std::shared_ptr<buffer_state> found = buffer_state::find(id);
  if (!found) {
    throw exception(errc::accessor, "the buffer of a placeholder accessor is gone, or there never was one");
  }
  accessed_part of_whole = part;
  of_whole.object_end = found->bytes();
  return requirement_of(std::move(found), of_whole);
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
