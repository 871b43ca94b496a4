// A steep front carried round a bend: the scalar at the outlet, y = 0, 0 <= x <= 1, with every
// scheme, for much, little and nearly no diffusion.
//
//   reference   columns graded10, conv1000 and conv1e6 of smith_hutton1982.csv: own converged
//               solutions, about 1e-4; the printed table is up to 0.016 off
//
// Steady states are those of steps of backward_euler that are long for the front. dc/dy = 0 at the
// outlet, so that there c = (9 c_0 - c_1) / 8 of the two rows of cells next to it.
//
// Bounds on N cells across, for the point that is farthest off. rho/Gamma = 10: 1 / N, since where
// the condition changes at the origin the solution goes like the square root of the distance, and
// equal cells converge with first order. 1000 and 1e6: the front is 0.1 wide; 40 / N^2. upwind, of
// first order, is shown only: it smears the front over 0.3. central is left out at 1e6, where its
// short waves hardly decay.
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::smith_hutton {

Profile outlet(const Flow& flow) {
  const CellField scalar(flow, "scalar");
  const sim::Axis& axis = scalar.grid().axis(0);
  Profile profile;
  for (int i = 0; i < axis.cells(); ++i)
    if (axis.centre(i) > 0)
      profile.push_back({axis.centre(i), (9 * scalar(0, {i, 0, 0}) - scalar(0, {i, 1, 0})) / 8});
  return profile;
}

void add_extremes(const Flow& flow, const std::string& run, Report& report) {
  const auto [least, largest] = std::ranges::minmax(flow.cell_arrays({"scalar"})[0].values);
  report.limit("least value", run, least, at_least(1 - std::tanh(10.0) - 1e-9), "the inlet");
  report.limit("largest value", run, largest, at_most(1 + std::tanh(10.0) + 1e-9), "the inlet");
}

// `ratio` is rho / Gamma, `column` that of the reference.
void run_bend(const std::string& scheme, double ratio, const std::string& column, Report& report) {
  const int cells = report.choose(40, 100);
  Settings settings = case_settings(report, "smith_hutton", {2 * cells, cells}, {{"ratio", ratio}},
                                    "backward_euler");
  settings.scalar_convection = scheme;
  set_steady(settings, {.step = 0.1, .tolerance = 1e-5, .end = 100});
  const std::string run =
      fmt::format("{}, rho/Gamma {:g}, {} x {} cells", scheme, ratio, 2 * cells, cells);
  const auto flow = run_to_steady_state(report, settings, run);
  const double bound = ratio == 10 ? 1.0 / cells : 40.0 / (cells * cells);
  constexpr double inside = 1e-9;  // the ends of the outlet, where the sides meet, are left out
  compare_profile(
      report, run, outlet(*flow),
      {"c at the outlet", "x", "c",
       between(read_reference("smith_hutton1982.csv", column), inside, 1 - inside),
       scheme == "upwind" ? Bound{} : absolute(bound), "smith_hutton1982.csv, " + column});
  if (scheme == "upwind" || scheme == "van_leer") add_extremes(*flow, run, report);
}

void run_bends(Report& report) {
  for (const auto& [ratio, column] :
       {std::pair{10.0, "graded10"}, {1000.0, "conv1000"}, {1e6, "conv1e6"}})
    for (const std::string scheme : {"central", "upwind", "quick", "van_leer"})
      if (scheme != "central" || ratio < 1e6) run_bend(scheme, ratio, column, report);
}

Validations describe() {
  return {{"a steep front at the outlet of a bend, with every scheme", {run_bends}}};
}

}  // namespace hodge::tools::validations::smith_hutton
