#include "tools/hodge/validate/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <system_error>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"

namespace hodge::tools {
namespace {

constexpr const char *checks_file = "checks.csv", *comparisons_file = "comparisons.csv",
                     *curves_file = "curves.csv";

using sim::Column;

std::string bound_text(const Row& row) {
  using enum Bound::Kind;
  const auto [kind, value] = row.bound;
  std::string text = kind == relative   ? fmt::format("{:.4g} %", 100 * value)
                     : kind == absolute ? fmt::format("{:.4g}", value)
                     : kind == at_most  ? fmt::format("at most {:.6g}", value)
                     : kind == at_least ? fmt::format("at least {:.6g}", value)
                                        : "";
  if (!row.least_order) return text;
  return fmt::format("{}{}order {:.4g}", text, text.empty() ? "" : ", ", *row.least_order);
}

bool is_relative(const Row& row) {
  return row.bound.kind != Bound::Kind::absolute && row.published.value_or(0) != 0;
}

std::string error_text(const Row& row) {
  const std::optional<double> error = row.error();
  if (!error) return "-";
  return is_relative(row) ? fmt::format("{:+.3g} %", 100 * *error) : fmt::format("{:+.3g}", *error);
}

bool keeps(const Row& row) {
  using enum Bound::Kind;
  const auto [kind, value] = row.bound;
  if (kind == none) return true;
  if (kind == at_most) return row.measured <= value;
  if (kind == at_least) return row.measured >= value;
  return std::abs(row.error().value_or(std::nan(""))) <= value;
}

Json json_of(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

Json line_of(const Row& row) {
  return {{"quantity", row.quantity},
          {"run", row.run},
          {"measured", row.measured},
          {"published", json_of(row.published)},
          {"error", error_text(row)},
          {"order", json_of(row.order)},
          {"bound", bound_text(row)},
          {"passed", !row.judged() ? "told" : row.passed() ? "ok" : "FAILED"},
          {"source", row.source}};
}

const std::vector<Column> row_columns{{"quantity", "quantity"},
                                      {"run", "run"},
                                      {"measured", "measured", "{:.6g}"},
                                      {"published", "published", "{:.6g}"},
                                      {"error", "error"},
                                      {"order", "order", "{:.2f}"},
                                      {"bound", "bound"},
                                      {"passed", "verdict"},
                                      {"source", "source"}};

using Values = std::vector<Json>;  // of a line of a CSV file, in the order of its keys

std::string csv_of(const std::vector<std::string>& keys, const std::vector<Values>& lines) {
  std::vector<Column> columns;
  for (const std::string& key : keys) columns.push_back({key, key});
  Table table("", "", std::move(columns));
  for (const Values& values : lines) {
    Json row;
    for (std::size_t i = 0; i < keys.size(); ++i) row[keys[i]] = values[i];
    table.add(std::move(row));
  }
  return table.csv();
}

std::string comparisons_csv(const std::vector<Row>& comparisons) {
  std::vector<Values> lines;
  for (const Row& point : comparisons)
    lines.push_back({point.run, point.quantity, point.position, point.measured, *point.published,
                     point.measured - *point.published, point.source});
  return csv_of({"run", "quantity", "position", "measured", "reference", "difference", "source"},
                lines);
}

std::string curves_csv(const std::deque<Figure>& figures) {
  constexpr const char* kinds[] = {"measured", "published", "slope"};
  std::vector<Values> lines;
  for (const Figure& figure : figures)
    for (const Curve& curve : figure.curves)
      for (const auto& [x, y] : curve.points)
        lines.push_back({figure.title, figure.x_label, figure.y_label,
                         figure.logarithmic ? "log" : "linear", curve.name,
                         kinds[static_cast<int>(curve.kind)], x, y});
  return csv_of({"figure", "x_label", "y_label", "scale", "curve", "kind", "x", "y"}, lines);
}

// A value that is no number counts as infinitely far off.
double distance_of(const Row& point) {
  const double distance = std::abs(point.measured - point.published.value());
  return std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
}

}  // namespace

std::optional<double> Row::error() const {
  if (!published) return std::nullopt;
  return is_relative(*this) ? measured / *published - 1 : measured - *published;
}

bool Row::passed() const {
  const bool order_holds = !least_order || order.value_or(std::nan("")) >= *least_order;
  return std::isfinite(measured) && keeps(*this) && order_holds;
}

Figure& Report::figure(const std::string& title, const std::string& x_label,
                       const std::string& y_label) {
  for (Figure& known : figures_)
    if (known.title == title) return known;
  return figures_.emplace_back(Figure{title, x_label, y_label});
}

void Report::progress(const std::string& text) const {
  std::cout << "  " << text << std::endl;
}

Table Report::table() const {
  Table table(name_, name_, row_columns);
  for (const Row& row : rows_) table.add(line_of(row));
  return table;
}

void Report::write(const std::filesystem::path& directory) const {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error)
    throw IoError(fmt::format("making {} failed: {}", directory.string(), error.message()));
  write_file_atomically(directory / checks_file, table().csv());
  write_file_atomically(directory / comparisons_file, comparisons_csv(comparisons_));
  write_file_atomically(directory / curves_file, curves_csv(figures_));
}

bool Report::is_written(const std::string& file) {
  return file == checks_file || file == comparisons_file || file == curves_file;
}

void compare_profile(Report& report, const std::string& run, const Profile& measured,
                     const PublishedProfile& published) {
  Figure& figure = report.figure(fmt::format("{}, {}", published.quantity, run), published.position,
                                 published.value);
  figure.add_measured("hodge", measured);
  figure.add_published(published.source, published.points);
  Row farthest{.run = run, .published = 0, .source = published.source};
  for (const auto& [position, value] : published.points) {
    Row point = farthest;
    point.quantity = published.quantity;
    point.position = position;
    point.measured = interpolate(measured, position);
    point.published = value;
    report.compare(point);
    if (distance_of(point) > distance_of(farthest)) farthest = point;
  }
  farthest.quantity = fmt::format("{}, farthest of {} points, {} = {:.4g}", published.quantity,
                                  published.points.size(), published.position, farthest.position);
  farthest.bound = published.bound;
  report.add(farthest);
}

}  // namespace hodge::tools
