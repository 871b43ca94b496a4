// The errors of a case against its exact solution on a sequence of runs, each finer than the last:
// velocity in L2 and its largest error, pressure in L2, every scalar in L2 and its largest error.
//
//   ErrorStudy study({.figure = "Kovasznay", .velocity_order = 1.9, .largest_order = 1.9});
//   study.add(32, "48 x 32 cells", flow->error_norms().value());
//   study.write(report);
#pragma once

#include <string>
#include <vector>

#include "tools/hodge/validate/orders.hpp"

namespace hodge::tools {

class ErrorStudy {
 public:
  // Least orders of the two finest runs; 0: told, not judged.
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
