#include "linalg/multigrid/make_cycle_impl.hpp"

namespace hodge::linalg {

#define HODGE_MULTIGRID(V)                                                                         \
  template std::unique_ptr<MultigridCycle<Host, V>> make_grid_cycle(const PreconditionerSettings&, \
                                                                    const CsrMatrix<Host, V>&);    \
  template std::unique_ptr<MultigridCycle<Host, V>> make_aggregation_cycle(                        \
      const PreconditionerSettings&, const CsrMatrix<Host, V>&);
HODGE_MULTIGRID(double)
HODGE_MULTIGRID(float)

}  // namespace hodge::linalg
