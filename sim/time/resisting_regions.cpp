#include "sim/time/resisting_regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sim/base/key_error.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/bodies/body_levels.hpp"
#include "sim/discrete/bodies/covered_part.hpp"
#include "sim/discrete/bodies/region_level.hpp"
#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {
namespace {

std::unique_ptr<const LevelSet> level_of(const std::optional<Region>& region, const Grid& grid,
                                         const Problem& problem, const std::string& key) {
  if (!region) return nullptr;
  return level_set_of(*region, grid, problem.boundaries.periodic_axes(),
                      {key + ".region", key + ".region"});
}

// What sharp solids leave.
class FluidLevel final : public LevelSet {
 public:
  FluidLevel(const Grid& grid, const Problem& problem)
      : solids_(BodyLevels(grid, problem).least()) {}
  double level(const Point& x) const override { return -solids_(x); }
  ShapeExtent extent() const override { return {}; }

 private:
  LevelFunction solids_;
};

class CommonPart final : public LevelSet {
 public:
  CommonPart(const LevelSet& a, const LevelSet& b) : a_(a), b_(b) {}
  double level(const Point& x) const override { return std::max(a_.level(x), b_.level(x)); }
  ShapeExtent extent() const override { return {}; }

 private:
  const LevelSet &a_, &b_;
};

// Of f, or of the product, over what the region covers of a box.
double mean_in(const LevelSet* region, int dim, const Expression& f, const MeanBox& box,
               const Expression* times = nullptr) {
  const auto whole = [&] {
    return times == nullptr ? f.mean(box, 0) : f.mean(box, 0) * times->mean(box, 0);
  };
  if (region == nullptr) return whole();
  return covered_mean(*region, box, dim, whole, [&](const Point& x) {
    return times == nullptr ? f(x, 0) : f(x, 0) * (*times)(x, 0);
  });
}

void check_coefficient(const Expression& formula, const std::string& key, const LevelSet* level,
                       const Grid& grid) {
  for_each_on_host(all_cells(grid), [&](const Index<3>& c) {
    const MeanBox box = mean_box(grid, at_cells, c);
    const double part = level == nullptr ? 1 : covered_part(*level, box, grid.dim());
    if (part == 0) return;
    const double value = mean_in(level, grid.dim(), formula, box) / part;
    if (value >= 0 && std::isfinite(value)) return;
    throw KeyError(key, fmt::format("{} is {:.6g} at ({:.6g}, {:.6g}, {:.6g}); a number >= 0 is "
                                    "needed",
                                    key, std::isnan(value) ? std::abs(value) : value, box.place[0],
                                    box.place[1], box.place[2]));
  });
}

void check_region(const LevelSet* level, const std::string& key, const Grid& grid) {
  if (level == nullptr) return;
  bool covers = false;
  for_each_on_host(all_cells(grid), [&](const Index<3>& c) {
    covers = covers || covered_part(*level, mean_box(grid, at_cells, c), grid.dim()) > 0;
  });
  if (!covers)
    throw KeyError(key, fmt::format("{} covers no part of the box; does it lie outside?", key));
}

// Null: the sponge leaves the scalar alone.
const Expression* value_of(const Sponge& sponge, const std::string& scalar) {
  for (const auto& [name, value] : sponge.scalars)
    if (name == scalar) return &value;
  return nullptr;
}

}  // namespace

bool has_quadratic(const Resistances& of) {
  return std::ranges::any_of(of.porous, [](const auto& one) { return !one.forchheimer.is_zero(); });
}

bool relaxes_velocity(const Resistances& of) {
  return std::ranges::any_of(of.sponges, [](const auto& one) { return one.velocity.has_value(); });
}

bool relaxes(const Resistances& of, const std::string& scalar) {
  return std::ranges::any_of(of.sponges, [&](const auto& one) { return value_of(one, scalar); });
}

ResistingRegions::ResistingRegions(const Problem& problem, const Grid& grid)
    : problem_(problem), dim_(grid.dim()) {
  const Resistances& of = problem.resistances;
  for (std::size_t k = 0; k < of.porous.size(); ++k)
    porous_.push_back(level_of(of.porous[k].region, grid, problem, fmt::format("porous[{}]", k)));
  for (std::size_t k = 0; k < of.sponges.size(); ++k)
    sponges_.push_back(
        level_of(of.sponges[k].region, grid, problem, fmt::format("sponges[{}]", k)));
  if (any() && has_sharp_solids(problem.solids))
    fluid_ = std::make_unique<FluidLevel>(grid, problem);
}

double ResistingRegions::fluid_part(const MeanBox& box) const {
  return fluid_ ? covered_part(*fluid_, box, dim_) : 1.0;
}

const Expression* ResistingRegions::target(const Sponge& sponge, int number, int component) const {
  if (number < 0) return sponge.velocity ? &(*sponge.velocity)[component] : nullptr;
  return value_of(sponge, problem_.scalars[static_cast<std::size_t>(number)].name);
}

bool ResistingRegions::resists(int number) const {
  return gives(number) || (number < 0 && has_porous());
}

bool ResistingRegions::gives(int number) const {
  const Resistances& of = problem_.resistances;
  return number < 0 ? relaxes_velocity(of)
                    : relaxes(of, problem_.scalars[static_cast<std::size_t>(number)].name);
}

double ResistingRegions::mean(const Level& level, const Expression& f, const MeanBox& box,
                              const Expression* times) const {
  const double mean = mean_in(level.get(), dim_, f, box, times);
  if (!fluid_ || level == nullptr || mean == 0) return mean;
  const double part = fluid_part(box);
  if (part == 0 || part == 1) return mean;
  const CommonPart common(*level, *fluid_);
  return mean_in(&common, dim_, f, box, times) / part;
}

double ResistingRegions::linear(int number, const MeanBox& box) const {
  const Resistances& of = problem_.resistances;
  double sum = 0;
  for (std::size_t k = 0; number < 0 && k < porous_.size(); ++k)
    sum += problem_.viscosity * mean(porous_[k], of.porous[k].darcy, box);
  for (std::size_t k = 0; k < sponges_.size(); ++k)
    if (target(of.sponges[k], number, 0) != nullptr)
      sum += mean(sponges_[k], of.sponges[k].rate, box);
  return sum;
}

double ResistingRegions::quadratic(const MeanBox& box) const {
  double sum = 0;
  for (std::size_t k = 0; k < porous_.size(); ++k)
    sum += 0.5 * mean(porous_[k], problem_.resistances.porous[k].forchheimer, box);
  return sum;
}

double ResistingRegions::given(int number, int component, const MeanBox& box) const {
  const std::vector<Sponge>& sponges = problem_.resistances.sponges;
  double sum = 0;
  for (std::size_t k = 0; k < sponges_.size(); ++k)
    if (const Expression* const to = target(sponges[k], number, component))
      sum += mean(sponges_[k], sponges[k].rate, box, to);
  return sum;
}

void check_resistances(const Problem& problem, const Grid& grid) {
  const Resistances& of = problem.resistances;
  if (!of.porous.empty() && has_flow_rate(problem.flow_rate))
    throw KeyError("force.flow_rate",
                   "force.flow_rate holds a flow rate, which is not possible with porous bodies; "
                   "a force or sides with a given pressure may drive the flow");
  for (std::size_t k = 0; k < of.porous.size(); ++k) {
    const std::string key = fmt::format("porous[{}]", k);
    if (problem.prescribed_velocity)
      throw KeyError(key,
                     "a porous body slows the fluid and the velocity is prescribed; only one "
                     "of them can be");
    const auto level = level_of(of.porous[k].region, grid, problem, key);
    check_region(level.get(), key + ".region", grid);
    check_coefficient(of.porous[k].darcy, key + ".darcy", level.get(), grid);
    check_coefficient(of.porous[k].forchheimer, key + ".forchheimer", level.get(), grid);
  }
  const std::vector<std::string> names = scalar_names(problem);
  for (std::size_t k = 0; k < of.sponges.size(); ++k) {
    const std::string key = fmt::format("sponges[{}]", k);
    if (of.sponges[k].velocity && problem.prescribed_velocity)
      throw KeyError(key + ".velocity",
                     "a sponge relaxes the velocity, which is prescribed; only one of them can be");
    for (const auto& [name, value] : of.sponges[k].scalars)
      if (std::ranges::find(names, name) == names.end())
        throw KeyError(key + ".scalars." + name,
                       fmt::format("{}.scalars.{} relaxes a scalar that there is not{}", key, name,
                                   names.empty() ? "" : ", known scalars: " + join(names)));
    const auto level = level_of(of.sponges[k].region, grid, problem, key);
    check_region(level.get(), key + ".region", grid);
    check_coefficient(of.sponges[k].rate, key + ".rate", level.get(), grid);
  }
}

}  // namespace hodge::sim
