// The solvers and preconditioners by name. To add one: one file, and one line in a table of
// registry.cpp.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <tuple>

#include "linalg/cost/byte_model.hpp"
#include "linalg/cost/system_size.hpp"
#include "linalg/settings/settings.hpp"
#include "linalg/solvers/solver.hpp"

namespace hodge::linalg {

template <class Space, class T>
using SolverMaker = std::unique_ptr<Solver<Space, T>> (*)(const SolverSettings&);
template <class Space, class T>
using PreconditionerMaker =
    std::unique_ptr<Preconditioner<Space, T>> (*)(const PreconditionerSettings&);

#if HODGE_HAS_CUDA
template <template <class, class> class Maker>
using Makers =
    std::tuple<Maker<Host, double>, Maker<Host, float>, Maker<Cuda, double>, Maker<Cuda, float>>;
#else
template <template <class, class> class Maker>
using Makers = std::tuple<Maker<Host, double>, Maker<Host, float>>;
#endif

struct SolverEntry {
  const char* name;
  const char* description;
  bool needs_symmetric;  // operator and preconditioner
  bool needs_transpose;  // of both
  bool direct;           // dense factors: n^2 memory, n^3 work, and the preconditioner is not used
  std::size_t (*memory)(const SolverSettings&, const SystemSize&);  // bytes, without A and b
  double (*traffic)(const SolverSettings&, const SystemSize&, const CountedIterations&);  // bytes
  Makers<SolverMaker> make;
};

struct PreconditionerEntry {
  const char* name;
  const char* description;
  std::size_t (*memory)(const PreconditionerSettings&, const SystemSize&);
  double (*traffic)(const PreconditionerSettings&, const SystemSize&);  // bytes an application
  Makers<PreconditionerMaker> make;
};

std::span<const SolverEntry> solver_table();
std::span<const PreconditionerEntry> preconditioner_table();

// Throw ConfigError with the known names where there is no such entry.
const SolverEntry& find_solver(std::string_view name);
const PreconditionerEntry& find_preconditioner(std::string_view name);

}  // namespace hodge::linalg
