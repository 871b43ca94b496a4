// porous: bodies that the fluid passes with a resistance; sponges: what relaxes to a given state.
//
//   porous:
//     - {region: {box: {lower: [1, 0], upper: [2, 1]}}, darcy: 1e6, forchheimer: 100}
//   sponges:
//     - {region: {box: {lower: [8, 0], upper: [10, 1]}}, rate: '5*(x - 8)', velocity: [1, 0]}
#include <utility>

#include "sim/app/config/read_regions.hpp"
#include "sim/app/config/readers.hpp"
#include "sim/app/config/sections.hpp"

namespace hodge::sim {
namespace {

ValueReader region_of(std::optional<Region>& region, const FormulaScope& scope,
                      const GridSettings& grid) {
  return optional_value(region, [scope, &grid](Region& read) {
    return in_one_line(region_map(read, {}, scope, grid));
  });
}

ValueReader porous_body(PorousBody& body, const FormulaScope& scope, const GridSettings& grid) {
  const auto check = [&body](const ConfigValue& value) {
    if (body.darcy.is_zero() && body.forchheimer.is_zero())
      throw value.error(" has no resistance, expected darcy or forchheimer");
  };
  return in_one_line(
      map_of({optional("region", region_of(body.region, scope, grid),
                       "of one shape, as one of solids; without: the whole box"),
              optional("darcy", formula(body.darcy, scope), "d of -nu d u; 1/L^2"),
              optional("forchheimer", formula(body.forchheimer, scope), "f of -f/2 abs(u) u; 1/L")},
             check));
}

// The scalars of a sponge as a map.
struct RelaxedScalar {
  std::string name;
  Expression value = 0;
};

ValueReader relaxed_scalars(std::vector<std::pair<std::string, Expression>>& scalars,
                            const FormulaScope& scope) {
  using Named = std::vector<RelaxedScalar>;
  const auto make = [scope](Named& read) {
    const NamedValues how{"a map of scalars, as {temperature: 0}", name_pattern, "temperature",
                          false, [](const ConfigValue&) {}};
    return in_one_line(
        named_values(read, how, [scope](RelaxedScalar& one) { return formula(one.value, scope); }));
  };
  return through<Named>(
      make,
      [&scalars] {
        Named named;
        for (const auto& [name, value] : scalars) named.push_back({name, value});
        return named.empty() ? std::nullopt : std::optional<Named>(named);
      },
      [&scalars](const Named& read, const ConfigValue&) {
        scalars.clear();
        for (const RelaxedScalar& one : read) scalars.emplace_back(one.name, one.value);
      });
}

ValueReader sponge(Sponge& sponge, const FormulaScope& scope, const GridSettings& grid) {
  const auto check = [&sponge](const ConfigValue& value) {
    if (!sponge.velocity && sponge.scalars.empty())
      throw value.error(" relaxes nothing, expected velocity or scalars");
  };
  return in_one_line(
      map_of({optional("region", region_of(sponge.region, scope, grid),
                       "of one shape, as one of solids; without: the whole box"),
              required("rate", formula(sponge.rate, scope), "of the relaxation; 1/T"),
              optional("velocity", formulas(sponge.velocity, scope),
                       "to which it relaxes, L/T; without: not at all"),
              optional("scalars", relaxed_scalars(sponge.scalars, scope),
                       "to which they relax, by name; others not at all")},
             check));
}

FormulaScope of_place(FormulaScope scope) {
  scope.varies_in_time = false;
  return scope;
}

}  // namespace

ValueReader porous_section(std::vector<PorousBody>& porous, const GridSettings& grid,
                           const FormulaScope& scope) {
  return list_of(porous, "a list of porous bodies, as [{region: {box: {...}}, darcy: 1e6}]",
                 [scope = of_place(scope), &grid](PorousBody& body) {
                   return porous_body(body, scope, grid);
                 });
}

ValueReader sponges_section(std::vector<Sponge>& sponges, const GridSettings& grid,
                            const FormulaScope& scope) {
  return list_of(
      sponges, "a list of sponges, as [{rate: 5, velocity: [1, 0]}]",
      [scope = of_place(scope), &grid](Sponge& one) { return sponge(one, scope, grid); });
}

}  // namespace hodge::sim
