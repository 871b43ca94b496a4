#include "linalg/multigrid/make_cycle_impl.hpp"

namespace hodge::linalg {

template std::unique_ptr<MultigridCycle<Cuda, double>> make_grid_cycle(
    const PreconditionerSettings&, const CsrMatrix<Cuda, double>&);
template std::unique_ptr<MultigridCycle<Cuda, float>> make_grid_cycle(const PreconditionerSettings&,
                                                                      const CsrMatrix<Cuda, float>&);

}  // namespace hodge::linalg
