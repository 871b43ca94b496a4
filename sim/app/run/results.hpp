// The results of a run as numbers, for summary.json and for tables of several runs: the last value
// of every quantity in history.csv, forces.csv and probes.csv, and its mean and rms over a window
// of time,
//
//   mean = 1/T int q dt,   rms^2 = 1/T int (q - mean)^2 dt            (output/time_average.hpp)
//
// over the rows of the files in the window. Step sizes, numbers of iterations and seconds are no
// quantities.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/settings.hpp"

namespace hodge::sim {

struct QuantityResult {
  std::string name;                 // of its column
  std::optional<double> last;       // none where no row has a value
  std::optional<double> mean, rms;  // none where the window has less than two rows
};

struct RunResults {
  std::optional<double> from, to;  // first and last time of history.csv in the window
  std::vector<QuantityResult> quantities;
};

// The window of the settings' statistics, otherwise the second half of the time until `end`, which
// the run has reached.
TimeWindow results_window(const Settings& settings, double end);

// A file that is not there gives nothing.
RunResults results_of(const Settings& settings, double end);

}  // namespace hodge::sim
