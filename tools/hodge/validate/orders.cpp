#include "tools/hodge/validate/orders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/base/errors.hpp"

namespace hodge::tools {

double order_of_errors(double coarse, double fine, double refinement) {
  return std::log(coarse / fine) / std::log(refinement);
}

double order_of_values(double coarse, double medium, double fine) {
  return std::log2(std::abs((medium - coarse) / (fine - medium)));
}

double extrapolate(double medium, double fine, double order) {
  return fine + (fine - medium) / (std::exp2(order) - 1);
}

std::optional<double> order_of_last(const std::vector<double>& values) {
  const std::size_t n = values.size();
  if (n < 3) return std::nullopt;
  return order_of_values(values[n - 3], values[n - 2], values[n - 1]);
}

double limit_of_last(const std::vector<double>& values) {
  return extrapolate(values[values.size() - 2], values.back());
}

double distance(const sim::Flow& a, const sim::Flow& b, const std::string& field) {
  const auto u = a.cell_arrays({field})[0].values, v = b.cell_arrays({field})[0].values;
  if (u.size() != v.size()) throw ShapeError("distance: two flows on different grids");
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += (u[i] - v[i]) * (u[i] - v[i]);
  return std::sqrt(sum / static_cast<double>(a.grid().cell_count()));
}

void Convergence::add(double size, const std::string& run, double error) {
  sizes.push_back(size);
  runs.push_back(run);
  errors.push_back(error);
}

ScalarConvergence::ScalarConvergence(const std::string& name, const Convergence& common)
    : l2(common), largest(common) {
  l2.quantity = name + ", error, L2";
  largest.quantity = name + ", error, largest";
}

void ScalarConvergence::add(double size, const std::string& run, const sim::FieldErrors& errors) {
  l2.add(size, run, errors.l2);
  largest.add(size, run, errors.max);
}

void add_convergence(Report& report, const ScalarConvergence& study) {
  add_convergence(report, study.l2);
  add_convergence(report, study.largest);
}

void add_convergence(Report& report, const Convergence& study) {
  Figure& figure = report.figure(study.figure, study.size_label, "error");
  figure.logarithmic = true;
  Curve errors{study.quantity, Curve::Kind::measured, {}};
  Curve slope{fmt::format("order {}", study.expected_order), Curve::Kind::slope, {}};
  for (std::size_t i = 0; i < study.errors.size(); ++i) {
    Row row{study.quantity, study.runs[i], study.errors[i], {}, {}, study.source};
    if (i > 0)
      row.order = order_of_errors(study.errors[i - 1], study.errors[i],
                                  study.sizes[i] / study.sizes[i - 1]);
    if (i + 1 == study.errors.size() && study.least_order > 0) row.least_order = study.least_order;
    report.add(std::move(row));
    errors.points.add(study.sizes[i], study.errors[i]);
    slope.points.add(study.sizes[i], study.errors[0] * std::pow(study.sizes[0] / study.sizes[i],
                                                                study.expected_order));
  }
  figure.curves.push_back(std::move(errors));
  const auto same = [&](const Curve& curve) { return curve.name == slope.name; };
  if (std::ranges::none_of(figure.curves, same)) figure.curves.push_back(std::move(slope));
}

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
    quantity(index++, name, least_order).add(size, run, error);
  };
  put("velocity error, L2", plan_.velocity_order, errors.velocity_l2);
  put("velocity error, largest", plan_.largest_order, errors.velocity_max);
  if (plan_.pressure) {
    put("pressure error, L2", plan_.pressure_order, errors.pressure_l2);
    put("pressure error, largest", plan_.largest_pressure_order, errors.pressure_max);
  }
  for (const sim::FieldErrors& scalar : errors.scalars) {
    put(scalar.name + " error, L2", plan_.scalar_order, scalar.l2);
    put(scalar.name + " error, largest", plan_.scalar_order, scalar.max);
  }
}

void ErrorStudy::write(Report& report) const {
  for (const Convergence& study : studies_) add_convergence(report, study);
}

}  // namespace hodge::tools
