// A table that takes its columns from its rows: each value comes with its column.
//
//   ResultTable table("products", "Products y = A x");
//   table.add({key("matrix", name), cell("rows", n), timing("ms", "time, ms", 0.7, "{:.3f}")});
//
// A new column is inserted behind the column of the value before it. A row need not have all
// columns; a null value makes its column and is left out of the row.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/base/table.hpp"

namespace hodge::tools::bench {

using sim::Json;

struct Cell {
  // Keys say what a row is of, timings are what --against compares, json_only has no column.
  enum class Role { plain, key, timing, json_only };
  sim::Column column;
  Json value;
  Role role = Role::plain;
};

// The heading is the name unless it is given; the format is for numbers that are not integers.
inline Cell cell(const std::string& name, const std::string& heading, Json value,
                 const std::string& format = sim::Column{}.format) {
  return {{name, heading, format}, std::move(value)};
}
inline Cell cell(const std::string& name, Json value) {
  return {{name, name}, std::move(value)};
}
inline Cell key(const std::string& name, const std::string& heading, Json value) {
  return {{name, heading}, std::move(value), Cell::Role::key};
}
inline Cell key(const std::string& name, Json value) {
  return key(name, name, std::move(value));
}
inline Cell timing(const std::string& name, const std::string& heading, Json value,
                   const std::string& format) {
  return {{name, heading, format}, std::move(value), Cell::Role::timing};
}
inline Cell json_only(const std::string& name, Json value) {
  return {{name, name}, std::move(value), Cell::Role::json_only};
}

// The value where the condition holds, else null.
template <class Value>
Json value_if(bool condition, const Value& value) {
  return condition ? Json(value) : Json();
}

class ResultTable {
 public:
  ResultTable(std::string name, std::string title)
      : name_(std::move(name)), title_(std::move(title)) {}

  void add(std::vector<Cell> cells);

  const std::string& name() const { return name_; }
  bool is_empty() const { return rows_.empty(); }
  sim::Table formatted() const;
  // The table's JSON with its "keys" and "times": the columns of these roles.
  Json json() const;

 private:
  std::string name_, title_;
  std::vector<Cell> columns_;  // without values
  std::vector<Json> rows_;
};

}  // namespace hodge::tools::bench
