// The rows of a run beside those of the same rows of an older run by fewer processes.
#include <algorithm>

#include "tools/hodge/bench/scaling.hpp"

namespace hodge::tools::bench {
namespace {

constexpr const char* names_of_row[] = {"case", "scheme", "pressure", "kind", "box", "device"};

bool is_same(const Json& a, const Json& b) {
  return std::ranges::all_of(names_of_row, [&](const char* name) {
    return a.contains(name) && b.contains(name) && a.at(name) == b.at(name);
  });
}

bool has_numbers(const Json& row) {
  return row.contains("processes") && row.at("processes").is_number() &&
         row.contains("ms_a_step") && row.at("ms_a_step").is_number();
}

// The steps of the results of an experiment, as `hodge bench` writes them.
const Json& step_rows(const Json& results) {
  static const Json none = Json::array();
  const Json& tables = results.at("tables");
  return tables.contains("steps") ? tables.at("steps").at("rows") : none;
}

std::vector<Cell> efficiency_row(const Json& before, const Json& now) {
  const double speed_up = before.at("ms_a_step").get<double>() / now.at("ms_a_step").get<double>();
  const double growth = now.at("processes").get<double>() / before.at("processes").get<double>();
  const bool weak = now.at("kind") == "weak";
  std::vector<Cell> cells;
  for (const char* name : names_of_row) cells.push_back(key(name, now.at(name)));
  const std::vector<Cell> more{
      cell("processes_before", "processes before", before.at("processes")),
      cell("processes", "now", now.at("processes")),
      cell("ms_before", "ms / step before", before.at("ms_a_step"), "{:.3f}"),
      cell("ms_now", "now", now.at("ms_a_step"), "{:.3f}"),
      cell("speed_up", "speed-up", weak ? speed_up * growth : speed_up, "{:.2f}"),
      cell("efficiency", "efficiency", weak ? speed_up : speed_up / growth, "{:.3f}")};
  cells.insert(cells.end(), more.begin(), more.end());
  return cells;
}

}  // namespace

void compare_scaling(const Json& older, ExperimentRun& run) {
  const Json now = run.json();
  ResultTable& table = run.add_table(
      "efficiency", "Speed-up and efficiency over the older run, whose processes may be fewer");
  for (const Json& row : step_rows(now))
    for (const Json& before : step_rows(older))
      if (is_same(row, before) && has_numbers(row) && has_numbers(before))
        table.add(efficiency_row(before, row));
}

}  // namespace hodge::tools::bench
