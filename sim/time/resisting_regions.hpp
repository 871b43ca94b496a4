// The porous bodies and sponges of a problem as functions of boxes in space, on the host.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/base/formulas/mean.hpp"
#include "sim/discrete/bodies/level_set.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

bool has_quadratic(const Resistances& of);
bool relaxes_velocity(const Resistances& of);
bool relaxes(const Resistances& of, const std::string& scalar);

class ResistingRegions {
 public:
  // Keeps references to the problem. Errors: those of level_set_of() of a region.
  ResistingRegions(const Problem& problem, const Grid& grid);

  bool any() const { return problem_.resistances.any(); }
  bool has_porous() const { return !problem_.resistances.porous.empty(); }
  // Of scalar `number`, or with -1 of the velocity.
  bool resists(int number) const;
  bool gives(int number) const;

  // Means over a box, beside sharp solids over the fluid in it: coefficients of resistance.hpp.
  // Several threads may ask.
  double linear(int number, const MeanBox& box) const;
  double quadratic(const MeanBox& box) const;
  double given(int number, int component, const MeanBox& box) const;
  // What sharp solids leave of a box.
  double fluid_part(const MeanBox& box) const;

 private:
  using Level = std::unique_ptr<const LevelSet>;

  // Of a sponge; null: it leaves that alone.
  const Expression* target(const Sponge& sponge, int number, int component) const;
  double mean(const Level& level, const Expression& f, const MeanBox& box,
              const Expression* times = nullptr) const;

  const Problem& problem_;
  int dim_;
  std::vector<Level> porous_, sponges_;  // null: everywhere
  Level fluid_;                          // null: no sharp solids
};

// Errors: KeyError for a region that makes none or has no cell, a coefficient or rate that is
// negative or has no value in a cell of its region, a sponge of a scalar that there is not, a
// porous body where the velocity is prescribed.
void check_resistances(const Problem& problem, const Grid& grid);

}  // namespace hodge::sim
