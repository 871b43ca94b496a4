// Names of time averages among the output fields: mean_velocity, mean_pressure, mean_<scalar>.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hodge::sim {

// The field that `name` is the mean of, if it is one.
std::optional<std::string> averaged_field(const std::string& name);

// `fields` and the means of those among them that have one.
std::vector<std::string> with_means(std::vector<std::string> fields);

// `fields` without means.
std::vector<std::string> without_means(std::vector<std::string> fields);

}  // namespace hodge::sim
