#include "linalg/files/open_input.hpp"
#include "sim/app/config/yaml_tree.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

std::string read_text(const std::string& file) {
  constexpr std::size_t most_bytes = 4u << 20;
  const auto refuse = [&](const char* why) {
    throw ConfigError(one_line(file) + ": cannot be read: " + why + ", expected a YAML file");
  };
  const std::string text = open_input(file, "a YAML file").read(most_bytes + 1);
  if (text.size() > most_bytes) refuse("it is larger than 4 MB");
  if (text.find('\0') != std::string::npos) refuse("it holds zero bytes");
  return text;
}

}  // namespace

YamlNode load_yaml(const std::string& file) {
  const std::string text = read_text(file);
  return parse_yaml(text, file);
}

}  // namespace hodge::sim
