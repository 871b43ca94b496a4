#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>
#include <memory>

#include "sim/base/table.hpp"
#include "sim/time/stability.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/stability/measured_cfl.hpp"
#include "tools/hodge/stability/von_neumann.hpp"

namespace hodge::tools {
namespace {

struct StabilityArguments {
  StabilityRules rules;
  double cell_peclet = 10;
  bool markdown = false;
  bool analysis_alone = false;
  std::string time, convection;  // empty: all
};

sim::Json limit_text(double cfl) {
  if (std::isnan(cfl)) return nullptr;
  if (cfl == 0) return "none";
  if (std::isinf(cfl)) return "any";
  return fmt::format("{:.2f}", cfl);
}

sim::Table stability_columns(const StabilityArguments& arguments) {
  const std::string peclet = fmt::format(", Pe {:g}", arguments.cell_peclet);
  std::vector<sim::Column> columns{{"time", "time"},
                                   {"convection", "convection"},
                                   {"default", "default"},
                                   {"limit", "limit"},
                                   {"analysis_line", "analysis, line"},
                                   {"analysis_plane", "plane"},
                                   {"analysis_diffusion", "line" + peclet}};
  if (!arguments.analysis_alone)
    for (const sim::Column& column :
         {sim::Column{"scalar_line", "measured, scalar, line"},
          sim::Column{"scalar_plane", "plane"}, sim::Column{"scalar_diffusion", "line" + peclet},
          sim::Column{"velocity_plane", "velocity, plane"},
          sim::Column{"velocity_diffusion", "plane" + peclet}})
      columns.push_back(column);
  columns.push_back({"contraction", "deferred: contraction at the default", "{:.2f}"});
  return {"stability", "Largest stable CFL numbers", columns};
}

void add_analysis(const sim::StablePair& pair, double cell_peclet, sim::Json& row) {
  if (!has_symbol(pair.convection)) return;
  WaveStep step{pair.time, pair.convection};
  row["analysis_line"] = limit_text(largest_stable_cfl(step));
  step.dim = 2;
  row["analysis_plane"] = limit_text(largest_stable_cfl(step));
  step.dim = 1;
  step.cell_peclet = cell_peclet;
  row["analysis_diffusion"] = limit_text(largest_stable_cfl(step));
  const double factor = contraction({pair.time, pair.convection, pair.default_cfl});
  if (!std::isnan(factor)) row["contraction"] = factor;
}

void add_measured(const sim::StablePair& pair, const StabilityArguments& arguments,
                  sim::Json& row) {
  StabilityCase what{pair.time, pair.convection};
  const auto measure = [&](const char* key) {
    row[key] = limit_text(measured_stable_cfl(what, arguments.rules));
  };
  measure("scalar_line");
  what.plane = true;
  measure("scalar_plane");
  what.carried = Carried::velocity;
  measure("velocity_plane");
  what.cell_peclet = arguments.cell_peclet;
  measure("velocity_diffusion");
  what = {pair.time, pair.convection, Carried::scalar, false, arguments.cell_peclet};
  measure("scalar_diffusion");
}

int stability_command(const StabilityArguments& arguments) {
  if (!arguments.time.empty()) (void)sim::stability_of(arguments.time, "central");
  if (!arguments.convection.empty()) (void)sim::stability_of("bdf2", arguments.convection);
  sim::Table table = stability_columns(arguments);
  for (const sim::StablePair& pair : sim::stability_table()) {
    if (!arguments.time.empty() && arguments.time != pair.time) continue;
    if (!arguments.convection.empty() && arguments.convection != pair.convection) continue;
    sim::Json row{{"time", pair.time},
                  {"convection", pair.convection},
                  {"default", fmt::format("{}", pair.default_cfl)},
                  {"limit", limit_text(pair.largest_cfl)}};
    add_analysis(pair, arguments.cell_peclet, row);
    if (!arguments.analysis_alone) add_measured(pair, arguments, row);
    table.add(row);
  }
  std::cout << (arguments.markdown ? table.markdown() : table.text());
  return 0;
}

}  // namespace

void add_stability_command(CLI::App& app, std::function<int()>& action) {
  auto arguments = std::make_shared<StabilityArguments>();
  CLI::App* command = app.add_subcommand(
      "stability",
      "Measure the largest stable CFL number of each time scheme with each convection scheme, "
      "beside von Neumann analysis (minutes)");
  command->add_option("--time", arguments->time, "This time scheme alone");
  command->add_option("--convection", arguments->convection, "This convection scheme alone");
  command->add_option("--cells", arguments->rules.cells, "Cells along an axis, 32 by default")
      ->check(CLI::Range(4, 1024));
  command->add_option("--steps", arguments->rules.steps, "Steps of a run, 400 by default")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--peclet", arguments->cell_peclet,
                   "Cell Peclet number of the columns with diffusion, 10 by default")
      ->check(CLI::PositiveNumber);
  command->add_flag("--analysis", arguments->analysis_alone, "Without the measurements (seconds)");
  command->add_flag("--markdown", arguments->markdown, "Print the table as Markdown");
  set_action(*command, action, arguments, stability_command);
}

}  // namespace hodge::tools
