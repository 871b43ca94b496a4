// Launch shapes that benchmarks vary; everybody else leaves them alone.
#pragma once

namespace hodge::linalg::cuda {

struct LuTuning {
  int panel_threads = 512;  // rows a block of the panel kernel, a power of two >= 32
};

LuTuning& lu_tuning();

}  // namespace hodge::linalg::cuda
