// Over 400 lines: all that is promised of the one interface Flow.
#include "sim/flow/flow.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "linalg/base/errors.hpp"
#include "linalg/space/space.hpp"
#include "sim/flow/checks.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge {
namespace {

using test::flow_settings;

sim::Problem cavity(double viscosity) {
  sim::Problem problem;
  problem.viscosity = viscosity;
  problem.boundaries.sides[1][1].velocity = {1, 0, 0};
  return problem;
}

void advance(sim::Flow& flow, int steps, double dt) {
  for (int i = 0; i < steps; ++i) {
    const sim::StepReport report = flow.advance(dt);
    ASSERT_TRUE(report.ok) << report.failure;
  }
}

std::string message_of_config_error(const sim::Settings& settings, const sim::Problem& problem) {
  try {
    (void)sim::make_flow(settings, problem);
  } catch (const ConfigError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no ConfigError";
  return "";
}

// Largest difference of an array's values in two flows.
double largest_difference(const sim::Flow& a, const sim::Flow& b, const std::string& name) {
  const auto x = a.cell_arrays({name})[0].values, y = b.cell_arrays({name})[0].values;
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
  return largest;
}

TEST(Flow, starts_from_a_velocity_made_divergence_free) {
  sim::Problem problem;
  problem.viscosity = 0.1;
  problem.initial_velocity = [](sim::Point x) {
    return std::array<double, 3>{std::sin(3 * x[0]) * x[1], std::cos(2 * x[0] * x[1]), 0};
  };
  const auto flow = sim::make_flow(flow_settings(2, 16), problem);
  const sim::Diagnostics start = flow->diagnostics();
  EXPECT_LT(start.max_divergence, 1e-7);
  EXPECT_GT(start.kinetic_energy, 0.01);
  EXPECT_GT(start.rate_of_change, 0.1);
  EXPECT_TRUE(start.finite);
}

TEST(Flow, keeps_the_divergence_at_the_solver_tolerance) {
  const auto flow = sim::make_flow(flow_settings(2, 16), cavity(0.01));
  for (int i = 0; i < 10; ++i) {
    advance(*flow, 1, 0.02);
    EXPECT_LT(flow->diagnostics().max_divergence, 1e-8);
  }
  EXPECT_EQ(flow->step(), 10);
  EXPECT_NEAR(flow->time(), 0.2, 1e-15);
}

TEST(Flow, stops_reducing_the_divergence_at_the_absolute_tolerance) {
  sim::Settings settings = flow_settings(2, 16);
  settings.pressure.tolerance = 0;
  settings.pressure.absolute_tolerance = 1e-6;
  const auto flow = sim::make_flow(settings, cavity(0.01));
  const double dt = 0.02;
  advance(*flow, 5, dt);
  const double divergence = flow->diagnostics().max_divergence * dt;
  EXPECT_LT(divergence, 16 * 1e-6);  // the maximum over 16^2 cells of a root mean square of 1e-6
  EXPECT_GT(divergence, 1e-8);
}

TEST(Flow, keeps_a_uniform_velocity_in_a_periodic_box) {
  sim::Problem problem;
  problem.viscosity = 0.1;
  problem.boundaries = test::with_periodic({0, 1, 2});
  problem.initial_velocity = [](sim::Point) { return std::array<double, 3>{1.0, -2.0, 0.5}; };
  sim::Settings settings = flow_settings(3, 6);
  settings.grid.axes[1].stretching = "tanh";
  settings.grid.axes[1].strength = 1.5;
  const auto flow = sim::make_flow(settings, problem);
  advance(*flow, 5, 0.05);
  const auto u = flow->cell_arrays({"velocity"})[0];
  ASSERT_EQ(u.components, 3);
  for (std::size_t i = 0; i < u.values.size(); i += 3) {
    EXPECT_NEAR(u.values[i], 1.0, 1e-10);
    EXPECT_NEAR(u.values[i + 1], -2.0, 1e-10);
    EXPECT_NEAR(u.values[i + 2], 0.5, 1e-10);
  }
}

// Between plates at y = 0 and 1, the upper one moving with velocity 1: u = y is steady and in the
// discrete space.
TEST(Flow, reaches_a_couette_flow_exactly_on_a_stretched_grid) {
  sim::Problem problem = cavity(1.0);
  problem.boundaries.sides[0] = test::with_periodic({0}).sides[0];
  problem.exact = sim::ExactSolution{[](sim::Point x, double) {
                                       return std::array<double, 3>{x[1], 0, 0};
                                     },
                                     [](sim::Point, double) { return 0.0; }};
  sim::Settings settings = flow_settings(2, 8);
  settings.grid.axes[1].stretching = "tanh";
  settings.grid.axes[1].strength = 2;
  const auto flow = sim::make_flow(settings, problem);
  EXPECT_GT(flow->error_norms()->velocity_max, 0.5);
  advance(*flow, 60, 0.1);
  const sim::ErrorNorms errors = *flow->error_norms();
  EXPECT_LT(errors.velocity_max, 1e-8);
  EXPECT_LE(errors.velocity_l2, errors.velocity_max);
  EXPECT_LT(errors.pressure_max, 1e-8);
  const auto omega = flow->cell_arrays({"vorticity"})[0];
  ASSERT_EQ(omega.components, 1);
  const auto fields = flow->cell_arrays({"strain_rate", "q_criterion", "speed"});
  for (std::size_t i = 8; i < omega.values.size() - 8; ++i) {
    EXPECT_NEAR(omega.values[i], -1, 1e-6);
    EXPECT_NEAR(fields[0].values[i], 1, 1e-6);
    EXPECT_NEAR(fields[1].values[i], 0, 1e-6);
    EXPECT_NEAR(fields[2].values[i], flow->grid().axis(1).centre(static_cast<int>(i / 8)), 1e-7);
  }
}

TEST(Flow, runs_in_a_box_of_three_dimensions) {
  const auto flow = sim::make_flow(flow_settings(3, 8), cavity(0.02));
  advance(*flow, 5, 0.05);
  const sim::Diagnostics now = flow->diagnostics();
  EXPECT_TRUE(now.finite);
  EXPECT_LT(now.max_divergence, 1e-8);
  EXPECT_GT(now.kinetic_energy, 1e-4);
  // The lid moves along x, so the flow is symmetric about the middle plane in z.
  const auto u = flow->cell_arrays({"velocity"})[0].values;
  for (int k = 0; k < 4; ++k)
    for (int cell = 0; cell < 64; ++cell) {
      const auto at = [&](int plane, int d) {
        return u[static_cast<std::size_t>(3 * (cell + 64 * plane) + d)];
      };
      EXPECT_NEAR(at(k, 0), at(7 - k, 0), 1e-9);
      EXPECT_NEAR(at(k, 2), -at(7 - k, 2), 1e-9);
    }
}

// Box of 3D, one cell layer of variation: a flow that does not depend on z is the plane's.
TEST(Flow, in_a_box_that_is_uniform_along_z_is_the_flow_in_the_plane) {
  sim::Problem problem = cavity(0.02);
  problem.boundaries.sides[2] = test::with_periodic({2}).sides[2];
  sim::Settings settings = flow_settings(3, 8);
  settings.grid.axes[2].cells = 3;
  const auto box = sim::make_flow(settings, problem);
  const auto plane = sim::make_flow(flow_settings(2, 8), cavity(0.02));
  advance(*box, 5, 0.05);
  advance(*plane, 5, 0.05);
  const auto u = box->cell_arrays({"velocity"})[0].values;
  const auto v = plane->cell_arrays({"velocity"})[0].values;
  for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(u[i], v[i % v.size()], 1e-8);
}

TEST(Flow, conserves_kinetic_energy_up_to_the_time_scheme_without_viscosity) {
  sim::Problem problem;
  problem.initial_velocity = [](sim::Point x) {
    return std::array<double, 3>{std::sin(3 * x[0]) * x[1], std::cos(2 * x[0] * x[1]), 0};
  };
  const auto loss = [&](double dt) {
    const auto flow = sim::make_flow(flow_settings(2, 16), problem);
    const double start = flow->diagnostics().kinetic_energy;
    advance(*flow, static_cast<int>(std::lround(0.2 / dt)), dt);
    return std::abs(flow->diagnostics().kinetic_energy / start - 1);
  };
  EXPECT_LT(loss(0.005), 2e-3);
  EXPECT_LT(loss(0.0025), 0.4 * loss(0.005));
}

TEST(Flow, reports_every_solve_of_a_step) {
  const auto flow = sim::make_flow(flow_settings(3, 4), cavity(0.1));
  const sim::StepReport report = flow->advance(0.1);
  ASSERT_TRUE(report.ok);
  std::string systems;
  for (const sim::SolveSummary& solve : report.solves) systems += solve.system + " ";
  EXPECT_EQ(systems, "u v w pressure ");
  EXPECT_EQ(report.dt, 0.1);
  EXPECT_GT(report.pressure_seconds, 0);
  EXPECT_GT(report.transport_seconds, 0);
  EXPECT_GT(report.assembly_seconds, 0);
}

TEST(Flow, leaves_the_fields_alone_where_a_solve_fails) {
  sim::Settings settings = flow_settings(2, 32);
  settings.pressure.max_iterations = 3;
  const auto flow = sim::make_flow(settings, cavity(0.01));
  const sim::Diagnostics before = flow->diagnostics();
  const sim::StepReport report = flow->advance(0.1);
  EXPECT_FALSE(report.ok);
  for (const char* part : {"pressure", "step 1", "t = 0.1", "cg", "max_iterations", "3 iterations"})
    EXPECT_NE(report.failure.find(part), std::string::npos) << report.failure;
  EXPECT_EQ(flow->diagnostics().kinetic_energy, before.kinetic_energy);
  EXPECT_EQ(flow->step(), 0);
}

// The fluid is at rest until t = 0.15: the first step has nothing to solve, the second one fails.
TEST(Flow, fails_alike_when_a_step_that_failed_is_tried_again) {
  sim::Problem problem;
  problem.viscosity = 0.01;
  problem.force[0] = sim::Expression::parse("max(t - 0.15, 0)*cos(3*x)*sin(5*y)");
  for (const char* scheme : {"bdf2", "rk3", "ab2"}) {
    sim::Settings settings = flow_settings(2, 16);
    settings.time.scheme = scheme;
    settings.pressure.max_iterations = 3;
    const auto flow = sim::make_flow(settings, problem);
    advance(*flow, scheme == std::string("ab2") ? 2 : 1, 0.1);  // its force is that of the start
    const sim::StepReport first = flow->advance(0.1), second = flow->advance(0.1);
    ASSERT_FALSE(first.ok);
    ASSERT_FALSE(second.ok);
    EXPECT_NE(first.failure.find("pressure"), std::string::npos) << first.failure;
    EXPECT_EQ(first.failure, second.failure) << scheme;
  }
}

// Reactions go first and last in a step, and are one entry of its report.
TEST(Flow, reports_the_reactions_of_a_step_once_with_their_time) {
  for (const char* scheme : {"bdf2", "backward_euler", "rk3"}) {
    sim::Problem problem = cavity(0.01);
    sim::ScalarProblem scalar;
    scalar.name = "c";
    scalar.diffusivity = 0.01;
    scalar.initial = [](sim::Point) { return 1.0; };
    scalar.reaction = sim::Expression::parse("-c^2", {{}, {"c"}});
    problem.scalars.push_back(scalar);
    sim::Settings settings = flow_settings(2, 8);
    settings.time.scheme = scheme;
    const auto flow = sim::make_flow(settings, problem);
    const sim::StepReport report = flow->advance(0.01);
    ASSERT_TRUE(report.ok) << report.failure;
    int entries = 0;
    for (const sim::SolveSummary& solve : report.solves) {
      if (solve.system != sim::reactions_entry) continue;
      ++entries;
      EXPECT_GT(solve.iterations, 0);
      EXPECT_EQ(solve.seconds, report.reaction_seconds);
    }
    EXPECT_EQ(entries, 1) << scheme;
    EXPECT_GT(report.reaction_seconds, 0);
    EXPECT_GE(report.other_seconds, 0);
  }
}

// dc/dt = t in a fluid at rest: c = t^2 / 2.
TEST(Flow, gives_the_reactions_of_both_halves_of_a_step_their_times) {
  for (const char* scheme : {"bdf2", "backward_euler", "rk3"}) {
    sim::Problem problem;
    problem.prescribed_velocity = sim::PrescribedVelocity{0, 0, 0};
    sim::ScalarProblem scalar;
    scalar.name = "c";
    scalar.reaction = sim::Expression::parse("t", {{}, {"c"}});
    problem.scalars.push_back(scalar);
    sim::Settings settings = flow_settings(2, 4);
    settings.time.scheme = scheme;
    const auto flow = sim::make_flow(settings, problem);
    advance(*flow, 3, 0.2);
    const std::vector<double> cells = flow->cell_arrays({"c"})[0].values;
    for (const double c : cells) EXPECT_NEAR(c, 0.5 * 0.6 * 0.6, 1e-9) << scheme;
  }
}

TEST(Flow, counts_moving_walls_in_the_cfl_rate) {
  const auto flow = sim::make_flow(flow_settings(2, 10), cavity(0.01));
  EXPECT_NEAR(flow->diagnostics().cfl_rate, 10.0, 1e-12);
}

TEST(Flow, snaps_its_clock) {
  const auto flow = sim::make_flow(flow_settings(2, 4), cavity(0.1));
  advance(*flow, 3, 0.1);
  flow->set_time(0.3);
  EXPECT_EQ(flow->time(), 0.3);
}

// In a closed box every component has a matrix; in a periodic one all have the same in turn.
TEST(Flow, takes_the_memory_that_was_estimated) {
  sim::Problem periodic = cavity(0.01);
  for (auto& axis : periodic.boundaries.sides)
    for (sim::Side& side : axis) side = {sim::SideKind::periodic, {}};
  for (const sim::Problem& problem : {cavity(0.01), periodic})
    for (const int dim : {2, 3})
      for (const auto& [scheme, method] : {std::pair("bdf2", "cg"),
                                           {"bdf2", "direct"},
                                           {"cn_ab2", "cg"},
                                           {"cn_ab2", "direct"},
                                           {"rk3", "cg"},
                                           {"rk3", "direct"},
                                           {"ab2", "cg"},
                                           {"ab2", "direct"}}) {
        sim::Settings settings = flow_settings(dim, dim == 2 ? 96 : 24);
        settings.time.scheme = scheme;
        settings.pressure.method = method;
        const std::size_t before = linalg::Host::allocated_bytes();
        const auto flow = sim::make_flow(settings, problem);
        advance(*flow, 2, 0.01);
        const auto held = static_cast<double>(linalg::Host::allocated_bytes() - before);
        const auto estimate = static_cast<double>(sim::memory_estimate(settings, problem));
        EXPECT_NEAR(estimate / held, 1.0, 0.1) << dim << "D " << scheme << " " << method;
      }
}

// A number that is none appears in the second stage of rk3. One solve of a step looks for it, and
// the step leaves everything as it was.
TEST(Flow, finds_a_number_that_is_none_in_any_stage_of_a_direct_step) {
  for (const char* scheme : {"rk3", "ab2"}) {
    sim::Problem problem = cavity(0.01);
    problem.force[0] = sim::Expression::parse("sqrt(0.015 - t)", {});
    sim::Settings settings = flow_settings(2, 8);
    settings.time.scheme = scheme;
    settings.pressure.method = "direct";
    const auto flow = sim::make_flow(settings, problem);
    const auto values = [&] {
      std::vector<std::vector<double>> all;
      for (const sim::CellArray& array : flow->cell_arrays({"velocity", "pressure"}))
        all.push_back(array.values);
      return all;
    };
    bool failed = false;
    for (int step = 0; step < 4 && !failed; ++step) {
      const auto before = values();
      const sim::StepReport report = flow->advance(0.01);
      failed = !report.ok;
      if (!failed) continue;
      EXPECT_NE(report.failure.find("pressure"), std::string::npos) << report.failure;
      EXPECT_EQ(values(), before) << scheme;
      EXPECT_GT(flow->diagnostics().rate_of_change, 0) << scheme;
    }
    EXPECT_TRUE(failed) << scheme;
  }
}

TEST(Flow, holds_the_same_memory_after_every_step) {
  const auto flow = sim::make_flow(flow_settings(2, 16), cavity(0.01));
  advance(*flow, 1, 0.01);
  const std::size_t held = linalg::Host::allocated_bytes();
  advance(*flow, 3, 0.01);
  (void)flow->diagnostics();
  (void)flow->cell_arrays({"velocity", "pressure", "vorticity"});
  EXPECT_EQ(linalg::Host::allocated_bytes(), held);
}

TEST(Flow, refuses_what_does_not_fit_together) {
  const sim::Settings settings = flow_settings(2, 4);
  sim::Problem problem = cavity(0.1);
  problem.boundaries.sides[0][0].kind = sim::SideKind::periodic;
  EXPECT_NE(message_of_config_error(settings, problem).find("along x"), std::string::npos);

  problem = cavity(0.1);
  problem.boundaries.sides[1][1].velocity = {0, 1, 0};
  EXPECT_NE(message_of_config_error(settings, problem).find("normal to y"), std::string::npos);

  problem = cavity(-0.1);
  EXPECT_NE(message_of_config_error(settings, problem).find("viscosity"), std::string::npos);

  problem = cavity(0.1);
  problem.boundaries = test::with_periodic({0});
  sim::Settings narrow = settings;
  narrow.grid.axes[0].cells = 2;
  EXPECT_NE(message_of_config_error(narrow, problem).find("at least 3"), std::string::npos);

  sim::Settings misspelt = settings;
  misspelt.device = "gpu";
  EXPECT_NE(message_of_config_error(misspelt, cavity(0.1)).find("cuda:N"), std::string::npos);
}

TEST(Flow, refuses_systems_beyond_32_bit_indices_before_it_allocates) {
  sim::Settings settings = flow_settings(3, 700);  // 343e6 rows, 2.4e9 non-zeros
  EXPECT_NE(message_of_config_error(settings, cavity(0.1)).find("non-zeros"), std::string::npos);
  settings = flow_settings(3, 1290);
  settings.time.scheme = "rk3";
  settings.pressure.method = "direct";
  EXPECT_NE(message_of_config_error(settings, cavity(0.1)).find("ghost cells"), std::string::npos);
}

// 512e6 cells, whose matrices would have 3.6e9 entries each.
TEST(Flow, counts_only_the_matrices_that_are_built) {
  sim::Settings settings = flow_settings(3, 800);
  settings.time.scheme = "rk3";
  settings.pressure.method = "direct";
  const auto complaint = [&]() -> std::string {
    try {
      sim::check(settings, cavity(0.01), sim::Grid(settings.grid));
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint(), "");
  EXPECT_LT(static_cast<double>(sim::memory_estimate(settings, cavity(0.01))), 170.0 * 512e6);
  settings.time.scheme = "bdf2";
  EXPECT_NE(complaint().find("the u matrix"), std::string::npos) << complaint();
  settings.time.scheme = "rk3";
  settings.pressure.method = "cg";
  EXPECT_NE(complaint().find("the pressure matrix"), std::string::npos) << complaint();
  settings.pressure.method = "direct";
  settings.compare.emplace();
  EXPECT_NE(complaint().find("the pressure matrix"), std::string::npos) << complaint();
}

TEST(Flow, refuses_what_does_not_fit_the_memory_before_it_allocates) {
  sim::Settings settings = flow_settings(3, 550);
  const std::size_t needed = sim::memory_estimate(settings, cavity(0.1));
  if (needed <= linalg::Host::available_memory()) GTEST_SKIP() << "this machine has the memory";
  const std::size_t before = linalg::Host::allocated_bytes();
  try {
    (void)sim::make_flow(settings, cavity(0.1));
    FAIL();
  } catch (const MemoryError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("550 x 550 x 550 cells needs about "), std::string::npos) << what;
    EXPECT_NE(what.find("the velocity matrices "), std::string::npos) << what;
  }
  EXPECT_EQ(linalg::Host::allocated_bytes(), before);
}

#if HODGE_HAS_CUDA

double largest_magnitude(const sim::Flow& flow, const std::string& name) {
  double largest = 0;
  const sim::CellArray array = flow.cell_arrays({name}).front();
  for (const double x : array.values) largest = std::max(largest, std::abs(x));
  return largest;
}

TEST(FlowCuda, equals_the_flow_on_the_cpu) {
  if (linalg::Cuda::device_count() == 0) GTEST_SKIP() << "there is no GPU here";
  for (const int dim : {2, 3}) {
    sim::Settings settings = flow_settings(dim, dim == 2 ? 33 : 12);
    settings.grid.axes[1].stretching = "tanh";
    settings.grid.axes[1].strength = 1.5;
    sim::Problem problem = cavity(0.01);
    problem.boundaries.sides[0] = test::with_periodic({0}).sides[0];
    problem.initial_velocity = [](sim::Point x) {
      return std::array<double, 3>{x[1] * std::sin(6.283185307179586 * x[0]), x[1], 0.1 * x[1]};
    };
    settings.pressure.tolerance = settings.transport.tolerance = 1e-10;
    const auto host = sim::make_flow(settings, problem);
    settings.device = "cuda";
    const auto device = sim::make_flow(settings, problem);
    advance(*host, 100, 0.02);
    advance(*device, 100, 0.02);
    for (const char* name : {"velocity", "pressure", "vorticity"})
      EXPECT_LT(largest_difference(*host, *device, name), 1e-8 * largest_magnitude(*host, name))
          << name << " in " << dim << "D";
    const sim::Diagnostics a = host->diagnostics(), b = device->diagnostics();
    EXPECT_NEAR(a.kinetic_energy, b.kinetic_energy, 1e-8);
    EXPECT_NEAR(a.cfl_rate, b.cfl_rate, 1e-6);
    EXPECT_NEAR(a.max_speed, b.max_speed, 1e-8);
    EXPECT_NEAR(a.rate_of_change, b.rate_of_change, 1e-5);
    EXPECT_LT(b.max_divergence, 1e-7);
    EXPECT_TRUE(b.finite);
  }
}

TEST(FlowCuda, takes_the_memory_that_was_estimated) {
  if (linalg::Cuda::device_count() == 0) GTEST_SKIP() << "there is no GPU here";
  sim::Settings settings = flow_settings(3, 32);
  settings.device = "cuda";
  const std::size_t before = linalg::Cuda::allocated_bytes();
  const auto flow = sim::make_flow(settings, cavity(0.01));
  advance(*flow, 2, 0.01);
  const auto held = static_cast<double>(linalg::Cuda::allocated_bytes() - before);
  EXPECT_NEAR(static_cast<double>(sim::memory_estimate(settings, cavity(0.01))) / held, 1.0, 0.1);
}
#endif

TEST(Flow, repeats_itself_bit_for_bit) {
  const auto first = sim::make_flow(flow_settings(2, 24), cavity(0.01));
  const auto second = sim::make_flow(flow_settings(2, 24), cavity(0.01));
  advance(*first, 4, 0.02);
  advance(*second, 4, 0.02);
  EXPECT_EQ(largest_difference(*first, *second, "velocity"), 0.0);
  EXPECT_EQ(largest_difference(*first, *second, "pressure"), 0.0);
}

}  // namespace
}  // namespace hodge
