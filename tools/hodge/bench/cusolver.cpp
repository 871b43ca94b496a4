#include "tools/hodge/bench/cusolver.hpp"

#if HODGE_HAS_CUDA && __has_include(<cusolverDn.h>)
#include <cusolverDn.h>

#include "linalg/base/errors.hpp"
#include "linalg/cuda/runtime.hpp"
#include "linalg/cuda/shared_library.hpp"

namespace hodge::tools::bench {
namespace {

using linalg::Cuda;

struct CusolverLibrary {
  linalg::cuda::SharedLibrary file{{"libcusolver.so." + std::to_string(CUSOLVER_VER_MAJOR)}};
#define HODGE_SYMBOL(name) decltype(&::name) name = file.symbol<decltype(::name)>(#name)
  HODGE_SYMBOL(cusolverDnCreate);
  HODGE_SYMBOL(cusolverDnDestroy);
  HODGE_SYMBOL(cusolverDnSetStream);
  HODGE_SYMBOL(cusolverDnDgetrf_bufferSize);
  HODGE_SYMBOL(cusolverDnDgetrf);
  HODGE_SYMBOL(cusolverDnDgetrs);
#undef HODGE_SYMBOL

  bool usable() const {
    return cusolverDnCreate != nullptr && cusolverDnDgetrf != nullptr;
  }
};

const CusolverLibrary& cusolver_library() {
  static const CusolverLibrary the_library;
  return the_library;
}

void check(cusolverStatus_t status, const char* what) {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  throw DeviceError(std::string("cuSOLVER: ") + what + " failed, status " +
                    std::to_string(static_cast<int>(status)));
}

}  // namespace

std::string cusolver_absence() {
  if (Cuda::device_count() == 0) return "there is no usable GPU";
  return cusolver_library().usable()
             ? ""
             : "libcusolver.so." + std::to_string(CUSOLVER_VER_MAJOR) + " cannot be opened";
}

struct CusolverLu::State {
  cusolverDnHandle_t handle = nullptr;
  linalg::Buffer<double, Cuda> work;
  linalg::Buffer<int, Cuda> pivots, info{1};

  ~State() {
    if (handle != nullptr) cusolver_library().cusolverDnDestroy(handle);
  }
};

CusolverLu::CusolverLu(int n) : state_(std::make_unique<State>()) {
  State& s = *state_;
  check(cusolver_library().cusolverDnCreate(&s.handle), "its start");
  check(cusolver_library().cusolverDnSetStream(s.handle, linalg::cuda::stream()),
        "setting the stream");
  linalg::Buffer<double, Cuda> nothing(1);
  int size = 0;
  check(cusolver_library().cusolverDnDgetrf_bufferSize(s.handle, n, n, nothing.data(), n, &size),
        "asking for memory");
  s.work = linalg::Buffer<double, Cuda>(static_cast<std::size_t>(size));
  s.pivots = linalg::Buffer<int, Cuda>(static_cast<std::size_t>(n));
}

CusolverLu::~CusolverLu() = default;

void CusolverLu::solve(linalg::DenseMatrix<Cuda>& a, linalg::Vector<Cuda>& b) {
  State& s = *state_;
  const int n = a.rows();
  check(cusolver_library().cusolverDnDgetrf(s.handle, n, n, a.data(), n, s.work.data(),
                                            s.pivots.data(), s.info.data()),
        "getrf");
  check(cusolver_library().cusolverDnDgetrs(s.handle, CUBLAS_OP_N, n, 1, a.data(), n,
                                            s.pivots.data(), b.data(), n, s.info.data()),
        "getrs");
}

}  // namespace hodge::tools::bench

#else
namespace hodge::tools::bench {

#if HODGE_HAS_CUDA
std::string cusolver_absence() {
  return "its header was missing when hodge was built";
}
struct CusolverLu::State {};
CusolverLu::CusolverLu(int) {}
CusolverLu::~CusolverLu() = default;
void CusolverLu::solve(linalg::DenseMatrix<linalg::Cuda>&, linalg::Vector<linalg::Cuda>&) {}
#else
std::string cusolver_absence() {
  return "hodge is built without CUDA";
}
#endif

}  // namespace hodge::tools::bench
#endif
