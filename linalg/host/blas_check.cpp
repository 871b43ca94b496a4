#include "linalg/host/blas_check.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linalg/host/blas.hpp"

namespace hodge::linalg::host {

bool blas_starts() {
#if HODGE_HAS_BLAS
  const pid_t child = ::fork();
  if (child < 0) return true;
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    keep_to_one_thread();
    const int n = 1;
    const double one = 1;
    double sum = 0;
    dgemm_("N", "N", &n, &n, &n, &one, &one, &n, &one, &n, &one, &sum, &n);
    ::_exit(sum == 1 ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
#else
  return true;
#endif
}

}  // namespace hodge::linalg::host
