#include "sim/app/initial/stored_points.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "sim/base/csv_file.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/grid/axis_limits.hpp"
#include "sim/discrete/grid/grid.hpp"

namespace hodge::sim {
namespace {

constexpr long long most_bytes = 1LL << 32;
constexpr double same_coordinate = 1e-9;  // of the length of the axis: digits lost in a file
constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

// What a column may be called: our name, another one, and those of ParaView's spreadsheets.
using ColumnNames = std::array<const char*, 4>;
constexpr ColumnNames coordinate_columns[] = {{"x", "X", "Points:0", "Points_0"},
                                              {"y", "Y", "Points:1", "Points_1"},
                                              {"z", "Z", "Points:2", "Points_2"}};
constexpr ColumnNames velocity_columns[] = {{"u", "velocity_x", "velocity:0", "velocity_0"},
                                            {"v", "velocity_y", "velocity:1", "velocity_1"},
                                            {"w", "velocity_z", "velocity:2", "velocity_2"}};
constexpr const char* pressure_column = "pressure";

bool is_named(const std::string& cell, const ColumnNames& names) {
  return std::ranges::find(names, cell) != names.end();
}

using Columns = std::vector<std::vector<double>>;

// The rows as they are in the file.
class PointFile {
 public:
  PointFile(const std::filesystem::path& path, std::span<const std::string> scalars)
      : file_(path, most_bytes, "points with their fields") {
    if (!file_.next()) file_.refuse("the file has no lines, expected names of columns");
    for (std::size_t k = 0; k < file_.cells().size(); ++k) place_column(k, scalars);
    require_columns();
    values_.resize(file_.cells().size());
    while (file_.next()) take_row();
    if (lines_.empty()) file_.refuse("the file has no rows, expected a row for every point");
  }

  const CsvFile& file() const { return file_; }
  std::size_t rows() const { return lines_.size(); }
  long line(std::size_t row) const { return lines_[row]; }
  bool has_axis(int e) const { return coordinates_[e] != none; }
  const std::vector<double>& coordinates(int e) const { return values_[coordinates_[e]]; }
  const std::vector<double>* velocity(int d) const { return column(velocity_[d]); }
  const std::vector<double>* pressure() const { return column(pressure_); }
  const std::vector<std::pair<std::string, std::size_t>>& scalars() const { return scalars_; }
  const std::vector<double>& values(std::size_t column) const { return values_[column]; }

 private:
  const std::vector<double>* column(std::size_t k) const {
    return k == none ? nullptr : &values_[k];
  }

  void place_column(std::size_t k, std::span<const std::string> scalars) {
    const std::string& cell = file_.cells()[k];
    if (std::size_t* const place = place_of(cell)) {
      if (*place != none) file_.refuse("there are two columns {}, expected one", quote(cell));
      *place = k;
      return;
    }
    if (std::ranges::find(scalars, cell) == scalars.end()) refuse_column(cell, scalars);
    const auto is_there = [&](const auto& scalar) { return scalar.first == cell; };
    if (std::ranges::any_of(scalars_, is_there))
      file_.refuse("there are two columns {}, expected one", quote(cell));
    scalars_.emplace_back(cell, k);
  }

  std::size_t* place_of(const std::string& cell) {
    for (int e = 0; e < 3; ++e) {
      if (is_named(cell, coordinate_columns[e])) return &coordinates_[e];
      if (is_named(cell, velocity_columns[e])) return &velocity_[e];
    }
    return cell == pressure_column ? &pressure_ : nullptr;
  }

  [[noreturn]] void refuse_column(const std::string& cell,
                                  std::span<const std::string> scalars) const {
    std::vector<std::string> known;
    for (const ColumnNames& names : coordinate_columns) known.emplace_back(names[0]);
    for (const ColumnNames& names : velocity_columns) known.emplace_back(names[0]);
    known.emplace_back(pressure_column);
    known.insert(known.end(), scalars.begin(), scalars.end());
    file_.refuse("unknown column {}, {}known columns: {}", quote(cell), suggestion(cell, known),
                 one_line(join(known)));
  }

  void require_columns() const {
    for (int e = 0; e < 2; ++e)
      if (!has_axis(e))
        file_.refuse("there is no column {}, expected the coordinates x, y and in space z",
                     axis_names[e]);
    const bool in_space = has_axis(2);
    const bool with_velocity = std::ranges::any_of(velocity_, [](auto k) { return k != none; });
    for (int d = 0; with_velocity && d < (in_space ? 3 : 2); ++d)
      if (velocity_[d] == none)
        file_.refuse("there is no column {}, expected all components of the velocity",
                     velocity_columns[d][0]);
  }

  void take_row() {
    file_.require_cells(values_.size());
    for (std::size_t k = 0; k < values_.size(); ++k) {
      values_[k].push_back(file_.value_of(k));
      if (std::abs(values_[k].back()) > largest_coordinate)
        file_.refuse("{} is too large to compute with, expected at most {}", file_.cells()[k],
                     largest_coordinate);
    }
    lines_.push_back(file_.number());
  }

  CsvFile file_;
  std::array<std::size_t, 3> coordinates_{none, none, none}, velocity_{none, none, none};
  std::size_t pressure_ = none;
  std::vector<std::pair<std::string, std::size_t>> scalars_;
  Columns values_;
  std::vector<long> lines_;
};

// The different coordinates along an axis, in order.
std::vector<double> axis_points(std::vector<double> coordinates) {
  std::ranges::sort(coordinates);
  const double slack = same_coordinate * (coordinates.back() - coordinates.front());
  std::vector<double> points;
  for (const double x : coordinates)
    if (points.empty() || x - points.back() > slack) points.push_back(x);
  return points;
}

std::size_t nearest(const std::vector<double>& points, double x) {
  const auto above = std::ranges::lower_bound(points, x);
  if (above == points.begin()) return 0;
  const auto below = std::size_t(above - points.begin()) - 1;
  return above == points.end() || x - points[below] < *above - x ? below : below + 1;
}

// Brings the rows into the order of a grid.
class PointGrid {
 public:
  explicit PointGrid(const PointFile& points) : points_(points) {
    for (int e = 0; e < 3; ++e)
      if (points.has_axis(e)) axes_[e] = axis_points(points.coordinates(e));
    if (axes_[2].size() == 1) axes_[2].clear();
    for (int e = 0; e < dim(); ++e)
      if (axes_[e].size() < 2)
        points.file().refuse("all points have {} = {}, expected at least 2 different values",
                             axis_names[e], number_text(axes_[e][0]));
      else if (!can_be_computed_with(axes_[e].front(), axes_[e].back()))
        points.file().refuse(
            "the points go from {} to {} along {}, expected at least {} between them",
            axes_[e].front(), axes_[e].back(), axis_names[e], least_length);
    if (size() > double(points.rows())) refuse_missing();
    order_rows();
  }

  int dim() const { return axes_[2].empty() ? 2 : 3; }
  const std::array<std::vector<double>, 3>& axes() const { return axes_; }

  std::vector<double> ordered(const std::vector<double>& of_rows) const {
    std::vector<double> values;
    values.reserve(rows_.size());
    for (const std::size_t row : rows_) values.push_back(of_rows[row]);
    return values;
  }

 private:
  double size() const {
    double size = 1;
    for (int e = 0; e < dim(); ++e) size *= double(axes_[e].size());
    return size;
  }

  std::size_t place_of(std::size_t row) const {
    std::size_t place = 0;
    for (int e = dim() - 1; e >= 0; --e)
      place = place * axes_[e].size() + nearest(axes_[e], points_.coordinates(e)[row]);
    return place;
  }

  void order_rows() {
    rows_.assign(std::size_t(size()), none);
    for (std::size_t row = 0; row < points_.rows(); ++row) {
      std::size_t& taken = rows_[place_of(row)];
      if (taken != none)
        points_.file().refuse_at(points_.line(row),
                                 "the point {} is in line {} already, expected each point once",
                                 point_text(place_of(row)), points_.line(taken));
      taken = row;
    }
  }

  std::string point_text(std::size_t place) const {
    std::vector<std::string> coordinates;
    for (int e = 0; e < dim(); ++e) {
      coordinates.push_back(number_text(axes_[e][place % axes_[e].size()]));
      place /= axes_[e].size();
    }
    return "(" + join(coordinates) + ")";
  }

  // Fewer rows than points of the grid.
  [[noreturn]] void refuse_missing() const {
    std::vector<std::string> counts;
    for (int e = 0; e < dim(); ++e)
      counts.push_back(fmt::format("{} values of {}", axes_[e].size(), axis_names[e]));
    points_.file().refuse(
        "the {} points are no full grid: they have {}, expected a row for each of "
        "their {:.0f} combinations{}",
        points_.rows(), fmt::join(counts, " and "), size(), missing_text());
  }

  std::string missing_text() const {
    if (size() > 2 * double(points_.rows())) return "";
    std::vector<bool> is_there(static_cast<std::size_t>(size()));
    for (std::size_t row = 0; row < points_.rows(); ++row) is_there[place_of(row)] = true;
    const auto missing = std::ranges::find(is_there, false);
    return fmt::format("; {} is missing", point_text(std::size_t(missing - is_there.begin())));
  }

  const PointFile& points_;
  std::array<std::vector<double>, 3> axes_;
  std::vector<std::size_t> rows_;  // in the order of the grid
};

std::vector<double> edges_around(const std::vector<double>& points) {
  std::vector<double> edges{2 * points[0] - points[1]};
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    edges.push_back(0.5 * (points[i] + points[i + 1]));
  edges.push_back(2 * points.back() - points[points.size() - 2]);
  return edges;
}

}  // namespace

StoredState read_stored_points(const std::filesystem::path& path,
                               std::span<const std::string> scalars) {
  const PointFile points(path, scalars);
  const PointGrid grid(points);
  StoredState state;
  state.origin = fmt::format("{}: {} points", path.string(), points.rows());
  state.dim = grid.dim();
  state.velocity_is_at_faces = false;
  state.points = grid.axes();
  for (int e = 0; e < state.dim; ++e) state.edges[e] = edges_around(grid.axes()[e]);
  for (int d = 0; d < state.dim; ++d)
    if (points.velocity(d) != nullptr) state.velocity[d] = grid.ordered(*points.velocity(d));
  if (points.pressure() != nullptr) state.pressure = grid.ordered(*points.pressure());
  for (const auto& [name, column] : points.scalars())
    state.scalars.emplace_back(name, grid.ordered(points.values(column)));
  return state;
}

}  // namespace hodge::sim
