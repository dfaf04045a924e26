// SPDX-License-Identifier: Apache-2.0
#include "riemann.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace finite_volumes {
namespace {

double sound(const gas_state& s, double gamma) { return std::sqrt(gamma * s.pressure / s.density); }

} // namespace

riemann_problem::jump riemann_problem::across(const gas_state& side, double pressure) const {
  const double g = m_gamma;
  if (pressure > side.pressure) { // a shock
    const double a = 2 / ((g + 1) * side.density);
    const double b = (g - 1) / (g + 1) * side.pressure;
    const double root = std::sqrt(a / (pressure + b));
    return {(pressure - side.pressure) * root, root * (1 - 0.5 * (pressure - side.pressure) / (pressure + b))};
  }
  const double c = sound(side, g);
  const double ratio = pressure / side.pressure;
  return {2 * c / (g - 1) * (std::pow(ratio, (g - 1) / (2 * g)) - 1),
          std::pow(ratio, -(g + 1) / (2 * g)) / (side.density * c)};
}

riemann_problem::riemann_problem(const gas_state& left, const gas_state& right, double gamma)
    : m_left(left), m_right(right), m_gamma(gamma), m_pressure(0.5 * (left.pressure + right.pressure)), m_velocity(0) {
  const double difference = right.velocity - left.velocity;
  if (2 / (gamma - 1) * (sound(left, gamma) + sound(right, gamma)) <= difference) {
    throw std::invalid_argument("riemann_problem: a vacuum arises");
  }
  for (int i = 0; i < 100; ++i) { // Newton's method
    const jump l = across(left, m_pressure);
    const jump r = across(right, m_pressure);
    const double next =
        std::max(m_pressure - (l.velocity + r.velocity + difference) / (l.derivative + r.derivative), 1e-10);
    const double change = std::abs(next - m_pressure) / (0.5 * (next + m_pressure));
    m_pressure = next;
    if (change < 1e-14) {
      break;
    }
  }
  m_velocity =
      0.5 * (left.velocity + right.velocity + across(right, m_pressure).velocity - across(left, m_pressure).velocity);
}

gas_state riemann_problem::at(double speed) const {
  return speed <= m_velocity ? beside(m_left, -1, speed) : beside(m_right, 1, speed);
}

/// On one side of the contact; `sign` is that of its waves' direction.
gas_state riemann_problem::beside(const gas_state& side, double sign, double speed) const {
  const double g = m_gamma;
  const double c = sound(side, g);
  const double ratio = m_pressure / side.pressure;
  const double out = sign * speed; // outwards
  if (ratio > 1) {
    const double shock = sign * side.velocity + c * std::sqrt((g + 1) / (2 * g) * ratio + (g - 1) / (2 * g));
    const double k = (g - 1) / (g + 1);
    return out >= shock ? side : gas_state{side.density * (ratio + k) / (k * ratio + 1), m_velocity, m_pressure};
  }
  const double head = sign * side.velocity + c;
  const double c_middle = c * std::pow(ratio, (g - 1) / (2 * g));
  const double tail = sign * m_velocity + c_middle;
  if (out >= head) {
    return side;
  }
  if (out <= tail) {
    return {side.density * std::pow(ratio, 1 / g), m_velocity, m_pressure};
  }
  const double factor = 2 / (g + 1) - sign * (g - 1) / ((g + 1) * c) * (side.velocity - speed);
  return {side.density * std::pow(factor, 2 / (g - 1)),
          2 / (g + 1) * (-sign * c + 0.5 * (g - 1) * side.velocity + speed),
          side.pressure * std::pow(factor, 2 * g / (g - 1))};
}

} // namespace finite_volumes
