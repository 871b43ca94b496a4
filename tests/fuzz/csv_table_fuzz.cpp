// A CSV table: a column by its number and by its name, and the formula of the first. Between two
// rows its values are between those of the rows.
#include <algorithm>
#include <cmath>
#include <string>

#include "sim/base/formulas/csv_table.hpp"
#include "sim/base/formulas/expression.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/target.hpp"

using namespace hodge;

namespace {

void expect_between(double value, double a, double b) {
  const double rounding = 1e-15 * std::max(std::abs(a), std::abs(b));
  if (!(value >= std::min(a, b) - rounding && value <= std::max(a, b) + rounding)) __builtin_trap();
}

void expect_rows(const std::string& path) {
  const sim::CsvTable table = sim::read_csv_table(path, 2);
  static const sim::FormulaNames names{};
  const sim::Expression formula = sim::Expression::parse("table(\"" + path + "\", x)", names);
  const sim::Expression slope = formula.derivative(0);
  constexpr std::size_t most_rows = 1000;
  for (std::size_t i = 0; i + 1 < std::min(table.arguments.size(), most_rows); ++i) {
    const double a = table.arguments[i], b = table.arguments[i + 1];
    const double low = table.values[i], high = table.values[i + 1];
    if (formula({a, 0, 0}, 0) != low) __builtin_trap();
    for (const double share : {0.25, 0.5, 0.75}) {
      const double x = (1 - share) * a + share * b;
      expect_between(formula({x, 0, 0}, 0), low, high);
      if (std::isnan(slope({x, 0, 0}, 0))) __builtin_trap();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::MemoryFile file(fuzz::text_of(data, size));
  fuzz::expect_errors_of_hodge([&] { (void)sim::read_csv_table(file.path(), std::string("u")); });
  return fuzz::expect_errors_of_hodge([&] { expect_rows(file.path().string()); });
}
