// Pressure, friction and fluxes on the surfaces of sharp bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "sim/discrete/probes/surface_faces.hpp"
#include "sim/flow/flow.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::sim {
namespace {

constexpr Point middle_of_rod{0.031, 0.017, -0.043};
constexpr double radius_of_rod = 0.5;

template <class Space>
class SurfacesOfSharpBodies : public tests::SpaceTest<Space> {
 public:
  static Settings settings(int dim, int cells) {
    Settings settings = test::flow_settings_on<Space>(dim, cells, "bdf2");
    for (int d = 0; d < dim; ++d) {
      settings.grid.axes[d].lower = -1;
      settings.grid.axes[d].upper = 1;
    }
    settings.pressure.preconditioner = {"multigrid", {}};
    return settings;
  }
};
TYPED_TEST_SUITE(SurfacesOfSharpBodies, tests::Spaces, tests::SpaceName);

Solid rod(const Point& middle) {
  return {.name = "rod", .region = Region{SphereShape{middle, radius_of_rod}}, .sharp = true};
}

// The patches of a body with their values.
struct SampledSurface {
  std::vector<SurfacePatch> patches;
  std::map<std::string, std::vector<double>> of;

  SampledSurface(const Flow& flow, const std::string& name)
      : patches(flow.surfaces({name}).at(0).patches) {
    const auto sampler = flow.make_surface_sampler({name});
    EXPECT_EQ(sampler->points(), patches.size());
    std::vector<double> all(patches.size() * sampler->columns().size());
    sampler->sample(all);
    auto next = all.begin();
    for (const std::string& column : sampler->columns()) {
      of[column].assign(next, next + static_cast<std::ptrdiff_t>(patches.size()));
      next += static_cast<std::ptrdiff_t>(patches.size());
    }
  }
  Point friction(std::size_t i, int dim) const {
    Point f{};
    for (int d = 0; d < dim; ++d) f[d] = of.at(std::string("friction_") + "xyz"[d])[i];
    return f;
  }
  Point integral_of_friction(int dim) const {
    Point sum{};
    for (std::size_t i = 0; i < patches.size(); ++i)
      for (int d = 0; d < dim; ++d) sum[d] += patches[i].area * friction(i, dim)[d];
    return sum;
  }
  Point integral_of_pressure() const {
    Point sum{};
    for (std::size_t i = 0; i < patches.size(); ++i)
      for (int d = 0; d < 3; ++d)
        sum[d] -= patches[i].area * of.at("pressure")[i] * patches[i].normal[d];
    return sum;
  }
};

double root_mean_square(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum / static_cast<double>(values.size()));
}

double largest_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

// All around a cylinder turns, r - R^2 / r, with the pressure that holds it on its circles: at the
// surface the friction is 2 rho nu along it, and the pressure the same everywhere.
struct ErrorsOnRod {
  std::vector<double> friction, pressure;
  double length = 0, torque = 0;
};

ErrorsOnRod errors_on_rod(const Settings& settings) {
  Problem problem;
  problem.density = 2;
  problem.viscosity = 0.1;
  const std::string share = "(1 - 0.25/((x - 0.031)^2 + (y - 0.017)^2))";
  const Expression u = Expression::parse("-(y - 0.017)*" + share),
                   v = Expression::parse("(x - 0.031)*" + share);
  for (int d = 0; d < 2; ++d)
    for (Side& side : problem.boundaries.sides[d]) side = {SideKind::inflow, {u, v, 0}};
  problem.initial_velocity = [u, v](Point x) { return std::array{u(x, 0), v(x, 0), 0.0}; };
  problem.solids = {rod(middle_of_rod)};
  const auto flow = make_flow(settings, problem);
  for (int k = 0; k < 20; ++k) EXPECT_TRUE(flow->advance(0.05).ok);
  const SampledSurface surface(*flow, "rod");
  ErrorsOnRod errors;
  Point sum{};
  double mean = 0;
  for (const double p : surface.of.at("pressure"))
    mean += p / static_cast<double>(surface.patches.size());
  for (std::size_t i = 0; i < surface.patches.size(); ++i) {
    const SurfacePatch& patch = surface.patches[i];
    const double x = (patch.middle[0] - middle_of_rod[0]) / radius_of_rod,
                 y = (patch.middle[1] - middle_of_rod[1]) / radius_of_rod;
    EXPECT_NEAR(std::hypot(x, y), 1, 1e-3);
    const Point f = surface.friction(i, 2);
    errors.friction.push_back(std::hypot(f[0] + 0.4 * y, f[1] - 0.4 * x) / 0.4);
    errors.pressure.push_back(surface.of.at("pressure")[i] - mean);
    errors.length += patch.area;
    errors.torque += patch.area * radius_of_rod * (x * f[1] - y * f[0]);
    for (std::size_t d = 0; d < 2; ++d) sum[d] += patch.area * patch.normal[d];
    EXPECT_GT(surface.of.at("y_plus")[i], 0);
  }
  for (std::size_t d = 0; d < 2; ++d) EXPECT_NEAR(sum[d], 0, 1e-12);
  errors.length = errors.length / (2 * std::numbers::pi * radius_of_rod) - 1;
  errors.torque = errors.torque / (0.4 * 2 * std::numbers::pi * radius_of_rod * radius_of_rod) - 1;
  return errors;
}

TYPED_TEST(SurfacesOfSharpBodies, have_the_friction_and_pressure_of_a_fluid_that_turns_around) {
  const ErrorsOnRod coarse = errors_on_rod(this->settings(2, 20)),
                    fine = errors_on_rod(this->settings(2, 40));
  const auto order = [](double a, double b) { return std::log2(std::abs(a / b)); };
  EXPECT_LT(largest_of(fine.friction), 0.04);
  EXPECT_GT(order(root_mean_square(coarse.friction), root_mean_square(fine.friction)), 1.5)
      << root_mean_square(coarse.friction) << ' ' << root_mean_square(fine.friction);
  EXPECT_GT(order(largest_of(coarse.friction), largest_of(fine.friction)), 0.9)
      << largest_of(coarse.friction) << ' ' << largest_of(fine.friction);
  EXPECT_LT(largest_of(fine.pressure), 0.02);
  EXPECT_GT(order(root_mean_square(coarse.pressure), root_mean_square(fine.pressure)), 0.8)
      << root_mean_square(coarse.pressure) << ' ' << root_mean_square(fine.pressure);
  EXPECT_LT(std::abs(fine.torque), 0.01);
  EXPECT_GT(order(coarse.torque, fine.torque), 1.5) << coarse.torque << ' ' << fine.torque;
  EXPECT_GT(order(coarse.length, fine.length), 1.8) << coarse.length << ' ' << fine.length;
}

// A steady flow through a periodic box, whose side the body crosses.
struct SumsOfSurface {
  double viscous = 0, pressure = 0;  // largest deviation from the forces, over them
  double area = 0;
};

SumsOfSurface sums_of_surface(const Settings& settings) {
  const int dim = settings.grid.dim;
  Problem problem;
  problem.density = 1.5;
  problem.viscosity = 0.2;
  for (int d = 0; d < dim; ++d) problem.boundaries.set(d, SideKind::periodic);
  problem.force = {1, 0.4, dim == 3 ? 0.3 : 0.0};
  problem.solids = {rod({0.031, 0.917, -0.043})};
  const auto flow = make_flow(settings, problem);
  for (int k = 0; k < 20; ++k) EXPECT_TRUE(flow->advance(1).ok);
  const SampledSurface surface(*flow, "rod");
  const BodyForce force = flow->forces().at(0);
  const Point viscous = surface.integral_of_friction(dim),
              pressure = surface.integral_of_pressure();
  SumsOfSurface sums;
  for (int d = 0; d < dim; ++d) {
    sums.viscous = std::max(sums.viscous, std::abs(viscous[d] / force.viscous[d] - 1));
    sums.pressure = std::max(sums.pressure, std::abs(pressure[d] / force.pressure[d] - 1));
  }
  Point sum{};
  for (const SurfacePatch& patch : surface.patches) {
    sums.area += patch.area;
    EXPECT_GE(patch.corners.size(), static_cast<std::size_t>(dim));
    for (std::size_t d = 0; d < 3; ++d) sum[d] += patch.area * patch.normal[d];
  }
  for (const double part : sum) EXPECT_NEAR(part, 0, 1e-10);
  sums.area = sums.area / std::numbers::pi - 1;  // of a diameter of 1: pi D, pi D^2
  return sums;
}

TYPED_TEST(SurfacesOfSharpBodies, add_up_to_the_forces_on_them) {
  const SumsOfSurface coarse = sums_of_surface(this->settings(2, 20)),
                      fine = sums_of_surface(this->settings(2, 40)),
                      in_3d = sums_of_surface(this->settings(3, 20));
  EXPECT_LT(fine.viscous, 0.025);  // 20 cells to the diameter
  EXPECT_GT(std::log2(coarse.viscous / fine.viscous), 1.6) << coarse.viscous << ' ' << fine.viscous;
  EXPECT_LT(fine.pressure, 0.003);
  EXPECT_LT(std::abs(fine.area), 1e-3);
  EXPECT_LT(in_3d.viscous, 0.1);
  EXPECT_LT(in_3d.pressure, 0.015);
  EXPECT_LT(std::abs(in_3d.area), 5e-3);
}

// Of a block on a wall, which has edges, in grid lines: each patch is one of its faces.
TYPED_TEST(SurfacesOfSharpBodies, of_a_block_between_grid_lines_are_its_faces) {
  Problem problem;
  problem.viscosity = 0.1;
  problem.boundaries.set(0, SideKind::periodic);
  problem.force[0] = 1;
  problem.solids = {{.name = "block",
                     .region = {BoxShape{{-0.5, -1.5, 0}, {0.5, -0.5, 0}}, {}, false},
                     .sharp = true}};
  const auto flow = make_flow(this->settings(2, 16), problem);
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(flow->advance(0.05).ok);
  const SampledSurface surface(*flow, "block");
  double length = 0;
  for (std::size_t i = 0; i < surface.patches.size(); ++i) {
    const SurfacePatch& patch = surface.patches[i];
    length += patch.area;
    const double top = std::abs(patch.middle[1] + 0.5), side = std::abs(patch.middle[0]) - 0.5;
    EXPECT_TRUE(top < 1e-6 || std::abs(side) < 1e-6) << patch.middle[0] << ' ' << patch.middle[1];
    EXPECT_NEAR(patch.normal[top < 1e-6 ? 1 : 0] * (top < 1e-6 || patch.middle[0] > 0 ? 1 : -1), 1,
                1e-6);
    EXPECT_TRUE(top > 1e-6 || surface.of.at("friction_x")[i] > 0);
  }
  EXPECT_NEAR(length, 2, 1e-6);
}

// c = sin(1.3 x + 0.4) cos(1.7 y) is steady with its source, and the surface gives D dc/dr.
TYPED_TEST(SurfacesOfSharpBodies, have_fluxes_of_scalars_with_each_condition) {
  const std::string c = "sin(1.3*x + 0.4)*cos(1.7*y)";
  const std::string flux =
      "-0.2*((x - 0.031)*1.3*cos(1.3*x + 0.4)*cos(1.7*y) - (y - 0.017)*1.7*sin(1.3*x + "
      "0.4)*sin(1.7*y))";  // -D dc/dn, n out of the body, D 0.1, R 0.5
  const Expression exact = Expression::parse(flux);
  const auto errors_of = [&](int cells, const ScalarSide& surface) {
    Problem problem;
    problem.viscosity = 0.1;
    problem.solids = {rod(middle_of_rod)};
    problem.solids[0].scalars = {{"c", surface, {}, {}}};
    problem.scalars.resize(1);
    ScalarProblem& scalar = problem.scalars[0];
    scalar.name = "c";
    scalar.diffusivity = 0.1;
    scalar.source = Expression::parse("0.458*" + c);
    const Expression begin = Expression::parse(c);
    scalar.initial = [begin](Point x) { return begin(x, 0); };
    for (int d = 0; d < 2; ++d)
      for (ScalarSide& side : scalar.sides[d]) side = {ScalarSideKind::value, begin};
    const auto flow = make_flow(this->settings(2, cells), problem);
    for (int k = 0; k < 20; ++k) EXPECT_TRUE(flow->advance(0.2).ok);
    const SampledSurface on(*flow, "rod");
    std::vector<double> errors;
    double rate = 0;
    for (std::size_t i = 0; i < on.patches.size(); ++i) {
      errors.push_back(on.of.at("c_flux")[i] - exact(on.patches[i].middle, 0));
      EXPECT_NEAR(on.of.at("c_value")[i], begin(on.patches[i].middle, 0), 4.0 / (cells * cells));
      rate += on.patches[i].area * on.of.at("c_flux")[i];
    }
    double known = 0;
    for (const Quantity& quantity : flow->quantities())
      if (quantity.name == "c_rate_rod") known = quantity.value;
    const bool by_taps = surface.kind == ScalarSideKind::value;
    EXPECT_NEAR(rate, known, by_taps ? std::abs(known) / cells : 1e-9);
    return errors;
  };
  const ScalarSide conditions[] = {
      {ScalarSideKind::value, Expression::parse(c)},
      {ScalarSideKind::flux, exact},
      {ScalarSideKind::convective, Expression::parse(c + " + (" + flux + ")/0.7"), 0.7}};
  for (const ScalarSide& condition : conditions) {
    const std::vector<double> coarse = errors_of(20, condition), fine = errors_of(40, condition);
    const double order = std::log2(root_mean_square(coarse) / root_mean_square(fine));
    // The scalar is of second order, what passes the surface of the first but where that is given.
    const bool given = condition.kind == ScalarSideKind::flux;
    EXPECT_LT(largest_of(fine), given ? 0.001 : 0.01);
    EXPECT_GT(order, given ? 1.5 : 0.7)
        << root_mean_square(coarse) << ' ' << root_mean_square(fine);
  }
}

// A cylinder, or in 3D a ball, that conducts `ratio` times as well as the fluid, its surface with a
// resistance, in the gradient (1, 0.4): inside it is `within` times that, in the fluid
// 1 + around (R / r)^n times.
struct Conductor {
  int dim;
  double ratio, resistance;
  static constexpr double diffusivity = 0.1;

  double within() const {
    const double n = dim - 1, k = ratio * diffusivity;
    return (n + 1) / n / (1 + resistance * k / radius_of_rod + ratio / n);
  }
  double around() const { return (1 - ratio * within()) / (dim - 1); }
  Problem problem() const {
    Problem problem;
    problem.viscosity = 0.1;
    problem.solids = {rod(middle_of_rod)};
    problem.solids[0].scalars = {
        {"c", {}, HeatInside{.conductivity = ratio * diffusivity, .resistance = resistance}, {}}};
    problem.scalars.resize(1);
    ScalarProblem& scalar = problem.scalars[0];
    scalar.name = "c";
    scalar.diffusivity = diffusivity;
    std::string r2 = "((x - 0.031)^2 + (y - 0.017)^2";
    r2 += dim == 3 ? " + (z + 0.043)^2)" : ")";
    const std::string rise = "(x - 0.031 + 0.4*(y - 0.017))";
    const std::string outside = rise + "*(1 + " + std::to_string(around()) + "*(" + r2 + "/0.25)^" +
                                (dim == 3 ? "(-1.5))" : "(-1))");
    const Expression begin = Expression::parse(r2 + " < 0.25 ? " + std::to_string(within()) + "*" +
                                               rise + " : " + outside);
    scalar.initial = [begin](Point x) { return begin(x, 0); };
    for (int d = 0; d < dim; ++d)
      for (ScalarSide& side : scalar.sides[d])
        side = {ScalarSideKind::value, Expression::parse(outside)};
    return problem;
  }
};

struct ErrorsOnConductor {
  double flux, value, inside = 0;  // root mean squares
};

// At the surface the rise along the gradient is n times that of the rod's radius.
ErrorsOnConductor errors_on_conductor(const Settings& settings, const Conductor& of) {
  const auto flow = make_flow(settings, of.problem());
  for (int k = 0; k < 8; ++k) EXPECT_TRUE(flow->advance(20).ok);
  const SampledSurface on(*flow, "rod");
  std::vector<double> flux, value, inside;
  double rate = 0;
  for (std::size_t i = 0; i < on.patches.size(); ++i) {
    const Point& at = on.patches[i].middle;
    const double rise = at[0] - middle_of_rod[0] + 0.4 * (at[1] - middle_of_rod[1]);
    const double given = -Conductor::diffusivity * of.ratio * of.within() * rise / radius_of_rod;
    flux.push_back(on.of.at("c_flux")[i] - given);
    value.push_back(on.of.at("c_value")[i] - (1 + of.around()) * rise);
    if (of.resistance > 0) inside.push_back(on.of.at("c_inside")[i] - of.within() * rise);
    rate += on.patches[i].area * on.of.at("c_flux")[i];
  }
  EXPECT_EQ(on.of.contains("c_inside"), of.resistance > 0);
  EXPECT_NEAR(rate, 0, 0.01);
  return {root_mean_square(flux), root_mean_square(value),
          inside.empty() ? 0 : root_mean_square(inside)};
}

// What a resistance makes of the scalar itself is of first order.
TYPED_TEST(SurfacesOfSharpBodies, of_conductors_have_their_values_and_fluxes) {
  const auto order = [](double coarse, double fine) { return std::log2(coarse / fine); };
  for (const double ratio : {0.1, 5.0, 1000.0})
    for (const double resistance : {0.0, 2.0}) {
      SCOPED_TRACE(std::to_string(ratio) + ", resistance " + std::to_string(resistance));
      const Conductor rod{2, ratio, resistance};
      const ErrorsOnConductor coarse = errors_on_conductor(this->settings(2, 20), rod),
                              fine = errors_on_conductor(this->settings(2, 40), rod);
      const double least = resistance > 0 ? 0.5 : 1.6;
      EXPECT_GT(order(coarse.flux, fine.flux), least) << coarse.flux << ' ' << fine.flux;
      EXPECT_GT(order(coarse.value, fine.value), resistance > 0 ? 0.3 : 1.6)
          << coarse.value << ' ' << fine.value;
      EXPECT_LT(fine.flux, 3e-3);  // of at most 0.2
      EXPECT_LT(fine.value, 3e-3);
      EXPECT_LT(fine.inside, 3e-3);
      EXPECT_TRUE(resistance == 0 || order(coarse.inside, fine.inside) > 0.8);
    }
  for (const auto& [ratio, resistance] : {std::pair(0.1, 0.0), std::pair(5.0, 2.0)}) {
    const ErrorsOnConductor ball =
        errors_on_conductor(this->settings(3, 16), {3, ratio, resistance});
    EXPECT_LT(ball.flux, 3e-3) << ratio;
    EXPECT_LT(ball.value, 6e-3) << ratio;
    EXPECT_LT(ball.inside, 3e-3) << ratio;
  }
}

// Of a body that no heat passes, the value is twice the rise.
TYPED_TEST(SurfacesOfSharpBodies, have_the_value_of_a_scalar_that_does_not_pass) {
  Problem problem = Conductor{2, 1e-9, 0}.problem();
  problem.solids[0].scalars.clear();
  const auto flow = make_flow(this->settings(2, 40), problem);
  for (int k = 0; k < 12; ++k) ASSERT_TRUE(flow->advance(20).ok);
  const SampledSurface on(*flow, "rod");
  for (std::size_t i = 0; i < on.patches.size(); ++i) {
    const Point& at = on.patches[i].middle;
    const double rise = at[0] - middle_of_rod[0] + 0.4 * (at[1] - middle_of_rod[1]);
    EXPECT_NEAR(on.of.at("c_value")[i], 2 * rise, 0.01);
    EXPECT_EQ(on.of.at("c_flux")[i], 0);
  }
}

}  // namespace
}  // namespace hodge::sim
