#include <CLI/CLI.hpp>
#include <cmath>

#include "linalg/files/atomic_file.hpp"
#include "sim/app/config/solver_to_yaml.hpp"
#include "sim/compare/ranking.hpp"
#include "sim/compare/solver_text.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/program/outputs.hpp"
#include "tools/hodge/program/program.hpp"
#include "tools/hodge/study/study.hpp"

namespace hodge::tools {
namespace {

struct StudyArguments {
  sim::ConfigSource source;
  std::string device;
  std::filesystem::path csv;
  bool overwrite = false;
  StudyRules rules;
};

void print_reference(const Study& study) {
  say("reference: {} steps, all systems to a tolerance of {}\n", study.reference().steps.size(),
      tolerance_text(study.reference_tolerance()));
  for (const sim::Quantity& quantity : study.reference().quantities.back())
    say("  {} = {:.6g}\n", quantity.name, quantity.value);
  std::cout << std::endl;
}

std::string text_of(const Change& change) {
  if (change.quantity.empty()) return "change no quantity";
  return fmt::format("change {} by {:.1e}", change.quantity, change.largest);
}

// Why not all tolerances are those that were found for each kind alone.
void print_tightenings(const Study::Confirmation& confirmed, double within) {
  for (const Study::Tightening& done : confirmed.tightenings)
    std::cout << (done.failure ? fmt::format("together they fail ({})", *done.failure)
                               : fmt::format("together they {}, more than {}: their changes add up",
                                             text_of(done.change), tolerance_text(within)))
              << fmt::format("; {}, whose own change is the largest, goes from {} to {}\n",
                             sim::name_of(done.kind), tolerance_text(done.from),
                             tolerance_text(done.to));
}

void print_times(const Study::Confirmation& confirmed, const Study::Advice& advice,
                 const Change& change_of_file) {
  std::cout << "together they " << text_of(confirmed.change)
            << (confirmed.change.quantity.empty() ? "" : " at most");
  if (advice.file.failure) {
    say("; the solvers of the file fail ({})\n", *advice.file.failure);
    return;
  }
  say("; the {} steps take {:.3g} s, with the solvers of the file {:.3g} s, which {}\n",
      confirmed.run.steps.size(), confirmed.run.seconds(), advice.file.seconds(),
      text_of(change_of_file));
  for (const auto& [kind, saved] : advice.savings)
    say("{}: {:.3g} % of a step {}\n", sim::name_of(kind), 100 * std::abs(saved),
        saved < 0 ? "more" : "saved");
}

void print_advice(const Study& study, Study::Confirmation& confirmed, double within) {
  const Study::Advice advice = study.advise(confirmed);
  const Change change_of_file = study.change_of(advice.file);
  print_times(confirmed, advice, change_of_file);
  if (advice.kinds.empty()) {
    say("no change pays: none saves {:.0f} % of a step; keep the solvers of the file\n",
        100 * sim::least_saving);
    return;
  }
  if (!advice.file_is_good && !advice.file.failure)
    say("the solvers of the file {}, more than {}\n", text_of(change_of_file),
        tolerance_text(within));
  std::cout << "put this in the file:\nsolvers:\n";
  for (const sim::SystemKind kind : advice.kinds)
    say("  {}: {}\n", sim::name_of(kind),
        sim::section_to_yaml(solver_of(confirmed.settings, kind)));
}

int study_command(const StudyArguments& arguments, sim::FlowLeader* leader) {
  const Job job = load_job(arguments.source, cases::known_cases(), arguments.device);
  Files inputs{arguments.source.file};
  for (const sim::InputFile& one : job.settings.inputs) inputs.emplace_back(one.file);
  check_outputs({arguments.csv}, inputs, arguments.overwrite);
  const Study study(job, arguments.rules, leader);
  print_reference(study);

  sim::Table table("study", "Tolerances",
                   {{"kind", "systems"},
                    {"solver", "solver"},
                    {"tolerance", "tolerance"},
                    {"iterations", "iterations", "{:.1f}"},
                    {"seconds", "seconds", "{:.3f}"},
                    {"change", "largest change", "{:.1e}"},
                    {"quantity", "of"},
                    {"divergence", "max |div u|", "{:.1e}"},
                    {"verdict", "quantities"}});
  FoundTolerances found;
  std::string advice;
  for (const sim::SystemKind kind : sim::system_kinds) {
    if (!study.has(kind)) continue;
    const auto loosest = study.find(kind, table);
    if (!loosest) {
      advice += fmt::format("{}: no tolerance leaves the quantities unchanged\n", name_of(kind));
      continue;
    }
    advice += fmt::format("{} alone: {} with a tolerance of {} leaves every quantity within {}\n",
                          name_of(kind), sim::solver_text(loosest->settings),
                          tolerance_text(loosest->settings.tolerance),
                          tolerance_text(arguments.rules.within));
    found.emplace_back(kind, *loosest);
  }
  std::cout << table.text() << "\n" << advice << "\n";
  if (!arguments.csv.empty()) write_file_atomically(arguments.csv, table.csv());
  auto confirmed = study.confirm(found);
  if (!confirmed)
    throw NumericalError("together these tolerances change the quantities; take tighter ones");
  print_tightenings(*confirmed, arguments.rules.within);
  print_advice(study, *confirmed, arguments.rules.within);
  return 0;
}

}  // namespace

void add_study_command(CLI::App& app, Action& action) {
  auto [command, arguments] = add_command(
      app, action, "study",
      "Repeat a short run over tolerances and solvers: how loosely may its systems be solved",
      study_command);
  StudyRules& rules = arguments.rules;
  add_configurations_option(command, arguments.source.file, "The configuration, a YAML file");
  command.add_option("--steps", rules.steps, "Steps of the short run, 20 by default")
      ->check(CLI::PositiveNumber);
  command
      .add_option("--within", rules.within,
                  "The relative change of a quantity that counts as none, 1e-4 by default")
      ->check(CLI::PositiveNumber);
  command.add_option("--tolerances", rules.tolerances, "Those to try, 1e-8 to 1e-2 by default")
      ->delimiter(',')
      ->check(CLI::Range(1e-12, 0.5));
  add_give_up_option(command, [&rules](std::optional<double> times) { rules.give_up = times; });
  add_device_option(command, arguments.device);
  add_set_option(command, arguments.source.overrides);
  add_output_file_option(command, "--csv", arguments.csv, "Write the table to this file");
  add_overwrite_option(command, arguments.overwrite);
}

}  // namespace hodge::tools
