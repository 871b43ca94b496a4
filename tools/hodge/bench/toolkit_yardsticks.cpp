// cuSPARSE and cuSOLVER, libraries of the CUDA toolkit that are opened while the program runs. Each
// is absent where its header was missing when hodge was built.
#include "tools/hodge/bench/yardsticks.hpp"

#ifdef HODGE_HAS_CUSPARSE
#include <cusparse.h>
#endif
#ifdef HODGE_HAS_CUSOLVER
#include <cusolverDn.h>
#endif

#include <memory>
#include <type_traits>

#include "linalg/base/errors.hpp"
#include "linalg/base/shared_library.hpp"
#if HODGE_HAS_CUDA
#include "linalg/cuda/device/library_stream.hpp"
#endif

namespace hodge::tools::bench {
#if HODGE_HAS_CUDA
namespace {

using linalg::Buffer, linalg::Cuda, linalg::Vector;

// A library, and calls of its functions by name.
class ToolkitLibrary {
 public:
  ToolkitLibrary(const std::string& name, int version)
      : file_name_(name + ".so." + std::to_string(version)), file_({file_name_}) {}

  // Why it cannot be used; empty where it can.
  std::string absence() const {
    if (Cuda::device_count() == 0) return "there is no usable GPU";
    return file_.usable() ? "" : file_name_ + " cannot be opened";
  }

  // Errors: DeviceError where the library has no such function, or it returns a status but 0.
  template <class Function, class... Arguments>
  void call(const char* name, Arguments... arguments) const {
    Function* const function = file_.symbol<Function>(name);
    if (function == nullptr) throw DeviceError(file_name_ + " has no " + name);
    const auto status = static_cast<int>(function(arguments...));
    if (status == 0) return;
    throw DeviceError(std::string(name) + " failed, status " + std::to_string(status));
  }

  // The handle that `create` makes of the arguments, with `destroy` at its end, whose status is
  // ignored.
  template <class Handle, class Create, class Destroy, class... Arguments>
  auto made(const char* create, const char* destroy, Arguments... arguments) const {
    Handle made = nullptr;
    call<Create>(create, &made, arguments...);
    return std::shared_ptr<std::remove_pointer_t<Handle>>(
        made, [this, destroy](Handle handle) { (void)file_.symbol<Destroy>(destroy)(handle); });
  }

 private:
  std::string file_name_;
  linalg::SharedLibrary file_;
};

#define HODGE_CALL(library, name, ...) library().call<decltype(name)>(#name, __VA_ARGS__)
#define HODGE_MADE(library, Handle, create, destroy, ...)              \
  library().made<Handle, decltype(create), decltype(destroy)>(#create, \
                                                              #destroy __VA_OPT__(, ) __VA_ARGS__)

}  // namespace
#endif

#ifdef HODGE_HAS_CUSPARSE
static const ToolkitLibrary& cusparse() {
  static const ToolkitLibrary library("libcusparse", CUSPARSE_VER_MAJOR);
  return library;
}

static auto made_vector(int size, const double* values) {
  return HODGE_MADE(cusparse, cusparseDnVecDescr_t, cusparseCreateDnVec, cusparseDestroyDnVec, size,
                    const_cast<double*>(values), CUDA_R_64F);
}

std::string cusparse_absence() {
  return cusparse().absence();
}

LibraryWork library_product(const linalg::CsrMatrix<Cuda>& a, const Vector<Cuda>& x,
                            Vector<Cuda>& y) {
  if (!cusparse_absence().empty()) return {};
  static const double one = 1, zero = 0;
  const auto handle = HODGE_MADE(cusparse, cusparseHandle_t, cusparseCreate, cusparseDestroy);
  HODGE_CALL(cusparse, cusparseSetStream, handle.get(), linalg::cuda::library_stream());
  const linalg::CsrView<double> view = a.view();
  const auto matrix =
      HODGE_MADE(cusparse, cusparseSpMatDescr_t, cusparseCreateCsr, cusparseDestroySpMat, view.rows,
                 view.cols, view.nonzeros, const_cast<int*>(view.row_offsets),
                 const_cast<int*>(view.columns), const_cast<double*>(view.values),
                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
  const auto from = made_vector(x.size(), x.data()), to = made_vector(y.size(), y.data());
  std::size_t bytes = 0;
  HODGE_CALL(cusparse, cusparseSpMV_bufferSize, handle.get(), CUSPARSE_OPERATION_NON_TRANSPOSE,
             &one, matrix.get(), from.get(), &zero, to.get(), CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT,
             &bytes);
  const auto work = std::make_shared<Buffer<char, Cuda>>(bytes + 1);
  return [=] {
    HODGE_CALL(cusparse, cusparseSpMV, handle.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
               matrix.get(), from.get(), &zero, to.get(), CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT,
               work->data());
  };
}

#else
std::string cusparse_absence() {
  return no_toolkit_header;
}
#endif

#ifdef HODGE_HAS_CUSOLVER
static const ToolkitLibrary& cusolver() {
  static const ToolkitLibrary library("libcusolver", CUSOLVER_VER_MAJOR);
  return library;
}

std::string cusolver_absence() {
  return cusolver().absence();
}

LibraryWork library_solve(linalg::DenseMatrix<Cuda>& a, Vector<Cuda>& b) {
  if (!cusolver_absence().empty()) return {};
  const int n = a.rows();
  const auto handle = HODGE_MADE(cusolver, cusolverDnHandle_t, cusolverDnCreate, cusolverDnDestroy);
  HODGE_CALL(cusolver, cusolverDnSetStream, handle.get(), linalg::cuda::library_stream());
  int size = 0;
  HODGE_CALL(cusolver, cusolverDnDgetrf_bufferSize, handle.get(), n, n, a.data(), n, &size);
  const auto work = std::make_shared<Buffer<double, Cuda>>(static_cast<std::size_t>(size));
  const auto pivots =  // and the status at the end
      std::make_shared<Buffer<int, Cuda>>(static_cast<std::size_t>(n) + 1);
  return [&a, &b, n, handle, work, pivots] {
    int* const info = pivots->data() + n;
    HODGE_CALL(cusolver, cusolverDnDgetrf, handle.get(), n, n, a.data(), n, work->data(),
               pivots->data(), info);
    HODGE_CALL(cusolver, cusolverDnDgetrs, handle.get(), CUBLAS_OP_N, n, 1, a.data(), n,
               pivots->data(), b.data(), n, info);
  };
}

#else
std::string cusolver_absence() {
  return no_toolkit_header;
}
#endif

}  // namespace hodge::tools::bench

#undef HODGE_CALL
#undef HODGE_MADE
