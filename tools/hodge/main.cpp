#include "tools/hodge/commands/run_program.hpp"
#include "tools/hodge/program/thread_waiting.hpp"

int main(int argc, char** argv) {
  hodge::tools::spin_briefly(argv);
  return hodge::tools::run_program(argc, argv);
}
