#include "tools/hodge/bench/against.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/files/read_file.hpp"
#include "sim/app/config/schema.hpp"
#include "tools/hodge/bench/experiment.hpp"

namespace hodge::tools::bench {
namespace {

ConfigError foreign(const std::filesystem::path& file, const std::string& what) {
  return ConfigError(fmt::format(
      "--against {}: {}, expected a NAME.json that `hodge bench NAME --output DIR` has written",
      file.string(), what));
}

Json parsed(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) throw foreign(file, "there is no such file");
  try {
    const Json data = Json::parse(read_file(file), nullptr, false);
    if (data.is_discarded()) throw foreign(file, "it is not JSON");
    return data;
  } catch (const IoError& failure) {
    throw foreign(file, failure.what());
  }
}

bool has_rows(const Json& table) {
  const auto rows = table.find("rows");
  return rows != table.end() && rows->is_array() &&
         std::all_of(rows->begin(), rows->end(), [](const Json& row) { return row.is_object(); });
}

bool is_report(const Json& data) {
  if (!data.is_object()) return false;
  const auto name = data.find("experiment"), tables = data.find("tables");
  return name != data.end() && name->is_string() && tables != data.end() && tables->is_object() &&
         std::all_of(tables->begin(), tables->end(), has_rows);
}

// What a row is of: "poisson_3d_64, cuda, automatic".
std::string name_of(const Json& row, const Json& keys) {
  std::string name;
  for (const Json& key : keys) {
    const auto value = row.find(key.get<std::string>());
    if (value == row.end() || value->is_null()) continue;
    name += name.empty() ? "" : ", ";
    name += value->is_string() ? value->get<std::string>() : value->dump();
  }
  return name;
}

// The first row of each name.
std::map<std::string, const Json*> rows_by_name(const Json& table, const Json& keys) {
  std::map<std::string, const Json*> rows;
  for (const Json& row : table.at("rows")) rows.emplace(name_of(row, keys), &row);
  return rows;
}

double time_in(const Json& row, const std::string& key) {
  const auto value = row.find(key);
  return value != row.end() && value->is_number() ? value->get<double>() : 0.0;
}

std::string heading_of(const Json& table, const std::string& key) {
  for (const Json& column : table.at("columns"))
    if (column.at("key") == key) return column.at("heading").get<std::string>();
  return key;
}

// "3: a; b; ...", of which the first few are named.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t named = 3;
  const std::vector<std::string> first(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(named, names.size())));
  return fmt::format("{}: {}{}", names.size(), fmt::join(first, "; "),
                     names.size() > named ? "; ..." : "");
}

struct Comparison {
  std::vector<Json> rows;                          // of the table `against`
  std::vector<std::string> only_now, only_before;  // names of rows
};

void compare_rows(const Json& table, const std::string& name, const Json& now, const Json& before,
                  Comparison& comparison) {
  for (const Json& time : table.at("times")) {
    const auto key = time.get<std::string>();
    const double old_time = time_in(before, key), new_time = time_in(now, key);
    if (!(old_time > 0) || !(new_time > 0)) continue;
    comparison.rows.push_back({{"row", name},
                               {"time", heading_of(table, key)},
                               {"before", old_time},
                               {"now", new_time},
                               {"ratio", new_time / old_time}});
  }
}

Comparison compare_tables(const Json& now, const Json& before) {
  Comparison comparison;
  for (const auto& [name, table] : now.items()) {
    const Json& keys = table.at("keys");
    if (keys.empty()) continue;
    const Json none = {{"rows", Json::array()}};
    const Json& old_table = before.contains(name) ? before.at(name) : none;
    const auto rows = rows_by_name(table, keys), old_rows = rows_by_name(old_table, keys);
    for (const auto& [row_name, row] : rows) {
      const auto old_row = old_rows.find(row_name);
      if (old_row == old_rows.end())
        comparison.only_now.push_back(row_name);
      else
        compare_rows(table, row_name, *row, *old_row->second, comparison);
    }
    for (const auto& [row_name, row] : old_rows)
      if (rows.count(row_name) == 0) comparison.only_before.push_back(row_name);
  }
  return comparison;
}

std::string text_in(const Json& data, const char* key) {
  const auto value = data.find(key);
  if (value == data.end()) return "unknown";
  return value->is_string() ? value->get<std::string>() : value->dump();
}

// The hardware of a device in the older file; empty where it had no such device.
std::string hardware_of(const Json& data, const std::string& device) {
  const auto devices = data.find("devices");
  if (devices == data.end() || !devices->is_array()) return {};
  for (const Json& one : *devices)
    if (one.is_object() && text_in(one, "name") == device) return text_in(one, "hardware");
  return {};
}

}  // namespace

OlderResults::OlderResults(const std::filesystem::path& file) : file_(file), data_(parsed(file)) {
  if (!is_report(data_)) throw foreign(file, "it holds no tables of an experiment");
  experiment_ = data_.at("experiment").get<std::string>();
  if (find_experiment(experiment_) == nullptr)
    throw foreign(file, fmt::format("its experiment is '{}', known are {}", experiment_,
                                    fmt::join(sim::names_of(experiment_table()), ", ")));
}

void OlderResults::note_differences(const Json& now, Report& report) const {
  for (const Json& device : now.at("devices")) {
    const std::string name = text_in(device, "name"), here = text_in(device, "hardware");
    const std::string there = hardware_of(data_, name);
    if (there.empty())
      report.note(fmt::format("{} has nothing of the device {}", file_.string(), name));
    else if (there != here)
      report.note(
          fmt::format("{} was measured on other hardware, {}, not on {}: its ratios compare "
                      "machines",
                      file_.string(), there, here));
  }
  for (const char* key : {"version", "precision", "quick"})
    if (text_in(data_, key) != text_in(now, key))
      report.note(fmt::format("{} has another {}: {}, here {}", file_.string(), key,
                              text_in(data_, key), text_in(now, key)));
}

void OlderResults::compare(Report& report) const {
  const Json now = report.json();
  note_differences(now, report);
  const Comparison found = compare_tables(now.at("tables"), data_.at("tables"));
  if (!found.only_before.empty())
    report.note(fmt::format("rows of {} that this run has not, {}", file_.string(),
                            listed(found.only_before)));
  if (!found.only_now.empty())
    report.note(fmt::format("rows of this run that {} has not, {}", file_.string(),
                            listed(found.only_now)));
  if (found.rows.empty()) return report.note("no row has a partner to compare with");
  Table& table = report.add_table(
      "against",
      fmt::format("Times over those of {}, what has become slower first", file_.string()),
      {{"row", "row"},
       {"time", "time"},
       {"before", "before"},
       {"now", "now"},
       {"ratio", "now / before", "{:.3f}"}});
  for (const Json& row : found.rows) table.add(row);
  table.sort([](const Json& a, const Json& b) {
    return a.at("ratio").get<double>() > b.at("ratio").get<double>();
  });
}

}  // namespace hodge::tools::bench
