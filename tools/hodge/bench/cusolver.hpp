// A yardstick: dense LU by cuSOLVER (getrf and getrs), where the toolkit is installed.
#pragma once

#include <memory>
#include <string>

#include "linalg/dense/dense.hpp"
#include "linalg/vectors/vector.hpp"

namespace hodge::tools::bench {

// Why cuSOLVER cannot be used; empty where it can.
std::string cusolver_absence();

#if HODGE_HAS_CUDA
class CusolverLu {
 public:
  // Takes the memory that systems of n unknowns need. Errors: DeviceError where cuSOLVER refuses.
  explicit CusolverLu(int n);
  ~CusolverLu();
  // Queues the solution of A x = b, both overwritten.
  void solve(linalg::DenseMatrix<linalg::Cuda>& a, linalg::Vector<linalg::Cuda>& b);

 private:
  struct State;
  std::unique_ptr<State> state_;
};
#endif

}  // namespace hodge::tools::bench
