// solvers.pressure, solvers.transport and solvers.scalars: a method of linalg's registry with its
// preconditioner and its stopping rule.
#include <algorithm>
#include <memory>

#include "linalg/solve/refresh_policy.hpp"
#include "linalg/solve/registry.hpp"
#include "sim/app/config/default_solvers.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/app/config/solver_to_yaml.hpp"
#include "sim/base/text.hpp"
#include "sim/time/starting_guess.hpp"

namespace hodge::sim {
namespace {

void check_symmetry(const YamlNode& method, const std::string& path, const std::string& why) {
  if (!linalg::find_solver(method.scalar).needs_symmetric) return;
  throw config_error(method.place,
                     "{} is {}, which needs a symmetric matrix, and {}, expected one of {}", path,
                     quote(method.scalar), why, join(linalg::general_methods()));
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

// An option that would be ignored is refused.
template <typename Settings>
void check_used(const YamlNode& node, const std::string& path, const Settings& settings,
                const std::vector<linalg::OptionOfTable>& options) {
  for (const auto& [option, owners] : options) {
    const YamlNode* value = node.find(option.name);
    if (value == nullptr) continue;
    if (const auto unused = linalg::unused_option(settings, option.name))
      throw config_error(value->place,
                         "{}.{} is a setting of {}, which is not used here ({}), expected no such "
                         "key",
                         path, option.name, unused->owner, join(unused->chosen));
  }
}

// Options of one name are read alike, though not every preconditioner takes each value.
void check_allowed(const YamlNode& node, const std::string& path,
                   const linalg::PreconditionerSettings& settings) {
  for (const linalg::Option& own : linalg::find_preconditioner(settings.kind).options({})) {
    const YamlNode* value = node.find(own.name);
    if (value != nullptr && !own.allows(settings.options.at(own.name)))
      throw wrong_value(*value, path + "." + own.name, own.expected());
  }
}

// The defaults as a line of a file.
std::string text_of(const linalg::PreconditionerSettings& preconditioner) {
  std::string text = "{kind: " + preconditioner.kind;
  for (const linalg::Option& option : linalg::options_of(preconditioner))
    if (option.value != option.default_value)
      text += fmt::format(", {}: {}", option.name, option.value_text());
  return text + "}";
}

std::string text_of(const SystemSettings& solver) {
  return fmt::format(
      "{{method: {}, preconditioner: {}, tolerance: {}, max_iterations: {}, fallback: [{}]}}",
      solver.method, text_of(solver.preconditioner), number_text(solver.tolerance),
      solver.max_iterations, fmt::join(solver.fallback, ", "));
}

// Reads an option into `out`, which has it only where the file says it.
Key option_key(const linalg::Option& option, const std::vector<std::string>& owners,
               linalg::OptionValues& out) {
  const auto value = std::make_shared<linalg::OptionValue>(option.value);
  ValueReader reader;
  if (int* whole = std::get_if<int>(value.get())) reader = whole_number(*whole, option.range);
  if (double* real = std::get_if<double>(value.get())) reader = number(*real, option.range);
  if (std::string* name = std::get_if<std::string>(value.get()))
    reader = one_of(*name, option.name, option.names);
  if (option.or_number) reader = number_or_one_of(*value, option.range, option.names);
  reader.read = [value, read = reader.read, &out, name = option.name](const YamlNode& node,
                                                                      const std::string& path) {
    read(node, path);
    out[name] = *value;
  };
  return optional(option.name, reader,
                  fmt::format("of {}: {}", fmt::join(owners, " and "), option.text));
}

// `suited`: a kind with the options that it has where the file says nothing of them.
using Suited = linalg::PreconditionerSettings (*)(const std::string& kind);

ValueReader preconditioner_section(linalg::PreconditionerSettings& preconditioner, Suited suited) {
  ValueReader kind =
      one_of(preconditioner.kind, "preconditioner", names_of(linalg::preconditioner_table()));
  kind.read = [read = kind.read, &preconditioner, suited](const YamlNode& node,
                                                          const std::string& path) {
    read(node, path);
    preconditioner = suited(preconditioner.kind);
  };
  std::vector<Key> keys{required("kind", kind, "`hodge solvers` describes them")};
  const auto table = linalg::preconditioner_options();
  for (const auto& [option, owners] : table)
    keys.push_back(option_key(*find_option(linalg::options_of(suited(owners.front())), option.name),
                              owners, preconditioner.options));
  const auto check = [&preconditioner, table](const YamlNode& node, const std::string& path) {
    check_allowed(node, path, preconditioner);
    check_used(node, path, preconditioner, table);
  };
  ValueReader map = map_of(keys, check);
  map.write = [&preconditioner] { return preconditioner_to_yaml(preconditioner); };
  return with_example(map, text_of(preconditioner));
}

void check_all_general(const YamlNode& node, const std::string& path, const std::string& why) {
  if (const YamlNode* method = node.find("method")) check_symmetry(*method, path + ".method", why);
  if (const YamlNode* fallback = node.find("fallback")) {
    for (const YamlNode& item : fallback->items) check_symmetry(item, path + ".fallback", why);
  }
}

// A method for symmetric matrices needs a symmetric preconditioner.
void check_preconditioner(const YamlNode& node, const std::string& path,
                          const SystemSettings& solver, const std::string& method) {
  const auto option = linalg::unsymmetric_option(solver.preconditioner);
  const YamlNode* map = node.find("preconditioner");
  if (!option || map == nullptr || !linalg::find_solver(method).needs_symmetric) return;
  std::vector<std::string> others = option->names;
  std::erase(others, option->value_text());
  throw config_error(map->find(option->name)->place,
                     "{}.preconditioner.{} is '{}', which is not symmetric, and {} needs a "
                     "symmetric preconditioner, expected one of {}",
                     path, option->name, option->value_text(), method, join(others));
}

void check_chain(const YamlNode& node, const std::string& path, SystemSettings& solver) {
  check_fallback(node, path, solver.method);
  if (node.find("fallback") == nullptr) std::erase(solver.fallback, solver.method);
  check_used(node, path, solver, linalg::solver_options());
  check_preconditioner(node, path, solver, solver.method);
  for (const std::string& method : solver.fallback)
    check_preconditioner(node, path, solver, method);
}

void check_guess(const YamlNode& node, const std::string& path, const SystemSettings& solver) {
  const YamlNode* vectors = node.find("guess_vectors");
  if (vectors == nullptr || solver.guess == "projected") return;
  throw config_error(vectors->place,
                     "{}.guess_vectors is a setting of guess projected, which is not used here "
                     "(guess {}), expected no such key",
                     path, solver.guess);
}

}  // namespace

ValueReader solver_section(SystemSettings& solver, const std::string& unsymmetric, bool projects) {
  const std::vector<std::string> methods = names_of(linalg::solver_table());
  std::vector<std::string> stops{"residual"};
  if (projects) stops.emplace_back("divergence");
  const auto check = [&solver, unsymmetric](const YamlNode& node, const std::string& path) {
    check_chain(node, path, solver);
    check_guess(node, path, solver);
    if (!unsymmetric.empty()) check_all_general(node, path, unsymmetric);
  };
  const ValueReader tolerance = later("a number > 0", [&solver] {  // of the divergence, 1/T
    return number(solver.tolerance, solver.stops_by_divergence() ? above(0) : between(0, 1));
  });
  const char* const absolute =
      projects ? "on the root mean square of dt div u that may remain, whichever is met first"
               : "on the root mean square of the error of u or c that may remain, in their units, "
                 "whichever is met first";
  const Suited suited = projects ? pressure_preconditioner : transport_preconditioner;
  std::vector<Key> keys{
      optional("method", one_of(solver.method, "solver", methods),
               "`hodge solvers` describes them"),
      optional("preconditioner", preconditioner_section(solver.preconditioner, suited),
               "a kind and its settings"),
      optional("stop", one_of(solver.stop, "stopping rule", stops),
               "what the tolerance is on; divergence: max abs(div u), 1/T"),
      optional("tolerance", described(tolerance, [](ValueShape& shape) { shape.range = above(0); }),
               projects ? "on norm(b - A x) / norm(b), below 1"
                        : "on norm(b - A x) / norm(b), below 1; x is what the step changes"),
      optional("absolute_tolerance",
               number(solver.absolute_tolerance, linalg::absolute_tolerance_range), absolute),
      optional("max_iterations", whole_number(solver.max_iterations, linalg::max_iterations_range),
               "of every method")};
  std::vector<std::string> never_alone{"guess_vectors"};
  for (const auto& [option, owners] : linalg::solver_options()) {
    Key key = option_key(option, owners, solver.options);
    key.value.write = [&solver, name = option.name] {
      const auto used = linalg::options_of_chain(solver);
      const linalg::Option* const found = find_option(used, name);
      return found == nullptr ? std::string() : found->value_text();
    };
    keys.push_back(key);
    never_alone.push_back(option.name);
  }
  const std::vector<Key> rest{
      optional("fallback", several_of(solver.fallback, "solver", methods),
               "tried in turn, from the last good state, where the method fails"),
      optional("max_seconds",
               with_example(number(solver.max_seconds, linalg::max_seconds_range), "60"),
               "of a solve; then it counts as failed"),
      optional("refresh", one_of(solver.refresh, "refresh policy", linalg::refresh_names()),
               "when the preconditioner is made anew"),
      optional("guess", one_of(solver.guess, "starting guess", names_of(guess_table())),
               "what a solve starts from; `hodge solvers` describes them"),
      optional("guess_vectors",
               written_if(whole_number(solver.guess_vectors, from_to(1, 50)),
                          [&solver] { return solver.guess == "projected"; }),
               "of guess projected: solutions that are kept")};
  keys.insert(keys.end(), rest.begin(), rest.end());
  return described(map_of(keys, check),
                   [example = text_of(solver), never_alone](ValueShape& shape) {
                     shape.example = example;
                     shape.never_alone = never_alone;
                   });
}

}  // namespace hodge::sim
