// SPDX-License-Identifier: Apache-2.0
/// Streams of recorded kernels: each work-item writes its values. See execution/stream.hpp.
#pragma once

#include <lanefold/execution/stream.hpp>
#include <lanefold/recorded/detail/recorded_streams.hpp>
#include <lanefold/recorded/vec.hpp>

LANEFOLD_BEGIN_NAMESPACE

/// Errors (errc::kernel): the kernel has not captured the stream by value; a scoped kernel writes in the code of a
/// group.
template <detail::RecordedOperand X>
const stream& operator<<(const stream& out, const X& x) {
  detail::stream_recorder* const recorder = out.recorder();
  if (recorder == nullptr) {
    detail::refuse_stream();
  }
  static_cast<detail::recorded_streams*>(recorder)->put_value(
      out.state(), static_cast<const recorded_value<detail::recorded_element_t<X>>&>(x.recorded()));
  return out;
}
/// "1, 2, 3, 4"
template <detail::RecordedVec X>
const stream& operator<<(const stream& out, const X& x) {
  const auto value = x.recorded_composite();
  for (int k = 0; k < static_cast<int>(value.parts().size()); ++k) {
    out << (k == 0 ? "" : ", ") << value[k];
  }
  return out;
}

LANEFOLD_END_NAMESPACE
