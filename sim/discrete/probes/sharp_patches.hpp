// Pressure, friction and fluxes of scalars at the patches of sharp bodies (sharp_surface.hpp):
//
//   pressure     p(c) + grad p . (x - x_c) of the cell c whose pressure holds there
//   friction_t   rho nu (g_t - n_t n . g), g = du/dn by the taps of the patch
//   NAME_flux    value: -D dq/dn by the taps; flux, convective: what the surface gives the cell
//                (bodies/sharp_scalars.hpp) over its area; in a body that conducts it: by the taps
//                of both sides; else 0
//   NAME_value   value: as given; in a body that conducts it: by the taps of both sides; else that
//                of the cell, with its gradient
//   y_plus       y half the width of the cell along n
//
// A call runs a kernel over the patches, and for each scalar one more for each body.
#pragma once

#include <algorithm>
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
  int place, first, last;  // taps of the flux, with `value` and their feet
  int first_of_value;      // as many, where the body conducts it
  Index<Dim> cell;
  double area;
  double middle[Dim];  // in the box
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

// q of the cell of a patch, or of the cell whose pressure holds there, with its gradient.
template <int Dim>
HODGE_HD double value_by_gradient(const GridView<Dim>& grid, const ScalarOnSurface<Dim>& scalar,
                                  const SampledPatch<Dim>& patch) {
  const bool has_own = !scalar.bodies.excludes(at_cells, patch.cell);
  const Index<Dim>& c = has_own ? patch.cell : patch.pressure_cell;
  double value = scalar.q(c);
  for (int d = 0; d < Dim; ++d) {
    const double way =
        patch.offset[d] + grid.centre(d, patch.pressure_cell[d]) - grid.centre(d, c[d]);
    value += way * gradient_in_cell(grid, scalar.bodies, scalar.q, d, c);
  }
  return value;
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
      scalars_.push_back(groups_of(grid, problem, scalar, own, flow, of_scalars, programs));
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

  // Of scalar number k: fluxes[place], values[place] on the side of the fluid.
  void sample_scalar(std::size_t k, const GridView<Dim>& grid, const ScalarOnSurface<Dim>& scalar,
                     double* fluxes, double* values) const {
    const SampledPatch<Dim>* const all = patches_.data();
    linalg::for_each<Space>(static_cast<int>(patches_.size()), [=] HODGE_LAMBDA(int i) {
      fluxes[all[i].place] = 0.0;
      values[all[i].place] = value_by_gradient(grid, scalar, all[i]);
    });
    for (const Group& group : scalars_[k]) {
      if (group.conducts)
        sample_conducted(group, scalar, fluxes, values);
      else if (group.program)
        sample_given(group, scalar, fluxes, values);
      else
        sample_gain(group, scalar, fluxes);
    }
  }

  // Calls of a loop may not be private.
  // The patches of a body that says something of a scalar.
  struct Group {
    std::optional<int> program{};  // of a value
    bool conducts = false;
    linalg::Buffer<PatchOfScalar<Dim>, Space> patches{};
  };

  void sample_gain(const Group& group, const ScalarOnSurface<Dim>& scalar, double* fluxes) const {
    const PatchOfScalar<Dim>* const patches = group.patches.data();
    linalg::for_each<Space>(static_cast<int>(group.patches.size()), [=] HODGE_LAMBDA(int i) {
      const PatchOfScalar<Dim>& patch = patches[i];
      fluxes[patch.place] =
          (scalar.gain(patch.cell) - scalar.loss(patch.cell) * scalar.q(patch.cell)) / patch.area;
    });
  }
  void sample_given(const Group& group, const ScalarOnSurface<Dim>& scalar, double* fluxes,
                    double* values) const {
    const PatchOfScalar<Dim>* const patches = group.patches.data();
    const PatchTap* const taps = scalar_taps_.data();
    const PatchFoot<Dim>* const feet = feet_.data();
    const ProgramView given = programs_.view(*group.program);
    linalg::for_each<Space>(static_cast<int>(group.patches.size()), [=] HODGE_LAMBDA(int i) {
      const PatchOfScalar<Dim>& patch = patches[i];
      double slope = 0.0;
      for (int t = patch.first; t < patch.last; ++t)
        slope += taps[t].weight * (scalar.q(taps[t].place(patch.cell)) -
                                   value_at(given, feet[t].place, scalar.time));
      fluxes[patch.place] = -scalar.diffusivity * slope;
      values[patch.place] = value_at(given, patch.middle, scalar.time);
    });
  }
  void sample_conducted(const Group& group, const ScalarOnSurface<Dim>& scalar, double* fluxes,
                        double* values) const {
    const PatchOfScalar<Dim>* const patches = group.patches.data();
    const PatchTap* const taps = scalar_taps_.data();
    linalg::for_each<Space>(static_cast<int>(group.patches.size()), [=] HODGE_LAMBDA(int i) {
      const PatchOfScalar<Dim>& patch = patches[i];
      const int to_value = patch.first_of_value - patch.first;
      double flux = 0.0, value = 0.0;
      for (int t = patch.first; t < patch.last; ++t) {
        const double q = scalar.q(taps[t].place(patch.cell));
        flux += taps[t].weight * q;
        value += taps[t + to_value].weight * q;
      }
      fluxes[patch.place] = flux;
      values[patch.place] = value;
    });
  }

 private:
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
                               const SharpSurface<Dim>& flow, PatchTaps& taps,
                               std::vector<std::span<const Instruction>>& programs) const {
    std::vector<Group> groups;
    std::optional<SharpSurface<Dim>> surface;
    for (std::size_t k = 0; k < problem.solids.size(); ++k) {
      const SolidScalar* const says = scalar_of(problem.solids[k], scalar.name);
      if (says == nullptr || (!says->heat && says->surface.is_without_flux())) continue;
      const bool gives_value = !says->heat && says->surface.traits().condition == Condition::value;
      if (gives_value && !surface) surface.emplace(grid, problem, &scalar);
      const LevelFunction within =
          says->heat ? level_within(grid, problem, problem.solids[k]) : LevelFunction{};
      std::vector<PatchOfScalar<Dim>> patches;
      for (const OwnPatch& of : own) {
        if (of.patch.body != static_cast<int>(k) + 1) continue;
        PatchOfScalar<Dim> patch{of.place, 0, 0, 0, local(of.patch.cell), of.patch.area, {}};
        const Point middle = flow.in_box(of.patch.middle);
        for (int d = 0; d < Dim; ++d) patch.middle[d] = middle[static_cast<std::size_t>(d)];
        if (gives_value)
          std::tie(patch.first, patch.last) = add_taps(*surface, at_cells, of.patch, taps);
        if (says->heat)
          add_conducted_taps(flow.conducted_taps(of.patch, scalar.diffusivity, *says->heat, within),
                             patch, taps);
        patches.push_back(patch);
      }
      Group& group = groups.emplace_back();
      group.conducts = says->heat.has_value();
      if (gives_value) {
        group.program = static_cast<int>(programs.size());
        programs.push_back(says->surface.value.instructions());
      }
      group.patches =
          linalg::Buffer<PatchOfScalar<Dim>, Space>(std::span<const PatchOfScalar<Dim>>(patches));
    }
    return groups;
  }
  static void add_conducted_taps(const ConductedTaps& own, PatchOfScalar<Dim>& patch,
                                 PatchTaps& all) {
    patch.first = static_cast<int>(all.taps.size());
    all.taps.insert(all.taps.end(), own.flux.begin(), own.flux.end());
    patch.last = patch.first_of_value = static_cast<int>(all.taps.size());
    all.taps.insert(all.taps.end(), own.value.begin(), own.value.end());
    all.feet.resize(all.taps.size());  // of none
  }
  // Less than 0 in the body alone.
  static LevelFunction level_within(const Grid& grid, const Problem& problem, const Solid& body) {
    const BodyLevels own(grid, problem, [&](const Solid& of) { return &of == &body; });
    const BodyLevels others(grid, problem, [&](const Solid& of) { return &of != &body; });
    if (!others.any()) return own.least();
    return [a = own.least(), b = others.least()](const Point& x) { return std::max(a(x), -b(x)); };
  }

  Index<Dim> before_;
  linalg::Buffer<SampledPatch<Dim>, Space> patches_;
  linalg::Buffer<PatchTap, Space> taps_, scalar_taps_;
  linalg::Buffer<PatchFoot<Dim>, Space> feet_;  // of the second
  std::vector<std::vector<Group>> scalars_;
  Programs<Space> programs_;
};

}  // namespace hodge::sim
