#include "tools/hodge/bench/result_table.hpp"

#include <algorithm>

namespace hodge::tools::bench {

void ResultTable::add(std::vector<Cell> cells) {
  Json row = Json::object();
  auto place = columns_.begin();  // behind the column of the cell before
  for (Cell& cell : cells) {
    if (!cell.value.is_null()) row[cell.column.key] = std::exchange(cell.value, {});
    if (cell.role == Cell::Role::json_only) continue;
    const auto known = std::ranges::find_if(
        columns_, [&](const Cell& column) { return column.column.key == cell.column.key; });
    place = 1 + (known != columns_.end() ? known : columns_.insert(place, cell));
  }
  rows_.push_back(std::move(row));
}

sim::Table ResultTable::formatted() const {
  std::vector<sim::Column> columns;
  for (const Cell& cell : columns_) columns.push_back(cell.column);
  sim::Table table(name_, title_, columns);
  for (const Json& row : rows_) table.add(row);
  return table;
}

Json ResultTable::json() const {
  Json json = formatted().json();
  for (const char* role : {"keys", "times"}) json[role] = Json::array();
  for (const Cell& cell : columns_) {
    if (cell.role == Cell::Role::key) json["keys"].push_back(cell.column.key);
    if (cell.role == Cell::Role::timing) json["times"].push_back(cell.column.key);
  }
  return json;
}

}  // namespace hodge::tools::bench
