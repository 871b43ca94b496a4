// Regions by runs: a row of cells is a few runs of fluid; runs of neighbouring rows that overlap,
// and the two ends of a row on a periodic axis, belong together (disjoint sets, the smallest run of
// a region its root).
#include <algorithm>
#include <numeric>

#include "sim/discrete/bodies/point_rows.hpp"
#include "sim/model/solid.hpp"

namespace hodge::sim {
namespace {

struct Run {
  int begin, end;  // cells of its row: begin <= i < end
};

struct Runs {
  std::vector<Run> run;
  std::vector<std::size_t> start;  // of each row, and the end of the last
};

Runs find_runs(const PointRows& rows, const std::vector<std::uint8_t>& bodies) {
  Runs runs;
  const int cells = rows.points(0);
  for (int row = 0; row < rows.count(); ++row) {
    runs.start.push_back(runs.run.size());
    const std::uint8_t* const body = bodies.data() + rows.first(row);
    for (const std::uint8_t* at = body; at != body + cells;) {
      const auto* const begin = std::find(at, body + cells, 0);
      at = std::find_if(begin, body + cells, [](std::uint8_t b) { return b != 0; });
      if (begin != at)
        runs.run.push_back({static_cast<int>(begin - body), static_cast<int>(at - body)});
    }
  }
  runs.start.push_back(runs.run.size());
  return runs;
}

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

void join_rows(const Runs& runs, int row, int other, DisjointSets& sets) {
  std::size_t a = runs.start[row], b = runs.start[other];
  while (a < runs.start[row + 1] && b < runs.start[other + 1]) {
    const Run &p = runs.run[a], &q = runs.run[b];
    if (p.begin < q.end && q.begin < p.end) sets.join(a, b);
    p.end < q.end ? ++a : ++b;
  }
}

void join_ends(const Runs& runs, int row, int cells, DisjointSets& sets) {
  if (runs.start[row] == runs.start[row + 1]) return;
  const std::size_t first = runs.start[row], last = runs.start[row + 1] - 1;
  if (runs.run[first].begin == 0 && runs.run[last].end == cells) sets.join(first, last);
}

DisjointSets connect(const PointRows& rows, const Runs& runs, const std::array<bool, 3>& periodic) {
  DisjointSets sets(runs.run.size());
  const int n = rows.points(1), m = rows.points(2);
  for (int k = 0; k < m; ++k)
    for (int j = 0; j < n; ++j) {
      const int row = rows.row(j, k);
      if (j > 0 || periodic[1]) join_rows(runs, row, rows.row(j > 0 ? j - 1 : n - 1, k), sets);
      if (k > 0 || periodic[2]) join_rows(runs, row, rows.row(j, k > 0 ? k - 1 : m - 1), sets);
      if (periodic[0]) join_ends(runs, row, rows.points(0), sets);
    }
  return sets;
}

}  // namespace

FluidRegions fluid_regions(const Grid& grid, const std::vector<std::uint8_t>& bodies,
                           const std::array<bool, 3>& periodic) {
  const PointRows rows(grid);
  const Runs runs = find_runs(rows, bodies);
  DisjointSets sets = connect(rows, runs, periodic);
  FluidRegions regions{std::vector<int>(bodies.size(), -1), {}};
  std::vector<int> region(runs.run.size());  // of each run; a root comes before its runs
  for (int row = 0; row < rows.count(); ++row)
    for (std::size_t r = runs.start[row]; r < runs.start[row + 1]; ++r) {
      const std::size_t root = sets.root(r);
      if (root == r) {
        region[r] = static_cast<int>(regions.cells.size());
        regions.cells.push_back(0);
      }
      region[r] = region[root];
      regions.cells[region[r]] += runs.run[r].end - runs.run[r].begin;
      const auto first = regions.region.begin() + static_cast<long>(rows.first(row));
      std::fill(first + runs.run[r].begin, first + runs.run[r].end, region[r]);
    }
  return regions;
}

}  // namespace hodge::sim
