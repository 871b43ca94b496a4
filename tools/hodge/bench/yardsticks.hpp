// What hodge is measured beside, where it is installed: libraries that are opened while the program
// runs, a file each, and Python's (tools/bench_yardsticks.py).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "linalg/matrices/csr.hpp"
#include "linalg/matrices/dense.hpp"
#include "sim/output/table.hpp"

namespace hodge::tools::bench {

// Why a library cannot be used; empty where it can. That of Python: "scipy" or "cupy".
std::string cusparse_absence();
std::string cusolver_absence();
std::string python_absence(const std::string& library);
// The file of LAPACK that was opened (OpenBLAS where it is installed); empty where there is none.
std::string lapack_library();

// Work of a library on arrays that stay where they are, queued where they are on a GPU; empty where
// the library is absent. Errors: DeviceError where it refuses.
using LibraryWork = std::function<void()>;

// A x = b by dense LU, both overwritten: dgesv of LAPACK; getrf and getrs of cuSOLVER.
LibraryWork library_solve(linalg::DenseMatrix<linalg::Host>& a, linalg::Vector<linalg::Host>& b);
// y = A x: nothing on the CPU; cuSPARSE (CSR, the default algorithm).
inline LibraryWork library_product(const linalg::CsrMatrix<linalg::Host>&,
                                   const linalg::Vector<linalg::Host>&,
                                   linalg::Vector<linalg::Host>&) {
  return {};
}
#if HODGE_HAS_CUDA
LibraryWork library_solve(linalg::DenseMatrix<linalg::Cuda>& a, linalg::Vector<linalg::Cuda>& b);
LibraryWork library_product(const linalg::CsrMatrix<linalg::Cuda>& a,
                            const linalg::Vector<linalg::Cuda>& x, linalg::Vector<linalg::Cuda>& y);
#endif

// The JSON that the script prints with these arguments, on one core; empty where it failed.
sim::Json python_yardstick(const std::string& library, const std::vector<std::string>& arguments);

}  // namespace hodge::tools::bench
