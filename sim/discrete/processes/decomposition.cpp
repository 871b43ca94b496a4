#include "sim/discrete/processes/decomposition.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>

#include "linalg/base/errors.hpp"
#include "sim/base/point.hpp"

namespace hodge::sim {

namespace {

// Cells of the largest part, and the values in its ghosts.
long long cost_of(int dim, const std::array<int, 3>& cells, const std::array<bool, 3>& periodic,
                  const ProcessCounts& counts, const CutUnits& units) {
  std::array<long long, 3> extent{1, 1, 1};
  long long volume = 1, ghosts = 0;
  for (int d = 0; d < dim; ++d) {
    const std::vector<int> firsts = cut_axis(cells[d], counts[d], units[d]);
    for (int part = 0; part < counts[d]; ++part)
      extent[d] = std::max<long long>(part == 0 ? 0 : extent[d], firsts[part + 1] - firsts[part]);
    volume *= extent[d];
  }
  for (int d = 0; d < dim; ++d) {
    const int neighbours = counts[d] == 1 ? 0 : (counts[d] == 2 && !periodic[d] ? 1 : 2);
    ghosts += neighbours * ghost_width * (volume / extent[d]);
  }
  return volume + ghosts;
}

}  // namespace

std::vector<int> cut_axis(int cells, int parts, int unit) {
  const long long units = (cells + unit - 1) / unit;
  std::vector<int> firsts;
  for (int part = 0; part <= parts; ++part)
    firsts.push_back(static_cast<int>(std::min<long long>(cells, unit * (units * part / parts))));
  return firsts;
}

CutUnits cut_units(int dim, const std::array<int, 3>& cells, bool on_gpus) {
  if (!on_gpus) return units_on_cpu;
  const linalg::SumTiles tiles(dim, cells);
  CutUnits units{1, 1, 1};
  for (int d = 0; d < dim; ++d) units[d] = tiles.length(d);
  return units;
}

int most_parts(int cells, int unit) {
  int parts = 1;
  const auto fits = [&](int count) {
    const std::vector<int> firsts = cut_axis(cells, count, unit);
    for (int part = 0; part < count; ++part)
      if (firsts[part + 1] - firsts[part] < ghost_width) return false;
    return true;
  };
  while (fits(parts + 1)) ++parts;
  return parts;
}

Decomposition::Decomposition(int dim, const std::array<int, 3>& cells,
                             const ProcessCounts& processes, const CutUnits& units)
    : dim_(dim), processes_(processes) {
  for (int d = 0; d < 3; ++d) {
    const int most = d < dim ? most_parts(cells[d], units[d]) : 1;
    if (processes[d] < 1 || processes[d] > most)
      throw ConfigError(std::string("axis ") + axis_names[d] + " of " + std::to_string(cells[d]) +
                        " cells cannot be shared by " + std::to_string(processes[d]) +
                        " processes: expected 1 to " + std::to_string(most) +
                        " (a part has at least " + std::to_string(std::max(ghost_width, units[d])) +
                        " cells)");
    firsts_[d] = cut_axis(cells[d], processes[d], d < dim ? units[d] : 1);
  }
  first_layers_ = divide_layers(units[static_cast<std::size_t>(dim) - 1]);
}

std::array<int, 3> Decomposition::place(int process) const {
  return {process % processes_[0], process / processes_[0] % processes_[1],
          process / (processes_[0] * processes_[1])};
}

int Decomposition::process_at(const std::array<int, 3>& place) const {
  return place[0] + processes_[0] * (place[1] + processes_[1] * place[2]);
}

int Decomposition::first(int process, int axis) const {
  return firsts_[axis][place(process)[axis]];
}

int Decomposition::last(int process, int axis) const {
  return firsts_[axis][place(process)[axis] + 1];
}

int Decomposition::neighbour(int process, int axis, int side, bool periodic) const {
  std::array<int, 3> there = place(process);
  there[axis] += side == 0 ? -1 : 1;
  const int count = processes_[axis];
  if (there[axis] < 0 || there[axis] >= count) {
    if (!periodic) return -1;
    there[axis] = (there[axis] + count) % count;
  }
  return process_at(there);
}

bool Decomposition::has_whole_layers() const {
  for (int d = 0; d + 1 < dim_; ++d)
    if (is_cut(d)) return false;
  return true;
}

int Decomposition::most_layers() const {
  int most = 0;
  for (std::size_t p = 0; p + 1 < first_layers_.size(); ++p)
    most = std::max(most, first_layers_[p + 1] - first_layers_[p]);
  return most;
}

std::vector<int> Decomposition::divide_layers(int unit) const {
  const int last = dim_ - 1;
  if (has_whole_layers()) return firsts_[last];
  const int layers = firsts_[last].back();
  std::vector<int> firsts = cut_axis(layers, std::min(most_parts(layers, unit), size()), unit);
  firsts.resize(static_cast<std::size_t>(size()) + 1, layers);
  return firsts;
}

ProcessCounts choose_process_counts(int dim, const std::array<int, 3>& cells,
                                    const std::array<bool, 3>& periodic, int processes,
                                    const CutUnits& units) {
  std::array<int, 3> most{1, 1, 1};
  for (int d = 0; d < dim; ++d) most[d] = most_parts(cells[d], units[d]);
  std::optional<std::tuple<long long, int, int, ProcessCounts>> best;
  for (int x = 1; x <= processes; ++x) {
    for (int y = 1; y <= processes / x; ++y) {
      const ProcessCounts counts{x, y, processes / (x * y)};
      if (counts[0] * counts[1] * counts[2] != processes) continue;
      if (counts[0] > most[0] || counts[1] > most[1] || counts[2] > most[2]) continue;
      const std::tuple candidate{cost_of(dim, cells, periodic, counts, units), x, y, counts};
      if (!best || candidate < *best) best = candidate;
    }
  }
  if (best) return std::get<ProcessCounts>(*best);
  std::string shape = std::to_string(cells[0]), parts = std::to_string(most[0]);
  for (int d = 1; d < dim; ++d) {
    shape += " x " + std::to_string(cells[d]);
    parts += " x " + std::to_string(most[d]);
  }
  throw ConfigError("a grid of " + shape + " cells cannot be shared by " +
                    std::to_string(processes) + " processes: it can be cut into " + parts +
                    " parts at most, and their number must be a product of counts along the axes");
}

}  // namespace hodge::sim
