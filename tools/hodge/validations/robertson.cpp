// Robertson's kinetics in a box of uniform concentrations: the reactions alone, in steps that are
// many orders longer than the shortest time scale of the kinetics.
//
//   reference   cases/reference/robertson.csv, 12 digits. Bound: ten times the relative tolerance
//               of a substep, which leaves room for the sum of the errors of hundreds of them
//   published   at t = 40, four digits; the bounds are a unit of the last one (b is 9.1855e-6)
//   sum         a + b + c = 1 is kept to rounding
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::robertson {

constexpr const char* species[] = {"a", "b", "c"};
constexpr double bound = 1e-7;
constexpr double sum_bound = 1e-13;
constexpr int steps_a_time = 10;

std::vector<double> values(const Flow& flow, const std::string& name) {
  return flow.cell_arrays({name})[0].values;
}

// How far a + b + c is from 1 in the worst cell.
double sum_error(const Flow& flow) {
  const auto a = values(flow, "a"), b = values(flow, "b"), c = values(flow, "c");
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, std::abs(a[i] + b[i] + c[i] - 1));
  return worst;
}

void add_reference_rows(const Flow& flow, const std::string& run, Report& report) {
  for (const std::string name : species) {
    const double expected = reference_value("robertson.csv", name, flow.time());
    const double measured = values(flow, name)[0];
    report.add({name, run, measured, expected, relative(bound), "Radau IIA, tolerance 3e-13"});
    report.compare({.quantity = name,
                    .run = run,
                    .measured = measured,
                    .published = expected,
                    .source = "Radau IIA",
                    .position = flow.time()});
    // b is five orders smaller.
    const std::string shown = name == "b" ? "1e4 b" : name;
    const double scale = name == "b" ? 1e4 : 1;
    Figure& figure = report.figure("Robertson's kinetics", "t", "concentration");
    figure.logarithmic = true;
    const auto add = [&](const std::string& curve_name, Curve::Kind kind, double value) {
      const auto found = std::ranges::find(figure.curves, curve_name, &Curve::name);
      Curve& curve = found != figure.curves.end()
                         ? *found
                         : figure.curves.emplace_back(Curve{curve_name, kind, {}});
      curve.points.push_back({flow.time(), scale * value});
    };
    add(shown, Curve::Kind::measured, measured);
    add(shown + ", Radau IIA", Curve::Kind::published, expected);
  }
}

// At t = 40; within a unit of the last published digit.
void add_published_rows(const Flow& flow, const std::string& run, Report& report) {
  const auto add = [&](const char* name, double value, double last_digit) {
    report.add(
        {name, run, values(flow, name)[0], value, absolute(last_digit), "Hairer & Wanner 1996"});
  };
  add("a", 0.7158, 1e-4);
  add("b", 9.185e-6, 1e-9);
  add("c", 0.2842, 1e-4);
}

void run_kinetics(Report& report) {
  const Settings settings = case_settings(report, "robertson", {4, 4});
  const auto flow = sim::make_flow(settings, case_problem(settings));
  const auto times =
      report.choose<std::vector<double>>({0.4, 4, 40, 400}, {0.4, 4, 40, 400, 4000, 1e4});
  double worst_sum = 0;
  for (const double t : times) {
    const std::string run = fmt::format("t = {:g}", t);
    advance(*flow, {.end = t, .steps = steps_a_time, .name = run});
    report.progress(fmt::format("{}: {} steps", run, flow->step()));
    add_reference_rows(*flow, run, report);
    if (t == 40) add_published_rows(*flow, run, report);
    worst_sum = std::max(worst_sum, sum_error(*flow));
  }
  report.limit("largest |a + b + c - 1|", fmt::format("to t = {:g}", times.back()), worst_sum,
               at_most(sum_bound), "exact: 0");
}

Validations describe() {
  return {{"stiff reactions against a reference integration and published values", {run_kinetics}}};
}

}  // namespace hodge::tools::validations::robertson
