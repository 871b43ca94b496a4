#include "linalg/files/directories.hpp"
#include "tools/hodge/bench/experiment.hpp"

#include <algorithm>
#include <map>

#include "linalg/files/read_file.hpp"
#include "sim/app/config/schema.hpp"
#include "tools/hodge/program/program.hpp"

namespace hodge::tools::bench {
namespace {

// Null where the data have no such member.
const Json& member(const Json& data, const std::string& key) {
  static const Json none;
  return data.is_object() && data.contains(key) ? data.at(key) : none;
}

std::string text_of(const Json& value) {
  if (value.is_null()) return "unknown";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

bool is_result(const Json& data) {
  const auto has_rows = [](const Json& table) {
    const Json& rows = member(table, "rows");
    return rows.is_array() &&
           std::all_of(rows.begin(), rows.end(), [](const Json& row) { return row.is_object(); });
  };
  const Json& tables = member(data, "tables");
  return member(data, "experiment").is_string() && tables.is_object() &&
         std::all_of(tables.begin(), tables.end(), has_rows);
}

}  // namespace

Json read_result(const std::string& file, const char* option) {
  const auto foreign = [&](const std::string& what) {
    return wrong_input(
        "{} {}: {}, expected a NAME.json that `hodge bench NAME --output DIR` has written", option,
        file, what);
  };
  if (!is_a_file(file)) throw foreign("there is no such file");
  Json data;
  try {
    data = Json::parse(read_file(file), nullptr, false);
  } catch (const IoError& failure) {
    throw foreign(failure.what());
  }
  if (data.is_discarded()) throw foreign("it is not JSON");
  if (!is_result(data)) throw foreign("it holds no tables of an experiment");
  const std::string name = data.at("experiment");
  if (find_experiment(name) == nullptr)
    throw foreign(fmt::format("its experiment is '{}', known are {}", name,
                              fmt::join(sim::names_of(experiment_table()), ", ")));
  return data;
}

namespace {

// By what a row is of: "poisson_3d_64, cuda, automatic". The first row of each name.
std::map<std::string, Json> rows_by_name(const Json& table, const Json& keys) {
  std::map<std::string, Json> rows;
  for (const Json& row : member(table, "rows")) {
    std::vector<std::string> name;
    for (const Json& key : keys)
      if (const Json& value = member(row, key); !value.is_null()) name.push_back(text_of(value));
    rows.emplace(fmt::format("{}", fmt::join(name, ", ")), row);
  }
  return rows;
}

double time_in(const Json& row, const std::string& key) {
  const Json& value = member(row, key);
  return value.is_number() ? value.get<double>() : 0.0;
}

struct Change {
  std::string row, time;
  double before, now;
  double ratio() const { return now / before; }
};

struct Comparison {
  std::vector<Change> changes;
  std::vector<std::string> only_now, only_before;  // names of rows
};

void compare_tables(const Json& table, const Json& old_table, Comparison& found) {
  // A table without rows has no keys of its own.
  const Json& keys = member(table.at("rows").empty() ? old_table : table, "keys");
  if (keys.empty()) return;
  const auto rows = rows_by_name(table, keys);
  auto old_rows = rows_by_name(old_table, keys);
  for (const auto& [name, row] : rows) {
    const auto old_row = old_rows.extract(name);
    if (!old_row) found.only_now.push_back(name);
    for (const Json& column : table.at("columns")) {
      const Json &key = column.at("key"), &times = table.at("times");
      if (!old_row || std::find(times.begin(), times.end(), key) == times.end()) continue;
      const double before = time_in(old_row.mapped(), key), now = time_in(row, key);
      if (before > 0 && now > 0) found.changes.push_back({name, column.at("heading"), before, now});
    }
  }
  for (const auto& [name, row] : old_rows) found.only_before.push_back(name);
}

// "3: a; b; ...", of which the first few are named.
std::string listed(const std::vector<std::string>& names) {
  const std::size_t few = std::min<std::size_t>(3, names.size());
  return fmt::format("{}: {}{}", names.size(), fmt::join(names.data(), names.data() + few, "; "),
                     few < names.size() ? "; ..." : "");
}

}  // namespace

OlderResults::OlderResults(const std::filesystem::path& file)
    : file_(file.string()), data_(read_result(file_, "--against")) {}

void OlderResults::note_differences(const Json& now, ExperimentRun& run) const {
  for (const Json& device : now.at("devices")) {
    const std::string name = device.at("name"), here = device.at("hardware");
    std::string there;  // empty: the older file has no such device
    for (const Json& one : member(data_, "devices"))
      if (there.empty() && member(one, "name") == name) there = text_of(member(one, "hardware"));
    if (there.empty())
      run.note(fmt::format("{} has nothing of the device {}", file_, name));
    else if (there != here)
      run.note(file_ + " was measured on other hardware, " + there + ", not on " + here +
               ": its ratios compare machines");
  }
  for (const char* key : {"version", "precision", "quick"}) {
    const std::string there = text_of(member(data_, key)), here = text_of(now.at(key));
    if (there != here)
      run.note(fmt::format("{} has another {}: {}, here {}", file_, key, there, here));
  }
}

void OlderResults::compare(ExperimentRun& run) const {
  const Json now = run.json();
  note_differences(now, run);
  Comparison found;
  for (const auto& [name, table] : now.at("tables").items())
    compare_tables(table, member(data_.at("tables"), name), found);
  if (!found.only_before.empty())
    run.note(fmt::format("rows of {} that this run has not, {}", file_, listed(found.only_before)));
  if (!found.only_now.empty())
    run.note(fmt::format("rows of this run that {} has not, {}", file_, listed(found.only_now)));
  if (found.changes.empty()) return run.note("no row has a partner to compare with");
  std::stable_sort(found.changes.begin(), found.changes.end(),
                   [](const Change& a, const Change& b) { return a.ratio() > b.ratio(); });
  ResultTable& table = run.add_table(
      "against", fmt::format("Times over those of {}, what has become slower first", file_));
  for (const Change& change : found.changes)
    table.add({cell("row", change.row), cell("time", change.time), cell("before", change.before),
               cell("now", change.now), cell("ratio", "now / before", change.ratio(), "{:.3f}")});
}

}  // namespace hodge::tools::bench
