#include "sim/app/run/doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/app/output/probe_files.hpp"
#include "sim/app/run/symmetry.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/bodies/level_set.hpp"
#include "sim/discrete/bodies/thickness.hpp"
#include "sim/discrete/boundaries/closed_inflow.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/model/schemes.hpp"

namespace hodge::sim {
namespace {

// Second-order differences have an error of first order, (h1 - h2) / 2 times the next derivative,
// where neighbours differ; guidelines for grids ask for ratios up to 1.2 or 1.3 (J. H. Ferziger &
// M. Peric, Computational Methods for Fluid Dynamics, 2002, Sec. 3.3.4).
constexpr double usual_ratio = 1.3;
constexpr int fewest_cells = 3;            // across a body
constexpr double usual_size = 20;          // of a surface over that of the box
constexpr double usual_steps = 1e5;        // to the end of a run
constexpr double usual_crossing = 1e5;     // steps in which the fluid crosses the box
constexpr double crossing_at_rest = 1e12;  // beyond, what moves is rounding
// Reynolds numbers of speed and width of a body beyond which vortices are shed: of a cylinder
// (C. H. K. Williamson, Annu. Rev. Fluid Mech. 28, 1996: 47 to 49), of a sphere (T. A. Johnson &
// V. C. Patel, J. Fluid Mech. 378, 1999: 211 to 270).
constexpr double shedding_in_plane = 47, shedding_in_space = 211;

class Doubts {
 public:
  Doubts(const Settings& settings, const Problem& problem, const Grid& grid,
         const std::vector<std::uint8_t>& bodies, const Preview& begin)
      : settings_(settings), problem_(problem), grid_(grid), bodies_(bodies), begin_(begin) {}

  std::vector<Doubt> all() {
    look_at_widths();
    look_at_surfaces();
    look_at_bodies();
    look_at_fluid();
    look_at_probes();
    if (begin_.dt > 0) look_at_step();
    return std::move(doubts_);
  }

 private:
  void add(const std::string& key, std::string text) { doubts_.push_back({key, std::move(text)}); }

  void look_at_widths() {
    const auto& [smallest, largest, ratio, axis] = begin_.widths;
    if (ratio <= usual_ratio) return;
    add("grid.stretching",
        fmt::format("neighbouring cells along {} differ by a factor of {:.3g}, and differences "
                    "lose accuracy beyond about {}: take more cells or a weaker stretching",
                    axis_names[axis], ratio, usual_ratio));
  }

  void look_at_surfaces() {
    for (const SurfaceOfSolid& one : begin_.surfaces) {
      if (!one.told.empty()) add(one.key, one.told);
      double size = 0, length = 0;
      for (int d = 0; d < 3; ++d) {
        size = std::max(size, one.upper[d] - one.lower[d]);
        length = std::max(length, grid_.axis(d).length());
      }
      if (size > usual_size * length)
        add(one.key, fmt::format("{} is {:.4g} long, and the box {:.4g}: is it in other units? "
                                 "surface.scale multiplies its coordinates",
                                 one_line(one.file), size, length));
    }
  }

  // Fluid that solids keep from the rest of it.
  void look_at_fluid() {
    if (bodies_.empty()) return;
    const FluidRegions regions = fluid_regions(grid_, bodies_, problem_.boundaries.periodic_axes());
    const std::vector<bool> open = regions_with_open_side(grid_, problem_.boundaries, regions);
    const auto closed = std::ranges::count(open, false);
    if (closed == 0 || open.size() == 1) return;
    long long cells = 0;
    for (std::size_t region = 0; region < open.size(); ++region)
      if (!open[region]) cells += regions.cells[region];
    add("solids",
        fmt::format("the solids cut the fluid into {} parts without a way between them; {} of "
                    "them, of {} cells, {} no open side, and the pressure there is known up to a "
                    "constant",
                    open.size(), closed, cells, closed == 1 ? "has" : "have"));
  }

  // Across which axis a body has fewest cells, by the box around its cells.
  void look_at_bodies() {
    if (bodies_.empty()) return;
    // Sharp bodies have cells whose centres are in them among the fluid's.
    const std::vector<std::uint8_t> cells =
        has_sharp_solids(problem_.solids) ? cell_bodies(grid_, problem_) : bodies_;
    std::vector<std::array<int, 3>> first(problem_.solids.size()), last(first);
    std::vector<bool> seen(problem_.solids.size());
    std::size_t cell = 0;
    for_each_on_host(all_cells(grid_), [&](const Index<3>& c) {
      const std::size_t body = cells[cell++];
      if (body == 0) return;
      for (int d = 0; d < 3; ++d) {
        first[body - 1][d] = seen[body - 1] ? std::min(first[body - 1][d], c[d]) : c[d];
        last[body - 1][d] = seen[body - 1] ? std::max(last[body - 1][d], c[d]) : c[d];
      }
      seen[body - 1] = true;
    });
    const LevelSets levels =
        level_sets(grid_, problem_.solids, problem_.boundaries.periodic_axes());
    for (std::size_t body = 0; body < seen.size(); ++body) {
      const auto number = static_cast<std::uint8_t>(body + 1);
      if (!seen[body]) continue;
      if (!is_as_thick_as_a_cell(*levels[body], grid_, cells, number))
        add(fmt::format("solids[{}]", body),
            fmt::format("{} is nowhere as thick as a cell: what becomes solid is what cells have "
                        "their centres in it, with gaps where there are none: take smaller cells "
                        "there",
                        solid_names(problem_.solids)[body]));
      else if (!is_at_a_side(first[body], last[body]))
        look_at_body(body, first[body], last[body]);
    }
    for (std::size_t body = 0; body < seen.size(); ++body)
      if (seen[body] && look_at_symmetry(body, first[body], last[body])) return;
  }

  // A part of a wall, such as a plate with an opening or a sill: the fluid does not flow around it.
  bool is_at_a_side(const std::array<int, 3>& first, const std::array<int, 3>& last) const {
    bool touches = false;
    for (int d = 0; d < grid_.dim(); ++d)
      touches = touches || first[d] == 0 || last[d] + 1 == grid_.cells(d);
    return touches;
  }

  // Whether the wake of a body in the middle of the box is its own image, and would leave that
  // state but for a disturbance. A body across the whole box is a cylinder.
  bool look_at_symmetry(std::size_t body, const std::array<int, 3>& first,
                        const std::array<int, 3>& last) {
    if (problem_.prescribed_velocity) return false;
    int across = 3 - grid_.dim();  // axes that it lies along from side to side
    bool touches = false;
    for (int d = 0; d < grid_.dim(); ++d) {
      const bool lower = first[d] == 0, upper = last[d] + 1 == grid_.cells(d);
      across += lower && upper;
      touches = touches || lower != upper;
    }
    if (touches || across > 1) return false;
    const double critical = across == 1 ? shedding_in_plane : shedding_in_space;
    for (int d = 0; d < grid_.dim(); ++d) {
      if (first[d] + last[d] + 1 != grid_.cells(d) || first[d] == 0) continue;
      const std::vector<double>& edges = grid_.edges(d);
      const double width =
          edges[static_cast<std::size_t>(last[d]) + 1] - edges[static_cast<std::size_t>(first[d])];
      const double reynolds = speed_at_start(problem_, grid_) * width / problem_.viscosity;
      if (!(reynolds > critical) ||
          !is_mirror_image(problem_, grid_, bodies_, d, 0.5 * settings_.time.end))
        continue;
      add(fmt::format("solids[{}]", body),
          fmt::format(
              "grid, sides, bodies and initial state are symmetric about {} = {:.6g}, where "
              "{} lies: vortices, which are shed beyond a Reynolds number of about {} (here "
              "{:.4g}), grow from rounding alone and come late; move the body by a "
              "cell along {}, or disturb initial.velocity",
              axis_names[d], 0.5 * (edges.front() + edges.back()),
              solid_names(problem_.solids)[body], critical, reynolds, axis_names[d]));
      return true;
    }
    return false;
  }

  void look_at_body(std::size_t body, const std::array<int, 3>& first,
                    const std::array<int, 3>& last) {
    for (int d = 0; d < grid_.dim(); ++d) {
      const int cells = last[d] - first[d] + 1;
      if (cells >= fewest_cells) continue;
      return add(fmt::format("solids[{}]", body),
                 fmt::format("{} is {} cell{} wide along {}, and the flow around a body needs at "
                             "least {}: take smaller cells there",
                             solid_names(problem_.solids)[body], cells, cells == 1 ? "" : "s",
                             axis_names[d], fewest_cells));
    }
  }

  // To all fields; a body that conducts a scalar is not.
  bool is_closed(std::uint8_t body) const {
    return body != 0 &&
           std::ranges::none_of(problem_.solids[body - 1U].scalars,
                                [](const SolidScalar& of) { return of.heat.has_value(); });
  }
  // A point between cells belongs to a fluid cell if there is one.
  bool is_in_solid(const Point& x) const {
    std::array<std::array<int, 2>, 3> cells{};
    for (int d = 0; d < grid_.dim(); ++d) {
      const std::vector<double>& edges = grid_.edges(d);
      const auto after = std::ranges::upper_bound(edges, x[d]) - edges.begin();
      const int upper = std::clamp(static_cast<int>(after) - 1, 0, grid_.cells(d) - 1);
      const bool between = upper > 0 && x[d] == edges[static_cast<std::size_t>(upper)];
      cells[d] = {upper, between ? upper - 1 : upper};
    }
    for (int k = 0; k < 8; ++k) {
      Index<3> c{};
      for (int d = 0; d < 3; ++d) c[d] = cells[d][(k >> d) & 1];
      if (!is_closed(bodies_[static_cast<std::size_t>(all_cells(grid_).position(c))])) return false;
    }
    return true;
  }

  void look_at_probes() {
    if (bodies_.empty()) return;
    for (const ProbePoint& point : settings_.probes.points)
      if (is_in_solid(point.at))
        add("probes.points." + point.name,
            fmt::format("the probe {} is in a solid, where nothing flows", point.name));
    for (const ProbeLine& line : settings_.probes.lines) {
      ProbeSettings alone;
      alone.lines = {line};
      const std::vector<Point> points = sampled_points(alone);
      const auto inside =
          std::ranges::count_if(points, [this](const Point& x) { return is_in_solid(x); });
      if (inside > 0)
        add("probes.lines." + line.name,
            fmt::format("{} of the {} points of {} are in solids, where nothing flows", inside,
                        points.size(), line.name));
    }
  }

  // Where lengths, speeds and times have units that do not belong together, steps are far too many.
  void look_at_step() {
    if (begin_.is_about_to_move) return;  // later steps are longer
    const StepSettings& step = settings_.time.step;
    const std::string key = step.size ? "time.step.size" : "time.end";
    const double steps = settings_.time.end / begin_.dt;
    if (steps > usual_steps && !settings_.time.max_steps)
      return add(key, fmt::format("the first step is {:.3g}, and {:.3g} of them reach time.end: do "
                                  "lengths, speeds and times have units that belong together?",
                                  begin_.dt, steps));
    if (begin_.cfl <= 0) return;
    int cells = 0;
    for (int d = 0; d < grid_.dim(); ++d) cells = std::max(cells, grid_.cells(d));
    const double crossing = cells / begin_.cfl;
    if (crossing > usual_crossing && crossing < crossing_at_rest)
      add(step.size  ? "time.step.size"
          : step.max ? "time.step.max"
                     : "time.step.cfl",
          fmt::format("the first step is {:.3g}, and the fluid crosses the box in {:.3g} of them: "
                      "do lengths, speeds and times have units that belong together?",
                      begin_.dt, crossing));
  }

  const Settings& settings_;
  const Problem& problem_;
  const Grid& grid_;
  const std::vector<std::uint8_t>& bodies_;
  const Preview& begin_;
  std::vector<Doubt> doubts_;
};

}  // namespace

std::vector<Doubt> doubts_about(const Settings& settings, const Problem& problem, const Grid& grid,
                                const std::vector<std::uint8_t>& bodies, const Preview& begin) {
  return Doubts(settings, problem, grid, bodies, begin).all();
}

}  // namespace hodge::sim
