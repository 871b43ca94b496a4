// One substep of a chunk of cells, as loops over its active ones. Only scalars reach the host.
#pragma once

#include <algorithm>

#include "linalg/space/batched_gauss.hpp"
#include "linalg/vectors/buffer.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/reactions/active_cells.hpp"
#include "sim/discrete/reactions/cell_system.hpp"
#include "sim/discrete/reactions/chunks.hpp"
#include "sim/model/reaction_settings.hpp"

namespace hodge::sim {

// The size of each unknown that its tolerance is a share of: max |c| over the active cells, for one
// that is 0 in all of them (a product that is about to form) the largest size of the others.
template <class Space, int Dim>
void measure_sizes(ReactionChunk<Dim>& chunk, const ChunkSums<Space>& sums) {
  using enum linalg::Reduction;
  double* const sizes = chunk.tolerances.sizes;
  double largest = 0;
  for (int i = 0; i < chunk.formulas.unknowns; ++i) {
    const ReactionResults found = reduce_active<Space>(
        chunk.count, {max, max},
        [=] HODGE_LAMBDA(int cell, double(&value)[reaction_results]) {
          value[0] = absolute_value(chunk.scalar(chunk.formulas.reacting[i], chunk.place(cell)));
          value[1] = 0.0;
        },
        sums);
    sizes[i] = found[0];
    largest = std::max(largest, found[0]);
  }
  std::replace(sizes, sizes + chunk.formulas.unknowns, 0.0, largest);
}

// k_1 = r(t, y)
template <class Space, int Dim>
void evaluate_first_rates(const ReactionChunk<Dim>& chunk, double t) {
  for_each_active<Space>(chunk.count, [=] HODGE_LAMBDA(int cell) {
    double variables[first_extra_variable + most_scalars];
    scalars_at(chunk, t, chunk.place(cell), variables);
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
                 const ChunkSums<Space>& sums, ReactionReport& report) {
  using enum linalg::Reduction;
  guess_rates<Space>(chunk, stage.index);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    for_each_active<Space>(chunk.count,
                           [=] HODGE_LAMBDA(int cell) { newton_system(chunk, stage, cell); });
    solve_cells<Space>(chunk);
    const ReactionResults left = reduce_active<Space>(
        chunk.count, {sum, sum},
        [=] HODGE_LAMBDA(int cell, double(&value)[reaction_results]) {
          const double change = newton_correction(chunk, stage, cell);
          value[0] = change == newton_converged ? 0.0 : 1.0;
          value[1] = change == reaction_failed ? 1.0 : 0.0;
        },
        sums);
    ++report.newton_iterations;
    if (left[0] == 0) return true;
    if (left[1] > 0) return false;
  }
  return false;
}

// The largest error of the substep whose stages are solved.
template <class Space, int Dim>
double estimate_error(const ReactionChunk<Dim>& chunk, const ReactionStage& last,
                      const ChunkSums<Space>& sums) {
  using enum linalg::Reduction;
  for_each_active<Space>(chunk.count,
                         [=] HODGE_LAMBDA(int cell) { error_system(chunk, last, cell); });
  solve_cells<Space>(chunk);
  const ReactionResults largest = reduce_active<Space>(
      chunk.count, {max, sum},
      [=] HODGE_LAMBDA(int cell, double(&value)[reaction_results]) {
        value[0] = error_in_tolerances(chunk, last, cell);
        value[1] = 0.0;
        chunk.change[cell] = value[0];
      },
      sums);
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

// The position in the whole chunk of an active cell whose `change` is largest, of several the last.
template <class Space, int Dim>
int worst_cell(const ReactionChunk<Dim>& chunk, const ChunkShare<Dim>& share,
               linalg::Buffer<double, Space>& scratch) {
  using enum linalg::Reduction;
  const ChunkSums<Space> of_all{&scratch, &share.group};
  const double largest = reduce_active<Space>(
      chunk.count, {max, sum},
      [=] HODGE_LAMBDA(int cell, double(&value)[reaction_results]) {
        value[0] = chunk.change[cell];
        value[1] = 0.0;
      },
      of_all)[0];
  const ChunkGroup this_process;
  const double behind = reduce_active<Space>(  // the last one here; 0: none
      chunk.count, {max, sum},
      [=] HODGE_LAMBDA(int cell, double(&value)[reaction_results]) {
        value[0] = chunk.change[cell] == largest ? chunk.active[cell] + 1.0 : 0.0;
        value[1] = 0.0;
      },
      ChunkSums<Space>{&scratch, &this_process})[0];
  ReactionResults last{};
  if (behind > 0) last[0] = share.whole.position(chunk.index_at(static_cast<int>(behind) - 1));
  share.group.combine({max, sum}, last);
  return static_cast<int>(last[0]);
}

}  // namespace hodge::sim
