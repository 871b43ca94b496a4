#include "sim/discrete/bodies/scalar_media.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "sim/base/key_error.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/grid/metrics.hpp"
#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {
namespace {

struct Medium {
  bool is_inside = false, has_surface = false;
  double conductivity = 0, capacity = 1, resistance = 0;
};

// Of the fluid, then of each body.
std::vector<Medium> media_of(const ScalarProblem& scalar, const std::vector<Solid>& solids) {
  std::vector<Medium> media{{.is_inside = true, .conductivity = scalar.diffusivity}};
  for (const Solid& solid : solids) {
    Medium& medium = media.emplace_back();
    const SolidScalar* const of = scalar_of(solid, scalar.name);
    if (of == nullptr) continue;
    medium.has_surface = !of->heat && !of->surface.is_without_flux();
    if (of->heat)
      medium = {true, false, of->heat->conductivity, of->heat->capacity, of->heat->resistance};
  }
  return media;
}

// The largest ratio of the widths of two cells side by side.
double largest_growth_of_cells(const Grid& grid) {
  double largest = 1;
  for (int d = 0; d < grid.dim(); ++d) {
    const std::vector<double>& h = grid.axis(d).widths;
    for (std::size_t i = 1; i < h.size(); ++i)
      largest = std::max({largest, h[i] / h[i - 1], h[i - 1] / h[i]});
  }
  return largest;
}

template <int Dim>
class MediaMaker {
 public:
  MediaMaker(const Grid& grid, const Layout<Dim>& layout, const Problem& problem,
             const ScalarProblem& scalar, const std::vector<std::uint8_t>& cells,
             const BodyPoints<Dim>& flow)
      : layout_(layout),
        boundaries_(problem.boundaries),
        cells_(cells),
        flow_(flow),
        grid_(grid, problem.boundaries, layout),
        media_(media_of(scalar, problem.solids)),
        diffusivity_(scalar.diffusivity) {
    for (int d = 0; d < Dim; ++d) lengths_[d] = grid.axis(d).upper() - grid.axis(d).lower();
  }

  ScalarMedia<Dim> make() {
    made_.points.table = flow_.table;
    made_.points.entries.resize(layout_.size());
    made_.surfaces.resize(media_.size() - 1);
    const auto entry_of_flow = view_of(layout_, flow_.entries.data());
    const auto entry = view_of(layout_, made_.points.entries.data());
    for_each_on_host(layout_.padded(), [&](const Index<Dim>& c) {
      entry(c) =
          medium(c).is_inside && body(c) != 0 ? entry_within(entry_of_flow(c)) : entry_of_flow(c);
    });
    Box<Dim> with_ghosts = layout_.interior();
    for (int d = 0; d < Dim; ++d) --with_ghosts.lower[d], ++with_ghosts.upper[d];
    for_each_on_host(with_ghosts, [&](const Index<Dim>& c) {
      if (is_in_box(c) && medium(c).is_inside) add_surfaces(c, entry(c));
    });
    if (std::ranges::count_if(media_, &Medium::is_inside) > 1) add_coefficients();
    return std::move(made_);
  }

 private:
  int body(const Index<Dim>& c) const {
    Index<Dim> inner = layout_.in_whole(c);
    const Box<Dim> whole = layout_.whole_box();
    for (int d = 0; d < Dim; ++d)
      inner[d] = inner_cell(inner[d], whole.upper[d], boundaries_.periodic(d));
    return cells_[static_cast<std::size_t>(whole.position(inner))];
  }
  // Or in a periodic image of it.
  bool is_in_box(const Index<Dim>& c) const {
    const Index<Dim> place = layout_.in_whole(c);
    for (int d = 0; d < Dim; ++d)
      if (periods_beyond(place, d) != 0 && !boundaries_.periodic(d)) return false;
    return true;
  }
  int periods_beyond(const Index<Dim>& place, int d) const {
    return place[d] < 0 ? -1 : place[d] < layout_.whole_box().upper[d] ? 0 : 1;
  }
  const Medium& medium(const Index<Dim>& c) const {
    return media_[static_cast<std::size_t>(body(c))];
  }

  // That of the flow, but open to the scalar.
  int entry_within(int of_flow) {
    const auto [at, is_new] =
        within_.try_emplace(of_flow, static_cast<int>(made_.points.table.size()));
    if (is_new) {
      BodyPoint<Dim> point = flow_.table[static_cast<std::size_t>(of_flow)];
      point.fluid = 1.0;
      point.excluded[at_cells + 1] = false;
      made_.points.table.push_back(point);
    }
    return at->second;
  }

  // Where c is beside bodies with conditions, it gets an entry of its own.
  void add_surfaces(const Index<Dim>& c, int& entry) {
    bool is_own = false;
    const GridView<Dim> grid = grid_.view();
    for (int e = 0; e < Dim; ++e)
      for (int side = 0; side < 2; ++side) {
        const int there = body(c.shifted(e, side == 0 ? -1 : 1));
        if (!media_[static_cast<std::size_t>(there)].has_surface) continue;
        if (!std::exchange(is_own, true)) {
          const BodyPoint<Dim> point = made_.points.table[static_cast<std::size_t>(entry)];
          entry = static_cast<int>(made_.points.table.size());
          made_.points.table.push_back(point);
        }
        const double k = medium(c).conductivity;
        SurfaceFace<Dim> face{c,
                              {},
                              e,
                              side,
                              entry,
                              k / (0.5 * grid.width(e, c[e])),
                              k / grid.distance(e, c[e] + side)};
        for (int d = 0; d < Dim; ++d)
          face.shift[d] = -periods_beyond(layout_.in_whole(c), d) * lengths_[d];
        made_.surfaces[static_cast<std::size_t>(there - 1)].push_back(face);
      }
  }

  void add_coefficients() {
    made_.capacity.assign(layout_.size(), 1.0);
    const auto capacity = view_of(layout_, made_.capacity.data());
    for_each_on_host(layout_.padded(), [&](const Index<Dim>& c) {
      if (medium(c).is_inside) capacity(c) = medium(c).capacity;
    });
    for (int e = 0; e < Dim; ++e) {
      made_.faces[e].assign(layout_.size(), 1.0);
      const auto face = view_of(layout_, made_.faces[e].data());
      Box<Dim> faces = layout_.padded();
      ++faces.lower[e];
      for_each_on_host(faces, [&](const Index<Dim>& c) { face(c) = coefficient(e, c); });
    }
  }

  // r of the face below c along e.
  double coefficient(int e, const Index<Dim>& c) const {
    const Index<Dim> below = c.shifted(e, -1);
    const int a = body(below), b = body(c);
    const Medium &from = medium(below), &to = medium(c);
    if (!from.is_inside && !to.is_inside) return 1.0;
    if (a == b || !to.is_inside) return from.conductivity / diffusivity_;
    if (!from.is_inside) return to.conductivity / diffusivity_;
    const GridView<Dim> grid = grid_.view();
    const double resistance = 0.5 * grid.width(e, below[e]) / from.conductivity + from.resistance +
                              to.resistance + 0.5 * grid.width(e, c[e]) / to.conductivity;
    return grid.distance(e, c[e]) / (resistance * diffusivity_);
  }

  Layout<Dim> layout_;
  const Boundaries& boundaries_;
  const std::vector<std::uint8_t>& cells_;
  const BodyPoints<Dim>& flow_;
  DeviceGrid<Dim, linalg::Host> grid_;
  std::vector<Medium> media_;
  double diffusivity_, lengths_[Dim];
  std::map<int, int> within_;
  ScalarMedia<Dim> made_;
};

// Which bodies touch fluid or a medium of the scalar that is not their own.
std::vector<bool> touching(const Grid& grid, const Boundaries& sides,
                           const std::vector<Medium>& media,
                           const std::vector<std::uint8_t>& cells) {
  std::vector<bool> touches(media.size());
  const Box<3> all = all_cells(grid);
  for_each_on_host(all, [&](const Index<3>& c) {
    const std::size_t here = cells[static_cast<std::size_t>(all.position(c))];
    for (int e = 0; e < grid.dim(); ++e) {
      Index<3> next = c.shifted(e, 1);
      if (next[e] == grid.cells(e) && !sides.periodic(e)) continue;
      next[e] %= grid.cells(e);
      const std::size_t there = cells[static_cast<std::size_t>(all.position(next))];
      if (here == there) continue;
      touches[here] = touches[here] || media[there].is_inside;
      touches[there] = touches[there] || media[here].is_inside;
    }
  });
  return touches;
}

}  // namespace

bool has_media(const ScalarProblem& scalar, const std::vector<Solid>& solids) {
  return std::ranges::any_of(
      solids, [&](const Solid& solid) { return heat_in(solid, scalar.name) != nullptr; });
}

bool meets_bodies(const ScalarProblem& scalar, const std::vector<Solid>& solids) {
  return std::ranges::any_of(media_of(scalar, solids), &Medium::has_surface) ||
         has_media(scalar, solids);
}

template <int Dim>
ScalarMedia<Dim> scalar_media(const Grid& grid, const Layout<Dim>& layout, const Problem& problem,
                              const ScalarProblem& scalar, const std::vector<std::uint8_t>& cells,
                              const BodyPoints<Dim>& flow) {
  return MediaMaker<Dim>(grid, layout, problem, scalar, cells, flow).make();
}

template ScalarMedia<2> scalar_media(const Grid&, const Layout<2>&, const Problem&,
                                     const ScalarProblem&, const std::vector<std::uint8_t>&,
                                     const BodyPoints<2>&);
template ScalarMedia<3> scalar_media(const Grid&, const Layout<3>&, const Problem&,
                                     const ScalarProblem&, const std::vector<std::uint8_t>&,
                                     const BodyPoints<3>&);

double largest_diffusivity(const ScalarProblem& scalar, const std::vector<Solid>& solids,
                           const Grid& grid) {
  const std::vector<Medium> media = media_of(scalar, solids);
  if (!has_media(scalar, solids)) return scalar.diffusivity;
  const double growth = largest_growth_of_cells(grid);
  double largest = 0;
  for (const Medium& here : media)
    for (const Medium& there : media) {
      if (!here.is_inside || !there.is_inside) continue;
      const double other = growth * there.conductivity;
      const double between = 2 * here.conductivity * other / (here.conductivity + other);
      largest = std::max(largest, std::max(here.conductivity, between) / here.capacity);
    }
  return largest;
}

double least_conductivity(const ScalarProblem& scalar, const std::vector<Solid>& solids) {
  double least = scalar.diffusivity;
  for (const Solid& solid : solids)
    if (const HeatInside* const heat = heat_in(solid, scalar.name))
      least = std::min(least, heat->conductivity);
  return least;
}

void check_contacts(const Grid& grid, const Problem& problem,
                    const std::vector<std::uint8_t>& cells) {
  for (const ScalarProblem& scalar : problem.scalars) {
    if (!meets_bodies(scalar, problem.solids)) continue;
    const std::vector<Medium> media = media_of(scalar, problem.solids);
    const std::vector<bool> touches = touching(grid, problem.boundaries, media, cells);
    for (std::size_t k = 0; k < problem.solids.size(); ++k) {
      const Medium& of = media[k + 1];
      if ((!of.is_inside && !of.has_surface) || touches[k + 1]) continue;
      throw KeyError(fmt::format("solids[{}].scalars.{}", k, scalar.name),
                     fmt::format("solid {} touches neither fluid nor a body that conducts {}, so "
                                 "what it says of {} has no effect",
                                 quote(solid_names(problem.solids)[k]), scalar.name, scalar.name));
    }
  }
}

}  // namespace hodge::sim
