#include "sim/app/run/resting_pressure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>

#include "sim/time/formula_samples.hpp"

namespace hodge::sim {
namespace {

constexpr double rounding_of_samples = 1e-12;

bool differ(double a, double b) {
  return std::abs(a - b) > rounding_of_samples * std::max(std::abs(a), std::abs(b));
}

// Whether f changes with x_d at some of the samples.
template <class F>
bool varies_along(const F& f, int d, const Grid& grid, const std::vector<FormulaSample>& at) {
  return std::ranges::any_of(at, [&](const FormulaSample& sample) {
    Point x = sample.x();
    x[d] = grid.edges(d).front();
    return differ(f(sample.x()), f(x));
  });
}

std::string signed_text(double value) {
  return fmt::format("{} {:.6g}", value < 0 ? "-" : "+", std::abs(value));
}

using ScalarAt = std::function<double(const Point&)>;

class OpenSide {
 public:
  OpenSide(const Problem& problem, const Grid& grid, const BoxSide& at)
      : problem_(problem), grid_(grid), at_(at), samples_(samples_in_side(grid, at)) {}

  std::optional<Doubt> doubt() const {
    const auto given = [this](const Point& x) { return pressure(x); };
    for (int d = 0; d < grid_.dim(); ++d)
      if (d != at_.axis && !problem_.boundaries.periodic(d) && is_pushed(d) &&
          !varies_along(given, d, grid_, samples_))
        return Doubt{fmt::format("boundaries.{}.pressure", name()), text(d)};
    return std::nullopt;
  }

 private:
  std::string name() const { return side_name(at_.axis, at_.side); }
  const Side& side() const { return problem_.boundaries.sides[at_.axis][at_.side]; }
  double pressure(const Point& x) const { return side().pressure(x, 0); }

  static bool changes(const Expression& force) { return force.depends_on_time(); }
  bool has_force(int d) const {
    return changes(problem_.force[d]) ||
           std::ranges::any_of(samples_, [&](const FormulaSample& sample) {
             return problem_.force[d](sample.x(), 0) != 0;
           });
  }
  bool is_pushed(int d) const {
    return has_force(d) || std::ranges::any_of(problem_.scalars, [&](const ScalarProblem& scalar) {
             return lifts(scalar, d);
           });
  }
  bool lifts(const ScalarProblem& scalar, int d) const {
    return scalar.buoyancy[d] != 0 && beyond(scalar) != nullptr;
  }

  // The scalar in the fluid beyond the side as the file has it: what enters here, what was there at
  // the start, or what comes from an inflow side. Null where all of them are neutral: fluid at rest
  // beyond the side then has a constant pressure, whatever is lighter inside.
  ScalarAt beyond(const ScalarProblem& scalar) const {
    std::vector<ScalarAt> known;
    const ScalarSide& here = scalar.sides[at_.axis][at_.side];
    if (side().traits().takes_entering_value() && here.traits().gives_value())
      known.push_back([&](const Point& x) { return here.value(x, 0); });
    known.push_back([&](const Point& x) { return scalar.initial ? scalar.initial(x) : 0.0; });
    for (const BoxSide& from : sides_of_box(grid_.dim())) {
      if (!problem_.boundaries.sides[from.axis][from.side].traits().is_inflow()) continue;
      const ScalarSide& there = scalar.sides[from.axis][from.side];
      if (!there.traits().gives_value()) continue;
      known.push_back([&, from](Point x) {
        const std::vector<double>& edges = grid_.edges(from.axis);
        x[from.axis] = from.side == 0 ? edges.front() : edges.back();
        return there.value(x, 0);
      });
    }
    for (const ScalarAt& c : known)
      for (const FormulaSample& sample : samples_)
        if (differ(c(sample.x()), scalar.neutral)) return c;
    return nullptr;
  }

  // What acts along d: "the force", "the buoyancy of temperature", ...
  std::string causes(int d) const {
    std::string names = has_force(d) ? "the force" : "";
    for (const ScalarProblem& scalar : problem_.scalars)
      if (lifts(scalar, d))
        names += (names.empty() ? "the buoyancy of " : " and the buoyancy of ") + scalar.name;
    return names;
  }

  // density times the integral over x_d, for forces and scalars that are constant along the side;
  // what varies is left to the reader, by name.
  std::string formula(int d) const {
    const double p = samples_.empty() ? 0 : pressure(samples_.front().x());
    const Point middle = samples_[samples_.size() / 2].x();
    double slope = 0;
    std::string others;
    if (has_force(d)) {
      const auto force = [&](const Point& x) { return problem_.force[d](x, 0); };
      if (changes(problem_.force[d]) || varies_along(force, d, grid_, samples_))
        others += fmt::format(" + {:.6g}*F, F the integral of the force over {}", problem_.density,
                              axis_names[d]);
      else
        slope += problem_.density * force(middle);
    }
    for (const ScalarProblem& scalar : problem_.scalars) {
      if (!lifts(scalar, d)) continue;
      const double factor = problem_.density * scalar.buoyancy[d];
      const ScalarAt c = beyond(scalar);
      if (!varies_along(c, d, grid_, samples_))
        slope += factor * (c(middle) - scalar.neutral);
      else
        others +=
            fmt::format("{} {} {:.6g}*C, C the integral of ({} - {:.6g}) over {} in this side",
                        others.empty() ? "" : " and", factor < 0 ? "-" : "+", std::abs(factor),
                        scalar.name, scalar.neutral, axis_names[d]);
    }
    std::string text = fmt::format("{:.6g}", p);
    if (slope != 0) text += fmt::format(" {}*{}", signed_text(slope), axis_names[d]);
    return text + others;
  }

  std::string text(int d) const {
    return fmt::format(
        "the pressure of {} is constant along {}, where {} acts: a fluid at rest there has a "
        "pressure that changes along it, so the side drives a flow of its own; write pressure: {}",
        name(), axis_names[d], causes(d), formula(d));
  }

  const Problem& problem_;
  const Grid& grid_;
  BoxSide at_;
  std::vector<FormulaSample> samples_;
};

}  // namespace

std::vector<Doubt> doubts_about_pressure(const Problem& problem, const Grid& grid) {
  std::vector<Doubt> doubts;
  if (problem.prescribed_velocity) return doubts;
  for (const BoxSide& at : sides_of_box(grid.dim()))
    if (problem.boundaries.sides[at.axis][at.side].traits().is_open())
      if (auto doubt = OpenSide(problem, grid, at).doubt()) doubts.push_back(std::move(*doubt));
  return doubts;
}

}  // namespace hodge::sim
