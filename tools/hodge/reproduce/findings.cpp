#include "tools/hodge/reproduce/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hodge::tools::reproduce {

void Findings::add(Json experiment) {
  for (const Json& device : experiment.at("devices"))
    if (device.at("name") == "cuda") fastest_ = "cuda";
  const std::string name = experiment.at("experiment");
  experiments_[name] = std::move(experiment);
}

Rows Findings::rows(const std::string& experiment, const std::string& table,
                    const Json& like) const {
  Rows found;
  const auto known = experiments_.find(experiment);
  if (known == experiments_.end() || !known->second.at("tables").contains(table)) return found;
  for (const Json& row : known->second.at("tables").at(table).at("rows")) {
    const bool matches =
        std::all_of(like.items().begin(), like.items().end(), [&](const auto& wanted) {
          return row.contains(wanted.key()) && row.at(wanted.key()) == wanted.value();
        });
    if (matches) found.push_back(row);
  }
  return found;
}

std::vector<std::string> Findings::circumstances() const {
  std::vector<std::string> lines;
  const auto add = [&](const std::string& line) {
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  };
  for (const auto& [name, data] : experiments_)
    for (const Json& device : data.at("devices"))
      add(fmt::format("{}: {}", device.at("name").get<std::string>(),
                      device.at("hardware").get<std::string>()));
  for (const auto& [name, data] : experiments_)
    for (const Json& note : data.at("notes"))
      add(fmt::format("{}: {}", name, note.get<std::string>()));
  return lines;
}

std::optional<double> number(const Json& row, const std::string& key) {
  const auto found = row.find(key);
  if (found == row.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::vector<double> numbers(const Rows& rows, const std::string& key) {
  std::vector<double> values;
  for (const Json& row : rows)
    if (const auto value = number(row, key)) values.push_back(*value);
  return values;
}

std::optional<double> first_number(const Rows& rows, const std::string& key) {
  const std::vector<double> values = numbers(rows, key);
  if (values.empty()) return std::nullopt;
  return values.front();
}

}  // namespace hodge::tools::reproduce
