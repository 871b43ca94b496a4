// For functions that run before any library is initialised: nothing of libc, no sanitizer.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

// A sanitizer is not ready before the libraries are.
#if defined(__clang__)
#define HODGE_BEFORE_SANITIZERS clang::no_sanitize("address", "undefined", "thread")
#else
#define HODGE_BEFORE_SANITIZERS gnu::no_sanitize("address", "undefined", "thread")
#endif

namespace hodge::tools {

[[HODGE_BEFORE_SANITIZERS]] inline void print(const char* text) {
  std::size_t length = 0;
  while (text[length] != '\0') ++length;
  (void)syscall(SYS_write, STDERR_FILENO, text, length);
}

[[HODGE_BEFORE_SANITIZERS]] inline void end_as_wrong_input() {
  (void)syscall(SYS_exit_group, 2);
}

}  // namespace hodge::tools
