#include "tools/hodge/program/environment.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include "linalg/base/own_program.hpp"
#include "linalg/host/blas_check.hpp"
#include "sim/base/text.hpp"
#include "tools/hodge/program/before_libraries.hpp"
#include "tools/hodge/program/limits.hpp"
#include "tools/hodge/program/program.hpp"

namespace hodge::tools {
namespace {

constexpr char threads[] = "OMP_NUM_THREADS=";

// Where this process may run, before OpenMP binds it to a core. A bit for each core.
std::array<unsigned long, 128> cores;
long bytes_of_cores = 0;  // 0: unknown
int argument_count = 0;

[[HODGE_BEFORE_SANITIZERS]] bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

// Whole numbers > 0 between commas. A sign + before them is taken by GNU OpenMP, and ends the
// process in that of LLVM.
[[HODGE_BEFORE_SANITIZERS]] bool is_list_of_counts(const char* text) {
  for (;;) {
    while (is_blank(*text)) ++text;
    bool is_positive = false;
    const char* const first = text;
    for (; *text >= '0' && *text <= '9'; ++text) is_positive = is_positive || *text != '0';
    constexpr std::ptrdiff_t most_digits = 9;
    if (!is_positive || text - first > most_digits) return false;
    while (is_blank(*text)) ++text;
    if (*text == '\0') return true;
    if (*text++ != ',') return false;
  }
}

[[HODGE_BEFORE_SANITIZERS]] void refuse(const char* value) {
  char shown[41];
  std::size_t length = 0;
  for (; length + 1 < sizeof shown && value[length] != '\0'; ++length)
    shown[length] = value[length] < ' ' || value[length] > '~' ? '?' : value[length];
  shown[length] = '\0';
  print("OMP_NUM_THREADS is '");
  print(shown);
  print("', expected a whole number > 0, such as 4\n");
  end_as_wrong_input();
}

[[HODGE_BEFORE_SANITIZERS]] int count_of_cores() {
  int count = 0;
  for (std::size_t i = 0; i < 8 * sizeof cores && static_cast<long>(i) < 8 * bytes_of_cores; ++i)
    count += static_cast<int>(cores[i / 64] >> (i % 64) & 1UL);
  return count;
}

bool set_spin_count() {
  for (const char* choice :
       {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"})
    if (std::getenv(choice) != nullptr) return false;
  return setenv("GOMP_SPINCOUNT", "1000", 1) == 0;
}

bool set_blas_kernels() {
  const char* const name = "OPENBLAS_CORETYPE";
  if (std::getenv(name) != nullptr) return false;
  const char* const kernels = linalg::host::better_blas_kernels();
  return kernels != nullptr && setenv(name, kernels, 1) == 0;
}

}  // namespace

[[HODGE_BEFORE_SANITIZERS]] void check_before_libraries(int count, char**, char** environment) {
  argument_count = count;
  bytes_of_cores = syscall(SYS_sched_getaffinity, 0, sizeof cores, &cores);
  for (char** entry = environment; *entry != nullptr; ++entry) {
    std::size_t same = 0;
    while (threads[same] != '\0' && (*entry)[same] == threads[same]) ++same;
    if (threads[same] == '\0' && !is_list_of_counts(*entry + same)) refuse(*entry + same);
  }
  check_limits(environment, count_of_cores());
}

void restart_with_better_variables(char** argv) {
  const bool spins = set_spin_count(), has_kernels = set_blas_kernels();
  if ((!spins && !has_kernels) || argv[0] == nullptr) return;
  if (bytes_of_cores > 0)
    (void)syscall(SYS_sched_setaffinity, 0, static_cast<std::size_t>(bytes_of_cores), &cores);
  std::vector<std::string> words = words_to_start_again(argv[0]);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  for (char** argument = argv + 1; *argument != nullptr; ++argument) arguments.push_back(*argument);
  arguments.push_back(nullptr);
  execv("/proc/self/exe", arguments.data());
}

std::vector<std::string> words_to_start_again(const std::string& name) {
  return hodge::words_to_start_again(name, argument_count);
}

void check_blas_environment() {
  const bool is_blis = linalg::host::blas_name() == "BLIS";
  const char* const name = is_blis ? "BLIS_ARCH_TYPE" : "OPENBLAS_CORETYPE";
  const char* const type = std::getenv(name);
  if (type != nullptr && !linalg::host::blas_starts())
    throw wrong_input(
        "{} is {}, with which the BLAS does not work here: expected a processor that has no more "
        "instructions than this one, or no such variable",
        name, sim::quote(type));
}

}  // namespace hodge::tools
