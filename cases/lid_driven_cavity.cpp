// A box of fluid at rest whose upper y side, the lid, moves along +x with velocity 1; all other
// sides are at rest.
//
//   Re = U L / nu,   U = 1, L the box's extent along x
//
// Reference: U. Ghia, K. N. Ghia & C. T. Shin, J. Comput. Phys. 48, 1982 (2D, unit square).
#include "cases/registry.hpp"

namespace hodge::cases {
namespace {

constexpr double lid_speed = 1.0;

sim::Problem make_lid_driven_cavity(const sim::Settings& settings) {
  const auto& parameters = settings.parameters;
  const double length = settings.grid.axes[0].upper - settings.grid.axes[0].lower;
  sim::Problem problem;
  problem.viscosity = lid_speed * length / parameters.at("reynolds");
  problem.boundaries.sides[1][1].velocity = {lid_speed, 0, 0};
  return problem;
}

constexpr Parameter lid_driven_cavity_parameters[] = {
    {"reynolds", 1000, 1e-3, 1e9, "lid speed x extent along x / kinematic viscosity"},
};
constexpr int lid_driven_cavity_dimensions[] = {2, 3};

}  // namespace

const Case lid_driven_cavity{"lid_driven_cavity", "a closed box driven by its moving upper side",
                             lid_driven_cavity_parameters, lid_driven_cavity_dimensions,
                             make_lid_driven_cavity};

}  // namespace hodge::cases
