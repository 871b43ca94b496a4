#include "tools/hodge/bench/cusparse.hpp"

#if HODGE_HAS_CUDA && __has_include(<cusparse.h>)
#include <cusparse.h>

#include "linalg/base/errors.hpp"
#include "linalg/cuda/runtime.hpp"
#include "linalg/cuda/shared_library.hpp"

namespace hodge::tools::bench {
namespace {

using linalg::Cuda;

// The functions of the library that is found while the program runs.
struct CusparseLibrary {
  linalg::cuda::SharedLibrary file{{"libcusparse.so." + std::to_string(CUSPARSE_VER_MAJOR)}};
#define HODGE_SYMBOL(name) decltype(&::name) name = file.symbol<decltype(::name)>(#name)
  HODGE_SYMBOL(cusparseCreate);
  HODGE_SYMBOL(cusparseDestroy);
  HODGE_SYMBOL(cusparseSetStream);
  HODGE_SYMBOL(cusparseCreateCsr);
  HODGE_SYMBOL(cusparseDestroySpMat);
  HODGE_SYMBOL(cusparseCreateDnVec);
  HODGE_SYMBOL(cusparseDestroyDnVec);
  HODGE_SYMBOL(cusparseSpMV_bufferSize);
  HODGE_SYMBOL(cusparseSpMV);
#undef HODGE_SYMBOL

  bool usable() const {
    return cusparseCreate != nullptr && cusparseSpMV != nullptr;
  }
};

const CusparseLibrary& cusparse_library() {
  static const CusparseLibrary the_library;
  return the_library;
}

void check(cusparseStatus_t status, const char* what) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  throw DeviceError(std::string("cuSPARSE: ") + what + " failed, status " +
                    std::to_string(static_cast<int>(status)));
}

}  // namespace

std::string cusparse_absence() {
  if (Cuda::device_count() == 0) return "there is no usable GPU";
  return cusparse_library().usable()
             ? ""
             : "libcusparse.so." + std::to_string(CUSPARSE_VER_MAJOR) + " cannot be opened";
}

struct CusparseProduct::State {
  cusparseHandle_t handle = nullptr;
  cusparseSpMatDescr_t matrix = nullptr;
  cusparseDnVecDescr_t x = nullptr, y = nullptr;
  linalg::Buffer<char, Cuda> work;
  const double one = 1, zero = 0;

  ~State() {
    if (x != nullptr) cusparse_library().cusparseDestroyDnVec(x);
    if (y != nullptr) cusparse_library().cusparseDestroyDnVec(y);
    if (matrix != nullptr) cusparse_library().cusparseDestroySpMat(matrix);
    if (handle != nullptr) cusparse_library().cusparseDestroy(handle);
  }
};

CusparseProduct::CusparseProduct(const linalg::CsrMatrix<Cuda, double>& a)
    : state_(std::make_unique<State>()) {
  const linalg::CsrView<double> view = a.view();
  State& s = *state_;
  check(cusparse_library().cusparseCreate(&s.handle), "its start");
  check(cusparse_library().cusparseSetStream(s.handle, linalg::cuda::stream()),
        "setting the stream");
  check(cusparse_library().cusparseCreateCsr(
            &s.matrix, view.rows, view.cols, view.nonzeros, const_cast<int*>(view.row_offsets),
            const_cast<int*>(view.columns), const_cast<double*>(view.values), CUSPARSE_INDEX_32I,
            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F),
        "taking the matrix");
}

CusparseProduct::~CusparseProduct() = default;

void CusparseProduct::multiply(const linalg::Vector<Cuda>& x, linalg::Vector<Cuda>& y) {
  State& s = *state_;
  const auto operation = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const auto algorithm = CUSPARSE_SPMV_ALG_DEFAULT;
  if (s.x == nullptr) {
    std::size_t bytes = 0;
    check(cusparse_library().cusparseCreateDnVec(&s.x, x.size(), const_cast<double*>(x.data()),
                                                 CUDA_R_64F),
          "taking x");
    check(cusparse_library().cusparseCreateDnVec(&s.y, y.size(), y.data(), CUDA_R_64F), "taking y");
    check(cusparse_library().cusparseSpMV_bufferSize(s.handle, operation, &s.one, s.matrix, s.x,
                                                     &s.zero, s.y, CUDA_R_64F, algorithm, &bytes),
          "asking for memory");
    s.work = linalg::Buffer<char, Cuda>(bytes + 1);
  }
  check(cusparse_library().cusparseSpMV(s.handle, operation, &s.one, s.matrix, s.x, &s.zero, s.y,
                                        CUDA_R_64F, algorithm, s.work.data()),
        "a product");
}

}  // namespace hodge::tools::bench

#else
namespace hodge::tools::bench {

#if HODGE_HAS_CUDA
std::string cusparse_absence() {
  return "its header was missing when hodge was built";
}
struct CusparseProduct::State {};
CusparseProduct::CusparseProduct(const linalg::CsrMatrix<linalg::Cuda, double>&) {}
CusparseProduct::~CusparseProduct() = default;
void CusparseProduct::multiply(const linalg::Vector<linalg::Cuda>&, linalg::Vector<linalg::Cuda>&) {
}
#else
std::string cusparse_absence() {
  return "hodge is built without CUDA";
}
#endif

}  // namespace hodge::tools::bench
#endif
