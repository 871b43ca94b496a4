// A yardstick: y = A x by cuSPARSE (CSR, the default algorithm), where the toolkit is installed.
#pragma once

#include <memory>
#include <string>

#include "linalg/matrices/csr.hpp"

namespace hodge::tools::bench {

// Why cuSPARSE cannot be used; empty where it can.
std::string cusparse_absence();

#if HODGE_HAS_CUDA
class CusparseProduct {
 public:
  // Errors: DeviceError where cuSPARSE refuses.
  explicit CusparseProduct(const linalg::CsrMatrix<linalg::Cuda, double>& a);
  ~CusparseProduct();
  void multiply(const linalg::Vector<linalg::Cuda>& x, linalg::Vector<linalg::Cuda>& y);

 private:
  struct State;
  std::unique_ptr<State> state_;
};
#endif

}  // namespace hodge::tools::bench
