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
// Formulas are means over the face.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linalg/vectors/buffer.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/base/formulas/program.hpp"
#include "sim/discrete/bodies/scalar_media.hpp"
#include "sim/discrete/fields/face_coefficient.hpp"
#include "sim/discrete/grid/mean_boxes.hpp"
#include "sim/model/boundaries.hpp"
#include "sim/model/solid.hpp"

namespace hodge::sim {

// The surface of one body.
template <int Dim>
struct SurfaceView {
  GridView<Dim> grid;
  BoxBounds<Dim> bounds;
  const SurfaceFace<Dim>* faces;
  Condition condition;
  ProgramView value, coefficient;

  HODGE_HD double mean(const ProgramView& formula, double time, const SurfaceFace<Dim>& at) const {
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

template <int Dim, class Space>
class ScalarBodies {
 public:
  ScalarBodies(const DeviceGrid<Dim, Space>& grid, const std::vector<Solid>& solids,
               const std::string& scalar, const ScalarMedia<Dim>& media)
      : layout_(grid.layout()),
        grid_(grid.view()),
        bounds_(grid.bounds()),
        bodies_(grid.layout(), media.points),
        capacity_(std::span<const double>(media.capacity)) {
    std::vector<std::span<const Instruction>> programs;
    for (std::size_t k = 0; k < solids.size(); ++k) {
      const SolidScalar* const of = scalar_of(solids[k], scalar);
      if (of == nullptr) continue;
      if (of->heat && !of->heat->source.is_zero()) {
        sources_.push_back({static_cast<int>(k) + 1, static_cast<int>(programs.size())});
        programs.push_back(of->heat->source.instructions());
      }
      const ScalarSide& at = of->surface;
      const bool slope_changes = at.coefficient.depends_on_time();
      slopes_change_ = slopes_change_ || slope_changes;
      if (of->heat || media.surfaces[k].empty()) continue;
      surfaces_.push_back({at.traits().condition, static_cast<int>(programs.size()),
                           at.value.depends_on_time() || slope_changes,
                           linalg::Buffer<SurfaceFace<Dim>, Space>(
                               std::span<const SurfaceFace<Dim>>(media.surfaces[k]))});
      programs.push_back(at.value.instructions());
      programs.push_back(at.coefficient.instructions());
    }
    programs_ = Programs<Space>(programs);
    for (int e = 0; e < Dim; ++e)
      faces_[e] = linalg::Buffer<double, Space>(std::span<const double>(media.faces[e]));
    if (has_media()) forcing_.emplace(grid.layout());
    refresh(0.0);
  }

  // The closures of conditions that depend on time, and at first of all others.
  void refresh(double time) {
    if (time_ == time) return;
    for (const Surface& surface : surfaces_)
      if (!time_ || surface.changes) refresh(surface, time);
    time_ = time;
  }

  bool has_media() const { return capacity_.size() > 0; }
  bool slopes_change() const { return slopes_change_; }
  BodyView<Dim> view() const { return bodies_.view(); }
  FaceCoefficient<Dim> coefficient() const {
    FaceCoefficient<Dim> coefficient{};
    if (!has_media()) return coefficient;
    coefficient.capacity = view_of(layout_, capacity_.data());
    for (int e = 0; e < Dim; ++e) coefficient.faces[e] = view_of(layout_, faces_[e].data());
    return coefficient;
  }

  // What drives the scalar, over the capacity: `given`, or the constant, in the fluid; the sources
  // of the bodies in them. Null: nothing does. With media.
  ConstFieldView<Dim> forcing(const ConstFieldView<Dim>& given, double constant, double time) {
    if (sources_.empty() && given.origin == nullptr && constant == 0.0) return {};
    const FieldView<Dim> f = forcing_->view();
    const BodyView<Dim> bodies = bodies_.view();
    linalg::for_each<Space>(layout_.interior(), [=] HODGE_LAMBDA(const Index<Dim>& c) {
      f(c) = bodies.body(c) != 0 ? 0.0 : given.origin != nullptr ? given(c) : constant;
    });
    for (const auto& [body, program] : sources_) add_source(body, programs_.view(program), time);
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
  struct Source {
    int body, program;
  };

  Layout<Dim> layout_;
  GridView<Dim> grid_;
  BoxBounds<Dim> bounds_;
  Bodies<Dim, Space> bodies_;
  linalg::Buffer<double, Space> faces_[Dim], capacity_;
  std::vector<Surface> surfaces_;
  std::vector<Source> sources_;
  Programs<Space> programs_;
  std::optional<Field<Dim, Space>> forcing_;
  std::optional<double> time_;  // of the closures
  bool slopes_change_ = false;
};

}  // namespace hodge::sim
