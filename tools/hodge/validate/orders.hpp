// Observed orders and limits of values on successively refined grids or steps.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "linalg/base/errors.hpp"
#include "sim/flow/flow.hpp"
#include "tools/hodge/validate/report.hpp"

namespace hodge::tools {

// log(coarse / fine) / log(refinement) of two errors.
inline double order_of_errors(double coarse, double fine, double refinement = 2) {
  return std::log(coarse / fine) / std::log(refinement);
}

// The same of the differences of the last three values of a sequence, whose limit need not be
// known; none with two.
inline std::optional<double> order_of_last(const std::vector<double>& values) {
  if (values.size() < 3) return std::nullopt;
  const double* const last = &values.back();
  return std::log2(std::abs((last[-1] - last[-2]) / (last[0] - last[-1])));
}

// Richardson: the limit of values whose error falls by 2^order from each to the next, of the last
// two.
inline double limit_of_last(const std::vector<double>& values, double order = 2) {
  const double fine = values.back(), medium = values[values.size() - 2];
  return fine + (fine - medium) / (std::exp2(order) - 1);
}

// N, 2 N, 4 N cells or steps.
inline std::vector<int> doubled(int coarsest) {
  return {coarsest, 2 * coarsest, 4 * coarsest};
}

// Root mean square over the cells of the difference of two flows on one grid, all components.
inline double distance(const sim::Flow& a, const sim::Flow& b,
                       const std::string& field = "velocity") {
  const auto u = a.cell_arrays({field})[0].values, v = b.cell_arrays({field})[0].values;
  if (u.size() != v.size()) throw ShapeError("distance: two flows on different grids");
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += (u[i] - v[i]) * (u[i] - v[i]);
  return std::sqrt(sum / static_cast<double>(a.grid().cell_count()));
}

// A quantity whose errors fall from run to run.
struct Converging {
  std::string name;        // "velocity error, L2"
  double least_order = 0;  // of the last two runs; 0: shown, not judged
  std::vector<double> errors{};
};

// Of a case against its exact solution: the velocity's error in L2 and its largest, the same two of
// the pressure and of each scalar.
inline std::vector<double> errors_of(const sim::ErrorNorms& norms) {
  std::vector<double> errors{norms.velocity_l2, norms.velocity_max, norms.pressure_l2,
                             norms.pressure_max};
  for (const sim::FieldErrors& scalar : norms.scalars)
    errors.insert(errors.end(), {scalar.l2, scalar.max});
  return errors;
}
inline std::vector<double> errors_of(const sim::Flow& flow) {
  return errors_of(flow.error_norms().value());
}

// The quantities of errors_of() with the least orders that they are held to.
inline std::vector<Converging> velocity_errors(double least_order) {
  return {{"velocity error, L2", least_order}, {"velocity error, largest", least_order}};
}
inline std::vector<Converging> flow_errors(double velocity_order, double pressure_l2_order,
                                           double largest_pressure_order) {
  return {{"velocity error, L2", velocity_order},
          {"velocity error, largest", velocity_order},
          {"pressure error, L2", pressure_l2_order},
          {"pressure error, largest", largest_pressure_order}};
}
inline std::vector<Converging> scalar_errors(const std::string& name, double least_order) {
  return {{name + ", error, L2", least_order}, {name + ", error, largest", least_order}};
}

// Errors on a sequence of runs, each finer than the one before.
//
//   Convergence study{"Kovasznay", "cells along y", flow_errors(1.9, 1.9, 1.7)};
//   study.add(32, "48 x 32 cells", errors_of(*flow));
//   study.write(report);
struct Convergence {
  std::string figure{};      // where it is drawn: "errors against the exact solution"
  std::string size_label{};  // "cells a side", "steps"
  std::vector<Converging> quantities{};
  std::string source = "exact solution";
  double expected_order = 2;        // the slope drawn beside them
  std::vector<double> sizes{};      // what size_label names, ascending
  std::vector<std::string> runs{};  // "64 x 64 cells"; what the table calls them

  // An error of each of the quantities; what comes after them is left out.
  void add(double size, const std::string& run, const std::vector<double>& errors) {
    sizes.push_back(size);
    runs.push_back(run);
    for (std::size_t i = 0; i < quantities.size(); ++i)
      quantities[i].errors.push_back(errors.at(i));
  }
  // One row per quantity and run, and the curves; the first curve of a figure brings the slope.
  void write(Report& report) const {
    Figure& drawn = report.figure(figure, size_label, "error");
    drawn.logarithmic = true;
    for (const Converging& quantity : quantities) {
      const std::vector<double>& errors = quantity.errors;
      Profile measured, slope;
      for (std::size_t i = 0; i < errors.size(); ++i) {
        Row row{quantity.name, runs[i], errors[i], {}, {}, source};
        if (i > 0) row.order = order_of_errors(errors[i - 1], errors[i], sizes[i] / sizes[i - 1]);
        if (i + 1 == errors.size() && quantity.least_order > 0)
          row.least_order = quantity.least_order;
        report.add(std::move(row));
        measured.push_back({sizes[i], errors[i]});
        slope.push_back({sizes[i], errors[0] * std::pow(sizes[0] / sizes[i], expected_order)});
      }
      drawn.add_measured(quantity.name, measured);
      const std::string slope_name = fmt::format("order {}", expected_order);
      if (std::ranges::find(drawn.curves, slope_name, &Curve::name) == drawn.curves.end())
        drawn.curves.push_back({slope_name, Curve::Kind::slope, slope});
    }
  }
};

}  // namespace hodge::tools
