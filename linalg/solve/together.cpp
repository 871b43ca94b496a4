#include "linalg/solve/together.hpp"

#include <climits>
#include <type_traits>

#include "linalg/matrices/csr.hpp"
#include "linalg/processes/agree.hpp"
#include "linalg/processes/sum_chunks.hpp"
#include "linalg/solvers/resident_cg.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace {

// A process without rows would take other steps than those with rows.
bool begin_with_chunks(const RowBlocks& blocks) {
  const int step = chunk_alignment(blocks.rows());
  for (int p = 0; p < blocks.processes(); ++p) {
    if (blocks.rows_of(p) == 0) return false;
    if (blocks.lines() == nullptr && blocks.first(p) % step != 0) return false;
  }
  return true;
}

// Of the rows of all processes.
template <class T>
bool kernels_know_ghosts(const CsrView<T>& a) {
  return a.ghosts.on_device != nullptr && a.long_rows.length == INT_MAX &&
         a.plan.kernel != SpmvKernel::csr_two_step;
}

}  // namespace

template <class Space, class T>
bool can_be_solved_together(const LinearOperator<Space, T>& a) {
  const SharedRows shared = a.shared_rows();
  if (!shared.is_shared() || std::is_same_v<Space, Host>) return true;
  if (a.csr() == nullptr || a.csr()->pattern().sharing() == nullptr) return false;
  const bool small = ResidentIterations<Space>::holds(shared.total);
  const bool able = begin_with_chunks(a.csr()->pattern().sharing()->blocks()) &&
                    kernels_know_ghosts(a.csr()->view());
  return greatest(shared, small || !able ? 1 : 0) == 0;
}

#define HODGE_TOGETHER(Space, T) \
  template bool can_be_solved_together(const LinearOperator<Space, T>&);
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_TOGETHER)

}  // namespace hodge::linalg
