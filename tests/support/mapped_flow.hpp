// A small flow described in text, and the same flow in other coordinates: mirrored, with its axes
// permuted, shifted. What a run computes must be the same but for the map.
#pragma once

#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::test {

// x'_{to[d]} = sign[d] x_d + shift[d]
struct CoordinateMap {
  std::string name;
  std::array<int, 3> to{0, 1, 2};
  std::array<double, 3> sign{1, 1, 1}, shift{};

  template <class T>
  std::array<T, 3> permuted(const std::array<T, 3>& of) const {
    std::array<T, 3> result = of;
    for (std::size_t d = 0; d < 3; ++d) result[static_cast<std::size_t>(to[d])] = of[d];
    return result;
  }
  sim::Point point(const sim::Point& x) const {
    sim::Point mapped{};
    for (std::size_t d = 0; d < 3; ++d) mapped[d] = sign[d] * x[d] + shift[d];
    return permuted(mapped);
  }
  std::array<double, 3> vector(std::array<double, 3> u) const {
    for (std::size_t d = 0; d < 3; ++d) u[d] *= sign[d];
    return permuted(u);
  }
  // 1, or -1 where a right hand becomes a left one.
  double hand() const {
    const bool even = (to[0] + 1) % 3 == to[1];
    return (even ? 1 : -1) * sign[0] * sign[1] * sign[2];
  }

  // A formula of x, y, z, u, v, w as one of x', y', z', u', v', w'.
  std::string formula(const std::string& text) const {
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
      std::size_t end = i;
      while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 ||
                                   text[end] == '_' || text[end] == '.'))
        ++end;
      const std::string word = text.substr(i, std::max<std::size_t>(1, end - i));
      const std::size_t d = word == "x" ? 0 : word == "y" ? 1 : word == "z" ? 2 : 3;
      const std::size_t e = word == "u" ? 0 : word == "v" ? 1 : word == "w" ? 2 : 3;
      if (e < 3)
        result += fmt::format("({}*{})", sign[e], "uvw"[to[e]]);
      else
        result += d == 3 ? word : fmt::format("({}*({}-({})))", sign[d], "xyz"[to[d]], shift[d]);
      i += word.size();
    }
    return result;
  }
  using Texts = std::array<std::string, 3>;
  Texts formulas(Texts of) const {
    for (std::size_t d = 0; d < 3; ++d) of[d] = fmt::format("{}*({})", sign[d], formula(of[d]));
    return permuted(of);
  }
};

struct SketchedSide {
  sim::SideKind kind = sim::SideKind::wall;
  CoordinateMap::Texts velocity{"0", "0", "0"};
  std::string pressure = "0";
};
struct SketchedCondition {
  sim::ScalarSideKind kind = sim::ScalarSideKind::flux;
  std::string value = "0", coefficient = "0";
};
template <class T>
using OfSides = std::array<std::array<T, 2>, 3>;

struct SketchedScalar {
  std::string name, initial = "0", source = "0", reaction;
  double diffusivity = 0.02, neutral = 0;
  std::array<double, 3> buoyancy{};
  OfSides<SketchedCondition> sides;
};

struct FlowSketch {
  std::string name;
  int dim = 2;
  std::array<sim::AxisSettings, 3> axes;
  double density = 1.3, viscosity = 0.05;
  OfSides<SketchedSide> sides;
  CoordinateMap::Texts force{"0", "0", "0"}, velocity{"0", "0", "0"};
  std::optional<CoordinateMap::Texts> flow_force;  // of the velocity and scalars, too
  sim::Point rotation{};
  std::string pressure = "0";
  std::vector<SketchedScalar> scalars;
  std::vector<sim::Solid> solids;
  std::optional<CoordinateMap::Texts> prescribed;
  bool order_matters = false;  // of the axes
};

template <class T>
OfSides<T> mapped_sides(const CoordinateMap& map, OfSides<T> sides) {
  for (std::size_t d = 0; d < 3; ++d)
    if (map.sign[d] < 0) std::swap(sides[d][0], sides[d][1]);
  return map.permuted(sides);
}

inline sim::AxisSettings mapped_axis(sim::AxisSettings axis, double sign, double shift) {
  const auto turn = [=](double& lower, double& upper) {
    lower = sign * lower + shift;
    upper = sign * upper + shift;
    if (sign < 0) std::swap(lower, upper);
  };
  turn(axis.lower, axis.upper);
  turn(axis.core.lower, axis.core.upper);
  return axis;
}

inline sim::Solid mapped_solid(const CoordinateMap& map, sim::Solid solid) {
  if (auto* const box = std::get_if<sim::BoxShape>(&solid.region.shape)) {
    const sim::Point a = map.point(box->lower), b = map.point(box->upper);
    for (std::size_t d = 0; d < 3; ++d) {
      box->lower[d] = std::min(a[d], b[d]);
      box->upper[d] = std::max(a[d], b[d]);
    }
  } else if (auto* const sphere = std::get_if<sim::SphereShape>(&solid.region.shape)) {
    sphere->centre = map.point(sphere->centre);
  }
  const auto turn = [&map](sim::Expression& f) {
    f = sim::Expression::parse(map.formula(f.text()));
  };
  for (sim::SolidScalar& of : solid.scalars) {
    turn(of.surface.value);
    turn(of.surface.coefficient);
    if (of.heat) turn(of.heat->source);
  }
  return solid;
}

inline FlowSketch mapped(const CoordinateMap& map, FlowSketch flow) {
  for (std::size_t d = 0; d < 3; ++d)
    flow.axes[d] = mapped_axis(flow.axes[d], map.sign[d], map.shift[d]);
  flow.axes = map.permuted(flow.axes);
  for (auto& axis : flow.sides)
    for (SketchedSide& side : axis)
      side = {side.kind, map.formulas(side.velocity), map.formula(side.pressure)};
  flow.sides = mapped_sides(map, flow.sides);
  flow.force = map.formulas(flow.force);
  if (flow.flow_force) flow.flow_force = map.formulas(*flow.flow_force);
  flow.rotation = map.vector(flow.rotation);
  for (double& omega : flow.rotation) omega *= map.hand();
  flow.velocity = map.formulas(flow.velocity);
  flow.pressure = map.formula(flow.pressure);
  if (flow.prescribed) flow.prescribed = map.formulas(*flow.prescribed);
  for (SketchedScalar& scalar : flow.scalars) {
    for (std::string* text : {&scalar.initial, &scalar.source, &scalar.reaction})
      *text = map.formula(*text);
    scalar.buoyancy = map.vector(scalar.buoyancy);
    for (auto& axis : scalar.sides)
      for (SketchedCondition& side : axis)
        side = {side.kind, map.formula(side.value), map.formula(side.coefficient)};
    scalar.sides = mapped_sides(map, scalar.sides);
  }
  for (sim::Solid& solid : flow.solids) solid = mapped_solid(map, solid);
  return flow;
}

inline sim::ScalarProblem problem_of(const SketchedScalar& sketch,
                                     const std::vector<std::string>& names) {
  using sim::Expression;
  sim::ScalarProblem scalar;
  scalar.name = sketch.name;
  scalar.diffusivity = sketch.diffusivity;
  scalar.neutral = sketch.neutral;
  scalar.buoyancy = sketch.buoyancy;
  scalar.source = Expression::parse(sketch.source);
  if (!sketch.reaction.empty()) scalar.reaction = Expression::parse(sketch.reaction, {{}, names});
  scalar.initial = [initial = Expression::parse(sketch.initial)](sim::Point x) {
    return initial(x, 0);
  };
  scalar.exact = Expression::parse(sketch.initial + "+0.1*t");  // no solution, but a function
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t side = 0; side < 2; ++side) {
      const SketchedCondition& of = sketch.sides[d][side];
      scalar.sides[d][side] = {of.kind, Expression::parse(of.value),
                               Expression::parse(of.coefficient)};
    }
  return scalar;
}

inline std::array<sim::Expression, 3> parsed(const CoordinateMap::Texts& texts) {
  return {sim::Expression::parse(texts[0]), sim::Expression::parse(texts[1]),
          sim::Expression::parse(texts[2])};
}

inline sim::Problem problem_of(const FlowSketch& flow) {
  sim::Problem problem;
  problem.density = flow.density;
  problem.viscosity = flow.viscosity;
  problem.force = parsed(flow.force);
  problem.solids = flow.solids;
  for (std::size_t d = 0; d < static_cast<std::size_t>(flow.dim); ++d)
    for (std::size_t side = 0; side < 2; ++side) {
      const SketchedSide& of = flow.sides[d][side];
      problem.boundaries.sides[d][side] = {of.kind, parsed(of.velocity),
                                           sim::Expression::parse(of.pressure)};
    }
  sim::ExactSolution exact;
  exact.velocity = sim::vector_function(parsed(flow.velocity));
  exact.pressure = sim::Expression::parse(flow.pressure);
  sim::start_from(problem, exact);
  std::vector<std::string> names;
  for (const SketchedScalar& scalar : flow.scalars) names.push_back(scalar.name);
  for (const SketchedScalar& scalar : flow.scalars)
    problem.scalars.push_back(problem_of(scalar, names));
  if (flow.prescribed) problem.prescribed_velocity = parsed(*flow.prescribed);
  problem.rotation = flow.rotation;
  for (std::size_t d = 0; flow.flow_force && d < static_cast<std::size_t>(flow.dim); ++d)
    problem.flow_force[d] =
        sim::Expression::parse((*flow.flow_force)[d], {{}, sim::force_variables(flow.dim, names)});
  return problem;
}

}  // namespace hodge::test
