// The bytes of a solve, counted by hand for a system of 1000 rows and 5000 non-zeros in double.
#include "linalg/solve/solve_bytes.hpp"

#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "linalg/solve/registry.hpp"
#include "linalg/solve/solve.hpp"
#include "linalg/space/traffic.hpp"
#include "tests/support/grid_problem.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

constexpr SystemSize system_of_five{1000, 5000, sizeof(double), true, 2};
constexpr double vector_bytes = 8000;

SolverSettings with(const char* method, const char* kind = "none",
                    const OptionValues& options = {}) {
  SolverSettings s;
  s.method = method;
  s.preconditioner = {kind, options};
  return s;
}

TEST(ByteModel, a_product_is_12_bytes_a_nonzero_4_an_offset_and_16_a_row) {
  EXPECT_EQ(product_bytes(system_of_five), 12 * 5000 + 4 * 1000 + 16 * 1000);
}

// Two cells along z: fewer than 6 entries per row.
TEST(ByteModel, a_system_has_the_dimension_of_its_grid_whatever_its_entries) {
  const auto size_of = [](const std::vector<int>& extent) {
    return tests_of_grids::GridProblem(extent).in<Host>()->system_size();
  };
  const SystemSize flat = size_of({8, 8, 2}), thin = size_of({8, 8});
  EXPECT_LT(flat.nonzeros, 6 * flat.rows);
  EXPECT_EQ(flat.dim, 3);
  EXPECT_EQ(thin.dim, 2);
}

TEST(ByteModel, floats_have_half_the_values_and_whole_columns) {
  SystemSize size = system_of_five;
  size.value_size = sizeof(float);
  EXPECT_EQ(product_bytes(size), 8 * 5000 + 4 * 1000 + 8 * 1000);
}

TEST(ByteModel, on_few_diagonals_2_bytes_a_row_stand_for_the_columns) {
  SystemSize size = system_of_five;
  size.few_diagonals = true;
  EXPECT_EQ(product_bytes(size), 8 * 5000 + 6 * 1000 + 16 * 1000);
  EXPECT_EQ(full_sweep_bytes(size, true), 8 * 5000 + 10 * 1000 + 24 * 1000);
  EXPECT_EQ(size.matrix(), system_of_five.matrix() + 2 * 1000);
}

TEST(ByteModel, an_iteration_of_bicg_by_hand) {
  SystemSize size = system_of_five;
  size.symmetric = false;
  size.few_diagonals = true;
  SolverSettings settings = with("bicg");
  EXPECT_EQ(iterations_bytes(settings, size, 1), product_bytes(size) + 17 * vector_bytes);
  settings.options["transpose"] = "stored";
  EXPECT_EQ(iterations_bytes(settings, size, 1), 2 * product_bytes(size) + 16 * vector_bytes);
}

TEST(ByteModel, an_iteration_of_cg_by_hand) {
  const double product = product_bytes(system_of_five);
  EXPECT_EQ(iterations_bytes(with("cg"), system_of_five, 1), product + 9 * vector_bytes);
  EXPECT_EQ(iterations_bytes(with("cg", "jacobi"), system_of_five, 1), product + 11 * vector_bytes);
}

// Of 600 iterations in two launches: each of them loads the places of the rows, x, r and p, and the
// inverse diagonal where there is one, and stores x and r.
TEST(ByteModel, cg_in_one_kernel_by_hand) {
  SystemSize size = system_of_five;
  size.one_kernel = true;
  const double iteration = 12 * 5000 + 2 * vector_bytes, places = 4 * 1000;
  EXPECT_EQ(iterations_bytes(with("cg"), size, 600),
            600 * iteration + 2 * (places + 5 * vector_bytes));
  EXPECT_EQ(iterations_bytes(with("cg", "jacobi"), size, 600),
            600 * iteration + 2 * (places + 6 * vector_bytes));
  const double sweep = 12 * 2000 + 2 * vector_bytes;
  EXPECT_EQ(iterations_bytes(with("cg", "ssor_sai", {{"order", 1}}), size, 600),
            600 * (iteration + 2 * sweep) + 2 * (places + 6 * vector_bytes));
}

// 4 sweeps over half of the 4000 entries off the diagonal.
TEST(ByteModel, the_second_order_of_ssor_sai_by_hand) {
  EXPECT_EQ(
      application_bytes(with("cg", "ssor_sai", {{"order", 2}}).preconditioner, system_of_five),
      4 * (12 * 2000 + 8 * 1000) + (3 + 3 + 4 + 3 + 4) * vector_bytes);
}

TEST(ByteModel, a_truncated_product_moves_what_it_keeps) {
  PreconditionerSettings p;
  p.kind = "ssor_sai";
  p.options["form"] = "truncated";
  EXPECT_EQ(application_bytes(p, system_of_five), product_bytes(system_of_five));
  p.options["alpha"] = 0.5;
  EXPECT_EQ(application_bytes(p, system_of_five), product_bytes(system_of_five) - 12 * 2500);
}

// In values per cell of a symmetric matrix in 2D: a smoothing from zero 10, a residual with a
// smoothing 6 + 11, a correction 6 + 3 1/2. The levels have 1, 1/4, 1/16, ... of the cells. v
// visits each once; w 1, 2, 4, ... times with two corrections each; f 1, 2, 3, ... times, once with
// two corrections. Four times the finest level reads or writes values of 8 bytes instead of 4.
TEST(ByteModel, w_and_f_cycles_visit_the_coarser_grids_more_often) {
  SystemSize size = system_of_five;
  size.on_grid = true;
  PreconditionerSettings p;
  p.kind = "multigrid";
  const double correction = 9.5, visit = 10 + 17 + correction, wide = 4 * 4 * 1000;
  EXPECT_NEAR(application_bytes(p, size), visit * 4.0 / 3 * 4000 + wide, 1e-6);
  p.options["cycle"] = "w";
  EXPECT_NEAR(application_bytes(p, size), (visit + correction) * 2 * 4000 + wide, 1e-6);
  p.options["cycle"] = "f";
  EXPECT_NEAR(application_bytes(p, size), (visit * 16.0 / 9 + correction * 4.0 / 3) * 4000 + wide,
              1e-6);
}

TEST(ByteModel, a_cycle_of_gmres_by_hand) {
  SolverSettings s = with("gmres");
  s.options["restart"] = 2;
  const double product = product_bytes(system_of_five);
  // Dots with 1 and 2 vectors and their rounds: 2 + 3 and 3 + 4; start 2, x by two vectors 4.
  const double cycle = 2 * product + (5 + 7 + 6) * vector_bytes;
  EXPECT_EQ(iterations_bytes(s, system_of_five, 2), cycle);
  EXPECT_EQ(iterations_bytes(s, system_of_five, 4), 2 * cycle + product + 2 * vector_bytes);
}

// Before the first r, r* and p (3). Beside the products r* (1), and s and r* (2); s 3; x, r and p
// in one pass from p, s, t and v, and with a preconditioner also from y and z. With jacobi d and y
// before the first (2); s and z from r, v and d (5); x and r (7); and p and y from r, p, v and d
// (6) but for the last.
TEST(ByteModel, iterations_of_bicgstab_by_hand) {
  const double products = 2 * product_bytes(system_of_five);
  const auto bytes = [](const char* kind, int iterations) {
    return iterations_bytes(with("bicgstab", kind), system_of_five, iterations);
  };
  EXPECT_EQ(bytes("none", 1), products + (3 + 14) * vector_bytes);
  EXPECT_EQ(bytes("none", 2), 2 * products + (3 + 2 * 14) * vector_bytes);
  EXPECT_EQ(bytes("jacobi", 1), products + (3 + 2 + 3 + 5 + 7) * vector_bytes);
  EXPECT_EQ(bytes("jacobi", 3), 3 * products + (3 + 2 + 3 * (3 + 5 + 7) + 2 * 6) * vector_bytes);
}

TEST(ByteModel, every_pair_moves_at_least_its_products_and_more_with_every_iteration) {
  for (const SolverEntry& method : solver_table())
    for (const PreconditionerEntry& kind : preconditioner_table()) {
      const SolverSettings s = with(method.name, kind.name);
      double before = 0;
      for (const int iterations : {1, 2, 10, 31, 100}) {
        const double bytes = iterations_bytes(s, system_of_five, iterations);
        // Iterations of a method for boxes with solids have no product.
        const double products = method.needs_box ? 0 : iterations * product_bytes(system_of_five);
        EXPECT_GE(bytes, products) << method.name;
        EXPECT_GT(bytes, before) << method.name << " + " << kind.name;
        EXPECT_GT(solve_bytes(s, system_of_five, iterations), bytes);
        before = bytes;
      }
      EXPECT_EQ(iterations_bytes(s, system_of_five, 0), 0);
    }
}

TEST(ByteModel, a_share_is_nothing_where_nothing_was_measured) {
  EXPECT_EQ(share_of_copy(1e9, 0.5, 4e9), 0.5);
  EXPECT_EQ(share_of_copy(1e9, 0.0, 4e9), 0);
  EXPECT_EQ(share_of_copy(1e9, 0.5, 0), 0);
  EXPECT_THROW((void)iterations_bytes(with("sor"), system_of_five, 1), ConfigError);
}

// Also if the levels shrink slowly.
TEST(ByteModel, w_and_f_cycles_move_at_least_the_bytes_of_a_v_cycle) {
  SystemSize size = system_of_five;
  size.on_grid = true;
  for (const double coarser : {0.0, 0.1, 0.9, 1.0, 3.0}) {
    size.coarser_cells = coarser;
    PreconditionerSettings settings = with("gmres", "multigrid").preconditioner;
    const double v = application_bytes(settings, size);
    EXPECT_GT(v, 0);
    for (const char* cycle : {"w", "f"}) {
      settings.options["cycle"] = cycle;
      EXPECT_GE(application_bytes(settings, size), v) << cycle << ", " << coarser;
    }
  }
}

template <class Space>
class ByteModelOf : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(ByteModelOf, tests::Spaces, tests::SpaceName);

// Of z = M^-1 r; the third time, when a GPU replays it.
template <class Space>
double moved_by_application(const PreconditionerSettings& settings, const CsrMatrix<Space>& a) {
  const auto make =
      std::get<PreconditionerMaker<Space, double>>(find_preconditioner(settings.kind).make);
  const auto m = make(settings.options);
  m->setup(a);
  const Vector<Space> r{std::span<const double>(tests::random_values(a.rows()))};
  Vector<Space> z(a.rows());
  double before = 0;
  for (int times = 0; times < 3; ++times) {
    Space::synchronize();
    before = traffic<Space>().moved;
    (void)m->apply(r, z);
    Space::synchronize();
  }
  return traffic<Space>().moved - before;
}

template <class Space>
void expect_application(const PreconditionerSettings& settings, const CsrMatrix<Space>& a,
                        double tolerance) {
  const double counted = moved_by_application(settings, a);
  std::string text = settings.kind;
  for (const auto& [name, value] : settings.options) text += " " + name;
  EXPECT_NEAR(counted / application_bytes(settings, a.system_size()), 1.0, tolerance) << text;
}

TYPED_TEST(ByteModelOf, applications_move_the_bytes_that_the_model_counts) {
  const auto a = tests::poisson({40, 40, 40}).in<TypeParam>(Symmetry::symmetric);
  for (const SolverSettings& s :
       {with("cg", "jacobi"), with("cg", "neumann"), with("cg", "neumann", {{"degree", 3}}),
        with("cg", "ssor_sai", {{"order", 1}}), with("cg", "ssor_sai", {{"order", 2}}),
        with("cg", "ssor_sai", {{"form", "truncated"}})})
    expect_application<TypeParam>(s.preconditioner, *a, 0.01);
}

// The geometric series of the model counts more levels than there are, and not the coarsest matrix.
// Small levels of a v cycle are one kernel on a GPU.
TYPED_TEST(ByteModelOf, cycles_on_a_grid_move_the_bytes_that_the_model_counts) {
  for (const std::vector<int>& extent : {std::vector<int>{256, 256}, {64, 64, 64}})
    for (const double wind : {0.0, 1.0}) {
      tests_of_grids::GridProblem problem(extent);
      problem.dirichlet = true;
      problem.wind = wind;
      const auto a = problem.in<TypeParam>();
      for (const char* smoother : {"ssor_sai", "jacobi", "chebyshev"})
        for (const int smoothings : {1, 3})
          for (const char* precision : {"single", "double"})
            expect_application<TypeParam>(
                {"multigrid",
                 {{"smoother", smoother}, {"smoothings", smoothings}, {"precision", precision}}},
                *a, 0.03);
      for (const char* cycle : {"w", "f"})
        expect_application<TypeParam>({"multigrid", {{"cycle", cycle}}}, *a, 0.08);
    }
}

// Aggregates have between three and four rows, and their rows more entries than those of the grid.
TYPED_TEST(ByteModelOf, cycles_on_aggregates_move_about_the_bytes_that_the_model_counts) {
  const auto a = tests::poisson({40, 40, 40}).in<TypeParam>(Symmetry::symmetric);
  for (const char* smoother : {"ssor_sai", "jacobi", "chebyshev"})
    for (const int smoothings : {1, 3})
      expect_application<TypeParam>(
          {"multigrid", {{"smoother", smoother}, {"smoothings", smoothings}}}, *a, 0.15);
}

#if HODGE_HAS_CUDA
// Bytes of a solve of so many iterations.
double moved_by_solve(SolverSettings settings, const CsrMatrix<Cuda>& a, int iterations) {
  settings.tolerance = 1e-300;
  settings.max_iterations = iterations;
  LinearSolver<Cuda> solver(settings, a.rows());
  Vector<Cuda> b{std::span<const double>(tests::random_values(a.rows()))}, x(a.rows());
  const double before = traffic<Cuda>().moved;
  const SolveReport report = solver.solve(a, b, x);
  EXPECT_EQ(report.iterations, iterations) << describe(report);
  return traffic<Cuda>().moved - before;
}

void expect_iterations(const SolverSettings& settings, const CsrMatrix<Cuda>& a, int few = 30,
                       int many = 90) {
  const double counted = moved_by_solve(settings, a, many) - moved_by_solve(settings, a, few);
  const double model = iterations_bytes(settings, counted_size(a), many) -
                       iterations_bytes(settings, counted_size(a), few);
  EXPECT_NEAR(counted / model, 1.0, 0.08)
      << settings.method << " + " << settings.preconditioner.kind << ", " << model;
}
#endif

// On a system that one-kernel cg does not take. The host may queue up to queue_depth iterations
// beyond the last.
TEST(ByteModelCuda, iterations_move_the_bytes_that_the_model_counts) {
  if (!tests::space_is_usable<Cuda>()) GTEST_SKIP() << "no usable NVIDIA GPU on this machine";
#if HODGE_HAS_CUDA
  const auto a = tests::poisson({80, 80, 80}).in<Cuda>(Symmetry::symmetric);
  for (const char* method : {"cg", "bicg", "bicgstab", "gmres"})
    for (const SolverSettings& settings :
         {with(method), with(method, "jacobi"), with(method, "neumann"),
          with(method, "ssor_sai", {{"order", 1}}), with(method, "ssor_sai", {{"order", 2}})})
      expect_iterations(settings, *a);
#endif
}

// bicg reads A once for both products, twice if A^T is stored.
TEST(ByteModelCuda, iterations_on_nonsymmetric_systems_move_the_bytes_that_the_model_counts) {
  if (!tests::space_is_usable<Cuda>()) GTEST_SKIP() << "no usable NVIDIA GPU on this machine";
#if HODGE_HAS_CUDA
  const auto a = tests::central_time_step({80, 80, 80}, 1.0, 0.3).in<Cuda>(Symmetry::nonsymmetric);
  for (const char* transpose : {"implicit", "stored"})
    for (const char* kind : {"none", "jacobi", "ssor_sai"}) {
      SolverSettings settings = with("bicg", kind);
      settings.options = {{"transpose", transpose}};
      expect_iterations(settings, *a, 8, 24);
    }
#endif
}

TEST(ByteModelCuda, cg_in_one_kernel_moves_the_bytes_that_the_model_counts) {
  if (!tests::space_is_usable<Cuda>()) GTEST_SKIP() << "no usable NVIDIA GPU on this machine";
#if HODGE_HAS_CUDA
  const auto a = tests::poisson({40, 40, 40}).in<Cuda>(Symmetry::symmetric);
  EXPECT_TRUE(counted_size(*a).one_kernel);
  for (const SolverSettings& settings :
       {with("cg", "none"), with("cg", "jacobi"), with("cg", "neumann"),
        with("cg", "ssor_sai", {{"order", 1}}), with("cg", "ssor_sai", {{"order", 2}})})
    expect_iterations(settings, *a);
#endif
}

}  // namespace
}  // namespace hodge::linalg
