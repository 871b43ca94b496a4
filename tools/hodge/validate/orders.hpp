// Observed orders and limits of values on successively refined grids or steps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/flow/flow.hpp"
#include "tools/hodge/validate/report.hpp"

namespace hodge::tools {

// log(coarse / fine) / log(refinement) of two errors.
double order_of_errors(double coarse, double fine, double refinement = 2);

// The same of the differences of three values, whose limit need not be known.
double order_of_values(double coarse, double medium, double fine);

// Richardson: the limit of values whose error falls by 2^order from each grid to the next.
double extrapolate(double medium, double fine, double order = 2);

// The same of the last values of a sequence: the order of three, none with two; the limit of two.
std::optional<double> order_of_last(const std::vector<double>& values);
double limit_of_last(const std::vector<double>& values);

// Root mean square over the cells of the difference of two flows on one grid, all components.
double distance(const sim::Flow& a, const sim::Flow& b, const std::string& field = "velocity");

// Errors on a sequence of runs, each finer than the one before.
struct Convergence {
  std::string quantity{};           // "velocity error, L2"
  std::string figure{};             // where it is drawn: "errors against the exact solution"
  std::string size_label{};         // "cells a side", "steps"
  std::vector<double> sizes{};      // what size_label names, ascending
  std::vector<std::string> runs{};  // "64 x 64 cells"; what the table calls them
  std::vector<double> errors{};
  double least_order = 0;     // of the last two runs; 0: shown, not judged
  double expected_order = 2;  // the slope drawn beside them
  std::string source = "exact solution";

  void add(double size, const std::string& run, double error);
};
// One row per run, and the curve; the first curve of a figure brings the slope.
void add_convergence(Report& report, const Convergence& study);

// The L2 and the largest error of one scalar: "NAME, error, L2" and "NAME, error, largest".
struct ScalarConvergence {
  Convergence l2, largest;

  ScalarConvergence(const std::string& name, const Convergence& common);
  void add(double size, const std::string& run, const sim::FieldErrors& errors);
};
void add_convergence(Report& report, const ScalarConvergence& study);

// The errors of a case against its exact solution on a sequence of runs, each finer than the last:
// velocity in L2 and its largest error, pressure in L2, every scalar in L2 and its largest error.
//
//   ErrorStudy study({.figure = "Kovasznay", .velocity_order = 1.9, .largest_order = 1.9});
//   study.add(32, "48 x 32 cells", flow->error_norms().value());
//   study.write(report);
class ErrorStudy {
 public:
  // Least orders of the two finest runs; 0: shown, not judged.
  struct Plan {
    std::string figure{};
    std::string size_label = "cells a side";
    double velocity_order = 0;                    // in L2
    double largest_order = 0;                     // of the largest error
    double pressure_order = 0, scalar_order = 0;  // in L2; of both
    double largest_pressure_order = 0;
    double expected_order = 2;
    bool pressure = true;  // false: not measured
    std::string source = "exact solution";
  };

  explicit ErrorStudy(Plan plan) : plan_(std::move(plan)) {}
  void add(double size, const std::string& run, const sim::ErrorNorms& errors);
  void write(Report& report) const;

 private:
  Convergence& quantity(std::size_t index, const std::string& name, double least_order);

  Plan plan_;
  std::vector<Convergence> studies_;
};

}  // namespace hodge::tools
