// SPDX-License-Identifier: Apache-2.0
/// Where the graph, which runs launches, meets those who make them of kernels.
#pragma once

#include <lanefold/execution/launch.hpp>
#include <lanefold/execution/specialization.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Makes the launches of one kind of kernels: the specialisation for the kind's tag has a function
/// `make(launch_settings, arguments…)` that returns a std::unique_ptr<launch>. It belongs to the room or module of
/// these kernels; programs that have included it can give such kernels to a handler.
template <class Kernels>
struct launch_maker;
/// Kernels over ranges and ND-ranges (kernels.hpp).
struct index_space_kernels;
struct scoped_kernels;
struct hierarchical_kernels;
/// Kernels in the language of a device.
struct device_kernels;

/// Is true if the specialisation for `Kernels` can be seen. `Arguments` make the answer that of the call.
template <class Kernels, class... Arguments>
concept launch_maker_included = requires { sizeof(launch_maker<Kernels>); };

template <class Kernel>
struct unwrapped_kernel<handled_kernel<Kernel>> : unwrapped_kernel<Kernel> {};

} // namespace detail
LANEFOLD_END_NAMESPACE
