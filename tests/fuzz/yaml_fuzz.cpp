// A configuration: read, checked as `hodge check` does, written, and read again to the same text.
#include "cases/registry.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "sim/app/config/yaml_tree.hpp"
#include "tests/fuzz/target.hpp"

using namespace hodge;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<sim::CaseSchema> cases = cases::known_cases();
  std::string written;
  fuzz::expect_errors_of_hodge([&] {
    const sim::YamlNode root = sim::parse_yaml(fuzz::text_of(data, size), "input");
    written = sim::settings_to_yaml(sim::settings_from_yaml(root, "input", cases));
  });
  if (written.empty()) return 0;
  const sim::YamlNode again = sim::parse_yaml(written, "written");
  if (sim::settings_to_yaml(sim::settings_from_yaml(again, "input", cases)) != written)
    __builtin_trap();
  return 0;
}
