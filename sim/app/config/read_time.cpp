// time: the scheme, the end, the step, the steady state.
#include "sim/app/config/sections.hpp"
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

void check_step(const YamlNode& node, const std::string& path) {
  const YamlNode* size = node.find("size");
  if (size == nullptr) return;
  for (const char* other : {"cfl", "max"}) {
    if (node.find(other) == nullptr) continue;
    throw config_error(size->place,
                       "{0}.size fixes the step and {0}.{1} changes it, expected only one of them",
                       path, other);
  }
}

ValueReader step_section(StepSettings& step) {
  const ValueReader map = map_of(
      {optional("cfl",
                with_default(number(step.cfl, {0, largest_cfl, true}), number_text(default_cfl())),
                "the longest way of the fluid in a step, in cells: sets the size of the step"),
       optional("max", with_example(number(step.max, above(0)), "0.1"), "no step is longer, T"),
       optional("size", with_example(number(step.size, above(0)), "0.01"),
                "instead of both: a fixed step, T")},
      check_step);
  return described(map, [](ValueShape& shape) {
    shape.never_both = {{"size", "cfl"}, {"size", "max"}};
  });
}

}  // namespace

ValueReader time_section(TimeSettings& time) {
  return map_of(
      {optional("scheme", one_of(time.scheme, "time scheme", names_of(time_scheme_table())),
                "`hodge schemes` describes them"),
       required("end", number(time.end, above(0)), "the time to reach, T"),
       optional("wall_clock", with_example(number(time.max_wall_seconds, above(0)), "3600"),
                "stop after so many seconds of computing"),
       optional("steps", with_example(whole_number(time.max_steps, at_least(1)), "1000"),
                "stop after so many steps"),
       optional("step", step_section(time.step), "its size"),
       optional("steady",
                map_of({required("tolerance",
                                 with_example(number(time.steady_tolerance, above(0)), "1e-6"),
                                 "on max abs(du/dt), L/T^2, and abs(dc/dt), [c]/T")}),
                "stop when nothing changes faster")});
}

}  // namespace hodge::sim
