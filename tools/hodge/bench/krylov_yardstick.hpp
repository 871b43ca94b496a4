// A yardstick: iterations of CuPy on the GPU, of SciPy on one core, on the Poisson matrix of a box
// (tools/bench_krylov.py).
#pragma once

#include <string>

#include "tools/hodge/bench/box_problem.hpp"

namespace hodge::tools::bench {

struct IterationCounts {
  int few, many;  // the time of an iteration is that of `many` less that of `few`
};

// "CuPy" beside the GPU, "SciPy, one core" beside the CPU.
std::string krylov_library(const std::string& device);

// Why it cannot be used; empty where it can.
std::string krylov_library_absence(const std::string& device);

// Seconds an iteration of cg or gmres(30) without preconditioner, 0 where it failed. `gpu`: the
// number of the device that CuPy takes.
double krylov_library_seconds(const std::string& device, int gpu, const std::string& method,
                              const Box& box, const IterationCounts& counts);

}  // namespace hodge::tools::bench
