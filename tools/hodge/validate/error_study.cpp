#include "tools/hodge/validate/error_study.hpp"

#include <utility>

namespace hodge::tools {

Convergence& ErrorStudy::quantity(std::size_t index, const std::string& name, double least_order) {
  if (index == studies_.size())
    studies_.push_back({.quantity = name,
                        .figure = plan_.figure,
                        .size_label = plan_.size_label,
                        .least_order = least_order,
                        .expected_order = plan_.expected_order,
                        .source = plan_.source});
  return studies_[index];
}

void ErrorStudy::add(double size, const std::string& run, const sim::ErrorNorms& errors) {
  std::size_t index = 0;
  const auto put = [&](const std::string& name, double least_order, double error) {
    Convergence& study = quantity(index++, name, least_order);
    study.sizes.push_back(size);
    study.runs.push_back(run);
    study.errors.push_back(error);
  };
  put("velocity error, L2", plan_.velocity_order, errors.velocity_l2);
  put("velocity error, largest", plan_.largest_order, errors.velocity_max);
  if (plan_.pressure) {
    put("pressure error, L2", plan_.pressure_order, errors.pressure_l2);
    put("pressure error, largest", plan_.largest_pressure_order, errors.pressure_max);
  }
  for (const sim::ScalarErrors& scalar : errors.scalars) {
    put(scalar.name + " error, L2", plan_.scalar_order, scalar.l2);
    put(scalar.name + " error, largest", plan_.scalar_order, scalar.max);
  }
}

void ErrorStudy::write(Report& report) const {
  for (const Convergence& study : studies_) add_convergence(report, study);
}

}  // namespace hodge::tools
