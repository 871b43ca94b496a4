// A multigrid cycle as an approximation of A^-1: z = M^-1 r.
//
//   cycle(l, r):  z = S r                                   smoothing from 0
//                 z += P cycle(l + 1, P^T (r - A_l z))      correction from the coarser grid
//                 z += S (r - A_l z)                        smoothing
//
// With a symmetric smoother S and as many smoothings after as before, M is symmetric where A is.
// The coarsest grid is solved by Gauss elimination. Kinds of cycle: v as above; w corrects twice; f
// corrects by an f cycle and then by a v cycle, so it is not symmetric: its transpose corrects by
// the v cycle first. Source: U. Trottenberg, C. W. Oosterlee & A. Schueller, Multigrid, 2001, Sec.
// 2.4.
#pragma once

#include <memory>
#include <string>

#include "linalg/matrices/csr.hpp"
#include "linalg/multigrid/multigrid_settings.hpp"
#include "linalg/space/monitor_state.hpp"
#include "linalg/vectors/vector.hpp"

namespace hodge::linalg {

// V: the values of the system.
template <class Space, class V>
class MultigridCycle {
 public:
  virtual ~MultigridCycle() = default;
  // Takes new values of the matrix that the cycle was made for, without allocating; `a` must not
  // have become another separable system since (takes()).
  virtual bool takes(const CsrMatrix<Space, V>&) const { return true; }
  virtual void refresh(const CsrMatrix<Space, V>& a) = 0;
  // A is stored in `a` from now on; the coarser levels stay as they are.
  virtual void keep(const CsrMatrix<Space, V>& a) = 0;
  virtual void apply(const Vector<Space, V>& r, Vector<Space, V>& z) = 0;
  // z = M^-T r by the cycle for A^T, which use_transpose() must be given after each change of A.
  virtual void use_transpose(const CsrMatrix<Space, V>& at) = 0;
  virtual void apply_transposed(const Vector<Space, V>& r, Vector<Space, V>& z) = 0;
  virtual std::string text() const = 0;  // its levels: "grids 256 x 256, 128 x 128, ..., 8 x 8"
};

// On the grid that the pattern of `a` is placed on, if `a` couples only neighbours on the grid;
// otherwise on aggregates of rows, for any square matrix with a diagonal. Where processes share the
// rows, each makes the cycle of its own ones, if all have whole layers of the grid; otherwise it is
// null. Collective.
template <class Space, class V>
std::unique_ptr<MultigridCycle<Space, V>> make_multigrid_cycle(const MultigridSettings& settings,
                                                               const CsrMatrix<Space, V>& a);

}  // namespace hodge::linalg
