#include "sim/time/transport_by_iterations.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

using linalg::Host;

class MatrixObserver : public SolveObserver<Host> {
 public:
  void begin_step(long, double) override {}
  void before_solve(const ObservedSystem<Host>& system) override {
    values = system.matrix.values().to_host();
  }
  void after_solve(const ObservedSystem<Host>&) override {}

  std::vector<double> values;
};

// Components of a periodic box that diffuse, with one matrix in turn.
struct Diffusion {
  explicit Diffusion(const std::vector<AxisSettings>& axes)
      : domain{test::grid_of(axes), test::with_periodic({0, 1})} {
    settings.method = "cg";
    settings.preconditioner.kind = "jacobi";
    solver.emplace(settings, domain.metrics,
                   TransportSystems<2, Host>{
                       SystemKind::transport, {rows, rows}, linalg::Symmetry::symmetric});
    solver->observe(&observer);
  }

  TransportEquation<2> equation(int d, double dt) const {
    TransportEquation<2> equation{};
    equation.transport = {domain.metrics.view(), domain.sides, {}, d, 0.3, Convection::central};
    equation.closure = domain.velocity->closure(d);
    equation.dt = dt;
    equation.weights = backward_euler_weights(1);
    equation.old_level = equation.older_level = velocity[d].view();
    equation.convecting = velocity.view();
    equation.implicit_convection = 0;
    equation.equal_locations = domain.metrics.uniform();
    return equation;
  }

  // Whether the solve has the matrix that belongs to its equation.
  bool solves_with_its_matrix(int d, double dt) {
    linalg::CsrMatrix<Host> fresh(solver->matrix(d).shared_pattern());
    linalg::Vector<Host> b(rows.rows);
    assemble_transport(equation(d, dt), rows, fresh, b);
    StepReport report;
    const bool ok = solver->solve({"u", d, dt}, equation(d, dt), std::as_const(velocity)[d], result,
                                  work, report);
    return ok && observer.values == fresh.values().to_host();
  }

  test::Domain<2> domain;
  SystemSettings settings;
  Unknowns<2> rows = unknowns_at(0, domain.metrics.layout(), domain.sides);
  VelocityField<2, Host> velocity = test::random_velocity(domain, 7);
  Field<2, Host> result{domain.metrics.layout()};
  Workspace<Host> work;
  MatrixObserver observer;
  std::optional<TransportByIterations<2, Host>> solver;
};

TEST(TransportSolve, keeps_a_matrix_until_the_step_or_the_component_changes_it) {
  Diffusion equal({test::uniform(6, 1.0), test::uniform(5, 2.0)});
  Diffusion stretched({test::uniform(6, 1.0), test::uneven(5, -1.0, 1.0)});
  for (Diffusion* problem : {&equal, &stretched})
    for (const double dt : {0.1, 0.1, 0.2, 0.1})
      for (const int d : {0, 1}) EXPECT_TRUE(problem->solves_with_its_matrix(d, dt));
}

TEST(TransportSolve, does_not_write_a_matrix_that_it_keeps) {
  Diffusion problem({test::uniform(6, 1.0), test::uniform(5, 2.0)});
  ASSERT_TRUE(problem.solves_with_its_matrix(0, 0.1));
  double* const first = problem.solver->matrix(0).values().data();
  *first += 1.0;
  EXPECT_FALSE(problem.solves_with_its_matrix(1, 0.1));
  EXPECT_TRUE(problem.solves_with_its_matrix(0, 0.2));
}

TEST(TransportSolve, has_one_matrix_for_systems_with_the_same_rows) {
  Diffusion problem({test::uniform(6, 1.0), test::uniform(5, 2.0)});
  EXPECT_EQ(&problem.solver->matrix(0), &problem.solver->matrix(1));
  Unknowns<2> others = problem.rows;
  --others.box.upper[0];
  others.rows -= 5;
  TransportByIterations<2, Host> apart(
      problem.settings, problem.domain.metrics,
      {SystemKind::transport, {problem.rows, others}, linalg::Symmetry::symmetric});
  EXPECT_NE(&apart.matrix(0), &apart.matrix(1));
}

}  // namespace
}  // namespace hodge::sim
