#include "sim/app/run/symmetry.hpp"

#include <algorithm>
#include <cmath>

#include "sim/discrete/bodies/scalar_media.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/time/formula_samples.hpp"

namespace hodge::sim {
namespace {

constexpr double rounding_of_formulas = 1e-12;
constexpr double rounding_of_widths = 1e-9;

// Compares the flow with its image across the middle of one axis of the box.
class Mirror {
 public:
  Mirror(const Problem& problem, const Grid& grid, int axis, double later)
      : problem_(problem), grid_(grid), axis_(axis), later_(later) {}

  bool keeps(const std::vector<std::uint8_t>& bodies) const {
    return keeps_grid() && keeps_bodies(bodies) && keeps_sides() && keeps_box() &&
           std::ranges::all_of(problem_.scalars, [this](const ScalarProblem& scalar) {
             return keeps_scalar(scalar);
           });
  }

 private:
  Point image(Point x) const {
    const std::vector<double>& edges = grid_.edges(axis_);
    x[axis_] = edges.front() + (edges.back() - x[axis_]);
    return x;
  }
  int image_side(const BoxSide& at) const { return at.axis == axis_ ? 1 - at.side : at.side; }
  double sign_of(int d) const { return d == axis_ ? -1 : 1; }

  bool keeps_grid() const {
    const std::vector<double>& h = grid_.axis(axis_).widths;
    for (std::size_t i = 0; i < h.size() / 2; ++i)
      if (!(std::abs(h[i] - h[h.size() - 1 - i]) <= rounding_of_widths * h[i])) return false;
    return true;
  }

  bool keeps_bodies(const std::vector<std::uint8_t>& bodies) const {
    bool same = true;
    const Box<3> cells = all_cells(grid_);
    const auto is_solid = [&](const Index<3>& c) {
      return bodies[static_cast<std::size_t>(cells.position(c))] != 0;
    };
    for_each_on_host(cells, [&](const Index<3>& c) {
      Index<3> other = c;
      other[axis_] = grid_.cells(axis_) - 1 - c[axis_];
      same = same && is_solid(c) == is_solid(other);
    });
    return same;
  }

  // f(x, t) = sign g(image of x, t) at points and at both times.
  template <class F, class G>
  bool keeps(const F& f, const G& g, double sign, const std::vector<FormulaSample>& at) const {
    return std::ranges::all_of(at, [&](const FormulaSample& sample) {
      for (const double t : {0.0, later_}) {
        const double here = f(sample.x(), t), there = sign * g(image(sample.x()), t);
        const double size = std::max(std::abs(here), std::abs(there));
        if (!(std::abs(here - there) <= rounding_of_formulas * size)) return false;
      }
      return true;
    });
  }

  bool keeps_sides() const {
    for (const BoxSide& at : sides_of_box(grid_.dim())) {
      const Side& side = problem_.boundaries.sides[at.axis][at.side];
      const Side& other = problem_.boundaries.sides[at.axis][image_side(at)];
      const auto points = samples_in_side(grid_, at);
      if (side.kind != other.kind || !keeps(side.pressure, other.pressure, 1, points)) return false;
      for (int d = 0; d < grid_.dim(); ++d)
        if (!keeps(side.velocity[d], other.velocity[d], sign_of(d), points)) return false;
    }
    return true;
  }

  bool keeps_box() const {
    if (problem_.flow_rate[axis_] || has_flow_force(problem_)) return false;
    const auto points = samples_in_box(grid_);
    for (int d = 0; d < grid_.dim(); ++d) {
      const auto initial = [&](const Point& x, double) {
        return problem_.initial_velocity ? problem_.initial_velocity(x)[d] : 0.0;
      };
      if (!keeps(problem_.force[d], problem_.force[d], sign_of(d), points) ||
          !keeps(initial, initial, sign_of(d), points))
        return false;
    }
    return true;
  }

  bool keeps_scalar(const ScalarProblem& scalar) const {
    if (scalar.buoyancy == std::array<double, 3>{}) return true;  // it moves nothing
    if (scalar.buoyancy[axis_] != 0 || scalar.reaction) return false;
    if (meets_bodies(scalar, problem_.solids)) return false;  // of bodies shapes alone are compared
    const auto points = samples_in_box(grid_);
    const auto initial = [&](const Point& x, double) {
      return scalar.initial ? scalar.initial(x) : 0.0;
    };
    if (!keeps(initial, initial, 1, points) || !keeps(scalar.source, scalar.source, 1, points))
      return false;
    return std::ranges::all_of(sides_of_box(grid_.dim()), [&](const BoxSide& at) {
      const ScalarSide& side = scalar.sides[at.axis][at.side];
      const ScalarSide& other = scalar.sides[at.axis][image_side(at)];
      return side.kind == other.kind &&
             keeps(side.value, other.value, 1, samples_in_side(grid_, at));
    });
  }

  const Problem& problem_;
  const Grid& grid_;
  int axis_;
  double later_;
};

}  // namespace

bool is_mirror_image(const Problem& problem, const Grid& grid,
                     const std::vector<std::uint8_t>& bodies, int axis, double later) {
  return !problem.stored_state && Mirror(problem, grid, axis, later).keeps(bodies);
}

double speed_at_start(const Problem& problem, const Grid& grid) {
  double speed = 0;
  const auto add = [&](const std::array<double, 3>& u) {
    speed = std::max(speed, std::hypot(u[0], u[1], u[2]));
  };
  for (const BoxSide& at : sides_of_box(grid.dim())) {
    const Side& side = problem.boundaries.sides[at.axis][at.side];
    if (!side.traits().takes_velocity()) continue;
    const auto velocity = vector_function(side.velocity);
    for (const FormulaSample& sample : samples_in_side(grid, at)) add(velocity(sample.x(), 0));
  }
  if (problem.initial_velocity)
    for (const FormulaSample& sample : samples_in_box(grid))
      add(problem.initial_velocity(sample.x()));
  return speed;
}

}  // namespace hodge::sim
