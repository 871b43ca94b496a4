#include "tools/hodge/solve/solve.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "sim/base/text.hpp"
#include "tools/hodge/program/outputs.hpp"

namespace hodge::tools {
namespace {

std::string with_options(const std::string& name, const std::vector<linalg::Option>& options) {
  const std::string text = options_text(options);
  return text.empty() ? name : name + ", " + text;
}

// An option that the chosen method or preconditioner does not use is refused. A comparison that
// names none tries them all, the owner of the option among them.
template <class Settings>
void check_used(const SolveArguments& a, const std::vector<linalg::OptionOfTable>& table,
                const std::string& chosen, const std::string& chooser) {
  for (const linalg::OptionOfTable& one : table) {
    const std::string &name = one.option.name, &first = one.owners.front();
    if (!a.options.contains(name)) continue;
    const std::string by = a.compare && chosen.empty() ? first : chosen;
    std::string belongs = one.owners_text() + ", which is not asked for";
    std::string fix = chooser + " " + first;
    if (!by.empty()) {
      const auto unused = linalg::unused_option(Settings{by, a.options}, name);
      if (!unused) continue;
      belongs = unused->owner;
      if (unused->is_value)
        fix = "--" + unused->owner;
      else
        belongs += ", not of " + sim::join(unused->chosen);
    }
    throw wrong_input("hodge solve: {0} is a setting of {1}; add {2} or leave {0} out",
                      option_flag(name), belongs, fix);
  }
}

void check_options(const SolveArguments& a) {
  check_used<linalg::PreconditionerSettings>(a, linalg::preconditioner_options(), a.preconditioner,
                                             "--preconditioner");
  check_used<linalg::SolverSettings>(a, linalg::solver_options(), a.method, "--method");
  if (!a.method.empty() && linalg::find_solver(a.method).needs_separable)
    throw wrong_input(
        "hodge solve: {} needs a separable system on a box, as the pressure of a run has one, and "
        "a "
        "file does not say whether its matrix is; expected one of: {}",
        a.method, sim::join(linalg::methods_of_any_matrix()));
  if (!a.method.empty() && linalg::find_solver(a.method).needs_box)
    throw wrong_input(
        "hodge solve: {} needs the box that the rows lie in, as the pressure of a run has one, and "
        "a file does not name one; expected one of: {}",
        a.method, sim::join(linalg::methods_of_any_matrix()));
  if (!a.preconditioner.empty() && linalg::find_preconditioner(a.preconditioner).needs_box)
    throw wrong_input(
        "hodge solve: --preconditioner {} needs the box that the rows lie in, as the pressure of a "
        "run has one, and a file does not name one; expected one of: {}",
        a.preconditioner, sim::join(linalg::preconditioners_of_any_matrix()));
  const bool direct = !a.method.empty() && linalg::find_solver(a.method).direct;
  if (direct && !a.preconditioner.empty() && a.preconditioner != "none")
    throw wrong_input(
        "hodge solve: --preconditioner belongs to iterative methods, and {} is a direct one; leave "
        "it out",
        a.method);
}

void check_comparison(const SolveArguments& a) {
  if (!a.compare && !a.csv.empty())
    throw ConfigError("hodge solve: --csv takes the table of --compare; add --compare");
  const bool writes_one = !a.output.empty() || !a.history.empty();
  if (a.compare && writes_one)
    throw wrong_input("hodge solve: {} belongs to a single solve; leave it or --compare out",
                      a.output.empty() ? "--history" : "--output");
}

std::vector<double> random_solution(int rows) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  std::vector<double> v(static_cast<std::size_t>(rows));
  for (double& value : v) value = normal(generator);
  const double mean = std::accumulate(v.begin(), v.end(), 0.0) / std::max(rows, 1);
  for (double& value : v) value -= mean;
  return v;
}

std::vector<double> product(const HostMatrix& a, const std::vector<double>& x) {
  linalg::Vector<linalg::Host> in{std::span<const double>(x)}, out(a.rows());
  linalg::multiply(a, in, out);
  return out.to_host();
}

void make_right_side(System& system, bool constant_null_space) {
  const HostMatrix& a = system.matrix();
  if (constant_null_space || system.facts.constant_null_space()) {
    system.solution = random_solution(a.rows());
    system.b_text = fmt::format("A v with random v of mean zero (no file was given{})",
                                system.facts.constant_null_space() ? ", and A 1 = 0" : "");
  } else {
    system.solution.assign(static_cast<std::size_t>(a.rows()), 1.0);
    system.b_text = "A 1, so that x = 1 (no file was given)";
  }
  system.b = product(a, system.solution);
}

// With an entry for each row of the matrix.
std::vector<double> read_vector(const std::filesystem::path& file, const System& system,
                                const SolveArguments& arguments) {
  std::vector<double> values = read_vector_file(file);
  const auto rows = static_cast<std::size_t>(system.matrix().rows());
  if (values.size() != rows)
    throw wrong_input("{}: {} entries, but {} has {} rows", file.string(), values.size(),
                      arguments.matrix.string(), rows);
  return values;
}

}  // namespace

std::string option_flag(std::string name) {
  std::ranges::replace(name, '_', '-');
  return "--" + name;
}

std::vector<std::filesystem::path> SolveArguments::inputs() const {
  std::vector<std::filesystem::path> files{matrix};
  for (const auto& file : {right_side, start})
    if (!file.empty()) files.push_back(file);
  return files;
}

void check(const SolveArguments& arguments) {
  check_options(arguments);
  check_comparison(arguments);
  linalg::check(solver_settings(arguments, {}));
}

void check_outputs(const SolveArguments& arguments) {
  check_outputs({arguments.output, arguments.history, arguments.csv}, arguments.inputs(),
                arguments.overwrite);
}

Choice chosen_method(const MatrixFacts& facts) {
  if (facts.symmetric() && facts.diagonal_positive == facts.rows)
    return {"cg", "the matrix is symmetric with a positive diagonal"};
  if (facts.symmetric()) return {"gmres", "the matrix is symmetric, but not positive definite"};
  if (facts.full_diagonal()) return {"bicgstab", "the matrix is not symmetric"};
  return {"gmres", "the matrix is not symmetric and has zeros on the diagonal"};
}

Choice chosen_preconditioner(const std::string& method, const MatrixFacts& facts) {
  if (linalg::find_solver(method).direct) return {"none", "the method is a direct one"};
  if (facts.full_diagonal()) return {"jacobi", "the diagonal has no zeros"};
  return {"none", "the diagonal has zeros"};
}

linalg::SolverSettings solver_settings(const SolveArguments& a, const MatrixFacts& facts) {
  linalg::SolverSettings s;
  s.method = a.method.empty() ? chosen_method(facts).name : a.method;
  s.preconditioner.kind =
      a.preconditioner.empty() ? chosen_preconditioner(s.method, facts).name : a.preconditioner;
  s.options = s.preconditioner.options = a.options;  // each takes those that it has
  s.tolerance = a.tolerance;
  s.absolute_tolerance = a.absolute_tolerance;
  s.max_iterations = a.max_iterations;
  return s;
}

std::string settings_text(const linalg::PreconditionerSettings& preconditioner) {
  return with_options(preconditioner.kind, linalg::options_of(preconditioner));
}

std::string method_text(const linalg::SolverSettings& settings) {
  return with_options(settings.method, linalg::options_of(settings));
}

System read_system(const SolveArguments& arguments) {
  System system;
  system.file = read_matrix_file(arguments.matrix);
  const HostMatrix& a = system.matrix();
  if (a.rows() != a.cols())
    throw wrong_input("{}: a {} x {} matrix, expected a square one", arguments.matrix.string(),
                      a.rows(), a.cols());
  system.facts = facts_of(a);
  if (arguments.right_side.empty()) {
    make_right_side(system, arguments.constant_null_space());
  } else {
    system.b = read_vector(arguments.right_side, system, arguments);
    system.b_text = arguments.right_side.string();
  }
  if (!arguments.start.empty()) system.start = read_vector(arguments.start, system, arguments);
  return system;
}

}  // namespace hodge::tools
