// The members of Reactions, compiled once for each space (linalg/space/this_space.hpp).
#pragma once

#include <algorithm>
#include <utility>

#include "linalg/space/this_space.hpp"
#include "sim/discrete/reactions/chunk_reports.hpp"
#include "sim/discrete/reactions/reactions.hpp"
#include "sim/discrete/reactions/substep_impl.hpp"
#include "sim/discrete/reactions/substeps.hpp"

namespace hodge::sim {

template <int Dim, class Space>
Reactions<Dim, Space>::Reactions(const Grid& grid, const Layout<Dim>& layout,
                                 std::span<const Expression> rates, std::vector<std::string> names,
                                 const BodyView<Dim>& bodies, const ReactionSettings& settings)
    : grid_(grid),
      layout_(layout),
      formulas_(reaction_formulas(rates)),
      names_(std::move(names)),
      bodies_(bodies),
      settings_(settings),
      device_formulas_(formulas_) {
  check_reaction_settings(settings_);
  const auto n = static_cast<std::size_t>(formulas_.unknowns());
  if (n == 0) return;
  chunks_ = chunk_shares(layout, largest_chunk(formulas_.unknowns(), settings));
  for (const Share& share : chunks_)
    capacity_ = std::max(capacity_, static_cast<int>(share.own.size()));
  std::vector<double> centres;
  for (int d = 0; d < Dim; ++d)
    for (int i = 0; i < grid.cells(d); ++i) centres.push_back(grid.axis(d).centre(i));
  centres_ = linalg::Buffer<double, Space>(std::span<const double>(centres));
  saved_ = linalg::Buffer<double, Space>(n * layout.size());
  const auto cells = static_cast<std::size_t>(capacity_);
  rates_ = linalg::Buffer<double, Space>(cells * n * esdirk4::stages);
  matrix_ = linalg::Buffer<double, Space>(cells * n * n);
  right_ = linalg::Buffer<double, Space>(cells * n);
  change_ = linalg::Buffer<double, Space>(cells);
  singular_ = linalg::Buffer<int, Space>(cells);
  active_ = linalg::Buffer<int, Space>(cells);
  lines_ = linalg::Buffer<int, Space>(static_cast<std::size_t>(reaction_lines(capacity_) + 1));
  results_ = linalg::Buffer<double, Space>(reaction_results);
}

template <int Dim, class Space>
ReactionReport Reactions<Dim, Space>::react(double t, double dt,
                                            std::span<const FieldView<Dim>> scalars) {
  ReactionReport report;
  if (formulas_.unknowns() == 0) return report;
  copy_scalars(scalars, true);
  std::vector<ChunkReport> reports;
  for (const Share& share : chunks_) {
    ReactionReport part;
    part.ok = integrate(share, chunk_of(share.own, scalars), t, dt, part);
    reports.push_back({share.number, std::move(part)});
    if (!reports.back().of.ok && layout_.halo == nullptr) break;
  }
  report =
      report_together(reports, layout_.halo ? layout_.halo->processes() : linalg::one_process());
  if (!report.ok) copy_scalars(scalars, false);
  return report;
}

// To `saved_` or back, ghosts included.
template <int Dim, class Space>
void Reactions<Dim, Space>::copy_scalars(std::span<const FieldView<Dim>> scalars, bool save) {
  double* saved = saved_.data();
  for (const int i : formulas_.reacting) {
    double* const padded = scalars[i].origin - layout_.origin();
    Space::copy(save ? padded : saved, save ? saved : padded, layout_.size() * sizeof(double));
    saved += layout_.size();
  }
}

template <int Dim, class Space>
ReactionChunk<Dim> Reactions<Dim, Space>::chunk_of(const Box<Dim>& box,
                                                   std::span<const FieldView<Dim>> scalars) {
  ReactionChunk<Dim> chunk{};
  chunk.box = box;
  chunk.formulas = device_formulas_.view();
  chunk.tolerances = {settings_.relative, settings_.absolute, {}};
  const double* centres = centres_.data();
  for (int d = 0; d < Dim; ++d) {
    chunk.centres[d] = centres + layout_.before[d];
    centres += layout_.whole(d);
    chunk.stride[d] = layout_.stride(d);
  }
  chunk.bodies = bodies_;
  for (std::size_t i = 0; i < scalars.size(); ++i) chunk.scalars[i] = scalars[i].origin;
  chunk.active = active_.data();
  chunk.capacity = capacity_;
  chunk.rates = rates_.data();
  chunk.matrix = matrix_.data();
  chunk.right = right_.data();
  chunk.change = change_.data();
  chunk.singular = singular_.data();
  return chunk;
}

template <int Dim, class Space>
bool Reactions<Dim, Space>::integrate(const Share& share, ReactionChunk<Dim> chunk, double t,
                                      double dt, ReactionReport& report) {
  // singular_ is free until the first system is solved.
  chunk.count = find_active<Space>(chunk, t, dt, active_.data(), singular_.data(), lines_.data());
  ReactionResults count{static_cast<double>(chunk.count)};
  share.group.combine({linalg::Reduction::sum, linalg::Reduction::sum}, count);
  if (count[0] == 0) return true;
  measure_sizes<Space>(chunk, {&results_, &share.group});
  Substeps substeps(dt, settings_);
  evaluate_first_rates<Space>(chunk, t);
  while (!substeps.done()) {
    const double start = t + substeps.elapsed(), h = substeps.size();
    const double error = attempt(share, chunk, start, h, report);
    if (error <= 1) {
      take_substep<Space>(chunk, stage_of(esdirk4::stages - 1, start, h));
      substeps.accept(error);
      ++report.substeps;
    } else {
      substeps.reject(error);
      ++report.rejected;
    }
    const bool too_many = report.substeps >= settings_.most_substeps && !substeps.done();
    if (too_many || substeps.too_small()) {
      ReactionFailure failed = failure(share, chunk, start, h, too_many ? 0.0 : error);
      report.failure = std::move(failed.text);
      report.bad_key = std::move(failed.bad_key);
      return false;
    }
  }
  return true;
}

// The stages of a substep and its error, in units of the tolerances; `reaction_failed` where
// Newton's method does.
template <int Dim, class Space>
double Reactions<Dim, Space>::attempt(const Share& share, const ReactionChunk<Dim>& chunk, double t,
                                      double h, ReactionReport& report) {
  const ChunkSums<Space> sums{&results_, &share.group};
  for (int i = 1; i < esdirk4::stages; ++i) {
    const ReactionStage stage = stage_of(i, t, h);
    if (!solve_stage<Space>(chunk, stage, settings_.most_iterations, sums, report))
      return reaction_failed;
  }
  if (settings_.fixed_substeps > 0) return 0;
  return estimate_error<Space>(chunk, stage_of(esdirk4::stages - 1, t, h), sums);
}

// Brings one cell to the host; nothing where another process has it.
template <int Dim, class Space>
ReactionFailure Reactions<Dim, Space>::failure(const Share& share, const ReactionChunk<Dim>& chunk,
                                               double t, double h, double error) {
  int rest = worst_cell<Space>(chunk, share, results_);
  Index<Dim> c{};
  for (int d = 0; d < Dim; ++d) {
    c[d] = share.whole.lower[d] + rest % share.whole.extent(d);
    rest /= share.whole.extent(d);
  }
  if (!share.own.contains(c)) return {};
  FailedCell cell{.t = t, .substep = h, .error = error};
  for (int d = 0; d < Dim; ++d) cell.centre[d] = grid_.axis(d).centre(layout_.in_whole(c)[d]);
  cell.values.resize(names_.size());
  for (int i = 0; i < formulas_.scalars; ++i)
    Space::download(&chunk.scalar(i, c), &cell.values[i], sizeof(double));
  return reaction_failure(cell, Dim, formulas_, names_, settings_);
}

template class Reactions<2, linalg::ThisSpace>;
template class Reactions<3, linalg::ThisSpace>;

}  // namespace hodge::sim
