// The commands of the program, and the program, which finds the chosen one.
#pragma once

#include <CLI/App.hpp>

#include "tools/hodge/program/options.hpp"

namespace hodge::tools {

// Adds the options of a command, and sets `action` where it is the chosen one.
using AddCommand = void(CLI::App& app, Action& action);
AddCommand add_run_command, add_compare_command, add_study_command, add_check_command,
    add_init_command, add_schema_command, add_list_commands, add_validate_command,
    add_solve_command, add_matrix_command, add_bench_command, add_gauss_command,
    add_reproduce_command, add_verify_command, add_sweep_command, add_view_command,
    add_completion_commands;

// Runs the command line. Returns the exit code (program.hpp).
int run_program(int argc, char** argv);

}  // namespace hodge::tools
