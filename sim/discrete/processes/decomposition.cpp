#include "sim/discrete/processes/decomposition.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linalg/base/errors.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {
namespace {

std::vector<int> cut_layers(int layers, int slabs, int unit) {
  const long long units = (layers + unit - 1) / unit;
  std::vector<int> firsts;
  for (int slab = 0; slab <= slabs; ++slab)
    firsts.push_back(static_cast<int>(std::min<long long>(layers, unit * (units * slab / slabs))));
  return firsts;
}

}  // namespace

int most_slabs(int layers, int unit) {
  const auto fits = [&](int slabs) {
    const std::vector<int> firsts = cut_layers(layers, slabs, unit);
    return std::ranges::adjacent_find(firsts, [](int first, int next) {
             return next - first < ghost_width;
           }) == firsts.end();
  };
  int slabs = 1;
  while (fits(slabs + 1)) ++slabs;
  return slabs;
}

Decomposition::Decomposition(int layers, int slabs, int unit)
    : first_layers_(cut_layers(layers, slabs, unit)) {
  const int most = most_slabs(layers, unit);
  if (slabs < 1 || slabs > most)
    throw ConfigError(
        fmt::format("{} layers cannot be shared by {} processes: expected 1 to {} (a "
                    "slab has at least {} layers)",
                    layers, slabs, most, std::max(ghost_width, unit)));
}

int Decomposition::neighbour(int process, int side, bool periodic) const {
  if (size() == 1) return -1;
  const int there = process + (side == 0 ? -1 : 1);
  if (there >= 0 && there < size()) return there;
  return periodic ? (there + size()) % size() : -1;
}

int Decomposition::most_layers() const {
  int most = 0;
  for (int p = 0; p < size(); ++p) most = std::max(most, last(p) - first(p));
  return most;
}

double Decomposition::largest_share() const {
  return static_cast<double>(most_layers()) / first_layers_.back();
}

Decomposition slabs_of(const GridSettings& grid, int started, bool on_gpus) {
  const int layers = grid.axes[static_cast<std::size_t>(grid.dim) - 1].cells;
  const int unit = cut_unit(on_gpus);
  return {layers, std::min(started, most_slabs(layers, unit)), unit};
}

}  // namespace hodge::sim
