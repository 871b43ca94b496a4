#include "linalg/host/blas_check.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

#include "linalg/host/blas.hpp"

namespace hodge::linalg::host {

#if HODGE_HAS_BLAS
namespace {

std::string kernels_of() {
  return openblas_get_corename != nullptr ? openblas_get_corename() : "an unknown processor";
}

}  // namespace
#endif

std::string blas_name() {
#if HODGE_HAS_BLAS
  if (openblas_get_config != nullptr) {  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..."
    const std::string config = openblas_get_config();
    return config.substr(0, config.find(' ', config.find(' ') + 1)) + " for " + kernels_of();
  }
  return bli_thread_set_num_threads != nullptr ? "BLIS" : "BLAS";
#else
  return "";
#endif
}

const char* better_blas_kernels() {
#if HODGE_HAS_BLAS && defined(__x86_64__)
  if (kernels_of() != "Prescott") return nullptr;
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd");
  if (has_avx512) return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return nullptr;
}

bool blas_starts() {
#if HODGE_HAS_BLAS
  const pid_t child = ::fork();
  if (child < 0) return true;
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    const BlasCall call;
    // Large enough for the kernels of the processor: tiny products may have others.
    constexpr int n = 32;
    const std::vector<double> ones(n * n, 1.0);
    std::vector<double> product(n * n);
    const double one = 1, zero = 0;
    dgemm_("N", "N", &n, &n, &n, &one, ones.data(), &n, ones.data(), &n, &zero, product.data(), &n);
    ::_exit(product.back() == n ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
#else
  return true;
#endif
}

}  // namespace hodge::linalg::host
