#include <errno.h>
#include <sys/prctl.h>

#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/environment.hpp"

namespace {

// The libraries that the program is linked with read variables when they are loaded, before main():
// the functions of .preinit_array come before that.
[[gnu::section(".preinit_array"),
  gnu::used]] void (*const first)(int, char**, char**) = hodge::tools::check_before_libraries;

}  // namespace

int main(int argc, char** argv) {
  hodge::tools::restart_with_better_variables(argv);
  prctl(PR_SET_NAME, program_invocation_short_name);  // for ps and pkill: `exe` after the restart
  return hodge::tools::run_program(argc, argv);
}
