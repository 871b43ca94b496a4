#include "sim/app/config/settings_to_yaml.hpp"

#include "sim/app/config/file_reader.hpp"

namespace hodge::sim {

// Of the case only the name is needed, and whether the file describes it.
std::string settings_to_yaml(const Settings& settings) {
  CaseSchema chosen;
  chosen.name = settings.case_name;
  chosen.described_in_file = settings.custom.described_in_file;
  Settings written = settings;
  return FileReader({}, chosen, written).write();
}

}  // namespace hodge::sim
