// What is computed in one active cell: the value of a stage, the system of Newton's method, the
// error.
//
//   stage      U = y + h sum_j w_j k_j
//   Newton     (1 - a h J(U)) d = r(U) - k_s,   k_s <- k_s + d            a = esdirk4::diagonal
//   error      (1 - a h J(y^{n+1})) e = h sum_j e_j k_j
//
// The error estimate is divided by the matrix so that it does not grow with the stiffness (L. F.
// Shampine & L. S. Baca, Appl. Numer. Math. 1, 1985). Norms are largest values over the unknowns in
// units of the tolerance.
#pragma once

#include "sim/discrete/reactions/reaction_chunk.hpp"

namespace hodge::sim {

template <int Dim>
HODGE_HD double stage_change(const ReactionChunk<Dim>& r, const ReactionStage& s, int unknown,
                             int cell) {
  double sum = 0;
  for (int j = 0; j <= s.index; ++j) sum += s.weights[j] * r.rate(j, unknown, cell);
  return s.h * sum;
}

HODGE_HD inline double absolute_value(double a) {
  return a < 0 ? -a : a;
}

// In units of the tolerance of an unknown that changes from y to u.
template <int Dim>
HODGE_HD double in_tolerances(const ReactionChunk<Dim>& r, int unknown, double value, double y,
                              double u) {
  if (value == 0) return 0;  // also where the tolerance is 0
  const double before = absolute_value(y), after = absolute_value(u);
  const double size = before > after ? before : after;
  return absolute_value(value) /
         (r.tolerances.absolute * r.tolerances.sizes[unknown] + r.tolerances.relative * size);
}

// x, y, z, t and the scalars of a cell.
template <int Dim>
HODGE_HD void scalars_at(const ReactionChunk<Dim>& r, double t, const Index<Dim>& c,
                         double* variables) {
  for (int d = 0; d < 3; ++d) variables[d] = 0;
  for (int d = 0; d < Dim; ++d) variables[d] = r.centres[d][c[d]];
  variables[3] = t;
  for (int i = 0; i < r.formulas.scalars; ++i) variables[first_extra_variable + i] = r.scalar(i, c);
}

// The same of an active cell in stage s.
template <int Dim>
HODGE_HD void stage_variables(const ReactionChunk<Dim>& r, const ReactionStage& s, int cell,
                              double* variables) {
  scalars_at(r, s.t, r.place(cell), variables);
  for (int i = 0; i < r.formulas.unknowns; ++i)
    variables[first_extra_variable + r.formulas.reacting[i]] += stage_change(r, s, i, cell);
}

// The identity matrix and a zero right-hand side, which solve_batched gets for a cell that has
// converged.
template <int Dim>
HODGE_HD void set_identity(const ReactionChunk<Dim>& r, int cell) {
  const int n = r.formulas.unknowns;
  double* const matrix = r.matrix_of(cell);
  for (int i = 0; i < n * n; ++i) matrix[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
  for (int i = 0; i < n; ++i) r.right_of(cell)[i] = 0.0;
}

template <int Dim>
HODGE_HD void subtract_jacobian(const ReactionChunk<Dim>& r, double factor, int cell,
                                const double* variables) {
  const int n = r.formulas.unknowns;
  double* const matrix = r.matrix_of(cell);
  for (int e = 0; e < r.formulas.entries; ++e) {
    const JacobianEntry entry = r.formulas.entry[e];
    matrix[entry.row + entry.column * n] -= factor * evaluate(r.formulas.derivatives[e], variables);
  }
}

template <int Dim>
HODGE_HD void newton_system(const ReactionChunk<Dim>& r, const ReactionStage& s, int cell) {
  const int n = r.formulas.unknowns;
  set_identity(r, cell);
  if (r.change[cell] == newton_converged) return;
  double variables[first_extra_variable + most_scalars];
  stage_variables(r, s, cell, variables);
  double* const right = r.right_of(cell);
  for (int i = 0; i < n; ++i)
    right[i] = evaluate(r.formulas.rates[i], variables) - r.rate(s.index, i, cell);
  subtract_jacobian(r, esdirk4::diagonal * s.h, cell, variables);
}

// The largest of `largest` and another value; `reaction_failed` where one is not a number.
HODGE_HD inline double larger(double largest, double value) {
  if (value <= largest) return largest;
  return value < reaction_failed ? value : reaction_failed;
}

// Corrects k_s and returns the size of the change of U; `reaction_failed` where it is not a number.
template <int Dim>
HODGE_HD double correct_rates(const ReactionChunk<Dim>& r, const ReactionStage& s, int cell) {
  const Index<Dim> c = r.place(cell);
  double largest = r.singular[cell] < 0 ? 0.0 : reaction_failed;
  for (int i = 0; i < r.formulas.unknowns; ++i) {
    const double d = r.right_of(cell)[i];
    r.rate(s.index, i, cell) += d;
    const double y = r.scalar(r.formulas.reacting[i], c), u = y + stage_change(r, s, i, cell);
    largest = larger(largest, in_tolerances(r, i, esdirk4::diagonal * s.h * d, y, u));
  }
  return largest;
}

// One iteration after its system is solved. Returns change[cell]. Convergence is quadratic: after
// changes d', d the next one is about d (d / d')^2.
template <int Dim>
HODGE_HD double newton_correction(const ReactionChunk<Dim>& r, const ReactionStage& s, int cell) {
  double& state = r.change[cell];
  if (state == newton_converged) return newton_converged;
  const double change = correct_rates(r, s, cell);
  const bool first = state == newton_not_started;
  const double ratio = first || change > state ? 1.0 : change / state;
  const bool diverges = change == reaction_failed || (!first && change > 2 * state);
  const bool accurate = change * ratio * ratio <= newton_tolerance;
  state = accurate ? newton_converged : diverges ? reaction_failed : change;
  return state;
}

template <int Dim>
HODGE_HD void error_system(const ReactionChunk<Dim>& r, const ReactionStage& last, int cell) {
  const int n = r.formulas.unknowns;
  set_identity(r, cell);
  double variables[first_extra_variable + most_scalars];
  stage_variables(r, last, cell, variables);
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < esdirk4::stages; ++j) sum += last.error_weights[j] * r.rate(j, i, cell);
    r.right_of(cell)[i] = last.h * sum;
  }
  subtract_jacobian(r, esdirk4::diagonal * last.h, cell, variables);
}

template <int Dim>
HODGE_HD double error_in_tolerances(const ReactionChunk<Dim>& r, const ReactionStage& last,
                                    int cell) {
  const Index<Dim> c = r.place(cell);
  double largest = r.singular[cell] < 0 ? 0.0 : reaction_failed;
  for (int i = 0; i < r.formulas.unknowns; ++i) {
    const double y = r.scalar(r.formulas.reacting[i], c), u = y + stage_change(r, last, i, cell);
    largest = larger(largest, in_tolerances(r, i, r.right_of(cell)[i], y, u));
  }
  return largest;
}

}  // namespace hodge::sim
