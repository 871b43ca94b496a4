#include <fmt/format.h>

#include <algorithm>

#include "sim/base/durations.hpp"
#include "sim/base/text.hpp"
#include "tools/hodge/program/program.hpp"
#include "tools/hodge/sweep/sweep.hpp"

namespace hodge::tools {
namespace {

using sim::Json;

constexpr std::size_t shown_quantities = 6;  // on the terminal, without --show

// Value of a key of the summary, which a run that failed early does not have; null then.
Json value_of(const Json& summary, const std::vector<std::string>& path) {
  const Json* at = &summary;
  for (const std::string& key : path) {
    if (!at->is_object() || !at->contains(key)) return nullptr;
    at = &(*at)[key];
  }
  return *at;
}

const std::vector<std::string> in_quantities{"results", "quantities"};

// Of all runs, in the order of the first run that has them.
std::vector<std::string> quantities_of(const Summaries& summaries) {
  std::vector<std::string> names;
  for (const Json& summary : summaries) {
    const Json quantities = value_of(summary, in_quantities);  // lives as long as its items()
    for (const auto& [name, value] : quantities.items())
      if (std::ranges::count(names, name) == 0) names.push_back(name);
  }
  return names;
}

Json quantity(const Json& summary, const std::string& name, const char* which) {
  return value_of(summary, {"results", "quantities", name, which});
}

// A value as it was typed; a number as a number.
Json typed(const std::string& value) {
  const Json number = Json::parse(value, nullptr, /*allow_exceptions=*/false);
  return number.is_number() ? number : Json(value);
}

Json seconds_of(const Json& summary) {
  return value_of(summary, {"seconds", "total"});
}

const char* rms_suffix = "_rms";
const char* mean_suffix = "_mean";

// Every column of sweep.csv.
Json row_of(const Sweep& sweep, std::size_t k, const Summaries& summaries,
            const std::vector<std::string>& quantities) {
  const Json& summary = summaries[k];
  Json row{{"run", sweep.name(k)}};
  const std::vector<std::string> values = sweep.values(k);
  for (std::size_t a = 0; a < sweep.axes.size(); ++a) row[sweep.axes[a].column] = typed(values[a]);
  row["status"] = summary.is_null() ? Json("pending") : value_of(summary, {"status"});
  row["exit_code"] = value_of(summary, {"exit_code"});
  row["end"] = value_of(summary, {"end"});
  row["steps"] = value_of(summary, {"step"});
  row["t"] = value_of(summary, {"time"});
  row["seconds"] = seconds_of(summary);
  row["from"] = value_of(summary, {"results", "from"});
  row["to"] = value_of(summary, {"results", "to"});
  for (const std::string& name : quantities) {
    row[name] = quantity(summary, name, "final");
    row[name + mean_suffix] = quantity(summary, name, "mean");
    row[name + rms_suffix] = quantity(summary, name, "rms");
  }
  const bool failed = value_of(summary, {"status"}) == "failed";
  row["message"] = failed ? value_of(summary, {"message"}) : Json(nullptr);
  return row;
}

std::vector<Json> rows_of(const Sweep& sweep, const Summaries& summaries) {
  const std::vector<std::string> quantities = quantities_of(summaries);
  std::vector<Json> rows;
  for (std::size_t k = 0; k < sweep.runs.size(); ++k)
    rows.push_back(row_of(sweep, k, summaries, quantities));
  return rows;
}

sim::Table table_of(const std::string& title, const std::vector<std::string>& keys,
                    const std::vector<Json>& rows) {
  std::vector<sim::Column> columns;
  for (const std::string& key : keys)
    columns.push_back({key, key, key == "t" ? "{:.6g}" : key == "seconds" ? "{:.1f}" : "{:.6g}"});
  sim::Table table("sweep", title, columns);
  for (const Json& row : rows) table.add(row);
  return table;
}

std::vector<std::string> value_columns(const Sweep& sweep) {
  std::vector<std::string> columns;
  for (const SweepAxis& axis : sweep.axes) columns.push_back(axis.column);
  return columns;
}

std::vector<std::string> joined(std::vector<std::string> first,
                                const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// What says most in a few columns: integrals over solids and sides before those over the box.
std::vector<std::string> quantities_to_show(const std::vector<std::string>& all) {
  const auto rank = [](const std::string& name) {
    if (name.find("_control_") != std::string::npos) return 3;
    if (name.ends_with("_drag") || name.ends_with("_lift") || name.starts_with("nusselt_"))
      return 0;
    if (name.ends_with("_error_l2")) return 1;
    if (name == "kinetic_energy" || name == "max_speed") return 2;
    if (name.starts_with("max_d") || name.ends_with("_error_max")) return 4;
    return 3;
  };
  std::vector<std::string> shown = all;
  std::ranges::stable_sort(shown, {}, rank);
  if (shown.size() > shown_quantities) shown.resize(shown_quantities);
  return shown;
}

void check_columns(const std::vector<std::string>& show, const Json& row) {
  std::vector<std::string> known;
  for (const auto& [name, value] : row.items()) known.push_back(name);
  for (const std::string& name : show)
    if (std::ranges::count(known, name) == 0)
      throw wrong_input("--show: unknown column {}, {}known: {}", sim::quote(name),
                        sim::suggestion(name, known), sim::join(known));
}

}  // namespace

std::string sweep_csv(const Sweep& sweep, const Summaries& summaries) {
  const std::vector<Json> rows = rows_of(sweep, summaries);
  std::vector<std::string> keys;
  for (const auto& [name, value] : rows.front().items()) keys.push_back(name);
  return table_of("", keys, rows).csv();
}

std::string sweep_markdown(const Sweep& sweep, const Summaries& summaries) {
  const std::vector<Json> rows = rows_of(sweep, summaries);
  const std::vector<std::string> values = value_columns(sweep), all = quantities_of(summaries);
  const auto table = [&](const char* title, const std::vector<std::string>& columns) {
    return table_of(title, joined(values, columns), rows).markdown();
  };
  const auto with = [&](const char* suffix) {
    std::vector<std::string> columns;
    for (const std::string& name : all) columns.push_back(name + suffix);
    return columns;
  };
  std::string text =
      table("Runs", {"status", "exit_code", "end", "steps", "t", "seconds", "from", "to"});
  if (all.empty()) return text;
  text += "\n" + table("Final values", all);
  text += "\n" + table("Means over the time `from` to `to`", with(mean_suffix));
  return text + "\n" + table("Rms of the fluctuations over this time", with(rms_suffix));
}

std::string sweep_text(const Sweep& sweep, const Summaries& summaries,
                       const std::vector<std::string>& show) {
  const std::vector<Json> rows = rows_of(sweep, summaries);
  check_columns(show, rows.front());
  const std::vector<std::string> facts = joined(value_columns(sweep), {"status", "t", "seconds"});
  return table_of("",
                  joined(facts, show.empty() ? quantities_to_show(quantities_of(summaries)) : show),
                  rows)
      .text();
}

}  // namespace hodge::tools
