// One substep of a chunk of cells, as loops over its active ones. Only scalars reach the host.
#pragma once

#include <array>

#include "linalg/space/batched_gauss.hpp"
#include "linalg/vectors/buffer.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/reactions/active_cells.hpp"
#include "sim/discrete/reactions/cell_system.hpp"
#include "sim/discrete/reactions/chunks.hpp"
#include "sim/model/reaction_settings.hpp"

namespace hodge::sim {

// k_1 = r(t, y)
template <class Space, int Dim>
void evaluate_first_rates(const ReactionChunk<Dim>& chunk, double t) {
  const ReactionStage stage = stage_of(0, t, 0.0);
  for_each_active<Space>(chunk.count, [=] HODGE_LAMBDA(int cell) {
    double variables[first_extra_variable + most_scalars];
    stage_variables(chunk, stage, cell, variables);
    for (int i = 0; i < chunk.formulas.unknowns; ++i)
      chunk.rate(0, i, cell) = evaluate(chunk.formulas.rates[i], variables);
  });
}

// The stage before is the guess.
template <class Space, int Dim>
void guess_rates(const ReactionChunk<Dim>& chunk, int stage) {
  for_each_active<Space>(chunk.count, [=] HODGE_LAMBDA(int cell) {
    chunk.change[cell] = newton_not_started;
    for (int i = 0; i < chunk.formulas.unknowns; ++i)
      chunk.rate(stage, i, cell) = chunk.rate(stage - 1, i, cell);
  });
}

template <class Space, int Dim>
void solve_cells(const ReactionChunk<Dim>& chunk) {
  linalg::solve_batched<Space, double>(chunk.formulas.unknowns, chunk.count, chunk.matrix,
                                       chunk.right, chunk.singular);
}

// Newton's method for k of a stage in all cells; false where it fails in one.
template <class Space, int Dim>
bool solve_stage(const ReactionChunk<Dim>& chunk, const ReactionStage& stage, int most_iterations,
                 linalg::Buffer<double, Space>& results, ReactionReport& report) {
  using enum linalg::Reduction;
  guess_rates<Space>(chunk, stage.index);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    for_each_active<Space>(chunk.count,
                           [=] HODGE_LAMBDA(int cell) { newton_system(chunk, stage, cell); });
    solve_cells<Space>(chunk);
    reduce_active<Space>(
        chunk.count, {sum, sum},
        [=] HODGE_LAMBDA(int cell, double(&value)[reaction_results]) {
          const double change = newton_correction(chunk, stage, cell);
          value[0] = change == newton_converged ? 0.0 : 1.0;
          value[1] = change == reaction_failed ? 1.0 : 0.0;
        },
        results.data());
    ++report.newton_iterations;
    std::array<double, reaction_results> left{};
    results.download(left);
    if (left[0] == 0) return true;
    if (left[1] > 0) return false;
  }
  return false;
}

// The largest error of the substep whose stages are solved.
template <class Space, int Dim>
double estimate_error(const ReactionChunk<Dim>& chunk, const ReactionStage& last,
                      linalg::Buffer<double, Space>& results) {
  using enum linalg::Reduction;
  for_each_active<Space>(chunk.count,
                         [=] HODGE_LAMBDA(int cell) { error_system(chunk, last, cell); });
  solve_cells<Space>(chunk);
  reduce_active<Space>(
      chunk.count, {max, sum},
      [=] HODGE_LAMBDA(int cell, double(&value)[reaction_results]) {
        value[0] = error_in_tolerances(chunk, last, cell);
        value[1] = 0.0;
        chunk.change[cell] = value[0];
      },
      results.data());
  std::array<double, reaction_results> largest{};
  results.download(largest);
  return largest[0];
}

// y becomes the value of the last stage, and its k the first one of the next substep.
template <class Space, int Dim>
void take_substep(const ReactionChunk<Dim>& chunk, const ReactionStage& last) {
  for_each_active<Space>(chunk.count, [=] HODGE_LAMBDA(int cell) {
    const Index<Dim> c = chunk.place(cell);
    for (int i = 0; i < chunk.formulas.unknowns; ++i) {
      chunk.scalar(chunk.formulas.reacting[i], c) += stage_change(chunk, last, i, cell);
      chunk.rate(0, i, cell) = chunk.rate(last.index, i, cell);
    }
  });
}

// The position in the box of an active cell whose `change` is largest.
template <class Space, int Dim>
int worst_cell(const ReactionChunk<Dim>& chunk, linalg::Buffer<double, Space>& results) {
  using enum linalg::Reduction;
  std::array<double, reaction_results> found{};
  for (const bool position : {false, true}) {
    const double largest = found[0];
    reduce_active<Space>(
        chunk.count, {max, sum},
        [=] HODGE_LAMBDA(int cell, double(&value)[reaction_results]) {
          const int at = chunk.active[cell];
          value[0] = position ? (chunk.change[cell] == largest ? at : 0) : chunk.change[cell];
          value[1] = 0.0;
        },
        results.data());
    results.download(found);
  }
  return static_cast<int>(found[0]);
}

}  // namespace hodge::sim
