// The sections in which a file describes a problem: read, refused, written and read again.
// Over 400 lines: one file of everything serves all of them.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/app/config/settings_yaml.hpp"
#include "sim/app/config/yaml_tree.hpp"
#include "sim/flow/custom_problem.hpp"
#include "tests/support/expect_error.hpp"

namespace hodge::sim::custom_test {
namespace {

std::vector<CaseSchema> cases() {
  CaseSchema custom;
  custom.name = "custom";
  custom.dimensions = {2, 3};
  custom.described_in_file = true;
  CaseSchema heated;
  heated.name = "heated";
  heated.parameters = {{"rayleigh", 1e4}};
  heated.contents = [](const Settings&) {
    CaseContents contents;
    contents.scalars = {"temperature"};
    return contents;
  };
  return {custom, heated};
}

Settings read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  YamlNode root = parse_yaml(text, "f.yaml");
  apply_overrides(root, overrides);
  const std::vector<CaseSchema> known = cases();
  return settings_from_yaml(root, "f", known);
}

std::string error_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return test::message_of<ConfigError>([&] { read(text, overrides); });
}

const std::string least =
    "case: custom\ngrid: {cells: [8, 8]}\ntime: {end: 1}\nfluid: {viscosity: 0.1}\n";

const std::string everything = R"yaml(case: custom
parameters: {reynolds: 50, speed: 2*reynolds, e: 3}
grid: {cells: [8, 8, 8]}
fluid: {viscosity: speed/reynolds^2, density: 1.5}
force: [0, "t > 1 ? 1 : 0", -9.81]
boundaries:
  x_lower: {kind: inflow, velocity: ["speed*y*(1 - y)*min(t, 1)", 0, 0]}
  x_upper: outflow
  y_lower: {kind: wall, velocity: [0.5, 0, 0]}
  y_upper: {kind: slip}
  z_lower: periodic
  z_upper: periodic
scalars:
  heat:
    diffusivity: 1/reynolds
    initial: exp(-x^2)
    source: sin(pi*t)
    buoyancy: [0, 0, 2*speed]
    neutral: 0.5
    exact: x + t
    boundaries:
      x_lower: {value: "1 + 0.1*sin(t)"}
      y_lower: {flux: -1e-3}
      y_upper: {convective: {coefficient: "2*x", value: 20}}
  fuel: {diffusivity: 0, reaction: -fuel*heat/speed, boundaries: {x_lower: {flux: 0}}}
initial: {velocity: [1, x, "y*z"], pressure: 0.5*x}
exact: {velocity: [cos(t), 0, 0], pressure: "x\n+ y"}
time: {end: 1, wall_clock: 3600}
solvers: {scalars: {tolerance: 1e-6}}
output: {fields: [velocity, heat]}
)yaml";

const Point at{0.25, 0.5, 2};

TEST(Custom, a_short_file_is_a_closed_box_at_rest) {
  const CustomSettings custom = read(least).custom;
  EXPECT_EQ(custom.viscosity, 0.1);
  EXPECT_EQ(custom.density, 1);
  EXPECT_TRUE(custom.scalars.empty());
  for (const auto& axis : custom.boundaries.sides)
    for (const Side& side : axis) EXPECT_EQ(side.kind, SideKind::wall);
  EXPECT_TRUE(custom.initial_velocity[0].is_zero());
  EXPECT_FALSE(custom.exact_velocity);
  EXPECT_FALSE(custom.prescribed_velocity);
}

void expect_everything(const Settings& settings) {
  const CustomSettings& custom = settings.custom;
  EXPECT_EQ(settings.parameters.at("speed"), 100);
  EXPECT_EQ(settings.time.max_wall_seconds, 3600);
  EXPECT_EQ(settings.scalars.tolerance, 1e-6);
  EXPECT_EQ(settings.output.fields, (std::vector<std::string>{"velocity", "heat"}));
  EXPECT_EQ(custom.viscosity, 0.04);
  EXPECT_EQ(custom.density, 1.5);
  EXPECT_EQ(custom.force[1](at, 2), 1);
  EXPECT_EQ(custom.force[2](at, 0), -9.81);
  const auto& sides = custom.boundaries.sides;
  EXPECT_EQ(sides[0][0].kind, SideKind::inflow);
  EXPECT_EQ(sides[0][0].velocity[0](at, 0.5), 12.5);
  EXPECT_EQ(sides[0][1].kind, SideKind::outflow);
  EXPECT_EQ(sides[1][0].kind, SideKind::wall);
  EXPECT_EQ(sides[1][0].velocity[0](at, 0), 0.5);
  EXPECT_EQ(sides[1][1].kind, SideKind::slip);
  EXPECT_TRUE(custom.boundaries.periodic(2));
  EXPECT_EQ(custom.initial_velocity[2](at, 0), 1);
  EXPECT_EQ(custom.initial_pressure.value()(at, 0), 0.125);
  EXPECT_EQ((*custom.exact_velocity)[0](at, 0), 1);
  EXPECT_EQ((*custom.exact_pressure)(at, 0), 0.75);
}

void expect_scalars(const CustomSettings& custom) {
  ASSERT_EQ(custom.scalars.size(), 2u);
  const CustomScalar &heat = custom.scalars[0], &fuel = custom.scalars[1];
  EXPECT_EQ(heat.name, "heat");
  EXPECT_EQ(heat.diffusivity, 0.02);
  EXPECT_EQ(heat.initial({1, 0, 0}, 0), std::exp(-1));
  EXPECT_EQ(heat.source(at, 0.5), 1);
  EXPECT_EQ(heat.buoyancy, (std::array<double, 3>{0, 0, 200}));
  EXPECT_EQ(heat.neutral, 0.5);
  EXPECT_EQ((*heat.exact)(at, 3), 3.25);
  EXPECT_FALSE(heat.reaction);
  EXPECT_EQ(heat.sides[0][0].kind, ScalarSideKind::value);
  EXPECT_EQ(heat.sides[0][0].value(at, 0), 1);
  EXPECT_EQ(heat.sides[1][0].kind, ScalarSideKind::flux);
  EXPECT_EQ(heat.sides[1][0].value(at, 0), -1e-3);
  EXPECT_EQ(heat.sides[1][1].kind, ScalarSideKind::convective);
  EXPECT_EQ(heat.sides[1][1].coefficient(at, 0), 0.5);
  EXPECT_EQ(heat.sides[1][1].value(at, 0), 20);
  const double values[] = {10, 30};  // heat, fuel
  EXPECT_EQ((*fuel.reaction)(at, 0, values), -3);
  EXPECT_EQ(fuel.sides[0][0].kind, ScalarSideKind::flux);
}

TEST(Custom, a_long_file_is_taken_as_it_is) {
  const Settings settings = read(everything);
  expect_everything(settings);
  expect_scalars(settings.custom);
}

TEST(Custom, the_resolved_file_reads_back_to_the_same_settings) {
  for (const std::string& text : {least, everything}) {
    const std::string resolved = settings_to_yaml(read(text));
    EXPECT_EQ(settings_to_yaml(read(resolved)), resolved) << resolved;
  }
  const Settings again = read(settings_to_yaml(read(everything)));
  expect_everything(again);
  expect_scalars(again.custom);
}

const std::string transport = R"yaml(case: custom
grid: {cells: [8, 8]}
time: {end: 1}
prescribed_velocity: [y, "-x"]
boundaries: {x_lower: inflow, x_upper: outflow, y_lower: slip}
scalars: {dye: {diffusivity: 0.1, boundaries: {x_lower: {value: y}}}}
)yaml";

TEST(Custom, an_inflow_may_have_a_flow_rate) {
  const std::string inflow = least +
                             "boundaries: {x_lower: {kind: inflow, velocity: [\"y*(1 - y)\", 0], "
                             "flow_rate: \"0.5*min(t, 1)\"}, x_upper: outflow}\n";
  const Settings settings = read(inflow);
  ASSERT_TRUE(settings.custom.boundaries.sides[0][0].flow_rate);
  EXPECT_EQ((*settings.custom.boundaries.sides[0][0].flow_rate)({}, 0.5), 0.25);
  const std::string side = "boundaries.x_lower.";
  const auto complaint = [&](const std::string& override) {
    return error_of(inflow, {side + override});
  };
  EXPECT_NE(complaint("flow_rate=y").find("has y in it, expected a number or a formula of t"),
            std::string::npos);
  EXPECT_NE(complaint("velocity=[t, 0]").find("has t in it"), std::string::npos);
  EXPECT_NE(error_of(inflow, {"boundaries.x_upper={kind: outflow, flow_rate: 1}"})
                .find("has no meaning for kind outflow"),
            std::string::npos);
}

TEST(Custom, a_prescribed_velocity_needs_no_fluid_and_gives_inflows_theirs) {
  const Settings settings = read(transport);
  EXPECT_EQ(settings_to_yaml(read(settings_to_yaml(settings))), settings_to_yaml(settings));
  const Problem problem = custom_problem(settings.custom);
  EXPECT_EQ((*problem.prescribed_velocity)[1](at, 0), -0.25);
  EXPECT_EQ(problem.boundaries.sides[0][0].velocity[0](at, 0), 0.5);
  EXPECT_TRUE(problem.boundaries.sides[1][0].velocity[0].is_zero());
}

TEST(Custom, the_problem_has_what_the_file_says) {
  const Settings settings = read(everything);
  const Problem problem = custom_problem(settings.custom);
  EXPECT_EQ(problem.viscosity, 0.04);
  EXPECT_EQ(problem.density, 1.5);
  EXPECT_EQ(problem.initial_velocity(at), (std::array<double, 3>{1, 0.25, 1}));
  EXPECT_EQ(problem.initial_pressure(at), 0.125);
  EXPECT_EQ(problem.exact->velocity(at, 0)[0], 1);
  EXPECT_EQ(problem.exact->pressure(at, 0), 0.75);
  const std::vector<ScalarProblem> scalars = custom_scalars(settings.custom);
  EXPECT_EQ(scalars[0].initial({1, 0, 0}), std::exp(-1));
  EXPECT_EQ(scalars[0].exact(at, 3), 3.25);
  EXPECT_FALSE(scalars[1].exact);
  EXPECT_EQ(scalars[1].name, "fuel");
}

TEST(Custom, flow_rates_are_held_along_periodic_axes) {
  const Settings settings =
      read(everything, {"force={flow_rate: [free, 0, \"1 + t\"], acceleration: [0, t, 0]}"});
  const Problem problem = custom_problem(settings.custom);
  EXPECT_FALSE(problem.flow_rate[0]);
  EXPECT_FALSE(problem.flow_rate[1]) << "between walls there is nothing to hold";
  ASSERT_TRUE(problem.flow_rate[2]);
  EXPECT_EQ((*problem.flow_rate[2])({}, 2), 3);
  EXPECT_EQ(problem.force[1]({}, 5), 5);
  const std::string resolved = settings_to_yaml(settings);
  EXPECT_EQ(settings_to_yaml(read(resolved)), resolved) << resolved;
  EXPECT_NE(resolved.find("force: {flow_rate: [free, \"0\", \"1 + t\"], acceleration: [\"0\""),
            std::string::npos)
      << resolved;
}

TEST(Custom, frames_hold_every_scalar_where_the_file_names_no_fields) {
  const auto fields = [](const std::string& text) { return read(text).output.fields; };
  EXPECT_EQ(fields(transport),
            (std::vector<std::string>{"velocity", "pressure", "vorticity", "dye"}));
  const std::string heated = "case: heated\ngrid: {cells: [8, 8]}\ntime: {end: 1}\n";
  EXPECT_EQ(fields(heated).back(), "temperature");
  EXPECT_EQ(fields(heated + "scalars: {dye: {diffusivity: 0}}\n").back(), "dye");
  EXPECT_EQ(fields(heated + "output: {fields: [temperature]}\n"),
            std::vector<std::string>{"temperature"});
  const std::string body = "solids: {b: {sphere: {centre: [0.5, 0.5], radius: 0.1}";
  EXPECT_EQ(fields(heated + body + "}}\n").back(), "open_fraction");  // it may be sharp
  EXPECT_EQ(fields(heated + body + ", treatment: sharp}}\n").back(), "open_fraction");
  EXPECT_EQ(fields(heated + body + ", treatment: staircase}}\n").back(), "solid");
}

TEST(Custom, further_scalars_of_a_case_react_with_its_own) {
  const std::string text =
      "case: heated\ngrid: {cells: [8, 8]}\ntime: {end: 1}\n"
      "scalars: {dye: {diffusivity: 0, reaction: temperature - 2*dye}}\n";
  const double values[] = {5, 1};  // temperature, dye
  EXPECT_EQ((*read(text).custom.scalars[0].reaction)({}, 0, values), 3);
  EXPECT_EQ(error_of(text, {"scalars.temperature.diffusivity=1"}),
            "--set scalars.temperature.diffusivity=1: scalars: 'temperature' cannot be the name of "
            "a scalar: there is another scalar of that name");
}

TEST(Custom, parameters_hang_on_those_before_them) {
  EXPECT_EQ(read(everything, {"parameters.reynolds=7"}).parameters.at("speed"), 14);
  EXPECT_EQ(error_of("case: custom\nparameters: {a: b, b: 1}\n" + least.substr(13)),
            "f.yaml:2:17: parameters.a: the formula 'b': unknown name 'b' at character 1, known "
            "names: e, pi");
}

struct Wrong {
  const char *assignment, *message;
};

TEST(Custom, says_what_is_wrong) {
  const Wrong wrong[] = {
      {"fluid.viscosity=-1",
       "fluid.viscosity is '-1', expected a number >= 0 or a formula of the parameters"},
      {"fluid.viscosity=1 - speed",
       "fluid.viscosity is '1 - speed' = -99, expected a number >= 0 or a formula of the "
       "parameters"},
      {"fluid.density=x",
       "fluid.density: the formula 'x' varies in space or time, which is not supported yet, "
       "expected a number > 0 or a formula of the parameters"},
      {"fluid.viscosity=1/renolds",
       "fluid.viscosity: the formula '1/renolds': unknown name 'renolds' at character 3, did you "
       "mean 'reynolds'? known names: x, y, z, t, e, pi, reynolds, speed, shear_rate, heat, fuel"},
      {"fluid.density=[1]",
       "fluid.density is a list, expected a number > 0 or a formula of the parameters"},
      {"parameters.x=1",
       "parameters: 'x' cannot be the name of a parameter: formulas know it as a coordinate or the "
       "time"},
      {"parameters.reynold=1",
       "parameters: the file has no parameter 'reynold', did you mean 'reynolds'? known: reynolds, "
       "speed, e"},
      {"force=[1, 2]", "force is a list of 2, expected a list of 3 formulas, one an axis"},
      {"force=1",
       "force is '1', expected a list of 3 formulas, one an axis, or a map with flow_rate"},
      {"force={acceleration: [1, 2, 3]}",
       "missing key 'flow_rate' in force, expected a list of 3 flow rates, one an axis"},
      {"force={flow_rate: [1, 2]}",
       "force.flow_rate is a list of 2, expected a list of 3 flow rates, one an axis"},
      {"force={flow_rate: [free, 0, y]}",
       "force.flow_rate[2]: the formula 'y' has y in it, expected a number, a formula of t, or "
       "free"},
      {"force={flow_rate: [free, 2, 1]}",
       "force.flow_rate[1] is '2', and the sides along y are not periodic, expected 0: nothing "
       "flows through walls"},
      {"force={flow_rate: [0, 0, 1]}",
       "force.flow_rate[0] is '0', and the sides along x are not periodic, expected free: the "
       "sides "
       "decide what flows"},
      {"force=[max(x, 1), 2]",
       "force is a list of 3 with a formula that a comma cuts, expected a list of 3 formulas, one "
       "an axis; a formula with commas stands in quotes"},
      {"force=[0, 0, max(x, 1)]",
       "force is a list of 4, expected a list of 3 formulas, one an axis; a formula with commas "
       "stands in quotes"},
      {"force=3", "force is '3', expected a list of 3 formulas, one an axis"},
      {"initial.pressure=t",
       "initial.pressure: the formula 't' has t in it, which is not known there, expected a number "
       "or a formula of x, y, z"},
      {"boundaries.x_upper=outflw",
       "boundaries.x_upper: unknown kind of side 'outflw', did you mean 'outflow'? known: wall, "
       "inflow, outflow, pressure, slip, periodic"},
      {"boundaries.x_upper=periodic",
       "boundaries.x_upper is periodic and boundaries.x_lower is inflow, expected both or none to "
       "be"},
      {"boundaries.x_upper=inflow",
       "missing key 'velocity' in boundaries.x_upper, expected the velocity of an inflow, one "
       "formula an axis"},
      {"boundaries.y_upper.velocity=[1, 0, 0]",
       "boundaries.y_upper.velocity has no meaning for kind slip, expected no such key"},
      {"boundaries.y_lower.velocity=[0, 1, 0]",
       "boundaries.y_lower.velocity[1] is '1', expected 0: a wall moves in its own plane, and "
       "fluid "
       "enters through a side of kind inflow"},
      {"scalars.heat.diffusivity=-1",
       "scalars.heat.diffusivity is '-1', expected a number >= 0 or a formula of the parameters"},
      {"scalars.heat.source=fuel",
       "scalars.heat.source: the formula 'fuel': unknown name 'fuel' at character 1, known names: "
       "x, y, z, t, e, pi, reynolds, speed"},
      {"scalars.heat.boundaries.x_upper={value: 1}",
       "scalars.heat.boundaries.x_upper: the side is an outflow, which carries scalars out, "
       "expected no condition"},
      {"scalars.heat.boundaries.z_lower={value: 1}",
       "scalars.heat.boundaries.z_lower: the side is periodic, expected no condition"},
      {"scalars.heat.boundaries.y_lower={value: 1, flux: 2}",
       "scalars.heat.boundaries.y_lower has 2 conditions, expected one condition: {value: ...}, "
       "{flux: ...} or {convective: {coefficient: ..., value: ...}}"},
      {"scalars.heat.boundaries.y_upper.convective.coefficient=-2",
       "scalars.heat.boundaries.y_upper.convective.coefficient is '-2', expected a number >= 0 or "
       "a formula"},
      {"scalars.dye.diffusivity=1",
       "missing key 'x_lower' in scalars.dye.boundaries, expected what the inflow brings, as "
       "{value: 1}"},
      {"scalars.pressure.diffusivity=1",
       "scalars: 'pressure' cannot be the name of a scalar: it is another field's"},
      {"scalars.mean_x.diffusivity=1",
       "scalars: 'mean_x' cannot be the name of a scalar: it is another field's"},
      {"scalars.e.diffusivity=1",
       "scalars: 'e' cannot be the name of a scalar: formulas know it as 2.71828..."},
      {"scalars.reactions.diffusivity=1",
       "scalars: 'reactions' cannot be the name of a scalar: the history has columns of that name"},
      {"scalars.reynolds.diffusivity=1",
       "scalars: 'reynolds' cannot be the name of a scalar: it is a parameter's"},
      {"scalars.a-b.diffusivity=1",
       "scalars: 'a-b' cannot be the name of a scalar: it is no name, expected at most 64 letters, "
       "digits and _, a letter first"},
      {"output.fields=[fule]",
       "output.fields[0]: unknown field 'fule', did you mean 'fuel'? known: velocity, pressure, "
       "vorticity, speed, q_criterion, strain_rate, viscosity, eddy_viscosity, solid, "
       "signed_distance, "
       "open_fraction, heat, fuel, mean_velocity, "
       "mean_pressure, mean_heat, mean_fuel, rms_velocity, rms_pressure, rms_heat, rms_fuel, "
       "reynolds_stress, flux_heat, flux_fuel"},
      {"prescribed_velocity=[1, 0, 0]",
       "boundaries.x_lower.velocity: prescribed_velocity gives the velocity everywhere, expected "
       "no such key"},
  };
  for (const auto& [assignment, message] : wrong) {
    const std::string error = error_of(everything, {assignment});
    EXPECT_NE(error.find(message), std::string::npos) << assignment << "\n gave " << error;
  }
}

TEST(Custom, places_are_those_of_the_file) {
  EXPECT_EQ(error_of("case: custom\ngrid: {cells: [8, 8]}\nforce:\n  - 0\n  - \"2 +\"\n"
                     "time: {end: 1}\nfluid: {viscosity: 1}\n"),
            "f.yaml:5:5: force[1]: the formula '2 +': it ends where a value is expected");
  EXPECT_EQ(error_of("case: custom\ngrid: {cells: [8, 8]}\ntime: {end: 1}\n"),
            "f.yaml:1:1: missing key 'fluid', expected {viscosity: ...}, or prescribed_velocity "
            "where only scalars are solved for");
  EXPECT_EQ(error_of(least + "force: [z, 0]\n"),
            "f.yaml:5:9: force[0]: the formula 'z' has z in it, and the grid is 2D, expected a "
            "number or a formula of x, y, t, u, v");
  EXPECT_EQ(error_of("case: heated\ngrid: {cells: [8, 8]}\ntime: {end: 1}\nforce: [1, 0]\n"),
            "f.yaml:4:1: 'force' belongs to case custom; case heated brings its own, expected no "
            "such key");
}

TEST(Custom, a_prescribed_velocity_leaves_nothing_else_to_say) {
  EXPECT_EQ(error_of(transport, {"fluid.viscosity=1"}),
            "--set fluid.viscosity=1: fluid: prescribed_velocity gives the velocity, and no "
            "momentum is solved for, expected no such key");
  EXPECT_EQ(error_of(transport, {"initial.velocity=[1, 0]"}),
            "--set initial.velocity=[1, 0]: initial.velocity: prescribed_velocity gives the "
            "velocity, and "
            "scalars have their own initial, expected no such key");
  EXPECT_EQ(error_of("case: custom\ngrid: {cells: [8, 8]}\ntime: {end: 1}\n"
                     "prescribed_velocity: [1, 0]\n"),
            "f.yaml:4:22: prescribed_velocity: there is nothing to solve for, expected scalars");
}

TEST(Custom, scalars_are_carried_by_a_bounded_scheme_unless_another_is_asked_for) {
  const std::string dye = least + "scalars: {dye: {diffusivity: 0.1}}\n";
  const Settings plain = read(dye);
  EXPECT_EQ(plain.convection_scheme, "central");
  EXPECT_EQ(plain.convection_of_scalars(), "van_leer");
  EXPECT_EQ(plain.time.step.cfl, 0.25) << "the step at which bdf2 with van_leer is bounded";
  EXPECT_EQ(read(least).time.step.cfl, 0.8);
  EXPECT_EQ(read(dye, {"time.step.cfl=3"}).time.step.cfl, 3);
  const Settings chosen = read(dye, {"convection={scheme: quick, scalars: central}"});
  EXPECT_EQ(chosen.convection_scheme, "quick");
  EXPECT_EQ(chosen.convection_of_scalars(), "central");
  EXPECT_EQ(chosen.time.step.cfl, 0.8);
  EXPECT_NE(settings_to_yaml(chosen).find("convection:\n  scheme: quick\n  scalars: central\n"),
            std::string::npos)
      << settings_to_yaml(chosen);
  EXPECT_EQ(settings_to_yaml(read(least)).find("scalars: van_leer"), std::string::npos);
  EXPECT_EQ(error_of(dye, {"time.scheme=cn_ab2", "time.step.cfl=0.5"}),
            "--set time.step.cfl=0.5: time.step.cfl is 0.5, expected at most 0.45: cn_ab2 with "
            "van_leer convection is unstable beyond it");
}

TEST(Custom, a_prescribed_velocity_has_no_convection_scheme_of_its_own) {
  EXPECT_EQ(error_of(transport, {"convection.scheme=quick"}),
            "--set convection.scheme=quick: convection.scheme: the velocity is given, and only "
            "scalars are carried, expected convection.scalars");
  const Settings settings = read(transport, {"convection.scalars=quick"});
  EXPECT_EQ(settings.convection_of_scalars(), "quick");
  const std::string resolved = settings_to_yaml(settings);
  EXPECT_NE(resolved.find("convection:\n  scalars: quick\n"), std::string::npos) << resolved;
  EXPECT_EQ(settings_to_yaml(read(resolved)), resolved);
}

TEST(Custom, transport_is_symmetric_where_convection_is_explicit) {
  const Settings explicit_convection = read(least, {"time.scheme=cn_ab2"});
  EXPECT_EQ(explicit_convection.transport.method, "cg");
  EXPECT_EQ(explicit_convection.transport.preconditioner.kind, "jacobi");
  EXPECT_TRUE(explicit_convection.transport.fallback.empty());
  EXPECT_EQ(explicit_convection.scalars.method, "cg");
  EXPECT_EQ(
      read(least, {"time.scheme=cn_ab2", "solvers.transport.method=bicgstab"}).transport.method,
      "bicgstab");
  EXPECT_EQ(read(least).transport.method, "bicgstab");
  for (const char* system : {"transport", "scalars"}) {
    const std::string key = std::string("solvers.") + system + ".method=cg";
    EXPECT_NE(error_of(least, {key}).find("needs a symmetric matrix, and with bdf2 it is not"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace hodge::sim::custom_test
