#include "tools/hodge/solve/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "linalg/base/errors.hpp"

namespace hodge::tools {
namespace {

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
    system.b_text = "A v with random v of mean zero (no file was given, and A 1 = 0)";
    if (!system.facts.constant_null_space()) {
      system.b_text = "A v with random v of mean zero (no file was given)";
    }
  } else {
    system.solution.assign(static_cast<std::size_t>(a.rows()), 1.0);
    system.b_text = "A 1, so that x = 1 (no file was given)";
  }
  system.b = product(a, system.solution);
}

void read_right_side(System& system, const SolveArguments& arguments) {
  system.b = read_vector_file(arguments.right_side);
  system.b_text = arguments.right_side.string();
  const auto rows = static_cast<std::size_t>(system.matrix().rows());
  if (system.b.size() != rows) {
    throw ConfigError(fmt::format("{}: {} entries, but {} has {} rows",
                                  arguments.right_side.string(), system.b.size(),
                                  arguments.matrix.string(), rows));
  }
}

}  // namespace

System read_system(const SolveArguments& arguments) {
  System system;
  system.file = read_matrix_file(arguments.matrix);
  const HostMatrix& a = system.matrix();
  const std::string name = arguments.matrix.string();
  if (a.rows() != a.cols()) {
    throw ConfigError(
        fmt::format("{}: a {} x {} matrix, expected a square one", name, a.rows(), a.cols()));
  }
  system.facts = facts_of(a);
  if (arguments.right_side.empty()) {
    make_right_side(system, arguments.constant_null_space());
  } else {
    read_right_side(system, arguments);
  }
  return system;
}

}  // namespace hodge::tools
