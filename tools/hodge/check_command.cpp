#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>
#include <memory>

#include "sim/config/text.hpp"
#include "sim/flow/flow.hpp"
#include "sim/grid/grid.hpp"
#include "sim/run/quantities.hpp"
#include "tools/hodge/commands.hpp"
#include "tools/hodge/job.hpp"
#include "tools/hodge/options.hpp"
#include "tools/hodge/program.hpp"

namespace hodge::tools {
namespace {

struct CheckArguments {
  std::vector<std::string> files, overrides;
};

using sim::number_text;

std::string case_text(const sim::Settings& settings) {
  std::string text = settings.case_name;
  for (const auto& [name, value] : settings.parameters) {
    text += fmt::format(", {} {}", name, number_text(value));
  }
  return text;
}

// How many steps the run takes, as far as that is known before it starts.
std::string steps_text(const sim::TimeSettings& time) {
  const std::optional<double> longest = time.step.size ? time.step.size : time.step.max;
  std::string text;
  if (time.step.size) text += fmt::format(", dt {}", number_text(*time.step.size));
  if (time.step.cfl) text += fmt::format(", cfl {}", number_text(*time.step.cfl));
  if (time.step.max) text += fmt::format(", dt <= {}", number_text(*time.step.max));
  if (longest) {
    text += fmt::format(", {}{:.0f} steps", time.step.size ? "" : "at least ",
                        std::ceil(time.end / *longest - 1e-9));
  }
  if (time.max_steps) text += fmt::format(", at most {} steps", *time.max_steps);
  if (time.steady_tolerance) {
    text += fmt::format(", or until max |du/dt| <= {}", number_text(*time.steady_tolerance));
  }
  return text;
}

std::string solver_text(const linalg::SolverSettings& solver) {
  std::string text = fmt::format("{} with {}", solver.method, solver.preconditioner.kind);
  for (const std::string& fallback : solver.fallback) text += ", then " + fallback;
  return text;
}

void print_summary(const std::string& file, const Job& job) {
  const sim::Settings& settings = job.settings;
  const sim::Grid grid(settings.grid);
  std::cout << fmt::format(
      "{}: ok\n"
      "  case      {}\n"
      "  grid      {}\n"
      "  time      {} to t = {}{}\n"
      "  pressure  {}\n"
      "  transport {}\n"
      "  memory    {} on the device\n"
      "  output    {}\n",
      sim::one_line(file), case_text(settings), grid.description(), settings.time.scheme,
      number_text(settings.time.end), steps_text(settings.time), solver_text(settings.pressure),
      solver_text(settings.transport),
      sim::bytes_text(static_cast<double>(sim::memory_estimate(settings, job.problem))),
      sim::one_line(settings.output.directory));
}

// Every file is checked, whatever the others are; the worst exit code is returned.
int check_command(const CheckArguments& arguments) {
  int worst = 0;
  for (const std::string& file : arguments.files) {
    const int code = guarded([&] {
      print_summary(file, load_job({file, arguments.overrides}));
      return 0;
    });
    worst = std::max(worst, code);
  }
  return worst;
}

}  // namespace

void add_check_command(CLI::App& app, std::function<int()>& action) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand("check", "Check configurations; nothing is written");
  command->add_option("FILE", arguments->files, "Configurations, YAML files")
      ->required()
      ->check(not_empty());
  add_set_option(*command, arguments->overrides);
  command->callback(
      [&action, arguments] { action = [arguments] { return check_command(*arguments); }; });
}

}  // namespace hodge::tools
