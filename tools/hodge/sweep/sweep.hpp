// `hodge sweep`: one configuration, run for every combination of some values.
//
//   hodge sweep FILE --over parameters.reynolds=50,100 --over 'grid.cells=[64, 64],[128, 128]'
//
// The sweep directory holds a run directory for each combination, whose name tells the values
// (reynolds=50,cells=64x64), sweep.csv and sweep.md. Every run is a process of its own
// (`hodge run`), which the directory is enough for: called again, a sweep leaves runs that are
// finished alone and continues the others from their checkpoints.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/table.hpp"
#include "tools/hodge/program/job_text.hpp"

namespace hodge::tools {

struct SweepArguments {
  std::string file, device, output;
  std::vector<std::string> over, overrides, show;
  int jobs = 1;              // runs at once
  long long at_most = 1000;  // combinations
  bool overwrite = false, quiet = false;
};

// One --over.
struct SweepAxis {
  std::string key;     // "grid.cells"
  std::string column;  // of tables and names of directories: "cells", or the key
  std::vector<std::string> values;
  std::vector<std::string> names;  // of the values in names of directories, each its own
};

// Values are divided at commas outside of brackets and quotes. Errors: ConfigError for a text that
// is not KEY=VALUE,..., a value or a key given twice, output.directory.
std::vector<SweepAxis> sweep_axes(const std::vector<std::string>& over);

// How a run begins.
enum class SweepStart {
  finished,   // not at all: it has ended
  restart,    // from its newest checkpoint
  overwrite,  // anew: it was cut off before its first checkpoint
  fresh
};

// What is kept of a run; the rest follows from its number.
struct SweepRun {
  SweepStart start = SweepStart::fresh;
  std::string output_name;
};

struct Sweep {
  std::filesystem::path directory;
  std::vector<SweepAxis> axes;
  std::vector<SweepRun> runs;  // the last axis varies fastest

  std::string name(std::size_t run) const;                      // of its directory in this one
  std::vector<std::string> values(std::size_t run) const;       // one of each axis
  std::vector<std::string> assignments(std::size_t run) const;  // "parameters.reynolds=50"
  std::filesystem::path directory_of(std::size_t run) const { return directory / name(run); }

 private:
  std::vector<std::size_t> positions(std::size_t run) const;  // of the values of each axis
};

// Counts the combinations, and refuses too many; reads the configuration of each and looks at what
// is in its directory; writes nothing. Every mistake gets one line on stderr; nothing is returned
// then.
std::optional<Sweep> planned_sweep(const SweepArguments& arguments);

// In the directory of a sweep.
inline constexpr const char *table_file = "sweep.csv", *markdown_file = "sweep.md";

// Takes checkpoints and summary of an earlier run in a directory away, so that no later call goes
// on with it.
void forget_run(const std::filesystem::path& directory);

// What is known of a run: its summary (OUTPUT.md), or null.
using Summaries = std::vector<sim::Json>;

// sweep.csv: names and values, how each run ended, then final value, mean and rms of its
// quantities.
std::string sweep_csv(const Sweep& sweep, const Summaries& summaries);
std::string sweep_markdown(const Sweep& sweep, const Summaries& summaries);
// For the terminal: the columns `show` of sweep.csv, or the final values of a few quantities.
// Errors: ConfigError for a name that is no column.
std::string sweep_text(const Sweep& sweep, const Summaries& summaries,
                       const std::vector<std::string>& show);

// Runs what is not finished and writes the tables after every run. Returns the exit code: of a
// signal its own, otherwise the largest of the runs.
int sweep_command(const SweepArguments& arguments);

}  // namespace hodge::tools
