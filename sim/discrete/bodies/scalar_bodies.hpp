// Bodies as one scalar meets them, in the memory of a space: conditions of their surfaces as
// closures of the values beside them, refreshed for a time; conductances and capacities of media,
// and their sources (scalar_media.hpp). q is the value in the cell beside the body, G the
// conductance per area from there to the surface, K that of the operator, which sees the distance
// of two centres:
//
//     condition     flux into the cell, per area       offset, slope
//     value         G (w - q)                          w G / K, 1 - G / K;  2 w, -1 of equal cells
//     flux          g                                  g / K, 1
//     convective    U (w - q), U = k G / (k + G)       w U / K, 1 - U / K
//
// Formulas are means over the face. Beside sharp bodies (sharp_scalars.hpp) they are taken at
// points of the surface, and flux and convective conditions act on the cells that the surface cuts:
// their gain A_wall g, or A_wall K w, is a source, their loss A_wall K q a part of the equation.
// Over 400 lines: one class holds what all conditions and media are for one scalar.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linalg/vectors/buffer.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/base/formulas/program.hpp"
#include "sim/discrete/bodies/along_surfaces.hpp"
#include "sim/discrete/bodies/scalar_media.hpp"
#include "sim/discrete/fields/face_coefficient.hpp"
#include "sim/discrete/grid/mean_boxes.hpp"
#include "sim/model/boundaries.hpp"
#include "sim/model/solid.hpp"

namespace hodge::sim {

// A formula at a place, in the layout of a MeanBox without extent.
template <int Dim>
HODGE_HD double value_at(const ProgramView& formula, const double (&place)[Dim], double time) {
  MeanBox box;
  for (int d = 0; d < Dim; ++d) box.lower[d] = box.upper[d] = box.place[d] = place[d];
  return value_over(formula, box, time);
}

// The surface of one body.
template <int Dim>
struct SurfaceView {
  GridView<Dim> grid;
  BoxBounds<Dim> bounds;
  const SurfaceFace<Dim>* faces;
  Condition condition;
  ProgramView value, coefficient;

  HODGE_HD double mean(const ProgramView& formula, double time, const SurfaceFace<Dim>& at) const {
    if (at.at_point) return value_at(formula, at.place, time);
    MeanBox box = mean_box(grid, bounds, at_cells, at.axis, at.c);
    const double x = grid.edge(at.axis, at.c[at.axis] + at.side);
    box.lower[at.axis] = box.upper[at.axis] = box.place[at.axis] = x;
    for (int d = 0; d < Dim; ++d) {
      box.lower[d] += at.shift[d];
      box.upper[d] += at.shift[d];
      box.place[d] += at.shift[d];
    }
    return value_over(formula, box, time);
  }
  HODGE_HD AffineClosure closure(double time, const SurfaceFace<Dim>& at) const {
    const double given = mean(value, time, at);
    if (condition == Condition::flux) return {given / at.across, 1.0};
    double conductance = at.near;
    if (condition == Condition::convective) {
      const double k = mean(coefficient, time, at);
      // As in a side of the box (boundaries/field_boundary.hpp).
      if (k < -coefficient_round_off * at.near) return {NAN, NAN};
      conductance = k > 0.0 ? k * at.near / (k + at.near) : 0.0;
    }
    const double share = conductance / at.across;
    return {share * given, 1.0 - share};
  }
};

// The surface of a sharp body in the cells that it cuts.
template <int Dim>
struct WallView {
  const SharpWall<Dim>* pieces;
  Condition condition;
  double diffusivity;
  ProgramView value, coefficient;

  // K of the whole piece; not a number where a coefficient is negative, or so large that cells are
  // too coarse for it: their centre in the body is too far from the surface.
  HODGE_HD double conductance(double time, const SharpWall<Dim>& at) const {
    const double k = value_at(coefficient, at.place, time);
    const double share = 1.0 + k * at.distance / diffusivity;
    return k < 0.0 || share < 0.999 * least_convective_share ? NAN : at.area * k / share;
  }
};

template <int Dim, class Space>
class ScalarBodies {
 public:
  ScalarBodies(const DeviceGrid<Dim, Space>& grid, const std::vector<Solid>& solids,
               const std::string& scalar, double diffusivity, const ScalarMedia<Dim>& media)
      : layout_(grid.layout()),
        grid_(grid.view()),
        bounds_(grid.bounds()),
        bodies_(grid.layout(), media.points),
        diffusivity_(diffusivity),
        capacity_(std::span<const double>(media.capacity)),
        beside_(std::span<const Index<Dim>>(media.beside)),
        behind_(std::span<const Index<Dim>>(media.behind)),
        conducts_(media.conducts),
        owners_(std::span<const int>(media.owners)),
        fluid_share_(std::span<const double>(media.fluid_share)),
        along_cells_(std::span<const CellAlongSurface<Dim>>(media.along.cells)),
        along_faces_(std::span<const FluxAlongSurface<Dim>>(media.along.faces)),
        along_taps_(std::span<const WeighedCell<Dim>>(media.along.taps)) {
    std::vector<std::span<const Instruction>> programs;
    for (std::size_t k = 0; k < solids.size(); ++k) {
      const SolidScalar* const of = scalar_of(solids[k], scalar);
      if (of == nullptr) continue;
      if (of->heat && !of->heat->source.is_zero()) {
        sources_.push_back({static_cast<int>(k) + 1, static_cast<int>(programs.size()), {}});
        programs.push_back(of->heat->source.instructions());
        if (media.conducts)
          sources_.back().parts = linalg::Buffer<PartOfCell<Dim>, Space>(
              std::span<const PartOfCell<Dim>>(media.parts[k]));
      }
      const ScalarSide& at = of->surface;
      const bool slope_changes = at.coefficient.depends_on_time();
      slopes_change_ = slopes_change_ || slope_changes;
      if (!of->heat && !at.is_without_flux() && !media.walls.empty() && !media.walls[k].empty())
        add_walls(at, media.walls[k], programs);
      if (of->heat || media.surfaces[k].empty()) continue;
      surfaces_.push_back({at.traits().condition, static_cast<int>(programs.size()),
                           at.value.depends_on_time() || slope_changes,
                           linalg::Buffer<SurfaceFace<Dim>, Space>(
                               std::span<const SurfaceFace<Dim>>(media.surfaces[k]))});
      programs.push_back(at.value.instructions());
      programs.push_back(at.coefficient.instructions());
    }
    programs_ = Programs<Space>(programs);
    for (int e = 0; e < Dim; ++e) {
      faces_[e] = linalg::Buffer<double, Space>(std::span<const double>(media.faces[e]));
      in_sides_[e] = linalg::Buffer<double, Space>(std::span<const double>(media.in_sides[e]));
    }
    for (const auto& cells : media.beyond_owner)
      beyond_owner_.emplace_back(std::span<const BeyondOwner<Dim>>(cells));
    if (has_media()) forcing_.emplace(grid.layout());
    if (!walls_.empty()) {
      gain_.emplace(grid.layout());
      loss_.emplace(grid.layout());
    }
    refresh(0.0);
  }

  // The closures of conditions that depend on time, and at first of all others.
  void refresh(double time) {
    if (time_ == time) return;
    for (const Surface& surface : surfaces_)
      if (!time_ || surface.changes) refresh(surface, time);
    for (const Walls& walls : walls_)
      if (!time_ || walls.changes) refresh(walls, time);
    time_ = time;
  }

  bool is_sharp() const { return bodies_.view().cuts_faces; }
  // Sharp bodies have the scalar in them.
  bool conducts_sharply() const { return conducts_; }
  // What heat along their surfaces carries.
  AlongSurfaces<Dim> along() const {
    return {along_cells_.data(), static_cast<int>(along_cells_.size()),
            along_faces_.data(), static_cast<int>(along_faces_.size()),
            along_taps_.data(),  conducts_};
  }
  bool has_media() const { return capacity_.size() > 0 || is_sharp(); }
  bool slopes_change() const { return slopes_change_; }
  // Of sharp bodies: what passes their surfaces into a cell is gain - loss * q; null: nothing.
  ConstFieldView<Dim> gain() const {
    return gain_ ? std::as_const(*gain_).view() : ConstFieldView<Dim>{};
  }
  ConstFieldView<Dim> loss() const {
    return loss_ ? std::as_const(*loss_).view() : ConstFieldView<Dim>{};
  }
  // The own cells beside closures of sharp bodies, whose convection is that of a difference from
  // the value there, because the flow passes the cells behind them.
  std::span<const Index<Dim>> beside() const { return {beside_.data(), beside_.size()}; }
  BodyView<Dim> view() const { return bodies_.view(); }
  FaceCoefficient<Dim> coefficient() const {
    FaceCoefficient<Dim> coefficient{};
    if (capacity_.size() == 0) return coefficient;
    coefficient.capacity = view_of(layout_, capacity_.data());
    for (int e = 0; e < Dim; ++e) coefficient.faces[e] = view_of(layout_, faces_[e].data());
    return coefficient;
  }

  // Of sides, which see what conducts and not how much of a face is open.
  FaceCoefficient<Dim> in_sides() const {
    FaceCoefficient<Dim> coefficient = this->coefficient();
    if (!is_sharp()) return coefficient;
    if (!conducts_) return {};
    for (int e = 0; e < Dim; ++e)
      if (in_sides_[e].size() > 0) coefficient.faces[e] = view_of(layout_, in_sides_[e].data());
    return coefficient;
  }
  // The body that the centre of each cell is in, of sharp bodies that conduct; or null.
  FieldView<Dim, const int> owners() const {
    return conducts_ ? view_of(layout_, owners_.data()) : FieldView<Dim, const int>{};
  }

  // What drives the scalar, over the capacity: `given`, or the constant, in the fluid; the sources
  // of the bodies in them. Null: nothing does. With media.
  // With the gain, or without it.
  ConstFieldView<Dim> forcing(const ConstFieldView<Dim>& given, double constant, double time,
                              bool gains) {
    gains = gains && gain_;
    if (sources_.empty() && !gains && given.origin == nullptr && constant == 0.0) return {};
    const FieldView<Dim> f = forcing_->view();
    const BodyView<Dim> bodies = bodies_.view();
    linalg::for_each<Space>(layout_.interior(), [=] HODGE_LAMBDA(const Index<Dim>& c) {
      const bool in_body = bodies.cuts_faces ? bodies.excludes(at_cells, c) : bodies.body(c) != 0;
      f(c) = in_body ? 0.0 : given.origin != nullptr ? given(c) : constant;
    });
    if (conducts_) share_with_bodies(f);
    if (gains) add_gain(f);
    for (const Source& source : sources_)
      if (conducts_)
        add_parts_of_source(source, time);
      else
        add_source(source.body, programs_.view(source.program), time);
    return std::as_const(*forcing_).view();
  }

  // Of sharp bodies that conduct: the fluid has its source in its part of a cell, they in theirs.
  void share_with_bodies(const FieldView<Dim>& f) {
    const ConstFieldView<Dim> share = view_of(layout_, std::as_const(fluid_share_).data());
    linalg::for_each<Space>(layout_.interior(),
                            [=] HODGE_LAMBDA(const Index<Dim>& c) { f(c) *= share(c); });
  }

  // What body `body` gives exceeds what its cells do by this, cell by cell (scalar_media.hpp);
  // until the next forcing. `q` was `before` a time dt ago; dt 0: nothing is known of its change.
  ConstFieldView<Dim> beyond_owner(int body, const ConstFieldView<Dim>& q,
                                   const ConstFieldView<Dim>& before, double dt,
                                   const ConstFieldView<Dim>& given, double constant, double time) {
    forcing_->values().fill(0.0);
    const FieldView<Dim> f = forcing_->view();
    const auto& cells = beyond_owner_[static_cast<std::size_t>(body - 1)];
    const BeyondOwner<Dim>* const at = cells.data();
    const auto source = std::ranges::find(sources_, body, &Source::body);
    const ProgramView formula =
        source != sources_.end() ? programs_.view(source->program) : ProgramView{};
    const bool has_source = source != sources_.end();
    const GridView<Dim> grid = grid_;
    const BoxBounds<Dim> bounds = bounds_;
    const double per_time = dt > 0.0 ? 1.0 / dt : 0.0;
    linalg::for_each<Space>(static_cast<int>(cells.size()), [=] HODGE_LAMBDA(int i) {
      const Index<Dim>& c = at[i].c;
      double sum = at[i].of_fluid * (given.origin != nullptr ? given(c) : constant) +
                   at[i].stored * per_time * (q(c) - before(c));
      if (has_source && at[i].of_body != 0.0)
        sum += at[i].of_body * value_over(formula, mean_box(grid, bounds, at_cells, -1, c), time);
      f(c) += sum;
    });
    const AlongSurfaces<Dim> along = this->along();
    const FieldView<Dim, const int> owner = owners();
    linalg::for_each<Space>(along.count, [=] HODGE_LAMBDA(int i) {
      const CellAlongSurface<Dim>& cell = along.cells[i];
      if (owner(cell.c) == body) f(cell.c) -= along.gain(cell, q);
    });
    return std::as_const(*forcing_).view();
  }

  // Calls of a loop may not be private.
  void add_source(int body, const ProgramView& formula, double time) {
    const FieldView<Dim> f = forcing_->view();
    const BodyView<Dim> bodies = bodies_.view();
    const FaceCoefficient<Dim> of = coefficient();
    const GridView<Dim> grid = grid_;
    const BoxBounds<Dim> bounds = bounds_;
    linalg::for_each<Space>(layout_.interior(), [=] HODGE_LAMBDA(const Index<Dim>& c) {
      if (bodies.body(c) == body)
        f(c) =
            value_over(formula, mean_box(grid, bounds, at_cells, -1, c), time) / of.capacity_at(c);
    });
  }

  struct Source {
    int body, program;
    linalg::Buffer<PartOfCell<Dim>, Space> parts;  // of sharp bodies
  };
  void add_parts_of_source(const Source& source, double time) {
    const FieldView<Dim> f = forcing_->view();
    const PartOfCell<Dim>* const parts = source.parts.data();
    const ProgramView formula = programs_.view(source.program);
    const GridView<Dim> grid = grid_;
    const BoxBounds<Dim> bounds = bounds_;
    linalg::for_each<Space>(static_cast<int>(source.parts.size()), [=] HODGE_LAMBDA(int i) {
      const Index<Dim>& c = parts[i].c;
      f(c) += parts[i].share * value_over(formula, mean_box(grid, bounds, at_cells, -1, c), time);
    });
  }

  void add_gain(const FieldView<Dim>& f) {
    const ConstFieldView<Dim> gain = this->gain();
    const FaceCoefficient<Dim> of = coefficient();
    const GridView<Dim> grid = grid_;
    linalg::for_each<Space>(layout_.interior(), [=] HODGE_LAMBDA(const Index<Dim>& c) {
      if (gain(c) != 0.0)
        f(c) += gain(c) * grid.inverse_control_volume(at_cells, c) / of.capacity_at(c);
    });
  }

  // In cells that sharp bodies with a value have the centre of, as buoyancy and frames read them:
  // on the line through the surface from a cell beside, or the next one where that is too near to
  // it.
  void fill_behind(Field<Dim, Space>& field) const {
    const Index<Dim>* const cells = behind_.data();
    const BodyView<Dim> bodies = bodies_.view();
    const FieldView<Dim> q = field.view();
    linalg::for_each<Space>(static_cast<int>(behind_.size()), [=] HODGE_LAMBDA(int i) {
      const Index<Dim> c = cells[i];
      double sum = 0.0, count = 0.0;
      for (int e = 0; e < Dim; ++e)
        for (int side = 0; side < 2; ++side) {
          const int away = side == 0 ? -1 : 1;
          const Index<Dim> from = c.shifted(e, away), next = from.shifted(e, away);
          if (bodies.excludes(at_cells, from)) continue;
          const AffineClosure beyond = bodies.beyond(at_cells, e, 1 - side, from);
          if (beyond.slope == 1.0) continue;
          const double given = beyond.offset / (1.0 - beyond.slope);
          const double theta = 1.0 / (1.0 - beyond.slope);
          if (theta >= 0.5)
            sum += given + beyond.slope * (q(from) - given);
          else if (!bodies.excludes(at_cells, next))
            sum += given + (1.0 - theta) / (1.0 + theta) * (given - q(next));
          else
            sum += given;
          count += 1.0;
        }
      if (count > 0.0) q(c) = sum / count;
    });
  }

  struct Walls {
    Condition condition;
    int program;  // of the value; behind it the coefficient's
    bool changes;
    linalg::Buffer<SharpWall<Dim>, Space> pieces;
  };
  void refresh(const Walls& walls, double time) {
    const WallView<Dim> on{walls.pieces.data(), walls.condition, diffusivity_,
                           programs_.view(walls.program), programs_.view(walls.program + 1)};
    const FieldView<Dim> gain = gain_->view(), loss = loss_->view();
    linalg::for_each<Space>(static_cast<int>(walls.pieces.size()), [=] HODGE_LAMBDA(int i) {
      const SharpWall<Dim>& at = on.pieces[i];
      const double given = value_at(on.value, at.place, time);
      const bool is_flux = on.condition == Condition::flux;
      loss(at.c) = is_flux ? 0.0 : on.conductance(time, at);
      gain(at.c) = given * (is_flux ? at.area : loss(at.c));
    });
  }

  struct Surface {
    Condition condition;
    int program;  // of the value; behind it the coefficient's
    bool changes;
    linalg::Buffer<SurfaceFace<Dim>, Space> faces;
  };
  void refresh(const Surface& surface, double time) {
    const SurfaceView<Dim> on{grid_,
                              bounds_,
                              surface.faces.data(),
                              surface.condition,
                              programs_.view(surface.program),
                              programs_.view(surface.program + 1)};
    BodyPoint<Dim>* const table = bodies_.table();
    linalg::for_each<Space>(static_cast<int>(surface.faces.size()), [=] HODGE_LAMBDA(int i) {
      const SurfaceFace<Dim>& at = on.faces[i];
      table[at.entry].beyond[at_cells + 1][at.axis][at.side] = on.closure(time, at);
    });
  }

 private:
  void add_walls(const ScalarSide& of, const std::vector<SharpWall<Dim>>& pieces,
                 std::vector<std::span<const Instruction>>& programs) {
    walls_.push_back(
        {of.traits().condition, static_cast<int>(programs.size()),
         of.value.depends_on_time() || of.coefficient.depends_on_time(),
         linalg::Buffer<SharpWall<Dim>, Space>(std::span<const SharpWall<Dim>>(pieces))});
    programs.push_back(of.value.instructions());
    programs.push_back(of.coefficient.instructions());
  }

  Layout<Dim> layout_;
  GridView<Dim> grid_;
  BoxBounds<Dim> bounds_;
  Bodies<Dim, Space> bodies_;
  double diffusivity_;
  linalg::Buffer<double, Space> faces_[Dim], capacity_, in_sides_[Dim];
  linalg::Buffer<Index<Dim>, Space> beside_, behind_;
  bool conducts_;
  linalg::Buffer<int, Space> owners_;
  linalg::Buffer<double, Space> fluid_share_;
  linalg::Buffer<CellAlongSurface<Dim>, Space> along_cells_;
  linalg::Buffer<FluxAlongSurface<Dim>, Space> along_faces_;
  linalg::Buffer<WeighedCell<Dim>, Space> along_taps_;
  std::vector<linalg::Buffer<BeyondOwner<Dim>, Space>> beyond_owner_;
  std::vector<Surface> surfaces_;
  std::vector<Walls> walls_;
  std::vector<Source> sources_;
  Programs<Space> programs_;
  std::optional<Field<Dim, Space>> forcing_, gain_, loss_;
  std::optional<double> time_;  // of the closures
  bool slopes_change_ = false;
};

}  // namespace hodge::sim
