// Pressure, friction and fluxes of scalars on surfaces: sides of the box and bodies, as the
// discrete equations have them. At each face, n pointing from the surface into the fluid:
//
//   pressure     p, linear from the two cells beside the face; on open sides that which is given
//   friction_t   rho nu du_t/dn, the force of the fluid on the surface per area. u_t is the mean of
//                the two faces of component t of the cell. On a side the derivative is that of the
//                parabola through the side and two values (operators/side_friction.hpp), beside a
//                body the difference to the nearest one. 0 along slip and open sides
//   NAME_flux    D times the descent of the scalar along n, at the face: what enters the fluid
//   NAME_value   the scalar at the face, on the side of the fluid: what its flux reaches over half
//                the cell
//   NAME_inside  on the other side of a body that conducts it with a resistance: NAME_value +
//                resistance NAME_flux. There is none where no body has a resistance
//   y_plus       y sqrt(|friction| / rho) / nu of the first value, y from the face. 0 without nu
//
// Of sharp bodies there are patches in place of faces (sharp_patches.hpp).
//
// A call runs one kernel over the faces, allocates nothing on the device and downloads
// columns x faces numbers. Where processes share the box, each computes its own faces, and one
// message brings them together.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/boundaries/side_kinds.hpp"
#include "sim/discrete/fields/face_coefficient.hpp"
#include "sim/discrete/operators/diffusion.hpp"
#include "sim/discrete/probes/point_sampler.hpp"
#include "sim/discrete/probes/shared_points.hpp"
#include "sim/discrete/probes/sharp_patches.hpp"
#include "sim/discrete/probes/surface_faces.hpp"
#include "sim/discrete/probes/surface_fields.hpp"
#include "sim/model/solid.hpp"

namespace hodge::sim {

template <int Dim>
struct FaceOfSurface {
  Index<Dim> cell;
  int axis, side;
  int place = 0;  // among all that this process samples
};

// A cell beyond the face has a body, not a side.
template <int Dim>
HODGE_HD bool is_of_body(const SurfaceFields<Dim>& f, const FaceOfSurface<Dim>& face) {
  return f.bodies.excludes(at_cells, face.cell.shifted(face.axis, face.side == 0 ? -1 : 1));
}

template <int Dim>
HODGE_HD double pressure_on(const SurfaceFields<Dim>& f, const FaceOfSurface<Dim>& face) {
  const int d = face.axis, outward = face.side == 0 ? -1 : 1;
  const Index<Dim> within = face.cell.shifted(d, -outward);
  const double here = f.pressure(face.cell);
  const bool open = !is_of_body(f, face) && f.sides.open[d][face.side];
  if (open) return 0.5 * (here + f.pressure(face.cell.shifted(d, outward)));
  const bool ends = (face.side == 0 ? within[d] == f.grid.cells[d] : within[d] == -1) &&
                    !f.sides.continues[d][1 - face.side];
  if (ends || f.bodies.excludes(at_cells, within)) return here;
  const double inverse = f.grid.inverse_distance(d, face.cell[d] + (face.side == 0 ? 1 : 0));
  return here + 0.5 * f.grid.width(d, face.cell[d]) * inverse * (here - f.pressure(within));
}

// du_t/dn at one of the two faces of component t of the cell.
template <int Dim>
HODGE_HD double slope_beside(const SurfaceFields<Dim>& f, const FaceOfSurface<Dim>& face, int t,
                             const Index<Dim>& at) {
  const int d = face.axis, outward = face.side == 0 ? -1 : 1;
  const double here = f.velocity[t](at), a = 0.5 * f.grid.width(d, at[d]);
  if (is_of_body(f, face)) {
    if (f.bodies.excludes(t, at)) return 0.0;
    const Index<Dim> there = at.shifted(d, outward);
    const double beyond = f.bodies.excludes(t, there) ? f.bodies.beyond(t, d, face.side, at)(here)
                                                      : f.velocity[t](there);
    return (here - beyond) * f.grid.inverse_spacing(t, d, at.shifted(d, face.side));
  }
  const double at_side = 0.5 * (here + f.velocity[t](at.shifted(d, outward)));
  const Index<Dim> within = at.shifted(d, -outward);
  if (f.bodies.excludes(t, within)) return (here - at_side) / a;
  const double b = f.grid.distance(d, at[d] + (face.side == 0 ? 1 : 0)), both = a + b;
  return ((here - at_side) * both * both - (f.velocity[t](within) - at_side) * a * a) /
         (a * b * both);
}

template <int Dim>
HODGE_HD double friction_on(const SurfaceFields<Dim>& f, const FaceOfSurface<Dim>& face, int t) {
  if (t == face.axis) return 0.0;
  if (!is_of_body(f, face) && !f.sides.velocity_along[face.axis][face.side]) return 0.0;
  const double mean = 0.5 * (slope_beside(f, face, t, face.cell) +
                             slope_beside(f, face, t, face.cell.shifted(t, 1)));
  return f.density * f.viscosity * mean;
}

template <int Dim>
HODGE_HD double coefficient_on(const ScalarOnSurface<Dim>& scalar, const FaceOfSurface<Dim>& face) {
  const Index<Dim> upper = face.cell.shifted(face.axis, face.side);
  return scalar.coefficient.varies() ? scalar.coefficient.at(at_cells, face.axis, upper) : 1.0;
}

// The descent of a scalar out of the surface, without what a body conducts better or worse.
template <int Dim>
HODGE_HD double descent_on(const GridView<Dim>& grid, const ScalarOnSurface<Dim>& scalar,
                           const FaceOfSurface<Dim>& face) {
  const int d = face.axis;
  return difference_across(scalar.q, scalar.bodies, at_cells, d, face.side, face.cell) *
         grid.inverse_spacing(at_cells, d, face.cell.shifted(d, face.side));
}

// Of a viscosity that varies: at a side, between the cell and the value beyond; at a body, in the
// cell.
template <int Dim>
HODGE_HD double viscosity_ratio_on(const SurfaceFields<Dim>& f, const FaceOfSurface<Dim>& face) {
  if (!f.coefficient.varies()) return 1.0;
  const double within = f.coefficient.cells(face.cell);
  if (is_of_body(f, face)) return within;
  const Index<Dim> beyond = face.cell.shifted(face.axis, face.side == 0 ? -1 : 1);
  return 0.5 * (within + f.coefficient.cells(beyond));
}

// values[column * count + place]: pressure, friction along each axis, y_plus.
template <int Dim, class Space>
void sample_surface(const SurfaceFields<Dim>& fields, std::span<const FaceOfSurface<Dim>> own,
                    int count, double* values) {
  const FaceOfSurface<Dim>* const faces = own.data();
  linalg::for_each<Space>(static_cast<int>(own.size()), [=] HODGE_LAMBDA(int i) {
    const FaceOfSurface<Dim> face = faces[i];
    SurfaceFields<Dim> here = fields;
    here.viscosity *= viscosity_ratio_on(fields, face);
    double friction[Dim];
    values[face.place] = pressure_on(fields, face);
    for (int t = 0; t < Dim; ++t) {
      friction[t] = friction_on(here, face, t);
      values[(1 + t) * count + face.place] = friction[t];
    }
    const double y = 0.5 * fields.grid.width(face.axis, face.cell[face.axis]);
    values[(1 + Dim) * count + face.place] = y_plus_at(here, y, friction);
  });
}

// fluxes[place], values[place]. The value in a side is that in the middle of the two beside it,
// however well what is there conducts.
template <int Dim, class Space>
void sample_scalar(const SurfaceFields<Dim>& fields, const ScalarOnSurface<Dim>& scalar,
                   std::span<const FaceOfSurface<Dim>> own, double* fluxes, double* values) {
  const FaceOfSurface<Dim>* const faces = own.data();
  linalg::for_each<Space>(static_cast<int>(own.size()), [=] HODGE_LAMBDA(int i) {
    const FaceOfSurface<Dim> face = faces[i];
    const double descent = descent_on(fields.grid, scalar, face);
    const double conducted = coefficient_on(scalar, face) * descent;
    fluxes[face.place] = scalar.diffusivity * conducted;
    const double half = 0.5 * fields.grid.width(face.axis, face.cell[face.axis]);
    values[face.place] =
        scalar.q(face.cell) + half * (is_of_body(fields, face) ? conducted : descent);
  });
}

template <class Space>
void add_jumps(const linalg::Buffer<double, Space>& resistances, const double* fluxes,
               const double* values, double* inside) {
  const double* const resistance = resistances.data();
  linalg::for_each<Space>(static_cast<int>(resistances.size()), [=] HODGE_LAMBDA(int i) {
    inside[i] = values[i] + resistance[i] * fluxes[i];
  });
}

// Of several surfaces one after the other.
template <int Dim, class Space>
class SurfaceSampler final : public PointSampler {
 public:
  using Present = std::function<std::pair<SurfaceFields<Dim>, std::vector<ScalarOnSurface<Dim>>>()>;

  // Without momentum there are fluxes alone. `part` as for Sampler, then collective.
  SurfaceSampler(const Grid& grid, const Problem& problem,
                 const std::vector<FacedSurface>& surfaces, Present present,
                 const Layout<Dim>& part)
      : flows_(!problem.prescribed_velocity), present_(std::move(present)) {
    for (int t = 0; flows_ && t <= Dim + 1; ++t)
      columns_.push_back(t == 0         ? "pressure"
                         : t == Dim + 1 ? "y_plus"
                                        : std::string("friction_") + axis_names[t - 1]);
    for (const ScalarProblem& scalar : problem.scalars) {
      columns_.push_back(scalar.name + "_flux");
      columns_.push_back(scalar.name + "_value");
      resists_.push_back(std::ranges::any_of(problem.solids, [&](const Solid& solid) {
        return resistance_of(solid, scalar.name) > 0;
      }));
      if (resists_.back()) columns_.push_back(scalar.name + "_inside");
    }
    std::vector<PointStencil<Dim>> cells;
    std::vector<FaceOfSurface<Dim>> own;
    std::vector<OwnPatch> patches;
    const std::vector<std::string> bodies = solid_names(problem.solids);
    std::vector<std::vector<double>> resistances(problem.scalars.size());
    const Box<Dim> interior = part.interior();
    // Whether this process samples it.
    const auto add = [&](const std::array<int, 3>& place, Index<Dim>& c) {
      PointStencil<Dim> cell{};
      cell.weight[0] = 1.0;
      for (int d = 0; d < Dim; ++d) {
        cell.at[0][d] = place[static_cast<std::size_t>(d)];
        c[d] = cell.at[0][d] - part.before[d];
      }
      cells.push_back(cell);
      return interior.contains(c);
    };
    for (const FacedSurface& surface : surfaces) {
      for (const GridFace& face : surface.faces) {
        FaceOfSurface<Dim> here{{}, face.axis, face.side, count_};
        if (!add(face.cell, here.cell)) continue;
        own.push_back(here);
        ++count_;
      }
      for (const SurfacePatch& patch : surface.patches)
        if (Index<Dim> c; add(patch.cell, c)) patches.push_back({patch, count_++});
      const auto body = std::ranges::find(bodies, surface.name);
      for (std::size_t k = 0; k < resistances.size(); ++k) {
        const double resistance =
            body == bodies.end()
                ? 0.0
                : resistance_of(problem.solids[static_cast<std::size_t>(body - bodies.begin())],
                                problem.scalars[k].name);
        if (resists_[k]) resistances[k].resize(static_cast<std::size_t>(count_), resistance);
      }
    }
    for (const std::vector<double>& of : resistances)
      resistances_.emplace_back(std::span<const double>(of));
    points_ = cells.size();
    if (part.halo != nullptr) {
      shared_.emplace(part);
      divided_ = shared_->divide(cells);
      divided_->own.clear();
    }
    faces_ = linalg::Buffer<FaceOfSurface<Dim>, Space>(std::span<const FaceOfSurface<Dim>>(own));
    if (!patches.empty()) patches_.emplace(grid, problem, part, patches);
    values_ = linalg::Buffer<double, Space>(static_cast<std::size_t>(count_) * columns_.size());
  }

  const std::vector<std::string>& columns() const override { return columns_; }
  std::size_t points() const override { return points_; }

  void sample(std::span<double> values) const override {
    const auto [fields, scalars] = present_();
    const std::span<const FaceOfSurface<Dim>> faces(faces_.data(), faces_.size());
    double* next = values_.data();
    if (flows_) {
      sample_surface<Dim, Space>(fields, faces, count_, next);
      if (patches_) patches_->sample(fields, count_, next);
      next += static_cast<std::ptrdiff_t>(Dim + 2) * count_;
    }
    for (std::size_t k = 0; k < scalars.size(); ++k) {
      double *const fluxes = next, *const at_surface = next + count_;
      sample_scalar<Dim, Space>(fields, scalars[k], faces, fluxes, at_surface);
      if (patches_) patches_->sample_scalar(k, fields.grid, scalars[k], fluxes, at_surface);
      next += 2 * static_cast<std::ptrdiff_t>(count_);
      if (!resists_[k]) continue;
      add_jumps(resistances_[k], fluxes, at_surface, next);
      next += count_;
    }
    if (!shared_) return values_.download(values);
    const std::vector<const DividedPoints<Dim>*> sets(columns_.size(), &*divided_);
    shared_->bring_together(sets, values_.to_host(), values);
  }

 private:
  // 0 where there is none.
  static double resistance_of(const Solid& solid, const std::string& scalar) {
    const HeatInside* const heat = heat_in(solid, scalar);
    return heat != nullptr ? heat->resistance : 0.0;
  }

  std::size_t points_ = 0;
  int count_ = 0;  // that this process samples
  bool flows_;
  Present present_;
  std::vector<std::string> columns_;
  std::vector<bool> resists_;  // of each scalar: whether some body does
  std::vector<linalg::Buffer<double, Space>> resistances_;  // of each place; empty where none does
  linalg::Buffer<FaceOfSurface<Dim>, Space> faces_;
  std::optional<SharpPatches<Dim, Space>> patches_;
  mutable linalg::Buffer<double, Space> values_;
  std::optional<SharedPoints<Dim>> shared_;
  std::optional<DividedPoints<Dim>> divided_;
};

}  // namespace hodge::sim
