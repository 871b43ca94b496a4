// What a user chooses of multigrid.
#pragma once

#include <string>

#include "linalg/settings/options.hpp"

namespace hodge::linalg {

struct MultigridSettings {
  std::string smoother = "ssor_sai";
  int smoothings = 1;
  std::string cycle = "v";
  std::string precision = "single";
  int coarsest_cells = 64;
  double omega = 1.0;

  // Not for users: tests share smaller levels, by halos of other widths. 0: as shared_layers.hpp
  // says. The same on all processes.
  int least_shared_cells = 0, widest_halo = 0;

  void list(OptionList& options) {
    options.add("smoother", smoother, {"ssor_sai", "jacobi", "chebyshev"}, "on each level",
                Brief::value);
    options.add("smoothings", smoothings, from_to(1, 10), "before and after each correction",
                Brief::value);
    options
        .add("cycle", cycle, {"v", "w", "f"},
             "f is not for cg; on strongly stretched grids all are v", Brief::value_in_front)
        .unsymmetric = "f";
    options.add("precision", precision, {"single", "double"}, "of its levels", Brief::value);
    options.add("coarsest_cells", coarsest_cells, from_to(1, 512),
                "a grid of no more cells is solved directly");
    options.add("omega", omega, between(0, 2), "relaxation factor of the smoother")
        .only(smoother != "chebyshev", "smoother ssor_sai or jacobi");
  }
};

}  // namespace hodge::linalg
