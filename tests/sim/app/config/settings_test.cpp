// From YAML to Settings and back. The wrong files are in tests/tools/bad_configs, read by the real
// program.
#include <gtest/gtest.h>

#include "linalg/solve/registry.hpp"
#include "sim/app/config/schema.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "sim/app/config/yaml_tree.hpp"

namespace hodge::sim::settings_test {
namespace {

const std::vector<CaseSchema> cases{
    {.name = "cavity", .parameters = {{"reynolds", 100, 1e-3, 1e6}}, .dimensions = {2, 3}},
    {.name = "vortices", .parameters = {}, .dimensions = {2}}};

Settings read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  YamlNode root = parse_yaml(text, "f.yaml");
  apply_overrides(root, overrides);
  return settings_from_yaml(root, "f", cases);
}

std::string error_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    read(text, overrides);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

const std::string least = "case: cavity\ngrid: {cells: [8, 16]}\ntime: {end: 2}\n";

const std::string everything = R"(case: cavity
parameters: {reynolds: 123.456}
grid:
  cells: [8, 16, 100000]
  lower: [0.1, -1, 0]
  upper: [1, 1, 3.3333333333333335]
  stretching: {x: {kind: tanh, strength: 1.7}, y: {kind: core, lower: 0.5, upper: 0.75, cells: 6},
               z: {kind: uniform}}
time: {scheme: backward_euler, end: 0.30000000000000004, steps: 1000000, step: {cfl: 0.7, max: 1e-3},
       steady: {tolerance: 1e-7}}
convection: {scheme: upwind}
solvers:
  pressure: {method: gmres, preconditioner: {kind: neumann, degree: 4}, tolerance: 2.5, absolute_tolerance: 0,
             max_iterations: 7, restart: 50, fallback: [bicgstab, cg], stop: divergence, guess: projected,
             guess_vectors: 11}
  transport: {method: bicgstab, preconditioner: {kind: ssor_sai, order: 2, omega: 0.3, form: truncated,
              alpha: 0.25}, fallback: [], refresh: auto, guess: extrapolated, max_seconds: 0.125}
output: {directory: 'a "b" \ c: #1', frames: {every: 0.1}, fields: [pressure],
         checkpoint: {every: 0.7, wall_every: 12.5, keep: 9}}
device: cuda:3
)";

TEST(Settings, a_short_file_takes_the_defaults) {
  const Settings settings = read(least);
  EXPECT_EQ(settings.case_name, "cavity");
  EXPECT_EQ(settings.parameters.at("reynolds"), 100);
  EXPECT_EQ(settings.grid.dim, 2);
  EXPECT_EQ(settings.grid.axes[1].cells, 16);
  EXPECT_EQ(settings.grid.axes[1].lower, 0);
  EXPECT_EQ(settings.grid.axes[1].upper, 1);
  EXPECT_EQ(settings.grid.axes[1].stretching, "uniform");
  EXPECT_EQ(settings.time.scheme, "bdf2");
  EXPECT_EQ(settings.time.step.cfl, 0.8);
  EXPECT_FALSE(settings.time.step.size);
  EXPECT_FALSE(settings.time.max_steps);
  EXPECT_EQ(settings.convection_scheme, "central");
  EXPECT_TRUE(settings.pressure.automatic);
  EXPECT_EQ(settings.pressure.method, "cg");  // where direct cannot serve
  EXPECT_EQ(settings.pressure.preconditioner.kind, "multigrid");
  EXPECT_EQ(linalg::text_of(settings.pressure.preconditioner.options.at("smoother")), "chebyshev");
  EXPECT_EQ(settings.transport.method, "bicgstab");
  EXPECT_EQ(settings.transport.fallback, std::vector<std::string>{"gmres"});
  EXPECT_EQ(settings.pressure.guess, "scheme");
  EXPECT_EQ(settings.pressure.stop, "residual");
  EXPECT_EQ(settings.transport.refresh, "every");
  EXPECT_FALSE(settings.transport.max_seconds);
  EXPECT_EQ(settings.output.directory, "output/f");
  EXPECT_EQ(settings.run_name(), "f");
  EXPECT_FALSE(settings.output.frame_every);
  EXPECT_EQ(settings.device, "auto");
}

TEST(Settings, a_long_file_is_taken_as_it_is) {
  const Settings settings = read(everything);
  EXPECT_EQ(settings.parameters.at("reynolds"), 123.456);
  EXPECT_EQ(settings.grid.dim, 3);
  EXPECT_EQ(settings.grid.axes[0].stretching, "tanh");
  EXPECT_EQ(settings.grid.axes[0].strength, 1.7);
  EXPECT_EQ(settings.grid.axes[1].stretching, "core");
  EXPECT_EQ(settings.grid.axes[1].core.lower, 0.5);
  EXPECT_EQ(settings.grid.axes[1].core.upper, 0.75);
  EXPECT_EQ(settings.grid.axes[1].core.cells, 6);
  EXPECT_EQ(settings.grid.axes[2].cells, 100000);
  EXPECT_EQ(settings.time.scheme, "backward_euler");
  EXPECT_EQ(settings.time.end, 0.30000000000000004);
  EXPECT_EQ(settings.time.max_steps, 1000000);
  EXPECT_EQ(settings.time.step.max, 1e-3);
  EXPECT_EQ(settings.time.steady_tolerance, 1e-7);
  EXPECT_EQ(settings.convection_scheme, "upwind");
  EXPECT_EQ(linalg::text_of(settings.pressure.options.at("restart")), "50");
  EXPECT_EQ(settings.pressure.fallback, (std::vector<std::string>{"bicgstab", "cg"}));
  EXPECT_EQ(linalg::text_of(settings.pressure.preconditioner.options.at("degree")), "4");
  EXPECT_EQ(linalg::text_of(settings.transport.preconditioner.options.at("omega")), "0.3");
  EXPECT_EQ(linalg::text_of(settings.transport.preconditioner.options.at("form")), "truncated");
  EXPECT_EQ(linalg::text_of(settings.transport.preconditioner.options.at("alpha")), "0.25");
  EXPECT_EQ(settings.output.directory, "a \"b\" \\ c: #1");
  EXPECT_EQ(settings.output.fields, std::vector<std::string>{"pressure"});
  EXPECT_EQ(settings.device, "cuda:3");
}

TEST(Settings, the_resolved_file_reads_back_to_the_same_settings) {
  for (const std::string& text : {least, everything}) {
    const std::string resolved = settings_to_yaml(read(text));
    EXPECT_EQ(settings_to_yaml(read(resolved)), resolved) << resolved;
  }
}

TEST(Settings, checkpoints_are_read_and_written) {
  const CheckpointSettings usual = read(least).output.checkpoint;
  EXPECT_TRUE(usual.enabled);
  EXPECT_FALSE(usual.every);
  EXPECT_EQ(usual.wall_every, 1800);
  EXPECT_EQ(usual.keep, 2);
  for (const Settings& settings : {read(everything), read(settings_to_yaml(read(everything)))}) {
    EXPECT_EQ(settings.output.checkpoint.every, 0.7);
    EXPECT_EQ(settings.output.checkpoint.wall_every, 12.5);
    EXPECT_EQ(settings.output.checkpoint.keep, 9);
  }
  const Settings none = read(least + "output: {checkpoint: none}\n");
  EXPECT_FALSE(none.output.checkpoint.enabled);
  EXPECT_FALSE(read(settings_to_yaml(none)).output.checkpoint.enabled);
}

TEST(Settings, frames_are_single_unless_the_file_says_double) {
  EXPECT_EQ(read(least).output.precision, "single");
  const Settings settings = read(least + "output: {precision: double}\n");
  EXPECT_EQ(settings.output.precision, "double");
  EXPECT_EQ(read(settings_to_yaml(settings)).output.precision, "double");
}

TEST(Settings, frames_are_appended_unless_the_file_says_inline) {
  EXPECT_EQ(read(least).output.encoding, "appended");
  const Settings settings = read(least + "output: {encoding: inline}\n");
  EXPECT_EQ(settings.output.encoding, "inline");
  EXPECT_EQ(read(settings_to_yaml(settings)).output.encoding, "inline");
}

// Both keys fill one setting.
TEST(Settings, frames_are_in_one_file_where_the_file_says_so) {
  for (const std::string format : {"xml", "vtkhdf"}) {
    const Settings settings = read(least + "output: {format: " + format + "}\n");
    EXPECT_EQ(settings.output.encoding, format == "xml" ? "appended" : "vtkhdf");
    EXPECT_EQ(read(settings_to_yaml(settings)).output.encoding, settings.output.encoding);
  }
}

TEST(Settings, frames_are_in_pieces_where_the_grid_is_large_unless_the_file_says_otherwise) {
  EXPECT_EQ(read(least).output.pieces, "auto");
  for (const std::string pieces : {"auto", "always", "never"}) {
    const Settings settings = read(least + "output: {pieces: " + pieces + "}\n");
    EXPECT_EQ(settings.output.pieces, pieces);
    EXPECT_EQ(read(settings_to_yaml(settings)).output.pieces, pieces);
  }
}

TEST(Settings, the_resolved_file_keeps_every_value_of_a_long_file) {
  const Settings settings = read(settings_to_yaml(read(everything)));
  EXPECT_EQ(settings.grid.axes[2].upper, 3.3333333333333335);
  EXPECT_EQ(settings.grid.axes[2].cells, 100000);
  EXPECT_EQ(settings.time.end, 0.30000000000000004);
  EXPECT_EQ(settings.time.max_steps, 1000000);
  EXPECT_EQ(settings.pressure.absolute_tolerance, 0);
  EXPECT_EQ(settings.pressure.max_iterations, 7);
  EXPECT_EQ(settings.pressure.stop, "divergence");
  EXPECT_EQ(settings.pressure.tolerance, 2.5);
  EXPECT_EQ(settings.pressure.guess, "projected");
  EXPECT_EQ(settings.pressure.guess_vectors, 11);
  EXPECT_EQ(settings.transport.refresh, "auto");
  EXPECT_EQ(settings.transport.guess, "extrapolated");
  EXPECT_EQ(settings.transport.max_seconds, 0.125);
  EXPECT_EQ(settings.transport.fallback, std::vector<std::string>{});
  EXPECT_EQ(settings.output.frame_every, 0.1);
  EXPECT_EQ(settings.output.directory, "a \"b\" \\ c: #1");
}

TEST(Settings, a_directory_that_yaml_takes_for_null_or_a_list_survives_the_round_trip) {
  for (const char* directory : {"null", "~", "[a]", "a\nb", "caf\xc3\xa9", "5", "*x"}) {
    Settings settings = read(least);
    settings.output.directory = directory;
    EXPECT_EQ(read(settings_to_yaml(settings)).output.directory, directory);
  }
}

TEST(Settings, a_run_has_the_name_of_its_file_or_another_one) {
  const auto name_of = [](const std::string& name) {
    return settings_from_yaml(parse_yaml(least, "f"), name, cases).output.name;
  };
  EXPECT_EQ(name_of("channel"), "channel");
  EXPECT_EQ(name_of(".my#run"), "_my_run");
  EXPECT_EQ(settings_from_yaml(parse_yaml(least, "..yaml"), ".", cases).output.directory,
            "output/_");
  for (const char* name : {"other", "my run", "5", "null", "- a", "@a", "caf\xc3\xa9"}) {
    const Settings settings = read(least + "output: {name: \"" + name + "\"}\n");
    EXPECT_EQ(settings.run_name(), name);
    EXPECT_EQ(read(settings_to_yaml(settings)).run_name(), name);
  }
  for (const char* name : {"a/b", ".a", "a#1", "a\\tb", "  ", "a\\u202eb"})
    EXPECT_NE(error_of(least + "output: {name: \"" + name + "\"}\n").find("output.name is "),
              std::string::npos)
        << name;
}

TEST(Settings, every_solver_for_any_system_and_every_preconditioner_is_accepted) {
  for (const auto& entry : linalg::solver_table()) {
    const std::string name = entry.name;
    EXPECT_EQ(read(least, {"solvers.pressure.method=" + name}).pressure.method, name);
    EXPECT_FALSE(read(least, {"solvers.pressure.method=" + name}).pressure.automatic);
    const std::string error = error_of(least, {"solvers.transport.method=" + name});
    EXPECT_EQ(error == "no error", !entry.needs_symmetric && !entry.needs_separable) << error;
    if (!entry.needs_box) continue;
    EXPECT_NE(error.find("the pressure alone, expected one of bicg, "), std::string::npos) << error;
    const std::string fallback = "solvers.scalars.fallback=[gmres, " + name + "]";
    EXPECT_NE(error_of(least, {fallback}).find("the pressure alone"), std::string::npos);
  }
  for (const auto& entry : linalg::preconditioner_table()) {
    const std::string name = entry.name;
    const std::string key = "solvers.transport.preconditioner={kind: " + name + "}";
    if (entry.needs_box)
      EXPECT_NE(error_of(least, {key}).find("the pressure alone, expected one of none, jacobi"),
                std::string::npos);
    else
      EXPECT_EQ(read(least, {key}).transport.preconditioner.kind, name);
    const std::string of_pressure = "solvers.pressure.preconditioner={kind: " + name + "}";
    EXPECT_EQ(read(least, {of_pressure}).pressure.preconditioner.kind, name);
  }
}

TEST(Settings, auto_is_the_default_of_the_pressure_and_of_nothing_else) {
  EXPECT_TRUE(read(least, {"solvers.pressure.method=auto"}).pressure.automatic);
  EXPECT_TRUE(read(least, {"solvers.pressure.tolerance=1e-5"}).pressure.automatic);
  EXPECT_NE(error_of(least, {"solvers.transport.method=auto"}), "no error");
  // A preconditioner alone means an iterative method.
  const Settings named = read(least, {"solvers.pressure.preconditioner={kind: jacobi}"});
  EXPECT_FALSE(named.pressure.automatic);
  EXPECT_EQ(named.pressure.method, "cg");
  for (const char* key : {"solvers.pressure.method=auto", "solvers.pressure.method=cg"}) {
    const Settings settings = read(least, {key});
    EXPECT_EQ(read(settings_to_yaml(settings)).pressure.automatic, settings.pressure.automatic);
  }
}

TEST(Settings, auto_takes_fallbacks_and_options_of_every_method_that_it_may_choose) {
  const auto of_auto = [](const std::string& setting) {
    return "solvers.pressure={method: auto, " + setting + "}";
  };
  for (const char* method : {"cg", "capacitance", "gmres"}) {
    const auto pressure =
        read(least, {of_auto(std::string("fallback: [") + method + "]")}).pressure;
    EXPECT_TRUE(pressure.automatic);
    EXPECT_EQ(pressure.fallback, std::vector<std::string>{method});
  }
  EXPECT_NE(error_of(least, {of_auto("fallback: [gmres, gmres]")}).find("has been tried by then"),
            std::string::npos);
  const Settings given = read(least, {of_auto("transforms: double")});
  EXPECT_EQ(given.pressure.options.count("transforms"), 1U);
  EXPECT_EQ(read(settings_to_yaml(given)).pressure.options, given.pressure.options);
  EXPECT_EQ(settings_to_yaml(read(least)).find("transforms"), std::string::npos);
  EXPECT_NE(error_of(least, {of_auto("restart: 20")})
                .find("of gmres, which is not used here (cg, direct, capacitance)"),
            std::string::npos)
      << error_of(least, {of_auto("restart: 20")});
}

TEST(Settings, direct_is_refused_for_transport_with_what_can_serve) {
  const std::string error = error_of(least, {"solvers.transport.method=direct"});
  EXPECT_NE(error.find("needs a separable system"), std::string::npos) << error;
  EXPECT_NE(error.find("expected one of bicg, bicgstab, gmres, gauss"), std::string::npos) << error;
}

TEST(Settings, a_method_that_is_also_the_default_fallback_is_not_tried_twice) {
  EXPECT_TRUE(read(least, {"solvers.transport.method=gmres"}).transport.fallback.empty());
}

TEST(Settings, errors_in_overrides_name_the_override) {
  EXPECT_EQ(error_of(least, {"time.end=abc"}),
            "--set time.end=abc: time.end is 'abc', expected a number > 0");
  EXPECT_EQ(error_of(least, {"time.edn=5"}),
            "--set time.edn=5: unknown key 'edn' in time, did you mean 'end'? known keys: scheme, "
            "end, wall_clock, steps, step, steady");
  EXPECT_EQ(error_of(least, {"solver.pressure.tolerance=1e-5"}),
            "--set solver.pressure.tolerance=1e-5: unknown key 'solver', did you mean 'solvers'? "
            "known keys: case, parameters, grid, initial, scalars, solids, porous, sponges, "
            "turbulence, rotation, forces, time, convection, "
            "solvers, compare, output, probes, device, parallel");
  EXPECT_EQ(error_of(least, {"grid.cells=[64, x]"}),
            "--set grid.cells=[64, x]: grid.cells[1] is 'x', expected a whole number from 3 to "
            "1048576");
  EXPECT_EQ(error_of(least, {"time.step.size=1", "time.step.cfl=0.5"}),
            "--set time.step.size=1: time.step.size fixes the step and time.step.cfl changes it, "
            "expected only one of them");
}

TEST(Settings, overrides_may_mend_a_file) {
  EXPECT_EQ(
      read("case: cavity\ngrid: {cells: [8, 8]}\ntime: {end: nonsense}\n", {"time.end=3"}).time.end,
      3);
}

TEST(Settings, numbers_take_the_usual_forms) {
  for (const char* text : {"2", "2.0", "+2", "2e0", "0.2E1", "2."}) {
    EXPECT_EQ(read(least, {std::string("time.end=") + text}).time.end, 2) << text;
  }
  EXPECT_EQ(read(least, {"time.end=.5"}).time.end, 0.5);
}

TEST(Settings, what_is_no_finite_number_is_refused) {
  for (const char* text : {"yes", "nan", ".nan", "inf", ".inf", "-.inf", "1e999", "1e-999", "0x10",
                           "1_000", "1,5", "'2'", "2s", "--2", "+-2", "[2]", "{a: 2}", "null"}) {
    const std::string error = error_of(least, {std::string("time.end=") + text});
    EXPECT_EQ(error.find("--set time.end="), 0u) << text << " gave " << error;
    EXPECT_NE(error.find(", expected "), std::string::npos) << error;
  }
}

TEST(Settings, what_is_no_whole_number_in_range_is_refused) {
  for (const char* text : {"1.5", "1e3", "3.0", "0", "-1", "99999999999999999999", "'5'", "yes"}) {
    EXPECT_NE(error_of(least, {std::string("time.steps=") + text}), "no error") << text;
  }
  EXPECT_NE(error_of(least, {"solvers.pressure.max_iterations=3000000000"}), "no error");
}

TEST(Settings, devices_have_four_forms) {
  for (const char* name : {"auto", "cpu", "cuda", "cuda:0", "cuda:12"}) {
    EXPECT_TRUE(is_device_name(name)) << name;
  }
  for (const char* name :
       {"", "gpu", "CUDA", "cuda:", "cuda:x", "cuda:-1", "cuda:12345", "cpu:0"}) {
    EXPECT_FALSE(is_device_name(name)) << name;
  }
}

}  // namespace
}  // namespace hodge::sim::settings_test
