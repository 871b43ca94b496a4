// time: the scheme, the end, the step, the steady state.
#include "sim/app/config/sections.hpp"
#include "sim/app/config/yaml_number.hpp"
#include "sim/base/text.hpp"
#include "sim/model/schemes.hpp"
#include "sim/time/stability.hpp"

namespace hodge::sim {
namespace {

constexpr double largest_cfl = 1000;  // implicit schemes are stable far beyond 1, but not accurate

// Of the schemes that a file without them gets; others: time/stability.cpp.
double default_cfl() {
  return stability_of(TimeSettings{}.scheme, Settings{}.convection_scheme).default_cfl;
}

ValueReader step_section(StepSettings& step) {
  return never_with(
      map_of(
          {optional(
               "cfl",
               with_default(number(step.cfl, {0, largest_cfl, true}), yaml_number(default_cfl())),
               "sets the step: the Courant number, max over cells of sum_d abs(u_d) dt / h_d"),
           optional("max", with_example(duration(step.max), "0.1"), "the longest step, T"),
           optional("size", with_example(duration(step.size), "0.01"),
                    "a fixed step, T, instead of both")}),
      "size", "fixes the step", {"cfl", "max"}, "changes it");
}

void check_duration(const ConfigValue& value, double time) {
  constexpr double shortest = 1e-290;
  if (time < shortest)
    throw value.error(" is {}, expected at least {}: parts of it would be 0", number_text(time),
                      number_text(shortest));
}

}  // namespace

ValueReader duration(double& out) {
  return checked(number(out, above(0)),
                 [&out](const ConfigValue& value) { check_duration(value, out); });
}

ValueReader duration(std::optional<double>& out) {
  return checked(number(out, above(0)),
                 [&out](const ConfigValue& value) { check_duration(value, *out); });
}

ValueReader time_section(TimeSettings& time) {
  return map_of(
      {optional("scheme", one_of(time.scheme, "time scheme", names_of(time_scheme_table())),
                "`hodge schemes` describes them"),
       required("end", duration(time.end), "the time to reach, T"),
       optional("wall_clock", with_example(number(time.max_wall_seconds, above(0)), "3600"),
                "stop after so many seconds of computing"),
       optional("steps", with_example(whole_number(time.max_steps, at_least(1)), "1000"),
                "stop after so many steps"),
       optional("step", step_section(time.step), "its size"),
       optional("steady",
                map_of({required("tolerance",
                                 with_example(number(time.steady_tolerance, above(0)), "1.0e-6"),
                                 "on max abs(du/dt), L/T^2, and abs(dc/dt), [c]/T")}),
                "stop when all fields change more slowly than this")});
}

}  // namespace hodge::sim
