// time: the scheme, the end, the step, the steady state.
#include "sim/config/sections.hpp"
#include "sim/time/schemes.hpp"

namespace hodge::sim {
namespace {

constexpr double default_cfl = 0.8;
constexpr double largest_cfl = 1000;  // implicit schemes are stable far beyond 1, but not accurate

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
  return map_of(
      {optional("cfl", number(step.cfl, {0, largest_cfl, true})),
       optional("max", number(step.max, above(0))), optional("size", number(step.size, above(0)))},
      check_step);
}

}  // namespace

ValueReader time_section(TimeSettings& time) {
  const auto choose_step = [&time](const YamlNode&, const std::string&) {
    if (!time.step.size && !time.step.cfl) time.step.cfl = default_cfl;
  };
  return map_of(
      {optional("scheme", one_of(time.scheme, "time scheme", names_of(time_scheme_table()))),
       required("end", number(time.end, above(0))),
       optional("wall_clock", number(time.max_wall_seconds, above(0))),
       optional("steps", whole_number(time.max_steps, at_least(1))),
       optional("step", step_section(time.step)),
       optional("steady",
                map_of({required("tolerance", number(time.steady_tolerance, above(0)))}))},
      choose_step);
}

}  // namespace hodge::sim
