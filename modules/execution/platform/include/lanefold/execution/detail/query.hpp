// SPDX-License-Identifier: Apache-2.0
/// Holds what the classes that programs can ask need to know of the arguments of get_info, which info.hpp declares.
#pragma once

#include <lanefold/execution/aspect.hpp>
#include <lanefold/version.hpp>

#include <concepts>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

// The base of each query says whom it is for and what it returns.
template <class Return>
struct platform_query {
  using return_type = Return;
};
template <class Return>
struct context_query {
  using return_type = Return;
};
template <class Return>
struct device_query {
  using return_type = Return;
};
template <aspect Asked>
struct aspect_query : device_query<bool> {
  static constexpr aspect asked = Asked;
};
/// A query that no device here answers, as none has the aspect.
template <class Return, aspect Needed>
struct unanswered_query : device_query<Return> {
  static constexpr aspect needed = Needed;
};
template <class Return>
struct queue_query {
  using return_type = Return;
};
template <class Return>
struct kernel_query {
  using return_type = Return;
};
template <class Return>
struct kernel_device_query {
  using return_type = Return;
};

/// One of the queries that a get_info takes.
template <class Query, template <class> class Base>
concept query_in = std::derived_from<Query, Base<typename Query::return_type>>;

} // namespace detail

namespace info {

/// Says how far a command has come [sycl.4.6.6.1]. A command that failed, or that did not run because a command it
/// depends on failed, is complete.
enum class event_command_status { submitted, running, complete };

/// [sycl.4.6.4.1]
enum class device_type { cpu, gpu, accelerator, custom, automatic, host, all };
enum class partition_property { no_partition, partition_equally, partition_by_counts, partition_by_affinity_domain };

namespace device {
struct sub_group_sizes; // device answers it itself
} // namespace device

} // namespace info
LANEFOLD_END_NAMESPACE
