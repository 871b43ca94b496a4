#include "tools/hodge/program/limits.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

#include "tools/hodge/program/before_libraries.hpp"

// Of OpenBLAS; null where the program is built with another BLAS or without.
extern "C" __attribute__((weak)) char* openblas_get_config();

namespace hodge::tools {
namespace {

constexpr unsigned long least_stack = 1UL << 20;
constexpr unsigned long blas_buffer = 128UL << 20;  // of a thread; OpenBLAS on x86, elsewhere less
constexpr unsigned long beside_blas = 32UL << 20;   // the program with its smallest problems
constexpr long most_blas_threads = 128;

[[HODGE_BEFORE_SANITIZERS]] bool get_limit(int resource, rlimit& limit) {
  return syscall(SYS_prlimit64, 0, resource, nullptr, &limit) == 0;
}

[[HODGE_BEFORE_SANITIZERS]] void check_stack() {
  rlimit limit{};
  if (!get_limit(RLIMIT_STACK, limit) || limit.rlim_cur >= least_stack) return;
  limit.rlim_cur = least_stack;
  const bool is_allowed = limit.rlim_max >= least_stack;
  if (is_allowed && syscall(SYS_prlimit64, 0, RLIMIT_STACK, &limit, nullptr) == 0) return;
  print("the stack is limited to less than 1024 kB, expected 1024 kB or more (ulimit -s)\n");
  end_as_wrong_input();
}

// The whole number that an entry NAME=NUMBER of the environment begins with; 0 for others.
[[HODGE_BEFORE_SANITIZERS]] long number_in(const char* entry, const char* name) {
  while (*name != '\0')
    if (*entry++ != *name++) return 0;
  if (*entry++ != '=') return 0;
  while (*entry == ' ') ++entry;
  long number = 0;
  for (; *entry >= '0' && *entry <= '9' && number < most_blas_threads; ++entry)
    number = 10 * number + (*entry - '0');
  return number;
}

// As OpenBLAS counts them when it is loaded.
[[HODGE_BEFORE_SANITIZERS]] long blas_threads(char** environment, int cores) {
  long of_openmp = 0, of_blas = 0;
  for (char** entry = environment; *entry != nullptr; ++entry) {
    if (of_openmp == 0) of_openmp = number_in(*entry, "OMP_NUM_THREADS");
    if (of_blas == 0) of_blas = number_in(*entry, "OPENBLAS_NUM_THREADS");
  }
  long threads = of_blas > 0 ? of_blas : of_openmp > 0 ? of_openmp : most_blas_threads;
  if (cores > 0 && threads > cores) threads = cores;
  return threads < most_blas_threads ? threads : most_blas_threads;
}

[[HODGE_BEFORE_SANITIZERS]] bool is_there_room(unsigned long bytes) {
  const long begin = syscall(SYS_mmap, nullptr, bytes, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0L);
  constexpr long most_errors = 4096;
  if (begin < 0 && begin >= -most_errors) return false;
  (void)syscall(SYS_munmap, begin, bytes);
  return true;
}

[[HODGE_BEFORE_SANITIZERS]] void check_address_space(char** environment, int cores) {
  rlimit limit{};
  if (openblas_get_config == nullptr) return;
  if (!get_limit(RLIMIT_AS, limit) || limit.rlim_cur == RLIM_INFINITY) return;
  const auto threads = static_cast<unsigned long>(blas_threads(environment, cores));
  if (is_there_room(threads * blas_buffer + beside_blas)) return;
  print(
      "the address space is limited (ulimit -v) to less than OpenBLAS takes, 128 MB for each "
      "thread: expected a higher limit, or a smaller OMP_NUM_THREADS\n");
  end_as_wrong_input();
}

}  // namespace

[[HODGE_BEFORE_SANITIZERS]] void check_limits(char** environment, int cores) {
  check_stack();
  check_address_space(environment, cores);
}

}  // namespace hodge::tools
