#include "tools/hodge/program/environment.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>

#include "linalg/host/blas_check.hpp"
#include "sim/base/text.hpp"
#include "tools/hodge/program/program.hpp"

// A sanitizer is not ready before the libraries are.
#if defined(__clang__)
#define HODGE_BEFORE_SANITIZERS clang::no_sanitize("address", "undefined", "thread")
#else
#define HODGE_BEFORE_SANITIZERS gnu::no_sanitize("address", "undefined", "thread")
#endif

namespace hodge::tools {
namespace {

constexpr char threads[] = "OMP_NUM_THREADS=";

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

[[HODGE_BEFORE_SANITIZERS]] void print(const char* text) {
  std::size_t length = 0;
  while (text[length] != '\0') ++length;
  (void)syscall(SYS_write, STDERR_FILENO, text, length);
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
  (void)syscall(SYS_exit_group, 2);
}

}  // namespace

[[HODGE_BEFORE_SANITIZERS]] void check_before_libraries(int, char**, char** environment) {
  for (char** entry = environment; *entry != nullptr; ++entry) {
    std::size_t same = 0;
    while (threads[same] != '\0' && (*entry)[same] == threads[same]) ++same;
    if (threads[same] == '\0' && !is_list_of_counts(*entry + same)) refuse(*entry + same);
  }
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
