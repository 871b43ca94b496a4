#include "sim/flow/moment_plan.hpp"

#include <algorithm>

#include "sim/discrete/operators/output_fields.hpp"

namespace hodge::sim {

bool MomentPlan::has_velocity() const {
  return has_stress || std::ranges::any_of(scalars, &OfScalar::has_flux);
}

std::size_t MomentPlan::arrays(int dim) const {
  const auto components = static_cast<std::size_t>(dim);
  std::size_t count = has_velocity() ? components : 0;
  if (has_stress) count += static_cast<std::size_t>(stress_count(dim));
  for (const OfScalar& scalar : scalars)
    count += 1 + (scalar.has_square ? 1 : 0) + (scalar.has_flux ? components : 0);
  return count;
}

MomentPlan moment_plan(const std::vector<std::string>& fields) {
  MomentPlan plan;
  const auto of_scalar = [&plan](const std::string& name) -> MomentPlan::OfScalar& {
    const auto found = std::ranges::find(plan.scalars, name, &MomentPlan::OfScalar::name);
    return found != plan.scalars.end() ? *found
                                       : plan.scalars.emplace_back(MomentPlan::OfScalar{name});
  };
  for (const std::string& field : fields) {
    const auto statistic = find_statistic(field);
    if (!statistic || statistic->kind == StatisticKind::mean) continue;
    const OutputField* const row = find_output_field(statistic->of);
    const bool of_velocity = row && row->is == StoredField::velocity;
    if (statistic->kind == StatisticKind::stress || of_velocity)
      plan.has_stress = true;
    else if (statistic->kind == StatisticKind::flux)
      of_scalar(statistic->of).has_flux = true;
    else
      of_scalar(statistic->of).has_square = true;
  }
  return plan;
}

}  // namespace hodge::sim
