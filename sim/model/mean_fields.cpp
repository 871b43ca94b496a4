#include "sim/model/mean_fields.hpp"

#include <algorithm>

namespace hodge::sim {
namespace {

const std::string prefix = "mean_";

}  // namespace

std::optional<std::string> averaged_field(const std::string& name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  return name.substr(prefix.size());
}

std::vector<std::string> with_means(std::vector<std::string> fields) {
  const std::size_t count = fields.size();
  for (std::size_t i = 0; i < count; ++i)
    if (fields[i] != "vorticity" && fields[i] != "solid") fields.push_back(prefix + fields[i]);
  return fields;
}

std::vector<std::string> without_means(std::vector<std::string> fields) {
  const auto is_mean = [](const std::string& name) { return averaged_field(name).has_value(); };
  fields.erase(std::remove_if(fields.begin(), fields.end(), is_mean), fields.end());
  return fields;
}

}  // namespace hodge::sim
