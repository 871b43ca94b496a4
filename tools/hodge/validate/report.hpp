// The results of a validation: a table of measured values beside the published or exact ones, the
// curves of its plot, and every compared point.
//
//   report.add({"u_min on x = 0.5", "Re 100, 128 x 128 cells", -0.2138, -0.21404, relative(0.002),
//               "Marchi et al. 2009"});
//   report.add({.quantity = "velocity error, L2", .run = "64 x 64 cells", .measured = 3.1e-4,
//               .source = "exact solution", .order = 1.98, .least_order = 1.9});
#pragma once

#include <algorithm>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/table.hpp"
#include "sim/processes/leading_flow.hpp"
#include "tools/hodge/validate/profile.hpp"

namespace hodge::tools {

using sim::Json;
using sim::Table;

struct ValidateOptions {
  bool quick = false;           // smaller grids, 5 to 10 s each on two CPU cores
  bool large = false;           // adds runs that take a GPU minutes each
  std::string device = "auto";  // as in a configuration
  // Of the processes that share the flows of cases; null: there is one.
  sim::FlowLeader* leader = nullptr;
};

// What a measured value must keep to. The place that chooses a bound says where it comes from.
struct Bound {
  enum class Kind { none, relative, absolute, at_most, at_least };
  Kind kind = Kind::none;
  double value = 0;
};
constexpr Bound relative(double value) {  // |measured / published - 1|
  return {Bound::Kind::relative, value};
}
constexpr Bound absolute(double value) {  // |measured - published|
  return {Bound::Kind::absolute, value};
}
constexpr Bound at_most(double value) {  // measured itself
  return {Bound::Kind::at_most, value};
}
constexpr Bound at_least(double value) {
  return {Bound::Kind::at_least, value};
}

// One line of the table, or one point of a measured profile beside the published one. A row with
// neither bound nor least_order is shown, not judged.
struct Row {
  std::string quantity{};
  std::string run{};  // resolution and parameters
  double measured = 0;
  std::optional<double> published{};  // or exact
  Bound bound{};
  std::string source{};
  std::optional<double> order{};  // observed, of the runs up to this one
  std::optional<double> least_order{};
  double position = 0;  // of a point

  // measured - published where the bound is absolute or published is 0, else relative to published;
  // none without a published value.
  std::optional<double> error() const;
  bool judged() const { return bound.kind != Bound::Kind::none || least_order.has_value(); }
  bool passed() const;  // false for what is not a number
};

struct Curve {
  enum class Kind { measured, published, slope };  // a line, points, a dotted line
  std::string name;
  Kind kind = Kind::measured;
  Profile points;
};

// One pair of axes of the plot.
struct Figure {
  std::string title, x_label, y_label;
  bool logarithmic = false;  // both axes
  std::vector<Curve> curves{};

  void add_measured(const std::string& curve, const Profile& points) {
    curves.push_back({curve, Curve::Kind::measured, points});
  }
  void add_published(const std::string& curve, const Profile& points) {
    curves.push_back({curve, Curve::Kind::published, points});
  }
};

class Report {
 public:
  explicit Report(std::string name, ValidateOptions chosen = {})
      : options(std::move(chosen)), name_(std::move(name)) {}

  const ValidateOptions options;  // how the validation has to run
  std::string failure;            // of a run; empty where all ran
  double seconds = 0;

  // The first with --quick, else the second.
  template <class Value>
  Value choose(Value quick, Value full) const {
    return options.quick ? quick : full;
  }

  void add(Row row) { rows_.push_back(std::move(row)); }
  // A value without a published one, which has to keep to the bound.
  void limit(const std::string& quantity, const std::string& run, double measured, Bound bound,
             const std::string& source) {
    add({quantity, run, measured, std::nullopt, bound, source});
  }
  void compare(Row point) { comparisons_.push_back(std::move(point)); }
  // The figure of that title, made where there is none; the reference stays valid.
  Figure& figure(const std::string& title, const std::string& x_label, const std::string& y_label);
  // Prints what is being run, and how long it took.
  void progress(const std::string& text) const;

  const std::string& name() const { return name_; }
  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<Row>& comparisons() const { return comparisons_; }
  const std::deque<Figure>& figures() const { return figures_; }
  int judged() const { return static_cast<int>(std::ranges::count_if(rows_, &Row::judged)); }
  int failed() const {
    return static_cast<int>(rows_.size()) -
           static_cast<int>(std::ranges::count_if(rows_, &Row::passed));
  }
  bool passed() const { return failure.empty() && judged() > 0 && failed() == 0; }

  Table table() const;
  // checks.csv (the table), comparisons.csv (every point), curves.csv (what NAME.png is drawn from)
  // in the directory, which is made where it is missing. Errors: IoError.
  void write(const std::filesystem::path& directory) const;
  static bool is_written(const std::string& file);  // one of these

 private:
  std::string name_;
  std::vector<Row> rows_;
  std::vector<Row> comparisons_;
  std::deque<Figure> figures_;
};

struct PublishedProfile {
  std::string quantity{};      // "u on x = 0.5"
  std::string position = "y";  // what the positions are
  std::string value = "u";     // what the values are
  Profile points{};
  Bound bound{};  // absolute: of every point; none: shown, not judged
  std::string source{};
};

// A measured profile beside published points: adds every point, the curves of the plot, and a row
// for the point that is farthest off.
void compare_profile(Report& report, const std::string& run, const Profile& measured,
                     const PublishedProfile& published);

}  // namespace hodge::tools
