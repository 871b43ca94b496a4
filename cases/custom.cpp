// What the configuration itself describes: fluid, boundaries, scalars, initial state and exact
// solution as formulas, without a line of C++.
#include "cases/registry.hpp"
#include "sim/flow/custom_problem.hpp"

namespace hodge::cases {
namespace {

sim::Problem make_custom(const sim::Settings& settings) {
  return sim::custom_problem(settings.custom);
}

constexpr int custom_dimensions[] = {2, 3};

}  // namespace

const Case custom{.name = "custom",
                  .description =
                      "all of it from the file: fluid, boundaries, scalars, initial, exact "
                      "(sim/CONFIGURATION.md)",
                  .parameters = {},
                  .dimensions = custom_dimensions,
                  .make = make_custom,
                  .described_in_file = true};

}  // namespace hodge::cases
