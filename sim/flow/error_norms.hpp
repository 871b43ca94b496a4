// Distance of a computed state from an exact solution, on the host.
//
//   velocity_l2^2 = sum_d sum_faces V (u_d - exact_d)^2 / volume of the fluid
//   pressure_l2^2 = sum_cells V (e - mean of e)^2 / volume of the fluid,   e = p - exact
//   scalar l2^2   = sum_cells V (c - exact)^2 / sum_cells V
//
// over the fluid, and of scalars over bodies that conduct them. V is the fluid part of a cell, and
// of a face its control volume times its open part. Where a sharp body cuts a face, the velocity is
// that at the centroid of the open part. What the problem has no exact solution of stays 0 or is
// left out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "linalg/space/space.hpp"
#include "sim/discrete/bodies/body_levels.hpp"
#include "sim/discrete/bodies/cut_faces.hpp"
#include "sim/discrete/grid/metrics.hpp"
#include "sim/flow/flow.hpp"

namespace hodge::sim {

// Padded values of a state.
template <int Dim>
struct HostState {
  std::array<std::vector<double>, Dim> velocity;
  std::vector<double> pressure;
  std::vector<std::vector<double>> scalars;  // of the problem, in its order
};

// What is fluid of the control volumes of the whole box.
template <int Dim>
class FluidParts {
 public:
  // `bodies`: of every cell, or none. All must outlive this.
  FluidParts(const Grid& grid, const Problem& problem, const std::vector<std::uint8_t>& bodies);

  // 0 to 1, of the control volume of a location.
  double part(int location, const Index<Dim>& c);
  double part_with(const ScalarProblem& scalar, const Index<Dim>& c);
  Point place(int location, const Index<Dim>& c);  // of the value
  bool any() const { return !bodies_.empty(); }

 private:
  int body(Index<Dim> c) const;
  bool is_cut_near(const Index<Dim>& c) const { return cuts_ && cuts_->grid().is_near(c); }

  const Grid& grid_;
  const Problem& problem_;
  const std::vector<std::uint8_t>& bodies_;
  Box<Dim> cells_;
  std::optional<BodyLevels> levels_;
  std::optional<CutFaces<Dim>> cuts_;  // of sharp bodies
};

template <int Dim>
ErrorNorms error_norms(const Grid& grid, const Problem& problem, FluidParts<Dim>& fluid,
                       const HostState<Dim>& state, double t);

}  // namespace hodge::sim
