// The vortex street of a square cylinder at Re = 100, in a box 20 sides high as in the reference.
//
// The square's sides are edges of cells, so that its blocked cells are the square itself; what is
// left are the singular corners. Bounds: authors differ by 2 to 5 % (square_cylinder.csv).
#include <cmath>

#include "tools/hodge/validate/reference_table.hpp"
#include "tools/hodge/validate/stream.hpp"

namespace hodge::tools {
namespace {

constexpr const char* square_cylinder_file = "square_cylinder.csv";
constexpr double square_reynolds = 100;

Refined refined(const char* quantity, const char* column, Bound bound, double largest_change) {
  return {.quantity = quantity,
          .published = {{reference_value(square_cylinder_file, column, square_reynolds), bound,
                         "Sohankar, Norberg & Davidson 1998"}},
          .largest_change = largest_change};
}

void validate_square_cylinder(const ValidateOptions& options, Report& report) {
  const double end = options.quick ? 90 : 150, window = options.quick ? 20 : 60;
  const std::vector<int> grids = options.quick ? std::vector{8} : std::vector{16, 32};
  const double widened = options.quick ? 2 : 1;
  Refined strouhal = refined("Strouhal number", "strouhal", relative(0.04 * widened), 0.03);
  Refined drag = refined("mean drag coefficient", "drag", relative(0.05 * widened), 0.03);
  Refined lift = refined("root mean square of the lift coefficient", "lift_rms",
                         options.quick ? Bound{} : relative(0.25), 0.15);
  for (const int cells : grids) {
    const StreamCase stream{"square_cylinder", square_reynolds, cells, 0.5};
    const sim::Settings settings = stream_settings(options, stream);
    const std::string name = run_name(stream, settings);
    const ForceHistory history = run_stream(report, settings, end, 1.6 / cells, name);
    const Shedding measured = shedding(history, end - window);
    add_history(report, name, history);
    for (Refined* study : {&strouhal, &drag, &lift}) study->runs.push_back(name);
    strouhal.values.push_back(measured.strouhal);
    drag.values.push_back(measured.mean_drag);
    lift.values.push_back(measured.rms_lift);
    if (!options.quick)
      report.add({.quantity = "growth of the lift within the window",
                  .run = name,
                  .measured = std::abs(measured.drift),
                  .bound = at_most(0.01),
                  .source = "a periodic flow"});
  }
  for (const Refined* study : {&strouhal, &drag, &lift}) add_refined(report, *study);
}

}  // namespace

const Validation square_cylinder_validation{
    "square_cylinder", "a square cylinder's vortex street against published values",
    validate_square_cylinder};

}  // namespace hodge::tools
