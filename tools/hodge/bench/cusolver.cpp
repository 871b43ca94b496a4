#include "tools/hodge/bench/yardsticks.hpp"

#ifndef HODGE_HAS_CUSOLVER
std::string hodge::tools::bench::cusolver_absence() {
  return no_toolkit_header;
}
#else
#include <cusolverDn.h>

#include <memory>

#include "linalg/cuda/library_stream.hpp"
#include "tools/hodge/bench/toolkit_library.hpp"

namespace hodge::tools::bench {
namespace {

using linalg::Cuda;

const ToolkitLibrary& cusolver() {
  static const ToolkitLibrary library("libcusolver", CUSOLVER_VER_MAJOR);
  return library;
}

#define HODGE_CUSOLVER(name, ...) cusolver().call<decltype(name)>(#name, __VA_ARGS__)

struct CusolverLu {
  cusolverDnHandle_t handle = nullptr;
  linalg::Buffer<double, Cuda> work;
  linalg::Buffer<int, Cuda> pivots, info{1};

  explicit CusolverLu(linalg::DenseMatrix<Cuda>& a) : pivots(static_cast<std::size_t>(a.rows())) {
    HODGE_CUSOLVER(cusolverDnCreate, &handle);
    HODGE_CUSOLVER(cusolverDnSetStream, handle, linalg::cuda::library_stream());
    int size = 0;
    HODGE_CUSOLVER(cusolverDnDgetrf_bufferSize, handle, a.rows(), a.rows(), a.data(), a.rows(),
                   &size);
    work = linalg::Buffer<double, Cuda>(static_cast<std::size_t>(size));
  }
  ~CusolverLu() { cusolver().release<decltype(cusolverDnDestroy)>("cusolverDnDestroy", handle); }
  CusolverLu(const CusolverLu&) = delete;
  CusolverLu& operator=(const CusolverLu&) = delete;
};

}  // namespace

std::string cusolver_absence() {
  return cusolver().absence();
}

LibraryWork library_solve(linalg::DenseMatrix<Cuda>& a, linalg::Vector<Cuda>& b) {
  if (!cusolver_absence().empty()) return {};
  const auto lu = std::make_shared<CusolverLu>(a);
  return [&a, &b, lu] {
    const int n = a.rows();
    HODGE_CUSOLVER(cusolverDnDgetrf, lu->handle, n, n, a.data(), n, lu->work.data(),
                   lu->pivots.data(), lu->info.data());
    HODGE_CUSOLVER(cusolverDnDgetrs, lu->handle, CUBLAS_OP_N, n, 1, a.data(), n, lu->pivots.data(),
                   b.data(), n, lu->info.data());
  };
}

#undef HODGE_CUSOLVER

}  // namespace hodge::tools::bench
#endif
