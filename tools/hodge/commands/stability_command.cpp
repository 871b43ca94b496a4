#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "sim/base/table.hpp"
#include "sim/time/stability.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/stability/stability.hpp"

namespace hodge::tools {
namespace {

struct StabilityArguments {
  StabilityRules rules;
  double cell_peclet = 10;
  bool markdown = false, analysis_alone = false;
  std::string time, convection;  // empty: all
};

// Null where there is none.
sim::Json limit_text(double cfl) {
  if (std::isnan(cfl)) return nullptr;
  if (cfl == 0) return "none";
  if (std::isinf(cfl)) return "any";
  return fmt::format("{:.2f}", cfl);
}

// A column with the largest stable CFL number of a pair of schemes; NaN where there is none.
struct LimitColumn {
  sim::Column column;
  std::function<double(const sim::StablePair& pair)> largest_cfl;
};

std::vector<LimitColumn> limit_columns(const StabilityArguments& arguments) {
  constexpr double no_diffusion = std::numeric_limits<double>::infinity();
  const double peclet = arguments.cell_peclet;
  const std::string at_peclet = fmt::format(", Pe {:g}", peclet);
  std::vector<LimitColumn> columns;
  const auto analyse = [&](const char* key, const std::string& heading, int dim, double at) {
    columns.push_back({{key, heading}, [=](const sim::StablePair& pair) {
                         if (!has_symbol(pair.convection)) return std::nan("");
                         return largest_stable_cfl({pair.time, pair.convection, 0, at, dim});
                       }});
  };
  const auto measure = [&](const char* key, const std::string& heading, Carried carried, bool plane,
                           double at) {
    columns.push_back({{key, heading}, [=, &arguments](const sim::StablePair& pair) {
                         return measured_stable_cfl(
                             {pair.time, pair.convection, carried, plane, at}, arguments.rules);
                       }});
  };
  analyse("analysis_line", "analysis, line", 1, no_diffusion);
  analyse("analysis_plane", "plane", 2, no_diffusion);
  analyse("analysis_diffusion", "line" + at_peclet, 1, peclet);
  if (arguments.analysis_alone) return columns;
  measure("scalar_line", "measured, scalar, line", Carried::scalar, false, no_diffusion);
  measure("scalar_plane", "plane", Carried::scalar, true, no_diffusion);
  measure("scalar_diffusion", "line" + at_peclet, Carried::scalar, false, peclet);
  measure("velocity_plane", "velocity, plane", Carried::velocity, true, no_diffusion);
  measure("velocity_diffusion", "plane" + at_peclet, Carried::velocity, true, peclet);
  return columns;
}

int stability_command(const StabilityArguments& arguments) {
  if (!arguments.time.empty()) (void)sim::stability_of(arguments.time, "central");
  if (!arguments.convection.empty()) (void)sim::stability_of("bdf2", arguments.convection);
  const std::vector<LimitColumn> limits = limit_columns(arguments);
  std::vector<sim::Column> columns{
      {"time", "time"}, {"convection", "convection"}, {"default", "default"}, {"limit", "limit"}};
  for (const LimitColumn& limit : limits) columns.push_back(limit.column);
  columns.push_back({"contraction", "deferred: contraction at the default", "{:.2f}"});
  sim::Table table("stability", "Largest stable CFL numbers", columns);
  for (const sim::StablePair& pair : sim::stability_table()) {
    if (!arguments.time.empty() && arguments.time != pair.time) continue;
    if (!arguments.convection.empty() && arguments.convection != pair.convection) continue;
    sim::Json row{{"time", pair.time},
                  {"convection", pair.convection},
                  {"default", fmt::format("{}", pair.default_cfl)},
                  {"limit", limit_text(pair.largest_cfl)}};
    for (const LimitColumn& limit : limits)
      row[limit.column.key] = limit_text(limit.largest_cfl(pair));
    const double factor = contraction({pair.time, pair.convection, pair.default_cfl});
    if (!std::isnan(factor)) row["contraction"] = factor;
    table.add(row);
  }
  std::cout << (arguments.markdown ? table.markdown() : table.text());
  return 0;
}

}  // namespace

void add_stability_command(CLI::App& app, Action& action) {
  auto [command, arguments] = add_command(
      app, action, "stability",
      "Measure the largest stable CFL number of each time scheme with each convection scheme, "
      "beside von Neumann analysis (minutes)",
      stability_command);
  command.add_option("--time", arguments.time, "This time scheme alone");
  command.add_option("--convection", arguments.convection, "This convection scheme alone");
  command.add_option("--cells", arguments.rules.cells, "Cells along an axis, 32 by default")
      ->check(CLI::Range(4, 1024));
  command.add_option("--steps", arguments.rules.steps, "Steps of a run, 400 by default")
      ->check(CLI::PositiveNumber);
  command
      .add_option("--peclet", arguments.cell_peclet,
                  "Cell Peclet number of the columns with diffusion, 10 by default")
      ->check(CLI::PositiveNumber);
  command.add_flag("--analysis", arguments.analysis_alone, "Without the measurements (seconds)");
  command.add_flag("--markdown", arguments.markdown, "Print the table as Markdown");
}

}  // namespace hodge::tools
