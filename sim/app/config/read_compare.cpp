// compare: at which steps which solvers are tried on the systems that the run solves.
//
//   compare:
//     every: 20
//     pressure:
//       - {method: cg, preconditioner: {kind: jacobi}}
//       - {method: cg, preconditioner: {kind: ssor_sai, order: 2, omega: 1.5}}
//
// An entry is a section of `solvers` without its stopping rule: all solvers share that of the
// configured one. A section without a list gets the default ones. A method for symmetric matrices
// may stand where the matrix is not: its rows then say so.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <variant>

#include "sim/app/config/default_solvers.hpp"
#include "sim/app/config/readers.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/app/config/solver_to_yaml.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

using SolverList = std::vector<SystemSettings>;

constexpr std::array<const char*, 3> list_names{"pressure", "transport", "scalars"};
// What all compared solvers share, and what belongs to a sequence of solves.
constexpr std::array<const char*, 7> shared_keys{
    "tolerance", "absolute_tolerance", "stop", "max_seconds", "guess", "guess_vectors", "refresh"};

// A section of `solvers` without the shared keys, and with a method.
ValueReader entry(SystemSettings& out) {
  ValueReader section = solver_section(out, "", false, true);
  section.read = [read = section.read](const ConfigValue& value) {
    for (const char* key : shared_keys)
      value.refuse(key,
                   " is shared by all compared solvers, expected no such key: it stands in the "
                   "section solvers (max_seconds in compare)");
    if (value.is(YamlNode::Kind::map) && !value.has("method"))
      throw value.missing("method", "a solver");
    read(value);
  };
  section.write = [&out] {
    std::string text = method_to_yaml(out);
    text.pop_back();
    return fmt::format("{}, max_iterations: {}}}", text, out.max_iterations);
  };
  return described(section, [](ValueShape& shape) {
    std::erase_if(shape.keys, [](const KeyShape& key) {
      return std::find(shared_keys.begin(), shared_keys.end(), key.name) != shared_keys.end();
    });
    for (KeyShape& key : shape.keys) key.is_required = key.name == "method";
  });
}

ValueReader solver_list(SolverList& out, const SystemSettings& configured) {
  return with_example(list_of(out, "a list of solvers, each a map with the key method", entry,
                              compared_entry(configured)),
                      "[{method: cg, preconditioner: {kind: jacobi}}]");
}

// A number, or never.
ValueReader give_up_reader(std::optional<double>& out) {
  using Form = std::variant<int, double, std::string>;
  return through<Form>([](Form& form) { return number_or_one_of(form, above(1), {"never"}); },
                       [&out] { return std::optional<Form>(out ? Form(*out) : Form("never")); },
                       [&out](const Form& form, const ConfigValue&) {
                         const double* const number = std::get_if<double>(&form);
                         out = number != nullptr ? std::optional(*number) : std::nullopt;
                       });
}

void check_steps(const ConfigValue& value, const CompareSettings& compare) {
  if (compare.steps.empty()) value.refuse("steps", " is an empty list, expected at least one step");
  if (compare.to && *compare.to < compare.from.value_or(1))
    throw value.find("to")->error(" is {}, expected a step from {} on", *compare.to,
                                  compare.from.value_or(1));
}

}  // namespace

ValueReader compare_section(CompareSettings& compare, const Settings& settings,
                            bool symmetric_transport) {
  const auto complete = [&compare, &settings, symmetric_transport](const ConfigValue& value) {
    check_steps(value, compare);
    for (const char* list : list_names)
      if (value.has(list)) return;
    add_default_candidates(settings, symmetric_transport, compare);
  };
  const ValueReader map =
      map_of({optional("steps",
                       written_if(described(whole_numbers(compare.steps, at_least(1)),
                                            [](ValueShape& shape) { shape.fewest = 1; }),
                                  [&compare] { return !compare.steps.empty(); }),
                       "the steps to compare at"),
              optional("every", whole_number(compare.every, at_least(1)),
                       "compare at every so many steps; default: 10"),
              optional("from", whole_number(compare.from, at_least(1)),
                       "with every: the first step; default: 1"),
              optional("to", whole_number(compare.to, at_least(1)),
                       "with every: the last step; default: that of the run"),
              optional("pressure", solver_list(compare.pressure, settings.pressure),
                       "solvers of the pressure system"),
              optional("transport", solver_list(compare.transport, settings.transport),
                       "solvers of the velocity components' systems"),
              optional("scalars", solver_list(compare.scalars, settings.scalars),
                       "solvers of the scalars' systems"),
              optional("max_seconds", number(compare.max_seconds, above(0)),
                       "a compared solve ends after so many seconds"),
              optional("give_up", give_up_reader(compare.give_up),
                       "a solver that takes so many times as long as the fastest is given up"),
              optional("histories", yes_or_no(compare.histories),
                       "write the residual of every iteration to compare_history.csv"),
              optional("guesses", yes_or_no(compare.guesses),
                       "compare starting guesses too, in compare_guess.csv")},
             complete);
  return with_example(
      never_with(map, "steps", "names the steps", {"every", "from", "to"}, "counts them"),
      "{every: 20}");
}

void add_default_candidates(const Settings& settings, bool symmetric_transport,
                            CompareSettings& compare) {
  long cells = 1;
  for (int d = 0; d < settings.grid.dim; ++d) cells *= settings.grid.axes[d].cells;
  compare.by_default = true;
  compare.pressure = default_candidates(settings.pressure, true, cells);
  compare.transport = default_candidates(settings.transport, symmetric_transport, cells);
  compare.scalars = default_candidates(settings.scalars, symmetric_transport, cells);
}

}  // namespace hodge::sim
