// The cells that are integrated together, as point functions see them, and the stages of their
// substeps.
//
// The arrays of a chunk hold active cells alone: fluid whose state changes (active_cells.hpp). An
// active cell is known by its number, 0 .. count - 1, which runs fastest; the matrices are as
// solve_batched wants them.
#pragma once

#include <cstddef>

#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/fields/field.hpp"
#include "sim/discrete/reactions/esdirk4.hpp"
#include "sim/discrete/reactions/formulas.hpp"

namespace hodge::sim {

struct ReactionTolerances {
  double relative, absolute;
  double sizes[most_scalars];  // of each unknown
};

template <int Dim>
struct ReactionChunk {
  Box<Dim> box;
  FormulasView formulas;
  ReactionTolerances tolerances;
  const double* centres[Dim];  // of cell 0 first
  BodyView<Dim> bodies;
  double* scalars[most_scalars];  // cell 0 of every field
  std::ptrdiff_t stride[Dim];

  int count;          // of the active cells
  const int* active;  // their positions in the box, in increasing order
  int capacity;       // cells that the arrays are made for
  double* rates;      // k, stages x unknowns x capacity
  double* matrix;     // unknowns x unknowns of each cell
  double* right;      // unknowns of each cell
  double* change;     // the last change of Newton's method, or the error; see below
  int* singular;

  // Where an active cell is.
  HODGE_HD Index<Dim> place(int cell) const { return index_at(active[cell]); }
  HODGE_HD Index<Dim> index_at(int position) const {
    Index<Dim> c{};
    for (int d = 0; d < Dim; ++d) {
      const int extent = box.upper[d] - box.lower[d];
      c[d] = box.lower[d] + position % extent;
      position /= extent;
    }
    return c;
  }
  HODGE_HD double& scalar(int i, const Index<Dim>& c) const {
    std::ptrdiff_t position = 0;
    for (int d = 0; d < Dim; ++d) position += stride[d] * c[d];
    return scalars[i][position];
  }
  HODGE_HD double& rate(int stage, int unknown, int cell) const {
    return rates[static_cast<std::ptrdiff_t>(stage * formulas.unknowns + unknown) * capacity +
                 cell];
  }
  HODGE_HD double* matrix_of(int cell) const {
    return matrix + static_cast<std::ptrdiff_t>(cell) * formulas.unknowns * formulas.unknowns;
  }
  HODGE_HD double* right_of(int cell) const {
    return right + static_cast<std::ptrdiff_t>(cell) * formulas.unknowns;
  }
};

// change[cell] while Newton's method runs
inline constexpr double newton_converged = -1;
inline constexpr double newton_not_started = -2;
inline constexpr double reaction_failed = 1e300;  // larger than any change that is taken

// Of the error that a substep may make.
inline constexpr double newton_tolerance = 0.01;

struct ReactionStage {
  int index;
  double t, h;
  double weights[esdirk4::stages];
  double error_weights[esdirk4::stages];  // of the last stage
};

// Stage `index` of the substep from t to t + h.
inline ReactionStage stage_of(int index, double t, double h) {
  ReactionStage stage{index, t + esdirk4::c[index] * h, h, {}, {}};
  for (int j = 0; j < esdirk4::stages; ++j) {
    stage.weights[j] = esdirk4::a[index][j];
    stage.error_weights[j] = esdirk4::a[index][j] - esdirk4::embedded[j];
  }
  return stage;
}

}  // namespace hodge::sim
