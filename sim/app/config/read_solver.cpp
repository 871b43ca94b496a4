// solvers.pressure, solvers.transport and solvers.scalars: a method of linalg's registry with its
// preconditioner and its stopping rule.
#include <algorithm>
#include <memory>
#include <set>

#include "linalg/solve/refresh_policy.hpp"
#include "linalg/solve/registry.hpp"
#include "sim/app/config/default_solvers.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/app/config/solver_to_yaml.hpp"
#include "sim/app/config/yaml_number.hpp"
#include "sim/base/text.hpp"
#include "sim/time/starting_guess.hpp"

namespace hodge::sim {
namespace {

const std::string automatic_method = "auto";

void check_symmetry(const ConfigValue& chain, const std::string& key, const std::string& why) {
  const auto value = chain.find(key);
  if (!value) return;
  const auto check = [&](const YamlNode& method) {
    if (why.empty()) return;
    if (linalg::find_solver(method.scalar).needs_separable)
      throw config_error(method.place,
                         "{} is {}, which needs a separable system, and {}, expected one of {}, or "
                         "the scheme cn_ab2",
                         value->path, quote(method.scalar), why, join(linalg::general_methods()));
    if (linalg::find_solver(method.scalar).needs_symmetric)
      throw config_error(method.place,
                         "{} is {}, which needs a symmetric matrix, and {}, expected one of {}",
                         value->path, quote(method.scalar), why, join(linalg::general_methods()));
  };
  if (value->is(YamlNode::Kind::scalar)) check(value->node);
  for (const YamlNode& item : value->node.items) check(item);
}

// Systems of transport have no box that would stand for them.
void check_box(const ConfigValue& value) {
  const auto check_method = [](const ConfigValue& of, const YamlNode& method) {
    if (linalg::find_solver(method.scalar).needs_box)
      throw config_error(method.place,
                         "{} is {}, which inverts the pressure's system of the box without its "
                         "solids, and serves the pressure alone, expected one of {}",
                         of.path, quote(method.scalar), join(linalg::general_methods()));
  };
  for (const char* key : {"method", "fallback"}) {
    const auto chain = value.find(key);
    if (!chain) continue;
    if (chain->is(YamlNode::Kind::scalar)) check_method(*chain, chain->node);
    for (const YamlNode& item : chain->node.items) check_method(*chain, item);
  }
  const auto map = value.find("preconditioner");
  const auto kind = map ? map->find("kind") : map;
  if (kind && linalg::find_preconditioner(kind->node.scalar).needs_box)
    throw config_error(kind->node.place,
                       "{} is {}, which inverts the pressure's system of the box without its "
                       "solids, and serves the pressure alone, expected one of {}",
                       kind->path, quote(kind->node.scalar),
                       join(linalg::preconditioners_of_any_matrix()));
}

// Which methods auto tries before its fallbacks, the problem decides: these leave out what has been
// tried by then.
void check_fallback(const ConfigValue& fallback, const SystemSettings& solver) {
  std::set<std::string> tried;
  if (!solver.automatic) tried.insert(solver.method);
  for (const YamlNode& item : fallback.node.items)
    if (!tried.insert(item.scalar).second)
      throw config_error(item.place,
                         "{} names {}, which has been tried by then, expected another solver",
                         fallback.path, quote(item.scalar));
}

// With all methods that auto may take, in place of auto.
SystemSettings with_methods_of_auto(SystemSettings solver) {
  if (!solver.automatic) return solver;
  std::erase(solver.fallback, solver.method);
  for (const std::string method : {"capacitance", "direct"}) {
    std::erase(solver.fallback, method);
    solver.fallback.insert(solver.fallback.begin(), method);
  }
  return solver;
}

// Of auto's own methods those that are given: which of these it takes, the problem decides.
std::vector<linalg::Option> written_options(const SystemSettings& solver) {
  std::vector<linalg::Option> written = linalg::options_of_chain(solver);
  for (const linalg::Option& option : linalg::options_of_chain(with_methods_of_auto(solver)))
    if (find_option(written, option.name) == nullptr && solver.options.count(option.name) > 0)
      written.push_back(option);
  return written;
}

// An option that would be ignored is refused.
template <typename Settings>
void check_used(const ConfigValue& value, const Settings& settings,
                const std::vector<linalg::OptionOfTable>& options) {
  for (const auto& [option, owners] : options)
    if (const auto unused = linalg::unused_option(settings, option.name))
      value.refuse(option.name,
                   " is a setting of {}, which is not used here ({}), expected no such key",
                   unused->owner, join(unused->chosen));
}

// Options of one name are read alike, though not every preconditioner takes each value.
void check_allowed(const ConfigValue& value, const linalg::PreconditionerSettings& settings) {
  for (const linalg::Option& own : linalg::find_preconditioner(settings.kind).options({}))
    if (const auto given = value.find(own.name);
        given && !own.allows(settings.options.at(own.name)))
      throw given->wrong(own.expected());
}

std::string yaml_text(const linalg::Option& option) {
  const double* number = std::get_if<double>(&option.value);
  return number == nullptr ? option.value_text() : yaml_number(*number);
}

std::string line_of(const linalg::PreconditionerSettings& preconditioner,
                    bool (*is_written)(const linalg::Option& option)) {
  std::string text = "{kind: " + preconditioner.kind;
  for (const linalg::Option& option : linalg::options_of(preconditioner))
    if (is_written(option)) text += fmt::format(", {}: {}", option.name, yaml_text(option));
  return text + "}";
}

// What differs from the options' own defaults.
std::string example_of(const linalg::PreconditionerSettings& preconditioner) {
  return line_of(preconditioner,
                 [](const linalg::Option& option) { return option.value != option.default_value; });
}

std::string example_of(const SystemSettings& solver) {
  return fmt::format(
      "{{method: {}, preconditioner: {}, tolerance: {}, max_iterations: {}, fallback: [{}]}}",
      solver.method, example_of(solver.preconditioner), yaml_number(solver.tolerance),
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
  const auto take = [value, &out, name = option.name](const ConfigValue&) { out[name] = *value; };
  return optional(option.name, checked(reader, take),
                  fmt::format("of {}: {}", fmt::join(owners, " and "), option.text));
}

// `suited`: a kind with the options that it has where the file says nothing of them.
using Suited = linalg::PreconditionerSettings (*)(const std::string& kind);

ValueReader preconditioner_section(linalg::PreconditionerSettings& preconditioner, Suited suited) {
  const ValueReader kind = checked(
      one_of(preconditioner.kind, "preconditioner", names_of(linalg::preconditioner_table())),
      [&preconditioner, suited](const ConfigValue&) {
        preconditioner = suited(preconditioner.kind);
      });
  std::vector<Key> keys{required("kind", kind, "`hodge solvers` describes them")};
  const auto table = linalg::preconditioner_options();
  for (const auto& [option, owners] : table)
    keys.push_back(option_key(*find_option(linalg::options_of(suited(owners.front())), option.name),
                              owners, preconditioner.options));
  const auto check = [&preconditioner, table](const ConfigValue& value) {
    check_allowed(value, preconditioner);
    check_used(value, preconditioner, table);
  };
  ValueReader map = map_of(keys, check);
  map.write = [&preconditioner] { return preconditioner_to_yaml(preconditioner); };
  return with_example(map, example_of(preconditioner));
}

// A method for symmetric matrices needs a symmetric preconditioner.
void check_preconditioner(const ConfigValue& value, const SystemSettings& solver,
                          const std::string& method) {
  const auto option = linalg::unsymmetric_option(solver.preconditioner);
  const auto map = value.find("preconditioner");
  if (!option || !map || !linalg::find_solver(method).needs_symmetric) return;
  std::vector<std::string> others = option->names;
  std::erase(others, option->value_text());
  throw map->find(option->name)
      ->error(
          " is '{}', which is not symmetric, and {} needs a symmetric preconditioner, expected one "
          "of {}",
          option->value_text(), method, join(others));
}

// A method, or `auto` where the pressure may have it. An iterative method is meant where a file
// names a preconditioner alone.
ValueReader method_name(SystemSettings& solver, bool may_choose) {
  std::vector<std::string> names = names_of(linalg::solver_table());
  if (may_choose) names.insert(names.begin(), automatic_method);
  const auto name = std::make_shared<std::string>();
  const auto take = [&solver, name](const ConfigValue&) {
    solver.automatic = *name == automatic_method;
    solver.method = solver.automatic ? SystemSettings{}.method : *name;
  };
  ValueReader reader = checked(one_of(*name, "solver", names), take);
  reader.read = [read = reader.read, name](const ConfigValue& value) { read(value); };
  reader.write = [&solver] { return solver.automatic ? automatic_method : solver.method; };
  return reader;
}

void check_chain(const ConfigValue& value, SystemSettings& solver) {
  if (value.find("preconditioner") && !value.find("method")) solver.automatic = false;
  if (const auto fallback = value.find("fallback"))
    check_fallback(*fallback, solver);
  else
    std::erase(solver.fallback, solver.method);
  check_used(value, with_methods_of_auto(solver), linalg::solver_options());
  check_preconditioner(value, solver, solver.method);
  for (const std::string& method : solver.fallback) check_preconditioner(value, solver, method);
}

}  // namespace

ValueReader solver_section(SystemSettings& solver, const std::string& unsymmetric, bool projects,
                           bool compared) {
  const std::vector<std::string> methods = names_of(linalg::solver_table());
  std::vector<std::string> stops{"residual"};
  if (projects) stops.emplace_back("divergence");
  const auto check = [&solver, unsymmetric, projects, compared](const ConfigValue& value) {
    check_chain(value, solver);
    if (solver.guess != "projected")
      value.refuse("guess_vectors",
                   " is a setting of guess projected, which is not used here (guess {}), expected "
                   "no such key",
                   solver.guess);
    if (projects || compared) return;
    check_box(value);
    if (value.is_wrong_at("time.scheme")) return;
    for (const char* key : {"method", "fallback"}) check_symmetry(value, key, unsymmetric);
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
      optional("method", method_name(solver, projects),
               projects ? "auto: direct, capacitance or cg; `hodge solvers` describes them"
                        : "`hodge solvers` describes them"),
      optional("preconditioner", preconditioner_section(solver.preconditioner, suited),
               "a kind and its settings"),
      optional("stop", one_of(solver.stop, "stopping rule", stops),
               "what the tolerance is on; divergence: max abs(div u), 1/T"),
      optional("tolerance",
               hangs_on({".stop"},
                        described(tolerance, [](ValueShape& shape) { shape.range = above(0); })),
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
      const auto used = written_options(solver);
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
                   [example = example_of(solver), never_alone](ValueShape& shape) {
                     shape.example = example;
                     shape.never_alone = never_alone;
                   });
}

bool is_preconditioned(const SystemSettings& solver) {
  return linalg::uses_preconditioner(solver);
}

std::string preconditioner_to_yaml(const linalg::PreconditionerSettings& preconditioner) {
  return line_of(preconditioner, [](const linalg::Option& option) { return option.is_used; });
}

std::string method_to_yaml(const SystemSettings& solver) {
  std::string text = "{method: " + (solver.automatic ? automatic_method : solver.method);
  if (solver.automatic || is_preconditioned(solver))
    text += ", preconditioner: " + preconditioner_to_yaml(solver.preconditioner);
  for (const linalg::Option& option : written_options(solver))
    text += fmt::format(", {}: {}", option.name, yaml_text(option));
  return text + fmt::format(", fallback: [{}]}}", fmt::join(solver.fallback, ", "));
}

std::string section_to_yaml(const SystemSettings& solver) {
  const SystemSettings defaults;
  std::string text = method_to_yaml(solver);
  text.pop_back();
  if (solver.stop == defaults.stop)
    text += ", tolerance: " + yaml_number(solver.tolerance);
  else
    text += ", stop: " + solver.stop;
  text += fmt::format(", absolute_tolerance: {}, max_iterations: {}",
                      yaml_number(solver.absolute_tolerance), solver.max_iterations);
  if (solver.refresh != defaults.refresh) text += ", refresh: " + solver.refresh;
  if (solver.guess != defaults.guess) text += ", guess: " + solver.guess;
  return text + "}";
}

}  // namespace hodge::sim
