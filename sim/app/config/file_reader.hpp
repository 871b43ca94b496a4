// The keys of a whole file, in the order in which they are read and written: what others hang on
// comes first.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/app/config/case_schema.hpp"
#include "sim/app/config/formula_values.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// Fills the settings, which hold the defaults and the parameters of the chosen case.
class FileReader {
 public:
  FileReader(const YamlNode& root, const CaseSchema& chosen, Settings& settings)
      : root_(root), chosen_(chosen), settings_(settings) {}

  void read(std::span<const CaseSchema> cases);

  // What the file may hold, for the chosen case and the dimension of the settings' grid.
  ValueShape describe(std::span<const CaseSchema> cases);

  // The settings as a file.
  std::string write();

 private:
  std::vector<Key> keys(std::span<const CaseSchema> cases);
  std::vector<Key> problem_keys();
  std::vector<Key> custom_keys();
  std::vector<Key> numerical_keys();
  std::vector<Key> output_keys();

  ValueReader solvers();

  void settle_step();

  FormulaScope scope() const;  // of the parameters and the dimension
  CaseContents contents() const;
  void add_scalars(const CaseContents& contents, std::vector<std::string>& fields) const;
  std::vector<std::string> known_fields() const;
  void complete_fields();

  const YamlNode& root_;
  const CaseSchema& chosen_;
  Settings& settings_;
};

}  // namespace hodge::sim
