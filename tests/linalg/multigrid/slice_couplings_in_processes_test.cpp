// The mean couplings of slices, of which processes have layers: the bits of one process.
#include "linalg/multigrid/slice_couplings.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/shared_grids.hpp"

namespace hodge::linalg {
namespace {

// Couplings of very different sizes, so that their sum shows in which order they were added; some
// are 0.
template <int Dim>
void fill_couplings(multigrid::Stencil<Dim, Host, double>& stencil) {
  const auto cells = static_cast<std::size_t>(stencil.shape().cells());
  for (int d = 0; d < Dim; ++d) {
    const std::vector<double> size = tests::random_values(static_cast<int>(cells), 3 + d);
    for (std::size_t p = 0; p < cells; ++p)
      stencil.view().uppers[d][p] = p % 7 == 3 ? 0.0 : -std::exp(20 * size[p]);
  }
}

template <int Dim>
void expect_shared_means(const std::vector<int>& extent, bool periodic) {
  SCOPED_TRACE(std::to_string(Dim) + "D" + (periodic ? ", periodic" : ""));
  multigrid::LevelShape<Dim> shape{};
  for (int d = 0; d < Dim; ++d) {
    shape.extent[d] = extent[static_cast<std::size_t>(d)];
    shape.periodic[d] = periodic;
  }
  multigrid::Stencil<Dim, Host, double> stencil(shape, true);
  fill_couplings(stencil);
  const auto of_one = multigrid::slice_couplings<Dim, Host>(stencil.view());
  for (const int count : tests::numbers_of_processes()) {
    const LayerCuts cuts = tests_of_grids::uneven_cuts(shape.extent[Dim - 1], count);
    tests::run_in_processes(count, [&](Communicator& processes) {
      const auto means = multigrid::shared_slice_couplings<Dim, Host>(
          processes, cuts.of(processes.rank()), stencil.view());
      EXPECT_EQ(means, of_one) << count << " processes";
    });
  }
}

// Of more than 1024 cells of a slice, in 3D of more than 32 along an axis, a sample is taken.
TEST(SliceCouplings, of_shared_layers_have_the_bits_of_one_process) {
  for (const bool periodic : {false, true}) {
    expect_shared_means<2>({5, 2100}, periodic);
    expect_shared_means<2>({1500, 9}, periodic);
    expect_shared_means<3>({5, 40, 70}, periodic);
    expect_shared_means<3>({33, 6, 7}, periodic);
  }
}

}  // namespace
}  // namespace hodge::linalg
