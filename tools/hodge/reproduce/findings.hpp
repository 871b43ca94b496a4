// What experiments of `hodge bench` found, row by row, as claims of publications are judged by it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/table.hpp"

namespace hodge::tools::reproduce {

using sim::Json;
using Rows = std::vector<Json>;

class Findings {
 public:
  // The JSON of an ExperimentRun.
  void add(Json experiment);

  bool has(const std::string& experiment) const { return experiments_.count(experiment) != 0; }
  // The rows of a table that have the values of `like`; none where the table is absent.
  Rows rows(const std::string& experiment, const std::string& table,
            const Json& like = Json::object()) const;
  // cuda where any experiment ran there, else cpu.
  const std::string& fastest_device() const { return fastest_; }
  // A line for each device and each note of the experiments, once.
  std::vector<std::string> circumstances() const;

 private:
  std::map<std::string, Json> experiments_;
  std::string fastest_ = "cpu";
};

// The number under a key; none where the row has none.
std::optional<double> number(const Json& row, const std::string& key);
// Those of all rows that have one.
std::vector<double> numbers(const Rows& rows, const std::string& key);
// The number of the first of the rows.
std::optional<double> first_number(const Rows& rows, const std::string& key);

}  // namespace hodge::tools::reproduce
