// What a validation found: every measured value with its reference, and the checks that decide.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hodge::tools {

// One measured value beside its reference.
struct Comparison {
  std::string run;       // "Re 1000, 128 x 128 cells"
  std::string quantity;  // "u on x = 0.5"
  double position = 0;   // along the line, or 0
  double measured = 0;
  double reference = 0;
  std::string source;  // who published the reference

  double difference() const { return measured - reference; }
};

struct Check {
  enum class Kind { at_most, at_least };
  std::string name;
  double value = 0;
  Kind kind = Kind::at_most;
  double bound = 0;

  bool passed() const;  // false for a value that is not a number
  std::string text() const;
};

class Report {
 public:
  // Prints the check and keeps it.
  void check(Check check);
  void compare(Comparison comparison) { comparisons_.push_back(std::move(comparison)); }

  const std::vector<Comparison>& comparisons() const { return comparisons_; }
  const std::vector<Check>& checks() const { return checks_; }
  bool passed() const;

  // comparisons.csv and checks.csv in the directory, which is made where it is missing. Errors:
  // IoError.
  void write(const std::filesystem::path& directory) const;

 private:
  std::vector<Comparison> comparisons_;
  std::vector<Check> checks_;
};

}  // namespace hodge::tools
