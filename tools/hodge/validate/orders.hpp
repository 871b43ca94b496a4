// Observed orders and limits of values on successively refined grids or steps.
#pragma once

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
  double least_order = 0;     // of the last two runs; 0: told only
  double expected_order = 2;  // the slope drawn beside them
  std::string source = "exact solution";
};
// A row a run, and the curve; the first of a figure with its slope.
void add_convergence(Report& report, const Convergence& study);

}  // namespace hodge::tools
