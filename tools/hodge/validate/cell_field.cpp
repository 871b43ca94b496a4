#include "tools/hodge/validate/cell_field.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hodge::tools {
namespace {

// Between which two cell centres a position lies, and how far towards the second.
struct Position {
  int cell;
  double fraction;
};

Position locate(const sim::Axis& axis, double x) {
  const int last = axis.cells() - 2;
  int cell = 0;
  while (cell < last && x > axis.centre(cell + 1)) ++cell;
  const double fraction = (x - axis.centre(cell)) / (axis.centre(cell + 1) - axis.centre(cell));
  return {cell, std::clamp(fraction, 0.0, 1.0)};
}

struct Weighted {
  int cell;
  double weight;
};

// The cubic through the four nearest cell centres.
std::vector<Weighted> cubic_weights(const sim::Axis& axis, double x) {
  const int count = std::min(4, axis.cells());
  const int first = std::clamp(locate(axis, x).cell - 1, 0, axis.cells() - count);
  std::vector<Weighted> weights;
  for (int i = first; i < first + count; ++i) {
    double weight = 1;
    for (int k = first; k < first + count; ++k)
      if (k != i) weight *= (x - axis.centre(k)) / (axis.centre(i) - axis.centre(k));
    weights.push_back({i, weight});
  }
  return weights;
}

// The axes across a line, each with its weights; one weight of 1 where there is no such axis.
std::array<std::vector<Weighted>, 3> weights_across(const sim::Grid& grid, const Line& line) {
  std::array<std::vector<Weighted>, 3> weights;
  weights.fill({{0, 1.0}});
  for (int d = 0; d < grid.dim(); ++d)
    if (d != line.axis) weights[d] = cubic_weights(grid.axis(d), line.through[d]);
  return weights;
}

Profile stream_function(const CellField& velocity, double x) {
  const sim::Axis& axis = velocity.grid().axis(1);
  const Profile u = velocity.line(0, {.axis = 1, .through = {x, 0, 0}});
  Profile psi{{axis.lower(), 0}};
  for (int j = 0; j < axis.cells(); ++j)
    psi.push_back({axis.edges[j + 1], psi.back().value + axis.widths[j] * u[j].value});
  return psi;
}

}  // namespace

CellField::CellField(const sim::Flow& flow, const std::string& name)
    : grid_(flow.grid()), array_(flow.cell_arrays({name})[0]) {}

double CellField::operator()(int component, const std::array<int, 3>& cell) const {
  const auto at = static_cast<std::size_t>(cell[0] + static_cast<long>(grid_.cells(0)) *
                                                         (cell[1] + grid_.cells(1) * cell[2]));
  return array_.values[at * static_cast<std::size_t>(array_.components) +
                       static_cast<std::size_t>(component)];
}

double CellField::value(int component, const sim::Point& at) const {
  std::array<Position, 3> positions{};
  for (int d = 0; d < grid_.dim(); ++d) positions[d] = locate(grid_.axis(d), at[d]);
  double sum = 0;
  for (int corner = 0; corner < 1 << grid_.dim(); ++corner) {
    double weight = 1;
    std::array<int, 3> cell{};
    for (int d = 0; d < grid_.dim(); ++d) {
      const int upper = corner >> d & 1;
      cell[d] = positions[d].cell + upper;
      weight *= upper == 1 ? positions[d].fraction : 1 - positions[d].fraction;
    }
    if (weight != 0) sum += weight * (*this)(component, cell);
  }
  return sum;
}

// u = c - h^2/8 c'' along the component's own axis, with the second difference of the cell or of
// the nearest one that has two neighbours.
double CellField::centred(int component, const std::array<int, 3>& cell) const {
  const double own = (*this)(component, cell);
  if (array_.name != "velocity" || component >= grid_.dim() || grid_.cells(component) < 3)
    return own;
  const sim::Axis& axis = grid_.axis(component);
  std::array<int, 3> middle = cell;
  middle[component] = std::clamp(cell[component], 1, axis.cells() - 2);
  std::array<int, 3> below = middle, above = middle;
  --below[component];
  ++above[component];
  const double left = axis.centre(middle[component]) - axis.centre(below[component]);
  const double right = axis.centre(above[component]) - axis.centre(middle[component]);
  const double slope_left = ((*this)(component, middle) - (*this)(component, below)) / left;
  const double slope_right = ((*this)(component, above) - (*this)(component, middle)) / right;
  const double second = (slope_right - slope_left) / (0.5 * (left + right));
  const double h = axis.widths[cell[component]];
  return own - h * h / 8 * second;
}

Profile CellField::line(int component, const Line& line) const {
  const auto weights = weights_across(grid_, line);
  const sim::Axis& axis = grid_.axis(line.axis);
  Profile profile;
  if (line.ends) profile.push_back({axis.lower(), line.ends->front()});
  for (int i = 0; i < axis.cells(); ++i) {
    double sum = 0;
    for (const Weighted& x : weights[0])
      for (const Weighted& y : weights[1])
        for (const Weighted& z : weights[2]) {
          std::array<int, 3> cell{x.cell, y.cell, z.cell};
          cell[line.axis] = i;
          sum += x.weight * y.weight * z.weight * centred(component, cell);
        }
    profile.push_back({axis.centre(i), sum});
  }
  if (line.ends) profile.push_back({axis.upper(), line.ends->back()});
  return profile;
}

// The minimum over x of the minima over y.
Vortex primary_vortex(const sim::Flow& flow) {
  const CellField velocity(flow, "velocity");
  const sim::Axis& axis = velocity.grid().axis(0);
  Profile least, height;
  for (int i = 0; i < axis.cells(); ++i) {
    const ProfilePoint column = extremum(stream_function(velocity, axis.centre(i)), -1);
    least.push_back({axis.centre(i), column.value});
    height.push_back({axis.centre(i), column.position});
  }
  const ProfilePoint vortex = extremum(least, -1);
  return {vortex.value, vortex.position, interpolate(height, vortex.position)};
}

}  // namespace hodge::tools
