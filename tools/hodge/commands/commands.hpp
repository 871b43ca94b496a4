// The commands of the program, one file each. Each adds its options, and sets `action` where it is
// the chosen one.
#pragma once

#include <CLI/App.hpp>
#include <functional>

namespace hodge::tools {

void add_run_command(CLI::App& app, std::function<int()>& action);
void add_compare_command(CLI::App& app, std::function<int()>& action);
void add_study_command(CLI::App& app, std::function<int()>& action);
void add_stability_command(CLI::App& app, std::function<int()>& action);
void add_check_command(CLI::App& app, std::function<int()>& action);
void add_validate_command(CLI::App& app, std::function<int()>& action);
void add_solve_command(CLI::App& app, std::function<int()>& action);
void add_matrix_command(CLI::App& app, std::function<int()>& action);  // info, transpose, ...
void add_bench_command(CLI::App& app, std::function<int()>& action);
void add_gauss_command(CLI::App& app, std::function<int()>& action);
void add_init_command(CLI::App& app, std::function<int()>& action);
void add_schema_command(CLI::App& app, std::function<int()>& action);
void add_list_commands(CLI::App& app, std::function<int()>& action);  // cases, solvers, schemes

}  // namespace hodge::tools
