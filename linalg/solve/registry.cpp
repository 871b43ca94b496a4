#include "linalg/solve/registry.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "linalg/preconditioners/direct.hpp"
#include "linalg/preconditioners/jacobi.hpp"
#include "linalg/preconditioners/multigrid.hpp"
#include "linalg/preconditioners/neumann.hpp"
#include "linalg/preconditioners/none.hpp"
#include "linalg/preconditioners/ssor_sai.hpp"
#include "linalg/solvers/bicg.hpp"
#include "linalg/solvers/bicgstab.hpp"
#include "linalg/solvers/capacitance.hpp"
#include "linalg/solvers/direct.hpp"
#include "linalg/solvers/gauss.hpp"
#include "linalg/solvers/gmres.hpp"
#include "linalg/solvers/resident_cg.hpp"

namespace hodge::linalg {

namespace {

// What a method asks of the operator.
enum class Needs { nothing, symmetry, transpose, separability, box, dense_factors };

template <class Base, class Method>
std::unique_ptr<Base> make(const OptionValues& values) {
  return std::make_unique<Method>(settings_from<typename Method::Settings>(values));
}

// A function of a method's own settings and Others, as one of the values that a user gives.
template <class Method, auto function, class... Others>
auto with_settings(const OptionValues& values, Others... others) {
  return function(settings_from<typename Method::Settings>(values), others...);
}

template <class Method>
std::vector<Option> options_with(const OptionValues& values) {
  typename Method::Settings settings;
  return list_options(values, settings);
}

template <template <class, class> class Base, template <class, class> class Method>
constexpr auto makers() {
  return std::tuple {
    &make<Base<Host, double>, Method<Host, double>>, &make<Base<Host, float>, Method<Host, float>>,
#if HODGE_HAS_CUDA
        &make<Base<Cuda, double>, Method<Cuda, double>>,
        &make<Base<Cuda, float>, Method<Cuda, float>>
#endif
  };
}

template <template <class, class> class Method>
SolverEntry solver(const char* name, const char* description, Needs needs) {
  using One = Method<Host, double>;
  return {name,
          description,
          needs == Needs::symmetry || needs == Needs::box,
          needs == Needs::transpose,
          needs == Needs::separability,
          needs == Needs::box,
          needs == Needs::dense_factors,
          needs == Needs::separability || needs == Needs::box || needs == Needs::dense_factors,
          &options_with<One>,
          &with_settings<One, &One::memory, const SystemSize&>,
          &with_settings<One, &One::traffic, const SystemSize&, const CountedIterations&>,
          makers<Solver, Method>()};
}

template <class Method>
int sweeps_of(const OptionValues& values) {
  if constexpr (requires { &Method::sweeps; })
    return Method::sweeps(settings_from<typename Method::Settings>(values));
  return 0;
}

template <class Method>
bool chooses(const OptionValues& values) {
  if constexpr (requires { &Method::chooses; })
    return Method::chooses(settings_from<typename Method::Settings>(values));
  return false;
}

template <template <class, class> class Kind>
PreconditionerEntry preconditioner(const char* name, const char* description) {
  using One = Kind<Host, double>;
  constexpr bool by_elements = requires {
    One::is_by_elements;
  };
  constexpr bool needs_transposed_entries = requires {
    One::needs_transposed_entries;
  };
  constexpr bool needs_box = requires {
    One::needs_box;
  };
  return {name,
          description,
          &options_with<One>,
          &with_settings<One, &One::memory, const SystemSize&>,
          &with_settings<One, &One::traffic, const SystemSize&>,
          by_elements,
          &sweeps_of<One>,
          needs_transposed_entries,
          needs_box,
          &chooses<One>,
          makers<Preconditioner, Kind>()};
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

template <class Entry>
std::vector<OptionOfTable> options_of_table(std::span<const Entry> table) {
  std::vector<OptionOfTable> all;
  for (const Entry& entry : table)
    for (Option& option : entry.options({})) {
      const auto same = [&](const OptionOfTable& other) {
        return other.option.name == option.name;
      };
      auto known = std::find_if(all.begin(), all.end(), same);
      if (known == all.end()) known = all.insert(all.end(), {std::move(option), {}});
      known->owners.emplace_back(entry.name);
    }
  return all;
}

// `options`: those of what is chosen.
std::optional<UnusedOption> unused(const std::vector<Option>& options,
                                   const std::vector<std::string>& chosen,
                                   const std::vector<OptionOfTable>& table,
                                   const std::string& name) {
  const Option* own = find_option(options, name);
  if (own != nullptr && own->is_used) return {};
  const auto known = std::find_if(table.begin(), table.end(), [&](const OptionOfTable& one) {
    return one.option.name == name;
  });
  if (own == nullptr)
    return UnusedOption{known == table.end() ? "nothing" : known->owners_text(), chosen, false};
  const std::string other = own->only_with.substr(0, own->only_with.find(' '));
  const std::string instead = other + " " + find_option(options, other)->value_text();
  return UnusedOption{own->only_with, {instead}, true};
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
      solver<Direct>("direct", "transforms along the axes, exact, for separable systems on a box",
                     Needs::separability),
      solver<Capacitance>("capacitance",
                          "cg on the rows beside solids by transforms of the box, for the pressure",
                          Needs::box),
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
      preconditioner<DirectOfBox>(
          "direct", "transforms along the axes of the box without its solids, for the pressure"),
  };
  return table;
}

const SolverEntry& find_solver(std::string_view name) {
  return find(solver_table(), name, "solver");
}

const PreconditionerEntry& find_preconditioner(std::string_view name) {
  return find(preconditioner_table(), name, "preconditioner");
}

std::vector<Option> options_of(const PreconditionerSettings& settings) {
  return find_preconditioner(settings.kind).options(settings.options);
}

std::vector<Option> options_of(const SolverSettings& settings) {
  return find_solver(settings.method).options(settings.options);
}

std::vector<Option> options_of_chain(const SolverSettings& settings) {
  std::vector<Option> all = options_of(settings);
  for (const std::string& fallback : settings.fallback)
    for (Option& option : find_solver(fallback).options(settings.options))
      if (find_option(all, option.name) == nullptr) all.push_back(std::move(option));
  return all;
}

bool uses_preconditioner(const SolverSettings& settings) {
  const auto uses = [](const std::string& name) { return !find_solver(name).direct; };
  return uses(settings.method) ||
         std::any_of(settings.fallback.begin(), settings.fallback.end(), uses);
}

std::string OptionOfTable::owners_text() const {
  std::string text;
  for (const std::string& owner : owners) text += (text.empty() ? "" : " and ") + owner;
  return text;
}

std::vector<OptionOfTable> solver_options() {
  return options_of_table(solver_table());
}

std::vector<OptionOfTable> preconditioner_options() {
  return options_of_table(preconditioner_table());
}

std::optional<UnusedOption> unused_option(const SolverSettings& settings, const std::string& name) {
  std::vector<std::string> chain{settings.method};
  chain.insert(chain.end(), settings.fallback.begin(), settings.fallback.end());
  return unused(options_of_chain(settings), chain, solver_options(), name);
}

std::optional<UnusedOption> unused_option(const PreconditionerSettings& settings,
                                          const std::string& name) {
  return unused(options_of(settings), {settings.kind}, preconditioner_options(), name);
}

std::optional<Option> unsymmetric_option(const PreconditionerSettings& settings) {
  for (const Option& option : options_of(settings))
    if (!option.unsymmetric.empty() && option.value_text() == option.unsymmetric) return option;
  return {};
}

std::vector<std::string> methods_of_any_matrix() {
  std::vector<std::string> names;
  for (const SolverEntry& entry : solver_table())
    if (!entry.needs_separable && !entry.needs_box) names.emplace_back(entry.name);
  return names;
}

std::vector<std::string> preconditioners_of_any_matrix() {
  std::vector<std::string> names;
  for (const PreconditionerEntry& entry : preconditioner_table())
    if (!entry.needs_box) names.emplace_back(entry.name);
  return names;
}

std::vector<std::string> general_methods() {
  std::vector<std::string> names = methods_of_any_matrix();
  std::erase_if(names, [](const std::string& name) { return find_solver(name).needs_symmetric; });
  return names;
}

}  // namespace hodge::linalg
