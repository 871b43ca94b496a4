// Settings that change nothing are told, with the place and the reason.
#include "sim/app/config/without_effect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/app/config/settings_yaml.hpp"
#include "sim/flow/custom_problem.hpp"

namespace hodge::sim::without_effect_test {
namespace {

using testing::ElementsAre;

std::vector<std::string> told(const std::string& text, int processes = 0) {
  CaseSchema custom;
  custom.name = "custom";
  custom.dimensions = {2, 3};
  custom.described_in_file = true;
  const YamlNode file = parse_yaml("case: custom\ngrid: {cells: [8, 8]}\n" + text, "f.yaml");
  const Settings settings = settings_from_yaml(file, "f", std::vector<CaseSchema>{custom});
  Problem problem = custom_problem(settings.custom);
  problem.scalars = custom_scalars(settings.custom);
  problem.solids = settings.solids;
  return settings_without_effect(file, settings, problem, processes);
}

const std::string flow = "fluid: {viscosity: 0.1}\n";
const std::string bdf2 = "time: {end: 1, step: {max: 0.1}}\n";
const std::string rk3 = "time: {scheme: rk3, end: 1, step: {max: 0.1}}\n";
const std::string carried =
    "prescribed_velocity: [1, 0]\nscalars: {dye: {diffusivity: 0.1, buoyancy: [0, 1]}}\n";

TEST(WithoutEffect, a_plain_file_has_none) {
  EXPECT_THAT(told(flow + bdf2), ElementsAre());
  EXPECT_THAT(told(flow + bdf2 +
                   "solvers: {pressure: {tolerance: 1e-9}, transport: {method: "
                   "gmres}}\nconvection: {scheme: upwind}\n"),
              ElementsAre());
}

TEST(WithoutEffect, how_processes_share_a_run_of_one) {
  const std::string file = flow + bdf2 + "parallel: {log: true}\n";
  EXPECT_THAT(told(file, 1),
              ElementsAre("f.yaml:5:11: warning: parallel has no effect with one process"));
  EXPECT_THAT(told(file, 2), ElementsAre());
  EXPECT_THAT(told(file), ElementsAre());
}

TEST(WithoutEffect, solvers_of_systems_that_the_scheme_does_not_solve) {
  EXPECT_THAT(
      told(flow + rk3 +
           "scalars: {dye: {diffusivity: 0.1}}\nsolvers:\n  transport: {tolerance: 1e-9}\n"
           "  scalars: {tolerance: 1e-9}\ncompare:\n  transport: [{method: gmres}]\n"
           "  pressure: [{method: cg}]\n"),
      ElementsAre("f.yaml:7:14: warning: solvers.transport has no effect with scheme rk3",
                  "f.yaml:8:12: warning: solvers.scalars has no effect with scheme rk3",
                  "f.yaml:10:14: warning: compare.transport has no effect with scheme rk3"));
}

TEST(WithoutEffect, solvers_and_buoyancy_beside_a_prescribed_velocity) {
  EXPECT_THAT(
      told(carried + bdf2 + "solvers: {pressure: {tolerance: 1e-9}, scalars: {tolerance: 1e-9}}\n"),
      ElementsAre("f.yaml:4:45: warning: scalars.dye.buoyancy has no effect with a "
                  "prescribed_velocity",
                  "f.yaml:6:21: warning: solvers.pressure has no effect with a "
                  "prescribed_velocity"));
}

TEST(WithoutEffect, solvers_of_scalars_without_scalars_and_forces_without_solids) {
  EXPECT_THAT(
      told(flow + bdf2 + "solvers: {scalars: {tolerance: 1e-9}}\nforces: {speed: 1, length: 1}\n"),
      ElementsAre("f.yaml:5:20: warning: solvers.scalars has no effect without scalars",
                  "f.yaml:6:9: warning: forces has no effect without solids"));
}

TEST(WithoutEffect, what_a_direct_method_and_no_preconditioner_leave_unused) {
  EXPECT_THAT(
      told(flow + bdf2 +
           "solvers:\n  pressure: {method: gauss, preconditioner: {kind: jacobi}}\n"
           "  transport: {preconditioner: {kind: none}, refresh: never}\n"),
      ElementsAre("f.yaml:6:45: warning: solvers.pressure.preconditioner has no effect with "
                  "method gauss",
                  "f.yaml:7:54: warning: solvers.transport.refresh has no effect with "
                  "preconditioner none"));
  EXPECT_THAT(told(flow + bdf2 + "solvers: {pressure: {refresh: never}}\n"),
              ElementsAre("f.yaml:5:31: warning: solvers.pressure.refresh has no effect on the "
                          "pressure, whose matrix does not change"));
}

TEST(WithoutEffect, convection_at_rest_neutral_without_buoyancy_and_parameters_nobody_names) {
  EXPECT_THAT(
      told("prescribed_velocity: [0, 0]\nparameters: {a: 1, b: 2*a, c: 3}\n"
           "scalars: {dye: {diffusivity: b, neutral: 1}}\nconvection: {scalars: upwind}\n" +
           bdf2),
      ElementsAre("f.yaml:4:31: warning: parameters.c has no effect: no formula names it",
                  "f.yaml:5:42: warning: scalars.dye.neutral has no effect without buoyancy",
                  "f.yaml:6:13: warning: convection has no effect where the prescribed_velocity "
                  "is 0 everywhere"));
}

}  // namespace
}  // namespace hodge::sim::without_effect_test
