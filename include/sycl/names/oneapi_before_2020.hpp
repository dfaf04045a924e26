// SPDX-License-Identifier: Apache-2.0
/// Declares the namespaces `ONEAPI`, `INTEL` and `intel`, in which oneAPI's compiler had its extensions before SYCL
/// 2020, for programs that include <CL/sycl.hpp>.
#pragma once

#if __has_include(<lanefold/execution.hpp>)
#include <lanefold/execution.hpp>
#include <sycl/names/oneapi.hpp>

namespace sycl {
namespace ONEAPI {

using namespace lanefold::ext::oneapi;

} // namespace ONEAPI

namespace INTEL {
using lanefold::ext::intel::buffer_location;
} // namespace INTEL

/// oneAPI's names of khr::this_nd_item and khr::this_group.
template <int Dimensions>
nd_item<Dimensions> this_nd_item() {
  return khr::this_nd_item<Dimensions>();
}
template <int Dimensions>
group<Dimensions> this_group() {
  return khr::this_group<Dimensions>();
}

/// The name of ONEAPI and INTEL before that. It is ext::intel, so that programs that name that `intel`, too, mean one.
namespace intel = ext::intel;

} // namespace sycl

LANEFOLD_BEGIN_NAMESPACE
namespace ext::intel {
using namespace sycl::ONEAPI;
using namespace sycl::INTEL;
} // namespace ext::intel
LANEFOLD_END_NAMESPACE

#endif
