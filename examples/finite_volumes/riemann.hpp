// SPDX-License-Identifier: Apache-2.0
/// The exact solution of a shock tube: two states of a gas, each uniform at the beginning (Toro, Riemann Solvers and
/// Numerical Methods for Fluid Dynamics, chapter 4).
#pragma once

namespace finite_volumes {

struct gas_state {
  double density;
  double velocity;
  double pressure;
};

class riemann_problem {
public:
  /// Throws std::invalid_argument where a vacuum arises.
  riemann_problem(const gas_state& left, const gas_state& right, double gamma);

  /// The state at a distance from where they met, divided by the time since.
  [[nodiscard]] gas_state at(double speed) const;

private:
  /// Says what a wave from one side does for a pressure in the middle: its change of velocity, and the derivative of
  /// that.
  struct jump {
    double velocity;
    double derivative;
  };
  [[nodiscard]] jump across(const gas_state& side, double pressure) const;
  [[nodiscard]] gas_state beside(const gas_state& side, double sign, double speed) const;

  gas_state m_left;
  gas_state m_right;
  double m_gamma;
  double m_pressure; ///< in the middle
  double m_velocity;
};

} // namespace finite_volumes
