// Flow between two plates under an oscillating force: errors after two periods and their order with
// the step in proportion to the cell, and the amplitude of the velocity in the middle of the
// channel and how far it lags behind the force, from the Fourier coefficient of the second period.
//
// Bounds: order 1.8 for second-order schemes, because on these grids the next term of the error, of
// third order beside the plates, still matters; amplitude and lag within 0.2 %, twice the relative
// error of the order Wo^2 (h/H)^2 on the finest grid.
#include <complex>
#include <numbers>

#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::oscillating_flow {

using Complex = std::complex<double>;

constexpr double two_pi = 2 * std::numbers::pi;
constexpr double womersley = 5;

// The velocity in the middle of the channel over the second period of a run, and the coefficient c
// of u = Re{c exp(i omega t)}.
struct Middle {
  Profile history;
  Complex sum = 0;

  void look(const Flow& flow) {
    if (flow.time() <= 1 + 1e-9) return;
    const CellField velocity(flow, "velocity");
    const double u = interpolate(velocity.line(0, {.axis = 1, .through = {0.5, 0, 0}}), 0);
    history.push_back({flow.time(), u});
    sum += 2.0 * u * std::exp(Complex(0, -two_pi * flow.time()));
  }
  Complex coefficient() const { return sum / static_cast<double>(history.size()); }
};

Complex exact_coefficient() {
  const Complex i(0, 1), k = womersley * std::sqrt(i);
  return 1.0 / (i * two_pi) * (1.0 - 1.0 / std::cosh(k));
}

void add_middle(const std::string& run, const Middle& middle, Report& report) {
  const Complex measured = middle.coefficient(), exact = exact_coefficient();
  report.add({"amplitude in the middle", run, std::abs(measured), std::abs(exact), relative(0.002),
              "exact solution"});
  report.add({"lag behind the force, rad", run, -std::arg(measured), -std::arg(exact),
              relative(0.002), "exact solution"});
  Figure& figure = report.figure("velocity in the middle, " + run, "t", "u");
  figure.add_measured("hodge", middle.history);
  Profile points;
  for (double t = 1; t <= 2; t += 1.0 / 16)
    points.push_back({t, (exact * std::exp(Complex(0, two_pi * t))).real()});
  figure.add_published("exact", points);
}

void add_scheme(const std::string& scheme, Report& report) {
  Convergence study{scheme, "cells across", velocity_errors(1.8)};
  for (const int cells : doubled(32)) {
    const Settings settings =
        case_settings(report, "oscillating_flow", {4, cells}, {{"womersley", womersley}}, scheme);
    const std::string run = fmt::format("{}, {}", scheme, cells_text(settings));
    Middle middle;
    const auto flow =
        run_case(report, settings,
                 {.end = 2, .steps = 4L * cells, .name = run, .observe = [&](const Flow& now) {
                    middle.look(now);
                  }});
    study.add(cells, fmt::format("{}, {} steps", run, 4 * cells), errors_of(*flow));
    if (cells == 128) add_middle(run, middle, report);
  }
  study.write(report);
}

void add_schemes(Report& report) {
  for (const char* scheme : {"bdf2", "cn_ab2"}) add_scheme(scheme, report);
}

Validations describe() {
  return {{"Womersley's solution in a plane channel: errors, amplitude and lag", {add_schemes}}};
}

}  // namespace hodge::tools::validations::oscillating_flow
