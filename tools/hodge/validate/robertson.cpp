// Robertson's kinetics in a box of uniform concentrations: nothing but the reactions, in steps that
// are many orders longer than the shortest time of the kinetics.
//
//   reference   cases/reference/robertson.csv, 12 digits. Bound: ten times the relative tolerance
//               of a substep, which leaves room for the sum of the errors of hundreds of them
//   published   at t = 40, four digits; the bounds are a unit of the last one (b is 9.1855e-6)
//   sum         a + b + c = 1 is kept to rounding
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/reference_table.hpp"

namespace hodge::tools {
namespace {

constexpr const char* reference_file = "robertson.csv";
constexpr std::array<const char*, 3> species{"a", "b", "c"};
constexpr double bound = 1e-7;
constexpr double sum_bound = 1e-13;
constexpr int steps_a_time = 10;

struct PublishedState {
  const char* name;
  double value, last_digit;
};
constexpr PublishedState hairer_wanner[] = {
    {"a", 0.7158, 1e-4}, {"b", 9.185e-6, 1e-9}, {"c", 0.2842, 1e-4}};

std::vector<double> values(const sim::Flow& flow, const std::string& name) {
  return flow.cell_arrays({name})[0].values;
}

// How far a + b + c is from 1 in the worst cell.
double sum_error(const sim::Flow& flow) {
  const auto a = values(flow, "a"), b = values(flow, "b"), c = values(flow, "c");
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, std::abs(a[i] + b[i] + c[i] - 1));
  return worst;
}

void add_reference_rows(const sim::Flow& flow, const std::string& run, Report& report) {
  for (const char* name : species) {
    const double expected = reference_value(reference_file, name, flow.time());
    const double measured = values(flow, name)[0];
    report.add({.quantity = name,
                .run = run,
                .measured = measured,
                .published = expected,
                .bound = relative(bound),
                .source = "Radau IIA, tolerance 3e-13"});
    report.compare({run, name, flow.time(), measured, expected, "Radau IIA"});
    // b is five orders smaller.
    const std::string shown = name == std::string("b") ? "1e4 b" : name;
    const double scale = name == std::string("b") ? 1e4 : 1;
    Figure& figure = report.figure("Robertson's kinetics", "t", "concentration");
    figure.logarithmic = true;
    const auto add = [&](const std::string& curve_name, Curve::Kind kind, double value) {
      const auto found = std::ranges::find(figure.curves, curve_name, &Curve::name);
      Curve& curve = found != figure.curves.end()
                         ? *found
                         : figure.curves.emplace_back(Curve{curve_name, kind, {}});
      curve.points.add(flow.time(), scale * value);
    };
    add(shown, Curve::Kind::measured, measured);
    add(shown + ", Radau IIA", Curve::Kind::published, expected);
  }
}

void add_published_rows(const sim::Flow& flow, const std::string& run, Report& report) {
  for (const PublishedState& published : hairer_wanner)
    report.add({.quantity = published.name,
                .run = run,
                .measured = values(flow, published.name)[0],
                .published = published.value,
                .bound = absolute(published.last_digit),
                .source = "Hairer & Wanner 1996"});
}

void validate_robertson(const ValidateOptions& options, Report& report) {
  const sim::Settings settings = case_settings(options, "robertson", {4, 4});
  const auto flow = sim::make_flow(settings, case_problem(settings));
  std::vector<double> times{0.4, 4, 40, 400};
  if (!options.quick) times.insert(times.end(), {4000, 1e4});
  double worst_sum = 0;
  for (const double t : times) {
    const std::string run = fmt::format("t = {:g}", t);
    advance(*flow, {.end = t, .steps = steps_a_time, .name = run});
    report.progress(fmt::format("{}: {} steps", run, flow->step()));
    add_reference_rows(*flow, run, report);
    if (t == 40) add_published_rows(*flow, run, report);
    worst_sum = std::max(worst_sum, sum_error(*flow));
  }
  report.add({.quantity = "largest |a + b + c - 1|",
              .run = fmt::format("to t = {:g}", times.back()),
              .measured = worst_sum,
              .bound = at_most(sum_bound),
              .source = "exact: 0"});
}

}  // namespace

const Validation robertson_validation{
    "robertson", "stiff reactions against a reference integration and published values",
    validate_robertson};

}  // namespace hodge::tools
