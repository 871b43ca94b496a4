#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sim/app/config/yaml_tree.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

std::string read_text(const std::string& file) {
  constexpr std::size_t most_bytes = 4u << 20;
  const auto refuse = [&](const std::string& why) -> ConfigError {
    return ConfigError(one_line(file) + ": cannot be read: " + why);
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    throw refuse("it is a directory, expected a YAML file");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw refuse(errno != 0 ? std::strerror(errno) : "it does not open");
  std::string text(most_bytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) throw refuse(errno != 0 ? std::strerror(errno) : "a read failed");
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > most_bytes) throw refuse("it is larger than 4 MB, expected a YAML file");
  if (text.find('\0') != std::string::npos)
    throw refuse("it holds zero bytes, expected a YAML file");
  return text;
}

}  // namespace

YamlNode load_yaml(const std::string& file) {
  const std::string text = read_text(file);
  return parse_yaml(text, file);
}

}  // namespace hodge::sim
