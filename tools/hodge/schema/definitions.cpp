#include "tools/hodge/schema/definitions.hpp"

#include <fmt/format.h>

namespace hodge::tools {
namespace {

constexpr std::size_t small = 200;  // characters: a reference would hardly be shorter

}  // namespace

Json Definitions::refer(const std::string& name, Json schema) {
  const std::string text = schema.dump();
  if (text.size() < small) return schema;
  auto known = names_.find(text);
  if (known == names_.end()) {
    std::string free = name;
    for (int k = 2; all_.contains(free); ++k) free = fmt::format("{}_{}", name, k);
    known = names_.emplace(text, free).first;
    all_[free] = std::move(schema);
  }
  return {{"$ref", "#/definitions/" + known->second}};
}

}  // namespace hodge::tools
