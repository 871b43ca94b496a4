#include "sim/app/output/probe_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/files/directories.hpp"
#include "sim/discrete/operators/output_fields.hpp"

namespace hodge::sim {
namespace {

Point point_of_line(const ProbeLine& line, int i) {
  const double fraction = static_cast<double>(i) / (line.points - 1);
  Point point;
  for (std::size_t e = 0; e < point.size(); ++e)
    point[e] =
        i == line.points - 1 ? line.to[e] : line.from[e] + fraction * (line.to[e] - line.from[e]);
  return point;
}

double distance(const Point& a, const Point& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// Pairs of columns whose covariances are Reynolds stresses, fluxes of scalars and the pressure's
// correlations with the velocity: each velocity component with the later ones and with every field
// of one stored value.
std::vector<std::array<std::size_t, 2>> covariance_columns(
    const std::vector<std::string>& fields, const std::vector<std::string>& columns) {
  std::vector<std::string> components(velocity_names.begin(), velocity_names.end());
  if (std::ranges::count(columns, "velocity_x") != 0)
    components = {"velocity_x", "velocity_y", "velocity_z"};
  const auto is_in = [](const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::count(names, name) != 0;
  };
  const bool has_velocity = is_in(fields, "velocity");
  const auto is_component = [&](const std::string& column) {
    return has_velocity && is_in(components, column);
  };
  const auto is_stored = [&](const std::string& column) {
    const OutputField* const row = find_output_field(column);
    return is_in(fields, column) && (row == nullptr || row->is == StoredField::pressure);
  };
  std::vector<std::array<std::size_t, 2>> pairs;
  for (std::size_t a = 0; a < columns.size(); ++a)
    for (std::size_t b = 0; b < columns.size() && is_component(columns[a]); ++b)
      if (is_component(columns[b]) ? b > a : is_stored(columns[b])) pairs.push_back({a, b});
  return pairs;
}

std::string points_header(const ProbeSettings& probes, const std::vector<std::string>& columns) {
  std::string text = "step,t";
  for (const ProbePoint& point : probes.points)
    for (const std::string& column : columns) text += fmt::format(",{}_{}", point.name, column);
  return text + "\n";
}

}  // namespace

std::vector<Point> sampled_points(const ProbeSettings& probes) {
  std::vector<Point> points;
  for (const ProbePoint& point : probes.points) points.push_back(point.at);
  for (const ProbeLine& line : probes.lines)
    for (int i = 0; i < line.points; ++i) points.push_back(point_of_line(line, i));
  return points;
}

std::string probe_file(const std::string& name, const std::string& part) {
  return part == "1" ? name + ".csv" : fmt::format("{}.{}.csv", name, part);
}

int part_of_probe_file(const std::string& name) {
  const std::filesystem::path number = std::filesystem::path(name).stem().extension();
  return number.empty() ? 1 : std::atoi(number.c_str() + 1);
}

ProbeFiles::ProbeFiles(const std::filesystem::path& directory, const ProbeSettings& probes,
                       std::unique_ptr<PointSampler> sampler, RowFile::Start start,
                       const ContinuedProbes& continued)
    : probes_(probes),
      sampler_(std::move(sampler)),
      points_(sampled_points(probes)),
      values_(points_.size() * sampler_->columns().size()),
      continued_(continued),
      continues_files_(start == RowFile::Start::with_what_is_there && continued.rows) {
  const auto path = [&, part = std::to_string(continued.part)](const std::string& name) {
    return directory / probe_file(name, part);
  };
  if (!continues_files_) start = RowFile::Start::empty;
  if (probes.every) multiples_.emplace(*probes.every);
  averages_path_ = path("averages");
  if (!probes.points.empty()) {
    points_file_.emplace(path("probes"), start);
    if (points_file_->empty()) points_file_->append(points_header(probes, sampler_->columns()));
  }
  for (const ProbePoint& point : probes.points) groups_.push_back({point.name, groups_.size(), 1});
  std::size_t first = groups_.size();
  for (const ProbeLine& line : probes.lines) {
    groups_.push_back({line.name, first, static_cast<std::size_t>(line.points)});
    first += groups_.back().count;
    make_directory(directory / "lines");
    RowFile& file = line_files_.emplace_back(path("lines/" + line.name), start);
    if (file.empty())
      file.append(fmt::format("t,s,x,y,z,{}\n", fmt::join(sampler_->columns(), ",")));
  }
  if (!probes.average_from) return;
  if (probes.covariances) covariances_ = covariance_columns(probes.fields, sampler_->columns());
  TimeAverage::Pairs pairs;
  for (const auto& [a, b] : covariances_)
    for (std::size_t i = 0; i < points_.size(); ++i)
      pairs.push_back({a * points_.size() + i, b * points_.size() + i});
  average_.emplace(values_.size(), std::move(pairs));
}

void ProbeFiles::record(long step, double t) {
  const bool row = row_is_due(t);
  const bool average = average_ && counts_for_averages(t);
  if (!row && !average) return;
  sampler_->sample(values_);
  if (average) average_->add(t, values_);
  if (row) append_rows(step, t);
}

bool ProbeFiles::counts_for_averages(double t) const {
  return has_reached(t, *probes_.average_from) &&
         (!probes_.average_to || has_reached(*probes_.average_to, t));
}

void ProbeFiles::record_end(long step, double t) {
  if (last_row_step_ == step) return;
  sampler_->sample(values_);
  append_rows(step, t);
}

// Every file gets its rows, whatever happens to another: those that cannot be written wait.
void ProbeFiles::append_rows(long step, double t) {
  last_row_step_ = step;
  std::optional<IoError> first;
  const auto attempt = [&first](const auto& append) {
    try {
      append();
    } catch (const IoError& error) {
      if (!first) first = error;
    }
  };
  if (points_file_) attempt([&] { append_points(step, t); });
  for (std::size_t line = 0; line < line_files_.size(); ++line)
    attempt([&] { append_line(line, t); });
  if (first) throw *first;
}

std::vector<RowFile*> ProbeFiles::row_files() {
  std::vector<RowFile*> files;
  if (points_file_) files.push_back(&*points_file_);
  for (RowFile& file : line_files_) files.push_back(&file);
  return files;
}

void ProbeFiles::visit_state(StateVisitor& visitor, double now) {
  if (!average_ || (visitor.restores() && !(continued_.rows && continued_.averages))) return;
  average_->visit_state(visitor, now);
  const bool is_in_window =
      average_->has_begun() ? counts_for_averages(average_->from()) : !counts_for_averages(now);
  if (visitor.restores() && !is_in_window)
    visitor.refuse("average/from", "is not where the averages of the probes begin");
}

void ProbeFiles::look_for_rows_of(const RowsUpTo& now) {
  const std::vector<RowFile*> files = row_files();
  if (continues_files_ && !files.empty() && files[0]->has_row_of(now)) last_row_step_ = now.step;
}

void ProbeFiles::continue_from(double t) {
  if (multiples_) passed_ = multiples_->passed(t);
  if (!average_ || continued_.averages || !counts_for_averages(t)) return;
  sampler_->sample(values_);
  average_->add(t, values_);
}

bool ProbeFiles::row_is_due(double t) {
  if (!multiples_) return true;
  const long passed = multiples_->passed(t);
  const bool is_due = passed > passed_;
  passed_ = std::max(passed_, passed);
  return is_due;
}

std::string ProbeFiles::values_text(std::size_t point) const {
  std::string text;
  for (std::size_t i = point; i < values_.size(); i += points_.size())
    fmt::format_to(std::back_inserter(text), ",{}", values_[i]);
  return text;
}

void ProbeFiles::append_points(long step, double t) {
  std::string row = fmt::format("{},{}", step, t);
  for (std::size_t i = 0; i < probes_.points.size(); ++i) row += values_text(i);
  points_file_->append(row + "\n");
}

void ProbeFiles::append_line(std::size_t line, double t) {
  const Group& group = groups_[probes_.points.size() + line];
  std::string rows;
  for (std::size_t i = group.first; i < group.first + group.count; ++i)
    rows += fmt::format("{},{},{}{}\n", t, distance(points_[i], points_[group.first]),
                        fmt::join(points_[i], ","), values_text(i));
  line_files_[line].append(rows);
}

void ProbeFiles::write_averages() const {
  if (average_ && average_->to() > average_->from())
    write_file_atomically(averages_path_, averages_text());
}

std::string ProbeFiles::averages_text() const {
  std::string text;
  for (const Group& group : groups_)
    for (std::size_t i = group.first; i < group.first + group.count; ++i) {
      const CsvRow row = average_row(group, i);
      text += (text.empty() ? csv_header(row) : "") + csv_line(row);
    }
  return text;
}

CsvRow ProbeFiles::average_row(const Group& group, std::size_t point) const {
  const auto& [x, y, z] = points_[point];
  const double s = distance(points_[point], points_[group.first]);
  CsvRow row{{"name", group.name}, {"s", s}, {"x", x}, {"y", y}, {"z", z}};
  row.push_back({"from", average_->from()});
  row.push_back({"to", average_->to()});
  for (std::size_t column = 0; column < sampler_->columns().size(); ++column) {
    const std::size_t i = column * points_.size() + point;
    row.push_back({sampler_->columns()[column] + "_mean", average_->mean(i)});
    row.push_back({sampler_->columns()[column] + "_rms", average_->rms(i)});
  }
  for (std::size_t k = 0; k < covariances_.size(); ++k) {
    const auto [a, b] = covariances_[k];
    row.push_back({fmt::format("{}_{}_covariance", sampler_->columns()[a], sampler_->columns()[b]),
                   average_->covariance(k * points_.size() + point)});
  }
  return row;
}

}  // namespace hodge::sim
