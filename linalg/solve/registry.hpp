// The solvers and preconditioners by name. To add one: one file with its class and the table of its
// settings (settings/options.hpp), and one line in a table of registry.cpp.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "linalg/cost/byte_model.hpp"
#include "linalg/cost/system_size.hpp"
#include "linalg/settings/settings.hpp"
#include "linalg/solvers/solver.hpp"

namespace hodge::linalg {

template <class Space, class T>
using SolverMaker = std::unique_ptr<Solver<Space, T>> (*)(const OptionValues&);
template <class Space, class T>
using PreconditionerMaker = std::unique_ptr<Preconditioner<Space, T>> (*)(const OptionValues&);

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
  bool needs_symmetric;                                 // operator and preconditioner
  bool needs_transpose;                                 // of both
  bool needs_separable;                                 // CsrMatrix::separable()
  bool needs_box;                                       // CsrMatrix::box()
  bool dense;                                           // dense factors: n^2 memory, n^3 work
  bool direct;                                          // no preconditioner is used
  std::vector<Option> (*options)(const OptionValues&);  // with these values
  std::size_t (*memory)(const OptionValues&, const SystemSize&);  // bytes, without A and b
  double (*traffic)(const OptionValues&, const SystemSize&, const CountedIterations&);  // bytes
  Makers<SolverMaker> make;
};

struct PreconditionerEntry {
  const char* name;
  const char* description;
  std::vector<Option> (*options)(const OptionValues&);
  std::size_t (*memory)(const OptionValues&, const SystemSize&);
  double (*traffic)(const OptionValues&, const SystemSize&);  // bytes per application
  bool by_elements;                                           // z = d o r for a vector d
  int (*sweeps)(const OptionValues& options);                 // CountedIterations::sweeps
  bool needs_transposed_entries;  // for M^-T; else a view of A^T is enough
  bool needs_box;                 // CsrMatrix::box()
  // Whether setup() chooses something by the values of A that refresh() keeps.
  bool (*chooses)(const OptionValues& options);
  Makers<PreconditionerMaker> make;
};

std::span<const SolverEntry> solver_table();
std::span<const PreconditionerEntry> preconditioner_table();

std::vector<std::string> preconditioners_of_any_matrix();  // those that need no box

// Throw ConfigError with the known names where there is no such entry.
const SolverEntry& find_solver(std::string_view name);
const PreconditionerEntry& find_preconditioner(std::string_view name);

// All options of a kind, of a method, or of a method and its fallbacks, with their values. Errors:
// ConfigError for an unknown name and for a value out of range.
std::vector<Option> options_of(const PreconditionerSettings& settings);
std::vector<Option> options_of(const SolverSettings& settings);
std::vector<Option> options_of_chain(const SolverSettings& settings);

// Whether the method or a fallback takes the preconditioner.
bool uses_preconditioner(const SolverSettings& settings);

// Every option of a table once, in the order of the table.
struct OptionOfTable {
  Option option;                    // as its first owner has it
  std::vector<std::string> owners;  // the entries that have it

  std::string owners_text() const;  // "ssor_sai and multigrid"
};
std::vector<OptionOfTable> solver_options();
std::vector<OptionOfTable> preconditioner_options();

// Why an option that a user names is of no use.
struct UnusedOption {
  std::string owner;  // what it belongs to: "ssor_sai and multigrid"; "form truncated"
  std::vector<std::string> chosen;  // what is there instead: methods; a kind; "form factored"
  bool is_value;                    // the owner is a value of another option of what is chosen
};
std::optional<UnusedOption> unused_option(const SolverSettings& settings, const std::string& name);
std::optional<UnusedOption> unused_option(const PreconditionerSettings& settings,
                                          const std::string& name);

// The option that makes the preconditioner nonsymmetric though A is symmetric, if one does.
std::optional<Option> unsymmetric_option(const PreconditionerSettings& settings);

std::vector<std::string> methods_of_any_matrix();  // those that need no box
std::vector<std::string> general_methods();        // of these, those that need no symmetric A

}  // namespace hodge::linalg
