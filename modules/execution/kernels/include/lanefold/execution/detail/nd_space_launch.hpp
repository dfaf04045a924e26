// SPDX-License-Identifier: Apache-2.0
/// Declares what launches over ND-ranges have in common, whatever their kernels are. Internal.
#pragma once

#include <lanefold/execution/detail/divided_groups.hpp>
#include <lanefold/execution/detail/unit_layout.hpp>
#include <lanefold/execution/launch.hpp>
#include <lanefold/execution/nd_range.hpp>
#include <lanefold/execution/walk.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <typeinfo>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Holds what a launch is told beside its kernel.
template <int D>
struct nd_settings {
  nd_range<D> space;
  walk_order order;
  unsigned sub_group_size;
};

/// Describes groups that consist of units of so many rows and columns of lanes; no columns: of work-items.
template <int D>
launch_description describe_groups(const nd_range<D>& space, std::size_t rows, std::size_t columns);

/// The groups of an ND-range, whole or divided. Compiled in the library.
template <int D>
class nd_space_launch : public launch {
public:
  /// Says in messages where the group at a position of the walking order lies: "work-group (3)".
  std::string place(std::size_t position) const override;

protected:
  nd_space_launch(const nd_settings<D>& how, const launch_settings& common, const std::type_info& kernel);
  ~nd_space_launch() override;

  /// Says which work-items fail: "work-group (3), work-item (97) with local id (1)".
  [[nodiscard]] std::string describe_unit(std::size_t position, const unit_origin<D>& unit) const;
  /// Divides the groups into about so many pieces in all, if they can be divided. Throws std::bad_alloc.
  void divide(std::size_t pieces, kernel_findings& found);

  nd_range<D> m_space;
  walk_order m_order;
  unsigned m_sub_group_size;
  std::shared_ptr<divided_groups> m_divided; ///< not shared; null: groups are whole
};

extern template class nd_space_launch<1>;
extern template class nd_space_launch<2>;
extern template class nd_space_launch<3>;
extern template class nd_space_launch<4>;
extern template class nd_space_launch<5>;
extern template class nd_space_launch<6>;

} // namespace detail
LANEFOLD_END_NAMESPACE
