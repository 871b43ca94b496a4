// The smoothers (smoothing.hpp), and what the passes over a level on a grid read and write.
#pragma once

#include "linalg/multigrid/multigrid_settings.hpp"

namespace hodge::linalg::multigrid {

// The finest level reads arrays of the axes (box_stencil.hpp) if it has as many cells. Smaller ones
// are small (small_cycle.hpp) or the coarsest, which are stored.
inline constexpr int least_box_cells = 1025;

enum class Smoother { ssor_sai, jacobi, chebyshev };

inline Smoother smoother_of(const MultigridSettings& settings) {
  if (settings.smoother == "jacobi") return Smoother::jacobi;
  return settings.smoother == "chebyshev" ? Smoother::chebyshev : Smoother::ssor_sai;
}

// The values per cell that a pass reads and writes, each array once. Of the matrix it reads the
// inverse diagonal and the couplings, of which a symmetric matrix stores half, and a box none
// (box_stencil.hpp).
struct PassValues {
  Smoother smoother;
  int dim;
  bool symmetric;
  bool on_box = false;

  double couplings() const { return on_box ? 0 : symmetric ? dim : 2 * dim; }
  // z = start + S r, or S r.
  double smoothing(bool from_zero) const {
    const double start = from_zero ? 0 : 1;
    switch (smoother) {
      case Smoother::ssor_sai:
        // Sweeps over the couplings of one side; r, t and t, z.
        return 2 * ((on_box ? 0 : dim) + 3) + start;
      case Smoother::jacobi:
        return 3 + start;  // r, z
      case Smoother::chebyshev:
        return couplings() + 3 + start;  // r, z
    }
    return 0;
  }
  double residual() const { return couplings() + 4; }  // r, z, d
};

}  // namespace hodge::linalg::multigrid
