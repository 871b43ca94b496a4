#include "tools/hodge/bench/yardsticks.hpp"

#ifndef HODGE_HAS_CUSPARSE
std::string hodge::tools::bench::cusparse_absence() {
  return no_toolkit_header;
}
#else
#include <cusparse.h>

#include <memory>

#include "linalg/cuda/library_stream.hpp"
#include "tools/hodge/bench/toolkit_library.hpp"

namespace hodge::tools::bench {
namespace {

using linalg::Cuda;

const ToolkitLibrary& cusparse() {
  static const ToolkitLibrary library("libcusparse", CUSPARSE_VER_MAJOR);
  return library;
}

#define HODGE_CUSPARSE(name, ...) cusparse().call<decltype(name)>(#name, __VA_ARGS__)

struct CusparseProduct {
  cusparseHandle_t handle = nullptr;
  cusparseSpMatDescr_t a = nullptr;
  cusparseDnVecDescr_t x = nullptr, y = nullptr;
  linalg::Buffer<char, Cuda> work;
  const double one = 1, zero = 0;

  CusparseProduct(const linalg::CsrView<double>& matrix, const linalg::Vector<Cuda>& from,
                  linalg::Vector<Cuda>& to) {
    HODGE_CUSPARSE(cusparseCreate, &handle);
    HODGE_CUSPARSE(cusparseSetStream, handle, linalg::cuda::library_stream());
    HODGE_CUSPARSE(cusparseCreateCsr, &a, matrix.rows, matrix.cols, matrix.nonzeros,
                   const_cast<int*>(matrix.row_offsets), const_cast<int*>(matrix.columns),
                   const_cast<double*>(matrix.values), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                   CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
    HODGE_CUSPARSE(cusparseCreateDnVec, &x, from.size(), const_cast<double*>(from.data()),
                   CUDA_R_64F);
    HODGE_CUSPARSE(cusparseCreateDnVec, &y, to.size(), to.data(), CUDA_R_64F);
    std::size_t bytes = 0;
    HODGE_CUSPARSE(cusparseSpMV_bufferSize, handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, x,
                   &zero, y, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
    work = linalg::Buffer<char, Cuda>(bytes + 1);
  }
  ~CusparseProduct() {
    cusparse().release<decltype(cusparseDestroyDnVec)>("cusparseDestroyDnVec", x);
    cusparse().release<decltype(cusparseDestroyDnVec)>("cusparseDestroyDnVec", y);
    cusparse().release<decltype(cusparseDestroySpMat)>("cusparseDestroySpMat", a);
    cusparse().release<decltype(cusparseDestroy)>("cusparseDestroy", handle);
  }
  CusparseProduct(const CusparseProduct&) = delete;
  CusparseProduct& operator=(const CusparseProduct&) = delete;
};

}  // namespace

std::string cusparse_absence() {
  return cusparse().absence();
}

LibraryWork library_product(const linalg::CsrMatrix<Cuda>& a, const linalg::Vector<Cuda>& x,
                            linalg::Vector<Cuda>& y) {
  if (!cusparse_absence().empty()) return {};
  const auto p = std::make_shared<CusparseProduct>(a.view(), x, y);
  return [p] {
    HODGE_CUSPARSE(cusparseSpMV, p->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &p->one, p->a, p->x,
                   &p->zero, p->y, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, p->work.data());
  };
}

#undef HODGE_CUSPARSE

}  // namespace hodge::tools::bench
#endif
