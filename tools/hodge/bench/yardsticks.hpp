// What hodge is measured beside, where it is installed: libraries that are opened while the program
// runs, and Python's (tools/bench_yardsticks.py).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "linalg/dense/dense.hpp"
#include "linalg/matrices/csr.hpp"
#include "sim/base/table.hpp"

#if HODGE_HAS_CUDA && __has_include(<cusparse.h>)
#define HODGE_HAS_CUSPARSE 1
#endif
#if HODGE_HAS_CUDA && __has_include(<cusolverDn.h>)
#define HODGE_HAS_CUSOLVER 1
#endif

namespace hodge::tools::bench {

// Why a library of the CUDA toolkit is absent where hodge was built without its header.
constexpr const char* no_toolkit_header =
    HODGE_HAS_CUDA ? "its header was missing when hodge was built" : "hodge is built without CUDA";

// Why a library cannot be used; empty where it can. Libraries of Python are "scipy" and "cupy".
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
#ifdef HODGE_HAS_CUSOLVER
LibraryWork library_solve(linalg::DenseMatrix<linalg::Cuda>& a, linalg::Vector<linalg::Cuda>& b);
#endif
// y = A x: cuSPARSE (CSR, the default algorithm).
#ifdef HODGE_HAS_CUSPARSE
LibraryWork library_product(const linalg::CsrMatrix<linalg::Cuda>& a,
                            const linalg::Vector<linalg::Cuda>& x, linalg::Vector<linalg::Cuda>& y);
#endif
// For every other space: there is no library.
template <class... Arrays>
LibraryWork library_solve(const Arrays&...) {
  return {};
}
template <class... Arrays>
LibraryWork library_product(const Arrays&...) {
  return {};
}

// The JSON that the script prints with these arguments, on one core; empty where it failed.
sim::Json python_yardstick(const std::string& library, const std::vector<std::string>& arguments);

}  // namespace hodge::tools::bench
