// The corrections of pressure and velocity, and the mean of the pressure beside solids.
#include "sim/discrete/operators/correction.hpp"

#include <gtest/gtest.h>

#include "sim/discrete/bodies/staircase.hpp"
#include "sim/time/projection_verbs.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

using test::Host;

void fill_at_random(Field<2, Host>& field, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<double> values(field.layout().size());
  for (double& value : values) value = number(generator);
  field.values().upload(values);
}

// A channel with an outflow at its lower end and a solid, its fields random.
struct Channel {
  explicit Channel(const std::string& scheme) {
    settings = test::flow_settings(2, 4);
    settings.time.scheme = scheme;
    settings.grid.axes[0] = test::uneven(5, -0.4, 0.7);
    settings.grid.axes[1] = test::uneven(6, 0.3, 1.5);
    problem.density = 2.5;
    problem.viscosity = 0.3;
    problem.boundaries.sides[0][0].kind = SideKind::outflow;
    problem.solids = {{"", BoxShape{{0, 0.5, 0}, {0.3, 0.8, 1}}}};
    const Grid grid(settings.grid);
    flow.emplace(settings, problem, grid, fluid_domain(grid, problem));
    for (int d = 0; d < 2; ++d) fill_at_random(flow->fields.next[d], 1 + static_cast<unsigned>(d));
    fill_at_random(flow->fields.phi, 3);
    fill_at_random(flow->fields.pressure, 4);
  }
  Settings settings;
  Problem problem;
  std::optional<NavierStokes<2, Host>> flow;
};

// P + phi - theta rho nu div u*, theta the implicit share of diffusion; solid cells keep theirs.
TEST(Correction, of_the_pressure_has_the_rotational_term) {
  for (const TimeScheme& scheme : time_scheme_table()) {
    Channel channel(scheme.name);
    NavierStokes<2, Host>& flow = *channel.flow;
    const Field<2, Host>& pressure = flow.fields.pressure;
    const std::vector<double> before = pressure.values().to_host();
    const auto old = view_of(pressure.layout(), before.data());
    if (scheme.has_stages())
      correct_velocity_and_pressure(flow, 0.1, 1.0, flow.fields.previous);
    else
      add_pressure_increment(flow);
    complete_new_pressure(flow, 0.1);
    const double theta = scheme.implicit.diffusion;
    double largest = 0;
    for_each_on_host(pressure.layout().interior(), [&](const Index<2>& c) {
      const double div = divergence(flow.grid.view(), flow.bodies.view(),
                                    std::as_const(flow.fields.next).view(), c);
      const double wanted =
          flow.bodies.view().excludes(at_cells, c)
              ? old(c)
              : old(c) + std::as_const(flow.fields.phi).view()(c) - theta * 2.5 * 0.3 * div;
      EXPECT_NEAR(pressure.view()(c), wanted, 1e-12) << scheme.name;
      largest = std::max(largest, std::abs(div));
    });
    EXPECT_GT(largest, 1);
  }
}

// u - dt / (rho a0) grad phi at every face but those in closed sides and on solids.
TEST(Correction, of_the_velocity_reaches_the_faces_in_open_sides) {
  Channel channel("bdf2");
  NavierStokes<2, Host>& flow = *channel.flow;
  const StepInterval step{0, 0.1, bdf2_weights(0.8)};
  const GridView<2> grid = flow.grid.view();
  for (int d = 0; d < 2; ++d) {
    const Field<2, Host>& u = flow.fields.next[d];
    const std::vector<double> before = u.values().to_host();
    const auto old = view_of(u.layout(), before.data());
    VelocityField<2, Host> velocity(u.layout());
    for (int e = 0; e < 2; ++e) velocity[e].values() = 1.0 * flow.fields.next[e].values();
    subtract_gradient(grid, flow.bodies.view(), flow.sides(), 1.0 / phi_factor(flow, step),
                      flow.fields.phi, velocity);
    int corrected = 0;
    for_each_on_host(u.layout().interior(), [&](const Index<2>& c) {
      const bool fixed = c[d] == 0 && d == 1;  // a wall; x_lower is open
      const bool moves = !fixed && !flow.bodies.view().excludes(d, c);
      const double change = 0.1 / (2.5 * step.weights.a0) *
                            gradient(grid, std::as_const(flow.fields.phi).view(), d, c);
      EXPECT_NEAR(std::as_const(velocity)[d].view()(c), old(c) - (moves ? change : 0.0), 1e-12);
      corrected += moves && c[d] == 0 ? 1 : 0;
    });
    EXPECT_EQ(corrected, d == 0 ? 6 : 0);
  }
}

TEST(Correction, takes_the_mean_over_the_fluid_alone) {
  const test::Domain<2> domain{test::grid_of({test::uneven(4, -1, 0), test::uneven(5, 2, 4)}),
                               test::walls()};
  std::vector<std::uint8_t> cells(20, 0);
  cells[6] = cells[7] = 1;
  const Bodies<2, Host> bodies(domain.metrics.layout(),
                               staircase(domain.metrics.layout(), cells, domain.boundaries));
  const GridView<2> grid = domain.metrics.view();
  double volume = 0;
  for_each_on_host(domain.metrics.layout().interior(), [&](const Index<2>& c) {
    volume += bodies.view().excludes(at_cells, c) ? 0.0 : grid.cell_volume(c);
  });
  Field<2, Host> pressure(domain.metrics.layout());
  fill_at_random(pressure, 6);
  remove_mean(grid, bodies.view(), volume, pressure);
  double integral = 0;
  for_each_on_host(domain.metrics.layout().interior(), [&](const Index<2>& c) {
    const double p = std::as_const(pressure).view()(c);
    EXPECT_TRUE(!bodies.view().excludes(at_cells, c) || p == 0.0);
    integral += grid.cell_volume(c) * p;
  });
  EXPECT_NEAR(integral, 0.0, 1e-14);
}

}  // namespace
}  // namespace hodge::sim
