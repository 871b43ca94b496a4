// Which matrices the experiments run on: generated ones by name, the real ones that come with
// hodge, and those of --matrices.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tools/hodge/bench/matrices.hpp"
#include "tools/hodge/bench/report.hpp"

namespace hodge::tools::bench {

struct NamedMatrix {
  std::string name;
  std::function<std::unique_ptr<HostMatrix>()> make;
  bool constant_null_space = false;
};

// n x n (x n) cells.
NamedMatrix poisson_2d(int n, Coefficients coefficients = Coefficients::constant,
                       bool neumann = false);
NamedMatrix poisson_3d(int n, Coefficients coefficients = Coefficients::constant,
                       bool neumann = false);
NamedMatrix anisotropic_2d(int n);  // 100 times stronger along x
NamedMatrix convection_3d(int n);   // cell Peclet number 2
NamedMatrix circuit(int nodes);

// The small real matrices of hodge, and *.mtx of --matrices (ConfigError for a folder without any);
// a file that cannot be read becomes a note.
std::vector<NamedMatrix> files(Report& report);

// Makes them one after the other; one that does not fit or cannot be read becomes a note.
void for_each_matrix(Report& report, const std::vector<NamedMatrix>& matrices,
                     const std::function<void(const NamedMatrix&, const HostMatrix&)>& action);

}  // namespace hodge::tools::bench
