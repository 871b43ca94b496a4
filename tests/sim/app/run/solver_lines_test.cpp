// What a run and `hodge check` say of the solver of every system.
#include "sim/app/run/solver_lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/app/config/default_solvers.hpp"
#include "tests/support/flow_settings.hpp"

namespace hodge {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::StartsWith;

sim::Settings default_settings(const std::string& scheme, bool symmetric) {
  sim::Settings settings = test::flow_settings(2, 12);
  settings.time.scheme = scheme;
  settings.pressure = sim::default_pressure_solver();
  settings.transport = settings.scalars = sim::default_transport_solver(symmetric);
  return settings;
}

sim::Problem walls_with_reacting_dye() {
  sim::Problem problem;
  sim::ScalarProblem dye;
  dye.name = "dye";
  dye.reaction = sim::Expression::parse("-dye", {{}, {"dye"}});
  problem.scalars.push_back(dye);
  return problem;
}

TEST(SolverLines, name_every_system_and_why_it_has_its_solver) {
  const std::string transport =
      "bicgstab with jacobi, then gmres (default: nonsymmetric by implicit convection)";
  EXPECT_THAT(sim::solver_lines(default_settings("bdf2", false), walls_with_reacting_dye()),
              ElementsAre(Pair("pressure", StartsWith("direct (auto: separable box: ")),
                          Pair("transport", transport), Pair("scalars", transport),
                          Pair("reactions", StartsWith("newton with batched gauss"))));
}

TEST(SolverLines, name_the_cg_of_a_symmetric_matrix) {
  EXPECT_EQ(sim::solver_lines(default_settings("cn_ab2", true), sim::Problem{}).back().second,
            "cg with jacobi (default: symmetric, as only diffusion is implicit)");
}

TEST(SolverLines, say_what_the_file_has_chosen_with_its_settings) {
  sim::Settings settings = default_settings("bdf2", false);
  settings.pressure.automatic = false;
  settings.pressure.preconditioner = {
      "ssor_sai", {{"order", 1}, {"omega", 1.0}, {"form", std::string("truncated")}}};
  settings.transport.method = "gmres";
  settings.transport.options = {{"restart", 16}};
  settings.transport.fallback = {};
  EXPECT_THAT(
      sim::solver_lines(settings, sim::Problem{}),
      ElementsAre(Pair("pressure", "cg with ssor_sai order 1 omega 1 truncated (configured)"),
                  Pair("transport", "gmres(16) with jacobi (configured)")));
}

TEST(SolverLines, say_that_an_explicit_scheme_solves_for_the_pressure_alone) {
  EXPECT_THAT(sim::solver_lines(default_settings("rk3", false), sim::Problem{}),
              ElementsAre(Pair("pressure", StartsWith("direct")),
                          Pair("transport", "none (rk3 is explicit)")));
}

TEST(SolverLines, have_no_flow_where_the_velocity_is_prescribed) {
  sim::Problem problem = walls_with_reacting_dye();
  problem.scalars.back().reaction.reset();
  problem.prescribed_velocity = std::array<sim::Expression, 3>{};
  EXPECT_THAT(sim::solver_lines(default_settings("bdf2", false), problem),
              ElementsAre(Pair("scalars", StartsWith("bicgstab"))));
}

TEST(SolverLines, say_why_equal_diagonals_need_no_jacobi) {
  sim::Problem vortices;
  for (int d = 0; d < 2; ++d) vortices.boundaries.set(d, sim::SideKind::periodic);
  const auto lines = sim::solver_lines(default_settings("cn_ab2", true), vortices);
  EXPECT_EQ(lines.back().second,
            "cg with none (default: symmetric, as only diffusion is implicit; all diagonals are "
            "equal, so that jacobi would change nothing)");
}

}  // namespace
}  // namespace hodge
