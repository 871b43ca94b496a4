// solvers.pressure, solvers.transport and solvers.scalars: a method of linalg's registry with its
// preconditioner and its stopping rule.
#include <algorithm>

#include "linalg/solve/registry.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/base/text.hpp"
#include "sim/time/starting_guess.hpp"

namespace hodge::sim {
namespace {

bool needs_symmetric(const std::string& method) {
  const auto table = linalg::solver_table();
  return std::any_of(table.begin(), table.end(), [&](const auto& entry) {
    return entry.name == method && entry.needs_symmetric;
  });
}

std::vector<std::string> general_methods() {
  std::vector<std::string> names;
  for (const std::string& name : names_of(linalg::solver_table())) {
    if (!needs_symmetric(name)) names.push_back(name);
  }
  return names;
}

void check_symmetry(const YamlNode& method, const std::string& path, const std::string& why) {
  if (!needs_symmetric(method.scalar)) return;
  throw config_error(method.place,
                     "{} is {}, which needs a symmetric matrix, and {}, expected one of {}", path,
                     quote(method.scalar), why, join(general_methods()));
}

void check_fallback(const YamlNode& node, const std::string& path, const std::string& method) {
  const YamlNode* fallback = node.find("fallback");
  if (fallback == nullptr) return;
  std::vector<std::string> tried{method};
  for (const YamlNode& item : fallback->items) {
    if (std::find(tried.begin(), tried.end(), item.scalar) != tried.end()) {
      throw config_error(
          item.place, "{}.fallback names {}, which has been tried by then, expected another solver",
          path, quote(item.scalar));
    }
    tried.push_back(item.scalar);
  }
}

// A setting that belongs to some methods only is refused where it would be ignored.
void check_owner(const YamlNode& node, const std::string& path, const char* key,
                 const std::string& owner, const std::vector<std::string>& chosen) {
  const YamlNode* value = node.find(key);
  if (value == nullptr || std::find(chosen.begin(), chosen.end(), owner) != chosen.end()) return;
  throw config_error(value->place,
                     "{}.{} is a setting of {}, which is not used here ({}), expected no such key",
                     path, key, owner, join(chosen));
}

// The defaults as a line of a file.
std::string text_of(const linalg::PreconditionerSettings& preconditioner) {
  if (preconditioner.kind == "multigrid")
    return fmt::format("{{kind: multigrid, smoother: {}}}", preconditioner.smoother);
  if (preconditioner.kind != "ssor_sai") return fmt::format("{{kind: {}}}", preconditioner.kind);
  return fmt::format("{{kind: ssor_sai, order: {}, omega: {}}}", preconditioner.order,
                     number_text(preconditioner.omega));
}

std::string text_of(const linalg::SolverSettings& solver) {
  return fmt::format(
      "{{method: {}, preconditioner: {}, tolerance: {}, max_iterations: {}, fallback: [{}]}}",
      solver.method, text_of(solver.preconditioner), number_text(solver.tolerance),
      solver.max_iterations, fmt::join(solver.fallback, ", "));
}

ValueReader preconditioner_section(linalg::PreconditionerSettings& preconditioner) {
  const auto check = [&preconditioner](const YamlNode& node, const std::string& path) {
    const std::string kind = preconditioner.kind;
    for (const char* key : {"order", "form", "alpha"})
      check_owner(node, path, key, "ssor_sai", {kind});
    if (kind != "multigrid")
      check_owner(node, path, "omega", "ssor_sai", {kind});
    else if (preconditioner.smoother == "chebyshev")
      check_owner(node, path, "omega", "ssor_sai", {kind, "smoother chebyshev"});
    for (const char* key : {"smoother", "smoothings", "cycle", "precision", "coarsest_cells"})
      check_owner(node, path, key, "multigrid", {kind});
    check_owner(node, path, "alpha", "form truncated", {"form " + preconditioner.form});
    check_owner(node, path, "degree", "neumann", {kind});
    if (kind == "ssor_sai") return;
    const linalg::PreconditionerSettings plain;  // what suits ssor_sai is not for the others
    preconditioner.order = plain.order;
    if (node.find("omega") == nullptr) preconditioner.omega = plain.omega;
  };
  const ValueReader map = map_of(
      {required(
           "kind",
           one_of(preconditioner.kind, "preconditioner", names_of(linalg::preconditioner_table())),
           "`hodge solvers` describes them"),
       optional("order", whole_number(preconditioner.order, from_to(1, 2)),
                "of ssor_sai: terms of its series"),
       optional("omega", number(preconditioner.omega, between(0, 2)),
                "of ssor_sai, also as multigrid's smoother, and of jacobi there: relaxation"),
       optional("form", one_of(preconditioner.form, "form", {"factored", "truncated"}),
                "of ssor_sai: two factors, or their product on the matrix's pattern"),
       optional("alpha", number(preconditioner.alpha, Range{0, 1, true, false}),
                "of the truncated form: the part of each row's entries that is kept"),
       optional("degree", whole_number(preconditioner.degree, from_to(0, 20)),
                "of neumann: of its polynomial"),
       optional("smoother",
                one_of(preconditioner.smoother, "smoother", {"ssor_sai", "jacobi", "chebyshev"}),
                "of multigrid"),
       optional("smoothings", whole_number(preconditioner.smoothings, from_to(1, 10)),
                "of multigrid: before and after each correction"),
       optional("cycle", one_of(preconditioner.cycle, "cycle", {"v", "w", "f"}),
                "of multigrid; f is not for cg"),
       optional("precision", one_of(preconditioner.precision, "precision", {"single", "double"}),
                "of multigrid: of its levels"),
       optional("coarsest_cells", whole_number(preconditioner.coarsest_cells, from_to(1, 512)),
                "of multigrid: a grid of no more cells is solved directly")},
      check);
  return with_example(map, text_of(preconditioner));
}

void check_all_general(const YamlNode& node, const std::string& path, const std::string& why) {
  if (const YamlNode* method = node.find("method")) check_symmetry(*method, path + ".method", why);
  if (const YamlNode* fallback = node.find("fallback")) {
    for (const YamlNode& item : fallback->items) check_symmetry(item, path + ".fallback", why);
  }
}

void check_cycle(const YamlNode& node, const std::string& path,
                 const std::vector<std::string>& chain) {
  const YamlNode* preconditioner = node.find("preconditioner");
  const YamlNode* cycle = preconditioner == nullptr ? nullptr : preconditioner->find("cycle");
  if (cycle == nullptr || cycle->scalar != "f") return;
  for (const std::string& method : chain)
    if (needs_symmetric(method))
      throw config_error(cycle->place,
                         "{}.preconditioner.cycle is 'f', which is not symmetric, and {} needs a "
                         "symmetric preconditioner, expected one of v, w",
                         path, method);
}

void check_chain(const YamlNode& node, const std::string& path, linalg::SolverSettings& solver) {
  check_fallback(node, path, solver.method);
  if (node.find("fallback") == nullptr) std::erase(solver.fallback, solver.method);
  std::vector<std::string> chain{solver.method};
  chain.insert(chain.end(), solver.fallback.begin(), solver.fallback.end());
  check_owner(node, path, "restart", "gmres", chain);
  check_cycle(node, path, chain);
}

}  // namespace

ValueReader solver_section(linalg::SolverSettings& solver, const std::string& unsymmetric,
                           bool projects) {
  const std::vector<std::string> methods = names_of(linalg::solver_table());
  std::vector<std::string> stops{"residual"};
  if (projects) stops.emplace_back("divergence");
  const auto check = [&solver, unsymmetric](const YamlNode& node, const std::string& path) {
    check_chain(node, path, solver);
    check_owner(node, path, "guess_vectors", "guess projected", {"guess " + solver.guess});
    if (!unsymmetric.empty()) check_all_general(node, path, unsymmetric);
  };
  const ValueReader tolerance = later("a number > 0", [&solver] {  // of the divergence, 1/T
    return number(solver.tolerance, solver.stop == "divergence" ? above(0) : between(0, 1));
  });
  const char* const absolute =
      projects ? "on the root mean square of dt div u that may remain, whichever is met first"
               : "on the root mean square of the error of u or c that may remain, in their units, "
                 "whichever is met first";
  const ValueReader map = map_of(
      {optional("method", one_of(solver.method, "solver", methods),
                "`hodge solvers` describes them"),
       optional("preconditioner", preconditioner_section(solver.preconditioner),
                "a kind and its settings"),
       optional("stop", one_of(solver.stop, "stopping rule", stops),
                "what the tolerance is on; divergence: max abs(div u), 1/T"),
       optional("tolerance",
                described(tolerance, [](ValueShape& shape) { shape.range = above(0); }),
                projects ? "on norm(b - A x) / norm(b), below 1"
                         : "on norm(b - A x) / norm(b), below 1; x is what the step changes"),
       optional("absolute_tolerance", number(solver.absolute_tolerance, at_least(0)), absolute),
       optional("max_iterations", whole_number(solver.max_iterations, at_least(1)),
                "of every method"),
       optional("restart", whole_number(solver.restart, from_to(1, 1000)),
                "of gmres: vectors of its basis"),
       optional("fallback", several_of(solver.fallback, "solver", methods),
                "tried in turn, from the last good state, where the method fails"),
       optional("max_seconds", with_example(number(solver.max_seconds, above(0)), "60"),
                "of a solve; then it counts as failed"),
       optional("refresh", one_of(solver.refresh, "refresh policy", {"every", "never", "auto"}),
                "when the preconditioner is made anew"),
       optional("guess", one_of(solver.guess, "starting guess", names_of(guess_table())),
                "what a solve starts from; `hodge solvers` describes them"),
       optional("guess_vectors", whole_number(solver.guess_vectors, from_to(1, 50)),
                "of guess projected: solutions that are kept")},
      check);
  return described(map, [example = text_of(solver)](ValueShape& shape) {
    shape.example = example;
    shape.never_alone = {"restart", "guess_vectors"};
  });
}

}  // namespace hodge::sim
