// The vortex street of a square cylinder at Re = 100, in a box 20 sides high as in the reference.
//
// The square's sides are edges of cells, so the blocked cells are exactly the square; the main
// error is that at the singular corners. Bounds: authors differ by 2 to 5 % (square_cylinder.csv).
#include "tools/hodge/validations/stream.hpp"

namespace hodge::tools::validations::square_cylinder {

Row sohankar(const char* column, Bound bound) {
  return {.published = reference_value("square_cylinder.csv", column, 100),
          .bound = bound,
          .source = "Sohankar, Norberg & Davidson 1998"};
}

void add_square_street(Report& report) {
  const double widened = report.choose(2, 1);
  const Bound lift_bound = report.choose(Bound{}, relative(0.25));
  add_shedding(
      report,
      {"square_cylinder", 100, report.choose<std::vector<int>>({8}, {16, 32}),
       report.choose(90.0, 150.0), report.choose(20.0, 60.0)},
      {{&Shedding::strouhal,
        {"Strouhal number", {sohankar("strouhal", relative(0.04 * widened))}, 0.03}},
       {&Shedding::mean_drag,
        {"mean drag coefficient", {sohankar("drag", relative(0.05 * widened))}, 0.03}},
       {&Shedding::rms_lift,
        {"root mean square of the lift coefficient", {sohankar("lift_rms", lift_bound)}, 0.15}}});
}

Validations describe() {
  return {{"a square cylinder's vortex street against published values", {add_square_street}}};
}

}  // namespace hodge::tools::validations::square_cylinder
