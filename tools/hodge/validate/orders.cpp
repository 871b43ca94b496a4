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

double distance(const sim::Flow& a, const sim::Flow& b, const std::string& field) {
  const auto u = a.cell_arrays({field})[0].values, v = b.cell_arrays({field})[0].values;
  if (u.size() != v.size()) throw ShapeError("distance: two flows on different grids");
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += (u[i] - v[i]) * (u[i] - v[i]);
  return std::sqrt(sum / static_cast<double>(a.grid().cell_count()));
}

void add_convergence(Report& report, const Convergence& study) {
  Figure& figure = report.figure(study.figure, study.size_label, "error");
  figure.logarithmic = true;
  Curve errors{study.quantity, Curve::Kind::measured, {}};
  Curve slope{fmt::format("order {}", study.expected_order), Curve::Kind::slope, {}};
  for (std::size_t i = 0; i < study.errors.size(); ++i) {
    Row row{.quantity = study.quantity,
            .run = study.runs[i],
            .measured = study.errors[i],
            .source = study.source};
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

}  // namespace hodge::tools
