// The vortex street of a square cylinder at Re = 100, in a box 20 sides high as in the reference.
//
// The square's sides are edges of cells, so the blocked cells are exactly the square; the main
// error is that at the singular corners. Bounds: authors differ by 2 to 5 % (square_cylinder.csv).
#include "tools/hodge/validate/reference_table.hpp"
#include "tools/hodge/validate/stream.hpp"
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools {
namespace {

Published sohankar(const char* column, Bound bound) {
  return {reference_value("square_cylinder.csv", column, 100), bound,
          "Sohankar, Norberg & Davidson 1998"};
}

}  // namespace

void validate_square_cylinder(Report& report) {
  const bool quick = report.options.quick;
  const double widened = quick ? 2 : 1;
  const Bound lift_bound = quick ? Bound{} : relative(0.25);
  add_shedding(
      report,
      {"square_cylinder", 100, quick ? std::vector{8} : std::vector{16, 32}, quick ? 90.0 : 150.0,
       quick ? 20.0 : 60.0},
      {{&Shedding::strouhal,
        {"Strouhal number", {sohankar("strouhal", relative(0.04 * widened))}, 0.03}},
       {&Shedding::mean_drag,
        {"mean drag coefficient", {sohankar("drag", relative(0.05 * widened))}, 0.03}},
       {&Shedding::rms_lift,
        {"root mean square of the lift coefficient", {sohankar("lift_rms", lift_bound)}, 0.15}}});
}

}  // namespace hodge::tools
