// What slows the fluid in parts of the box, per unit of mass:
//
//   porous body   -(nu d + f / 2 |u|) u          Darcy and Forchheimer
//   sponge        -rate (u - u_given), and for scalars -rate (c - c_given)
//
// Formulas are of x, y, z. Sources: H. Darcy, Les fontaines publiques de la ville de Dijon, 1856;
// P. Forchheimer, Z. Ver. Deutsch. Ing. 45, 1901.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/formulas/expression.hpp"
#include "sim/model/shape.hpp"

namespace hodge::sim {

struct PorousBody {
  std::optional<Region> region{};  // absent: the whole box
  Expression darcy = 0;            // d, 1/L^2
  Expression forchheimer = 0;      // f, 1/L
};

struct Sponge {
  std::optional<Region> region{};                             // absent: the whole box
  Expression rate = 0;                                        // 1/T
  std::optional<std::array<Expression, 3>> velocity{};        // absent: is left alone
  std::vector<std::pair<std::string, Expression>> scalars{};  // by name; others are left alone
};

struct Resistances {
  std::vector<PorousBody> porous{};
  std::vector<Sponge> sponges{};

  bool any() const { return !porous.empty() || !sponges.empty(); }
};

}  // namespace hodge::sim
