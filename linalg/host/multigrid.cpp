#include "linalg/multigrid/make_cycle_impl.hpp"

namespace hodge::linalg {

template std::unique_ptr<MultigridCycle<Host, double>> make_grid_cycle(
    const PreconditionerSettings&, const CsrMatrix<Host, double>&);
template std::unique_ptr<MultigridCycle<Host, float>> make_grid_cycle(const PreconditionerSettings&,
                                                                      const CsrMatrix<Host, float>&);

}  // namespace hodge::linalg
