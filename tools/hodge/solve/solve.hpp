// `hodge solve`: what it is asked for, the solver settings that it stands for, and the linear
// system on the host and on the device, which is solved once or by all solvers.
#pragma once

#include <functional>

#include "linalg/matrices/convert.hpp"
#include "linalg/processes/all_processes.hpp"
#include "linalg/solve/solve.hpp"
#include "sim/compare/measure.hpp"
#include "tools/hodge/matrix/matrix.hpp"
#include "tools/hodge/program/program.hpp"

namespace hodge::tools {

struct SolveArguments {
  std::filesystem::path matrix, right_side;  // an empty right side: A times a known vector
  std::filesystem::path start;               // empty: x = 0
  std::string device = "auto";
  std::string method, preconditioner;  // empty: chosen from the matrix
  linalg::SpmvChoice product;          // the kernel of y = A x
  linalg::OptionValues options;        // of the method and the preconditioner
  double tolerance = 1e-8, absolute_tolerance = 0;
  int max_iterations = 5000;
  std::string null_space = "none";
  bool compare = false, overwrite = false;
  std::filesystem::path output, history, csv;  // files to write; empty: none

  bool constant_null_space() const { return null_space == "constant"; }
  std::vector<std::filesystem::path> inputs() const;
};

// "--coarsest-cells"
std::string option_flag(std::string name);

// Errors: ConfigError for a setting that does not belong to the method or preconditioner, a value
// out of range, or options that exclude each other.
void check(const SolveArguments& arguments);

// What is taken where the user names none, and why.
struct Choice {
  std::string name, reason;
};
// cg for a symmetric matrix with a positive diagonal, bicgstab where the diagonal is complete, else
// gmres.
Choice chosen_method(const MatrixFacts& facts);
// The diagonal where it is complete; none for a direct method.
Choice chosen_preconditioner(const std::string& method, const MatrixFacts& facts);

// With the method and the preconditioner named in the arguments, else with the chosen ones.
linalg::SolverSettings solver_settings(const SolveArguments& arguments, const MatrixFacts& facts);

// "ssor_sai, form factored, order 2, omega 1.2": the name and the settings that matter to it.
std::string settings_text(const linalg::PreconditionerSettings& preconditioner);
// "gmres, restart 30"
std::string method_text(const linalg::SolverSettings& settings);

// The linear system, on the host.
struct System {
  MatrixFile file;
  MatrixFacts facts;
  std::vector<double> b;
  std::string b_text;            // where b comes from
  std::vector<double> solution;  // of a system that was made up; empty where b was read
  std::vector<double> start;     // empty: zeros

  const HostMatrix& matrix() const { return *file.matrix; }
};

// Without a file b = A 1; where the rows of A sum to zero (constants are in its null space) b = A v
// with random v of mean zero, so that the system is consistent and x is not trivial.
// Errors: ConfigError for a matrix that is not square, a b or a start of another length.
System read_system(const SolveArguments& arguments);

// Solves once, prints the report, writes x and the history. Returns the exit code 0, or throws
// NumericalError with the reason.
int solve_once(const SolveArguments& arguments, const System& system);

// The same by all processes (linalg/processes/all_processes.hpp): process 0 reads the files, each
// process solves its rows. Collective. Errors: ConfigError for what runs in one process only.
int solve_in_processes(const SolveArguments& arguments);

// Before any work: outputs that cannot be written, or that are inputs, are refused.
void check_outputs(const SolveArguments& arguments);

// Solves with every applicable pair of method and preconditioner and prints a table, fastest first.
// Throws NumericalError where none of them has converged.
int compare_solvers(const SolveArguments& arguments, const System& system);

inline constexpr const char* singular_by_constants =
    "the rows of A sum to zero, so A is singular: try --null-space constant";

inline void print_line(const char* name, const std::string& text) {
  say("{:<15} {}\n", name, text);
}

// The system in the memory of a space.
template <class Space>
struct DeviceSystem {
  std::unique_ptr<linalg::CsrMatrix<Space, double>> a;
  linalg::Vector<Space> b, start;
  linalg::SolveOptions options;

  // The own rows of a process.
  DeviceSystem(const SolveArguments& arguments,
               std::unique_ptr<linalg::CsrMatrix<Space, double>> own_a, linalg::Vector<Space> own_b,
               linalg::Vector<Space> own_start)
      : a(std::move(own_a)), b(std::move(own_b)), start(std::move(own_start)) {
    set_options(arguments);
  }
  DeviceSystem(const SolveArguments& arguments, const System& system)
      : a(linalg::copy_to<Space, double>(system.matrix())),
        b(std::span<const double>(system.b)),
        start(system.facts.rows) {
    if (system.start.empty())
      start.fill(0.0);
    else
      start.upload(system.start);
    set_options(arguments);
  }

  void print(const SolveArguments& arguments, const System& system) const {
    const MatrixFacts& facts = system.facts;
    print_line("matrix",
               fmt::format("{}: {} x {}, {} non-zeros, {}, kernel {}", arguments.matrix.string(),
                           facts.rows, facts.cols, facts.nonzeros,
                           facts.symmetric() ? "symmetric" : "not symmetric", a->kernel()));
    print_line("right side", system.b_text);
    if (!arguments.start.empty()) print_line("start", arguments.start.string());
    if (arguments.constant_null_space()) print_line("null space", "constants, projected out");
    print_line("device", fmt::format("{}: {}", Space::name, Space::device_name()));
    const int processes = linalg::all_processes().size();
    if (processes > 1) print_line("processes", std::to_string(processes));
  }

 private:
  void set_options(const SolveArguments& arguments) {
    a->use(arguments.product);
    if (arguments.constant_null_space()) options.null_space = linalg::NullSpace::constant;
  }
};

// Solves, prints the report, and writes in process 0 what is to be written. whole(x) is the whole
// solution in process 0.
template <class Space>
using WholeVector = std::function<std::vector<double>(const linalg::Vector<Space>&)>;
template <class Space>
int solve_and_report(const SolveArguments& arguments, const System& system,
                     const DeviceSystem<Space>& device, const WholeVector<Space>& whole);

// Errors: MemoryError where the solver does not fit beside A and b.
template <class Space>
void check_memory(const linalg::SolverSettings& settings, const System& system) {
  const linalg::SystemSize size{static_cast<std::size_t>(system.facts.rows),
                                static_cast<std::size_t>(system.facts.nonzeros), sizeof(double)};
  sim::check_memory<Space>(settings, size);
}

}  // namespace hodge::tools
