// A table of results: rows of named values, as aligned text, CSV, Markdown and JSON.
//
//   Table table("products", "Products y = A x", {{"matrix", "matrix"}, {"ms", "ms", "{:.3f}"}});
//   table.add({{"matrix", "poisson"}, {"ms", 0.7}, {"rows", 4096}});
//
// A value that a row does not have (or null) is `-` in text, Markdown and empty in CSV. Values
// under keys that are no column (`rows` above) stand in the JSON alone.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace hodge::sim {

using Json = nlohmann::ordered_json;

struct Column {
  std::string key;
  std::string heading;            // with the unit
  std::string format = "{:.4g}";  // of numbers that are not integers
};

class Table {
 public:
  Table(std::string name, std::string title, std::vector<Column> columns);

  void add(Json row);
  template <class Less>
  void sort(Less less) {
    std::stable_sort(rows_.begin(), rows_.end(), less);
  }

  const std::string& name() const { return name_; }
  const std::string& title() const { return title_; }
  const std::vector<Json>& rows() const { return rows_; }

  std::string text() const;      // columns aligned, numbers to the right
  std::string csv() const;       // the keys, then numbers that read back exactly
  std::string markdown() const;  // title as a heading
  Json json() const;             // {"title", "columns": [{key, heading}], "rows": [...]}

 private:
  std::vector<std::vector<std::string>> cells() const;  // with the headings first

  std::string name_, title_;
  std::vector<Column> columns_;
  std::vector<Json> rows_;
};

}  // namespace hodge::sim
