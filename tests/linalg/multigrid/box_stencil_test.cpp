// Multigrid whose finest level reads arrays of the axes against multigrid on stored couplings.
#include "linalg/multigrid/box_stencil.hpp"

#include <gtest/gtest.h>

#include "linalg/multigrid/grid_level.hpp"
#include "linalg/multigrid/stencil_from_rows.hpp"
#include "linalg/preconditioners/multigrid.hpp"
#include "linalg/space/traffic.hpp"
#include "tests/support/box_problems.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests_of_grids::box_problems;
using tests_of_grids::BoxProblem;

template <class Space>
class BoxStencilTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(BoxStencilTest, tests::Spaces, tests::SpaceName);

const std::vector<std::vector<int>> extents{{37, 41}, {29, 13, 15}};

// A x of a random x, so that a region whose level one pinned row determines has no large level.
template <class Space>
Vector<Space> right_side_of(const CsrMatrix<Space>& a) {
  const Vector<Space> x{std::span<const double>(tests::random_values(a.rows(), 4))};
  Vector<Space> r(a.rows());
  multiply(a, x, r);
  return r;
}

template <class Space>
std::vector<double> applied(const CsrMatrix<Space>& a, const MultigridSettings& settings,
                            const Vector<Space>& r) {
  Multigrid<Space, double> multigrid(settings);
  multigrid.setup(a);
  Vector<Space> z(a.rows());
  return multigrid.apply(r, z).to_host();
}

double size_of(const std::vector<double>& v) {
  double sum = 0;
  for (const double value : v) sum += value * value;
  return std::sqrt(sum);
}

TYPED_TEST(BoxStencilTest, a_cycle_is_that_of_the_stored_couplings_to_rounding) {
  for (const std::vector<int>& extent : extents)
    for (const BoxProblem& problem : box_problems(extent)) {
      const auto entries = problem.by_entries<TypeParam>();
      const auto box = problem.described<TypeParam>();
      const auto r = right_side_of(*entries);
      ASSERT_TRUE(box->box_system()) << problem.name;
      for (const MultigridSettings& settings :
           {MultigridSettings{.smoothings = 2, .cycle = "w", .precision = "double"},
            MultigridSettings{.smoother = "jacobi", .precision = "double"},
            MultigridSettings{.smoother = "chebyshev", .precision = "double"},
            MultigridSettings{.smoother = "ssor_sai"},
            MultigridSettings{.smoother = "chebyshev"}}) {
        const std::vector<double> wanted = applied(*entries, settings, r);
        std::vector<double> found = applied(*box, settings, r);
        for (std::size_t i = 0; i < found.size(); ++i) found[i] -= wanted[i];
        // The coarsest level is solved by factors, whose rounding is that of the BLAS: up
        // to 2.3e-14 with OpenBLAS for Prescott.
        const bool single = settings.precision == "single";
        EXPECT_LE(size_of(found), (single ? 1e-5 : 1e-13) * size_of(wanted))
            << problem.name << ", " << extent.size() << "D, " << settings.smoother << ", "
            << settings.precision;
      }
    }
}

// The passes of the finest level, one by one.
template <class Space, int Dim>
void expect_passes(const BoxProblem& problem, const std::string& smoother) {
  const auto a = problem.by_entries<Space>();
  const multigrid::LevelShape<Dim> shape = multigrid::level_shape<Dim>(problem.grid.shape);
  MultigridSettings settings;
  settings.smoother = smoother;
  const SeparableSystem system = problem.grid.system();
  std::vector<std::vector<double>> results;
  for (const SeparableSystem* const of : {static_cast<const SeparableSystem*>(nullptr), &system}) {
    multigrid::GridLevel<Dim, Space, double> level(shape, true, settings, of);
    multigrid::take_rows<Dim, Space>(a->view(),
                                     multigrid::AllColumns{a->pattern().grid()->row_of_cell.data()},
                                     shape.layers(), level.view(), level.t.data());
    std::vector<double> r = tests::random_values(shape.cells(), 5);
    const std::vector<double> inverse = [&] {
      std::vector<double> host(r.size());
      Space::download(level.view().inverse, host.data(), sizeof(double) * host.size());
      return host;
    }();
    for (std::size_t p = 0; p < r.size(); ++p) r[p] *= inverse[p] != 0 ? 1 : 0;
    const Buffer<double, Space> right_side{std::span<const double>(r)};
    level.smooth(multigrid::HaloArray<const double>{right_side.data()}, {}, level.of_z());
    results.push_back(level.z.to_host());
    level.residual(multigrid::HaloArray<const double>{right_side.data()}, reading(level.of_z()),
                   level.of_t());
    results.push_back(level.t.to_host());
  }
  for (int pass = 0; pass < 2; ++pass)
    for (std::size_t p = 0; p < results[0].size(); ++p)
      ASSERT_NEAR(results[2 + pass][p], results[pass][p], 1e-13)
          << problem.name << ", " << smoother << ", pass " << pass << ", cell " << p;
}

// Levels by themselves are compiled for the device by nvcc alone; there whole cycles show them.
TEST(BoxStencil, a_smoothing_and_a_residual_are_those_of_the_stored_couplings) {
  for (const char* smoother : {"ssor_sai", "jacobi", "chebyshev"}) {
    for (const BoxProblem& problem : box_problems({13, 15}))
      expect_passes<Host, 2>(problem, smoother);
    for (const BoxProblem& problem : box_problems({13, 15, 13}))
      expect_passes<Host, 3>(problem, smoother);
  }
}

// The transfers take most cells by lines or columns; a cell near a solid is done by itself.
template <class Space, int Dim>
void expect_transfers(const BoxProblem& problem) {
  const auto a = problem.by_entries<Space>();
  const multigrid::LevelShape<Dim> shape = multigrid::level_shape<Dim>(problem.grid.shape);
  const SeparableSystem system = problem.grid.system();
  multigrid::GridLevel<Dim, Space, double> fine(shape, true, {}, &system);
  multigrid::take_rows<Dim, Space>(a->view(),
                                   multigrid::AllColumns{a->pattern().grid()->row_of_cell.data()},
                                   shape.layers(), fine.view(), fine.t.data());
  fine.with_stencil([&](const auto& stencil) {
    fine.to_coarser = multigrid::coarsening_of<Dim, Space>(stencil, fine.lists);
  });
  multigrid::GridLevel<Dim, Space, double> coarse(fine.to_coarser.coarse, true, {});
  fine.with_stencil([&](const auto& stencil) {
    multigrid::coarsen<Dim, Space>(fine.to_coarser, coarse.layers.part, stencil,
                                   std::as_const(fine.t).data(), coarse.view(), coarse.t.data());
  });
  fine.holes = coarse.holes = true;
  fine.mark_holes(coarse);
  const auto random_in = [](auto& level, PartBuffer<double, Space>& vector, unsigned seed) {
    std::vector<double> values = tests::random_values(level.cells(), seed), inverse(values.size());
    Space::download(level.view().inverse, inverse.data(), sizeof(double) * inverse.size());
    for (std::size_t p = 0; p < values.size(); ++p) values[p] *= inverse[p] != 0 ? 1 : 0;
    vector.upload(std::span<const double>(values));
  };
  std::vector<std::vector<double>> results;
  for (const bool all_by_themselves : {false, true}) {
    if (all_by_themselves)
      fine.near_holes.upload(std::vector<std::uint8_t>(fine.near_holes.size(), 1));
    random_in(fine, fine.t, 3);
    random_in(fine, fine.z, 4);
    random_in(coarse, coarse.z, 5);
    fine.restrict_to(coarse, reading(fine.of_t()));
    fine.prolong_from(coarse, fine.of_z());
    results.push_back(coarse.r.to_host());
    results.push_back(fine.z.to_host());
  }
  for (int which = 0; which < 2; ++which)
    for (std::size_t p = 0; p < results[which].size(); ++p)
      ASSERT_NEAR(results[which][p], results[2 + which][p], 1e-14)
          << problem.name << ", cell " << p;
}

TEST(BoxStencil, transfers_near_solids_are_those_of_single_cells) {
  for (const BoxProblem& problem : box_problems({37, 41})) expect_transfers<Host, 2>(problem);
  for (const BoxProblem& problem : box_problems({29, 13, 15})) expect_transfers<Host, 3>(problem);
}

template <class Space>
int iterations_on(const CsrMatrix<Space>& a, bool singular, const std::string& precision) {
  SolverSettings settings;
  settings.preconditioner = tests_of_grids::multigrid;
  settings.preconditioner.options["precision"] = precision;
  const Vector<Space> b{std::span<const double>(tests::random_values(a.rows(), 7))};
  Vector<Space> x(a.rows());
  const SolveReport report =
      LinearSolver<Space>(settings, a.rows())
          .solve(a, b, x, {.null_space = singular ? NullSpace::constant : NullSpace::none});
  EXPECT_TRUE(report.converged()) << describe(report);
  return report.iterations;
}

// In single precision a residual near the target may fall on either side of it.
TYPED_TEST(BoxStencilTest, solves_take_as_many_iterations) {
  for (const std::vector<int>& extent : extents)
    for (const BoxProblem& problem : box_problems(extent)) {
      const auto entries = problem.by_entries<TypeParam>();
      const auto box = problem.described<TypeParam>();
      const bool singular = problem.pinned.empty() && problem.grid.system().is_singular();
      for (const char* precision : {"double", "single"})
        EXPECT_NEAR(iterations_on(*box, singular, precision),
                    iterations_on(*entries, singular, precision), precision[0] == 's' ? 1 : 0)
            << problem.name << ", " << extent.size() << "D, " << precision;
    }
}

// Where the matrix is described anew, or no longer, the cycle follows.
TYPED_TEST(BoxStencilTest, a_refresh_takes_another_system) {
  BoxProblem problem = box_problems({37, 41})[3];
  const auto a = problem.described<TypeParam>();
  Multigrid<TypeParam, double> cycle(MultigridSettings{.precision = "double"});
  cycle.setup(*a);
  const auto r = right_side_of(*a);
  Vector<TypeParam> z(a->rows());
  for (const bool described : {true, false}) {
    problem.grid.coupling[0] *= 3;
    const auto other = problem.by_entries<TypeParam>();
    a->values().upload(std::span<const double>(other->values().to_host()));
    a->describe_as(described ? std::make_shared<SeparableSystem>(problem.grid.system()) : nullptr);
    cycle.refresh(*a);
    const std::vector<double> wanted = applied(*other, {.precision = "double"}, r);
    std::vector<double> found = cycle.apply(r, z).to_host();
    for (std::size_t i = 0; i < found.size(); ++i) found[i] -= wanted[i];
    EXPECT_LE(size_of(found), 1e-13 * size_of(wanted)) << described;
  }
}

TYPED_TEST(BoxStencilTest, memory_without_couplings_is_as_announced) {
  for (const std::vector<int>& extent : {std::vector{193, 161}, std::vector{41, 37, 45}})
    for (const std::size_t which : {std::size_t{0}, std::size_t{3}}) {
      const auto a = box_problems(extent)[which].template described<TypeParam>();
      const auto before = TypeParam::allocated_bytes();
      Multigrid<TypeParam, double> preconditioner({});
      preconditioner.setup(*a);
      const auto held = static_cast<double>(TypeParam::allocated_bytes() - before);
      const auto announced = static_cast<double>(
          Multigrid<TypeParam, double>::memory(MultigridSettings{}, a->system_size()));
      EXPECT_GE(announced, 0.98 * held) << extent.size() << "D, " << which;
      EXPECT_LE(announced, 1.3 * held) << extent.size() << "D, " << which;
    }
}

}  // namespace
}  // namespace hodge::linalg
