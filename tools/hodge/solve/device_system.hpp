// The system of `hodge solve` in the memory of a space, and what both kinds of solve do with it.
#pragma once

#include <fmt/format.h>

#include <iostream>

#include "linalg/base/errors.hpp"
#include "linalg/matrices/convert.hpp"
#include "linalg/matrices/symmetry.hpp"
#include "linalg/solve/solve.hpp"
#include "sim/compare/measure.hpp"
#include "tools/hodge/solve/run_solve.hpp"

namespace hodge::tools {

template <class Space>
struct DeviceSystem {
  std::unique_ptr<linalg::CsrMatrix<Space, double>> a;
  linalg::Vector<Space> b;

  explicit DeviceSystem(const System& system)
      : a(linalg::copy_to<Space, double>(system.matrix())), b(std::span<const double>(system.b)) {}
};

inline linalg::SolveOptions solve_options(const SolveArguments& arguments) {
  linalg::SolveOptions options;
  if (arguments.constant_null_space()) options.null_space = linalg::NullSpace::constant;
  return options;
}

inline void print_line(const char* name, const std::string& text) {
  std::cout << fmt::format("{:<15} {}\n", name, text);
}

template <class Space>
void print_system(const SolveArguments& arguments, const System& system,
                  const linalg::CsrMatrix<Space, double>& a) {
  const MatrixFacts& facts = system.facts;
  print_line("matrix",
             fmt::format("{}: {} x {}, {} non-zeros, {}, kernel {}", arguments.matrix.string(),
                         facts.rows, facts.cols, facts.nonzeros,
                         facts.symmetric() ? "symmetric" : "not symmetric", a.kernel()));
  print_line("right side", system.b_text);
  if (arguments.constant_null_space()) print_line("null space", "constants, projected out");
  print_line("device", fmt::format("{}: {}", Space::name, Space::device_name()));
}

// Errors: MemoryError where the solver does not fit beside A and b.
template <class Space>
void check_memory(const linalg::SolverSettings& settings, const System& system) {
  const linalg::SystemSize size{static_cast<std::size_t>(system.facts.rows),
                                static_cast<std::size_t>(system.facts.nonzeros), sizeof(double)};
  sim::check_memory<Space>(settings, size);
}

}  // namespace hodge::tools
