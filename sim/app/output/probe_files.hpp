// The CSV files of probes in a run directory: probes.csv, lines/<name>.csv, averages.csv
// (sim/OUTPUT.md says what is in them). A restart with other probes begins new files, part 2:
// probes.2.csv, lines/<name>.2.csv, averages.2.csv.
//
// Rows are written at the start, at the first step at or after every multiple of the interval (or
// at every step), and at the end; averages take every step. All points and lines are sampled
// together, with one download. Errors: IoError; probes.csv and the lines then end with their last
// whole rows, the rest waits in their RowFiles, and averages.csv is the previous one.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/app/checkpoint/other_output.hpp"
#include "sim/app/output/time_average.hpp"
#include "sim/base/row_file.hpp"
#include "sim/base/times.hpp"
#include "sim/discrete/probes/point_sampler.hpp"
#include "sim/model/probe_settings.hpp"

namespace hodge::sim {

// Every point of the probes: first the single ones, then line after line.
std::vector<Point> sampled_points(const ProbeSettings& probes);

// The name of a file of probes in a part: "probes" and 2 make "probes.2.csv". `part` may be "#".
std::string probe_file(const std::string& name, const std::string& part);
// The part that a file belongs to, by its name; 1 for names without a number.
int part_of_probe_file(const std::string& name);

class ProbeFiles {
 public:
  // `sampler` samples sampled_points(probes). Writes the headers. `probes` must outlive this.
  ProbeFiles(const std::filesystem::path& directory, const ProbeSettings& probes,
             std::unique_ptr<PointSampler> sampler, RowFile::Start start = RowFile::Start::empty,
             const ContinuedProbes& continued = {});

  // Adds the present fields, those of step `step` at time t, to the files.
  void record(long step, double t);
  void record_end(long step, double t);  // rows of the last fields, unless they are there already
  void write_averages() const;           // nothing while the averaged time is 0

  std::vector<RowFile*> row_files();
  void visit_state(StateVisitor& visitor, double now);  // without the files
  // After the state of a run at time t was restored.
  void continue_from(double t);
  // After the files of that run have gone back: no step gets its rows twice.
  void look_for_rows_of(const RowsUpTo& now);

 private:
  bool row_is_due(double t);
  bool counts_for_averages(double t) const;
  void append_rows(long step, double t);
  void append_points(long step, double t);
  void append_line(std::size_t line, double t);
  std::string values_text(std::size_t point) const;
  std::string averages_text() const;
  struct Group {  // a point, or the points of a line
    std::string name;
    std::size_t first, count;
  };
  CsvRow average_row(const Group& group, std::size_t point) const;

  const ProbeSettings& probes_;
  std::unique_ptr<PointSampler> sampler_;
  std::vector<Point> points_;
  std::vector<Group> groups_;  // of points_: first the single points
  std::vector<double> values_;
  std::optional<RowFile> points_file_;
  std::vector<RowFile> line_files_;
  std::filesystem::path averages_path_;
  using ColumnPair = std::array<std::size_t, 2>;
  std::vector<ColumnPair> covariances_;  // of columns; the average has them for every point
  std::optional<TimeAverage> average_;
  std::optional<Multiples> multiples_;  // of the interval of rows
  long passed_ = -1;                    // the last multiple that has a row
  long last_row_step_ = -1;             // in these files
  ContinuedProbes continued_;
  bool continues_files_;  // those of the run that wrote the checkpoint
};

}  // namespace hodge::sim
