#include "tools/hodge/validate/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "linalg/errors.hpp"
#include "sim/config/text.hpp"

namespace hodge::tools {
namespace {

using sim::number_text;

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw IoError(fmt::format("writing {} failed", file.string()));
}

}  // namespace

bool Check::passed() const {
  return kind == Kind::at_most ? value <= bound : value >= bound;
}

std::string Check::text() const {
  return fmt::format("{}: {:.4g}, {} {:.4g}: {}", name, value,
                     kind == Kind::at_most ? "at most" : "at least", bound,
                     passed() ? "ok" : "FAILED");
}

void Report::check(Check check) {
  std::cout << "  " << check.text() << std::endl;
  checks_.push_back(std::move(check));
}

bool Report::passed() const {
  return std::all_of(checks_.begin(), checks_.end(), [](const Check& c) { return c.passed(); });
}

void Report::write(const std::filesystem::path& directory) const {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error)
    throw IoError(fmt::format("making {} failed: {}", directory.string(), error.message()));
  std::string table = "run,quantity,position,measured,reference,difference,source\n";
  for (const Comparison& c : comparisons_) {
    table += fmt::format("\"{}\",\"{}\",{},{},{},{},\"{}\"\n", c.run, c.quantity,
                         number_text(c.position), number_text(c.measured), number_text(c.reference),
                         number_text(c.difference()), c.source);
  }
  write_text(directory / "comparisons.csv", table);
  table = "check,value,kind,bound,passed\n";
  for (const Check& c : checks_) {
    table += fmt::format("\"{}\",{},{},{},{}\n", c.name, number_text(c.value),
                         c.kind == Check::Kind::at_most ? "at most" : "at least",
                         number_text(c.bound), c.passed() ? "yes" : "no");
  }
  write_text(directory / "checks.csv", table);
}

}  // namespace hodge::tools
