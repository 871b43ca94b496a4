// Keys, names and options that hodge does not have, and what it says of them: its own name for the
// thing, where the key may stand, or that there is no such thing yet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "cases/registry.hpp"
#include "sim/app/config/file_keys.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "sim/base/formulas/functions.hpp"
#include "sim/base/terms.hpp"
#include "sim/base/text.hpp"
#include "tests/support/run_hodge.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::tools {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* channel_file =
    "case: custom\n"
    "parameters: {reynolds: 100, speed: 1}\n"
    "grid: {cells: [16, 8], lower: [0, 0], upper: [2, 1]}\n"
    "fluid: {viscosity: 1/reynolds}\n"
    "boundaries: {x_lower: {kind: inflow, velocity: [speed, 0]}, x_upper: outflow}\n"
    "scalars: {dye: {diffusivity: 0.1, boundaries: {x_lower: {value: 1}}}}\n"
    "solids: [{name: post, sphere: {centre: [1, 0.5], radius: 0.2}}]\n"
    "time: {end: 1}\n";
constexpr const char* cavity_file =
    "case: lid_driven_cavity\ngrid: {cells: [8, 8]}\ntime: {end: 1}\n";
constexpr const char* box_file =
    "case: lid_driven_cavity\ngrid: {cells: [8, 8, 8]}\ntime: {end: 1}\n";

// What is wrong with a file that is changed from the command line.
std::string complaint(const std::string& text, const std::vector<std::string>& settings,
                      const std::string& option = "--set") {
  sim::YamlNode root = sim::parse_yaml(text, "f.yaml");
  try {
    sim::apply_overrides(root, settings, option);
    sim::settings_from_yaml(root, "f", cases::known_cases());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

struct Wrong {
  const char *text, *setting, *says;
};

void expect_complaints(const std::vector<Wrong>& all) {
  for (const auto& [text, setting, says] : all)
    EXPECT_THAT(complaint(text, {setting}),
                StartsWith(std::string("--set ") + setting + ": " + says));
}

TEST(UnknownWords, of_what_hodge_does_not_have_are_not_supported_yet) {
  expect_complaints({
      {cavity_file, "RANS=true",
       "'RANS': turbulence models of this kind are not supported yet, known keys: case, "},
      {channel_file, "fluid.kOmegaSST=1",
       "'kOmegaSST' in fluid: turbulence models of this kind are not supported yet, "},
      {channel_file, "solids.0.motion={velocity: [1, 0]}",
       "'motion' in solids[0]: bodies that move are not supported yet, known keys: name, "
       "treatment, scalars, "},
      {channel_file, "solids.0.velocity=[1, 0]",
       "'velocity' in solids[0]: bodies that move are not supported yet, "},
      {channel_file, "vof={}", "'vof': flows of two phases are not supported yet, "},
      {channel_file, "solids.0.sphere.velocity=[1, 0]",
       "'velocity' in solids[0].sphere: bodies that move are not supported yet, "},
      {cavity_file, "grid.refinement={}", "'refinement' in grid: grids that are refined locally "},
      {cavity_file, "grid.adaptive=true", "'adaptive' in grid: grids that are refined locally "},
      {cavity_file, "grid.coordinates=polar", "'coordinates' in grid: coordinates other than "},
      {channel_file, "precision=single", "'precision': runs in another precision than double "},
      {channel_file, "boundaries.y_lower=wall_function",
       "boundaries.y_lower: unknown kind of side 'wall_function', turbulence models of this "
       "kind are not supported yet; known: wall, "},
  });
}

TEST(UnknownWords, of_the_field_get_the_name_that_hodge_has) {
  expect_complaints({
      {cavity_file, "time.dt=0.1",
       "unknown key 'dt' in time, did you mean 'time.step.size'? known keys: "},
      {cavity_file, "time.step.dt=0.1",
       "unknown key 'dt' in time.step, did you mean 'size'? known "},
      {cavity_file, "dt=0.1", "unknown key 'dt', did you mean 'time.step.size'? known keys: "},
      {channel_file, "nu=0.1", "unknown key 'nu', did you mean 'fluid.viscosity'? known keys: "},
      {cavity_file, "nu=0.1", "unknown key 'nu', known keys: "},
      {cavity_file, "mesh={}", "unknown key 'mesh', did you mean 'grid'? "},
      {cavity_file, "time.end_time=2", "unknown key 'end_time' in time, did you mean 'end'? "},
      {cavity_file, "solvers.pressure.preconditioner={kind: amg}",
       "solvers.pressure.preconditioner.kind: unknown preconditioner 'amg', did you mean "
       "'multigrid'? known: "},
      {cavity_file, "solvers.pressure.method=amg",
       "solvers.pressure.method: unknown solver 'amg', multigrid is a preconditioner: method cg "
       "with preconditioner {kind: multigrid}; known: "},
      {cavity_file, "solvers.pressure.method=FFT",
       "solvers.pressure.method: unknown solver 'FFT', did you mean 'direct'? "},
      {cavity_file, "solvers.transport.preconditioner={kind: ILU(0)}",
       "solvers.transport.preconditioner.kind: unknown preconditioner 'ILU(0)', did you mean "
       "'ssor_sai'? "},
      {channel_file, "solids.0={circle: {centre: [1, 0.5], radius: 0.2}}",
       "unknown key 'circle' in solids[0], did you mean 'sphere'? "},
      {channel_file, "boundaries.x_upper=outlet",
       "boundaries.x_upper: unknown kind of side 'outlet', did you mean 'outflow'? "},
      {channel_file, "boundaries.y_upper=symmetry",
       "boundaries.y_upper: unknown kind of side 'symmetry', did you mean 'slip'? "},
      {channel_file, "boundaries.top=wall",
       "unknown key 'top' in boundaries, did you mean 'y_upper'? "},
      {cavity_file, "time.scheme=crank-nicolson",
       "time.scheme: unknown time scheme 'crank-nicolson', did you mean 'cn_ab2'? "},
      {cavity_file, "convection.scheme=minmod",
       "convection.scheme: unknown convection scheme 'minmod', did you mean 'van_leer'? "},
      {cavity_file, "time.step.adaptive=true",
       "unknown key 'adaptive' in time.step, did you mean 'cfl'? known keys: "},
      {cavity_file, "time.adaptive=true",
       "unknown key 'adaptive' in time, did you mean 'time.step.cfl'? known keys: "},
      {cavity_file, "probes.coordinates=[1, 1]",
       "unknown key 'coordinates' in probes, did you mean 'points'? known keys: "},
      {cavity_file, "solvers.velocity={}",
       "unknown key 'velocity' in solvers, did you mean 'transport'? known keys: "},
      {cavity_file, "solvers.pressure.precision=single",
       "unknown key 'precision' in solvers.pressure, single precision is for "
       "preconditioner.precision (multigrid) and transforms (capacitance); known keys: "},
      {channel_file, "boundaries.x_lower.speed=1",
       "unknown key 'speed' in boundaries.x_lower, did you mean 'velocity'? known keys: "},
      {cavity_file, "grid.size=[1, 1]",
       "unknown key 'size' in grid, its corners lower and upper give the box; known keys: "},
      {cavity_file, "device=gpu", "device is 'gpu', did you mean 'cuda'? expected auto, cpu, "},
      {cavity_file, "device=openmp", "device is 'openmp', did you mean 'cpu'? expected auto, "},
      {channel_file, "initial.velocity=[arctan(x), 0]",
       "initial.velocity[0]: the formula 'arctan(x)': unknown function 'arctan' at character 1, "
       "did you mean 'atan'? "},
      {cavity_file, "restart=latest",
       "unknown key 'restart', a run goes on with hodge run FILE --restart latest; known keys: "},
  });
}

TEST(UnknownWords, that_are_keys_elsewhere_get_their_place) {
  expect_complaints({
      {cavity_file, "reynolds=50",
       "unknown key 'reynolds', did you mean 'parameters.reynolds'? known "},
      {channel_file, "speed=2",
       "unknown key 'speed', did you mean 'parameters.speed'? known keys: "},
      {channel_file, "viscosity=1", "unknown key 'viscosity', did you mean 'fluid.viscosity'? "},
      {cavity_file, "cells=[4, 4]", "unknown key 'cells', did you mean 'grid.cells'? "},
      {cavity_file, "time.max=0.1", "unknown key 'max' in time, did you mean 'time.step.max'? "},
      {channel_file, "sphere={}",
       "unknown key 'sphere', did you mean 'solids[0].sphere' or 'solids.NAME.sphere'? "},
      {cavity_file, "every=1",
       "unknown key 'every', did you mean 'compare.every' or 'probes.every'? "},
      {cavity_file, "tolerance=1", "unknown key 'tolerance', known keys: "},
  });
  EXPECT_THAT(complaint(cavity_file, {"reynolds=50"}, "--over"),
              StartsWith("--over reynolds=50: unknown key 'reynolds', did you mean "
                         "'parameters.reynolds'? "));
}

TEST(UnknownWords, in_a_section_get_no_places_in_others) {
  expect_complaints({
      {cavity_file, "time.start=1", "unknown key 'start' in time, known keys: "},
      {cavity_file, "time.step.initial=1", "unknown key 'initial' in time.step, known keys: "},
      {cavity_file, "parameters.speed=1", "unknown key 'speed' in parameters, known keys: "},
      {channel_file, "fluid.precision=single", "unknown key 'precision' in fluid, known keys: "},
      {cavity_file, "time.step.end=1", "unknown key 'end' in time.step, did you mean 'time.end'? "},
      {cavity_file, "solvers.pressure.smoother=jacobi",
       "unknown key 'smoother' in solvers.pressure, did you mean "
       "'solvers.pressure.preconditioner.smoother'? known keys: "},
  });
}

// A name of the file is no function; what the field means by a call of it is told all the same.
TEST(UnknownWords, that_are_parameters_are_no_functions) {
  constexpr const char* file =
      "case: custom\nparameters: {pow: 2, where: 1, les: 1}\ngrid: {cells: [8, 8]}\n"
      "fluid: {viscosity: 1}\ntime: {end: 1}\n";
  const std::string at = "is not expected there, ";
  const auto says = [&](const std::string& call) {
    return complaint(file, {"initial.velocity=['" + call + "', 0]"});
  };
  EXPECT_THAT(says("pow(x, 2)"), HasSubstr(at + "a power is written a^b; expected an operator"));
  EXPECT_THAT(says("2*where (x)"), HasSubstr(at + "did you mean 'if'? expected an operator"));
  EXPECT_THAT(says("les(x)"), HasSubstr(at + "expected an operator before it"));
}

TEST(UnknownWords, of_another_dimension_are_told_that_of_the_grid) {
  expect_complaints({
      {channel_file, "boundaries.z_lower=wall",
       "unknown key 'z_lower' in boundaries, the grid is 2D, known keys: x_lower, "},
      {channel_file, "boundaries.front=wall",
       "unknown key 'front' in boundaries, the grid is 2D, known keys: x_lower, "},
      {channel_file, "scalars.dye.boundaries.z_upper={value: 1}",
       "unknown key 'z_upper' in scalars.dye.boundaries, the grid is 2D, "},
      {channel_file, "z_lower=wall", "unknown key 'z_lower', the grid is 2D, known keys: case, "},
      {cavity_file, "forces={speed: 1, area: 1}", "unknown key 'area' in forces, the grid is 2D, "},
      {cavity_file, "grid.stretching={z: {kind: tanh}}",
       "unknown key 'z' in grid.stretching, the grid is 2D, known keys: x, y"},
  });
}

TEST(UnknownWords, of_a_missing_key_are_not_told_twice) {
  EXPECT_EQ(complaint("case: lid_driven_cavity\ngrid: {nx: 5}\ntime: {end: 1}\n", {}),
            "f.yaml:2:8: unknown key 'nx' in grid, did you mean 'cells'? known keys: cells, lower, "
            "upper, stretching");
}

TEST(UnknownWords, of_the_command_line_get_the_same_answers) {
  const test::TemporaryDirectory folder;
  test::write_text(folder / "f.yaml", cavity_file);
  const auto says = [&](const std::vector<std::string>& words) {
    const test::ProgramResult result = test::run_hodge(words, folder.path());
    EXPECT_EQ(result.exit_code, 2);
    return result.err;
  };
  EXPECT_THAT(says({"run", "f.yaml", "--resume"}), HasSubstr("did you mean '--restart'?"));
  EXPECT_THAT(says({"run", "f.yaml", "--np", "4"}), HasSubstr("mpirun -n 4 hodge run FILE"));
  EXPECT_THAT(says({"run", "f.yaml", "--device", "gpu"}),
              HasSubstr("did you mean 'cuda'? expected auto, cpu, cuda or cuda:N, not 'gpu'"));
  EXPECT_THAT(says({"simulate", "f.yaml"}), HasSubstr("did you mean 'run'?"));
  EXPECT_THAT(says({"solve", "a.mtx", "--preconditioner", "gamg"}),
              HasSubstr("did you mean 'multigrid'?"));
  EXPECT_THAT(says({"sweep", "f.yaml", "--over", "reynolds=50,100"}),
              HasSubstr("--over reynolds=50: unknown key 'reynolds', did you mean "
                        "'parameters.reynolds'?"));
}

// Each answer that is a name: of a key in the file of a case, of a value there, of an option, a
// command or a function.
TEST(UnknownWords, get_names_that_hodge_has) {
  std::set<std::string> paths, names{"t", "parameters", "cpu", "cuda"};
  const auto add_values = [&](const auto& self, const sim::ValueShape& shape) -> void {
    names.insert(shape.names.begin(), shape.names.end());
    for (const auto* parts : {&shape.items, &shape.choices, &shape.named})
      for (const sim::ValueShape& part : *parts) self(self, part);
    for (const sim::KeyShape& key : shape.keys) {
      names.insert(key.name);
      self(self, key.value);
    }
  };
  const std::vector<sim::CaseSchema> schemas = cases::known_cases();
  for (const sim::CaseSchema& schema : schemas)
    for (const int dim : schema.dimensions) {
      const sim::ValueShape shape = sim::file_shape(schema, dim, schemas);
      add_values(add_values, shape);
      for (const sim::FileKey& key : sim::file_keys(shape, {})) paths.insert(key.path);
    }
  for (const sim::FormulaFunction& function : sim::formula_function_table())
    names.insert(function.name);
  const test::TemporaryDirectory folder;
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"--help"}, {"run", "--help"}}) {
    const std::string help = test::run_hodge(command, folder.path()).out;
    const std::regex word("\n  (--)?[a-z-]+");
    for (std::sregex_iterator at(help.begin(), help.end(), word), end; at != end; ++at)
      names.insert(at->str().substr(3));
  }
  for (const sim::FieldTerm& term : sim::term_table()) {
    if (term.kind != sim::FieldTerm::Kind::name) continue;
    const std::string answer(term.answer);
    EXPECT_TRUE(names.contains(answer) || paths.contains(answer)) << answer;
  }
}

TEST(UnknownWords, are_no_keys_that_can_be_set) {
  for (const char* text : {channel_file, cavity_file, box_file}) {
    const sim::YamlNode root = sim::parse_yaml(text, "f.yaml");
    const std::vector<sim::FileKey> keys = sim::keys_of_file(root, cases::known_cases());
    EXPECT_GT(keys.size(), 60u);
    for (const sim::FileKey& key : keys)
      EXPECT_THAT(complaint(text, {key.path + "={}"}), Not(HasSubstr("unknown key"))) << key.path;
  }
}

}  // namespace
}  // namespace hodge::tools
