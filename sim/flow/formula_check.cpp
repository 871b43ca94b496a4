#include "sim/flow/formula_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "sim/base/key_error.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/bodies/scalar_media.hpp"
#include "sim/discrete/boundaries/field_boundary.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/flow/varying_start.hpp"

namespace hodge::sim {
namespace {

using Fault = std::optional<FormulaFault>;
using Function = std::function<double(const MeanBox& box, double t)>;

constexpr double instructions_before_run = 1 << 27;       // in all: some tenths of a second
constexpr double instructions_after_failure = 1LL << 32;  // ten seconds: the cause is worth them
constexpr double cost_of_function = 20;                   // of a case, in instructions
constexpr double points_of_a_mean = 9;

// A formula with its name, whose mean is found wrong around a point.
struct Watched {
  std::string key;
  std::string what;  // "the formula 'sqrt(x)'", or what it gives
  Function value;
  double cost = cost_of_function;  // in instructions
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};

Watched watched(const std::string& key, const Expression& f) {
  return {key, "the formula " + quote(f.text()),
          [&f](const MeanBox& box, double t) { return f.value_over(box, t); },
          points_of_a_mean * static_cast<double>(f.instructions().size())};
}

std::string expected_of(const Watched& f) {
  if (f.least > 0) return "a finite number > 0";
  if (!std::isinf(f.most))
    return fmt::format("a number from 0 to {:.4g}, for which the cells are small enough", f.most);
  return std::isinf(f.least) ? "a finite number" : "a number >= 0";
}

std::string value_text(double value) {
  return std::isnan(value) ? "no number" : number_text(value);
}

std::string formula_point(const Point& x, int dim) {
  std::vector<std::string> parts;
  for (int d = 0; d < dim; ++d) parts.push_back(fmt::format("{:.6g}", x[d]));
  return fmt::format("({})", fmt::join(parts, ", "));
}

// Looks at points of the grid that are in the fluid. The bodies are found when the first fault is:
// mostly there is none.
class Watch {
 public:
  Watch(const Problem& problem, const Grid& grid, std::vector<double> times,
        double most_instructions)
      : problem_(problem),
        grid_(grid),
        times_(std::move(times)),
        most_instructions_(most_instructions) {}

  const Fault& fault() const { return fault_; }

  // In cells (axis -1) or in the faces normal to the axis, in the control volumes of these.
  enum class Over { value, control_volume };
  void in_cells(const Watched& f, int axis, Over over = Over::value) {
    Box<3> box = all_cells(grid_);
    if (axis >= 0) ++box.upper[axis];
    visit(box, stride_of(box, f), [&](const Index<3>& c) {
      MeanBox box_of_value = grid_.dim() == 2 ? box_at<2>(axis, c) : box_at<3>(axis, c);
      if (axis >= 0 && over == Over::control_volume) {
        const Axis& along = grid_.axis(axis);
        if (c[axis] > 0) box_of_value.lower[axis] = along.centre(c[axis] - 1);
        if (c[axis] < along.cells()) box_of_value.upper[axis] = along.centre(c[axis]);
      }
      return look(f, box_of_value, [&] { return is_in_solid(c, axis); });
    });
  }

  // In the cells of a body (from 1), or in the faces between them and all others.
  void in_body(const Watched& f, int body) {
    const auto is_outside = [&](const Index<3>& c) { return body_in(c) != body; };
    visit(all_cells(grid_), stride_of(all_cells(grid_), f), [&](const Index<3>& c) {
      const MeanBox box = grid_.dim() == 2 ? box_at<2>(-1, c) : box_at<3>(-1, c);
      return look(f, box, [&] { return is_outside(c); });
    });
  }
  void on_body(const Watched& f, int body) {
    for (int axis = 0; axis < grid_.dim(); ++axis)
      visit(all_cells(grid_), 1, [&](const Index<3>& c) {
        if (c[axis] == 0 || (body_in(c) == body) == (body_in(c.shifted(axis, -1)) == body))
          return false;
        const MeanBox box = grid_.dim() == 2 ? box_at<2>(axis, c) : box_at<3>(axis, c);
        return look(f, box, [] { return false; });
      });
  }

  // At the points of a side where component `along` of the velocity is, or -1: its faces' centres.
  void in_side(const Watched& f, int axis, int side, int along) {
    Box<3> box = cells_along_side(grid_, axis, side);
    if (along >= 0 && along != axis) ++box.upper[along];
    visit(box, stride_of(box, f), [&](const Index<3>& c) {
      Index<3> cell = c;
      for (int e = 0; e < 3; ++e) cell[e] = std::min(c[e], grid_.cells(e) - 1);
      MeanBox part = mean_box_in_side(grid_, axis, side, cell);
      if (along >= 0 && along != axis)
        part.lower[along] = part.upper[along] = part.place[along] = grid_.edges(along)[c[along]];
      return look(f, part, [&] { return is_in_solid(c, along == axis ? -1 : along); });
    });
  }

 private:
  // Every which point along each axis is looked at, so that all formulas together take no longer
  // than most_instructions_.
  int stride_of(const Box<3>& box, const Watched& f) const {
    const double formulas = 16 + 16 * static_cast<double>(problem_.scalars.size());
    const double most = most_instructions_ / formulas;
    int stride = 1;
    for (;; stride *= 2) {
      double cost = f.cost * static_cast<double>(times_.size());
      for (int d = 0; d < 3; ++d) cost *= std::ceil((box.upper[d] - box.lower[d]) / double(stride));
      if (cost <= most || stride > (1 << 20)) return stride;
    }
  }

  // Until look_at(c) is true.
  template <class Look>
  void visit(const Box<3>& box, int stride, const Look& look_at) const {
    if (fault_) return;
    Index<3> c{};
    for (c[2] = box.lower[2]; c[2] < box.upper[2]; c[2] += stride)
      for (c[1] = box.lower[1]; c[1] < box.upper[1]; c[1] += stride)
        for (c[0] = box.lower[0]; c[0] < box.upper[0]; c[0] += stride)
          if (look_at(c)) return;
  }

  template <int Dim>
  MeanBox box_at(int axis, const Index<3>& c) const {
    Index<Dim> cell{};
    for (int e = 0; e < Dim; ++e) cell[e] = c[e];
    return mean_box(grid_, axis, cell);
  }

  template <class Ignores>
  bool look(const Watched& f, const MeanBox& box, const Ignores& is_ignored) {
    const Point x = point_of(box);
    for (const double t : times_) {
      const double value = f.value(box, t);
      const bool good = std::isfinite(value) && value >= f.least && value <= f.most;
      if (good || is_ignored()) continue;
      fault_ = {f.key,
                fmt::format("{}: {} is {} at {}, t = {:.6g}, expected {}", f.key, f.what,
                            value_text(value), formula_point(x, grid_.dim()), t, expected_of(f))};
      return true;
    }
    return false;
  }

  // A cell, or a face normal to the axis with a solid cell beside it.
  bool is_in_solid(const Index<3>& c, int axis) {
    if (problem_.solids.empty()) return false;
    if (axis < 0) return body_in(c) != 0;
    return body_in(c) != 0 || body_in(c.shifted(axis, -1)) != 0;
  }
  // 0 beyond the box.
  int body_in(const Index<3>& c) {
    if (bodies_.empty()) bodies_ = cell_bodies(grid_, problem_);
    for (int d = 0; d < grid_.dim(); ++d)
      if (c[d] < 0 || c[d] >= grid_.cells(d)) return 0;
    return bodies_[static_cast<std::size_t>(all_cells(grid_).position(c))];
  }

  const Problem& problem_;
  const Grid& grid_;
  std::vector<double> times_;
  double most_instructions_;
  std::vector<std::uint8_t> bodies_;
  Fault fault_;
};

void watch_side_of_fluid(const Problem& problem, int axis, int side, int dim, Watch& watch) {
  const Side& of = problem.boundaries.sides[axis][side];
  const std::string key = "boundaries." + side_name(axis, side);
  for (int d = 0; d < dim && of.traits().takes_velocity(); ++d)
    watch.in_side(watched(fmt::format("{}.velocity[{}]", key, d), of.velocity[d]), axis, side, d);
  if (of.traits().is_open()) watch.in_side(watched(key + ".pressure", of.pressure), axis, side, -1);
}

void watch_side_of_scalar(const ScalarProblem& scalar, const Grid& grid, int axis, int side,
                          Watch& watch) {
  const ScalarSide& of = scalar.sides[axis][side];
  const std::string key = fmt::format("scalars.{}.boundaries.{}.{}", scalar.name,
                                      side_name(axis, side), of.traits().name);
  if (!of.traits().has_coefficient()) return watch.in_side(watched(key, of.value), axis, side, -1);
  Watched coefficient = watched(key + ".coefficient", of.coefficient);
  const std::vector<double>& widths = grid.axis(axis).widths;
  const double conductance = scalar.diffusivity / (side == 0 ? widths.front() : widths.back());
  coefficient.least = -2 * coefficient_round_off * conductance;
  watch.in_side(coefficient, axis, side, -1);
  watch.in_side(watched(key + ".value", of.value), axis, side, -1);
}

// What a rounded coefficient may fall below 0 by.
double rounding_at_bodies(const Problem& problem, const std::string& scalar, const Grid& grid) {
  double largest = 0;
  for (int d = 0; d < grid.dim(); ++d)
    largest = std::max(largest, *std::ranges::max_element(grid.axis(d).widths));
  const auto of = std::ranges::find(problem.scalars, scalar, &ScalarProblem::name);
  return of == problem.scalars.end() ? 0.0 : 2 * coefficient_round_off * of->diffusivity / largest;
}

void watch_body(const Problem& problem, std::size_t k, const Grid& grid, Watch& watch) {
  const int body = static_cast<int>(k) + 1;
  for (const SolidScalar& of : problem.solids[k].scalars) {
    const std::string key = fmt::format("solids[{}].scalars.{}.", k, of.name);
    const ScalarSide& at = of.surface;
    if (of.heat && !of.heat->source.is_constant())
      watch.in_body(watched(key + "heat.source", of.heat->source), body);
    if (of.heat) continue;
    const std::string condition = key + at.traits().name;
    const bool has_coefficient = at.traits().has_coefficient();
    if (!at.value.is_constant())
      watch.on_body(watched(condition + (has_coefficient ? ".value" : ""), at.value), body);
    if (at.coefficient.is_constant()) continue;
    Watched coefficient = watched(condition + ".coefficient", at.coefficient);
    coefficient.least = -rounding_at_bodies(problem, of.name, grid);
    const auto scalar = std::ranges::find(problem.scalars, of.name, &ScalarProblem::name);
    if (problem.solids[k].sharp && scalar != problem.scalars.end())
      coefficient.most =
          largest_convective_coefficient(least_conductivity(*scalar, problem.solids), grid);
    watch.on_body(coefficient, body);
  }
}

void watch_vector(const std::string& key, const std::array<Expression, 3>& f, const Grid& grid,
                  Watch& watch, Watch::Over over = Watch::Over::value) {
  for (int d = 0; d < grid.dim(); ++d)
    if (!f[d].is_constant()) watch.in_cells(watched(fmt::format("{}[{}]", key, d), f[d]), d, over);
}

// What holds at all times.
void watch_all(const Problem& problem, const Grid& grid, Watch& watch) {
  for (const auto [axis, side] : sides_of_box(grid.dim())) {
    const SideTraits& traits = problem.boundaries.sides[axis][side].traits();
    if (!problem.prescribed_velocity) watch_side_of_fluid(problem, axis, side, grid.dim(), watch);
    if (traits.takes_scalar_condition())
      for (const ScalarProblem& scalar : problem.scalars)
        watch_side_of_scalar(scalar, grid, axis, side, watch);
  }
  if (problem.prescribed_velocity)
    watch_vector("prescribed_velocity", *problem.prescribed_velocity, grid, watch);
  watch_vector("force", problem.force, grid, watch, Watch::Over::control_volume);
  for (std::size_t k = 0; k < problem.solids.size(); ++k) watch_body(problem, k, grid, watch);
  for (const ScalarProblem& scalar : problem.scalars)
    if (!scalar.source.is_constant())
      watch.in_cells(watched("scalars." + scalar.name + ".source", scalar.source), -1);
}

// Viscosities, diffusivities and forces of the initial state.
void watch_coefficients(const Problem& problem, const Grid& grid, Watch& watch) {
  const auto look_at = [&](const std::string& key, const Expression& f, double least) {
    Watched at_start = watched(key, f);
    at_start.value = [&, dim = grid.dim()](const MeanBox& cell, double) {
      return coefficient_at_start(f, problem, cell, dim);
    };
    at_start.least = least;
    watch.in_cells(at_start, -1);
  };
  for (int d = 0; d < grid.dim(); ++d)
    if (const auto& f = problem.flow_force[static_cast<std::size_t>(d)]) {
      Watched at_start = watched(fmt::format("force[{}]", d), *f);
      at_start.value = [&problem, &f, dim = grid.dim()](const MeanBox& face, double) {
        return flow_force_at_start(*f, problem, face, dim);
      };
      watch.in_cells(at_start, d);
    }
  if (problem.varying_viscosity)
    look_at("fluid.viscosity", *problem.varying_viscosity, std::numeric_limits<double>::min());
  for (const ScalarProblem& scalar : problem.scalars)
    if (scalar.varying_diffusivity)
      look_at("scalars." + scalar.name + ".diffusivity", *scalar.varying_diffusivity, 0.0);
}

// The initial state: formulas of the file, or functions of a case, which have no text. One from
// another run has been looked at when it was read.
void watch_start(const Settings& settings, const Problem& problem, const Grid& grid, Watch& watch) {
  const CustomSettings& custom = settings.custom;
  if (!settings.initial_from.path.empty()) return;
  if (!problem.prescribed_velocity && custom.described_in_file) {
    watch_vector("initial.velocity", custom.initial_velocity, grid, watch);
    if (custom.initial_pressure && !custom.initial_pressure->is_constant())
      watch.in_cells(watched("initial.pressure", *custom.initial_pressure), -1);
  } else if (!problem.prescribed_velocity && problem.initial_velocity) {
    for (int d = 0; d < grid.dim(); ++d) {
      const auto value = [&](const MeanBox& face, double) {
        return problem.initial_velocity(point_of(face))[d];
      };
      watch.in_cells(
          {"parameters", fmt::format("the initial velocity along {}", axis_names[d]), value}, d);
    }
  }
  watch_coefficients(problem, grid, watch);
  for (const CustomScalar& scalar : custom.scalars)
    if (!scalar.initial.is_constant())
      watch.in_cells(watched("scalars." + scalar.name + ".initial", scalar.initial), -1);
}

}  // namespace

std::optional<FormulaFault> fault_at(const Problem& problem, const Grid& grid,
                                     const std::vector<double>& times) {
  Watch watch(problem, grid, times, instructions_after_failure);
  watch_all(problem, grid, watch);
  return watch.fault();
}

void check_formulas(const Settings& settings, const Problem& problem, const Grid& grid) {
  Watch watch(problem, grid, {0.0}, instructions_before_run);
  watch_start(settings, problem, grid, watch);
  watch_all(problem, grid, watch);
  if (const auto& fault = watch.fault()) throw KeyError(fault->key, fault->message);
}

}  // namespace hodge::sim
