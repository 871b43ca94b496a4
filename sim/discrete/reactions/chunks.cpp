// Bytes of Reactions:
//
//   a cell of a chunk    6 n rates, n^2 matrix, n right side, 1 change: 8 B each; singular, active,
//                        4 B each; 4 B for each line of cells
//   a padded cell        n saved values
//   besides              the formulas, the centres of the cells of every axis
#include "sim/discrete/reactions/chunks.hpp"

#include "sim/discrete/fields/layout.hpp"
#include "sim/discrete/reactions/esdirk4.hpp"
#include "sim/discrete/reactions/reactions.hpp"

namespace hodge::sim {
namespace {

template <int Dim>
int capacity(const Grid& grid, int most) {
  linalg::Box<Dim> box{};
  for (int d = 0; d < Dim; ++d) box.upper[d] = grid.cells(d);
  std::vector<linalg::Box<Dim>> parts;
  split_box(box, most, parts);
  return largest_part(parts);
}

std::size_t formula_bytes(const ReactionFormulas& formulas) {
  std::size_t instructions = 0;
  for (const Expression& rate : formulas.rates) instructions += rate.instructions().size();
  for (const Expression& d : formulas.derivatives) instructions += d.instructions().size();
  const std::size_t programs = formulas.rates.size() + formulas.derivatives.size();
  return instructions * sizeof(Instruction) + programs * sizeof(ProgramView) +
         formulas.entries.size() * sizeof(JacobianEntry) + formulas.reacting.size() * sizeof(int);
}

}  // namespace

std::size_t chunk_bytes_per_cell(int unknowns) {
  const auto n = static_cast<std::size_t>(unknowns);
  return sizeof(double) * (esdirk4::stages * n + n * n + n + 1) + 2 * sizeof(int);
}

int largest_chunk(int unknowns, const ReactionSettings& settings) {
  // Without the numbers of active cells, which came later: results hang on how a grid is divided.
  const std::size_t cells = most_chunk_bytes / (chunk_bytes_per_cell(unknowns) - sizeof(int));
  return static_cast<int>(std::min(cells, static_cast<std::size_t>(settings.cells_at_once)));
}

std::size_t reaction_memory(const Grid& grid, std::span<const Expression> rates, std::size_t padded,
                            const ReactionSettings& settings) {
  const ReactionFormulas formulas = reaction_formulas(rates);
  const int n = formulas.unknowns();
  if (n == 0) return 0;
  const int most = largest_chunk(n, settings);
  const int cells = grid.dim() == 2 ? capacity<2>(grid, most) : capacity<3>(grid, most);
  std::size_t centres = 0;
  for (int d = 0; d < grid.dim(); ++d) centres += static_cast<std::size_t>(grid.cells(d));
  return static_cast<std::size_t>(cells) * chunk_bytes_per_cell(n) +
         sizeof(int) * static_cast<std::size_t>(reaction_lines(cells) + 1) +
         formula_bytes(formulas) +
         sizeof(double) * (static_cast<std::size_t>(n) * padded + centres + reaction_results);
}

}  // namespace hodge::sim
