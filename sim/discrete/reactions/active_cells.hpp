// The cells of a chunk that react: those in the fluid whose state would change.
//
// A cell is at rest where no rate has t in it, and every y_i absorbs four times what its rate adds
// in the whole interval:
//
//   y_i + 4 dt r_i(y) == y_i == y_i - 4 dt r_i(y)          in floating point
//
// The stages of a substep add at most h sum_j |a_ij| |r_i| < 4 dt |r_i| (esdirk4.hpp) to y_i. So
// each stage has the value y to the bit, Newton's method starts with its solution r(y), and the
// new value is y: leaving such cells out changes no bit of the others and none of their own. Rates
// that are exactly 0 are the plainest case. No tolerance is involved, because a small value may
// grow.
//
// Active cells are numbered line by line: count in each line of cells, add up, write. No
// allocation; one number comes to the host. Cost: the rates of each cell once.
#pragma once

#include <array>

#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/reactions/cell_system.hpp"
#include "sim/discrete/reactions/chunks.hpp"
#include "sim/discrete/reactions/shared_chunks.hpp"

namespace hodge::sim {

inline linalg::Box<2> lines_of(int count) {
  return {{{0, 0}}, {{reaction_line, reaction_lines(count)}}};
}

// f(cell), cell = 0 .. count - 1
template <class Space, class F>
void for_each_active(int count, F f) {
  linalg::for_each<Space>(lines_of(count), [=] HODGE_LAMBDA(const Index<2>& at) {
    const int cell = at[1] * reaction_line + at[0];
    if (cell < count) f(cell);
  });
}

// What a reduction over a chunk needs.
template <class Space>
struct ChunkSums {
  linalg::Buffer<double, Space>* scratch;
  const ChunkGroup* group;
};

// f(cell, value) over the active cells that the processes of the chunk have.
template <class Space, class F>
ReactionResults reduce_active(int count,
                              const std::array<linalg::Reduction, reaction_results>& kinds, F f,
                              const ChunkSums<Space>& sums) {
  const linalg::SharingRows cells_of_this_process({});
  linalg::reduce<Space, reaction_results>(
      lines_of(count), kinds,
      [=] HODGE_LAMBDA(const Index<2>& at, double(&value)[reaction_results]) {
        const int cell = at[1] * reaction_line + at[0];
        for (double& one : value) one = 0.0;
        if (cell < count) f(cell, value);
      },
      sums.scratch->data());
  ReactionResults results{};
  sums.scratch->download(results);
  sums.group->combine(kinds, results);
  return results;
}

template <int Dim>
HODGE_HD bool is_at_rest(const ReactionChunk<Dim>& r, double t, double dt, const Index<Dim>& c) {
  if (!r.formulas.autonomous) return false;
  double variables[first_extra_variable + most_scalars];
  scalars_at(r, t, c, variables);
  for (int i = 0; i < r.formulas.unknowns; ++i) {
    const double y = r.scalar(r.formulas.reacting[i], c);
    const double most = 4.0 * dt * evaluate(r.formulas.rates[i], variables);
    if (!(y + most == y && y - most == y)) return false;
  }
  return true;
}

// The active cells of the box for an interval of dt in `active`; how many. `flags` has an entry per
// cell, `lines` one more than lines.
template <class Space, int Dim>
int find_active(const ReactionChunk<Dim>& chunk, double t, double dt, int* active, int* flags,
                int* lines) {
  const int cells = static_cast<int>(chunk.box.size()), count = reaction_lines(cells);
  for_each_active<Space>(cells, [=] HODGE_LAMBDA(int position) {
    const Index<Dim> c = chunk.index_at(position);
    flags[position] = chunk.bodies.excludes(at_cells, c) || is_at_rest(chunk, t, dt, c) ? 0 : 1;
  });
  linalg::for_each<Space>(count, [=] HODGE_LAMBDA(int line) {
    const int end = (line + 1) * reaction_line < cells ? (line + 1) * reaction_line : cells;
    int sum = 0;
    for (int position = line * reaction_line; position < end; ++position) sum += flags[position];
    lines[line + 1] = sum;
  });
  linalg::for_each<Space>(1, [=] HODGE_LAMBDA(int) {
    lines[0] = 0;
    for (int line = 0; line < count; ++line) lines[line + 1] += lines[line];
  });
  linalg::for_each<Space>(count, [=] HODGE_LAMBDA(int line) {
    const int end = (line + 1) * reaction_line < cells ? (line + 1) * reaction_line : cells;
    int next = lines[line];
    for (int position = line * reaction_line; position < end; ++position)
      if (flags[position] != 0) active[next++] = position;
  });
  int found = 0;
  Space::download(lines + count, &found, sizeof(int));
  return found;
}

}  // namespace hodge::sim
