#include "linalg/solve/registry.hpp"

#include <string>

#include "linalg/preconditioners/jacobi.hpp"
#include "linalg/preconditioners/multigrid.hpp"
#include "linalg/preconditioners/neumann.hpp"
#include "linalg/preconditioners/none.hpp"
#include "linalg/preconditioners/ssor_sai.hpp"
#include "linalg/solvers/bicg.hpp"
#include "linalg/solvers/bicgstab.hpp"
#include "linalg/solvers/gauss.hpp"
#include "linalg/solvers/gmres.hpp"
#include "linalg/solvers/resident_cg.hpp"

namespace hodge::linalg {

namespace {

// What a method asks of the operator.
enum class Needs { nothing, symmetry, transpose, dense_factors };

template <class Base, class Derived, class Settings>
std::unique_ptr<Base> make(const Settings& settings) {
  return std::make_unique<Derived>(settings);
}

template <template <class, class> class Method>
SolverEntry solver(const char* name, const char* description, Needs needs) {
  return {name,
          description,
          needs == Needs::symmetry,
          needs == Needs::transpose,
          needs == Needs::dense_factors,
          &Method<Host, double>::memory,
          &Method<Host, double>::traffic,
          {&make<Solver<Host, double>, Method<Host, double>, SolverSettings>,
           &make<Solver<Host, float>, Method<Host, float>, SolverSettings>,
#if HODGE_HAS_CUDA
           &make<Solver<Cuda, double>, Method<Cuda, double>, SolverSettings>,
           &make<Solver<Cuda, float>, Method<Cuda, float>, SolverSettings>
#endif
          }};
}

template <template <class, class> class Kind>
PreconditionerEntry preconditioner(const char* name, const char* description) {
  return {name,
          description,
          &Kind<Host, double>::memory,
          &Kind<Host, double>::traffic,
          {&make<Preconditioner<Host, double>, Kind<Host, double>, PreconditionerSettings>,
           &make<Preconditioner<Host, float>, Kind<Host, float>, PreconditionerSettings>,
#if HODGE_HAS_CUDA
           &make<Preconditioner<Cuda, double>, Kind<Cuda, double>, PreconditionerSettings>,
           &make<Preconditioner<Cuda, float>, Kind<Cuda, float>, PreconditionerSettings>
#endif
          }};
}

template <class Entry>
const Entry& find(std::span<const Entry> table, std::string_view name, const char* what) {
  std::string known;
  for (const Entry& entry : table) {
    if (name == entry.name) return entry;
    known += std::string(known.empty() ? "" : ", ") + entry.name;
  }
  throw ConfigError(std::string("unknown ") + what + " '" + std::string(name) +
                    "', expected one of: " + known);
}

}  // namespace

std::span<const SolverEntry> solver_table() {
  static const SolverEntry table[] = {
      solver<ResidentCg>("cg", "conjugate gradients, for symmetric positive (semi)definite systems",
                         Needs::symmetry),
      solver<Bicg>("bicg", "biconjugate gradients, for any system with entries; needs A^T",
                   Needs::transpose),
      solver<Bicgstab>("bicgstab", "stabilised biconjugate gradients, for any system",
                       Needs::nothing),
      solver<Gmres>("gmres", "restarted generalised minimal residuals, for any system",
                    Needs::nothing),
      solver<Gauss>("gauss",
                    "dense LU factors with partial pivoting, for small systems of any kind",
                    Needs::dense_factors),
  };
  return table;
}

std::span<const PreconditionerEntry> preconditioner_table() {
  static const PreconditionerEntry table[] = {
      preconditioner<None>("none", "no preconditioning"),
      preconditioner<Jacobi>("jacobi", "the diagonal of the matrix"),
      preconditioner<Neumann>("neumann", "Neumann polynomial of the Jacobi splitting"),
      preconditioner<SsorSai>(
          "ssor_sai", "SSOR sparse approximate inverse of order 1 or 2, factored or truncated"),
      preconditioner<Multigrid>("multigrid", "one multigrid cycle on the grid of the matrix"),
  };
  return table;
}

const SolverEntry& find_solver(std::string_view name) {
  return find(solver_table(), name, "solver");
}

const PreconditionerEntry& find_preconditioner(std::string_view name) {
  return find(preconditioner_table(), name, "preconditioner");
}

}  // namespace hodge::linalg
