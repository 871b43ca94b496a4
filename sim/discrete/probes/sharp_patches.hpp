// Pressure, friction and fluxes of scalars at the patches of sharp bodies (sharp_surface.hpp):
//
//   pressure     p(c) + grad p . (x - x_c) of the cell c whose pressure holds there
//   friction_t   rho nu (g_t - n_t n . g), g = du/dn by the taps of the patch
//   NAME_flux    value: -D dq/dn by the taps; flux, convective: what the surface gives the cell
//                (bodies/sharp_scalars.hpp) over its area; else 0
//   y_plus       y half the width of the cell along n
//
// A call runs a kernel over the patches, and for each scalar one more for each body.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/bodies/scalar_bodies.hpp"
#include "sim/discrete/operators/cell_gradient.hpp"
#include "sim/discrete/probes/sharp_surface.hpp"
#include "sim/discrete/probes/surface_fields.hpp"

namespace hodge::sim {

// A patch of this process, which is number `place` of all that it samples.
struct OwnPatch {
  SurfacePatch patch;
  int place;
};

template <int Dim>
struct SampledPatch {
  int place, first[Dim], last[Dim];  // taps
  Index<Dim> cell, pressure_cell;
  double offset[Dim], normal[Dim], y;
};

template <int Dim>
struct PatchOfScalar {
  int place, first, last;  // taps of a value, and their feet
  Index<Dim> cell;
  double area;
};

template <int Dim>
struct PatchFoot {
  double place[Dim];
};

template <int Dim>
HODGE_HD void sample_patch(const SurfaceFields<Dim>& f, const SampledPatch<Dim>& patch,
                           const PatchTap* taps, double (&friction)[Dim], double& pressure) {
  pressure = f.pressure(patch.pressure_cell);
  double along_normal = 0.0;
  for (int d = 0; d < Dim; ++d) {
    pressure +=
        patch.offset[d] * gradient_in_cell(f.grid, f.bodies, f.pressure, d, patch.pressure_cell);
    double slope = 0.0;
    for (int k = patch.first[d]; k < patch.last[d]; ++k)
      slope += taps[k].weight * f.velocity[d](taps[k].place(patch.cell));
    friction[d] = f.density * f.viscosity * slope;
    along_normal += patch.normal[d] * friction[d];
  }
  for (int d = 0; d < Dim; ++d) friction[d] -= patch.normal[d] * along_normal;
}

template <int Dim, class Space>
class SharpPatches {
 public:
  SharpPatches(const Grid& grid, const Problem& problem, const Layout<Dim>& part,
               const std::vector<OwnPatch>& own)
      : before_(part.before) {
    SharpSurface<Dim> flow(grid, problem);
    PatchTaps taps, of_scalars;
    std::vector<SampledPatch<Dim>> patches;
    for (const OwnPatch& of : own) patches.push_back(sampled(grid, flow, of, taps));
    patches_ =
        linalg::Buffer<SampledPatch<Dim>, Space>(std::span<const SampledPatch<Dim>>(patches));
    std::vector<std::span<const Instruction>> programs;
    for (const ScalarProblem& scalar : problem.scalars)
      scalars_.push_back(groups_of(grid, problem, scalar, own, of_scalars, programs));
    std::vector<PatchFoot<Dim>> feet;
    for (const Point& foot : of_scalars.feet) {
      PatchFoot<Dim>& at = feet.emplace_back();
      for (int d = 0; d < Dim; ++d) at.place[d] = foot[static_cast<std::size_t>(d)];
    }
    taps_ = linalg::Buffer<PatchTap, Space>(std::span<const PatchTap>(taps.taps));
    scalar_taps_ = linalg::Buffer<PatchTap, Space>(std::span<const PatchTap>(of_scalars.taps));
    feet_ = linalg::Buffer<PatchFoot<Dim>, Space>(std::span<const PatchFoot<Dim>>(feet));
    programs_ = Programs<Space>(programs);
  }

  // values[column * count + place]: pressure, friction along each axis, y_plus.
  void sample(const SurfaceFields<Dim>& fields, int count, double* values) const {
    const SampledPatch<Dim>* const patches = patches_.data();
    const PatchTap* const taps = taps_.data();
    linalg::for_each<Space>(static_cast<int>(patches_.size()), [=] HODGE_LAMBDA(int i) {
      double friction[Dim];
      sample_patch(fields, patches[i], taps, friction, values[patches[i].place]);
      for (int t = 0; t < Dim; ++t) values[(1 + t) * count + patches[i].place] = friction[t];
      values[(1 + Dim) * count + patches[i].place] = y_plus_at(fields, patches[i].y, friction);
    });
  }

  // values[place] of scalar number k.
  void sample_flux(std::size_t k, const ScalarOnSurface<Dim>& scalar, double* values) const {
    const SampledPatch<Dim>* const all = patches_.data();
    linalg::for_each<Space>(static_cast<int>(patches_.size()),
                            [=] HODGE_LAMBDA(int i) { values[all[i].place] = 0.0; });
    for (const Group& group : scalars_[k]) {
      const PatchOfScalar<Dim>* const patches = group.patches.data();
      const int own = static_cast<int>(group.patches.size());
      if (!group.program) {
        linalg::for_each<Space>(own, [=] HODGE_LAMBDA(int i) {
          const PatchOfScalar<Dim>& patch = patches[i];
          values[patch.place] =
              (scalar.gain(patch.cell) - scalar.loss(patch.cell) * scalar.q(patch.cell)) /
              patch.area;
        });
        continue;
      }
      const PatchTap* const taps = scalar_taps_.data();
      const PatchFoot<Dim>* const feet = feet_.data();
      const ProgramView given = programs_.view(*group.program);
      linalg::for_each<Space>(own, [=] HODGE_LAMBDA(int i) {
        const PatchOfScalar<Dim>& patch = patches[i];
        double slope = 0.0;
        for (int t = patch.first; t < patch.last; ++t)
          slope += taps[t].weight * (scalar.q(taps[t].place(patch.cell)) -
                                     value_at(given, feet[t].place, scalar.time));
        values[patch.place] = -scalar.diffusivity * slope;
      });
    }
  }

 private:
  // The patches of a body that says something of a scalar.
  struct Group {
    std::optional<int> program;  // of a value
    linalg::Buffer<PatchOfScalar<Dim>, Space> patches;
  };

  Index<Dim> local(const std::array<int, 3>& place) const {
    Index<Dim> c{};
    for (int d = 0; d < Dim; ++d) c[d] = place[static_cast<std::size_t>(d)] - before_[d];
    return c;
  }
  // {first, last} of those of a patch.
  static std::pair<int, int> add_taps(SharpSurface<Dim>& surface, int location,
                                      const SurfacePatch& patch, PatchTaps& all) {
    const int first = static_cast<int>(all.taps.size());
    const PatchTaps own = surface.slope_taps(location, patch);
    all.taps.insert(all.taps.end(), own.taps.begin(), own.taps.end());
    all.feet.insert(all.feet.end(), own.feet.begin(), own.feet.end());
    return {first, static_cast<int>(all.taps.size())};
  }

  SampledPatch<Dim> sampled(const Grid& grid, SharpSurface<Dim>& flow, const OwnPatch& of,
                            PatchTaps& taps) const {
    SampledPatch<Dim> patch{};
    patch.place = of.place;
    patch.cell = local(of.patch.cell);
    patch.pressure_cell = local(of.patch.pressure_cell);
    double squares = 0;
    for (int d = 0; d < Dim; ++d) {
      const auto e = static_cast<std::size_t>(d);
      std::tie(patch.first[d], patch.last[d]) = add_taps(flow, d, of.patch, taps);
      patch.normal[d] = of.patch.normal[e];
      patch.offset[d] = of.patch.middle[e] - flow.centre(d, of.patch.pressure_cell[e]);
      const double share =
          patch.normal[d] / grid.axis(d).widths[static_cast<std::size_t>(of.patch.cell[e])];
      squares += share * share;
    }
    patch.y = 0.5 / std::sqrt(squares);
    return patch;
  }

  std::vector<Group> groups_of(const Grid& grid, const Problem& problem,
                               const ScalarProblem& scalar, const std::vector<OwnPatch>& own,
                               PatchTaps& taps,
                               std::vector<std::span<const Instruction>>& programs) const {
    std::vector<Group> groups;
    std::optional<SharpSurface<Dim>> surface;
    for (std::size_t k = 0; k < problem.solids.size(); ++k) {
      const SolidScalar* const says = scalar_of(problem.solids[k], scalar.name);
      if (says == nullptr || says->surface.is_without_flux()) continue;
      const bool gives_value = says->surface.traits().condition == Condition::value;
      if (gives_value && !surface) surface.emplace(grid, problem, &scalar);
      std::vector<PatchOfScalar<Dim>> patches;
      for (const OwnPatch& of : own) {
        if (of.patch.body != static_cast<int>(k) + 1) continue;
        PatchOfScalar<Dim> patch{of.place, 0, 0, local(of.patch.cell), of.patch.area};
        if (gives_value)
          std::tie(patch.first, patch.last) = add_taps(*surface, at_cells, of.patch, taps);
        patches.push_back(patch);
      }
      Group& group = groups.emplace_back();
      if (gives_value) {
        group.program = static_cast<int>(programs.size());
        programs.push_back(says->surface.value.instructions());
      }
      group.patches =
          linalg::Buffer<PatchOfScalar<Dim>, Space>(std::span<const PatchOfScalar<Dim>>(patches));
    }
    return groups;
  }

  Index<Dim> before_;
  linalg::Buffer<SampledPatch<Dim>, Space> patches_;
  linalg::Buffer<PatchTap, Space> taps_, scalar_taps_;
  linalg::Buffer<PatchFoot<Dim>, Space> feet_;  // of the second
  std::vector<std::vector<Group>> scalars_;
  Programs<Space> programs_;
};

}  // namespace hodge::sim
