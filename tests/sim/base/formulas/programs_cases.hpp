// Formulas run in loops of a space, for programs_host_test.cpp and programs_cuda_test.cu.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "linalg/vectors/parallel.hpp"
#include "linalg/vectors/vector.hpp"
#include "sim/base/formulas/expression.hpp"
#include "sim/base/formulas/functions.hpp"
#include "sim/base/formulas/program.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::tests {

// Every function once, and what moves operands on the stack.
inline std::vector<sim::Expression> formulas_of_everything() {
  std::vector<std::string> texts{"3",
                                 "x",
                                 "-x^2 + y/t - z",
                                 "x^2.5",
                                 "x < y && y <= z || x == t",
                                 "x - (y - (z - (t - x)))",
                                 "if(x < 1, y, if(y < z, z, x*y))"};
  for (const sim::FormulaFunction& function : sim::formula_function_table()) {
    if (function.build_with_texts != nullptr) continue;  // of files: below
    std::string arguments = function.name == std::string("acosh") ? "1 + x" : "x/3";
    for (int i = 1; i < function.arguments; ++i) arguments += ", z - y";
    texts.push_back(function.name + ("(" + arguments + ")"));
  }
  const test::TemporaryDirectory folder;
  test::write_text(folder / "a.csv", "0,1,5\n0.25,3,4\n0.75,-2,7\n");
  texts.push_back("table('a.csv', x) + y*table('a.csv', z, 3)");
  std::vector<sim::Expression> formulas;
  for (const std::string& text : texts)
    formulas.push_back(sim::Expression::parse(text, {.folder = folder.path()}));
  return formulas;
}

// In every loop the same values as on the host, to the last digits of the functions.
template <class Space>
void programs_give_the_values_of_their_formulas() {
  const std::vector<sim::Expression> formulas = formulas_of_everything();
  std::vector<std::span<const sim::Instruction>> all;
  for (const sim::Expression& formula : formulas) all.push_back(formula.instructions());
  const sim::Programs<Space> programs(all);
  ASSERT_EQ(programs.count(), static_cast<int>(formulas.size()));
  constexpr int points = 1000;
  // Computed once: a device may round 1 - 0.002 k differently, and formulas with jumps show that.
  std::vector<double> places;
  for (int k = 0; k < points; ++k) places.insert(places.end(), {0.001 * k, 0.5, 1 - 0.002 * k});
  const linalg::Vector<Space> on_device{std::span<const double>(places)};
  const double* const place = on_device.data();
  for (int i = 0; i < programs.count(); ++i) {
    const sim::ProgramView program = programs.view(i);
    linalg::Buffer<double, Space> values(points);
    double* const value = values.data();
    linalg::for_each<Space>(points, [=] HODGE_LAMBDA(int k) {
      const double variables[] = {place[3 * k], place[3 * k + 1], place[3 * k + 2], 2.0};
      value[k] = sim::evaluate(program, variables);
    });
    const auto on_host = values.to_host();
    for (int k = 0; k < points; ++k) {
      const double expected =
          formulas[i]({places[3 * k], places[3 * k + 1], places[3 * k + 2]}, 2.0);
      if (std::isinf(expected)) {
        EXPECT_EQ(on_host[k], expected);
      } else if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(on_host[k])) << formulas[i].text();
      } else {
        EXPECT_NEAR(on_host[k], expected, 1e-14 * (1 + std::abs(expected))) << formulas[i].text();
      }
    }
  }
}

}  // namespace hodge::tests
