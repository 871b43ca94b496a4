// The names that formulas know, and those that parameters and scalars may have.
#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hodge::sim {

inline constexpr std::size_t longest_name = 64;

// What a name may begin with.
inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Names with their numbers, such as the parameters of a case. Copies share one map.
class FormulaConstants {
 public:
  using Map = std::map<std::string, double>;

  FormulaConstants() : map_(std::make_shared<const Map>()) {}
  FormulaConstants(Map map) : map_(std::make_shared<const Map>(std::move(map))) {}
  FormulaConstants(std::initializer_list<Map::value_type> entries)
      : FormulaConstants(Map(entries)) {}
  // A map that outlives this object and whose names have been checked, each by name_refusal(). It
  // may grow: a file of many parameters is read with one map, not with a copy for each of them.
  static FormulaConstants view(const Map& map) {
    FormulaConstants constants;
    constants.map_ = std::shared_ptr<const Map>(std::shared_ptr<const Map>(), &map);
    constants.are_checked_ = true;
    return constants;
  }

  const Map& map() const { return *map_; }
  bool are_checked() const { return are_checked_; }

 private:
  std::shared_ptr<const Map> map_;
  bool are_checked_ = false;
};

// What a formula may name beside x, y, z, t, pi and the functions.
struct FormulaNames {
  FormulaConstants constants{};
  std::vector<std::string> variables{};  // such as the scalars of a reaction
  std::filesystem::path folder{};        // from which files of tables are looked for
};

const std::vector<std::string>& space_and_time();          // x, y, z, t: the first variables
const std::map<std::string, double>& formula_constants();  // pi, e

// What keeps a parameter or a scalar from having this name in formulas ("it is a function"), or
// nothing. The constant e gives way.
std::string name_refusal(const std::string& name);

// Errors: ConfigError for a name that is refused or stands twice.
void check_formula_names(const FormulaNames& names);

// All that may stand where a value is meant, and all functions.
std::vector<std::string> value_names(const FormulaNames& names);
std::vector<std::string> function_names();

}  // namespace hodge::sim
